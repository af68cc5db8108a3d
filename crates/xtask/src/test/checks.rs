//! Steps that are one or two commands of cargo, right when they succeed.

use std::process::Command;

use super::cargo_test::VIPS;
use super::{Log, Outcome};
use crate::error::Error;
use crate::project::cargo;

/// Every file is as rustfmt would write it.
pub(super) fn format(log: &Log) -> Result<Outcome, Error> {
    log.all_succeed([cargo(["fmt", "--all", "--check"])])
}

/// No warning anywhere, nor in the core as the edge builds it.
pub(super) fn lint(log: &Log) -> Result<Outcome, Error> {
    log.all_succeed([
        clippy_with(&["--workspace", "--all-targets", "--features", VIPS]),
        cargo(["clippy", "--package", "tintype-core", "--no-default-features", "--", "-D", "warnings"]),
        clippy_with(&["--package", "tintype-tests", "--features", "edge", "--all-targets"]),
        clippy_with(&["--package", "tintype-codec", "--features", "crash"]),
        // On the host this crate is empty.
        clippy_with(&["--package", "tintype-edge", "--target", "wasm32-unknown-unknown"]),
    ])
}

fn clippy_with(args: &[&str]) -> Command {
    let mut command = cargo(["clippy"]);
    command.args(args).args(["--", "-D", "warnings"]);
    command
}

/// The core needs no operating system, and with `std` compiles to WebAssembly.
pub(super) fn no_std(log: &Log) -> Result<Outcome, Error> {
    log.all_succeed([
        cargo(["build", "--package", "tintype-core", "--no-default-features", "--target", "wasm32v1-none"]),
        cargo(["build", "--package", "tintype-core", "--target", "wasm32-unknown-unknown"]),
    ])
}

/// The documentation builds and all its links lead somewhere.
pub(super) fn docs(log: &Log) -> Result<Outcome, Error> {
    let mut command = cargo(["doc", "--no-deps", "--workspace"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    log.all_succeed([command])
}
