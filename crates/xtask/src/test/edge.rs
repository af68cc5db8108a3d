//! The Worker in the real runtime: its modules built, then the tests in `tests/tests/edge/`.

use super::{Log, Outcome, cargo_test};
use crate::edge::build;
use crate::error::Error;
use crate::node;
use crate::project::{cargo, release_binary};
use crate::wasm::Codec;

/// Builds everything, and runs the tests of the Worker.
pub(super) fn run(log: &Log) -> Result<Outcome, Error> {
    node::EDGE.require()?;
    println!("      building the Worker's modules");
    let mut logged = |command: &mut std::process::Command| log.succeed(command);
    let modules = build(&[Codec::Plain, Codec::Crash, Codec::Simd], &mut logged)?;
    log.succeed(&mut cargo(["build", "--release", "--package", "tintype", "--bin", "tintype"]))?;
    // The Worker and its tests answer each other on the same two processors: one test at a time.
    let mut tests = cargo(["test", "--package", "tintype-tests", "--features", "edge", "--test", "edge"]);
    tests.args(["--", "--test-threads=1"]);
    tests.env("TINTYPE_EDGE_BUILD", modules).env("TINTYPE_ORIGIN", release_binary("tintype"));
    cargo_test::count(log, tests)
}
