//! Where the thumbnail's pixels come from: one rectangle of the source, one size, one orientation.
//!
//! Sizes are rounded half up and are at least 1 ([`scaled`], the only place that rounds). Crops are fractional.
//! Everything is decided for the upright picture and then turned into the stored one's coordinates, because
//! the picture is turned only when it is small.
//!
//! Example: a photograph stored as 4000×3000 with orientation 6 stands upright as 3000×4000. `w=200&h=200`
//! with `cover` keeps the upright rectangle 3000×3000 at (0, 500), which is the stored rectangle 3000×3000 at
//! (500, 0); it is scaled to 200×200 and turned.

use crate::{Dpr, Fit, Gravity, Orientation, Transform};

/// A rectangle of the stored source, in pixels.
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
    /// What is kept of the stored source.
    pub(crate) crop: Crop,
    /// What it is scaled to, not yet turned.
    pub(crate) scaled: (u32, u32),
    /// The result's size, upright.
    pub(crate) output: (u32, u32),
    /// How the scaled picture is turned.
    pub(crate) orientation: Orientation,
}

impl Geometry {
    /// The geometry of `transform` on a picture of `stored` pixels. Sizes that do not fit `u32` saturate;
    /// limits refuse them.
    pub(crate) fn new(stored: (u32, u32), orientation: Orientation, transform: &Transform) -> Geometry {
        let swap = |(a, b)| if orientation.swaps_axes() { (b, a) } else { (a, b) };
        let upright: (u32, u32) = swap(stored);
        let (kept, output) = fit(upright, transform);
        let crop = into_stored(kept, stored, orientation);
        Geometry { crop, scaled: swap(output), output, orientation }
    }

    /// Whether the crop's pixels are the scaled ones: nothing is resampled.
    pub(crate) fn is_copy(&self) -> bool {
        let Crop { left, top, width, height } = self.crop;
        let scaled = (f64::from(self.scaled.0), f64::from(self.scaled.1));
        (width, height) == scaled && (left, top) == (libm::floor(left), libm::floor(top))
    }
}

/// The kept rectangle and the result's size, both upright.
fn fit(source: (u32, u32), transform: &Transform) -> (Crop, (u32, u32)) {
    let whole = Crop { left: 0.0, top: 0.0, width: source.0.into(), height: source.1.into() };
    let width = transform.width.map(|side| device_pixels(side, transform.dpr));
    let height = transform.height.map(|side| device_pixels(side, transform.dpr));
    let enlarge = transform.fit != Fit::ScaleDown;
    let output = match (width, height) {
        (Some(width), None) if enlarge || width < source.0 => (width, scaled(source.1, width, source.0)),
        (None, Some(height)) if enlarge || height < source.1 => (scaled(source.0, height, source.1), height),
        (Some(width), Some(height)) => {
            if transform.fit == Fit::Cover {
                return (cover(source, (width, height), transform.gravity), (width, height));
            }
            if enlarge || width < source.0 || height < source.1 {
                inside(source, (width, height))
            } else {
                source
            }
        }
        _ => source,
    };
    (whole, output)
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

/// The largest rectangle of `bounds`' shape inside `source`, placed by `gravity`.
fn cover(source: (u32, u32), bounds: (u32, u32), gravity: Gravity) -> Crop {
    let (source_width, source_height) = (f64::from(source.0), f64::from(source.1));
    let (mut width, mut height) = (source_width, source_height);
    if u64::from(bounds.0) * u64::from(source.1) >= u64::from(bounds.1) * u64::from(source.0) {
        height = source_width * f64::from(bounds.1) / f64::from(bounds.0);
    } else {
        width = source_height * f64::from(bounds.0) / f64::from(bounds.1);
    }
    let place = |slack: f64, fraction: u16| slack * f64::from(fraction) / f64::from(Gravity::ONE);
    let left = place(source_width - width, gravity.x);
    let top = place(source_height - height, gravity.y);
    // The last bit of a sum must not lie outside the picture.
    Crop { left, top, width: width.min(source_width - left), height: height.min(source_height - top) }
}

/// An upright rectangle in the coordinates of the stored picture.
fn into_stored(upright: Crop, stored: (u32, u32), orientation: Orientation) -> Crop {
    let Turn { swap, flip_x, flip_y } = Turn::of(orientation);
    let Crop { mut left, mut top, mut width, mut height } = upright;
    if swap {
        (left, top, width, height) = (top, left, height, width);
    }
    if flip_x {
        left = (f64::from(stored.0) - left - width).max(0.0);
    }
    if flip_y {
        top = (f64::from(stored.1) - top - height).max(0.0);
    }
    Crop { left, top, width, height }
}

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
}

/// CSS pixels to device pixels.
fn device_pixels(side: u32, dpr: Dpr) -> u32 {
    scaled(side, dpr.thousandths().into(), 1_000)
}

