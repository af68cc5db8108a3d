//! Files as the world has them: what browsers show is shown, and what is wrong is told.

use tintype_core::jpeg::Scale;
use tintype_core::{Error, Format, JpegColor};

use crate::decode::{header, whole};
use crate::tools::{cjpeg, jpegtran, ppm};

/// Where the first segment with this marker begins, and its length with the marker.
fn segment(file: &[u8], marker: u8) -> (usize, usize) {
    let mut at = 2;
    loop {
        let len = 2 + usize::from(file[at + 2]) * 256 + usize::from(file[at + 3]);
        if file[at + 1] == marker {
            return (at, len);
        }
        at += len;
    }
}

/// Where each marker of these stands in the entropy-coded data.
fn markers(file: &[u8], wanted: impl Fn(u8) -> bool) -> Vec<usize> {
    (segment(file, 0xda).0..file.len() - 1).filter(|&at| file[at] == 0xff && wanted(file[at + 1])).collect()
}

const fn is_restart(code: u8) -> bool {
    matches!(code, 0xd0..=0xd7)
}

#[test]
fn oddities_that_harm_nothing() {
    let file = cjpeg("-quality 80 -restart 2", &ppm(70, 50, 1));
    let want = whole(&file, Scale::Full).unwrap();
    let (sos, sos_len) = segment(&file, 0xda);
    let insert = |at: usize, bytes: &[u8]| [&file[..at], bytes, &file[at..]].concat();
    let mut odd = vec![
        ("no end marker", file[..file.len() - 2].to_vec()),
        ("another file after the end", [&file[..], &cjpeg("-grayscale", &ppm(9, 9, 2))].concat()),
        ("zeros after the end", [&file[..], &[0; 1000]].concat()),
        ("fill bytes", insert(sos, &[0xff; 5])),
        ("bytes between segments", insert(sos, &[1, 2, 3, 0xff, 0])),
        ("a restart marker between segments", insert(sos, &[0xff, 0xd3])),
        ("an application segment shorter than it says", insert(2, &[0xff, 0xe5, 0, 4, 1, 2, 3, 4, 5, 6])),
        ("a comment", insert(sos, &[0xff, 0xfe, 0, 6, 0xff, 0xd9, 0xff, 0xda])),
    ];
    let mut phone = file.clone();
    phone[sos + sos_len - 3..sos + sos_len].copy_from_slice(&[1, 5, 0x21]);
    odd.push(("wrong scan parameters", phone));
    let mut named = file.clone();
    for n in 0..3 {
        named[sos + 5 + 2 * n] = 77;
    }
    odd.push(("components under wrong names in the scan", named));
    let mut mjpeg = file.clone();
    while let Some(at) = (0..segment(&mjpeg, 0xda).0).find(|&at| mjpeg[at] == 0xff && mjpeg[at + 1] == 0xc4) {
        let len = 2 + usize::from(mjpeg[at + 2]) * 256 + usize::from(mjpeg[at + 3]);
        mjpeg.drain(at..at + len);
    }
    odd.push(("no Huffman tables, as in Motion JPEG", mjpeg));
    let filled = markers(&file, is_restart).into_iter().rev().fold(file.clone(), |mut file, at| {
        file.insert(at, 0xff);
        file
    });
    odd.push(("fill bytes before restart markers", filled));
    for (name, file) in odd {
        let got = whole(&file, Scale::Full).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(got.planes, want.planes, "{name}");
        assert_eq!(got.damage, None, "{name}");
    }
}

