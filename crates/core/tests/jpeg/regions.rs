//! A region's samples are those of the whole picture, and what lies below it is not read.

use tintype_core::jpeg::{Region, Scale};

use crate::decode::{pieces, whole};
use crate::tools::{cjpeg, jpegtran, ppm};

#[test]
fn regions_are_parts_of_the_whole() {
    let picture = ppm(211, 157, 3);
    let interleaved = cjpeg("-quality 85", &picture);
    let script =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("script-{}", std::process::id()));
    std::fs::write(&script, "0;\n1;\n2;\n").unwrap();
    let files = [
        ("of components", jpegtran(&format!("-scans {}", script.display()), &interleaved)),
        ("restarts", cjpeg("-quality 85 -restart 5B", &picture)),
        ("progressive", jpegtran("-progressive", &interleaved)),
        ("wide", cjpeg("-quality 85 -sample 4x1,2x1,1x1", &picture)),
        ("interleaved", interleaved),
    ];
    let regions = [
        Region { left: 0, top: 0, width: 1, height: 1 },
        Region { left: 50, top: 40, width: 60, height: 33 },
        Region { left: 210, top: 156, width: 1, height: 1 },
        Region { left: 0, top: 100, width: 500, height: 20 },
        Region { left: 16, top: 0, width: 16, height: 157 },
    ];
    for (name, file) in &files {
        for scale in Scale::ALL {
            let all = whole(file, scale).unwrap();
            for region in regions {
                let part = pieces(file, scale, region, || 1000, 0xaa).unwrap();
                assert_eq!(part.damage, None);
                for (n, (plane, _)) in part.planes.iter().enumerate() {
                    assert!(plane.width > 0 && plane.height > 0);
                    for (x, y) in (0..plane.height).flat_map(|y| (0..plane.width).map(move |x| (x, y))) {
                        let want = all.sample(n, (plane.left + x) as usize, (plane.top + y) as usize);
                        let got = part.sample(n, x as usize, y as usize);
                        assert_eq!(got, want, "{name} {scale:?} {region:?} at {x}, {y} of component {n}");
                    }
                    // It holds the region.
                    let (whole_plane, _) = all.planes[n];
                    let scaled =
                        |at: u32, of: u32, to: u32| (u64::from(at) * u64::from(to) / u64::from(of)) as u32;
                    let right = scaled((region.left + region.width).min(211), 211, whole_plane.width);
                    let bottom = scaled((region.top + region.height).min(157), 157, whole_plane.height);
                    assert!(plane.left <= scaled(region.left, 211, whole_plane.width));
                    assert!(plane.left + plane.width >= right && plane.top + plane.height >= bottom);
                }
            }
        }
    }
}

/// The file is left after the last row that is wanted, and no sooner than it must be.
#[test]
fn rows_below_are_not_read() {
    let file = cjpeg("-quality 85", &ppm(400, 400, 4));
    let used = |height| {
        let region = Region { left: 0, top: 0, width: 400, height };
        pieces(&file, Scale::Quarter, region, || 100, 0).unwrap().bytes_used
    };
    assert_eq!(used(400), file.len() as u64 - 2, "all but the end marker");
    let (quarter, half) = (used(100), used(200));
    assert!(quarter < half && half < file.len() as u64 * 3 / 5, "{quarter}, {half} of {}", file.len());
    // 25 MCUs in a row: the same bytes, cut there, give the same region without damage.
    let region = Region { left: 0, top: 0, width: 400, height: 100 };
    let part = pieces(&file, Scale::Quarter, region, || 100, 0).unwrap();
    let cut = pieces(&file[..quarter as usize], Scale::Quarter, region, || 100, 0).unwrap();
    assert_eq!(cut, part);
}
