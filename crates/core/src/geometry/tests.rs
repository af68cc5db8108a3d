//! The table of `testdata/geometry.txt`, and what holds for every geometry.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::*;
use crate::{Border, Fit, Length, Speed, Trim};

const TABLE: &str = include_str!("../../testdata/geometry.txt");

const FITS: [(&str, Fit); 7] = [
    ("scale-down", Fit::ScaleDown),
    ("contain", Fit::Contain),
    ("cover", Fit::Cover),
    ("crop", Fit::Crop),
    ("aspect-crop", Fit::AspectCrop),
    ("pad", Fit::Pad),
    ("squeeze", Fit::Squeeze),
];

/// One row: source size, orientation, transform, and what the rest of the line says.
struct Row<'a> {
    stored: (u32, u32),
    orientation: Orientation,
    transform: Transform,
    want: &'a str,
}

fn rows() -> impl Iterator<Item = Row<'static>> {
    TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let [source, options, want] = line.split(" | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let (size, orientation) = source.split_once(' ').unwrap();
        let orientation = Orientation::from_exif(orientation.parse().unwrap()).unwrap();
        Row { stored: pair(size), orientation, transform: transform(options), want }
    })
}

fn pair(text: &str) -> (u32, u32) {
    let (a, b) = text.split_once('x').unwrap();
    (a.parse().unwrap(), b.parse().unwrap())
}

fn transform(options: &str) -> Transform {
    let mut transform = Transform::DEFAULT;
    let (mut flip, mut rotate) = (Orientation::Upright, Orientation::Upright);
    for (key, value) in options.split(' ').filter_map(|option| option.split_once('=')) {
        match key {
            "w" => transform.width = value.parse().ok(),
            "h" => transform.height = value.parse().ok(),
            "dpr" => transform.dpr = Dpr::from_thousandths(number(value, 1000.0)).unwrap(),
            "fit" => transform.fit = FITS.iter().find(|(name, _)| *name == value).unwrap().1,
            "g" => {
                let (x, y) = value.split_once('x').unwrap();
                let part = |text| number(text, 10_000.0);
                transform.gravity = Gravity::Point(FocalPoint { x: part(x), y: part(y) });
            }
            "trim" => {
                let [top, right, bottom, left] = lengths(value).map(Option::unwrap);
                transform.trim = Trim::Sides(Sides { top, right, bottom, left });
            }
            "rect" => {
                let [left, top, width, height] = lengths(value);
                let (left, top) = (left.unwrap(), top.unwrap());
                transform.trim = Trim::Rectangle { left, top, width, height };
            }
            "border" => {
                let widths: Vec<u32> = value.split(';').map(|width| width.parse().unwrap()).collect();
                let [top, right, bottom, left] = widths[..] else { panic!("{value}") };
                transform.border.widths = Sides { top, right, bottom, left };
            }
            "flip" => {
                flip = match value {
                    "h" => Orientation::FlippedHorizontally,
                    "v" => Orientation::FlippedVertically,
                    _ => Orientation::Rotated180,
                }
            }
            "rotate" => {
                rotate = match value {
                    "90" => Orientation::Rotated90,
                    "180" => Orientation::Rotated180,
                    _ => Orientation::Rotated270,
                }
            }
            "speed" => transform.speed = Speed::Fast,
            _ => panic!("{options}"),
        }
    }
    Transform { turn: flip.then(rotate), ..transform }
}

/// A decimal number in units of one over `unit`.
#[expect(clippy::cast_sign_loss, reason = "none is negative")]
fn number(text: &str, unit: f64) -> u16 {
    (text.parse::<f64>().unwrap() * unit + 0.5) as u16
}

fn lengths(text: &str) -> [Option<Length>; 4] {
    let mut parts = text.split(';').map(|part| match part.strip_suffix('%') {
        Some(percent) => Some(Length::Percent(number(percent, 100.0))),
        None if part.is_empty() => None,
        None => Some(Length::Pixels(part.parse().unwrap())),
    });
    core::array::from_fn(|_| parts.next().unwrap())
}

/// What the table says of a geometry, but for the crop, which is compared as numbers.
fn said(geometry: &Geometry, scale: LoadScale) -> String {
    let ((w, h), (width, height)) = (geometry.scaled, geometry.output);
    let place = match geometry.place {
        (0, 0) => String::new(),
        (left, top) => format!(" at {left},{top}"),
    };
    format!("at 1/{} to {w}x{h}, output {width}x{height}{place}", scale.denominator())
}

fn fraction(text: &str) -> f64 {
    let (a, b) = text.split_once('/').unwrap_or((text, "1"));
    a.parse::<f64>().unwrap() / b.parse::<f64>().unwrap()
}

