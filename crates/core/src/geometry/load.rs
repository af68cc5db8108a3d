//! How small the source is read, and what rectangles become in what was read.
//!
//! A source is read at 1/1, 1/2, 1/4 or 1/8: the scales at which a JPEG's blocks can be decoded, and at which rows of
//! other formats are averaged. A source of w×h read at 1/d is ⌈w/d⌉×⌈h/d⌉ samples, each for d×d pixels from the top left;
//! the last ones may reach past the picture. So a rectangle is divided by d, never scaled to the rounded size.
//!
//! A JPEG's planes of chroma have fewer samples: of d across, ⌈d/2⌉ that cover 2⌈d/2⌉/d of the picture. Each lies in
//! the middle of what it stands for, so that a rectangle is divided by 2 more, without an offset.
//!
//! Example: 4:2:0, 1001×667, read at 1/4: luma has 251×167 samples, chroma 126×84, which would be 1008×672 pixels. The
//! rectangle 500×500 at (501, 0) is 125×125 at (125.25, 0) of luma and 62.5×62.5 at (62.625, 0) of chroma.

use super::{Crop, Rect};
use crate::{Sampling, Speed};

/// A source is read at one over 1, 2, 4 or 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LoadScale {
    /// The denominator's logarithm, 0 to 3.
    halvings: u8,
}

impl LoadScale {
    /// 1/1.
    pub(crate) const WHOLE: LoadScale = LoadScale { halvings: 0 };
    const SMALLEST: LoadScale = LoadScale { halvings: 3 };

    /// The smallest scale that leaves `crop`, along both sides, the margin over `scaled` that `speed` asks for.
    pub(crate) fn choose(crop: Crop, scaled: (u32, u32), speed: Speed) -> LoadScale {
        let margin = match speed {
            Speed::Balanced => 2.0,
            Speed::Fast => 1.0,
        };
        let mut scale = LoadScale::SMALLEST;
        while scale != LoadScale::WHOLE {
            let least = margin * f64::from(scale.denominator());
            // Exact: a crop's side is a fraction whose denominator is a side of the box, and no such fraction is so
            // near to a whole number without being it that a double could not tell.
            if crop.width >= least * f64::from(scaled.0) && crop.height >= least * f64::from(scaled.1) {
                break;
            }
            scale = scale.one_larger();
        }
        scale
    }

    /// The next larger scale; the largest is its own.
    pub(crate) const fn one_larger(self) -> LoadScale {
        LoadScale { halvings: self.halvings.saturating_sub(1) }
    }

    /// 1, 2, 4 or 8.
    pub(crate) const fn denominator(self) -> u32 {
        1 << self.halvings
    }

    /// What a picture of this size is read as.
    pub(crate) fn picture(self, stored: (u32, u32)) -> Plane {
        let all = Sampling { horizontal: 1, vertical: 1 };
        self.plane(stored, all, all)
    }

    /// The samples that a rectangle of the stored picture has a part in.
    pub(crate) const fn samples(self, rect: Rect) -> Rect {
        let d = self.denominator();
        let (left, top) = (rect.left / d, rect.top / d);
        let (right, bottom) = ((rect.left + rect.width).div_ceil(d), (rect.top + rect.height).div_ceil(d));
        Rect { left, top, width: right - left, height: bottom - top }
    }

    /// The pixels of a picture of this size that a rectangle of samples stands for.
    pub(crate) fn pixels(self, samples: Rect, stored: (u32, u32)) -> Rect {
        let d = self.denominator();
        let (left, top) = (samples.left * d, samples.top * d);
        let end = |start: u32, len: u32, side: u32| ((start + len) * d).min(side);
        let right = end(samples.left, samples.width, stored.0);
        let bottom = end(samples.top, samples.height, stored.1);
        Rect { left, top, width: right - left, height: bottom - top }
    }

    /// What a JPEG's component of this sampling is read as; `max` is the largest of the picture's.
    pub(crate) fn plane(self, stored: (u32, u32), component: Sampling, max: Sampling) -> Plane {
        let share = |part: u8, of: u8| (u32::from(part), self.denominator() * u32::from(of));
        let (horizontal, vertical) =
            (share(component.horizontal, max.horizontal), share(component.vertical, max.vertical));
        let side = |pixels: u32, (part, of): (u32, u32)| {
            // At most as many samples as pixels.
            (u64::from(pixels) * u64::from(part)).div_ceil(u64::from(of)).max(1) as u32
        };
        Plane { size: (side(stored.0, horizontal), side(stored.1, vertical)), horizontal, vertical }
    }
}

/// Samples that cover a picture: all of it, or one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plane {
    /// How many samples, across and down.
    pub(crate) size: (u32, u32),
    /// So many samples for so many pixels.
    horizontal: (u32, u32),
    vertical: (u32, u32),
}

