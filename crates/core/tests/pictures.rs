//! The right picture comes out: size, format, orientation, alpha and colours, of every sample in every format.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on must say so")]

mod common;

use common::{FORMATS, header, make_whole, sample, samples, thumb};
use tintype_core::{Error, Fit, FocalPoint, Format, FormatChoice, Gravity, Transform, thumbnail};
use tintype_tests::picture::Picture;

fn decode(bytes: &[u8]) -> Picture {
    Picture::decode(bytes).unwrap()
}

/// What the format decodes to with an independent decoder, and whether it loses nothing.
const fn written(format: FormatChoice) -> (tintype_tests::Format, bool) {
    match format {
        FormatChoice::WebP => (tintype_tests::Format::WebP, false),
        FormatChoice::Png => (tintype_tests::Format::Png, true),
        _ => (tintype_tests::Format::Jpeg, false),
    }
}

/// Mean absolute difference of the visible colours of two pictures of one size, over white.
fn difference(a: &Picture, b: &Picture) -> f64 {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let over_white = |[r, g, b, a]: [u8; 4]| {
        [r, g, b].map(|c| (f64::from(c) * f64::from(a)) / 255.0 + 255.0 - f64::from(a))
    };
    let mut sum = 0.0;
    for y in 0..a.height {
        for x in 0..a.width {
            let (a, b) = (over_white(a.pixel(x, y).unwrap()), over_white(b.pixel(x, y).unwrap()));
            sum += a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>();
        }
    }
    sum / f64::from(3 * a.width * a.height)
}

#[test]
fn every_sample_in_every_format() {
    for file in samples().1 {
        let Some(picture) = file.picture else { continue };
        let source = sample(file.path);
        assert_eq!(header(&source).unwrap().upright_size(), (picture.width, picture.height), "{}", file.path);
        let exact = decode(&thumbnail(&source, &thumb(FormatChoice::Png)).unwrap());
        for format in FORMATS {
            let (bytes, done) = make_whole(&source, &thumb(format)).unwrap();
            let thumb = decode(&bytes);
            let width = picture.width.min(240);
            let height = if picture.width > 240 {
                ((picture.height * 2 * 240 + picture.width) / (2 * picture.width)).max(1)
            } else {
                picture.height
            };
            let context = format!("{} as {format:?}", file.path);
            assert_eq!((thumb.width, thumb.height), (width, height), "{context}");
            assert_eq!((done.width, done.height, done.len), (width, height, bytes.len()), "{context}");
            // A JPEG's end marker, and what may follow it, is not needed.
            let marker = if source.starts_with(&[0xff, 0xd8]) { 2 } else { 0 };
            let used = done.bytes_used..=done.bytes_used + marker;
            assert!(!done.damaged && used.contains(&(source.len() as u64)), "{context}");
            let (kind, lossless) = written(format);
            assert_eq!(thumb.format, kind, "{context}");
            // Lossy coding of drawn pictures at the default quality stays within a few levels on average.
            let allowed = if lossless { 0.0 } else { 6.0 };
            let difference = difference(&thumb, &exact);
            assert!(difference <= allowed, "{context}: {difference:.2} levels off");
        }
    }
}

/// Kinds of one scene: the same thumbnail, whatever the file they come from.
#[test]
fn one_scene_from_every_kind_of_file() {
    for (path, like, allowed) in [
        ("landscape-progressive.jpg", "landscape.jpg", 0.5),
        ("landscape-444.jpg", "landscape.jpg", 1.5),
        ("photo.webp", "landscape.jpg", 4.0),
        ("graphic.webp", "graphic.png", 0.0),
        ("folder/nested.jpg", "landscape.jpg", 6.0),
    ] {
        let transform =
            Transform { width: Some(100), height: Some(80), fit: Fit::Cover, ..thumb(FormatChoice::Png) };
        let of = |path| decode(&thumbnail(&sample(path), &transform).unwrap());
        let difference = difference(&of(path), &of(like));
        assert!(difference <= allowed, "{path} is {difference:.2} levels off {like}");
    }
}

