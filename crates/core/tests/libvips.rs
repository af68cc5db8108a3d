//! Sizes and colours against libvips, which half the web's thumbnails come from: `vipsthumbnail` makes each of them too.
//!
//! The program must be installed (Debian's `libvips-tools`; `cargo xtask test` sees to it).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on must say so")]

mod common;

use std::process::Command;

use common::{header, sample, samples};
use tintype_core::{Fit, FormatChoice, Transform, thumbnail};
use tintype_tests::picture::Picture;

/// A size as `vipsthumbnail` is told it, with its further arguments, and as we are.
fn sizes() -> Vec<(&'static str, &'static [&'static str], Transform)> {
    let of = |width: u32, height: u32, fit| Transform {
        width: Some(width).filter(|side| *side > 0),
        height: Some(height).filter(|side| *side > 0),
        fit,
        format: FormatChoice::Png,
        ..Transform::DEFAULT
    };
    vec![
        ("240x240>", &[], of(240, 240, Fit::ScaleDown)),
        ("240x", &[], of(240, 0, Fit::Contain)),
        ("x172", &[], of(0, 172, Fit::Contain)),
        ("97x63", &[], of(97, 63, Fit::Contain)),
        ("1000x777", &[], of(1000, 777, Fit::Contain)),
        ("5000x5000>", &[], of(5000, 5000, Fit::ScaleDown)),
        ("120x90!", &[], of(120, 90, Fit::Squeeze)),
        ("120x120", &["--smartcrop", "centre"], of(120, 120, Fit::Cover)),
        ("64x200", &["--smartcrop", "centre"], of(64, 200, Fit::Cover)),
    ]
}

const SOURCES: [&str; 14] = [
    "landscape.jpg",
    "landscape-progressive.jpg",
    "landscape-444.jpg",
    "portrait.jpg",
    "grey.jpg",
    "orientation-2.jpg",
    "orientation-3.jpg",
    "orientation-5.jpg",
    "orientation-6.jpg",
    "orientation-8.jpg",
    "graphic.png",
    "alpha.png",
    "bits-1.png",
    "photo.webp",
];

/// Mean of each sample, colours multiplied by alpha.
fn mean(picture: &Picture) -> [f64; 4] {
    let mut sums = [0.0; 4];
    for y in 0..picture.height {
        for x in 0..picture.width {
            let [r, g, b, a] = picture.pixel(x, y).unwrap().map(f64::from);
            for (sum, sample) in sums.iter_mut().zip([r * a / 255.0, g * a / 255.0, b * a / 255.0, a]) {
                *sum += sample;
            }
        }
    }
    sums.map(|sum| sum / (f64::from(picture.width) * f64::from(picture.height)))
}

#[test]
fn sizes_are_equal_and_colours_within_a_level() {
    let dir = samples().0;
    let theirs = dir.join("theirs.png");
    let mut problems = Vec::new();
    for path in SOURCES {
        let source = sample(path);
        assert!(header(&source).is_ok(), "{path}");
        for (size, more, transform) in sizes() {
            let output = format!("{}[strip]", theirs.display());
            let ran = Command::new("vipsthumbnail")
                .arg(dir.join(path))
                .args(["--size", size, "--output", &output])
                .args(more)
                .output()
                .expect("vipsthumbnail must be installed: apt-get install libvips-tools");
            assert!(ran.status.success(), "{path} {size}: {}", String::from_utf8_lossy(&ran.stderr));
            let theirs = Picture::decode(&std::fs::read(&theirs).unwrap()).unwrap();
            let ours = Picture::decode(&thumbnail(&source, &transform).unwrap()).unwrap();
            if (ours.width, ours.height) != (theirs.width, theirs.height) {
                let sizes = (ours.width, ours.height, theirs.width, theirs.height);
                problems.push(format!("{path} {size}: {sizes:?}"));
                continue;
            }
            let (a, b) = (mean(&ours), mean(&theirs));
            if a.iter().zip(b).any(|(a, b)| (a - b).abs() > 1.0) {
                problems.push(format!("{path} {size}: means {a:.1?} and {b:.1?}"));
            }
        }
    }
    assert!(problems.is_empty(), "ours and libvips's:\n{}", problems.join("\n"));
}
