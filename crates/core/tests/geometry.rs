//! The right part of the picture in the right place: pixels of every fit, gravity, orientation and size against the
//! place in the source that they must show, worked out here from the options' meaning.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on must say so")]
#![allow(clippy::cast_sign_loss, reason = "places and levels are not negative")]

mod common;

use common::{Feed, Random, header, make, make_whole, sample};
use tintype_core::{
    Border, Color, Dpr, Error, Fit, FocalPoint, Format, FormatChoice, Gravity, Input, Length, Limit, Limits,
    Orientation, Plan, Radius, Sides, Speed, Transform, Trim, thumbnail,
};
use tintype_tests::picture::Picture;

const PNG: Transform = Transform { format: FormatChoice::Png, ..Transform::DEFAULT };

const FITS: [Fit; 7] =
    [Fit::ScaleDown, Fit::Contain, Fit::Cover, Fit::Crop, Fit::AspectCrop, Fit::Pad, Fit::Squeeze];

/// A PNG of what `pixel` says of each upright place, stored so that `orientation` turns it upright.
fn oriented(size: (u32, u32), orientation: Orientation, pixel: impl Fn(u32, u32) -> [u8; 3]) -> Vec<u8> {
    let (w, h) = size;
    let stored = if orientation.swaps_axes() { (h, w) } else { (w, h) };
    let mut data = Vec::new();
    for y in 0..stored.1 {
        for x in 0..stored.0 {
            // Where the stored pixel (x, y) belongs, by what EXIF says of the stored rows and columns.
            let (ux, uy) = match orientation.exif() {
                1 => (x, y),
                2 => (w - 1 - x, y),
                3 => (w - 1 - x, h - 1 - y),
                4 => (x, h - 1 - y),
                5 => (y, x),
                6 => (w - 1 - y, x),
                7 => (w - 1 - y, h - 1 - x),
                _ => (y, h - 1 - x),
            };
            data.extend(pixel(ux, uy));
        }
    }
    let mut info = png::Info::with_size(stored.0, stored.1);
    info.color_type = png::ColorType::Rgb;
    info.bit_depth = png::BitDepth::Eight;
    let tiff =
        [b"II\x2a\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0".as_slice(), &[orientation.exif()], &[0; 7]];
    info.exif_metadata = Some(tiff.concat().into());
    let mut file = Vec::new();
    let mut writer = png::Encoder::with_info(&mut file, info).unwrap().write_header().unwrap();
    writer.write_image_data(&data).unwrap();
    writer.finish().unwrap();
    file
}

/// Red grows to the right, green downwards: a pixel's colour tells its place.
fn gradient((width, height): (u32, u32)) -> impl Fn(u32, u32) -> [u8; 3] {
    let level = |place: u32, side: u32| ((f64::from(place) + 0.5) * 255.0 / f64::from(side)) as u8;
    move |x, y| [level(x, width), level(y, height), 128]
}

/// Red, green, blue and yellow quarters.
fn quarters((width, height): (u32, u32)) -> impl Fn(u32, u32) -> [u8; 3] {
    move |x, y| match (2 * x < width, 2 * y < height) {
        (true, true) => [255, 0, 0],
        (false, true) => [0, 255, 0],
        (true, false) => [0, 0, 255],
        (false, false) => [255, 255, 0],
    }
}

/// What a fit shows: the kept part of the picture, where on the canvas, and the canvas. In f64, from the sentences of
/// the option table.
struct Shown {
    kept: [f64; 4],
    scaled: (f64, f64),
    place: (f64, f64),
    canvas: (f64, f64),
}

