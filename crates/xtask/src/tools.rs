//! What must be on the machine to build: a C compiler, the toolchain's parts, cargo-deny. See `programs` for the rest.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use crate::error::Error;
use crate::project::{cargo, root, target_dir};
use crate::wasm::Runner;

/// Makes sure that libwebp, beside which the tests run, can be compiled.
pub(crate) fn require_c_compiler() -> Result<(), Error> {
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".into());
    // CC may hold a launcher and flags: `ccache gcc -m64`.
    let mut words = compiler.split_whitespace();
    let program = words.next().unwrap_or("cc");
    if works(Command::new(program).args(words).arg("--version")) {
        return Ok(());
    }
    Err(Error::Machine(format!(
        "No C compiler: `{compiler} --version` does not run, and libwebp, which the tests use, is written in C.\n\
         Install one (Debian and Ubuntu: apt-get install gcc libc6-dev; Fedora: dnf install gcc; \
         macOS: xcode-select --install) or name yours in CC."
    )))
}

/// Adds what `rust-toolchain.toml` lists and this toolchain lacks, each command by `run`; the parts' names.
pub(crate) fn add_missing_toolchain_parts(run: Runner<'_>) -> Result<Vec<String>, Error> {
    let mut added = Vec::new();
    for part in missing_toolchain_parts()? {
        // At the root, so that rustup adds to the toolchain that rust-toolchain.toml names.
        run(Command::new("rustup").args(&part).current_dir(root()))?;
        let [_, _, name] = part;
        added.push(name);
    }
    Ok(added)
}

/// What `rust-toolchain.toml` lists and this toolchain lacks, as arguments of `rustup`.
fn missing_toolchain_parts() -> Result<Vec<[String; 3]>, Error> {
    let path = root().join("rust-toolchain.toml");
    let file = fs::read_to_string(&path).map_err(|source| Error::File { path, source })?;
    let add = |kind: &str, name: String| [kind.to_owned(), "add".to_owned(), name];
    let mut missing = Vec::new();
    for component in list(&file, "components") {
        // The subcommand's name is the component's, but for rustfmt's.
        let subcommand = if component == "rustfmt" { "fmt" } else { &component };
        if !works(cargo([subcommand, "--version"]).stdin(Stdio::null())) {
            missing.push(add("component", component));
        }
    }
    let sysroot = sysroot()?;
    for target in list(&file, "targets") {
        if !sysroot.join("lib/rustlib").join(&target).join("lib").is_dir() {
            missing.push(add("target", target));
        }
    }
    Ok(missing)
}

/// The program cargo-deny: the one on the `PATH`, else our own; `None` where it must be installed first.
pub(crate) fn cargo_deny() -> Option<PathBuf> {
    let name = format!("cargo-deny{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH").unwrap_or_default();
    let own = tools_dir().join("bin");
    env::split_paths(&path).chain([own]).map(|dir| dir.join(&name)).find(|file| file.is_file())
}

/// The command that installs cargo-deny where [`cargo_deny`] finds it, without touching our own builds.
///
/// One version, so that tomorrow's does not ask for tomorrow's compiler; unoptimized, because it is built for
/// longer than it ever runs.
pub(crate) fn install_cargo_deny() -> Command {
    let mut command = cargo(["install", "cargo-deny@0.20.2", "--locked", "--debug", "--root"]);
    command.arg(tools_dir()).env("CARGO_TARGET_DIR", tools_dir().join("build"));
    command
}

fn tools_dir() -> PathBuf {
    target_dir().join("tools")
}

/// Whether a program runs and says so.
pub(crate) fn works(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

fn sysroot() -> Result<PathBuf, Error> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(&rustc)
        .args(["--print", "sysroot"])
        .current_dir(root())
        .output()
        .map_err(|source| Error::Start { program: rustc.display().to_string(), source })?;
    Ok(Path::new(String::from_utf8_lossy(&output.stdout).trim()).to_owned())
}

/// The strings of a one-line TOML array: all that this file has.
fn list(toml: &str, key: &str) -> Vec<String> {
    let line = toml.lines().find_map(|line| line.trim().strip_prefix(key)?.trim_start().strip_prefix('='));
    line.unwrap_or_default().split('"').skip(1).step_by(2).map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_toolchain_file() {
        let toml =
            "[toolchain]\nchannel = \"1.0\"\ncomponents = [\"rustfmt\", \"clippy\"]\ntargets=[\"a-b\"]\n";
        assert_eq!(list(toml, "components"), ["rustfmt", "clippy"]);
        assert_eq!(list(toml, "targets"), ["a-b"]);
        assert!(list(toml, "profile").is_empty());
    }
}
