//! A thumbnail's pixels to WebP.

use std::cell::RefCell;
use std::hint::black_box;

use image_webp::{ColorType, WebPEncoder};
use tintype_core::webp::lossy::{Encoder, Picture, Plane, Range, Settings, Step};

use crate::Result;
use crate::harness::{Contestant, race};
use crate::libwebp::{self, Planes};
use crate::photographs::hd;
use crate::picture::Rgb;
use crate::quality;
use crate::report::Measurement;
use crate::setup::Setup;

const QUALITY: u8 = 80;

/// A RIFF header and the header of a chunk of VP8.
const HEAD: usize = 20;
/// Where our scratch memory starts: on a multiple of it.
const ALIGN: usize = 4;

/// What makes a file of a picture.
type Encode<'a> = Box<dyn Fn() -> Result<Vec<u8>> + 'a>;

/// The photographs at the widths of thumbnails.
pub(crate) fn run(setup: &Setup) -> Result<Vec<Measurement>> {
    let mut measurements = Vec::new();
    for photograph in hd(setup)? {
        let whole = Rgb::from_jpeg(&photograph.baseline, 1)?;
        for width in [240, 480, 800] {
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
        ("libwebp, method 4", Box::new(|| libwebp::encode(black_box(planes), QUALITY.into(), 4))),
        ("libwebp, method 2", Box::new(|| libwebp::encode(black_box(planes), QUALITY.into(), 2))),
        ("libwebp, method 0", Box::new(|| libwebp::encode(black_box(planes), QUALITY.into(), 0))),
        ("tintype", tintype(planes, Settings::DEFAULT_EFFORT)),
        ("tintype, effort 0", tintype(planes, 0)),
        ("image-webp, lossless", Box::new(|| lossless(black_box(picture)))),
    ]
}

/// Ours, in memory that is there already.
fn tintype(planes: &Planes, effort: u8) -> Encode<'_> {
    let memory = RefCell::new((Vec::new(), Vec::new()));
    Box::new(move || {
        let settings = Settings { quality: QUALITY, effort, ..Settings::default() };
        let mut encoder = Encoder::new((planes.width as u32, planes.height as u32), settings)?;
        let (scratch, output) = &mut *memory.borrow_mut();
        scratch.resize(encoder.scratch_len() + ALIGN, 0);
        output.resize(HEAD + encoder.max_output_len() + 1, 0);
        let start = scratch.as_ptr().align_offset(ALIGN);
        let (head, frame) = output.split_at_mut(HEAD);
        let (width, _) = planes.chroma_size();
        let plane = |samples, stride| Plane { samples, stride };
        let picture = black_box(Picture::Planes {
            y: plane(&planes.y, planes.width),
            cb: plane(&planes.u, width),
            cr: plane(&planes.v, width),
            range: Range::Studio,
        });
        let len = loop {
            if let Step::Done(len) = encoder.step(&picture, &mut scratch[start..], frame)? {
                break len;
            }
        };
        frame[len] = 0;
        let padded = len.next_multiple_of(2);
        head[..4].copy_from_slice(b"RIFF");
        head[4..8].copy_from_slice(&u32::try_from(HEAD - 8 + padded)?.to_le_bytes());
        head[8..16].copy_from_slice(b"WEBPVP8 ");
        head[16..].copy_from_slice(&u32::try_from(len)?.to_le_bytes());
        Ok(output[..HEAD + padded].to_vec())
    })
}

fn lossless(picture: &Rgb) -> Result<Vec<u8>> {
    let mut file = Vec::new();
    let (width, height) = (picture.width as u32, picture.height as u32);
    WebPEncoder::new(&mut file).encode(&picture.pixels, width, height, ColorType::Rgb8)?;
    Ok(file)
}
