//! How a file is cut changes nothing.

use tintype_core::jpeg::Scale;

use crate::decode::{EVERYTHING, pieces, whole};
use crate::tools::{Random, cjpeg, jpegtran, ppm};

/// Files of every kind, and damaged ones.
pub(crate) fn files() -> Vec<(&'static str, Vec<u8>)> {
    let picture = ppm(150, 90, 5);
    let baseline = cjpeg("-quality 90", &picture);
    let restarts = cjpeg("-quality 75 -restart 3B", &picture);
    let progressive = cjpeg("-quality 85 -progressive", &picture);
    let mut files = vec![
        ("odd factors", cjpeg("-quality 60 -sample 3x2,1x2,1x1 -optimize", &picture)),
        ("grey", cjpeg("-grayscale -quality 97", &picture)),
        ("two bytes a quantizer", cjpeg("-quality 2", &picture)),
        ("progressive with restarts", jpegtran("-progressive -restart 2", &baseline)),
        ("large", cjpeg("-quality 100 -sample 1x1,1x1,1x1", &ppm(300, 200, 6))),
        ("large, progressive", cjpeg("-quality 100 -progressive", &ppm(300, 200, 6))),
    ];
    for (name, file) in [("baseline", &baseline), ("restarts", &restarts), ("progressive", &progressive)] {
        files.push((name, file.clone()));
        let mut cut = file.clone();
        cut.truncate(file.len() * 3 / 5);
        files.push(("cut off", cut));
        for seed in 0..4 {
            let mut random = Random::new(seed);
            let mut broken = file.clone();
            for _ in 0..5 {
                let at = broken.len() / 2 + random.below(broken.len() / 2);
                broken[at] = [0xff, 0xd2, random.below(256) as u8, 0][random.below(4)];
            }
            files.push(("damaged", broken));
        }
    }
    files
}

/// Planes, damage and where the file was left are the same for every way of cutting it, whatever the workspace
/// held before.
#[test]
fn any_pieces_equal_one_push() {
    for (turn, (name, file)) in files().into_iter().enumerate() {
        for scale in Scale::ALL {
            let want = whole(&file, scale);
            for size in [1, 2, 3, 7, 61, 1000, 5000] {
                if size == 1 && scale != Scale::ALL[turn % 4] {
                    continue; // the slowest: one scale each
                }
                let got = pieces(&file, scale, EVERYTHING, || size, size as u8);
                assert_eq!(got, want, "{name}, {scale:?}, pieces of {size}");
            }
            let mut random = Random::new(turn as u64);
            let got = pieces(&file, scale, EVERYTHING, || random.below(300), 0xff);
            assert_eq!(got, want, "{name}, {scale:?}, pieces of any size");
        }
    }
}
