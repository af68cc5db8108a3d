//! Every kind of file, at every size.

use tintype_core::jpeg::Scale;

use crate::decode::{header, whole};
use crate::tools::{cjpeg, djpeg, jpegtran, ppm};
use crate::twin;

const SIZES: [(usize, usize); 11] =
    [(1, 1), (2, 3), (7, 5), (8, 8), (9, 17), (16, 16), (17, 8), (31, 33), (33, 31), (64, 48), (67, 33)];

const SAMPLINGS: [&str; 15] = [
    "1x1,1x1,1x1",
    "2x1,1x1,1x1",
    "1x2,1x1,1x1",
    "2x2,1x1,1x1",
    "4x1,1x1,1x1",
    "1x4,1x1,1x1",
    "4x2,1x1,1x1",
    "2x4,1x1,1x1",
    "2x2,2x1,1x2",
    "1x1,2x2,1x1",
    "1x1,2x1,2x1",
    "3x1,1x1,1x1",
    "1x3,1x1,1x1",
    "3x2,1x2,1x1",
    "2x1,1x2,1x1",
];

const QUALITIES: [u32; 12] = [1, 5, 10, 25, 40, 50, 65, 75, 82, 90, 95, 100];

const RESTARTS: [&str; 4] = ["", "-restart 1B", "-restart 7B", "-restart 1"];

/// The files: each size with each sampling, qualities and restart intervals in turn; the tables standard or made
/// to measure.
fn cases() -> impl Iterator<Item = (String, Vec<u8>)> {
    let sizes = SIZES.iter().enumerate();
    let all = sizes
        .flat_map(|(n, size)| SAMPLINGS.iter().enumerate().map(move |(m, sampling)| (n, m, size, sampling)));
    all.map(|(n, m, &(width, height), sampling)| {
        let turn = n * SAMPLINGS.len() + m;
        let quality = QUALITIES[(n * 5 + m * 7) % QUALITIES.len()];
        let restart = RESTARTS[(n + m) % RESTARTS.len()];
        let tables = ["", "-optimize"][turn / 3 % 2];
        let args = format!("-rgb -quality {quality} -sample {sampling} {restart} {tables}");
        let file = cjpeg(&args, &ppm(width, height, turn as u64));
        (format!("{width}×{height} {args}"), file)
    })
}

/// Every sample within 1 of the twin's at every size, and of `djpeg`'s at full size.
#[test]
fn samples_are_right() {
    let mut judged = 0;
    for (name, file) in cases() {
        judged += usize::from(against_djpeg(&name, &file));
        against_twin(&name, &file);
    }
    assert_eq!(judged, SIZES.len() * SAMPLINGS.len());
}

#[test]
fn grey_files_are_right() {
    for (n, (width, height)) in SIZES.into_iter().enumerate() {
        let quality = QUALITIES[n];
        // Sampling factors mean nothing where there is one component.
        let args = format!("-grayscale -sample 2x2 -quality {quality} {}", RESTARTS[n % 4]);
        let file = cjpeg(&args, &ppm(width, height, 7));
        assert!(against_djpeg(&args, &file));
        against_twin(&args, &file);
    }
}

/// Every quality from 1 to 100.
#[test]
fn every_quality_is_right() {
    for quality in 1..=100 {
        let args = format!("-rgb -quality {quality} -sample 2x2,1x1,1x1");
        let file = cjpeg(&args, &ppm(40, 24, quality));
        assert!(against_djpeg(&args, &file));
    }
}

/// Ratios that are not whole, which libjpeg does not write: a frame put together of grey files, a scan each.
#[test]
fn odd_ratios_are_right() {
    let ratios = [
        [(3, 1), (2, 1), (1, 1)],
        [(4, 2), (3, 1), (2, 2)],
        [(2, 3), (3, 2), (1, 1)],
        [(1, 1), (4, 3), (3, 4)],
    ];
    for (width, height) in [(1, 1), (17, 9), (67, 33), (100, 61)] {
        for factors in ratios {
            let max = |of: fn(&(usize, usize)) -> usize| factors.iter().map(of).max().unwrap();
            let (h_max, v_max) = (max(|f| f.0), max(|f| f.1));
            let greys = factors.map(|(h, v)| {
                let size = ((width * h).div_ceil(h_max), (height * v).div_ceil(v_max));
                cjpeg("-grayscale -quality 85", &ppm(size.0, size.1, (h * 7 + v) as u64))
            });
            let file = assembled((width, height), &factors, &greys);
            for scale in Scale::ALL {
                let got = whole(&file, scale).unwrap();
                assert_eq!(got.damage, None);
                for (n, grey) in greys.iter().enumerate() {
                    assert!(against_djpeg("a grey file", grey));
                    let want = whole(grey, scale).unwrap();
                    assert_eq!(got.planes[n], want.planes[0], "{width}×{height} {factors:?} {scale:?}");
                }
            }
        }
    }
}

