//! The demo page in a browser: built, served by the origin, and used (`www/tests/`).

use std::process::Command;

use super::{Log, Outcome};
use crate::error::Error;
use crate::project::{cargo, release_binary, root, target_dir};
use crate::wasm::{Codec, Shrink};
use crate::{node, page, programs, serve};

/// Builds the page twice, once with a codec that breaks on demand, and runs the browser's tests.
pub(super) fn run(log: &Log) -> Result<Outcome, Error> {
    node::EDGE.require()?;
    node::WWW.require()?;
    let mut logged = |command: &mut Command| log.succeed(command);
    let chromium = programs::require_chromium(&mut logged)?;
    println!("      building the page");
    serve::build_samples()?;
    let samples = serve::samples()?;
    let (broken, built) = (target_dir().join("page-crash"), target_dir().join("page"));
    page::build(&broken, Codec::Crash, Shrink::WasmOpt, &samples, &mut logged)?;
    page::build(&built, Codec::Simd, Shrink::WasmOpt, &samples, &mut logged)?;
    log.succeed(&mut cargo(["build", "--release", "--package", "tintype", "--bin", "tintype"]))?;

    let screenshots = target_dir().join("page-screenshots");
    let mut tests = Command::new("node");
    // One at a time: the browser and the origin share the machine's processors.
    tests.args(["--test", "--test-reporter=tap", "--test-concurrency=1", "tests/"]);
    tests.current_dir(root().join("www"));
    tests.env("TINTYPE_ORIGIN", release_binary("tintype"));
    tests.env("TINTYPE_SAMPLES", samples).env("TINTYPE_PAGE_BUILD", built);
    tests.env("TINTYPE_PAGE_CRASH", broken).env("TINTYPE_SCREENSHOTS", screenshots);
    tests.env("CHROMIUM", chromium);
    let mut counts = Counts::default();
    let succeeded = log.run_showing(&mut tests, |line| counts.read(line))?;
    if !succeeded && counts.failed == 0 {
        counts.failed = 1;
    }
    let note = format!("{} passed, {} failed", counts.passed, counts.failed);
    Ok(Outcome { passed: counts.passed, failed: counts.failed, note })
}

/// What Node's test runner counted.
#[derive(Debug, Default)]
struct Counts {
    passed: u32,
    failed: u32,
}

impl Counts {
    /// Takes a line of TAP; what is worth showing of it.
    fn read(&mut self, line: &str) -> Option<String> {
        let number = |label| line.strip_prefix(label).and_then(|count: &str| count.trim().parse().ok());
        if let Some(passed) = number("# pass ") {
            self.passed = passed;
        }
        // Cancelled ones did not pass either.
        if let Some(failed) = number("# fail ").or_else(|| number("# cancelled ")) {
            self.failed += failed;
        }
        line.trim_start().starts_with("not ok ").then(|| line.trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn counts_what_node_prints() {
        let mut counts = Counts::default();
        assert_eq!(counts.read("ok 1 - a picture is dropped"), None);
        let shown = counts.read("    not ok 2 - another");
        assert_eq!(shown.as_deref(), Some("not ok 2 - another"));
        for line in ["# tests 4", "# pass 2", "# fail 1", "# cancelled 1"] {
            assert_eq!(counts.read(line), None);
        }
        assert_eq!((counts.passed, counts.failed), (2, 2));
    }
}
