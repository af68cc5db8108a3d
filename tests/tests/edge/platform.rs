//! R2 and the Cache API, in miniflare.

#![allow(clippy::unwrap_used, reason = "a broken test must be loud")]

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use tintype_tests::edge::{Codec, Files, Miniflare};
use tintype_tests::http_cases::{Answer, Ask, ask};

use crate::support::{Worker, get, get_with, sample_dir};

const TARGET: &str = "/img/landscape.jpg?w=96&f=png";

fn head(address: SocketAddr, target: &str) -> Answer {
    ask(address, &Ask { method: "HEAD", target, headers: &[] }).unwrap()
}

/// Storing goes on after the answer was sent.
fn settle() {
    thread::sleep(Duration::from_millis(300));
}

#[test]
fn sources_come_from_r2() {
    let miniflare = Miniflare::start(Some(sample_dir()), &[("DEBUG_HEADERS", "1")]).unwrap();
    let made = get(miniflare.address, TARGET);
    assert_eq!(made.status, 200, "{}", made.text());
    assert!(made.header("x-wasm-memory").is_some());
    let plain = Worker::start(sample_dir(), Codec::Simd, &[]);
    assert_eq!(made.body, plain.get(TARGET).body);
    let etag = made.header("etag").unwrap().to_owned();
    let known = [("If-None-Match", etag.clone())];
    assert_eq!(get_with(miniflare.address, "/img/landscape.jpg?f=png&width=96", &known).status, 304);
    assert_eq!(get(miniflare.address, "/img/missing.jpg?w=96").status, 404);
    assert_eq!(get(miniflare.address, "/img/folder?w=96").status, 404);
    let named = "/img/spaced%20name%20%C3%BC%20%23100%25.jpg?w=150&f=png";
    assert_eq!(get(miniflare.address, named).status, 200);
    let asked = head(miniflare.address, "/img/folder/nested.jpg?w=96&f=png");
    let answer = get(miniflare.address, "/img/folder/nested.jpg?w=96&f=png");
    assert_eq!(asked.header("etag"), answer.header("etag"));
    assert_eq!(asked.header("content-length").unwrap(), answer.body.len().to_string());
}

#[test]
fn results_are_met_in_the_cache() {
    let files = Files::serve(sample_dir().to_owned()).unwrap();
    let variables = [("DEBUG_HEADERS", "1"), ("SOURCE_BASE", &*files.base())];
    let miniflare = Miniflare::start(None, &variables).unwrap();
    let address = miniflare.address;
    let made = get(address, TARGET);
    assert_eq!(made.status, 200, "{}", made.text());
    settle();
    assert_eq!(files.sent("/landscape.jpg").0, 1);

    let stored = get(address, "/img/landscape.jpg?f=png&width=96");
    assert_eq!((stored.status, &stored.body), (200, &made.body));
    assert_eq!(stored.header("x-wasm-memory"), None, "no codec was asked");
    for name in ["etag", "content-type", "content-length", "cache-control", "content-disposition"] {
        assert_eq!(stored.header(name), made.header(name), "{name}");
    }
    let ignoring = get(address, &format!("{TARGET}&v=3"));
    assert_eq!(ignoring.header("x-tintype-ignored"), Some("v"), "an answer tells of its own request");
    let asked = head(address, TARGET);
    assert_eq!(asked.status, 200);
    assert_eq!(asked.header("content-length"), made.header("content-length"));
    let known = [("If-None-Match", made.header("etag").unwrap().to_owned())];
    assert_eq!(get_with(address, TARGET, &known).status, 304);
    assert_eq!(files.sent("/landscape.jpg").0, 1, "the source was asked once");

    // HEAD makes and stores the result as well.
    assert_eq!(head(address, "/img/landscape.jpg?w=97&f=png").status, 200);
    settle();
    let stored = get(address, "/img/landscape.jpg?w=97&f=png");
    assert_eq!((stored.status, stored.header("x-wasm-memory")), (200, None));
    assert_eq!(files.sent("/landscape.jpg").0, 2);

    // What varies by Accept is stored for each class of it.
    let webp = get_with(address, "/img/landscape.jpg?w=98", &[("Accept", "image/webp".to_owned())]);
    settle();
    let legacy = get(address, "/img/landscape.jpg?w=98");
    assert_eq!(webp.header("content-type"), Some("image/webp"));
    assert_eq!(legacy.header("content-type"), Some("image/jpeg"));
    settle();
    let webp = get_with(address, "/img/landscape.jpg?w=98", &[("Accept", "image/webp".to_owned())]);
    assert_eq!((webp.header("content-type"), webp.header("vary")), (Some("image/webp"), Some("Accept")));

    // Refusals are not stored.
    assert_eq!(get(address, "/img/missing.jpg?w=96").status, 404);
    settle();
    assert_eq!(get(address, "/img/missing.jpg?w=96").status, 404);
    assert_eq!(files.sent("/missing.jpg").0, 2);
}