fn shown(source: (u32, u32), bounds: (u32, u32), fit: Fit, focus: (f64, f64)) -> Shown {
    let round = |value: f64| (value + 0.5 + 1e-9).floor().max(1.0);
    let (w, h) = (f64::from(source.0), f64::from(source.1));
    let (bw, bh) = (f64::from(bounds.0), f64::from(bounds.1));
    let (least, most) = ((bw / w).min(bh / h), (bw / w).max(bh / h));
    let whole = |scale: f64| ([0.0, 0.0, w, h], (round(w * scale), round(h * scale)));
    let part = |pw: f64, ph: f64, size| ([(w - pw) * focus.0, (h - ph) * focus.1, pw, ph], size);
    let unscaled = |pw: f64, ph: f64| {
        let whole_pixel = |room: f64, focus: f64| (room * focus + 0.5).floor();
        ([whole_pixel(w - pw, focus.0), whole_pixel(h - ph, focus.1), pw, ph], (pw, ph))
    };
    let (kept, scaled) = match fit {
        Fit::ScaleDown => whole(least.min(1.0)),
        Fit::Contain | Fit::Pad => whole(least),
        Fit::Squeeze => ([0.0, 0.0, w, h], (bw, bh)),
        Fit::Cover => part(bw / most, bh / most, (bw, bh)),
        _ if most <= 1.0 => part(bw / most, bh / most, (bw, bh)),
        Fit::Crop => unscaled(bw.min(w), bh.min(h)),
        _ => unscaled(round(bw / most), round(bh / most)),
    };
    let canvas = if fit == Fit::Pad { (bw, bh) } else { scaled };
    let place = |room: f64, focus: f64| (room * focus + 0.5).floor();
    let place = (place(canvas.0 - scaled.0, focus.0), place(canvas.1 - scaled.1, focus.1));
    Shown { kept, scaled, place, canvas }
}

/// Every fit × gravity × orientation × size, checked at many places of the result.
#[test]
fn every_fit_shows_the_right_part() {
    let focuses = [(0.5, 0.5), (0.0, 0.5), (1.0, 0.0), (0.25, 0.8)];
    let boxes = [(40, 30), (24, 60), (90, 20), (200, 240), (161, 97), (400, 100)];
    let size = (320, 192);
    for orientation in Orientation::ALL {
        let slope = oriented(size, orientation, gradient(size));
        let four = oriented(size, orientation, quarters(size));
        for fit in FITS {
            for bounds in boxes {
                for focus in focuses {
                    let point = |part: f64| (part * 10_000.0) as u16;
                    let gravity = Gravity::Point(FocalPoint { x: point(focus.0), y: point(focus.1) });
                    let (width, height) = (Some(bounds.0), Some(bounds.1));
                    let transform = Transform { width, height, fit, gravity, ..PNG };
                    let want = shown(size, bounds, fit, focus);
                    let context = format!("{fit:?} {bounds:?} {focus:?} {orientation:?}");
                    check_pixels(&thumbnail(&slope, &transform).unwrap(), &want, &context, |u, v, pixel| {
                        let level = |place: f64, side: u32| place * 255.0 / f64::from(side);
                        let off = (f64::from(pixel[0]) - level(u, size.0))
                            .abs()
                            .max((f64::from(pixel[1]) - level(v, size.1)).abs());
                        off <= 3.0
                    });
                    let per_pixel = (want.kept[2] / want.scaled.0).max(want.kept[3] / want.scaled.1).max(1.0);
                    check_pixels(&thumbnail(&four, &transform).unwrap(), &want, &context, |u, v, pixel| {
                        let near =
                            |place: f64, side: u32| (place - f64::from(side) / 2.0).abs() < 7.0 * per_pixel;
                        near(u, size.0) || near(v, size.1) || pixel[..3] == quarters(size)(u as u32, v as u32)
                    });
                }
            }
        }
    }
}

