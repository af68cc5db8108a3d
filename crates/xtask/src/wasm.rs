//! WebAssembly modules: cargo, then wasm-bindgen's library where there are bindings, then wasm-opt.
//!
//! ```text
//! crates/codec ── cargo ──────────────── wasm-opt ─► codec.wasm      the Worker's and the page's
//! edge         ── cargo ── bindgen ─┬─── wasm-opt ─► index_bg.wasm
//!                                   └─ index.js ───► see edge.rs
//! www          ── cargo ── bindgen ─┬─── wasm-opt ─► index_bg.wasm
//!                                   └─ index.js ───► see page.rs
//! ```
//!
//! All of it is made in folders of `target/`. What has not changed is not made again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Error;
use crate::node;
use crate::project::{cargo, release_binary, target_dir};

const TARGET: &str = "wasm32-unknown-unknown";

/// The most memory an instance of the codec may have: what the platform gives a Worker in all. More than that
/// is an instance's own failure then, and not the Worker's.
const MAX_MEMORY: u64 = 128 << 20;

/// What the compiler may use, and therefore the runtime must know: every current one does.
const WASM_OPT: [&str; 11] = [
    "-O3",
    "--enable-exception-handling",
    "--enable-reference-types",
    "--enable-multivalue",
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--strip-debug",
    "--strip-producers",
];

/// A build of the codec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Codec {
    /// As it is deployed.
    Simd,
    /// Without simd128.
    Plain,
    /// For tests: dies on demand.
    Crash,
}

impl Codec {
    /// Its file in the build's folder.
    pub(crate) const fn file(self) -> &'static str {
        match self {
            Codec::Simd => "codec.wasm",
            Codec::Plain => "codec-plain.wasm",
            Codec::Crash => "codec-crash.wasm",
        }
    }
}

/// Runs a command to its success.
pub(crate) type Runner<'a> = &'a mut dyn FnMut(&mut Command) -> Result<(), Error>;

/// Whether modules go through wasm-opt, which needs Node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shrink {
    /// They do.
    WasmOpt,
    /// They stay as the compiler made them: larger, and right.
    Not,
}

/// Where modules that several things are made of lie.
pub(crate) fn modules_dir() -> Result<PathBuf, Error> {
    create(target_dir().join("edge"))
}

/// A folder, made if it is not there.
pub(crate) fn create(dir: PathBuf) -> Result<PathBuf, Error> {
    fs::create_dir_all(&dir).map_err(|source| Error::File { path: dir.clone(), source })?;
    Ok(dir)
}

/// Builds a codec; its file, until the next is built.
pub(crate) fn codec_module(codec: Codec, shrink: Shrink, run: Runner<'_>) -> Result<PathBuf, Error> {
    let simd = if codec == Codec::Plain { "-" } else { "+" };
    let flags = format!("-Ctarget-feature={simd}simd128 -Clink-arg=--max-memory={MAX_MEMORY}");
    let mut command = cargo(["build", "--profile", "edge", "--target", TARGET, "--package", "tintype-codec"]);
    if codec == Codec::Crash {
        command.args(["--features", "crash"]);
    }
    run(command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags))?;
    optimize(artifact("tintype_codec.wasm"), &modules_dir()?.join(codec.file()), shrink, run)
}

/// Builds a crate with bindings for `worker` or `web`: `index.js`, `index_bg.wasm` and `snippets/` in `dir`, of
/// which nothing older remains.
pub(crate) fn bindings(target: &str, package: &str, dir: &Path, run: Runner<'_>) -> Result<(), Error> {
    run(&mut cargo(["build", "--release", "--package", "bindgen"]))?;
    run(&mut cargo(["build", "--profile", "edge", "--target", TARGET, "--package", package]))?;
    remove(dir)?;
    let module = artifact(&format!("{}.wasm", package.replace('-', "_")));
    run(Command::new(release_binary("bindgen")).arg(target).arg(module).arg(dir))
}

/// Removes a folder, if it is there.
pub(crate) fn remove(dir: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(dir) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::File { path: dir.to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// Runs wasm-opt, unless the module is the one it made `optimized` of before; the file to use.
pub(crate) fn optimize(
    module: PathBuf,
    optimized: &Path,
    shrink: Shrink,
    run: Runner<'_>,
) -> Result<PathBuf, Error> {
    if shrink == Shrink::Not {
        return Ok(module);
    }
    let kept = optimized.with_extension("wasm.input");
    let input = read(&module)?;
    if optimized.is_file() && fs::read(&kept).is_ok_and(|known| known == input) {
        return Ok(optimized.to_owned());
    }
    run(Command::new("node")
        .arg(node::EDGE.tool("binaryen/bin/wasm-opt"))
        .arg(&module)
        .args(WASM_OPT)
        .arg("-o")
        .arg(optimized))?;
    // Last, so that an interrupted run is made up for by the next.
    write(&kept, &input)?;
    Ok(optimized.to_owned())
}

fn artifact(name: &str) -> PathBuf {
    target_dir().join(TARGET).join("edge").join(name)
}

/// A file's bytes.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|source| Error::File { path: path.to_owned(), source })
}

/// Makes or replaces a file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    fs::write(path, bytes).map_err(|source| Error::File { path: path.to_owned(), source })
}

/// Copies a file.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    write(to, &read(from)?)
}
