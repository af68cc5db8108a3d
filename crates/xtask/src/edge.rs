//! `cargo xtask edge`: the Worker's modules built, and run here on the real runtime.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::error::Error;
use crate::node;
use crate::project::{cargo, release_binary, root, succeed, target_dir};
use crate::wasm::{self, Codec, Runner, Shrink};

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
    node::EDGE.require()?;
    let build = build(&[codec], &mut |command| succeed(command))?;
    let dist = wasm::create(root().join("edge/dist"))?;
    for name in DEPLOYED {
        let from = build.join(if name == "codec.wasm" { codec.file() } else { name });
        wasm::copy(&from, &dist.join(name))?;
    }
    println!("edge/dist, ready for `wrangler deploy` (see edge/README.md):\n");
    print!("{}", node::sizes(&dist, &DEPLOYED)?);
    if serving { serve() } else { Ok(ExitCode::SUCCESS) }
}

/// Builds the glue and these codecs, each command by `run`; the folder with them.
pub(crate) fn build(codecs: &[Codec], run: Runner<'_>) -> Result<PathBuf, Error> {
    let dir = wasm::modules_dir()?;
    for codec in codecs {
        wasm::codec_module(*codec, Shrink::WasmOpt, run)?;
    }
    let generated = dir.join("bindings");
    wasm::bindings("worker", "tintype-edge", &generated, run)?;
    let index = generated.join("index.js");
    let script = wasm::read(&index)?;
    // The bindings import their module in a form that esbuild does not know yet; the plain one means the same to
    // the runtime.
    let script = String::from_utf8_lossy(&script).replace("import source ", "import ");
    wasm::write(&index, script.as_bytes())?;
    for script in ["shim.js", "codec.js"] {
        wasm::copy(&root().join("edge").join(script), &generated.join(script))?;
    }
    let mut bundle = Command::new(node::EDGE.tool("esbuild/bin/esbuild"));
    bundle.arg(generated.join("shim.js"));
    bundle.args(["--bundle", "--format=esm", "--log-level=warning", "--external:cloudflare:*"]);
    bundle.args(["--external:./index_bg.wasm", "--external:./codec.wasm"]);
    bundle.arg(format!("--outfile={}", dir.join("index.js").display()));
    run(&mut bundle)?;
    wasm::optimize(generated.join("index_bg.wasm"), &dir.join("index_bg.wasm"), Shrink::WasmOpt, run)?;
    Ok(dir)
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
