//! `cargo xtask edge`: the Worker's modules built, and run here on the real runtime.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::error::Error;
use crate::project::{cargo, release_binary, root, succeed, target_dir};

mod build;
mod node;

pub(crate) use build::{Codec, Runner, build};
pub(crate) use node::{require as require_node, require_node as require_node_itself, tool as node_tool};

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

/// Builds the program of the tests' crate that runs Workers and has an origin for their sources.
pub(crate) fn build_dev_program(run: Runner<'_>) -> Result<(), Error> {
    let package = ["--package", "tintype-tests", "--features", "edge", "--bin", "edge-dev"];
    run(cargo(["build", "--release"]).args(package))
}

/// Tells a program where the Worker's modules are.
pub(crate) fn with_build<'a>(command: &'a mut Command, build: &Path) -> &'a mut Command {
    command.env("TINTYPE_EDGE_BUILD", build)
}

fn serve() -> Result<ExitCode, Error> {
    let dist = root().join("edge/dist");
    build_dev_program(&mut |command| succeed(command))?;
    let mut command = Command::new(release_binary("edge-dev"));
    command.arg("serve").arg(target_dir().join("samples"));
    succeed(with_build(&mut command, &dist))?;
    Ok(ExitCode::SUCCESS)
}

fn create(dir: &PathBuf) -> Result<(), Error> {
    fs::create_dir_all(dir).map_err(|source| Error::File { path: dir.clone(), source })
}
