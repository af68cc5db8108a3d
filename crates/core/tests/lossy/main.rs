//! The lossy WebP encoder, judged by libwebp and `image-webp`: both decode every frame to its own reconstruction.

#![allow(clippy::unwrap_used, reason = "a broken test must be loud")]
#![expect(clippy::cast_sign_loss, reason = "samples are clamped or cannot be negative")]

mod judge;

use std::io::Cursor;

use judge::{Frame, Planes, decode_with_libwebp};
use tintype_core::webp::lossy::{Encoder, Observer, Picture, Plane, Range, Settings, Step};
use tintype_core::{Error, Limit};

struct Watch(Frame);

impl Observer for Watch {
    fn macroblock(
        &mut self,
        column: usize,
        row: usize,
        luma: &[[u8; 16]; 16],
        chroma: &[[[u8; 8]; 8]; 2],
        inner_edges: bool,
    ) {
        self.0.put(column, row, luma, chroma, inner_edges);
    }
}

/// A file with one frame, and what it should decode to.
fn encode(picture: &Picture<'_>, size: (u32, u32), settings: Settings) -> (Vec<u8>, Planes) {
    let mut encoder = Encoder::new(size, settings).unwrap();
    // What memory held before must not matter.
    let mut scratch = vec![0x5a5a_5a5a_u32; encoder.scratch_len() / 4 + 1];
    let scratch = &mut bytemuck::cast_slice_mut(&mut scratch)[..encoder.scratch_len()];
    let mut output = vec![0xa5; encoder.max_output_len()];
    let mut watch = Watch(Frame::new((size.0 as usize, size.1 as usize)));
    let len = loop {
        if let Step::Done(len) = encoder.step_observed(picture, scratch, &mut output, &mut watch).unwrap() {
            break len;
        }
    };
    (riff(&output[..len]), watch.0.shown(encoder.loop_filter().0))
}

fn riff(frame: &[u8]) -> Vec<u8> {
    let padding = frame.len() % 2;
    let mut file = b"RIFF".to_vec();
    file.extend(((frame.len() + padding + 12) as u32).to_le_bytes());
    file.extend(b"WEBPVP8 ");
    file.extend((frame.len() as u32).to_le_bytes());
    file.extend(frame);
    file.extend(&[0][..padding]);
    file
}

/// Decodes with both, and holds libwebp's planes to `expected`.
fn judge(file: &[u8], expected: &Planes, what: &str) {
    let decoded = decode_with_libwebp(file).unwrap_or_else(|| panic!("{what}: libwebp does not decode it"));
    assert_eq!(decoded.size, expected.size, "{what}");
    for (plane, (decoded, expected)) in decoded.planes.iter().zip(&expected.planes).enumerate() {
        let first = decoded.iter().zip(expected).position(|(a, b)| a != b);
        assert_eq!(first, None, "{what}: plane {plane} differs from the reconstruction");
    }
    // image-webp gives RGB alone: libwebp's planes through the same conversion must be near it.
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(file)).unwrap();
    assert_eq!(decoder.dimensions(), (expected.size.0 as u32, expected.size.1 as u32), "{what}");
    let mut rgb = vec![0; decoder.output_buffer_size().unwrap()];
    decoder.read_image(&mut rgb).unwrap_or_else(|error| panic!("{what}: image-webp: {error}"));
    // Green of a pixel whose chroma is that of its neighbours follows from luma; so hold the mean of grey.
    let grey = |pixel: &[u8]| {
        (66 * i32::from(pixel[0]) + 129 * i32::from(pixel[1]) + 25 * i32::from(pixel[2]) + 128) / 256 + 16
    };
    let off: i64 = rgb
        .chunks_exact(3)
        .zip(&expected.planes[0])
        .filter(|(pixel, _)| pixel.iter().all(|&sample| sample > 0 && sample < 255))
        .map(|(pixel, &luma)| i64::from((grey(pixel) - i32::from(luma)).abs()))
        .max()
        .unwrap_or(0);
    assert!(off <= 3, "{what}: image-webp's luma is {off} off");
}

/// Numbers without a pattern.
struct Noise(u32);

impl Noise {
    fn next(&mut self) -> u8 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 17) as u8
    }
}

const KINDS: [&str; 6] = ["flat", "gradient", "noise", "extremes", "text", "waves"];

