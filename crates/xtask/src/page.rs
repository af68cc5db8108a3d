//! `cargo xtask page`: the demo page as static files, for `tintype serve --page` or any other server.
//!
//! ```text
//! www/static/*                          as they are
//! codec.wasm                            the Worker's own (wasm.rs)
//! glue/index.js, index_bg.wasm, …       www, with its bindings
//! samples/*                             the pictures that index.html names
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::error::Error;
use crate::project::{root, succeed, target_dir};
use crate::wasm::{self, Codec, Runner, Shrink};
use crate::{node, serve, tools};

/// `cargo xtask page`.
pub(crate) fn run() -> Result<ExitCode, Error> {
    tools::require_c_compiler()?;
    let shrink = shrink_if_possible();
    serve::build_samples()?;
    let dist = root().join("www/dist");
    build(&dist, Codec::Simd, shrink, &serve::samples()?, &mut |command| succeed(command))?;
    println!("www/dist: static files. `tintype serve --root DIR --page www/dist` serves them at /");
    Ok(ExitCode::SUCCESS)
}

/// wasm-opt where Node and its tools are or can be had; else a note, for the page works without.
pub(crate) fn shrink_if_possible() -> Shrink {
    match node::EDGE.require() {
        Ok(()) => Shrink::WasmOpt,
        Err(error) => {
            eprintln!("note: {error}\nnote: the page works without, and its WebAssembly is not shrunk");
            Shrink::Not
        }
    }
}

/// Builds the page into `dist`, of which nothing older remains.
pub(crate) fn build(
    dist: &Path,
    codec: Codec,
    shrink: Shrink,
    samples: &Path,
    run: Runner<'_>,
) -> Result<(), Error> {
    let codec = wasm::read(&wasm::codec_module(codec, shrink, run)?)?;
    let work = wasm::create(target_dir().join("www"))?;
    let generated = work.join("bindings");
    wasm::bindings("web", "tintype-page", &generated, run)?;
    let glue = wasm::optimize(generated.join("index_bg.wasm"), &work.join("index_bg.wasm"), shrink, run)?;

    wasm::remove(dist)?;
    let page = root().join("www/static");
    copy_folder(&page, dist)?;
    wasm::write(&dist.join("codec.wasm"), &codec)?;
    copy_folder(&generated, &dist.join("glue"))?;
    wasm::copy(&glue, &dist.join("glue/index_bg.wasm"))?;
    let index = wasm::read(&page.join("index.html"))?;
    let folder = wasm::create(dist.join("samples"))?;
    for name in named_samples(&String::from_utf8_lossy(&index)) {
        wasm::copy(&samples.join(name), &folder.join(name))?;
    }
    Ok(())
}

/// The values of the page's `data-sample` attributes.
fn named_samples(html: &str) -> impl Iterator<Item = &str> {
    html.split("data-sample=\"").skip(1).filter_map(|rest| rest.split('"').next())
}

/// Copies a folder with all that is in it.
fn copy_folder(from: &Path, to: &Path) -> Result<(), Error> {
    let failed = |source| Error::File { path: from.to_owned(), source };
    let to: PathBuf = wasm::create(to.to_owned())?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let Some(name) = path.file_name() else { continue };
        if path.is_dir() {
            copy_folder(&path, &to.join(name))?;
        } else {
            wasm::copy(&path, &to.join(name))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_named_by_the_page() {
        let html = r#"<button data-sample="a.jpg">A</button><b data-sample="b.png">"#;
        assert_eq!(named_samples(html).collect::<Vec<_>>(), ["a.jpg", "b.png"]);
        let page = fs::read_to_string(root().join("www/static/index.html")).unwrap();
        assert!(named_samples(&page).count() > 3);
    }
}
