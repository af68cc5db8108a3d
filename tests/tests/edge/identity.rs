//! The origin and the Worker give the same answers, to the byte, in every format that both can write.

#![allow(clippy::unwrap_used, reason = "a broken test must be loud")]

use tintype_tests::edge::Codec;
use tintype_tests::samples;

use crate::support::{Origin, Worker, get, sample_dir};

const FORMATS: [&str; 6] =
    ["f=png", "f=jpeg", "f=baseline-jpeg", "f=webp&q=100", "f=webp", "f=webp&q=50&effort=0"];

const SIZES: [&str; 3] = ["w=96", "w=240&h=200&fit=cover&g=top-left", "h=333&dpr=1.5"];

#[test]
fn with_simd128() {
    compare(Codec::Simd);
}

#[test]
fn without_simd128() {
    compare(Codec::Plain);
}

fn compare(codec: Codec) {
    let origin = Origin::start();
    let worker = Worker::start(sample_dir(), codec, &[]);
    let mut compared = 0;
    for sample in samples::list().iter().filter(|sample| sample.picture.is_some()) {
        for target in targets(sample.path) {
            // The origin works while the Worker does: there are two processors.
            let (ours, theirs) = std::thread::scope(|scope| {
                let theirs = scope.spawn(|| get(origin.address, &target));
                (worker.get(&target), theirs.join().unwrap())
            });
            assert_eq!(ours.status, 200, "{target}: {}", ours.text());
            assert_eq!(theirs.status, 200, "{target}: {}", theirs.text());
            for name in ["etag", "content-type", "content-length", "cache-control", "content-disposition"] {
                assert_eq!(ours.header(name), theirs.header(name), "{target}: {name}");
            }
            assert!(ours.body == theirs.body, "{target}: the bodies differ");
            compared += 1;
        }
    }
    println!("{compared} answers are the same");
    assert!(compared > 300, "{compared}");
}

fn targets(path: &str) -> impl Iterator<Item = String> {
    let path = path.replace('%', "%25").replace(' ', "%20").replace('#', "%23");
    let path: String = path
        .bytes()
        .map(|byte| if byte.is_ascii() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    SIZES.into_iter().flat_map(move |size| {
        let path = path.clone();
        FORMATS.into_iter().map(move |format| format!("/img/{path}?{format}&{size}"))
    })
}
