//! The commands, as somebody types them.

#![allow(clippy::unwrap_used, reason = "a broken test must be loud")]

mod support;

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Output};

use support::{folder_of, run, run_with, sample, sample_dir, tintype};

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// One sentence, no backtrace.
fn assert_fails(output: &Output, code: i32, words: &[&str]) {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{text}");
    assert!(output.stdout.is_empty());
    for word in words {
        assert!(text.contains(word), "{word:?} in {text:?}");
    }
    if code == 1 {
        assert_eq!(text.lines().count(), 1, "{text:?}");
        assert!(text.starts_with("tintype: "), "{text:?}");
    }
}

#[track_caller]
fn info(path: &Path) -> serde_json::Value {
    let output = run(["info".as_ref(), path.as_os_str()]);
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn thumb_makes_the_format_its_name_says() {
    let dir = folder_of(&["landscape.jpg"]);
    let source = dir.path().join("landscape.jpg");
    for (name, format) in [("a.webp", "WebP"), ("a.jpg", "JPEG"), ("a.JPEG", "JPEG"), ("a.png", "PNG")] {
        let target = dir.path().join(name);
        let output =
            run(["thumb".as_ref(), source.as_os_str(), target.as_os_str(), "-w".as_ref(), "96".as_ref()]);
        assert!(output.status.success() && output.stderr.is_empty(), "{}", stderr(&output));
        let facts = info(&target);
        assert_eq!((&facts["format"], &facts["width"]), (&format.into(), &96.into()), "{facts}");
    }
}

#[test]
fn thumb_takes_every_option() {
    let dir = folder_of(&["portrait.jpg"]);
    let run = |options: &str| {
        let output = tintype(["thumb", "portrait.jpg", "out"])
            .args(options.split_ascii_whitespace())
            .current_dir(dir.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{options}: {}", stderr(&output));
        let facts = info(&dir.path().join("out"));
        (facts["format"].as_str().unwrap().to_owned(), facts["width"].clone(), facts["height"].clone())
    };
    let jpeg = |width: u32, height: u32| ("JPEG".to_owned(), width.into(), height.into());
    assert_eq!(run("-w 100 -h 50 --fit cover -g top -q 50 -f jpeg"), jpeg(100, 50));
    assert_eq!(
        run("--width 100 --height 50 --fit cover --gravity 0.5x0.1 --dpr 2 --format jpeg"),
        jpeg(200, 100)
    );
    assert_eq!(run("-h 100 -f baseline-jpeg --strict"), jpeg(80, 100));
    // 1600×2000, of which the right half and 10 % at top and bottom are cut off, turned: 1600×800.
    assert_eq!(run("-w 160 --trim 10%;50%;10%;0 --rotate 90 --flip h -f jpeg"), jpeg(160, 80));
    assert_eq!(
        run("-w 100 --trim-left 100 --trim-top 0 --trim-width 1000 --trim-height 500 -f jpeg"),
        jpeg(100, 50)
    );
    assert_eq!(
        run("-w 100 -h 100 --fit pad --background red --border-width 2 --border-color #00f --border-left 0 \
             --border-top 1 --border-right 3 --border-bottom 4 --radius 9 --speed fast -f jpeg"),
        jpeg(103, 105)
    );
    assert_eq!(
        run("-w 50 -h 50 --fit cover -g auto --trim-border-color #123456 --trim-border-tolerance 0 \
             --trim-border-keep 1 --trim border -f jpeg"),
        jpeg(50, 50)
    );
}

#[test]
fn thumb_reads_and_writes_the_standard_streams() {
    let output = run_with(["thumb", "-", "-", "-w", "50", "-f", "png"], &sample("graphic.png"));
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(output.stdout.starts_with(b"\x89PNG"));
    let output = run(["thumb", "-", "-", "-w", "50"]);
    assert_fails(&output, 2, &["-f"]);
}

#[test]
fn thumb_replaces_the_output_whole_or_not_at_all() {
    let dir = folder_of(&["landscape.jpg", "broken/page.jpg"]);
    let thumb = |input: &str| {
        tintype(["thumb", input, "out.webp", "-w", "50"]).current_dir(dir.path()).output().unwrap()
    };
    fs::write(dir.path().join("out.webp"), "old").unwrap();
    assert_fails(&thumb("page.jpg"), 1, &["page.jpg", "HTML"]);
    assert_eq!(fs::read(dir.path().join("out.webp")).unwrap(), b"old");
    assert!(thumb("landscape.jpg").status.success());
    assert!(fs::read(dir.path().join("out.webp")).unwrap().starts_with(b"RIFF"));
    let mode = fs::metadata(dir.path().join("out.webp")).unwrap().permissions().mode();
    assert_eq!(mode & 0o400, 0o400);
    assert_ne!(mode & 0o777, 0o600, "a result is no secret, the umask decides");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3, "no temporary file is left");
}

#[test]
fn thumb_makes_the_best_of_damage_and_says_so() {
    let dir = folder_of(&["broken/truncated.jpg"]);
    let thumb = |more: &[&str]| {
        tintype(["thumb", "truncated.jpg", "out.png", "-w", "50"])
            .args(more)
            .current_dir(dir.path())
            .output()
            .unwrap()
    };
    let output = thumb(&[]);
    assert!(output.status.success() && stderr(&output).contains("damaged"), "{}", stderr(&output));
    assert_fails(&thumb(&["--strict"]), 1, &["truncated.jpg"]);
}

#[test]
fn thumb_says_what_is_wrong() {
    let source = sample_dir().join("landscape.jpg");
    let source = source.to_str().unwrap();
    let target = sample_dir().join("out.webp");
    let target = target.to_str().unwrap();
    for (code, arguments, words) in [
        (1, &["gone.jpg", target, "-w", "9"][..], &["gone.jpg"][..]),
        (1, &[source, "/gone/out.webp", "-w", "9"], &["/gone/out.webp"]),
        (1, &[source, "/", "-w", "9", "-f", "png"], &["/"]),
        (1, &["/", target], &["/"]),
        (2, &[source, target, "-w", "wide"], &["width", "wide"]),
        (2, &[source, target, "-w", "9", "--fit", "tight"], &["fit", "tight"]),
        (2, &[source, target, "--background", "reddish"], &["background", "reddish", "CSS"]),
        (2, &[source, target, "--trim", "border", "--trim-left", "2"], &["trim.left", "beside"]),
        (1, &[source, target, "--trim", "100%;0;0;0"], &["trim", "1920×1280"]),
        (2, &[source, "out.bmp", "-w", "9"], &["out.bmp", "-f"]),
        (2, &[source], &["OUTPUT"]),
        (2, &[source, target, "--wide", "9"], &["--wide"]),
    ] {
        assert_fails(&run(["thumb"].iter().chain(arguments)), code, words);
    }
    assert!(!sample_dir().join("out.webp").exists());
}

#[test]
fn info_tells_a_headers_facts() {
    let facts = info(&sample_dir().join("orientation-6.jpg"));
    assert_eq!((&facts["format"], &facts["orientation"]), (&"JPEG".into(), &6.into()), "{facts}");
    assert_eq!(
        (&facts["width"], &facts["height"]),
        (&facts["stored_height"], &facts["stored_width"]),
        "{facts}"
    );
    assert_eq!(facts["jpeg"]["progressive"], false, "{facts}");
    assert_eq!(facts["file_bytes"], sample("orientation-6.jpg").len(), "{facts}");
    let facts = info(&sample_dir().join("deep-alpha.png"));
    assert_eq!((&facts["png"]["bit_depth"], &facts["alpha"]), (&16.into(), &true.into()), "{facts}");
    assert_eq!(info(&sample_dir().join("animation.gif"))["animated"], true);
    assert_eq!(info(&sample_dir().join("graphic.webp"))["webp"]["kind"], "lossless");

    let output = run_with(["info", "-"], &sample("alpha.webp"));
    assert!(output.status.success(), "{}", stderr(&output));
    assert_fails(&run_with(["info", "-"], b""), 1, &["standard input", "empty"]);
    assert_fails(&run(["info", "gone.jpg"]), 1, &["gone.jpg"]);
}

#[test]
fn sign_prints_an_address_that_the_server_takes() {
    let sign = |more: &[&str]| {
        let output = run(["sign", "/img/landscape.jpg?w=64&f=png"].iter().chain(more));
        assert!(output.status.success(), "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    };
    let server = support::Server::start(sample_dir(), &["--key", "old", "--key", "new"]);
    assert_eq!(server.get("/img/landscape.jpg?w=64&f=png").status, 403);
    for (target, status) in [
        (sign(&["--key", "old"]), 200),
        (sign(&["--key", "new"]), 200),
        (sign(&["--key", "other"]), 403),
        (sign(&["--key", "new", "--expires", "+60"]), 200),
        (sign(&["--key", "new", "--expires", "1600000000"]), 403),
    ] {
        assert_eq!(server.get(&target).status, status, "{target}");
    }
}

#[test]
fn sign_takes_its_key_from_the_environment() {
    let by_argument = run(["sign", "/img/x.jpg?w=1", "--key", "secret"]);
    let by_environment = tintype(["sign", "/img/x.jpg?w=1"]).env("TINTYPE_KEY", "secret").output().unwrap();
    let by_first = tintype(["sign", "/img/x.jpg?w=1"]).env("TINTYPE_KEY", "secret,older").output().unwrap();
    assert!(by_argument.status.success());
    assert_eq!(by_argument.stdout, by_environment.stdout);
    assert_eq!(by_argument.stdout, by_first.stdout);
    assert_fails(&run(["sign", "/img/x.jpg?w=1"]), 2, &["--key"]);
    assert_fails(&run(["sign", "/img/x.jpg?w=1", "--key", ""]), 2, &["--key"]);
    assert_fails(&run(["sign", "/img/x.jpg?w=x", "--key", "k"]), 2, &["width"]);
}

#[test]
fn help_has_examples_everywhere_and_no_secrets() {
    for command in ["serve", "thumb", "info", "sign"] {
        let output = tintype([command, "--help"]).env("TINTYPE_KEY", "hush").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && text.contains("Examples:"), "{text}");
        assert!(!text.contains("hush"), "{text}");
    }
}

#[test]
fn serve_says_at_once_what_it_cannot_do() {
    let root = sample_dir().to_str().unwrap();
    for (code, arguments, words) in [
        (1, &["--root", "/gone"][..], &["/gone"][..]),
        (1, &["--root", root, "--listen", "203.0.113.1:1"], &["203.0.113.1:1"]),
        (1, &["--root", root, "--spill-dir", "/gone"], &["/gone"]),
        (2, &["--root", root, "--memory", "much"], &["--memory", "much"]),
        (2, &["--root", root, "--memory", "0"], &["--memory", "8MiB"]),
        (2, &["--root", root, "--listen", "here"], &["--listen"]),
        (2, &[], &["--root"]),
    ] {
        assert_fails(&run(["serve"].iter().chain(arguments)), code, words);
    }
}
