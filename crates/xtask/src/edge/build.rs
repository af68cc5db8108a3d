//! The Worker's modules: cargo, then wasm-bindgen's library, then esbuild and wasm-opt.
//!
//! ```text
//! crates/codec ── cargo ──────────────────────────── wasm-opt ─► codec.wasm
//! edge         ── cargo ── bindgen ─┬─ index_bg.wasm ─ wasm-opt ─► index_bg.wasm
//! edge/*.js ────────────────────────┴─ index.js ────── esbuild ──► index.js
//! ```
//!
//! All of it is made in `target/edge/`. What has not changed is not made again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::node;
use crate::error::Error;
use crate::project::{cargo, release_binary, root, target_dir};

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

/// Builds the glue and these codecs, each command by `run`; the folder with them.
pub(crate) fn build(codecs: &[Codec], run: Runner<'_>) -> Result<PathBuf, Error> {
    let dir = target_dir().join("edge");
    fs::create_dir_all(&dir).map_err(|source| Error::File { path: dir.clone(), source })?;
    for codec in codecs {
        codec_module(*codec, &dir, run)?;
    }
    glue(&dir, run)?;
    Ok(dir)
}

fn codec_module(codec: Codec, dir: &Path, run: Runner<'_>) -> Result<(), Error> {
    let simd = if codec == Codec::Plain { "-" } else { "+" };
    let flags = format!("-Ctarget-feature={simd}simd128 -Clink-arg=--max-memory={MAX_MEMORY}");
    let mut command = cargo(["build", "--profile", "edge", "--target", TARGET, "--package", "tintype-codec"]);
    if codec == Codec::Crash {
        command.args(["--features", "crash"]);
    }
    run(command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags))?;
    optimize(&artifact("tintype_codec.wasm"), &dir.join(codec.file()), run)
}

fn glue(dir: &Path, run: Runner<'_>) -> Result<(), Error> {
    run(&mut cargo(["build", "--release", "--package", "bindgen"]))?;
    run(&mut cargo(["build", "--profile", "edge", "--target", TARGET, "--package", "tintype-edge"]))?;
    let generated = dir.join("bindings");
    // Nothing of an older build may be bundled with this one.
    let _ = fs::remove_dir_all(&generated);
    run(Command::new(release_binary("bindgen"))
        .arg("worker")
        .arg(artifact("tintype_edge.wasm"))
        .arg(&generated))?;
    let index = generated.join("index.js");
    let script = read(&index)?;
    // The bindings import their module in a form that esbuild does not know yet; the plain one means the same to
    // the runtime.
    let script = String::from_utf8_lossy(&script).replace("import source ", "import ");
    write(&index, script.as_bytes())?;
    for script in ["shim.js", "codec.js"] {
        write(&generated.join(script), &read(&root().join("edge").join(script))?)?;
    }
    let shim = generated.join("shim.js");
    let mut bundle = Command::new(node::tool("esbuild/bin/esbuild"));
    bundle.arg(&shim).args(["--bundle", "--format=esm", "--log-level=warning", "--external:cloudflare:*"]);
    bundle.args(["--external:./index_bg.wasm", "--external:./codec.wasm"]);
    bundle.arg(format!("--outfile={}", dir.join("index.js").display()));
    run(&mut bundle)?;
    optimize(&generated.join("index_bg.wasm"), &dir.join("index_bg.wasm"), run)
}

/// Runs wasm-opt, unless the module is the one it made this of before.
fn optimize(module: &Path, optimized: &Path, run: Runner<'_>) -> Result<(), Error> {
    let kept = optimized.with_extension("wasm.input");
    let input = read(module)?;
    if optimized.is_file() && fs::read(&kept).is_ok_and(|known| known == input) {
        return Ok(());
    }
    run(Command::new("node")
        .arg(node::tool("binaryen/bin/wasm-opt"))
        .arg(module)
        .args(WASM_OPT)
        .arg("-o")
        .arg(optimized))?;
    // Last, so that an interrupted run is made up for by the next.
    write(&kept, &input)
}

fn artifact(name: &str) -> PathBuf {
    target_dir().join(TARGET).join("edge").join(name)
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|source| Error::File { path: path.to_owned(), source })
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    fs::write(path, bytes).map_err(|source| Error::File { path: path.to_owned(), source })
}