impl Plane {
    /// A rectangle of the stored picture in samples.
    pub(crate) fn crop(&self, crop: Crop) -> Crop {
        let samples = |pixels: f64, (part, of): (u32, u32)| pixels * f64::from(part) / f64::from(of);
        let left = samples(crop.left, self.horizontal);
        let top = samples(crop.top, self.vertical);
        // The last bit of a sum must not lie outside the plane.
        let width = samples(crop.width, self.horizontal).min(f64::from(self.size.0) - left);
        let height = samples(crop.height, self.vertical).min(f64::from(self.size.1) - top);
        Crop { left, top, width, height }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Sampling = Sampling { horizontal: 1, vertical: 1 };
    const TWO: Sampling = Sampling { horizontal: 2, vertical: 2 };

    fn scale(denominator: u32) -> LoadScale {
        LoadScale { halvings: denominator.trailing_zeros() as u8 }
    }

    fn crop(left: f64, top: f64, width: f64, height: f64) -> Crop {
        Crop { left, top, width, height }
    }

    #[test]
    fn the_margin_holds_along_both_sides() {
        let choose = |width, height, scaled, speed| {
            LoadScale::choose(crop(0.0, 0.0, width, height), scaled, speed).denominator()
        };
        for (width, height, scaled, balanced, fast) in [
            (1920.0, 1080.0, (240, 135), 4, 8), // exactly eight times as large
            (1919.0, 1080.0, (240, 135), 2, 4), // a pixel less
            (1920.0, 1079.0, (240, 135), 2, 4),
            (1920.0, 1080.0, (961, 540), 1, 1),
            (1920.0, 1080.0, (960, 540), 1, 2),
            (3840.0, 2160.0, (240, 135), 8, 8), // there is no smaller one
            (100.0, 100.0, (200, 200), 1, 1),
            (100.0, 8000.0, (100, 100), 1, 1), // distorted: the side that is not scaled decides
            (1000.0 * 7.0 / 3.0, 1000.0, (291, 125), 4, 8), // 2333.33 ≥ 8 · 291 = 2328
            (1000.0 * 7.0 / 3.0, 1000.0, (292, 125), 2, 4), // < 2336
        ] {
            assert_eq!(
                choose(width, height, scaled, Speed::Balanced),
                balanced,
                "{width}×{height} {scaled:?}"
            );
            assert_eq!(choose(width, height, scaled, Speed::Fast), fast, "{width}×{height} {scaled:?}");
        }
    }

    /// The module's example.
    #[test]
    fn planes_of_an_odd_size() {
        let stored = (1001, 667);
        let luma = scale(4).plane(stored, TWO, TWO);
        let chroma = scale(4).plane(stored, ONE, TWO);
        assert_eq!((luma.size, chroma.size), ((251, 167), (126, 84)));
        let right = crop(501.0, 0.0, 500.0, 500.0);
        assert_eq!(luma.crop(right), crop(125.25, 0.0, 125.0, 125.0));
        assert_eq!(chroma.crop(right), crop(62.625, 0.0, 62.5, 62.5));
        assert_eq!(scale(4).picture(stored), LoadScale::plane(scale(4), stored, ONE, ONE));
        assert_eq!(scale(4).picture(stored).size, luma.size);
    }

    /// Of d samples of luma, ⌈d/2⌉ of chroma, of which the whole picture is d / (2⌈d/2⌉).
    #[test]
    fn chroma_covers_more_than_an_odd_picture() {
        for side in 1..=40_u32 {
            let plane = LoadScale::WHOLE.plane((side, side), ONE, TWO);
            assert_eq!(plane.size.0, side.div_ceil(2));
            let whole = plane.crop(crop(0.0, 0.0, side.into(), side.into()));
            let covered = f64::from(side) / f64::from(2 * side.div_ceil(2));
            assert!((whole.width / f64::from(plane.size.0) - covered).abs() < 1e-12, "{side}");
            // Centred: the middle of a sample of chroma is the middle of the two pixels it stands for.
            let middle = plane.crop(crop(1.0, 1.0, 0.0, 0.0));
            assert_eq!((middle.left, middle.top), (0.5, 0.5));
        }
    }

    #[test]
    fn samples_of_pixels_and_back() {
        let rect = |left, top, width, height| Rect { left, top, width, height };
        let stored = (101, 50);
        assert_eq!(scale(4).samples(rect(7, 8, 90, 42)), rect(1, 2, 24, 11));
        assert_eq!(scale(4).samples(Rect::whole(stored)), rect(0, 0, 26, 13));
        assert_eq!(scale(4).pixels(rect(1, 2, 24, 11), stored), rect(4, 8, 96, 42));
        assert_eq!(scale(4).pixels(rect(0, 0, 26, 13), stored), Rect::whole(stored));
    }

    /// Every sampling that T.81 allows, at every scale: the size is the specification's, and the whole picture's
    /// rectangle fits it but is never a sample smaller.
    #[test]
    fn every_sampling() {
        for max in 1..=4_u8 {
            for part in 1..=max {
                let component = Sampling { horizontal: part, vertical: 1 };
                let largest = Sampling { horizontal: max, vertical: 1 };
                for denominator in [1, 2, 4, 8] {
                    for side in (1..200).chain([8191, 65_535]) {
                        let plane = scale(denominator).plane((side, 1), component, largest);
                        // T.81, A.1.1: xi = ⌈X · Hi / Hmax⌉, then each eight of them become 8 / denominator.
                        let xi = (side * u32::from(part)).div_ceil(max.into());
                        assert_eq!(
                            plane.size.0,
                            xi.div_ceil(denominator),
                            "{side} {part}/{max} 1/{denominator}"
                        );
                        let whole = plane.crop(crop(0.0, 0.0, side.into(), 1.0));
                        assert!(whole.width <= f64::from(plane.size.0));
                        assert!(whole.width > f64::from(plane.size.0) - 1.0);
                    }
                }
            }
        }
    }
}
