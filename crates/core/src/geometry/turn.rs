//! The eight ways in which a picture can be turned, as steps, and rectangles turned with it.

use super::{Crop, Rect, swapped_if};
use crate::Orientation;

/// An orientation as steps: an upright pixel (x, y) is the stored pixel (x, y), its coordinates first swapped,
/// then counted from the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) swap: bool,
    pub(crate) flip_x: bool,
    pub(crate) flip_y: bool,
}

impl Turn {
    pub(crate) const fn of(orientation: Orientation) -> Turn {
        let (swap, flip_x, flip_y) = match orientation {
            Orientation::Upright => (false, false, false),
            Orientation::FlippedHorizontally => (false, true, false),
            Orientation::Rotated180 => (false, true, true),
            Orientation::FlippedVertically => (false, false, true),
            Orientation::Transposed => (true, false, false),
            Orientation::Rotated90 => (true, false, true),
            Orientation::Transversed => (true, true, true),
            Orientation::Rotated270 => (true, true, false),
        };
        Turn { swap, flip_x, flip_y }
    }

    const fn orientation(self) -> Orientation {
        match (self.swap, self.flip_x, self.flip_y) {
            (false, false, false) => Orientation::Upright,
            (false, true, false) => Orientation::FlippedHorizontally,
            (false, true, true) => Orientation::Rotated180,
            (false, false, true) => Orientation::FlippedVertically,
            (true, false, false) => Orientation::Transposed,
            (true, false, true) => Orientation::Rotated90,
            (true, true, true) => Orientation::Transversed,
            (true, true, false) => Orientation::Rotated270,
        }
    }
}

impl Orientation {
    /// Both turns as one: this one, then `next`.
    ///
    /// ```
    /// # use tintype_core::Orientation::{FlippedHorizontally, Rotated90, Transversed};
    /// assert_eq!(FlippedHorizontally.then(Rotated90), Transversed);
    /// assert_eq!(Rotated90.then(Rotated90).then(Rotated90), tintype_core::Orientation::Rotated270);
    /// ```
    #[must_use]
    pub const fn then(self, next: Orientation) -> Orientation {
        // A pixel of the result is found by undoing `next` first, whose sides then are those after our swap.
        let (first, next) = (Turn::of(self), Turn::of(next));
        let (flip_x, flip_y) =
            if first.swap { (next.flip_y, next.flip_x) } else { (next.flip_x, next.flip_y) };
        Turn { swap: first.swap != next.swap, flip_x: first.flip_x != flip_x, flip_y: first.flip_y != flip_y }
            .orientation()
    }
}

/// An upright rectangle in the coordinates of the stored picture.
pub(super) fn into_stored(upright: Crop, stored: (u32, u32), orientation: Orientation) -> Crop {
    let Turn { swap, flip_x, flip_y } = Turn::of(orientation);
    let Crop { left, top, width, height } = upright;
    let (mut left, mut top) = swapped_if(swap, (left, top));
    let (width, height) = swapped_if(swap, (width, height));
    if flip_x {
        left = (f64::from(stored.0) - left - width).max(0.0);
    }
    if flip_y {
        top = (f64::from(stored.1) - top - height).max(0.0);
    }
    Crop { left, top, width, height }
}

/// As [`into_stored`], of whole pixels, which must lie inside the picture.
pub(super) fn rect_into_stored(upright: Rect, stored: (u32, u32), orientation: Orientation) -> Rect {
    let Turn { swap, flip_x, flip_y } = Turn::of(orientation);
    let (mut left, mut top) = swapped_if(swap, (upright.left, upright.top));
    let (width, height) = swapped_if(swap, upright.size());
    if flip_x {
        left = stored.0 - left - width;
    }
    if flip_y {
        top = stored.1 - top - height;
    }
    Rect { left, top, width, height }
}

/// The other way: a rectangle inside a stored picture, where it lies when that is turned upright.
pub(crate) fn rect_turned(rect: Rect, stored: (u32, u32), orientation: Orientation) -> Rect {
    let Turn { swap, flip_x, flip_y } = Turn::of(orientation);
    let left = if flip_x { stored.0 - rect.left - rect.width } else { rect.left };
    let top = if flip_y { stored.1 - rect.top - rect.height } else { rect.top };
    let (left, top) = swapped_if(swap, (left, top));
    let (width, height) = swapped_if(swap, rect.size());
    Rect { left, top, width, height }
}
