//! A thumbnail's pixels to WebP.

use std::hint::black_box;

use image_webp::{ColorType, WebPEncoder};

use crate::Result;
use crate::harness::{Contestant, race};
use crate::libwebp::{self, Planes};
use crate::photographs::hd;
use crate::picture::Rgb;
use crate::quality;
use crate::report::Measurement;
use crate::setup::Setup;

const QUALITY: f32 = 80.0;

/// What makes a file of a picture.
type Encode<'a> = Box<dyn Fn() -> Result<Vec<u8>> + 'a>;

/// The photographs at the widths of thumbnails.
pub(crate) fn run(setup: &Setup) -> Result<Vec<Measurement>> {
    let mut measurements = Vec::new();
    for photograph in hd(setup)? {
        let whole = Rgb::from_jpeg(&photograph.baseline, 1)?;
        for width in [240, 800] {
            let picture = whole.resized(width, whole.height_for(width))?;
            let planes = libwebp::planes(&picture)?;
            let encoders = encoders(&picture, &planes);
            let mut contestants: Vec<_> =
                encoders.iter().map(|(name, encode)| Contestant::here(*name, encode)).collect();
            let timings = race(&mut contestants, setup.effort())?;
            for ((name, encode), timing) in encoders.iter().zip(timings) {
                let file = encode()?;
                let case = format!("{}×{} WebP", picture.width, picture.height);
                let mut one = Measurement::new(&case, name, &photograph.name).timed(timing, 1.0);
                one.bytes = Some(file.len() as u64);
                one.ssimulacra2 = Some(quality::score(&picture, &Rgb::decode(&file)?)?);
                measurements.push(one);
            }
        }
    }
    Ok(measurements)
}

/// libwebp's default method comes first.
fn encoders<'a>(picture: &'a Rgb, planes: &'a Planes) -> Vec<(&'static str, Encode<'a>)> {
    vec![
        ("libwebp, method 4", Box::new(|| libwebp::encode(black_box(planes), QUALITY, 4))),
        ("libwebp, method 2", Box::new(|| libwebp::encode(black_box(planes), QUALITY, 2))),
        ("libwebp, method 0", Box::new(|| libwebp::encode(black_box(planes), QUALITY, 0))),
        ("image-webp, lossless", Box::new(|| lossless(black_box(picture)))),
    ]
}

fn lossless(picture: &Rgb) -> Result<Vec<u8>> {
    let mut file = Vec::new();
    let (width, height) = (picture.width as u32, picture.height as u32);
    WebPEncoder::new(&mut file).encode(&picture.pixels, width, height, ColorType::Rgb8)?;
    Ok(file)
}
