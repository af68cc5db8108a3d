//! A picture laid into a box: what is kept of it, what that is scaled to, and where it lies on what canvas.
//!
//! Everything here is upright, and in the picture's own pixels after trimming.

use super::{Crop, proportion, scaled};
use crate::{Fit, FocalPoint};

/// What [`fit`] decides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fitted {
    /// The kept rectangle of the picture.
    pub(super) kept: Crop,
    /// What it is scaled to.
    pub(super) scaled: (u32, u32),
    /// The size that the result has before borders: larger than `scaled` where it is padded.
    pub(super) canvas: (u32, u32),
    /// Where the scaled picture lies on the canvas.
    pub(super) place: (u32, u32),
}

/// The box: a side that is not given follows from the other and the picture's shape.
pub(super) type Bounds = (Option<u32>, Option<u32>);

/// Lays a picture of `source` pixels into `bounds`.
pub(super) fn fit(source: (u32, u32), bounds: Bounds, fit: Fit, gravity: FocalPoint) -> Fitted {
    let enlarge = enlarges(fit);
    match bounds {
        (Some(width), None) if enlarge || width < source.0 => {
            whole(source, (width, scaled(source.1, width, source.0)))
        }
        (None, Some(height)) if enlarge || height < source.1 => {
            whole(source, (scaled(source.0, height, source.1), height))
        }
        (Some(width), Some(height)) => in_box(source, (width, height), fit, gravity),
        _ => whole(source, source),
    }
}

/// The largest size, of what is scaled and of the canvas, that [`fit`] could give for any part of the picture. What may
/// be enlarged beyond the picture along a side that is not given is bounded by `max_side`.
pub(super) fn bound(source: (u32, u32), bounds: Bounds, fit: Fit, max_side: u32) -> (u32, u32) {
    match (bounds, enlarges(fit)) {
        ((None, None), _) => source,
        ((width, height), true) => (width.unwrap_or(max_side), height.unwrap_or(max_side)),
        ((width, height), false) => {
            (width.unwrap_or(source.0).min(source.0), height.unwrap_or(source.1).min(source.1))
        }
    }
}

/// Whether a picture smaller than its box grows.
fn enlarges(fit: Fit) -> bool {
    match fit {
        Fit::ScaleDown | Fit::Crop | Fit::AspectCrop => false,
        Fit::Contain | Fit::Cover | Fit::Pad | Fit::Squeeze => true,
    }
}

fn in_box(source: (u32, u32), bounds: (u32, u32), fit: Fit, gravity: FocalPoint) -> Fitted {
    let covers = bounds.0 <= source.0 && bounds.1 <= source.1;
    match fit {
        Fit::ScaleDown if bounds.0 >= source.0 && bounds.1 >= source.1 => whole(source, source),
        Fit::ScaleDown | Fit::Contain => whole(source, inside(source, bounds)),
        Fit::Squeeze => whole(source, bounds),
        Fit::Cover => part(source, shaped(source, bounds), bounds, gravity),
        Fit::Crop | Fit::AspectCrop if covers => part(source, shaped(source, bounds), bounds, gravity),
        Fit::Crop => unscaled(source, (bounds.0.min(source.0), bounds.1.min(source.1)), gravity),
        Fit::AspectCrop => unscaled(source, inside(bounds, source), gravity),
        Fit::Pad => {
            let fitted = whole(source, inside(source, bounds));
            let place = |room: u32, fraction: u16| proportion(room, fraction.into(), FocalPoint::ONE.into());
            let place =
                (place(bounds.0 - fitted.scaled.0, gravity.x), place(bounds.1 - fitted.scaled.1, gravity.y));
            Fitted { canvas: bounds, place, ..fitted }
        }
    }
}

/// All of the picture at some size.
fn whole(source: (u32, u32), size: (u32, u32)) -> Fitted {
    let kept = Crop { left: 0.0, top: 0.0, width: source.0.into(), height: source.1.into() };
    Fitted { kept, scaled: size, canvas: size, place: (0, 0) }
}

/// A part of `size` pixels as it is.
fn unscaled(source: (u32, u32), size: (u32, u32), gravity: FocalPoint) -> Fitted {
    part(source, (size.0.into(), size.1.into()), size, gravity)
}

/// A part of the given width and height, placed by gravity and scaled to `size`.
fn part(source: (u32, u32), (width, height): (f64, f64), size: (u32, u32), gravity: FocalPoint) -> Fitted {
    let (source_width, source_height) = (f64::from(source.0), f64::from(source.1));
    let place = |slack: f64, fraction: u16| slack * f64::from(fraction) / f64::from(FocalPoint::ONE);
    let mut left = place(source_width - width, gravity.x);
    let mut top = place(source_height - height, gravity.y);
    if (width, height) == (f64::from(size.0), f64::from(size.1)) {
        // Nothing is scaled, so nothing shall be blurred by half a pixel.
        (left, top) = (libm::floor(left + 0.5), libm::floor(top + 0.5));
    }
    // The last bit of a sum must not lie outside the picture.
    let kept =
        Crop { left, top, width: width.min(source_width - left), height: height.min(source_height - top) };
    Fitted { kept, scaled: size, canvas: size, place: (0, 0) }
}

/// The largest size of `source`'s shape inside `bounds`.
fn inside(source: (u32, u32), bounds: (u32, u32)) -> (u32, u32) {
    // bounds.0 / source.0 ≤ bounds.1 / source.1: the width decides.
    if u64::from(bounds.0) * u64::from(source.1) <= u64::from(bounds.1) * u64::from(source.0) {
        (bounds.0, scaled(source.1, bounds.0, source.0))
    } else {
        (scaled(source.0, bounds.1, source.1), bounds.1)
    }
}

/// The largest width and height of `bounds`' shape inside `source`.
fn shaped(source: (u32, u32), bounds: (u32, u32)) -> (f64, f64) {
    let (width, height) = (f64::from(source.0), f64::from(source.1));
    if u64::from(bounds.0) * u64::from(source.1) >= u64::from(bounds.1) * u64::from(source.0) {
        (width, width * f64::from(bounds.1) / f64::from(bounds.0))
    } else {
        (height * f64::from(bounds.0) / f64::from(bounds.1), height)
    }
}
