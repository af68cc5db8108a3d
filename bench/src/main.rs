//! Tintype beside its peers, in one run: `cargo xtask bench` builds and calls this, after it has put what the
//! peers need into the folder `--dir`.
//!
//! | subcommand | contestants | clock |
//! |---|---|---|
//! | `decode` | turbojpeg, zune-jpeg | CPU of this thread |
//! | `resize` | `fast_image_resize`, pic-scale | CPU of this thread |
//! | `encode` | libwebp, image-webp | CPU of this thread |
//! | `thumb` | sharp, ipx, oximg, tintype | CPU of this thread or of their process |
//! | `serve` | the same as servers | CPU of their process, requests per second |
//! | `edge` | a jSquash Worker | CPU of workerd |
//!
//! Adding a contestant is one closure in the subcommand's file. One that cannot do a job has no row.

mod decode;
mod edge;
mod encode;
mod harness;
#[expect(
    unsafe_code,
    reason = "libwebp is C; its safe wrappers hide the methods and planes that are compared"
)]
mod libwebp;
mod load;
mod node;
mod photographs;
mod picture;
mod quality;
mod report;
mod resize;
mod serve;
mod server;
mod setup;
mod thumb;

use std::process::ExitCode;

use report::{Report, compare, readme};
use setup::Setup;

/// Anything that stops a bench; all of it is for a person to read.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let setup = Setup::from_args(std::env::args().skip(1))?;
    // Read first: the file may be the one that is written.
    let earlier = setup.compare.as_deref().map(report::read).transpose()?;
    let measurements = match setup.bench.as_str() {
        "decode" => decode::run(&setup)?,
        "resize" => resize::run(&setup)?,
        "encode" => encode::run(&setup)?,
        "thumb" => thumb::run(&setup)?,
        "serve" => serve::run(&setup)?,
        "edge" => edge::run(&setup)?,
        unknown => return Err(format!("no bench {unknown:?}").into()),
    };
    if measurements.is_empty() {
        return Err("nothing was measured".into());
    }
    let report = Report::new(&setup, measurements);
    println!("{}", report.text());
    if let Some(earlier) = earlier {
        println!("{}", compare::text(&report, &earlier)?);
    }
    let json = setup.json.clone().unwrap_or_else(|| setup.dir.join(format!("{}.json", report.bench)));
    report::write(&report, &json)?;
    println!("JSON: {}", json.display());
    if let Some(path) = &setup.readme {
        readme::update(path, &report)?;
        println!("{} has these numbers now", path.display());
    }
    Ok(())
}
