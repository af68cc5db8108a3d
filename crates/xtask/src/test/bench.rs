//! The benches, to see that they still run: their own tests, then each with little to do.

use std::process::Command;

use super::{Log, Outcome, cargo_test};
use crate::bench::{QUICK, bench_cargo, quick};
use crate::error::Error;

/// Runs the tests and the quick benches.
pub(super) fn run(log: &Log) -> Result<Outcome, Error> {
    // In release, so that all is built once.
    let mut outcome = cargo_test::count(log, bench_cargo(&["test", "--release", "--locked"]))?;
    let mut logged = |command: &mut Command| log.succeed(command);
    match quick(&mut logged) {
        Ok(()) => outcome.passed += QUICK.len() as u32,
        Err(error) => {
            outcome.failed += 1;
            outcome.note = error.to_string();
        }
    }
    Ok(outcome)
}
