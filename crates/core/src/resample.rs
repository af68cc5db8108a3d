//! One resize of the kept rectangle to the thumbnail's size: Lanczos with three lobes, by `fast_image_resize`.
//!
//! In: interleaved pixels, premultiplied if they have alpha. Out: interleaved pixels of the same layout. The
//! filter is ours, through `libm`, so that its weights, which the library turns into integers, are the same
//! on every platform; std's `sin` is not. Memory: the picture scaled vertically only, and the weights
//! ([`heap_len`]).

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{Filter, FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};

use crate::Error;
use crate::geometry::{Crop, Geometry};
use crate::pixels::PixelLayout;

/// Lobes on each side of the filter's centre.
const LOBES: u8 = 3;

/// The plan made both buffers exactly as long as their sizes say, and the crop inside the source; a mismatch
/// could only come from a workspace that changed hands between calls.
const MISMATCH: Error = Error::OutOfOrder { what: "the workspace does not hold this picture" };

/// Upper bound of what the library allocates.
pub(crate) fn heap_len(geometry: &Geometry, source: (u32, u32), layout: PixelLayout) -> u64 {
    if geometry.is_copy() {
        return 0;
    }
    let scaled = geometry.scaled;
    // The library scales vertically first, only the columns that the horizontal pass reads.
    let between = layout.len((source.0, scaled.1)) + layout.channels() as u64;
    between + weights_len(source.0, scaled.0) + weights_len(source.1, scaled.1)
}

/// Bytes of one axis's weights: an f64 each, their i16 twins, and where each output pixel's begin. An output
/// pixel is made from two times three lobes, each of one source pixel or as many as the scale says.
fn weights_len(from: u32, to: u32) -> u64 {
    let (from, to) = (u64::from(from), u64::from(to));
    let lobe = from.div_ceil(to).max(1);
    let window = 2 * u64::from(LOBES) * lobe + 1;
    to * (window * (8 + 2) + 64)
}

/// Scales `crop` of `source` into `target`.
pub(crate) fn resample(
    layout: PixelLayout,
    source: &[u8],
    source_size: (u32, u32),
    crop: Crop,
    target: &mut [u8],
    target_size: (u32, u32),
) -> Result<(), Error> {
    let pixel_type = match layout {
        PixelLayout::Grey => PixelType::U8,
        PixelLayout::Rgb => PixelType::U8x3,
        PixelLayout::Rgba => PixelType::U8x4,
    };
    let source = ImageRef::new(source_size.0, source_size.1, source, pixel_type).map_err(|_| MISMATCH)?;
    let mut target =
        Image::from_slice_u8(target_size.0, target_size.1, target, pixel_type).map_err(|_| MISMATCH)?;
    let filter = Filter::new("Lanczos3", lanczos3, LOBES.into()).map_err(|_| MISMATCH)?;
    let options = ResizeOptions::new()
        .resize_alg(ResizeAlg::Convolution(FilterType::Custom(filter)))
        .crop(crop.left, crop.top, crop.width, crop.height)
        .use_alpha(false); // premultiplied already
    Resizer::new().resize(&source, &mut target, &options).map_err(|_| MISMATCH)
}

/// sinc(x) · sinc(x / 3) for |x| < 3, where sinc(x) = sin(πx) / πx.
fn lanczos3(x: f64) -> f64 {
    let sinc = |x: f64| {
        let x = x * core::f64::consts::PI;
        if x == 0.0 { 1.0 } else { libm::sin(x) / x }
    };
    let lobes = f64::from(LOBES);
    if x.abs() < lobes { sinc(x) * sinc(x / lobes) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;

    /// Weights of the source pixels along one axis for output pixel `n`.
    fn weights(from: u32, start: f64, len: f64, to: u32, n: u32) -> Vec<(usize, f64)> {
        let scale = len / f64::from(to);
        let center = start + (f64::from(n) + 0.5) * scale;
        let weight = |x: u32| lanczos3((f64::from(x) + 0.5 - center) / scale.max(1.0));
        let sum: f64 = (0..from).map(weight).sum();
        (0..from).map(|x| (x as usize, weight(x) / sum)).collect()
    }

    /// The slow twin: Lanczos3 in f64, columns first; between the passes samples are kept to their range, as
    /// the library's 8-bit picture is.
    fn reference(source: &[u8], (width, height): (u32, u32), crop: Crop, target: (u32, u32)) -> Vec<f64> {
        let width = width as usize;
        let mut between = Vec::new();
        for y in 0..target.1 {
            let rows = weights(height, crop.top, crop.height, target.1, y);
            for x in 0..width {
                let sum: f64 = rows.iter().map(|(y, w)| w * f64::from(source[y * width + x])).sum();
                between.push(sum.clamp(0.0, 255.0));
            }
        }
        let mut out = Vec::new();
        for row in between.chunks_exact(width) {
            for x in 0..target.0 {
                let columns = weights(width as u32, crop.left, crop.width, target.0, x);
                let sum: f64 = columns.iter().map(|(x, w)| w * row[*x]).sum();
                out.push(sum.clamp(0.0, 255.0));
            }
        }
        out
    }

    #[test]
    fn equals_the_formula_within_one() {
        let size = (37, 29);
        let source: Vec<u8> = (0..37 * 29_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let whole = Crop { left: 0.0, top: 0.0, width: 37.0, height: 29.0 };
        let part = Crop { left: 3.25, top: 1.5, width: 20.5, height: 25.125 };
        for (crop, target) in [(whole, (9, 7)), (part, (11, 13)), (whole, (60, 41)), (part, (1, 1))] {
            let mut fast = vec![0; (target.0 * target.1) as usize];
            resample(PixelLayout::Grey, &source, size, crop, &mut fast, target).unwrap();
            for (fast, slow) in fast.iter().zip(reference(&source, size, crop, target)) {
                assert!((f64::from(*fast) - slow).abs() <= 1.25, "{fast} for {slow} at {target:?}");
            }
        }
    }

    #[test]
    fn flat_stays_flat() {
        let source = vec![77; 640 * 480 * 3];
        let crop = Crop { left: 0.0, top: 0.0, width: 640.0, height: 480.0 };
        let mut target = vec![0; 31 * 23 * 3];
        resample(PixelLayout::Rgb, &source, (640, 480), crop, &mut target, (31, 23)).unwrap();
        assert!(target.iter().all(|&sample| sample == 77));
    }
}
