//! The sample pictures are what the list says they are, judged by decoders that did not write them.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot read its samples has failed")]

use std::path::PathBuf;
use std::sync::OnceLock;
use std::{env, fs};

use tintype_tests::picture::Picture;
use tintype_tests::samples::{self, Sample};

/// A folder of samples that all tests of this file share.
fn folder() -> (PathBuf, Vec<Sample>) {
    static FOLDER: OnceLock<(PathBuf, Vec<Sample>)> = OnceLock::new();
    FOLDER
        .get_or_init(|| {
            let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("samples");
            let samples = samples::write_all(&dir).unwrap();
            (dir, samples)
        })
        .clone()
}

fn read(path: &str) -> Vec<u8> {
    let (dir, _) = folder();
    fs::read(dir.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn every_good_sample_decodes_as_listed() {
    let (_, samples) = folder();
    for Sample { path, picture } in samples {
        let Some(stated) = picture else { continue };
        let decoded = Picture::decode(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        let turned = ["5", "6", "7", "8"].iter().any(|o| path == format!("orientation-{o}.jpg"));
        let turned = turned || path == "oriented.png";
        let upright = if turned { (decoded.height, decoded.width) } else { (decoded.width, decoded.height) };
        assert_eq!(upright, (stated.width, stated.height), "{path}");
        assert_eq!(decoded.format, stated.format, "{path}");
        assert_eq!(decoded.alpha, stated.alpha, "{path}");
    }
}

#[test]
fn every_sample_is_in_the_folder_and_nothing_else_is() {
    let (dir, samples) = folder();
    let mut found = Vec::new();
    let mut folders = vec![dir.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(&dir).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.retain(|name| !name.starts_with('.'));
    found.sort_unstable();
    let mut listed: Vec<_> = samples.iter().map(|sample| sample.path).collect();
    listed.sort_unstable();
    assert_eq!(found, listed);
}

#[test]
fn jpegs_have_the_process_their_names_promise() {
    for (path, marker, components) in [
        ("landscape.jpg", 0xc0, 3),
        ("landscape-progressive.jpg", 0xc2, 3),
        ("grey.jpg", 0xc0, 1),
        ("cmyk.jpg", 0xc0, 4),
        ("ycck.jpg", 0xc0, 4),
        ("broken/arithmetic.jpg", 0xc9, 3),
        ("broken/lossless.jpg", 0xc3, 3),
        ("broken/twelve-bit.jpg", 0xc1, 3),
    ] {
        let frame = frame_header(&read(path));
        assert_eq!((frame[1], frame[9]), (marker, components), "{path}");
    }
    assert_eq!(frame_header(&read("landscape.jpg"))[11], 0x22, "4:2:0");
    assert_eq!(frame_header(&read("landscape-444.jpg"))[11], 0x11, "4:4:4");
    assert_eq!(frame_header(&read("broken/twelve-bit.jpg"))[4], 12);
}

/// The first segment that is a frame header, from its marker on.
fn frame_header(file: &[u8]) -> Vec<u8> {
    let mut at = 2;
    while !(0xc0..=0xcf).contains(&file[at + 1]) || file[at + 1] == 0xc4 {
        at += 2 + usize::from(u16::from_be_bytes([file[at + 2], file[at + 3]]));
    }
    file[at..].to_vec()
}

#[test]
fn each_stored_card_has_red_where_its_orientation_puts_the_upright_corner() {
    // Where the upright picture's top left lies in the stored one: left or right, top or bottom.
    let places = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0), (0, 1), (1, 1), (1, 0)];
    for (orientation, (right, bottom)) in (1..).zip(places) {
        let picture = Picture::decode(&read(&format!("orientation-{orientation}.jpg"))).unwrap();
        let x = if right == 1 { picture.width - 5 } else { 4 };
        let y = if bottom == 1 { picture.height - 5 } else { 4 };
        let [red, green, blue, _] = picture.pixel(x, y).unwrap();
        assert!(red > 200 && green < 60 && blue < 60, "{orientation}: {:?}", (red, green, blue));
    }
}

#[test]
fn a_new_folder_is_filled_with_the_same_once() {
    let (one, _) = folder();
    let two = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("samples-twin");
    fs::remove_dir_all(&two).or_else(|error| if two.exists() { Err(error) } else { Ok(()) }).unwrap();
    let samples = samples::write_all(&two).unwrap();
    for Sample { path, .. } in &samples {
        // The first folder may be from an earlier run: samples that changed need a new version.
        assert_eq!(fs::read(one.join(path)).unwrap(), fs::read(two.join(path)).unwrap(), "{path}");
    }
    fs::remove_file(two.join("pixel.png")).unwrap();
    assert_eq!(samples::write_all(&two).unwrap(), samples);
    assert!(!two.join("pixel.png").exists(), "a second start of the same version writes nothing");
    fs::remove_dir_all(&two).unwrap();
}
