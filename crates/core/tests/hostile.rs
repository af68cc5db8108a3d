//! Hostile input costs little and ends in a typed error or a picture: never in a panic, never in much memory.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on must say so")]

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use common::{Random, header, make_whole, sample, samples, thumb};
use tintype_core::{Error, Format, FormatChoice, Input, Limit, Limits, Plan, Probe, Transform, probe};

/// What each broken sample must end in.
#[test]
fn broken_files_get_their_error() {
    let unsupported = |what| Err(Error::Unsupported { format: None, what });
    let jpeg = |what| Err(Error::Unsupported { format: Some(Format::Jpeg), what });
    let cases = [
        ("broken/empty.jpg", Err(Error::Truncated { format: None })),
        ("broken/header-only.jpg", Err(Error::Truncated { format: Some(Format::Jpeg) })),
        ("broken/page.jpg", unsupported("an HTML page")),
        ("broken/avif.jpg", unsupported("an AVIF picture")),
        ("broken/vector.svg", unsupported("an SVG drawing")),
        ("broken/picture.bmp", unsupported("a BMP picture")),
        ("broken/text.png", unsupported("a text file")),
        ("broken/arithmetic.jpg", jpeg("arithmetic coding")),
        ("broken/lossless.jpg", jpeg("lossless coding")),
        ("broken/twelve-bit.jpg", jpeg("samples of 12 bits")),
        ("broken/cut.webp", Err(Error::Truncated { format: Some(Format::WebP) })),
    ];
    for (path, want) in cases {
        assert_eq!(make_whole(&sample(path), &thumb(FormatChoice::Jpeg)).map(|_| ()), want, "{path}");
    }
    let noise = make_whole(&sample("broken/noise.jpg"), &thumb(FormatChoice::Jpeg));
    assert!(matches!(noise, Err(Error::Unsupported { format: None, .. })), "{noise:?}");
}

#[test]
fn bombs_are_refused_by_their_header_or_bounded() {
    for (path, pixels) in [("broken/bomb.png", 60_000 * 60_000), ("broken/lottapixel.jpg", 65_500 * 65_500)] {
        let error = make_whole(&sample(path), &thumb(FormatChoice::Jpeg)).unwrap_err();
        let allowed = Limits::default().source_pixels;
        assert_eq!(error, Error::TooLarge { limit: Limit::SourcePixels, needed: pixels, allowed }, "{path}");
    }
    // 200 MB of compressed text beside a small picture: the text is not inflated, the picture is shown.
    let (_, done) = make_whole(&sample("broken/bomb-text.png"), &thumb(FormatChoice::Jpeg)).unwrap();
    assert!(!done.damaged);
    // Within the limit on pixels, and priced: a host with less memory refuses it before it starts.
    let header = header(&sample("broken/deep-bomb.png")).unwrap();
    let limits = Limits { memory: 100 << 20, ..Limits::default() };
    let plan = Plan::new(&header, &thumb(FormatChoice::Jpeg), &limits, Input::default());
    assert!(matches!(plan, Err(Error::TooLarge { limit: Limit::Memory, .. })), "{plan:?}");
}

/// Kinds of JPEG that few decoders stream: a scan for each component and restart markers in them.
#[test]
fn scans_of_components_with_restarts() {
    let file = |restart_interval| {
        let mut file = Vec::new();
        let mut encoder = jpeg_encoder::Encoder::new(&mut file, 80);
        encoder.set_optimized_huffman_tables(true); // writes a scan for each component
        encoder.set_restart_interval(restart_interval);
        encoder.encode(&[90; 40 * 40 * 3], 40, 40, jpeg_encoder::ColorType::Rgb).unwrap();
        file
    };
    let made = |file: &[u8]| make_whole(file, &thumb(FormatChoice::Png)).unwrap();
    let (with, without) = (made(&file(5)), made(&file(0)));
    assert_eq!(with.0, without.0);
    assert!(!with.1.damaged && !without.1.damaged);
}

