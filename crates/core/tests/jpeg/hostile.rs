//! Nothing panics, and nothing costs more than its bytes.

use tintype_core::jpeg::Scale;

use crate::decode::{EVERYTHING, pieces, whole};
use crate::pushes::files;
use crate::tools::{Random, cjpeg, ppm};

/// Changed, removed, repeated and inserted bytes anywhere.
#[test]
fn mutations_end_in_a_picture_or_an_error() {
    let mut random = Random::new(11);
    let mut pictures = 0;
    for (_, file) in files().into_iter().filter(|(_, file)| file.len() < 20_000) {
        for turn in 0..60 {
            let mut broken = file.clone();
            for _ in 0..1 + random.below(4) {
                let at = random.below(broken.len());
                let value = [0xff, 0, random.below(256) as u8, 0xc4, 0xda][random.below(5)];
                match random.below(4) {
                    0 => drop(broken.splice(at..(at + random.below(40)).min(broken.len()), [])),
                    1 => broken.insert(at, value),
                    2 => {
                        let part = broken[at..(at + random.below(400)).min(broken.len())].to_vec();
                        broken.splice(at..at, part);
                    }
                    _ => broken[at] = value,
                }
            }
            let small = match crate::decode::header(&broken) {
                // A picture of other size than the file's is the plan's matter.
                Ok((header, _)) => u64::from(header.width) * u64::from(header.height) < 1 << 20,
                Err(_) => continue,
            };
            if small {
                pictures += usize::from(whole(&broken, Scale::ALL[turn % 4]).is_ok());
            }
        }
    }
    assert!(pictures > 200, "{pictures}");
}

/// A progressive file of thousands of scans that hold nothing, or next to nothing: passed over.
#[test]
fn thousands_of_empty_scans() {
    let file = cjpeg("-quality 80 -progressive", &ppm(640, 480, 1));
    let scans = || (0..file.len() - 1).filter(|&at| file[at..at + 2] == [0xff, 0xda]);
    let (first, second) = (scans().next().unwrap(), scans().nth(1).unwrap());
    for data in [&[][..], &[0x55]] {
        let empty = [&[0xff, 0xda, 0, 8, 1, 1, 0x10, 1, 5, 2][..], data].concat();
        let bomb = |at: usize| [&file[..at], &empty.repeat(20_000), &file[at..]].concat();
        let got = whole(&bomb(second), Scale::Full).unwrap();
        assert!(got.damage.is_some());
        // The picture that its first scan makes.
        let want = whole(&[&file[..second], &[0xff, 0xd9]].concat(), Scale::Eighth).unwrap();
        assert_eq!(whole(&bomb(second), Scale::Eighth).unwrap().planes, want.planes);
        let nothing = whole(&bomb(first), Scale::Eighth);
        assert!(data.len() == 1 || nothing.is_err(), "{nothing:?}");
    }
}

/// 64 KB of restart markers, in turn, at random and all alike, in a large picture.
#[test]
fn thousands_of_restart_markers() {
    let mut file = cjpeg("-quality 80 -restart 1B", &ppm(640, 480, 1));
    let sos = file.windows(2).position(|pair| pair == [0xff, 0xda]).unwrap();
    let mut random = Random::new(3);
    for kind in 0..3 {
        file.truncate(sos + 14 + 300);
        for n in 0..32_768 {
            file.extend([0xff, 0xd0 + [n % 8, random.below(8), 5][kind] as u8]);
        }
        let got = whole(&file, Scale::Full).unwrap();
        assert!(got.damage.is_some());
        assert_eq!(*got.planes[0].1.last().unwrap(), 128);
        assert_eq!(pieces(&file, Scale::Full, EVERYTHING, || 999, 1), Ok(got));
    }
}