/// Asks `right` about pixels in the picture's part of the result: their place in the upright source, and their value.
/// What is beside that part must be transparent.
fn check_pixels(file: &[u8], want: &Shown, context: &str, right: impl Fn(f64, f64, [u8; 4]) -> bool) {
    let picture = Picture::decode(file).unwrap();
    let size = (f64::from(picture.width), f64::from(picture.height));
    assert_eq!(size, want.canvas, "{context}");
    let steps = |side: u32| (0..side).step_by(side.div_ceil(9) as usize).chain([side - 1]);
    for y in steps(picture.height) {
        for x in steps(picture.width) {
            let pixel = picture.pixel(x, y).unwrap();
            let (inner_x, inner_y) = (f64::from(x) + 0.5 - want.place.0, f64::from(y) + 0.5 - want.place.1);
            let inside = (0.0..want.scaled.0).contains(&inner_x) && (0.0..want.scaled.1).contains(&inner_y);
            if inside {
                let u = want.kept[0] + inner_x * want.kept[2] / want.scaled.0;
                let v = want.kept[1] + inner_y * want.kept[3] / want.scaled.1;
                assert!(right(u, v, pixel), "{context}: {pixel:?} at {x},{y} for {u:.1},{v:.1}");
            } else {
                assert_eq!(pixel[3], 0, "{context}: {x},{y} is padding");
            }
        }
    }
}

fn farthest(a: &[u8], b: &[u8]) -> u8 {
    let (a, b) = (Picture::decode(a).unwrap(), Picture::decode(b).unwrap());
    assert_eq!((a.width, a.height), (b.width, b.height));
    let places = (0..a.height).flat_map(|y| (0..a.width).map(move |x| (x, y)));
    let off = places.flat_map(|(x, y)| {
        let (a, b) = (a.pixel(x, y).unwrap(), b.pixel(x, y).unwrap());
        [0, 1, 2, 3].map(|n| a[n].abs_diff(b[n]))
    });
    off.max().unwrap()
}

/// Of middling contrast: between the passes of a resize nothing is cut off at black or white.
fn noisy(x: u32, y: u32) -> [u8; 3] {
    let n = (x / 4 * 7919 + y / 4 * 104_729).wrapping_mul(2_654_435_761) >> 8;
    [64 + (n as u8) / 2, 64 + ((n >> 8) as u8) / 2, 64 + ((x + y) as u8) / 2]
}

/// A picture stored in any orientation gives what the upright one gives: exactly where pixels are copied; where they are
/// resampled, up to the rounding between its two passes, which come in the stored order.
#[test]
fn options_speak_of_the_upright_picture() {
    let size = (176, 96); // whole boxes at every scale
    let side = Some(40);
    let copies = [
        PNG,
        Transform { turn: Orientation::Rotated90, ..PNG },
        // Higher than the picture: nothing is scaled.
        Transform { width: Some(50), height: Some(700), fit: Fit::Crop, gravity: Gravity::Auto, ..PNG },
        Transform { trim: Trim::Sides(lengths(3, 4, 5, 6)), turn: Orientation::FlippedVertically, ..PNG },
        Transform {
            border: Border { widths: sides(1, 2, 3, 4), ..Border::NONE },
            radius: Radius::Max,
            ..PNG
        },
    ];
    let resampled = [
        Transform { width: side, ..PNG },
        Transform { width: side, height: side, fit: Fit::Cover, gravity: Gravity::Auto, ..PNG },
        Transform {
            width: side,
            trim: Trim::Sides(lengths(8, 16, 24, 32)),
            turn: Orientation::Transposed,
            ..PNG
        },
        Transform {
            width: side,
            height: Some(60),
            fit: Fit::Pad,
            border: Border { widths: sides(1, 2, 3, 4), ..Border::NONE },
            ..PNG
        },
        Transform { width: Some(20), speed: Speed::Fast, ..PNG },
    ];
    let upright = oriented(size, Orientation::Upright, noisy);
    for orientation in Orientation::ALL {
        let stored = oriented(size, orientation, noisy);
        for (allowed, transforms) in [(0, &copies), (2, &resampled)] {
            for transform in transforms {
                let (a, b) =
                    (thumbnail(&upright, transform).unwrap(), thumbnail(&stored, transform).unwrap());
                let off = farthest(&a, &b);
                assert!(off <= allowed, "{orientation:?} {transform:?}: {off} levels off");
            }
        }
    }
}

