//! What tests of the Worker need around it: the real runtime, and an origin for its sources.
//!
//! `cargo xtask test edge` builds the modules and tells where they are; nothing here builds anything.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

mod date;
mod files;
mod miniflare;
mod runtime;
mod usage;

pub use files::Files;
pub use miniflare::Miniflare;
pub use runtime::{Runtime, Setup};
pub use usage::Usage;

/// The variable that names the folder with the Worker's modules.
pub const BUILD_VARIABLE: &str = "TINTYPE_EDGE_BUILD";

/// The variable that names the origin's binary.
pub const ORIGIN_VARIABLE: &str = "TINTYPE_ORIGIN";

/// A build of the codec module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// As it is deployed, with simd128.
    Simd,
    /// Without simd128.
    Plain,
    /// With simd128, and dying on demand: quality 13 panics, 14 exhausts memory.
    Crash,
}

impl Codec {
    /// The module's file in the build's folder.
    pub const fn file(self) -> &'static str {
        match self {
            Codec::Simd => "codec.wasm",
            Codec::Plain => "codec-plain.wasm",
            Codec::Crash => "codec-crash.wasm",
        }
    }
}

/// The folder with the Worker's modules.
pub fn build_dir() -> PathBuf {
    variable(BUILD_VARIABLE)
}

/// The origin's binary.
pub fn origin_binary() -> PathBuf {
    variable(ORIGIN_VARIABLE)
}

/// The Worker's folder in the repository.
pub fn edge_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("edge")
}

fn variable(name: &str) -> PathBuf {
    let value = env::var_os(name);
    assert!(value.is_some(), "{name} is not set: run `cargo xtask test edge`");
    value.map(PathBuf::from).unwrap_or_default()
}

/// The workerd that npm installed for this system.
fn workerd_binary() -> io::Result<PathBuf> {
    let packages = edge_dir().join("node_modules/@cloudflare");
    for package in fs::read_dir(packages)? {
        let package = package?;
        if package.file_name().to_string_lossy().starts_with("workerd-") {
            return Ok(package.path().join("bin/workerd"));
        }
    }
    Err(io::Error::new(io::ErrorKind::NotFound, "no workerd in edge/node_modules"))
}