/// The sample: red, green, blue and yellow in the upright corners, whatever the file's orientation.
#[test]
fn orientations_stand_upright() {
    for orientation in 1..=8 {
        let source = sample(&format!("orientation-{orientation}.jpg"));
        assert_eq!(header(&source).unwrap().orientation.exif(), orientation);
        let upright =
            decode(&thumbnail(&source, &Transform { width: Some(150), ..thumb(FormatChoice::Png) }).unwrap());
        assert_eq!((upright.width, upright.height), (150, 100), "orientation {orientation}");
        let corners = [(2, 2), (147, 2), (2, 97), (147, 97)].map(|(x, y)| upright.pixel(x, y).unwrap());
        let bright = corners.map(|[r, g, b, _]| (r > 128, g > 128, b > 128));
        let want = [(true, false, false), (false, true, false), (false, false, true), (true, true, false)];
        assert_eq!(bright, want, "orientation {orientation}: {corners:?}");
    }
}

/// A crop keeps the upright side that gravity names, whatever the orientation.
#[test]
fn crops_keep_the_upright_side() {
    for orientation in 1..=8 {
        let source = sample(&format!("orientation-{orientation}.jpg"));
        for (x, y, corner) in [
            (0, 0, [true, false, false]),
            (10_000, 0, [false, true, false]),
            (0, 10_000, [false, false, true]),
        ] {
            let transform = Transform {
                width: Some(40),
                height: Some(40),
                fit: Fit::Cover,
                gravity: Gravity::Point(FocalPoint { x, y }),
                ..thumb(FormatChoice::Png)
            };
            let crop = decode(&thumbnail(&source, &transform).unwrap());
            let (cx, cy) = (if x == 0 { 1 } else { 38 }, if y == 0 { 1 } else { 38 });
            let [r, g, b, _] = crop.pixel(cx, cy).unwrap();
            assert_eq!([r > 128, g > 128, b > 128], corner, "orientation {orientation}, gravity {x},{y}");
        }
    }
}

/// Writes an RGBA or 16-bit PNG.
fn png(color: png::ColorType, depth: png::BitDepth, size: (u32, u32), data: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, size.0, size.1);
    encoder.set_color(color);
    encoder.set_depth(depth);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    file
}

/// Opaque red beside transparent green: no green may bleed into what is seen.
#[test]
fn the_colour_of_transparent_pixels_is_never_seen() {
    let data: Vec<u8> =
        (0..64 * 64).flat_map(|n| if n % 64 < 31 { [255, 0, 0, 255] } else { [0, 255, 0, 0] }).collect();
    let source = png(png::ColorType::Rgba, png::BitDepth::Eight, (64, 64), &data);
    for format in FORMATS {
        let small = decode(&thumbnail(&source, &Transform { width: Some(9), ..thumb(format) }).unwrap());
        for y in 0..9 {
            for x in 0..9 {
                let [r, g, _, a] = small.pixel(x, y).unwrap();
                if a == 255 && small.format == tintype_tests::Format::Jpeg {
                    // Flattened onto white: green only as far as white shows through.
                    assert!(g <= r, "{format:?} at {x},{y}: green {g}, red {r}");
                } else if a > 0 {
                    assert!(g <= 24, "{format:?} at {x},{y}: green {g} at alpha {a}");
                }
            }
        }
    }
}

/// Compositing the result on any colour equals compositing before the resize, but for the ringing of hard
/// edges, which alpha cannot hold above opaque.
#[test]
fn alpha_composes_as_before_the_resize() {
    let source = sample("alpha.png");
    let full = decode(&source);
    let transform = Transform { width: Some(100), ..thumb(FormatChoice::Png) };
    let small = decode(&thumbnail(&source, &transform).unwrap());
    for background in [[255, 0, 0], [0, 255, 0], [0, 0, 0]] {
        let over = |picture: &Picture| -> Vec<u8> {
            let places = (0..picture.height).flat_map(|y| (0..picture.width).map(move |x| (x, y)));
            let mix = |c: u8, under: u8, a: u8| {
                (u32::from(c) * u32::from(a) + u32::from(under) * u32::from(255 - a) + 127) / 255
            };
            places
                .map(|(x, y)| picture.pixel(x, y).unwrap())
                .flat_map(|[r, g, b, a]| {
                    [(r, background[0]), (g, background[1]), (b, background[2])]
                        .map(|(c, under)| mix(c, under, a) as u8)
                })
                .collect()
        };
        let flat = png(png::ColorType::Rgb, png::BitDepth::Eight, (full.width, full.height), &over(&full));
        let (before, after) = (over(&decode(&thumbnail(&flat, &transform).unwrap())), over(&small));
        let off: Vec<u8> = before.iter().zip(&after).map(|(a, b)| a.abs_diff(*b)).collect();
        let sum: usize = off.iter().map(|off| usize::from(*off)).sum();
        let far = off.iter().filter(|off| **off > 2).count();
        assert!(
            2 * sum < off.len() && far * 50 < off.len(),
            "on {background:?}: {sum} levels off, {far} places of {} by more than 2",
            off.len()
        );
    }
}