const fn sides(top: u32, right: u32, bottom: u32, left: u32) -> Sides<u32> {
    Sides { top, right, bottom, left }
}

fn lengths(top: u32, right: u32, bottom: u32, left: u32) -> Sides<Length> {
    let [top, right, bottom, left] = [top, right, bottom, left].map(Length::Pixels);
    Sides { top, right, bottom, left }
}

fn write_png(color: png::ColorType, size: (u32, u32), data: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, size.0, size.1);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(data).unwrap();
    writer.finish().unwrap();
    file
}

/// Rows averaged as they come give what the whole picture averaged gives: a PNG and the same pixels in a WebP, which is
/// decoded whole; with alpha and without, at every scale, also where the last boxes are not full.
#[test]
fn rows_are_averaged_like_whole_pictures() {
    for color in [png::ColorType::Rgb, png::ColorType::Rgba] {
        for size in [(331, 257), (64, 64), (8, 1000), (1000, 9)] {
            let data: Vec<u8> = (0..size.0 * size.1)
                .flat_map(|n| {
                    let [r, g, b] = noisy(n % size.0, n / size.0);
                    [r, g, b, if n % 5 == 0 { 0 } else { r | 1 }]
                })
                .collect();
            let data: Vec<u8> = if color == png::ColorType::Rgb {
                data.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
            } else {
                data
            };
            let rows = write_png(color, size, &data);
            let lossless = Transform { quality: Some(100), format: FormatChoice::WebP, ..PNG };
            let whole = thumbnail(&rows, &lossless).unwrap();
            for width in [size.0 / 2, size.0 / 4, size.0 / 9, size.0 / 20] {
                let transform = Transform { width: Some(width.max(1)), speed: Speed::Fast, ..PNG };
                let (a, b) = (thumbnail(&rows, &transform).unwrap(), thumbnail(&whole, &transform).unwrap());
                assert!(a == b, "{color:?} {size:?} to {width}");
            }
        }
    }
}

/// Memory follows the result: 30 megapixels of PNG to 200 pixels take less than a fortieth of the decoded picture.
#[test]
fn rows_of_png_are_never_all_in_memory() {
    let header = header(&sample("broken/deep-bomb.png")).unwrap();
    let plan = |transform: &Transform| {
        let input = Input { len: None, contiguous: true };
        Plan::new(&header, transform, &Limits { memory: u64::MAX, ..Limits::default() }, input).unwrap()
    };
    let pixels = header.width as usize * header.height as usize;
    let transform = Transform { width: Some(200), ..PNG };
    let small = plan(&transform).workspace_len();
    assert!(small * 40 < pixels * 3, "{small} for {pixels} pixels");
    let fast = plan(&Transform { width: Some(header.width / 5), speed: Speed::Fast, ..PNG }).workspace_len();
    let balanced = plan(&Transform { width: Some(header.width / 5), ..PNG }).workspace_len();
    assert!(fast < balanced, "{fast} and {balanced}");
}

/// A photograph-like patch within a border of one colour.
fn bordered(size: (u32, u32), inner: [u32; 4], border: [u8; 3]) -> impl Fn(u32, u32) -> [u8; 3] {
    let [left, top, width, height] = inner;
    assert!(left + width <= size.0 && top + height <= size.1);
    move |x, y| {
        if (left..left + width).contains(&x) && (top..top + height).contains(&y) {
            [200, 30, 60]
        } else {
            border
        }
    }
}

