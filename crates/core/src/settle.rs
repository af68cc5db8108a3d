//! What only pixels tell about a thumbnail's geometry: where its borders end, and what there is to see.
//!
//! In: the plan and the source's pixels as they were read. Out: the geometry to go on with, whose sizes are at most the
//! plan's. Borders come first, so that what they surround is what is looked at.

use crate::borders::{self, Border};
use crate::geometry::{Geometry, Rect, Turn, device_pixels, rect_turned};
use crate::limits::check;
use crate::saliency::{self, Axis};
use crate::{Error, Gravity, Limit, Plan, Trim};

/// The geometry to go on with. `scratch` is region A, which the plan made long enough.
///
/// # Errors
/// `TooLarge` where a result without its borders, enlarged, would have a longer side than allowed.
pub(crate) fn settle(plan: &Plan, pixels: &[u8], scratch: &mut [u8]) -> Result<Geometry, Error> {
    let mut geometry = plan.geometry;
    if let Trim::Border { color, tolerance, keep } = plan.transform.trim {
        geometry = inside_borders(plan, pixels, |first| Border { color, first, tolerance }, keep);
        let side = geometry.output.0.max(geometry.output.1);
        check(Limit::OutputSide, side.into(), plan.max_side.into())?;
    }
    if plan.transform.gravity == Gravity::Auto {
        move_to_what_is_seen(&mut geometry, plan, pixels, scratch);
    }
    Ok(geometry)
}

fn inside_borders(plan: &Plan, pixels: &[u8], border: impl Fn((u32, u32)) -> Border, keep: u32) -> Geometry {
    let (stored, orientation) = (plan.source_size(), plan.header.orientation);
    let size = plan.scale.picture(stored).size;
    let Turn { flip_x, flip_y, .. } = Turn::of(orientation);
    let first = (if flip_x { size.0 - 1 } else { 0 }, if flip_y { size.1 - 1 } else { 0 });
    let samples = borders::inside(pixels, plan.layout, size, border(first));
    let found = plan.scale.pixels(samples, stored);
    let kept = grown(found, device_pixels(keep, plan.transform.dpr), stored);
    let window = rect_turned(kept, stored, orientation);
    Geometry::within(stored, orientation, &plan.transform, window)
}

/// A rectangle with so many more pixels at each side, as far as the picture has them.
fn grown(rect: Rect, by: u32, (width, height): (u32, u32)) -> Rect {
    let (left, top) = (rect.left.saturating_sub(by), rect.top.saturating_sub(by));
    let right = (rect.left + rect.width).saturating_add(by).min(width);
    let bottom = (rect.top + rect.height).saturating_add(by).min(height);
    Rect { left, top, width: right - left, height: bottom - top }
}

/// Moves the crop along the axis on which it has room.
#[expect(clippy::cast_sign_loss, reason = "a crop's side is positive")]
fn move_to_what_is_seen(geometry: &mut Geometry, plan: &Plan, pixels: &[u8], scratch: &mut [u8]) {
    let Geometry { window, crop, .. } = *geometry;
    let Turn { flip_x, flip_y, .. } = Turn::of(plan.header.orientation);
    let horizontal = f64::from(window.width) > crop.width;
    let (side, len, reversed) = if horizontal {
        (f64::from(window.width), crop.width, flip_x)
    } else {
        (f64::from(window.height), crop.height, flip_y)
    };
    let room = side - len;
    if room <= 0.0 {
        return;
    }
    let size = plan.scale.picture(plan.source_size()).size;
    let area = plan.scale.samples(window);
    let columns = libm::floor(len / f64::from(plan.scale.denominator()) + 0.5) as u32;
    let axis = Axis { horizontal, reversed };
    let (start, last) = saliency::best(pixels, plan.layout, size, area, axis, columns, scratch);
    // Places of samples, spread over the room there is in pixels; where those are the same, a whole number of them.
    let moved = if last == 0 { room / 2.0 } else { room * f64::from(start) / f64::from(last) };
    if horizontal {
        geometry.crop.left = f64::from(window.left) + moved;
    } else {
        geometry.crop.top = f64::from(window.top) + moved;
    }
}