/// A PNG with a chunk of this type and length before its picture data.
fn with_chunk(png: &[u8], kind: [u8; 4], payload: &[u8]) -> Vec<u8> {
    let idat = png.windows(4).position(|kind| kind == b"IDAT").unwrap() - 4;
    let mut chunk = u32::try_from(payload.len()).unwrap().to_be_bytes().to_vec();
    chunk.extend_from_slice(&kind);
    chunk.extend_from_slice(payload);
    let crc = chunk[4..].iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(
            crc ^ u32::from(*byte),
            |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 },
        )
    });
    chunk.extend_from_slice(&(!crc).to_be_bytes());
    [&png[..idat], &chunk, &png[idat..]].concat()
}

/// Metadata may be large, as cameras and editors write it; and transparency that means nothing is ignored.
#[test]
fn odd_chunks_do_not_hide_the_picture() {
    let plain = sample("graphic.png");
    let want = make_whole(&plain, &thumb(FormatChoice::Png)).unwrap().0;
    let large = vec![b'x'; 3 << 20];
    for (kind, payload) in [
        (*b"iTXt", large.as_slice()),
        (*b"prVt", &large),
        (*b"eXIf", &large),
        (*b"tRNS", b""),
        (*b"tRNS", b"abc"),
    ] {
        let source = with_chunk(&plain, kind, payload);
        let name = String::from_utf8_lossy(&kind);
        let made = make_whole(&source, &thumb(FormatChoice::Png)).map(|(bytes, _)| bytes);
        assert!(
            made.as_ref() == Ok(&want),
            "{name} of {}: {:?}",
            payload.len(),
            made.map(|bytes| bytes.len())
        );
    }
}

/// Many small headers must not make `probe` ask for a byte at a time, nor run away.
#[test]
fn endless_headers_end() {
    let mut jpeg = vec![0xff, 0xd8];
    while jpeg.len() < 6 << 20 {
        jpeg.extend_from_slice(&[0xff, 0xe5, 0x40, 0x00]);
        jpeg.resize(jpeg.len() + 0x3ffe, 0);
    }
    let limits = Limits::default();
    let mut given = 0;
    let refused = loop {
        match probe(&jpeg[..given], false) {
            Ok(Probe::Need(needed)) => match limits.check_header_bytes(needed) {
                Ok(()) => given = needed as usize,
                Err(error) => break error,
            },
            answer => panic!("{answer:?}"),
        }
    };
    assert!(matches!(refused, Error::TooLarge { limit: Limit::HeaderBytes, .. }));
    assert!(given > 4_000_000, "it was read up to the limit");
}

/// Damaged in every way a few bytes allow: an error or a picture of the announced size.
///
/// Pictures are cut down to their first rows by size limits, so that a thousand tries take seconds.
#[test]
fn mutations_never_panic() {
    let limits = Limits { source_pixels: 4_000_000, memory: 64 << 20, ..Limits::default() };
    let mut random = Random(0x5eed);
    let mut panics = Vec::new();
    let files: Vec<(&str, Vec<u8>)> = samples()
        .1
        .iter()
        .map(|file| (file.path, sample(file.path)))
        .filter(|(_, bytes)| (1..60_000).contains(&bytes.len()))
        .collect();
    assert!(files.len() > 15, "there are small samples of every kind");
    for round in 0..1500 {
        let (path, bytes) = &files[round % files.len()];
        let mut bytes = bytes.clone();
        for _ in 0..=random.below(6) {
            // Headers decide most: half of the changes fall there.
            let reach = if random.below(2) == 0 { bytes.len().min(700) } else { bytes.len() };
            let at = random.below(reach);
            match random.below(4) {
                0 => bytes[at] = random.next() as u8,
                1 => bytes[at] ^= 1 << random.below(8),
                2 => bytes.truncate(at.max(1)),
                _ => {
                    let from = random.below(bytes.len());
                    bytes[at] = bytes[from];
                }
            }
        }
        let result = catch_unwind(AssertUnwindSafe(|| {
            let Ok(header) = header(&bytes) else { return };
            let transform = Transform { width: Some(32), format: FormatChoice::Png, ..Transform::default() };
            let input = Input { len: Some(bytes.len() as u64), contiguous: true };
            if Plan::new(&header, &transform, &limits, input).is_ok()
                && let Ok((_, done)) = make_whole(&bytes, &transform)
            {
                assert_eq!(done.width, header.upright_size().0.min(32));
            }
        }));
        if result.is_err() {
            panics.push(format!("{path}, round {round}"));
        }
    }
    assert!(panics.is_empty(), "panicked on: {panics:?}");
}