/// Borders go, to the pixel where the picture is read whole and to a box where it is read smaller; the result's size is
/// at most what the plan said, and no border bleeds into it.
#[test]
fn borders_are_found_and_cut_off() {
    let size = (400, 304);
    let inner = [48, 32, 320, 240];
    let border = Trim::Border { color: None, tolerance: Trim::TOLERANCE, keep: 0 };
    for orientation in Orientation::ALL {
        for color in [[255, 255, 255], [10, 80, 10]] {
            let source = oriented(size, orientation, bordered(size, inner, color));
            for (transform, want) in [
                (PNG, (320, 240)),
                (Transform { width: Some(160), ..PNG }, (160, 120)),
                (Transform { width: Some(40), ..PNG }, (40, 30)),
                (Transform { width: Some(50), height: Some(50), fit: Fit::Cover, ..PNG }, (50, 50)),
                (Transform { width: Some(50), height: Some(50), fit: Fit::Pad, ..PNG }, (50, 50)),
                (Transform { width: Some(640), fit: Fit::Contain, ..PNG }, (640, 480)),
                (Transform { height: Some(40), turn: Orientation::Rotated90, ..PNG }, (30, 40)),
            ] {
                let transform = Transform { trim: border, ..transform };
                let (bytes, done) = make_whole(&source, &transform).unwrap();
                let context = format!("{orientation:?} {color:?} {transform:?}");
                assert_eq!((done.width, done.height), want, "{context}");
                let plan =
                    Plan::new(&header(&source).unwrap(), &transform, &Limits::default(), Input::default());
                let bound = plan.unwrap().output();
                assert!(
                    !bound.exact && bound.width >= done.width && bound.height >= done.height,
                    "{context}"
                );
                let picture = Picture::decode(&bytes).unwrap();
                for (x, y) in [(0, 0), (want.0 - 1, 0), (0, want.1 - 1), (want.0 - 1, want.1 - 1)] {
                    let pixel = picture.pixel(x, y).unwrap();
                    let padding = transform.fit == Fit::Pad && pixel[3] == 0;
                    assert!(padding || pixel == [200, 30, 60, 255], "{context}: {pixel:?} at {x},{y}");
                }
            }
        }
    }
}

#[test]
fn borders_by_colour_tolerance_and_kept_pixels() {
    let size = (200, 100);
    let source = oriented(size, Orientation::Upright, bordered(size, [20, 10, 150, 80], [240, 240, 240]));
    let made = |color, tolerance, keep, dpr| {
        let trim = Trim::Border { color, tolerance, keep };
        let done = make_whole(&source, &Transform { trim, dpr, ..PNG }).unwrap().1;
        (done.width, done.height)
    };
    let grey = |level| Some(Color { red: level, green: level, blue: level, alpha: 255 });
    let two = Dpr::from_thousandths(2000).unwrap();
    assert_eq!(made(None, 0, 0, Dpr::ONE), (150, 80));
    assert_eq!(made(grey(235), 5, 0, Dpr::ONE), (150, 80));
    assert_eq!(made(grey(235), 4, 0, Dpr::ONE), (200, 100));
    assert_eq!(made(None, 0, 5, Dpr::ONE), (160, 90));
    assert_eq!(made(None, 0, 5, two), (170, 100));
    assert_eq!(made(None, 0, 5000, two), (200, 100));
    // One colour throughout: there is nothing that a border would surround.
    let flat = write_png(png::ColorType::Grayscale, (30, 20), &[9; 600]);
    let trim = Trim::Border { color: None, tolerance: 0, keep: 0 };
    let done = make_whole(&flat, &Transform { trim, ..PNG }).unwrap().1;
    assert_eq!((done.width, done.height), (30, 20));
}

/// A sliver that is left of a picture would be enlarged without end: refused when it is found, not before.
#[test]
fn a_sliver_is_not_enlarged_over_the_limit() {
    let size = (400, 400);
    let trim = Trim::Border { color: None, tolerance: 0, keep: 0 };
    let transform = Transform { width: Some(100), fit: Fit::Contain, trim, ..PNG };
    let upright = oriented(size, Orientation::Upright, bordered(size, [200, 0, 2, 400], [0; 3]));
    let error = make_whole(&upright, &transform).unwrap_err();
    assert_eq!(error, Error::TooLarge { limit: Limit::OutputSide, needed: 20_000, allowed: 8192 });
}

