//! Where the thumbnail's pixels come from and where they go: one rectangle of the source, one size, one turn, one
//! place on the result. Decided before a pixel is read, but for what only pixels tell (`trim=border`, `g=auto`).
//!
//! | step | decided in | carried out on |
//! |---|---|---|
//! | EXIF orientation | `turn.rs` | the scaled picture |
//! | trim | `trim.rs` | the source, as a window |
//! | crop, scale, pad | `fit.rs` | the source, by the resize; padding by `finish` |
//! | flip, rotation | `turn.rs` | the scaled picture, in one turn with the orientation |
//! | background, border, rounded corners | here | the finished picture |
//! | how small the source is read | `load.rs` | the source |
//!
//! Every size is rounded half up ([`proportion`], the only rounding) and is at least 1; crops are fractional, but for
//! those at the picture's own scale, which lie on whole pixels. Everything is decided for the upright picture and then turned into the stored one's coordinates,
//! because pixels are turned only when they are few.
//!
//! Example: a photograph stored as 4000×3000 with orientation 6 stands upright as 3000×4000. `w=200&h=200` with `cover`
//! keeps the upright rectangle 3000×3000 at (0, 500), which is the stored rectangle 3000×3000 at (500, 0). It is
//! read at 1/4, where the rectangle is 750×750 at (125, 0), scaled to 200×200 and turned. With `border.width=5` the
//! result is 210×210, and the turned picture lies at (5, 5).

mod fit;
mod load;
mod trim;
mod turn;

pub(crate) use load::LoadScale;
pub(crate) use turn::{Turn, rect_turned};

use crate::{Dpr, Error, FocalPoint, Gravity, Orientation, Radius, Sides, Transform};

/// A rectangle of whole pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rect {
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Rect {
    /// All of a picture.
    pub(crate) const fn whole((width, height): (u32, u32)) -> Rect {
        Rect { left: 0, top: 0, width, height }
    }

    pub(crate) const fn size(self) -> (u32, u32) {
        (self.width, self.height)
    }
}

/// A rectangle of a picture in its pixels, which it may cut through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Crop {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A thumbnail's geometry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Geometry {
    /// What trimming left of the stored source: nothing outside of it is looked at.
    pub(crate) window: Rect,
    /// What is kept of the stored source; inside the window.
    pub(crate) crop: Crop,
    /// What that is scaled to, not yet turned.
    pub(crate) scaled: (u32, u32),
    /// How the scaled picture is turned.
    pub(crate) turn: Orientation,
    /// Where the turned picture's first pixel lies in the result.
    pub(crate) place: (u32, u32),
    /// The border's widths in device pixels.
    pub(crate) border: Sides<u32>,
    /// The radius of the result's corners, in halves of a pixel.
    pub(crate) half_radius: u32,
    /// The result's size.
    pub(crate) output: (u32, u32),
}

impl Geometry {
    /// The geometry of `transform` on a picture of `stored` pixels; with borders yet to be found, on all of it.
    /// Sizes that do not fit `u32` saturate; limits refuse them.
    ///
    /// # Errors
    /// `NothingLeft` if trimming leaves no pixel.
    pub(crate) fn new(
        stored: (u32, u32),
        orientation: Orientation,
        transform: &Transform,
    ) -> Result<Geometry, Error> {
        let upright = swapped_if(orientation.swaps_axes(), stored);
        let window = trim::window(upright, transform.trim, transform.dpr)?;
        Ok(Geometry::within(stored, orientation, transform, window))
    }

    /// As [`Geometry::new`], of what is inside `window`, which is a part of the upright picture. A crop by
    /// [`Gravity::Auto`] is in the middle.
    pub(crate) fn within(
        stored: (u32, u32),
        orientation: Orientation,
        transform: &Transform,
        window: Rect,
    ) -> Geometry {
        let gravity = match transform.gravity {
            Gravity::Point(point) => point,
            Gravity::Auto => FocalPoint::CENTER,
        };
        let fitted = fit::fit(window.size(), upright_box(transform), transform.fit, gravity);
        let kept = Crop {
            left: f64::from(window.left) + fitted.kept.left,
            top: f64::from(window.top) + fitted.kept.top,
            ..fitted.kept
        };
        let canvas = swapped_if(transform.turn.swaps_axes(), fitted.canvas);
        let place = rect_turned(
            Rect {
                left: fitted.place.0,
                top: fitted.place.1,
                width: fitted.scaled.0,
                height: fitted.scaled.1,
            },
            fitted.canvas,
            transform.turn,
        );
        let border = border(transform);
        let output = (
            canvas.0.saturating_add(border.left).saturating_add(border.right),
            canvas.1.saturating_add(border.top).saturating_add(border.bottom),
        );
        Geometry {
            window: turn::rect_into_stored(window, stored, orientation),
            crop: turn::into_stored(kept, stored, orientation),
            scaled: swapped_if(orientation.swaps_axes(), fitted.scaled),
            turn: orientation.then(transform.turn),
            place: (place.left.saturating_add(border.left), place.top.saturating_add(border.top)),
            border,
            half_radius: half_radius(transform, output),
            output,
        }
    }