fn pixels(kind: &str, (width, height): (u32, u32), noise: &mut Noise) -> Vec<u8> {
    (0..width * height)
        .flat_map(|at| {
            let (x, y) = (at % width, at / width);
            match kind {
                "flat" => [200, 80, 40],
                "gradient" => [(x * 5 + y * 3) as u8, (x * 2) as u8, (255 - y.min(255)) as u8],
                "noise" => [noise.next(), noise.next(), noise.next()],
                "extremes" => [(noise.next() & 1) * 255, (noise.next() & 1) * 255, (noise.next() & 1) * 255],
                "text" => [if (x / 2 + y / 5) % 3 == 0 && x % 7 != 0 { 20 } else { 240 }; 3],
                _ => {
                    let wave = (f64::from(x) * 0.4).sin() * 60.0 + (f64::from(y) * 0.25).cos() * 60.0;
                    [(128.0 + wave) as u8, (128.0 - wave) as u8, (100.0 + wave / 2.0) as u8]
                }
            }
        })
        .collect()
}

#[test]
fn decoders_see_the_reconstruction() {
    let mut noise = Noise(1);
    let mut sizes = vec![(1, 1), (2, 2), (15, 17), (16, 16), (17, 17), (67, 33), (48, 50)];
    sizes.extend([(1, 40), (40, 1), (1, 16), (33, 1)]);
    for size in sizes {
        for kind in KINDS {
            let rgb = pixels(kind, size, &mut noise);
            for quality in [0, 20, 50, 75, 80, 90, 97, 100] {
                for effort in 0..=6 {
                    let settings = Settings { quality, effort, ..Settings::default() };
                    let (file, expected) = encode(&Picture::Rgb(&rgb), size, settings);
                    judge(&file, &expected, &format!("{kind} {size:?} quality {quality} effort {effort}"));
                }
            }
        }
    }
}

#[test]
fn every_quality() {
    let size = (67, 33);
    for kind in KINDS {
        let rgb = pixels(kind, size, &mut Noise(5));
        for quality in 0..=100 {
            let settings = Settings { quality, ..Settings::default() };
            let (file, expected) = encode(&Picture::Rgb(&rgb), size, settings);
            judge(&file, &expected, &format!("{kind} quality {quality}"));
        }
    }
}

/// Every small size: edges that end within a macroblock, and first rows and columns.
#[test]
fn every_small_size() {
    for width in 1..=35 {
        for height in [1, 2, 15, 16, 17, 31, 33] {
            let rgb = pixels("waves", (width, height), &mut Noise(9));
            let (file, expected) = encode(&Picture::Rgb(&rgb), (width, height), Settings::default());
            judge(&file, &expected, &format!("{width}×{height}"));
        }
    }
}

#[test]
fn a_solid_picture_stays_solid() {
    for size in [(17, 17), (1, 1), (33, 7)] {
        for colour in [[200, 80, 40], [0, 0, 0], [255, 255, 255], [10, 250, 30]] {
            let rgb: Vec<u8> = colour.repeat((size.0 * size.1) as usize);
            for quality in [30, 80, 100] {
                let settings = Settings { quality, ..Settings::default() };
                let (file, expected) = encode(&Picture::Rgb(&rgb), size, settings);
                judge(&file, &expected, &format!("{colour:?} {size:?}"));
                // Edges that are wrongly filled would be off by tens; a coarse quantizer may correct itself once.
                let slack = if quality >= 80 { 1 } else { 6 };
                for plane in &expected.planes {
                    let (least, most) = (plane.iter().min().unwrap(), plane.iter().max().unwrap());
                    assert!(most - least <= slack, "{colour:?} {size:?} at {quality}: {least} to {most}");
                }
            }
        }
    }
}

/// Planes, full or studio range, grey and opaque RGBA are the same picture as RGB.
#[test]
fn other_pictures_are_equal_or_near() {
    let size = (67, 33);
    let settings = Settings::default();
    let rgb = pixels("waves", size, &mut Noise(2));
    let rgba: Vec<u8> = rgb.chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], 255]).collect();
    let (file, expected) = encode(&Picture::Rgb(&rgb), size, settings);
    assert_eq!(encode(&Picture::Rgba(&rgba), size, settings).0, file);

    let [y, cb, cr] = &expected.planes;
    let plane = |samples, stride| Plane { samples, stride };
    let of =
        |y, cb, cr, range| Picture::Planes { y: plane(y, 67), cb: plane(cb, 34), cr: plane(cr, 34), range };
    let studio = encode(&of(y, cb, cr, Range::Studio), size, settings);
    judge(&studio.0, &studio.1, "studio planes");
    let full = |plane: &[u8], span: i32, black: i32, offset: i32| -> Vec<u8> {
        plane.iter().map(|&x| ((i32::from(x) - black) * 255 / span + offset).clamp(0, 255) as u8).collect()
    };
    let (y, cb, cr) = (full(y, 219, 16, 0), full(cb, 224, 128, 128), full(cr, 224, 128, 128));
    let (file, from_full) = encode(&of(&y, &cb, &cr, Range::Full), size, settings);
    judge(&file, &from_full, "full planes");
    for (a, b) in studio.1.planes.iter().flatten().zip(from_full.planes.iter().flatten()) {
        assert!(a.abs_diff(*b) <= 24, "{a} and {b}");
    }

    let grey: Vec<u8> = (0..67 * 33_u32).map(|at| (at % 67 * 3) as u8).collect();
    let tripled: Vec<u8> = grey.iter().flat_map(|&sample| [sample; 3]).collect();
    let (file, from_grey) = encode(&Picture::Grey(&grey), size, settings);
    judge(&file, &from_grey, "grey");
    let from_rgb = encode(&Picture::Rgb(&tripled), size, settings).1;
    for (a, b) in from_grey.planes.iter().flatten().zip(from_rgb.planes.iter().flatten()) {
        assert!(a.abs_diff(*b) <= 16, "{a} and {b}");
    }
}

