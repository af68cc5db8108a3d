//! What peers are made of: cmake and nasm for libjpeg-turbo, packages from npm, oximg from crates.io.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::source;
use crate::error::Error;
use crate::project::cargo;
use crate::wasm::{Runner, copy, create};
use crate::{node, programs, tools};

/// oximg's version: a benchmark names what it measures.
const OXIMG: &str = "oximg@0.18.1";

/// Files that npm's folder gets from `bench/node`.
const SCRIPTS: [&str; 6] =
    ["package.json", "package-lock.json", ".npmrc", "thumb.mjs", "sharp-server.mjs", "ipx-server.mjs"];

/// jSquash's modules.
const JSQUASH: [&str; 4] = [
    "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm",
    "@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm",
    "@jsquash/webp/codec/enc/webp_enc_simd.wasm",
    "@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm",
];

/// Makes sure that libjpeg-turbo and libwebp can be compiled, with their vector code.
pub(crate) fn require_build_tools(run: Runner<'_>) -> Result<(), Error> {
    tools::require_c_compiler()?;
    for builder in &programs::PEER_BUILDERS {
        builder.require(run)?;
    }
    Ok(())
}

/// Installs sharp, ipx and jSquash; the folder with them and their scripts.
pub(super) fn npm(dir: &Path, run: Runner<'_>) -> Result<PathBuf, Error> {
    node::require_node("the benches' peers")?;
    let node = create(dir.join("node"))?;
    for script in SCRIPTS {
        copy(&source("node").join(script), &node.join(script))?;
    }
    let marker = node.join("node_modules/.installed");
    let wanted = fs::read(node.join("package-lock.json")).unwrap_or_default();
    if fs::read(&marker).is_ok_and(|installed| installed == wanted) {
        return Ok(node);
    }
    eprintln!("installing peers from npm into {}", node.display());
    run(Command::new("npm").args(["ci", "--loglevel=error"]).current_dir(&node))?;
    fs::write(&marker, wanted).map_err(|source| Error::File { path: marker, source })?;
    Ok(node)
}

/// Installs oximg's server; the binary. Minutes, once.
pub(super) fn oximg(dir: &Path, run: Runner<'_>) -> Result<PathBuf, Error> {
    let place = dir.join("oximg");
    let mut command = cargo(["install", OXIMG, "--locked", "--root"]);
    // Where this version is installed already, cargo says so and builds nothing.
    run(command.arg(&place).env("CARGO_TARGET_DIR", dir.join("oximg-build")))?;
    Ok(place.join("bin/oximg").with_extension(std::env::consts::EXE_EXTENSION))
}

/// Bundles the jSquash Worker into `node/jsquash`.
pub(super) fn jsquash(node: &Path, run: Runner<'_>) -> Result<(), Error> {
    let made = create(node.join("jsquash"))?;
    for module in JSQUASH {
        let name = module.rsplit('/').next().unwrap_or(module);
        copy(&node.join("node_modules").join(module), &made.join(name))?;
    }
    let script = node.join("jsquash-worker.js");
    copy(&source("node/jsquash-worker.js"), &script)?;
    let mut bundle = Command::new(node::EDGE.tool("esbuild/bin/esbuild"));
    bundle.arg(&script).args(["--bundle", "--format=esm", "--log-level=error", "--external:*.wasm"]);
    bundle.args(["--external:node:*", "--external:module"]);
    run(bundle.arg(format!("--outfile={}", made.join("index.js").display())))
}
