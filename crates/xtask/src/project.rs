//! Where things are, and how cargo is called.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Error;

/// The workspace's root.
pub(crate) fn root() -> PathBuf {
    // `cargo run` tells where this package is now; the compiled-in place is for calls without cargo.
    let package = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&package).ancestors().nth(2).unwrap_or(Path::new(".")).to_owned()
}

/// The folder that cargo builds into.
pub(crate) fn target_dir() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir), // an absolute one replaces the root
        None => root().join("target"),
    }
}

/// A binary that was built in release.
pub(crate) fn release_binary(name: &str) -> PathBuf {
    target_dir().join("release").join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

/// `cargo ARGS` at the workspace's root, with the cargo that started us.
pub(crate) fn cargo<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// Runs a command with our own input and output; anything but success is an error.
pub(crate) fn succeed(command: &mut Command) -> Result<(), Error> {
    let program = command.get_program().display().to_string();
    let status = command.status().map_err(|source| Error::Start { program, source })?;
    if status.success() { Ok(()) } else { Err(Error::Failed { command: describe(command), status }) }
}

/// A command as one would type it.
pub(crate) fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let words = std::iter::once(name).chain(command.get_args());
    words.map(|word| word.display().to_string()).collect::<Vec<_>>().join(" ")
}