/// A file that ends too soon is the picture up to there, and grey.
#[test]
fn truncated_tails() {
    let picture = ppm(160, 160, 3);
    for args in ["-quality 80", "-quality 80 -restart 1", "-quality 80 -sample 1x1,1x1,1x1 -restart 3B"] {
        let file = cjpeg(args, &picture);
        let want = whole(&file, Scale::Full).unwrap();
        let start = segment(&file, 0xda).0;
        for share in [30, 50, 70, 95] {
            let cut = &file[..start + (file.len() - start) * share / 100];
            let got = whole(cut, Scale::Full).unwrap();
            assert_eq!(
                got.damage,
                Some(Error::Truncated { format: Some(Format::Jpeg) }),
                "{args}, {share} %"
            );
            assert_eq!(got.bytes_used, cut.len() as u64);
            let (a, b) = (&got.planes[0].1, &want.planes[0].1);
            let same = a.iter().zip(b).take_while(|(a, b)| a == b).count() / 160;
            assert!(same >= 8 && same < 160, "{args}, {share} %: {same} rows");
            assert!(
                a[159 * 160 + 150..].iter().all(|&sample| sample == 128),
                "{args}, {share} %: the last is grey"
            );
        }
        let head = whole(&file[..start + 14], Scale::Full);
        assert_eq!(head, Err(Error::Truncated { format: Some(Format::Jpeg) }), "nothing to show");
    }
}

/// What libjpeg does at each restart marker: as many units as it loses are lost, the others are in place.
#[test]
fn restart_markers_bring_the_picture_back() {
    // 10 × 10 MCUs of 16×16, an interval a row.
    let file = cjpeg("-quality 80 -restart 1", &ppm(160, 160, 4));
    let want = whole(&file, Scale::Full).unwrap();
    let restarts = markers(&file, is_restart);
    assert_eq!(restarts.len(), 9);
    let rows = |got: &crate::decode::Decoded, mcu_rows: core::ops::Range<usize>| {
        got.planes[0].1[mcu_rows.start * 16 * 160..mcu_rows.end * 16 * 160].to_vec()
    };
    let grey = |samples: &[u8]| samples.iter().all(|&sample| sample == 128);

    // The fourth interval is gone, with the marker before it.
    let mut lost = file.clone();
    lost.drain(restarts[2]..restarts[3]);
    let got = whole(&lost, Scale::Full).unwrap();
    assert!(got.damage.is_some());
    assert!(grey(&rows(&got, 3..4)));
    assert_eq!([rows(&got, 0..3), rows(&got, 4..10)], [rows(&want, 0..3), rows(&want, 4..10)]);

    // Two are gone.
    let mut lost = file.clone();
    lost.drain(restarts[2]..restarts[4]);
    let got = whole(&lost, Scale::Full).unwrap();
    assert!(grey(&rows(&got, 3..5)));
    assert_eq!([rows(&got, 0..3), rows(&got, 5..10)], [rows(&want, 0..3), rows(&want, 5..10)]);

    // One is there twice.
    let mut twice = file.clone();
    let interval = file[restarts[2]..restarts[3]].to_vec();
    twice.splice(restarts[3]..restarts[3], interval);
    let got = whole(&twice, Scale::Full).unwrap();
    assert!(got.damage.is_some());
    assert_eq!(got.planes, want.planes);

    // Half of one is gone: the rest of its row is grey.
    let mut half = file.clone();
    half.drain((restarts[2] + restarts[3]) / 2..restarts[3]);
    let got = whole(&half, Scale::Full).unwrap();
    let sample = Error::Malformed { format: Format::Jpeg, offset: 0, what: "" };
    assert_eq!(std::mem::discriminant(&got.damage.unwrap()), std::mem::discriminant(&sample));
    assert_eq!([rows(&got, 0..3), rows(&got, 4..10)], [rows(&want, 0..3), rows(&want, 4..10)]);
    assert_eq!(got.planes[0].1[4 * 16 * 160 - 1], 128);

    // Bytes that do not belong there.
    let mut noise = file.clone();
    noise.splice(restarts[5]..restarts[5], [7; 40]);
    let got = whole(&noise, Scale::Full).unwrap();
    assert!(got.damage.is_some());
    assert_eq!(got.planes, want.planes);
}

