//! The runner of the HTTP cases finds what is wrong with a server's answers, and accepts what is right.

#![allow(clippy::unwrap_used, reason = "a test whose stub cannot serve has failed")]

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread;

use tintype_tests::http_cases::{self, Case, Door, Report};

/// Serves answers by `respond`, which sees the request's head, until the test's process ends.
fn stub(respond: impl Fn(&str) -> Vec<u8> + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = String::new();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).unwrap() > 0 {}
            stream.write_all(&respond(&head)).unwrap();
        }
    });
    address
}

fn run(address: SocketAddr, cases: &str) -> Report {
    let cases: Vec<Case> = serde_json::from_str(cases).unwrap();
    http_cases::run_cases(address, Door::Origin, &cases)
}

/// A PNG of 2×1 pixels, orange and clear.
fn picture() -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 2, 1);
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[200, 100, 50, 255, 0, 0, 0, 0]).unwrap();
    writer.finish().unwrap();
    file
}

fn good_picture(head: &str) -> Vec<u8> {
    let body = picture();
    if head.contains("If-None-Match: \"e\"") {
        return b"HTTP/1.1 304 Not Modified\r\nETag: \"e\"\r\n\r\n".to_vec();
    }
    let mut answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nX-Content-Type-Options: nosniff\r\nETag: \"e\"\r\nContent-Length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    if !head.starts_with("HEAD") {
        answer.extend(body);
    }
    answer
}

const PICTURE_CASES: &str = r#"[
    {"name": "a", "target": "/img/../x?w=2", "want": {"status": 200,
        "headers": {"Vary": {"absent": true}, "ETag": {"contains": "e"}},
        "picture": {"format": "png", "width": 2, "height": 1,
            "pixels": [[0, 0, [201, 99, 50], 1], [1, 0, [9, 9, 9, 0], 0]]}}},
    {"name": "b", "method": "HEAD", "target": "/img/x", "want": {"status": 200, "headers_same_as": "a"}},
    {"name": "c", "target": "/img/x", "headers": {"If-None-Match": "{etag}"}, "etag_from": "a",
        "want": {"status": 304, "etag_same_as": "a"}},
    {"name": "d", "door": "edge", "target": "/img/x", "want": {"status": 500}}
]"#;

#[test]
fn right_answers_pass() {
    let report = run(stub(good_picture), PICTURE_CASES);
    assert_eq!((report.passed, report.skipped, report.is_ok()), (3, 1, true), "{report}");
}

#[test]
fn the_target_goes_over_the_wire_as_it_is_written() {
    let address = stub(|head| {
        assert!(head.starts_with("GET /img/%2e%2e/../x HTTP/1.1\r\n"), "{head}");
        b"HTTP/1.1 404 Not Found\r\nContent-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\n\
          X-Content-Type-Options: nosniff\r\n\
          Content-Length: 4\r\n\r\nnone"
            .to_vec()
    });
    let report = run(
        address,
        r#"[{"name": "a", "target": "/img/%2e%2e/../x", "want": {"status": 404, "body": {"contains": "none"}}}]"#,
    );
    assert!(report.is_ok(), "{report}");
}

#[test]
fn wrong_answers_fail_and_say_how() {
    let cases = r#"[
        {"name": "status", "target": "/img/x", "want": {"status": [404, 400]}},
        {"name": "header", "target": "/img/x", "want": {"status": 200, "headers": {"Vary": "Accept"}}},
        {"name": "size", "target": "/img/x",
            "want": {"status": 200, "picture": {"format": "png", "width": 3, "height": 1}}},
        {"name": "format", "target": "/img/x",
            "want": {"status": 200, "picture": {"format": "webp", "width": 2, "height": 1}}},
        {"name": "pixel", "target": "/img/x",
            "want": {"status": 200, "picture": {"format": "png", "width": 2, "height": 1,
                "pixels": [[0, 0, [200, 100, 60], 5]]}}},
        {"name": "etag", "target": "/img/x", "want": {"status": 200, "etag_differs_from": "header"}},
        {"name": "unknown", "target": "/img/x", "want": {"status": 200, "body_same_as": "no such case"}}
    ]"#;
    let report = run(stub(good_picture), cases);
    assert_eq!(report.failures.len(), 7, "{report}");
    let text = report.to_string();
    for piece in [
        "status: want one of [404, 400], got 200",
        "Vary: want \"Accept\", got None",
        "picture: want 3×1, got 2×1",
        "picture: want WebP, got Png",
        "Content-Type: want \"image/webp\", got Some(\"image/png\")",
        "pixel (0, 0): want [200, 100, 60] ±5, got Some([200, 100, 50, 255])",
        "ETag: want another than Some(\"\\\"e\\\"\")",
        "no earlier answer to \"no such case\"",
        "HTTP cases: 0 passed, 7 failed",
    ] {
        assert!(text.contains(piece), "{piece:?} is not in:\n{text}");
    }
}

#[test]
fn rules_for_every_answer_are_checked() {
    let bare =
        stub(|_| b"HTTP/1.1 500 Internal Server Error\r\nETag: \"x\"\r\nContent-Length: 0\r\n\r\n".to_vec());
    let report = run(bare, r#"[{"name": "a", "target": "/img/x", "want": {"status": 500}}]"#);
    assert_eq!(report.failures[0].problems.len(), 5, "{report}");
}

#[test]
fn a_server_that_is_not_there_fails_every_case() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert_eq!(run(nobody, PICTURE_CASES).failures.len(), 3);
}

#[test]
fn the_list_is_sound() {
    let cases = http_cases::list();
    assert!(cases.len() >= 80, "{}", cases.len());
    let mut names = HashSet::new();
    for case in &cases {
        let want = &case.want;
        let earlier = [
            &case.etag_from,
            &want.body_same_as,
            &want.headers_same_as,
            &want.etag_same_as,
            &want.etag_differs_from,
        ];
        for name in earlier.into_iter().flatten() {
            assert!(
                names.contains(name.as_str()),
                "{:?} refers to {name:?}, which is no earlier case",
                case.name
            );
        }
        assert!(names.insert(case.name.as_str()), "two cases are named {:?}", case.name);
        assert!(case.target.starts_with('/'), "{:?}", case.name);
    }
}