#[test]
fn the_table_holds() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for Row { stored, orientation, transform, want } in rows() {
        count += 1;
        let made = Geometry::new(stored, orientation, &transform);
        let Ok(geometry) = made else {
            assert_eq!(want, "nothing left", "{stored:?} {transform:?}");
            continue;
        };
        let scale = LoadScale::choose(geometry.crop, geometry.scaled, transform.speed);
        let (crop, rest) =
            want.strip_prefix("crop ").and_then(|want| want.split_once(' ')).unwrap_or_default();
        let Crop { left, top, width, height } = geometry.crop;
        let near = |(got, want): (f64, &str)| (got - fraction(want)).abs() < 1e-6;
        let crop_is_right = [left, top, width, height].into_iter().zip(crop.split(',')).all(near);
        if !crop_is_right || said(&geometry, scale) != rest {
            let said = said(&geometry, scale);
            wrong.push(format!(
                "{stored:?} {orientation:?} {transform:?}: want {want}, got {geometry:?} {said}"
            ));
        }
    }
    assert!(count > 600, "{count} rows");
    assert!(wrong.is_empty(), "{} of {count} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// The same numbers on every run (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 40) % u64::from(bound.max(1))) as u32
    }

    /// From 1: small ones often, large ones too.
    fn side(&mut self, most: u32) -> u32 {
        let bits = 1 + self.below(most.ilog2() + 1);
        1 + self.below((1 << bits).min(most))
    }

    fn transform(&mut self) -> Transform {
        let side = |random: &mut Random| (random.below(3) > 0).then(|| random.side(8192));
        let length = |random: &mut Random| match random.below(3) {
            0 => Length::ZERO,
            1 => Length::Pixels(random.below(40)),
            _ => Length::Percent(random.below(6000) as u16),
        };
        Transform {
            width: side(self),
            height: side(self),
            dpr: Dpr::from_thousandths(1000 + self.below(3001) as u16).unwrap(),
            fit: FITS[self.below(7) as usize].1,
            gravity: Gravity::Point(FocalPoint {
                x: self.below(10_001) as u16,
                y: self.below(10_001) as u16,
            }),
            trim: match self.below(4) {
                0 => Trim::Sides(Sides {
                    top: length(self),
                    right: length(self),
                    bottom: length(self),
                    left: length(self),
                }),
                1 => Trim::Rectangle {
                    left: length(self),
                    top: length(self),
                    width: Some(length(self)),
                    height: None,
                },
                _ => Trim::None,
            },
            turn: Orientation::ALL[self.below(8) as usize],
            border: Border {
                widths: Sides { top: self.below(9), left: self.below(3), ..Sides::default() },
                ..Border::NONE
            },
            radius: Radius::Pixels(self.below(100)),
            ..Transform::DEFAULT
        }
    }
}

/// What must hold for whatever is asked of whatever picture.
#[test]
fn every_geometry_is_sound() {
    let mut random = Random(0x7177);
    let mut made = 0;
    for _ in 0..100_000 {
        let stored = (random.side(65_535), random.side(65_535));
        let transform = random.transform();
        let orientation = Orientation::ALL[random.below(8) as usize];
        let Ok(geometry) = Geometry::new(stored, orientation, &transform) else { continue };
        made += 1;
        let context = format!("{stored:?} {orientation:?} {transform:?} {geometry:?}");
        let Geometry { window, crop, scaled, output, place, border, .. } = geometry;
        // Nothing is empty, nothing outside.
        assert!(scaled.0 > 0 && scaled.1 > 0 && crop.width > 0.0 && crop.height > 0.0, "{context}");
        assert!(
            window.left + window.width <= stored.0 && window.top + window.height <= stored.1,
            "{context}"
        );
        let slack = 1e-6;
        assert!(crop.left >= f64::from(window.left) - slack && crop.top >= f64::from(window.top) - slack);
        assert!(crop.left + crop.width <= f64::from(window.left + window.width) + slack, "{context}");
        assert!(crop.top + crop.height <= f64::from(window.top + window.height) + slack, "{context}");
        let turned = swapped_if(geometry.turn.swaps_axes(), scaled);
        assert!(place.0 >= border.left && place.0 + turned.0 + border.right <= output.0, "{context}");
        assert!(place.1 >= border.top && place.1 + turned.1 + border.bottom <= output.1, "{context}");

        // Both sides of the box bound the result; what must not grow does not.
        let bounds = swapped_if(orientation.swaps_axes(), upright_box(&transform));
        if let (Some(width), Some(height)) = bounds {
            assert!(scaled.0 <= width && scaled.1 <= height, "{context}");
            if matches!(transform.fit, Fit::Cover | Fit::Squeeze) {
                assert_eq!(scaled, (width, height), "{context}");
            }
        }
        if matches!(transform.fit, Fit::ScaleDown | Fit::Crop | Fit::AspectCrop) {
            assert!(scaled.0 <= window.width && scaled.1 <= window.height, "{context}");
        }
        // The shape is kept to half a pixel, unless it is distorted or a side would vanish.
        let (width, height) = (f64::from(scaled.0), f64::from(scaled.1));
        let off = (height - width * crop.height / crop.width)
            .abs()
            .min((width - height * crop.width / crop.height).abs());
        let distorted = transform.fit == Fit::Squeeze && bounds.0.is_some() && bounds.1.is_some();
        assert!(off <= 0.5 + slack || distorted || scaled.0 == 1 || scaled.1 == 1, "{off}: {context}");

        // It is read with the margin, or whole.
        let scale = LoadScale::choose(crop, scaled, transform.speed);
        let read = scale.picture(stored).crop(crop);
        assert!(scale == LoadScale::WHOLE || read.width >= 2.0 * width && read.height >= 2.0 * height);

        // Turned upright first, the picture gives the same.
        let upright = swapped_if(orientation.swaps_axes(), stored);
        let same = Geometry::new(upright, Orientation::Upright, &transform).unwrap();
        assert_eq!((same.output, same.place, same.border), (output, place, border), "{context}");
        assert_eq!(swapped_if(orientation.swaps_axes(), same.scaled), scaled, "{context}");
        let again = turn::into_stored(same.crop, stored, orientation);
        let near = |a: f64, b: f64| (a - b).abs() < slack;
        assert!(near(again.left, crop.left) && near(again.top, crop.top), "{again:?} {context}");
    }
    assert!(made > 60_000, "{made}");
}

