//! One resize of the kept rectangle to the thumbnail's size: Lanczos with three lobes, by `fast_image_resize`.
//!
//! In: interleaved pixels, premultiplied if they have alpha, the window of them that may be looked at, and the kept
//! rectangle in fractions of them. Out: interleaved pixels of the same layout. The
//! filter is ours, through `libm`, so that its weights, which the library turns into integers, are the same
//! on every platform; std's `sin` is not. Memory: the picture scaled vertically only, and the weights
//! ([`heap_len`]).

use fast_image_resize::images::{CroppedImage, Image, ImageRef};
use fast_image_resize::{Filter, FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};

use crate::Error;
use crate::geometry::{Crop, Rect};
use crate::pixels::PixelLayout;

/// Lobes on each side of the filter's centre.
const LOBES: u8 = 3;

/// The plan made both buffers exactly as long as their sizes say, and the crop inside the source; a mismatch
/// could only come from a workspace that changed hands between calls.
const MISMATCH: Error = Error::OutOfOrder { what: "the workspace does not hold this picture" };

/// Upper bound of what the library allocates to scale any part of a picture to at most `scaled`.
pub(crate) fn heap_len(source: (u32, u32), scaled: (u32, u32), layout: PixelLayout) -> u64 {
    // The library scales vertically first, only the columns that the horizontal pass reads.
    let between = layout.len((source.0, scaled.1)) + layout.channels() as u64;
    between + weights_len(source.0, scaled.0) + weights_len(source.1, scaled.1)
}

/// Bytes of one axis's weights: an f64 each, their i16 twins, and where each output pixel's begin. An output
/// pixel is made from two times three lobes, each of one source pixel or as many as the scale says.
fn weights_len(from: u32, to: u32) -> u64 {
    let (from, to) = (u64::from(from), u64::from(to));
    // At most from / to + 1 pixels a lobe: summed over the output, whatever smaller size it turns out to have.
    let lobes = from + to;
    let windows = 2 * u64::from(LOBES) * lobes + to;
    windows * (8 + 2) + to * 64
}

/// Scales `crop` of `source`, as if there were nothing outside `window`, into `target`.
pub(crate) fn resample(
    layout: PixelLayout,
    source: &[u8],
    source_size: (u32, u32),
    window: Rect,
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
    let Rect { left, top, width, height } = window;
    let source = CroppedImage::new(&source, left, top, width, height).map_err(|_| MISMATCH)?;
    let mut target =
        Image::from_slice_u8(target_size.0, target_size.1, target, pixel_type).map_err(|_| MISMATCH)?;
    let filter = Filter::new("Lanczos3", lanczos3, LOBES.into()).map_err(|_| MISMATCH)?;
    // The last bit of a difference must not lie outside the window.
    let within = |start: f64, len: f64, first: u32, side: u32| {
        let start = (start - f64::from(first)).max(0.0);
        (start, len.min(f64::from(side) - start))
    };
    let (crop_left, crop_width) = within(crop.left, crop.width, left, width);
    let (crop_top, crop_height) = within(crop.top, crop.height, top, height);
    let options = ResizeOptions::new()
        .resize_alg(ResizeAlg::Convolution(FilterType::Custom(filter)))
        .crop(crop_left, crop_top, crop_width, crop_height)
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
            resample(PixelLayout::Grey, &source, size, Rect::whole(size), crop, &mut fast, target).unwrap();
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
        resample(PixelLayout::Rgb, &source, (640, 480), Rect::whole((640, 480)), crop, &mut target, (31, 23))
            .unwrap();
        assert!(target.iter().all(|&sample| sample == 77));
    }

    /// What lies outside the window is not seen, not even by the filter's outer lobes.
    #[test]
    fn nothing_outside_the_window_counts() {
        let size = (40, 30);
        let window = Rect { left: 7, top: 5, width: 20, height: 18 };
        let crop = Crop { left: 7.5, top: 5.0, width: 19.0, height: 17.75 };
        let inner: Vec<u8> = (0..20 * 18_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let mut source = vec![255; 40 * 30];
        for y in 0..18 {
            source[(y + 5) * 40 + 7..][..20].copy_from_slice(&inner[y * 20..][..20]);
        }
        let (mut within, mut alone) = (vec![0; 81], vec![0; 81]);
        resample(PixelLayout::Grey, &source, size, window, crop, &mut within, (9, 9)).unwrap();
        let moved = Crop { left: 0.5, top: 0.0, ..crop };
        resample(PixelLayout::Grey, &inner, (20, 18), Rect::whole((20, 18)), moved, &mut alone, (9, 9))
            .unwrap();
        assert_eq!(within, alone);
    }
}
