//! `cargo test`, with its tests counted.

use std::process::Command;

use super::{Log, Outcome};
use crate::error::Error;
use crate::project::cargo;

/// Runs all tests and doc tests, to the end also when some fail.
pub(super) fn run(log: &Log) -> Result<Outcome, Error> {
    // What `bindgen` is made of takes minutes to compile for tests, and it has none: the step `edge` uses it.
    let mut command = cargo(["test", "--workspace", "--exclude", "bindgen", "--no-fail-fast"]);
    command.args(["--features", VIPS]);
    count(log, command)
}

/// The feature whose tests run beside libvips's program, which the step `toolchain` sees to.
pub(super) const VIPS: &str = "tintype-core/vips";

/// Runs a command of `cargo test`.
pub(super) fn count(log: &Log, mut command: Command) -> Result<Outcome, Error> {
    let mut counts = Counts::default();
    let succeeded = log.run_showing(&mut command, |line| counts.read(line))?;
    if !succeeded && counts.failed == 0 {
        // It did not compile, or a test's process died before it could count.
        counts.failed = 1;
    }
    let ignored = if counts.ignored > 0 { format!(", {} ignored", counts.ignored) } else { String::new() };
    let note = format!("{} passed, {} failed{ignored}", counts.passed, counts.failed);
    Ok(Outcome { passed: counts.passed, failed: counts.failed, note })
}

/// Tests counted so far, and whose they are.
#[derive(Debug, Default)]
struct Counts {
    passed: u32,
    failed: u32,
    ignored: u32,
    running: String,
}

impl Counts {
    /// Takes one line of cargo's output; what is worth showing of it.
    fn read(&mut self, line: &str) -> Option<String> {
        let text = line.trim();
        if let Some(what) = text.strip_prefix("Running ").or_else(|| text.strip_prefix("Doc-tests ")) {
            what.split(" (").next().unwrap_or(what).clone_into(&mut self.running);
            if let Some(file) = what.rsplit(['/', '\\']).next().filter(|_| what.contains(" (")) {
                // `unittests src/lib.rs (target/debug/deps/tintype_core-0123456789abcdef)`
                let binary = file.trim_end_matches(')').rsplit_once('-').map_or(file, |(name, _)| name);
                self.running = format!("{binary}: {}", self.running);
            }
            return None;
        }
        if text.ends_with("... FAILED") {
            return Some(text.to_owned());
        }
        let counted = text.strip_prefix("test result: ")?;
        let number = |label: &str| -> u32 {
            let before = counted.split(label).next().unwrap_or_default();
            before.rsplit(' ').find(|word| !word.is_empty()).and_then(|word| word.parse().ok()).unwrap_or(0)
        };
        let (passed, failed) = (number(" passed"), number(" failed"));
        self.passed += passed;
        self.failed += failed;
        self.ignored += number(" ignored");
        if passed + failed == 0 {
            return None;
        }
        let failures = if failed > 0 { format!(", {failed} FAILED") } else { String::new() };
        Some(format!("{passed:>4} passed{failures}  {}", self.running))
    }
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn counts_what_cargo_prints() {
        let mut counts = Counts::default();
        for line in [
            "     Running unittests src/lib.rs (target/debug/deps/some_core-0a1b2c3d)",
            "running 3 tests",
            "test a ... ok",
        ] {
            assert_eq!(counts.read(line), None, "{line}");
        }
        assert_eq!(counts.read("test b ... FAILED").as_deref(), Some("test b ... FAILED"));
        let line =
            "test result: FAILED. 2 passed; 1 failed; 3 ignored; 0 measured; 0 filtered out; finished in 0s";
        let shown = counts.read(line);
        assert_eq!(shown.as_deref(), Some("   2 passed, 1 FAILED  some_core: unittests src/lib.rs"));
        assert_eq!((counts.passed, counts.failed, counts.ignored), (2, 1, 3));
        counts.read("   Doc-tests some_core");
        let shown = counts.read("test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out");
        assert_eq!(shown.as_deref(), Some("   1 passed  some_core"));
        assert_eq!((counts.passed, counts.failed, counts.ignored), (3, 1, 3));
    }
}