/// What is transparent has no say in chroma: opaque red beside transparent green stays red.
#[test]
fn what_is_not_seen_does_not_bleed() {
    let rgba: Vec<u8> = (0..32 * 32_u32)
        .flat_map(|at| if at % 32 < 15 { [220, 30, 30, 255] } else { [0, 255, 0, 0] })
        .collect();
    let settings = Settings { quality: 95, ..Settings::default() };
    let (file, expected) = encode(&Picture::Rgba(&rgba), (32, 32), settings);
    judge(&file, &expected, "red beside nothing");
    // BT.601's Cr of that red: 128 + 28800/65536 · (220 − 30).
    let seen: Vec<u8> = expected.planes[2].chunks_exact(16).map(|row| row[7]).collect();
    assert!(seen.iter().all(|cr| cr.abs_diff(211) <= 3), "{seen:?}");
}

#[test]
fn more_quality_is_more_bytes_and_a_target_is_met() {
    let size = (160, 120);
    let rgb = pixels("waves", size, &mut Noise(3));
    let picture = Picture::Rgb(&rgb);
    let len = |quality, target_len| {
        let settings = Settings { quality, target_len, ..Settings::default() };
        let (file, expected) = encode(&picture, size, settings);
        judge(&file, &expected, "of a target");
        file.len() - 20
    };
    let lengths: Vec<usize> = [10, 30, 50, 70, 90].map(|quality| len(quality, None)).to_vec();
    assert!(lengths.is_sorted(), "{lengths:?}");
    for target in [lengths[1], lengths[2] + 7, lengths[4]] {
        let met = len(95, Some(target as u32));
        assert!(met <= target + 1, "{met} for {target}");
        assert!(met * 10 > target * 7, "{met} for {target} is too little");
    }
    assert_eq!(len(50, Some(1 << 20)), lengths[2], "a target that is met anyway changes nothing");
    // One that cannot be met gives the coarsest frame.
    assert_eq!(len(80, Some(10)), len(0, None));
}

#[test]
fn wrong_calls_are_errors() {
    assert!(matches!(
        Encoder::new((16384, 1), Settings::default()),
        Err(Error::TooLarge { limit: Limit::OutputSide, needed: 16384, allowed: 16383 })
    ));
    assert!(matches!(Encoder::new((0, 1), Settings::default()), Err(Error::NotEncodable { .. })));
    let mut encoder = Encoder::new((16, 16), Settings::default()).unwrap();
    let rgb = [7; 16 * 16 * 3];
    let (scratch_len, output_len) = (encoder.scratch_len(), encoder.max_output_len());
    let mut scratch = vec![0_u64; scratch_len / 8 + 2];
    let scratch: &mut [u8] = bytemuck::cast_slice_mut(&mut scratch);
    let mut output = vec![0; output_len];
    let short = |needed, given| Err(Error::BufferTooSmall { needed, given });
    let picture = Picture::Rgb(&rgb);
    assert_eq!(
        encoder.step(&picture, &mut scratch[..scratch_len - 1], &mut output),
        short(scratch_len, scratch_len - 1)
    );
    assert_eq!(
        encoder.step(&picture, scratch, &mut output[..output_len - 1]),
        short(output_len, output_len - 1)
    );
    assert_eq!(encoder.step(&picture, &mut scratch[1..], &mut output), Err(Error::Misaligned));
    let few = Picture::Rgb(&rgb[1..]);
    assert!(matches!(encoder.step(&few, scratch, &mut output), Err(Error::NotEncodable { .. })));
    // None of these changed anything.
    while encoder.step(&picture, scratch, &mut output).unwrap() == Step::More {}
}
