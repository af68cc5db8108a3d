//! What may lie in the root, and disks that fail.

use std::{
    fs,
    os::unix::fs::symlink,
    thread,
    time::{Duration, Instant},
};

use rustix::process::Signal;

use crate::support::{Server, folder_of, get, sample_dir};

#[test]
fn only_regular_files_within_the_root() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("root");
    fs::create_dir(&root).unwrap();
    fs::copy(sample_dir().join("portrait.jpg"), dir.path().join("secret.jpg")).unwrap();
    fs::copy(sample_dir().join("portrait.jpg"), root.join("a.jpg")).unwrap();
    symlink("../secret.jpg", root.join("out.jpg")).unwrap();
    symlink(dir.path().join("secret.jpg"), root.join("absolute.jpg")).unwrap();
    symlink("a.jpg", root.join("within.jpg")).unwrap();
    symlink(".", root.join("here")).unwrap();
    fs::create_dir(root.join("folder.jpg")).unwrap();
    let fifo = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, root.join("fifo.jpg"), fifo, rustix::fs::Mode::RUSR, 0).unwrap();
    let server = Server::start(&root, &[]);
    for (path, status) in [
        ("a.jpg", 200),
        ("within.jpg", 200),
        ("here/here/a.jpg", 200),
        ("out.jpg", 404),
        ("absolute.jpg", 404),
        ("../secret.jpg", 404),
        ("%2e%2e/secret.jpg", 404),
        ("..%2fsecret.jpg", 404),
        ("folder.jpg", 404),
        ("fifo.jpg", 404),
        ("a.jpg/b.jpg", 404),
        (&"x".repeat(300), 404),
    ] {
        assert_eq!(server.get(&format!("/img/{path}?w=32")).status, status, "{path}");
    }
}

#[test]
fn a_file_may_change_at_any_time() {
    let dir = folder_of(&["landscape.jpg"]);
    let file = dir.path().join("landscape.jpg");
    let whole = fs::read(&file).unwrap();
    let server = Server::start(dir.path(), &["--admin", "127.0.0.1:0"]);
    let target = "/img/landscape.jpg?w=64";
    let first = server.get(target);
    assert_eq!(first.status, 200);
    // Truncated and rewritten in place, over and over, while it is read.
    let deadline = Instant::now() + Duration::from_secs(2);
    let (address, changing) = (server.address, file.clone());
    let reader = thread::spawn(move || {
        let mut statuses = Vec::new();
        while Instant::now() < deadline {
            statuses.push(get(address, target).status);
        }
        statuses
    });
    while Instant::now() < deadline {
        let file = fs::OpenOptions::new().write(true).open(&changing).unwrap();
        file.set_len(1000).unwrap();
        drop(file);
        thread::sleep(Duration::from_millis(1));
        fs::write(&changing, &whole).unwrap();
        thread::sleep(Duration::from_millis(1));
    }
    let statuses = reader.join().unwrap();
    // Whole, part of it (damaged, or too little for a picture), or changed while it was read.
    assert!(statuses.iter().all(|status| [200, 422, 503].contains(status)), "{statuses:?}");
    assert_eq!(server.metric("tintype_panics_total"), 0);
    // Replaced by another picture: another ETag.
    fs::copy(sample_dir().join("portrait.jpg"), dir.path().join("new")).unwrap();
    fs::rename(dir.path().join("new"), &file).unwrap();
    let second = server.get(target);
    assert_eq!(second.status, 200);
    assert_ne!(first.header("etag"), second.header("etag"));
}

#[test]
fn a_full_or_missing_spill_directory_costs_the_large_requests_only() {
    let spill = tempfile::tempdir().unwrap();
    let path = spill.path().to_str().unwrap();
    let more = ["--spill-dir", path, "--spill-threshold", "2MB", "--admin", "127.0.0.1:0"];
    let server = Server::start(sample_dir(), &more);
    let large = "/img/landscape.jpg?w=1200&f=png";
    assert_eq!(server.get(large).status, 200);
    assert!(server.metric("tintype_spills_total") > 0);
    server.wait_for("tintype_spills_mapped", |mapped| mapped == 0);
    assert_eq!(fs::read_dir(spill.path()).unwrap().count(), 0);
    fs::remove_dir(spill.path()).unwrap();
    let answer = server.get(large);
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("1")));
    assert_eq!(server.get("/img/orientation-1.jpg?w=32").status, 200);
    fs::create_dir(spill.path()).unwrap();
    assert_eq!(server.get(large).status, 200);
    server.signal(Signal::TERM);
    let (_, errors) = server.end();
    assert!(errors.starts_with("tintype: 503 /img/landscape.jpg: no spill file"), "{errors}");
}
