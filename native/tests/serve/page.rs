//! A page at `/`: which files, with which headers, and never in a picture's place.

#![allow(clippy::unwrap_used, reason = "a broken test must be loud")]

use std::{fs, path::Path};

use tintype_tests::http_cases::{Answer, Ask, ask};

use crate::support::{Server, run, sample_dir};

fn page() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("glue")).unwrap();
    let long = "let answer = 42;\n".repeat(100);
    for (name, bytes) in [
        ("index.html", "<!doctype html><title>A page</title>".as_bytes()),
        ("page.css", b"a{}"),
        ("icon.svg", b"<svg/>"),
        ("glue/index.js", long.as_bytes()),
        ("glue/index_bg.wasm", b"\0asm"),
        ("photo.jpg", b"not looked at"),
    ] {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    dir
}

fn start(page: &Path) -> Server {
    Server::start(sample_dir(), &["--page", page.to_str().unwrap()])
}

fn get_with(server: &Server, method: &str, target: &str, headers: &[(&str, String)]) -> Answer {
    ask(server.address, &Ask { method, target, headers }).unwrap()
}

#[test]
fn files_have_their_types_and_the_policy() {
    let dir = page();
    let server = start(dir.path());
    for (target, media_type, len) in [
        ("/", "text/html; charset=utf-8", 36),
        ("/?utm_source=x", "text/html; charset=utf-8", 36),
        ("/page.css", "text/css; charset=utf-8", 3),
        ("/icon.svg", "image/svg+xml", 6),
        ("/glue/index.js", "text/javascript; charset=utf-8", 1700),
        ("/glue/index_bg.wasm", "application/wasm", 4),
        ("/photo.jpg", "image/jpeg", 13),
    ] {
        for (method, body) in [("GET", len), ("HEAD", 0)] {
            let answer = get_with(&server, method, target, &[]);
            assert_eq!((answer.status, answer.body.len()), (200, body), "{method} {target}");
            let length = len.to_string();
            for (name, value) in [
                ("content-type", media_type),
                ("content-length", &length),
                ("cache-control", "no-cache"),
                ("x-content-type-options", "nosniff"),
                ("referrer-policy", "no-referrer"),
                ("cross-origin-opener-policy", "same-origin"),
                ("cross-origin-resource-policy", "same-origin"),
                (
                    "content-security-policy",
                    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
                     img-src 'self' blob: data:; connect-src 'self'; style-src 'self'; base-uri 'none'; \
                     form-action 'none'; frame-ancestors 'none'",
                ),
            ] {
                assert_eq!(answer.header(name), Some(value), "{method} {target}: {name}");
            }
            assert_eq!(answer.header("content-encoding"), None);
        }
    }
    let refused = get_with(&server, "POST", "/", &[]);
    assert_eq!((refused.status, refused.header("allow")), (405, Some("GET, HEAD")));
}

#[test]
fn gzip_is_another_representation() {
    let dir = page();
    let server = start(dir.path());
    let target = "/glue/index.js";
    let plain = server.get(target);
    let accept = ("Accept-Encoding", "br, gzip".to_owned());
    let gzipped = get_with(&server, "GET", target, std::slice::from_ref(&accept));
    assert_eq!((gzipped.status, gzipped.header("content-encoding")), (200, Some("gzip")));
    assert!(gzipped.body.len() < 200 && gzipped.body.starts_with(&[0x1f, 0x8b]));
    for answer in [&plain, &gzipped] {
        assert_eq!(answer.header("vary"), Some("Accept-Encoding"));
    }
    let (plain_tag, gzipped_tag) = (plain.header("etag").unwrap(), gzipped.header("etag").unwrap());
    assert_ne!(plain_tag, gzipped_tag);

    for (tag, encoding, status) in [
        (plain_tag, None, 304),
        (gzipped_tag, Some(&accept), 304),
        (gzipped_tag, None, 200),
        (plain_tag, Some(&accept), 200),
        ("\"other\"", None, 200),
    ] {
        let mut headers = vec![("If-None-Match", format!("\"x\", {tag}"))];
        headers.extend(encoding.cloned());
        let answer = get_with(&server, "GET", target, &headers);
        assert_eq!((answer.status, answer.body.is_empty()), (status, status == 304), "{tag} {encoding:?}");
        assert_eq!(answer.header("cache-control"), Some("no-cache"));
    }
    // What does not get smaller is sent as it is.
    let small = get_with(&server, "GET", "/page.css", &[accept]);
    assert_eq!((small.header("content-encoding"), small.header("vary")), (None, None));
}

#[test]
fn pictures_and_what_is_not_there_are_as_without_it() {
    let dir = page();
    let (with, without) = (start(dir.path()), Server::start(sample_dir(), &[]));
    for (target, status) in [
        ("/img/landscape.jpg?w=64", 200),
        ("/cdn-cgi/image/w=64/landscape.jpg", 200),
        ("/img/none.jpg", 404),
        ("/img/", 404),
        ("/healthz", 200),
        ("/index.html", 404),
        ("/glue", 404),
        ("/glue/", 404),
        ("//", 404),
        ("/../index.html", 404),
        ("/%70age.css", 404),
        ("/.hidden", 404),
        ("/landscape.jpg", 404),
    ] {
        let (ours, theirs) = (with.get(target), without.get(target));
        assert_eq!((ours.status, &ours.body), (status, &theirs.body), "{target}");
        assert_eq!(ours.header("content-security-policy"), None, "{target}");
    }
    assert_eq!(without.get("/").status, 404);
}

#[test]
fn a_folder_that_is_no_page_is_refused_at_the_start() {
    let refused = |dir: &Path| {
        let root = sample_dir().to_str().unwrap();
        let output =
            run(["serve", "--root", root, "--listen", "127.0.0.1:0", "--page", dir.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    let dir = page();
    let at = |name: &str| dir.path().join(name);

    fs::create_dir(at("img")).unwrap();
    assert!(refused(dir.path()).contains("/img is the server's own"));
    fs::remove_dir(at("img")).unwrap();

    for name in [".git", "a b.js", "ü.js"] {
        fs::write(at(name), "").unwrap();
        let said = refused(dir.path());
        assert!(said.contains(name) && said.contains("a name here may have"), "{said}");
        fs::remove_file(at(name)).unwrap();
    }

    std::os::unix::fs::symlink("/etc/passwd", at("passwd.txt")).unwrap();
    assert!(refused(dir.path()).contains("passwd.txt: neither a file nor a folder"));
    fs::remove_file(at("passwd.txt")).unwrap();

    fs::File::create(at("large.bin")).unwrap().set_len(65 << 20).unwrap();
    assert!(refused(dir.path()).contains("a page is small"));
    fs::remove_file(at("large.bin")).unwrap();

    fs::remove_file(at("index.html")).unwrap();
    assert!(refused(dir.path()).contains("there is no index.html in it"));
    assert!(refused(&at("none")).contains("No such file"));
}