/// One file of three grey ones with the same tables.
fn assembled((width, height): (usize, usize), factors: &[(usize, usize)], greys: &[Vec<u8>]) -> Vec<u8> {
    let find = |file: &[u8], marker: u8| file.windows(2).position(|pair| pair == [0xff, marker]).unwrap();
    let frame = find(&greys[0], 0xc0);
    let scan = find(&greys[0], 0xda);
    let mut file = greys[0][..frame].to_vec();
    file.extend([0xff, 0xc0, 0, 17, 8]);
    file.extend((height as u16).to_be_bytes());
    file.extend((width as u16).to_be_bytes());
    file.push(3);
    for (n, (h, v)) in (1..).zip(factors) {
        file.extend([n, (h << 4 | v) as u8, 0]);
    }
    // Past the grey file's own frame header, of one component: the Huffman tables.
    file.extend(&greys[0][frame + 13..scan]);
    for (n, grey) in (1..).zip(greys) {
        let scan = find(grey, 0xda);
        file.extend([0xff, 0xda, 0, 8, 1, n]);
        file.extend(&grey[scan + 6..grey.len() - 2]);
    }
    file.extend([0xff, 0xd9]);
    file
}

/// Progressive, one scan a component, and what other scripts there are: the planes of the sequential file with the
/// same coefficients.
#[test]
fn all_orders_of_scans_give_the_same() {
    let dir = tempdir();
    let scripts = [
        ("components", "0;\n1;\n2;\n"),
        ("pairs", "0 1;\n2;\n"),
        ("spectral", "0,1,2: 0-0, 0, 0;\n0: 1-5, 0, 0;\n2: 1-63, 0, 0;\n1: 1-63, 0, 0;\n0: 6-63, 0, 0;\n"),
        (
            "dc-each",
            "0: 0-0, 0, 1;\n1: 0-0, 0, 1;\n2: 0-0, 0, 1;\n0: 1-63, 0, 2;\n1: 1-63, 0, 0;\n2: 1-63, 0, 0;\n\
          0: 1-63, 2, 1;\n0: 1-63, 1, 0;\n0: 0-0, 1, 0;\n1: 0-0, 1, 0;\n2: 0-0, 1, 0;\n",
        ),
    ];
    let mut turn = 0;
    for (width, height) in [(1, 1), (17, 9), (67, 33), (130, 70)] {
        for sampling in ["1x1,1x1,1x1", "2x2,1x1,1x1", "2x1,1x2,1x1", "1x1,2x2,1x1", "3x1,1x1,1x1"] {
            turn += 1;
            let restart = RESTARTS[turn % 4];
            let args = format!("-quality {} -sample {sampling}", [30, 82, 95][turn % 3]);
            let sequential = cjpeg(&args, &ppm(width, height, turn as u64));
            let mut variants =
                vec![("default".to_owned(), jpegtran(&format!("-progressive {restart}"), &sequential))];
            for (name, script) in scripts {
                let path = dir.join(name);
                std::fs::write(&path, script).unwrap();
                let path = path.to_str().unwrap();
                variants.push((name.to_owned(), jpegtran(&format!("-scans {path} {restart}"), &sequential)));
            }
            for scale in Scale::ALL {
                let want = whole(&sequential, scale).unwrap();
                for (name, file) in &variants {
                    let got = whole(file, scale).unwrap();
                    assert_eq!(got.damage, None, "{name} {restart} {args}");
                    assert_eq!(got.planes, want.planes, "{name} {restart} {args} {scale:?}");
                }
            }
        }
    }
}

fn tempdir() -> std::path::PathBuf {
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("jpeg-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

/// Whether `djpeg` decodes the file; if so, the planes are its.
fn against_djpeg(name: &str, file: &[u8]) -> bool {
    let Some(pixels) = djpeg(file) else { return false };
    let (header, jpeg) = header(file).unwrap();
    let decoded = whole(file, Scale::Full).unwrap();
    assert_eq!(decoded.damage, None, "{name}");
    let components = jpeg.components();
    let max = jpeg.max_sampling();
    let (width, height) = (header.width as usize, header.height as usize);
    assert_eq!(pixels.len(), width * height * components.len(), "{name}");
    for (n, factors) in components.iter().enumerate() {
        for (at, pixel) in pixels.chunks(components.len()).enumerate() {
            let x = at % width * usize::from(factors.horizontal) / usize::from(max.horizontal);
            let y = at / width * usize::from(factors.vertical) / usize::from(max.vertical);
            let (ours, theirs) = (decoded.sample(n, x, y), pixel[n]);
            assert!(ours.abs_diff(theirs) <= 1, "{name}: {ours} for {theirs} at {x}, {y} of component {n}");
        }
    }
    true
}

fn against_twin(name: &str, file: &[u8]) {
    let twin = twin::decode(file);
    let (header, _) = header(file).unwrap();
    let (h_max, v_max) = (
        twin.iter().map(|component| component.factors.0).max().unwrap(),
        twin.iter().map(|component| component.factors.1).max().unwrap(),
    );
    for scale in Scale::ALL {
        let side = scale.block_side() as usize;
        let decoded = whole(file, scale).unwrap();
        assert_eq!(decoded.damage, None, "{name}");
        for (n, component) in twin.iter().enumerate() {
            let (plane, _) = decoded.planes[n];
            let size = |all: u32, factor: usize, max: usize| {
                (all as usize * factor).div_ceil(max).wrapping_mul(side).div_ceil(8)
            };
            let (width, height) = (
                size(header.width, component.factors.0, h_max),
                size(header.height, component.factors.1, v_max),
            );
            assert_eq!((plane.width as usize, plane.height as usize), (width, height), "{name} {scale:?}");
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let (fast, slow) = (decoded.sample(n, x, y), component.sample(side, x, y));
                let near = (f64::from(fast) - slow).abs() <= 1.0;
                assert!(near, "{name}: {fast} for {slow} at {x}, {y} of component {n} at {scale:?}");
            }
        }
    }
}