/// `side` × `numerator` / `denominator`, rounded half up, at least 1.
fn scaled(side: u32, numerator: u32, denominator: u32) -> u32 {
    let product = u64::from(side) * u64::from(numerator);
    let denominator = u64::from(denominator.max(1));
    let rounded = (product + denominator / 2) / denominator;
    u32::try_from(rounded).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(source: (u32, u32), width: u32, height: u32, fit: Fit) -> (u32, u32) {
        let side = |side| (side > 0).then_some(side);
        let transform = Transform { width: side(width), height: side(height), fit, ..Transform::default() };
        Geometry::new(source, Orientation::Upright, &transform).output
    }

    #[test]
    fn sizes() {
        use Fit::{Contain, Cover, ScaleDown};
        let cases = [
            ((1080, 720), 500, 500, ScaleDown, (500, 333)),
            ((1080, 720), 1296, 1296, ScaleDown, (1080, 720)),
            ((1080, 720), 1296, 1296, Contain, (1296, 864)),
            ((1080, 720), 500, 500, Contain, (500, 333)),
            ((1080, 720), 500, 500, Cover, (500, 500)),
            ((1080, 720), 2000, 2000, Cover, (2000, 2000)),
            ((1920, 1080), 240, 0, ScaleDown, (240, 135)),
            ((1920, 1080), 0, 135, ScaleDown, (240, 135)),
            ((1920, 1080), 4000, 0, ScaleDown, (1920, 1080)),
            ((1920, 1080), 4000, 0, Contain, (4000, 2250)),
            ((1920, 1080), 4000, 0, Cover, (4000, 2250)),
            ((1920, 1080), 0, 0, Cover, (1920, 1080)),
            ((1000, 1), 10, 0, ScaleDown, (10, 1)), // 0.01 → at least 1
            ((3, 2), 0, 1, ScaleDown, (2, 1)),      // 1.5 → half up
            ((1, 65_535), 8192, 0, Contain, (8192, 536_862_720)),
            ((1, 65_535), 0, u32::MAX, Contain, (65_537, u32::MAX)),
            ((100, 100), 1, 1, ScaleDown, (1, 1)),
            ((100, 50), 100, 50, ScaleDown, (100, 50)),
            ((100, 50), 100, 49, ScaleDown, (98, 49)),
        ];
        for (source, width, height, fit, want) in cases {
            assert_eq!(output(source, width, height, fit), want, "{source:?} in {width}x{height} {fit:?}");
        }
    }

    #[test]
    fn dpr_multiplies_the_box() {
        let dpr = Dpr::from_thousandths(1_500).unwrap();
        let transform = Transform { width: Some(101), dpr, ..Transform::default() };
        // 151.5 → 152
        assert_eq!(Geometry::new((1000, 500), Orientation::Upright, &transform).output, (152, 76));
        let no_box = Transform { dpr, ..Transform::default() };
        assert_eq!(Geometry::new((1000, 500), Orientation::Upright, &no_box).output, (1000, 500));
    }

    #[test]
    fn gravity_places_the_crop() {
        for (x, y, left) in [(0, 0, 0.0), (5_000, 5_000, 500.0), (10_000, 10_000, 1000.0), (2_500, 0, 250.0)]
        {
            let crop = cover((2000, 1000), (10, 10), Gravity { x, y });
            assert_eq!((crop.left, crop.top, crop.width, crop.height), (left, 0.0, 1000.0, 1000.0));
        }
    }

    /// Every crop lies inside the picture, to the last bit.
    #[test]
    fn crops_stay_inside() {
        for source in [(1, 1), (7, 3), (1920, 1081), (65_535, 3), (17, 8191)] {
            for bounds in [(1, 1), (3, 7), (240, 135), (8192, 1), (1, 8192), (333, 777)] {
                for gravity in [0, 1, 3_333, 5_000, 9_999, 10_000] {
                    for orientation in Orientation::ALL {
                        let transform = Transform {
                            width: Some(bounds.0),
                            height: Some(bounds.1),
                            fit: Fit::Cover,
                            gravity: Gravity { x: gravity, y: gravity },
                            ..Transform::default()
                        };
                        let Geometry { crop, .. } = Geometry::new(source, orientation, &transform);
                        assert!(
                            crop.left >= 0.0 && crop.left + crop.width <= f64::from(source.0),
                            "{crop:?}"
                        );
                        assert!(crop.top >= 0.0 && crop.top + crop.height <= f64::from(source.1), "{crop:?}");
                        assert!(crop.width > 0.0 && crop.height > 0.0);
                    }
                }
            }
        }
    }

    /// The module's example, and the same picture the other way round.
    #[test]
    fn upright_crops_in_stored_coordinates() {
        let transform = Transform {
            width: Some(200),
            height: Some(200),
            fit: Fit::Cover,
            gravity: Gravity { x: 5_000, y: 0 },
            ..Transform::default()
        };
        // The upright picture's top is the stored one's left (orientation 6 and 5) or right (7 and 8).
        for (orientation, left) in [(5, 0.0), (6, 0.0), (7, 1000.0), (8, 1000.0)] {
            let orientation = Orientation::from_exif(orientation).unwrap();
            let geometry = Geometry::new((4000, 3000), orientation, &transform);
            let want = Crop { left, top: 0.0, width: 3000.0, height: 3000.0 };
            assert_eq!(geometry.crop, want, "{orientation:?}");
        }
    }
}