#[test]
fn a_missing_component_is_grey() {
    let script =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("scans-{}", std::process::id()));
    std::fs::write(&script, "0;\n1;\n2;\n").unwrap();
    let file = jpegtran(&format!("-scans {}", script.display()), &cjpeg("-quality 80", &ppm(40, 40, 5)));
    let want = whole(&file, Scale::Half).unwrap();
    let scans = markers(&file, |code| code == 0xda);
    let cut = &file[..scans[2]];
    let got = whole(cut, Scale::Half).unwrap();
    assert!(got.damage.is_some());
    assert_eq!(got.planes[..2], want.planes[..2]);
    assert!(got.planes[2].1.iter().all(|&sample| sample == 128));
}

#[test]
fn what_is_not_decoded_is_named() {
    let picture = ppm(20, 20, 6);
    let file = cjpeg("-quality 80", &picture);
    let (sof, _) = segment(&file, 0xc0);
    let with = |at: usize, byte: u8| {
        let mut file = file.clone();
        file[at] = byte;
        file
    };
    let mut no_height = file.clone();
    no_height[sof + 5..sof + 7].fill(0);
    let files = [
        ("arithmetic coding", cjpeg("-arithmetic", &picture)),
        ("lossless coding", with(sof + 1, 0xc3)),
        ("hierarchical coding", with(sof + 1, 0xc5)),
        ("samples of 12 bits", with(sof + 4, 12)),
        ("a height given after the picture (DNL)", no_height),
    ];
    for (name, file) in files {
        match whole(&file, Scale::Full) {
            Err(Error::Unsupported { format: Some(Format::Jpeg), what }) => assert_eq!(what, name),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn what_cannot_be_decoded_says_where() {
    let file = cjpeg("-quality 80", &ppm(20, 20, 6));
    let (dqt, dqt_len) = segment(&file, 0xdb);
    let (dht, _) = segment(&file, 0xc4);
    let (sos, _) = segment(&file, 0xda);
    let change = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut file = file.clone();
        change(&mut file);
        file
    };
    let files = [
        ("a quantization table is missing", change(&|file| drop(file.drain(dqt..dqt + dqt_len)))),
        (
            "a Huffman table has more codes than there are, or none",
            change(&|file| {
                // One of the longest codes becomes one of the shortest.
                file[dht + 5] += 3;
                file[dht + 12] -= 1;
                file[dht + 13] -= 1;
                file[dht + 11] -= 1;
            }),
        ),
        ("a Huffman table is missing", change(&|file| file[sos + 6] = 0x22)),
        ("a scan header has not 1 to 4 components", change(&|file| file[sos + 4] = 0)),
    ];
    for (name, file) in files {
        match whole(&file, Scale::Full) {
            Err(Error::Malformed { format: Format::Jpeg, offset, what }) => {
                assert_eq!(what, name);
                assert!(offset > 0 && offset < file.len() as u64, "{name}: byte {offset}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

/// The colour spaces as libjpeg tells them.
#[test]
fn colour_spaces() {
    let picture = ppm(20, 20, 6);
    let color = |file: &[u8]| header(file).unwrap().1.color;
    let rgb = cjpeg("-rgb", &picture);
    assert_eq!(color(&rgb), JpegColor::Rgb);
    assert_eq!(color(&cjpeg("", &picture)), JpegColor::YCbCr);
    assert_eq!(color(&cjpeg("-grayscale", &picture)), JpegColor::Grey);
    // Without the Adobe segment the names say it; under other names it would be YCbCr.
    let (adobe, len) = segment(&rgb, 0xee);
    let mut bare = rgb.clone();
    bare.drain(adobe..adobe + len);
    assert_eq!(color(&bare), JpegColor::Rgb);
    let (sof, _) = segment(&bare, 0xc0);
    bare[sof + 10] = 1;
    assert_eq!(color(&bare), JpegColor::YCbCr);
    // With JFIF it is YCbCr whatever else is said.
    let jfif = [&rgb[..2], &[0xff, 0xe0, 0, 7], b"JFIF\0", &rgb[2..]].concat();
    assert_eq!(color(&jfif), JpegColor::YCbCr);
}