/// The patch that stands out is in the result, whichever way the picture is stored.
#[test]
fn gravity_auto_keeps_what_stands_out() {
    for (size, bounds) in [((640, 160), (40, 40)), ((160, 640), (40, 40)), ((640, 160), (80, 80))] {
        for place in [60, 300, 560] {
            let at = if size.0 > size.1 { (place, 80) } else { (80, place) };
            let pixel = |x: u32, y: u32| {
                let inside = x.abs_diff(at.0) < 24 && y.abs_diff(at.1) < 24;
                if inside { [230, 60, 30] } else { [120, 130, 140] }
            };
            for orientation in Orientation::ALL {
                let source = oriented(size, orientation, pixel);
                let (width, height) = (Some(bounds.0), Some(bounds.1));
                let transform = Transform { width, height, fit: Fit::Cover, gravity: Gravity::Auto, ..PNG };
                let picture = Picture::decode(&thumbnail(&source, &transform).unwrap()).unwrap();
                let places = (0..bounds.1).flat_map(|y| (0..bounds.0).map(move |x| (x, y)));
                let red = places.filter(|(x, y)| picture.pixel(*x, *y).unwrap()[0] > 200).count() as u32;
                let all = 47 * 47 * bounds.0 * bounds.0 / 160 / 160;
                assert!(red * 10 > all * 8, "{size:?} {place} {orientation:?}: {red} of {all} pixels");
            }
        }
    }
}

/// What lies under and around a picture, in each kind of format.
#[test]
fn backgrounds_and_corners() {
    let red = Color { red: 255, green: 0, blue: 0, alpha: 255 };
    let data: Vec<u8> = (0..64 * 64).flat_map(|n| [0, 0, 255, if n % 64 < 32 { 255 } else { 0 }]).collect();
    let half = write_png(png::ColorType::Rgba, (64, 64), &data);
    let blue = write_png(png::ColorType::Rgb, (64, 32), &[0, 0, 255].repeat(64 * 32));
    let square = Transform { width: Some(64), height: Some(64), fit: Fit::Pad, ..PNG };
    let jpeg = |transform| Transform { format: FormatChoice::Jpeg, quality: Some(95), ..transform };
    let with = |background| Transform { background, ..square };
    let half_red = Some(Color { alpha: 128, ..red });
    for (source, transform, place, want) in [
        (&half, PNG, (50, 30), [0, 0, 0, 0]),
        (&half, jpeg(PNG), (50, 30), [255, 255, 255, 255]),
        (&half, with(Some(red)), (50, 30), [255, 0, 0, 255]),
        (&half, with(Some(red)), (10, 30), [0, 0, 255, 255]),
        (&half, with(half_red), (50, 30), [255, 0, 0, 128]),
        (&half, with(half_red), (10, 30), [0, 0, 255, 255]),
        (&half, jpeg(with(half_red)), (50, 30), [255, 127, 127, 255]),
        (&blue, square, (30, 4), [0, 0, 0, 0]),
        (&blue, square, (30, 32), [0, 0, 255, 255]),
        (&blue, jpeg(square), (30, 4), [255, 255, 255, 255]),
        (&blue, jpeg(with(Some(red))), (30, 4), [255, 0, 0, 255]),
        (&blue, with(Some(red)), (30, 60), [255, 0, 0, 255]),
        (&blue, Transform { radius: Radius::Max, ..with(Some(red)) }, (0, 0), [255, 0, 0, 0]),
        (&blue, Transform { radius: Radius::Max, ..with(Some(red)) }, (32, 2), [255, 0, 0, 255]),
        (&blue, jpeg(Transform { radius: Radius::Max, ..square }), (0, 0), [255, 255, 255, 255]),
        (&blue, jpeg(Transform { radius: Radius::Max, ..with(Some(red)) }), (0, 0), [255, 0, 0, 255]),
    ] {
        let picture = Picture::decode(&thumbnail(source, &transform).unwrap()).unwrap();
        let pixel = picture.pixel(place.0, place.1).unwrap();
        let near = pixel.iter().zip(want).all(|(a, b)| a.abs_diff(b) <= 4);
        assert!(near || (pixel[3], want[3]) == (0, 0), "{transform:?} at {place:?}: {pixel:?}");
    }
}