/// 16 bits are rounded to the nearest of 8, not cut.
#[test]
fn sixteen_bits_are_rounded() {
    let values = [0_u16, 127, 129, 257, 300, 32_767, 32_896, 65_406, 65_407, 65_535];
    let data: Vec<u8> = values.iter().flat_map(|value| value.to_be_bytes()).collect();
    let source = png(png::ColorType::Grayscale, png::BitDepth::Sixteen, (10, 1), &data);
    let out = decode(
        &thumbnail(&source, &Transform { format: FormatChoice::Png, ..Transform::default() }).unwrap(),
    );
    for (x, value) in values.into_iter().enumerate() {
        let shown = u32::from(out.pixel(x as u32, 0).unwrap()[0]);
        assert!((shown * 257).abs_diff(value.into()) <= 128, "{value} shown as {shown}");
    }
}

/// A picture that keeps its size comes out of a lossless format as it was, alpha included.
#[test]
fn unchanged_size_is_unchanged() {
    for path in
        ["alpha.png", "palette.png", "grey-alpha.png", "interlaced.png", "transparent.gif", "graphic.webp"]
    {
        let source = sample(path);
        for transform in [
            Transform { format: FormatChoice::Png, ..Transform::default() },
            Transform { format: FormatChoice::WebP, quality: Some(100), ..Transform::default() },
        ] {
            let out = decode(&thumbnail(&source, &transform).unwrap());
            let source = decode(&source);
            for y in 0..source.height {
                for x in 0..source.width {
                    let (was, is) = (source.pixel(x, y).unwrap(), out.pixel(x, y).unwrap());
                    assert!(was == is || (was[3], is[3]) == (0, 0), "{path} at {x},{y}: {is:?} for {was:?}");
                }
            }
        }
    }
}

/// Noise at the highest quality is the longest file a size can have: it must fit what the plan states.
#[test]
fn noise_fits_the_output() {
    let mut random = common::Random(7);
    for (size, color, channels) in [
        ((331, 257), png::ColorType::Rgb, 3),
        ((257, 331), png::ColorType::Rgba, 4),
        ((300, 300), png::ColorType::Grayscale, 1),
        ((1, 1), png::ColorType::Rgba, 4),
        ((1, 700), png::ColorType::Rgb, 3),
    ] {
        // Extremes, not an even spread: the most energy that coefficients can have.
        let data: Vec<u8> =
            (0..size.0 * size.1 * channels).map(|_| if random.below(2) == 0 { 0 } else { 255 }).collect();
        let even: Vec<u8> = (0..size.0 * size.1 * channels).map(|_| random.below(256) as u8).collect();
        for data in [data, even] {
            let source = png(color, png::BitDepth::Eight, size, &data);
            for format in FORMATS {
                for quality in [1, 50, 89, 90, 99, 100] {
                    let transform = Transform { quality: Some(quality), format, ..Transform::default() };
                    let made = make_whole(&source, &transform);
                    assert!(made.is_ok(), "{size:?} {color:?} {format:?} at {quality}: {made:?}");
                }
            }
        }
    }
}

#[test]
fn quality_changes_the_size() {
    let source = sample("landscape.jpg");
    for format in [FormatChoice::WebP, FormatChoice::Jpeg] {
        let len = |quality| thumbnail(&source, &Transform { quality, ..thumb(format) }).unwrap().len();
        assert!(len(Some(30)) < len(Some(60)) && len(Some(60)) < len(Some(95)), "{format:?}");
        let default = if format == FormatChoice::WebP { 80 } else { 82 };
        assert_eq!(len(None), len(Some(default)), "{format:?}");
    }
}

