//! Pixels to fewer pixels, by Lanczos3.

use std::hint::black_box;

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use pic_scale::{ImageSize, ImageStore, ImageStoreMut, ResamplingFunction, Scaler, ThreadingPolicy};

use crate::Result;
use crate::harness::{Contestant, race};
use crate::libwebp::{Planes, planes};
use crate::photographs::{hd, large};
use crate::picture::Rgb;
use crate::report::Measurement;
use crate::setup::Setup;

/// Whole and reduced photographs to the widths of thumbnails.
pub(crate) fn run(setup: &Setup) -> Result<Vec<Measurement>> {
    let mut measurements = Vec::new();
    for photograph in hd(setup)? {
        let whole = Rgb::from_jpeg(&photograph.baseline, 1)?;
        let quarter = planes(&Rgb::from_jpeg(&photograph.baseline, 4)?)?;
        for width in [240, 800] {
            let mut contestants = rgb(&whole, width);
            let case = format!("1080p RGB to {width}");
            record(&mut measurements, setup, &case, &photograph.name, &mut contestants)?;
        }
        let mut contestants = yuv(&quarter, 240);
        record(&mut measurements, setup, "480×270 planes to 240", &photograph.name, &mut contestants)?;
    }
    for photograph in large(setup)? {
        let whole = Rgb::from_jpeg(&photograph.baseline, 1)?;
        let mut contestants = rgb(&whole, 800);
        let case = format!("{} RGB to 800", photograph.name);
        record(&mut measurements, setup, &case, &photograph.name, &mut contestants)?;
    }
    Ok(measurements)
}

fn record(
    measurements: &mut Vec<Measurement>,
    setup: &Setup,
    case: &str,
    picture: &str,
    contestants: &mut [Contestant<'_>],
) -> Result<()> {
    let timings = race(contestants, setup.effort())?;
    for (contestant, timing) in contestants.iter().zip(timings) {
        measurements.push(Measurement::new(case, &contestant.name, picture).timed(timing, 1.0));
    }
    Ok(())
}

fn rgb(source: &Rgb, width: usize) -> Vec<Contestant<'_>> {
    let target = (width, source.height_for(width));
    let from = (source.width, source.height);
    let mut output = vec![0; target.0 * target.1 * 3];
    let fast = Contestant::here("fast_image_resize", move || {
        fast_image_resize(black_box(&source.pixels), from, PixelType::U8x3, &mut output, target)?;
        Ok(output[output.len() / 2])
    });
    let mut output = vec![0; target.0 * target.1 * 3];
    let scaler = pic_scaler();
    let pic = Contestant::here("pic-scale", move || {
        let plan = scaler.plan_rgb_resampling(size(from), size(target)).map_err(debug)?;
        let source = ImageStore::<u8, 3>::borrow(black_box(&source.pixels), from.0, from.1).map_err(debug)?;
        let mut target =
            ImageStoreMut::<u8, 3>::from_slice(&mut output, target.0, target.1).map_err(debug)?;
        plan.resample(&source, &mut target).map_err(debug)?;
        Ok(output[output.len() / 2])
    });
    vec![fast, pic]
}

/// Three planes, as a JPEG has them and a WebP takes them.
fn yuv(source: &Planes, width: usize) -> Vec<Contestant<'_>> {
    let height = (source.height * width).div_ceil(source.width);
    let half = |(width, height): (usize, usize)| (width.div_ceil(2), height.div_ceil(2));
    let from = (source.width, source.height);
    let target = (width, height);
    let jobs = move || {
        let chroma = (half(from), half(target));
        [(&source.y, from, target), (&source.u, chroma.0, chroma.1), (&source.v, chroma.0, chroma.1)]
    };
    let mut output = vec![0; target.0 * target.1];
    let fast = Contestant::here("fast_image_resize", move || {
        for (plane, from, target) in jobs() {
            let output = &mut output[..target.0 * target.1];
            fast_image_resize(black_box(plane), from, PixelType::U8, output, target)?;
        }
        Ok(output[output.len() / 2])
    });
    let mut output = vec![0; target.0 * target.1];
    let scaler = pic_scaler();
    let pic = Contestant::here("pic-scale", move || {
        for (plane, from, target) in jobs() {
            let plan = scaler.plan_planar_resampling(size(from), size(target)).map_err(debug)?;
            let source = ImageStore::<u8, 1>::borrow(black_box(plane), from.0, from.1).map_err(debug)?;
            let mut target =
                ImageStoreMut::<u8, 1>::from_slice(&mut output, target.0, target.1).map_err(debug)?;
            plan.resample(&source, &mut target).map_err(debug)?;
        }
        Ok(output[output.len() / 2])
    });
    vec![fast, pic]
}

fn fast_image_resize(
    source: &[u8],
    from: (usize, usize),
    pixel: PixelType,
    output: &mut [u8],
    target: (usize, usize),
) -> Result<()> {
    let source = ImageRef::new(from.0 as u32, from.1 as u32, source, pixel)?;
    let mut target = Image::from_slice_u8(target.0 as u32, target.1 as u32, output, pixel)?;
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3));
    Resizer::new().resize(&source, &mut target, &options)?;
    Ok(())
}

fn pic_scaler() -> Scaler {
    let mut scaler = Scaler::new(ResamplingFunction::Lanczos3);
    scaler.set_threading_policy(ThreadingPolicy::Single);
    scaler
}

fn size((width, height): (usize, usize)) -> ImageSize {
    ImageSize::new(width, height)
}

fn debug(error: impl std::fmt::Debug) -> String {
    format!("pic-scale: {error:?}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality;

    #[test]
    fn both_make_the_same_picture() {
        let pixels =
            (0..160 * 90_u32).flat_map(|n| [(n % 160) as u8, (n / 90) as u8, (n % 90 * 2) as u8]).collect();
        let source = Rgb { width: 160, height: 90, pixels };
        let ours = source.resized(40, 23).unwrap();
        let plan = pic_scaler().plan_rgb_resampling(size((160, 90)), size((40, 23))).unwrap();
        let store = ImageStore::<u8, 3>::borrow(&source.pixels, 160, 90).unwrap();
        let mut pixels = vec![0; 40 * 23 * 3];
        let mut target = ImageStoreMut::<u8, 3>::from_slice(&mut pixels, 40, 23).unwrap();
        plan.resample(&store, &mut target).unwrap();
        let theirs = Rgb { width: 40, height: 23, pixels };
        assert!(quality::score(&ours, &theirs).unwrap() > 95.0);
    }
}