    /// The largest sizes that any window could give: `scaled` and `output` bound those of [`Geometry::within`] that
    /// are at most `max_side`; the rest is that of the whole picture.
    pub(crate) fn bound(
        stored: (u32, u32),
        orientation: Orientation,
        transform: &Transform,
        max_side: u32,
    ) -> Geometry {
        let upright = swapped_if(orientation.swaps_axes(), stored);
        let whole = Geometry::within(stored, orientation, transform, Rect::whole(upright));
        let largest = fit::bound(upright, upright_box(transform), transform.fit, max_side);
        let canvas = swapped_if(transform.turn.swaps_axes(), largest);
        let Sides { top, right, bottom, left } = whole.border;
        // With a free side the limit on the result is also what the border must fit into.
        let around = |side: u32, a: u32, b: u32| {
            let framed = side.saturating_add(a).saturating_add(b);
            if side == max_side { max_side } else { framed }
        };
        let output = (around(canvas.0, left, right), around(canvas.1, top, bottom));
        Geometry { scaled: swapped_if(orientation.swaps_axes(), largest), output, ..whole }
    }

    /// Whether the crop's pixels are the scaled ones: nothing is resampled.
    pub(crate) fn is_copy(&self) -> bool {
        let Crop { left, top, width, height } = self.crop;
        let scaled = (f64::from(self.scaled.0), f64::from(self.scaled.1));
        (width, height) == scaled && (left, top) == (libm::floor(left), libm::floor(top))
    }

    /// Whether the turned picture leaves room within the border.
    pub(crate) fn is_padded(&self) -> bool {
        let (width, height) = swapped_if(self.turn.swaps_axes(), self.scaled);
        let Sides { top, right, bottom, left } = self.border;
        // Of sizes that saturated, none is ever made.
        width.saturating_add(left).saturating_add(right) < self.output.0
            || height.saturating_add(top).saturating_add(bottom) < self.output.1
    }

    /// Whether there is a border.
    pub(crate) fn has_border(&self) -> bool {
        self.border != Sides::default()
    }
}

/// The box in device pixels and the axes of the upright picture.
fn upright_box(transform: &Transform) -> (Option<u32>, Option<u32>) {
    let device = |side: Option<u32>| side.map(|side| at_least_1(device_pixels(side, transform.dpr)));
    swapped_if(transform.turn.swaps_axes(), (device(transform.width), device(transform.height)))
}

fn border(transform: &Transform) -> Sides<u32> {
    let Sides { top, right, bottom, left } = transform.border.widths;
    let device = |width| device_pixels(width, transform.dpr);
    Sides { top: device(top), right: device(right), bottom: device(bottom), left: device(left) }
}

/// In halves of a pixel: as much as the shorter side, at most.
fn half_radius(transform: &Transform, output: (u32, u32)) -> u32 {
    let most = output.0.min(output.1);
    match transform.radius {
        Radius::Pixels(radius) => device_pixels(radius, transform.dpr).saturating_mul(2).min(most),
        Radius::Max => most,
    }
}

fn swapped_if<T>(swap: bool, (a, b): (T, T)) -> (T, T) {
    if swap { (b, a) } else { (a, b) }
}

/// CSS pixels to device pixels; 0 stays 0.
pub(crate) fn device_pixels(length: u32, dpr: Dpr) -> u32 {
    proportion(length, dpr.thousandths().into(), 1_000)
}

/// A side that scales with another: `side` × `numerator` / `denominator`, rounded half up, at least 1.
fn scaled(side: u32, numerator: u32, denominator: u32) -> u32 {
    at_least_1(proportion(side, numerator, denominator))
}

/// `length` × `numerator` / `denominator`, rounded half up. Every rounding of the geometry is this one.
fn proportion(length: u32, numerator: u32, denominator: u32) -> u32 {
    let product = u64::from(length) * u64::from(numerator);
    let denominator = u64::from(denominator.max(1));
    let rounded = (product + denominator / 2) / denominator;
    u32::try_from(rounded).unwrap_or(u32::MAX)
}

fn at_least_1(side: u32) -> u32 {
    side.max(1)
}

#[cfg(test)]
mod tests;