/// Whatever borders turn out to be, the result is within what was planned for.
#[test]
fn the_bound_holds_for_every_window() {
    let mut random = Random(0xb0);
    for _ in 0..50_000 {
        let stored = (random.side(5000), random.side(5000));
        let orientation = Orientation::ALL[random.below(8) as usize];
        let transform = Transform { trim: Trim::None, ..random.transform() };
        let upright = swapped_if(orientation.swaps_axes(), stored);
        let width = 1 + random.below(upright.0);
        let height = 1 + random.below(upright.1);
        let window = Rect {
            left: random.below(upright.0 - width + 1),
            top: random.below(upright.1 - height + 1),
            width,
            height,
        };
        let max_side = 8192;
        let bound = Geometry::bound(stored, orientation, &transform, max_side);
        let found = Geometry::within(stored, orientation, &transform, window);
        if found.output.0 <= max_side && found.output.1 <= max_side {
            let context = format!("{stored:?} {orientation:?} {transform:?} {window:?}");
            assert!(found.scaled.0 <= bound.scaled.0 && found.scaled.1 <= bound.scaled.1, "{context}");
            assert!(found.output.0 <= bound.output.0 && found.output.1 <= bound.output.1, "{context}");
        }
    }
}

/// Two turns in a row are the one that they make, on every pixel of a picture.
#[test]
fn turns_compose() {
    let turned = |picture: &[u32], (width, height): (usize, usize), turn: Orientation| {
        let Turn { swap, flip_x, flip_y } = Turn::of(turn);
        let (w, h) = swapped_if(swap, (width, height));
        let mut out = Vec::new();
        for y in 0..h {
            for x in 0..w {
                let (x, y) = swapped_if(swap, (x, y));
                let x = if flip_x { width - 1 - x } else { x };
                let y = if flip_y { height - 1 - y } else { y };
                out.push(picture[y * width + x]);
            }
        }
        (out, (w, h))
    };
    let picture: Vec<u32> = (0..6).collect();
    for a in Orientation::ALL {
        for b in Orientation::ALL {
            let (first, size) = turned(&picture, (3, 2), a);
            assert_eq!(turned(&first, size, b), turned(&picture, (3, 2), a.then(b)), "{a:?} {b:?}");
        }
    }
}

#[test]
fn radii_are_at_most_half_the_shorter_side() {
    let of = |radius, dpr, size| {
        let dpr = Dpr::from_thousandths(dpr).unwrap();
        let transform = Transform { dpr, radius, ..Transform::DEFAULT };
        Geometry::new(size, Orientation::Upright, &transform).unwrap().half_radius
    };
    assert_eq!(of(Radius::Pixels(10), 1000, (101, 200)), 20);
    assert_eq!(of(Radius::Pixels(10), 2500, (101, 200)), 50);
    assert_eq!(of(Radius::Pixels(10), 4000, (41, 200)), 41);
    assert_eq!(of(Radius::Max, 1000, (101, 200)), 101);
    assert_eq!(of(Radius::Pixels(u32::MAX), 4000, (3, 3)), 3);
    assert_eq!(of(Radius::NONE, 4000, (3, 3)), 0);
}

/// Sizes too large for `u32` saturate and are refused by limits; nothing overflows.
#[test]
fn enormous_sizes_saturate() {
    let transform = Transform {
        width: Some(u32::MAX),
        fit: Fit::Contain,
        dpr: Dpr::from_thousandths(4000).unwrap(),
        border: Border {
            widths: Sides { top: u32::MAX, right: u32::MAX, bottom: u32::MAX, left: u32::MAX },
            ..Border::NONE
        },
        ..Transform::DEFAULT
    };
    for orientation in Orientation::ALL {
        let geometry = Geometry::new((1, 65_535), orientation, &transform).unwrap();
        assert_eq!(geometry.output, (u32::MAX, u32::MAX), "{}", orientation.exif());
        assert!(!geometry.is_padded());
    }
}
