//! `bindgen TARGET MODULE.wasm DIR`: JavaScript bindings for a module of this workspace, as `DIR/index.js` and
//! `DIR/index_bg.wasm`. TARGET is `worker` or `web`.
//!
//! This is wasm-bindgen's own library, in the version that Cargo.lock pins beside wasm-bindgen itself, so that
//! nobody has to install a program of the very same version.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [target, module, dir] = args.as_slice() else {
        eprintln!("usage: bindgen worker|web MODULE.wasm DIR");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).typescript(false).out_name("index").remove_producers_section(true);
    let chosen = match target.as_str() {
        // What `#[worker::event]` expects, and what lets the shim start over after a panic.
        "worker" => bindgen.module(true).map(|bindgen| {
            bindgen.reset_state_function(true).force_enable_abort_handler(true);
        }),
        "web" => bindgen.web(true).map(|_| ()),
        unknown => {
            eprintln!("unknown target {unknown:?}");
            return ExitCode::from(2);
        }
    };
    match chosen.and_then(|()| bindgen.generate(dir)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{module}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
