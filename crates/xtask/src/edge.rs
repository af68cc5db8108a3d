//! `cargo xtask edge`: the Worker's modules built, and run here on the real runtime.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::error::Error;
use crate::project::{cargo, release_binary, root, succeed, target_dir};

mod build;
mod node;

pub(crate) use build::{Codec, build};
pub(crate) use node::require as require_node;

/// What `wrangler deploy` uploads, in `edge/dist/`.
const DEPLOYED: [&str; 3] = ["index.js", "index_bg.wasm", "codec.wasm"];

/// `cargo xtask edge [--no-simd] [--serve]`.
pub(crate) fn run(args: &[&str]) -> Result<ExitCode, Error> {
    let (mut codec, mut serving) = (Codec::Simd, false);
    for arg in args {
        match *arg {
            "--no-simd" => codec = Codec::Plain,
            "--serve" => serving = true,
            unknown => return Err(Error::Usage(format!("unknown option {unknown:?}"))),
        }
    }
    node::require()?;
    let build = build(&[codec], &mut |command| succeed(command))?;
    let dist = root().join("edge/dist");
    create(&dist)?;
    for name in DEPLOYED {
        let from = build.join(if name == "codec.wasm" { codec.file() } else { name });
        let to = dist.join(name);
        fs::copy(&from, &to).map_err(|source| Error::File { path: to, source })?;
    }
    println!("edge/dist, ready for `wrangler deploy` (see edge/README.md):\n");
    print!("{}", node::sizes(&dist, &DEPLOYED)?);
    if serving { serve() } else { Ok(ExitCode::SUCCESS) }
}

/// A command that runs a program of the tests' crate, which has the runtime and an origin for the samples.
pub(crate) fn dev_program(args: &[&str], build: &std::path::Path) -> Result<Command, Error> {
    succeed(&mut cargo([
        "build",
        "--release",
        "--package",
        "tintype-tests",
        "--features",
        "edge",
        "--bin",
        "edge-dev",
    ]))?;
    let mut command = Command::new(release_binary("edge-dev"));
    command.args(args).arg(target_dir().join("samples")).env("TINTYPE_EDGE_BUILD", build);
    Ok(command)
}

/// `cargo xtask bench edge`: what a request costs the runtime's process.
pub(crate) fn bench() -> Result<ExitCode, Error> {
    node::require()?;
    let build = build(&[Codec::Simd], &mut |command| succeed(command))?;
    print!("{}", node::sizes(&build, &DEPLOYED)?);
    succeed(&mut dev_program(&["bench"], &build)?)?;
    Ok(ExitCode::SUCCESS)
}

fn serve() -> Result<ExitCode, Error> {
    let dist = root().join("edge/dist");
    succeed(&mut dev_program(&["serve"], &dist)?)?;
    Ok(ExitCode::SUCCESS)
}

fn create(dir: &PathBuf) -> Result<(), Error> {
    fs::create_dir_all(dir).map_err(|source| Error::File { path: dir.clone(), source })
}
