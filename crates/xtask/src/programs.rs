//! Programs from the system's packages: whether they are there, and how they come there.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::error::Error;
use crate::tools::works;
use crate::wasm::Runner;

/// A program that something here runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program {
    name: &'static str,
    /// The argument that makes it say its version.
    version: &'static str,
    /// Debian's package.
    pub(crate) package: &'static str,
    /// What it is for, and how it is installed where that is not ours to do.
    missing: &'static str,
}

/// Those beside which the tests run.
pub(crate) const JUDGES: [Program; 2] = [
    Program {
        name: "vipsthumbnail",
        version: "--version",
        package: "libvips-tools",
        missing: "beside which the core's tests run. Install it (Debian and Ubuntu: apt-get install libvips-tools; \
                  Fedora: dnf install vips-tools; macOS: brew install vips).",
    },
    Program {
        name: "jpegtran",
        version: "-version",
        package: "libjpeg-turbo-progs",
        missing: "nor cjpeg and djpeg, beside which the core's tests run. Install them (Debian and Ubuntu: apt-get \
                  install libjpeg-turbo-progs; Fedora: dnf install libjpeg-turbo-utils; macOS: brew install \
                  jpeg-turbo).",
    },
];

/// Those that build the benches' peers.
pub(crate) const PEER_BUILDERS: [Program; 3] = [
    Program {
        name: "make",
        version: "--version",
        package: "make",
        missing: "which builds libjpeg-turbo, a peer of the benches. Install it (Debian and Ubuntu: apt-get install \
                  make; Fedora: dnf install make; macOS: xcode-select --install).",
    },
    Program {
        name: "cmake",
        version: "--version",
        package: "cmake",
        missing: "which builds libjpeg-turbo, a peer of the benches. Install it (Debian and Ubuntu: apt-get install \
                  cmake; Fedora: dnf install cmake; macOS: brew install cmake).",
    },
    Program {
        name: "nasm",
        version: "--version",
        package: "nasm",
        missing: "without which libjpeg-turbo, a peer of the benches, has no vector code. Install it (Debian and \
                  Ubuntu: apt-get install nasm; Fedora: dnf install nasm; macOS: brew install nasm).",
    },
];

const CHROMIUM: Program = Program {
    name: "chromium",
    version: "--version",
    package: "chromium",
    missing: "which the page is tested in. Install it (Debian: apt-get install chromium) or name yours in CHROMIUM.",
};

impl Program {
    /// Makes sure that it is there, and installs Debian's where that can be done; whether that was needed.
    pub(crate) fn require(&self, run: Runner<'_>) -> Result<bool, Error> {
        if self.is_there() {
            return Ok(false);
        }
        if may_install() {
            eprintln!("installing {}", self.package);
            // Package lists may be missing or old: only then are they fetched. What fails shows below.
            let installed = run(&mut apt(&["install", "-qy", "--no-install-recommends", self.package]));
            if installed.is_err() || !self.is_there() {
                run(&mut apt(&["update", "-q"]))?;
                run(&mut apt(&["install", "-qy", "--no-install-recommends", self.package]))?;
            }
        }
        if self.is_there() {
            return Ok(true);
        }
        Err(Error::Machine(format!("No `{}`, {}", self.name, self.missing)))
    }

    fn is_there(&self) -> bool {
        works(Command::new(self.name).arg(self.version).stdin(Stdio::null()))
    }
}

/// Makes sure that there is a Chromium; its program.
pub(crate) fn require_chromium(run: Runner<'_>) -> Result<PathBuf, Error> {
    if let Some(program) = chromium() {
        return Ok(program);
    }
    CHROMIUM.require(run)?;
    Ok(CHROMIUM.name.into())
}

/// The browser that `CHROMIUM` names, else the first one on the `PATH`.
fn chromium() -> Option<PathBuf> {
    if let Some(named) = env::var_os("CHROMIUM") {
        return Some(named.into());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    names
        .iter()
        .find_map(|name| env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file()))
}

/// Only root may, and only Debian and its kin have it.
fn may_install() -> bool {
    let user = Command::new("id").arg("-u").output();
    user.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
        && works(Command::new("apt-get").arg("--version"))
}

fn apt(args: &[&str]) -> Command {
    let mut command = Command::new("apt-get");
    command.args(args).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
    command
}