#[test]
fn jpeg_is_progressive_unless_baseline_is_asked_for() {
    let source = sample("landscape.jpg");
    for (format, progressive) in [(FormatChoice::Jpeg, true), (FormatChoice::BaselineJpeg, false)] {
        let out = header(&thumbnail(&source, &thumb(format)).unwrap()).unwrap();
        let tintype_core::Details::Jpeg(jpeg) = out.details else { panic!("{:?}", out.format()) };
        assert_eq!(jpeg.progressive, progressive);
    }
}

#[test]
fn webp_is_lossless_at_100() {
    let source = sample("graphic.png");
    let webp = Transform { quality: Some(100), ..thumb(FormatChoice::WebP) };
    let exact = decode(&thumbnail(&source, &thumb(FormatChoice::Png)).unwrap());
    assert!(difference(&decode(&thumbnail(&source, &webp).unwrap()), &exact) <= 0.0);
}

/// What is damaged after its first row is shown as far as it goes; strict requests get an error instead.
#[test]
fn damage_shows_what_there_is() {
    for (path, rest) in [
        ("broken/truncated.jpg", [128, 128, 128, 255]),
        ("broken/truncated.png", [128, 128, 128, 255]),
        ("broken/truncated-progressive.jpg", [0; 4]),
        ("broken/truncated.gif", [0; 4]),
    ] {
        let source = sample(path);
        let whole = match path {
            "broken/truncated.png" => "graphic.png",
            "broken/truncated.gif" => "graphic.gif",
            _ => "landscape.jpg",
        };
        let (bytes, done) = make_whole(&source, &thumb(FormatChoice::Png)).unwrap();
        assert!(done.damaged, "{path}");
        let (shown, whole) =
            (decode(&bytes), decode(&thumbnail(&sample(whole), &thumb(FormatChoice::Png)).unwrap()));
        for x in (0..shown.width).step_by(7) {
            let (is, was) = (shown.pixel(x, 5).unwrap(), whole.pixel(x, 5).unwrap());
            let off = is.iter().zip(was).map(|(a, b)| a.abs_diff(b)).max().unwrap();
            assert!(off <= 32, "{path}: {is:?} for {was:?} at {x},5");
        }
        if rest != [0; 4] {
            assert_eq!(
                shown.pixel(shown.width / 2, shown.height - 2).unwrap(),
                rest,
                "{path}: the rest is grey"
            );
        }
        let strict = make_whole(&source, &Transform { strict: true, ..thumb(FormatChoice::Png) });
        assert!(
            matches!(strict, Err(Error::Truncated { .. } | Error::Malformed { .. })),
            "{path}: {strict:?}"
        );
    }
}

/// Bytes after the picture's end are no damage.
#[test]
fn a_tail_is_ignored() {
    let (_, done) = make_whole(&sample("broken/tail.jpg"), &thumb(FormatChoice::Jpeg)).unwrap();
    assert!(!done.damaged);
}

/// Without its end marker a picture is whole all the same.
#[test]
fn a_missing_end_loses_no_pixel() {
    let mut source = sample("landscape.jpg");
    let exact = make_whole(&source, &thumb(FormatChoice::Png)).unwrap();
    source.truncate(source.len() - 2);
    let made = make_whole(&source, &thumb(FormatChoice::Png)).unwrap();
    assert_eq!(made, exact);
    assert!(!made.1.damaged);
}

#[test]
fn a_frame_smaller_than_its_screen_lies_where_it_says() {
    let source = sample("offset.gif");
    let full = decode(&source);
    let out = decode(
        &thumbnail(&source, &Transform { format: FormatChoice::Png, ..Transform::default() }).unwrap(),
    );
    assert_eq!((out.width, out.height), (full.width, full.height));
    assert_eq!(out.pixel(0, 0).unwrap()[3], 0, "outside the frame it is transparent");
    assert!(difference(&out, &full) <= 0.0);
}

#[test]
fn formats_of_results_are_named() {
    for format in FORMATS {
        let (bytes, done) = make_whole(&sample("pixel.png"), &thumb(format)).unwrap();
        let want = match format {
            FormatChoice::WebP => Format::WebP,
            FormatChoice::Png => Format::Png,
            _ => Format::Jpeg,
        };
        assert_eq!((done.format, header(&bytes).unwrap().format()), (want, want));
    }
}
