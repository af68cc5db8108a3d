//! Sources that fail, hang, say little, and are needed only in part.

#![allow(clippy::unwrap_used, reason = "a broken test must be loud")]

use std::time::{Duration, Instant};

use tintype_request::{Rules, SigningKey, sign};
use tintype_tests::edge::Codec;

use crate::support::{Worker, get_with, large_dir, sample_dir};

#[test]
fn what_the_source_answers_decides() {
    let answers =
        [("404", 404), ("410", 404), ("403", 404), ("500", 502), ("503", 502), ("504", 504), ("418", 502)];
    for (status, wanted) in answers {
        let base = format!("{{files}}/status-{status}/");
        let worker = Worker::start(sample_dir(), Codec::Simd, &[("SOURCE_BASE", &base)]);
        let answer = worker.get("/img/landscape.jpg?w=96");
        assert_eq!(answer.status, wanted, "{status}: {}", answer.text());
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
}

#[test]
fn a_source_that_hangs_is_given_up() {
    for how in ["silent", "stuck"] {
        let base = format!("{{files}}/{how}");
        let more = [("SOURCE_BASE", base.as_str()), ("TIMEOUT_SECONDS", "1")];
        let worker = Worker::start(sample_dir(), Codec::Simd, &more);
        let begin = Instant::now();
        let answer = worker.get("/img/landscape.jpg?w=96");
        assert_eq!(answer.status, 504, "{how}: {}", answer.text());
        assert!(begin.elapsed() < Duration::from_secs(5), "{how}: {:?}", begin.elapsed());
    }
}

#[test]
fn a_transfer_that_breaks_is_no_picture() {
    let worker = Worker::start(sample_dir(), Codec::Simd, &[("SOURCE_BASE", "{files}/cut")]);
    let answer = worker.get("/img/landscape.jpg?w=96");
    assert_eq!(answer.status, 502, "{}", answer.text());
}

#[test]
fn nobody_at_the_source_is_502() {
    let worker = Worker::start(sample_dir(), Codec::Simd, &[("SOURCE_BASE", "http://127.0.0.1:1")]);
    assert_eq!(worker.get("/img/landscape.jpg?w=96").status, 502);
}

#[test]
fn a_source_of_unknown_length_is_made() {
    let worker = Worker::start(sample_dir(), Codec::Simd, &[("SOURCE_BASE", "{files}/unsized")]);
    let answer = worker.get("/img/landscape.jpg?w=96&f=png");
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("etag"), None, "nothing tells this version from another");
    let sized = Worker::start(sample_dir(), Codec::Simd, &[]);
    assert_eq!(answer.body, sized.get("/img/landscape.jpg?w=96&f=png").body);
}

#[test]
fn the_sources_own_etag_counts() {
    let worker = Worker::start(sample_dir(), Codec::Simd, &[("SOURCE_BASE", "{files}/tagged")]);
    let answer = worker.get("/img/landscape.jpg?w=96&f=png");
    let etag = answer.header("etag").unwrap().to_owned();
    let same =
        get_with(worker.runtime.address, "/img/landscape.jpg?w=96&f=png", &[("If-None-Match", etag.clone())]);
    assert_eq!((same.status, same.header("etag")), (304, Some(etag.as_str())));
    let other = Worker::start(sample_dir(), Codec::Simd, &[]);
    assert_ne!(other.get("/img/landscape.jpg?w=96&f=png").header("etag"), Some(etag.as_str()));
}

#[test]
fn a_304_reads_no_body() {
    let target = "/img/large.jpg?w=96&f=jpeg";
    let made = Worker::start(large_dir(), Codec::Simd, &[]).get(target);
    let known = [("If-None-Match", made.header("etag").unwrap().to_owned())];
    // The same source, with a body that never ends.
    let more = [("SOURCE_BASE", "{files}/stuck"), ("TIMEOUT_SECONDS", "5")];
    let worker = Worker::start(large_dir(), Codec::Simd, &more);
    let answer = get_with(worker.runtime.address, target, &known);
    assert_eq!((answer.status, answer.header("etag")), (304, made.header("etag")));
}

#[test]
fn refusals_touch_no_source() {
    let keys = [("TINTYPE_KEYS", "one,two")];
    let worker = Worker::start(sample_dir(), Codec::Simd, &keys);
    for (target, status) in [
        ("/img/landscape.jpg?w=96", 403),
        ("/img/landscape.jpg?w=96&sig=AAAA", 403),
        ("/img/landscape.jpg?w=abc", 400),
        ("/nowhere", 404),
    ] {
        assert_eq!(worker.get(target).status, status, "{target}");
    }
    assert_eq!(worker.files.sent("/landscape.jpg").0, 0);
    let key = SigningKey::from_text("two").unwrap();
    let signed = sign("/img/landscape.jpg?w=96", None, &key, &Rules::default()).unwrap();
    assert_eq!(worker.get(&signed).status, 200);
}

#[test]
fn limits_are_kept() {
    let limits = [
        ("SOURCE_PIXELS", "1000000"),
        ("SOURCE_BYTES", "200000"),
        ("MAX_SIDE", "500"),
        ("MEMORY_BYTES", "3000000"),
        ("MAX_AGE_SECONDS", "77"),
    ];
    let worker = Worker::start(sample_dir(), Codec::Simd, &limits);
    for (target, status, text) in [
        ("/img/landscape.jpg?w=96", 413, "pixels"),
        ("/img/graphic.png?w=501", 400, "500"),
        ("/img/folder/nested.jpg?w=400&f=webp&q=100", 413, "memory"),
    ] {
        let answer = worker.get(target);
        assert_eq!(answer.status, status, "{target}: {}", answer.text());
        assert!(answer.text().contains(text), "{target}: {}", answer.text());
    }
    let answer = worker.get("/img/folder/nested.jpg?w=96&f=jpeg");
    assert_eq!(answer.header("cache-control"), Some("public, max-age=77"), "{}", answer.text());
}

#[test]
fn settings_that_make_no_sense_are_said_to_the_operator_only() {
    let worker = Worker::start(sample_dir(), Codec::Simd, &[("SOURCE_PIXELS", "many")]);
    let answer = worker.get("/img/landscape.jpg?w=96");
    assert_eq!((answer.status, answer.text().as_str()), (500, "internal error"));
}