/// The format follows from what was asked to be transparent.
#[test]
fn the_format_follows_the_alpha_of_the_result() {
    let auto = Transform { format: FormatChoice::Auto { webp: false }, ..PNG };
    let white = Some(Color::WHITE);
    for (path, transform, want) in [
        ("landscape.jpg", Transform { radius: Radius::Pixels(9), ..auto }, Format::Png),
        ("landscape.jpg", Transform { width: Some(9), height: Some(9), fit: Fit::Pad, ..auto }, Format::Jpeg),
        ("alpha.png", Transform { background: white, ..auto }, Format::Jpeg),
        ("alpha.png", auto, Format::Png),
        (
            "alpha.png",
            Transform { background: Some(Color { alpha: 9, ..Color::WHITE }), ..auto },
            Format::Png,
        ),
    ] {
        let plan =
            Plan::new(&header(&sample(path)).unwrap(), &transform, &Limits::default(), Input::default());
        assert_eq!(plan.unwrap().output().format, want, "{path} {transform:?}");
    }
}

#[test]
fn trimming_everything_is_refused_before_it_starts() {
    let source = sample("landscape.jpg");
    let transform = Transform { trim: Trim::Sides(lengths(0, 1000, 0, 920)), ..PNG };
    let refused = make_whole(&source, &transform).map(|(_, done)| done);
    assert_eq!(refused, Err(Error::NothingLeft { width: 1920, height: 1280 }));
}

/// How bytes arrive and what memory held changes nothing, whatever is asked.
#[test]
fn every_option_is_the_same_in_pieces() {
    let border = Border { color: Color::BLACK, widths: sides(3, 2, 1, 0) };
    let found = Trim::Border { color: None, tolerance: 30, keep: 1 };
    let transforms = [
        Transform { width: Some(60), height: Some(60), fit: Fit::Cover, gravity: Gravity::Auto, ..PNG },
        Transform { width: Some(99), trim: found, gravity: Gravity::Auto, ..PNG },
        Transform {
            width: Some(60),
            height: Some(60),
            trim: found,
            fit: Fit::Cover,
            gravity: Gravity::Auto,
            ..PNG
        },
        Transform { width: Some(70), height: Some(90), fit: Fit::Pad, border, radius: Radius::Max, ..PNG },
        Transform { width: Some(70), turn: Orientation::Transversed, background: Some(Color::BLACK), ..PNG },
        Transform { width: Some(100), speed: Speed::Fast, format: FormatChoice::Jpeg, border, ..PNG },
    ];
    let mut random = Random(3);
    for path in [
        "landscape.jpg",
        "grey.jpg",
        "orientation-6.jpg",
        "alpha.png",
        "deep-alpha.png",
        "interlaced.png",
        "bits-1.png",
        "photo.webp",
        "transparent.gif",
        "broken/truncated.png",
        "broken/truncated.jpg",
    ] {
        let source = sample(path);
        for transform in &transforms {
            let whole = make_whole(&source, transform);
            assert!(whole.is_ok(), "{path} {transform:?}: {whole:?}");
            for dirt in [0, 0xa5] {
                let feed = Feed { dirt, moving: true, ..Feed::PIECES };
                let pieces = make(&source, transform, feed, || 1 + random.below(60_000));
                assert!(pieces == whole, "{path} {transform:?}");
            }
        }
    }
}
