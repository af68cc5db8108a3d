//! `samples DIR`: fills a folder with the sample pictures.

use std::path::PathBuf;
use std::process::ExitCode;

use tintype_tests::samples;

fn main() -> ExitCode {
    let Some(dir) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: samples DIR");
        return ExitCode::from(2);
    };
    match samples::write_all(&dir) {
        Ok(samples) => {
            println!("{} sample files in {}", samples.len(), dir.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("the samples could not be written to {}: {error}", dir.display());
            ExitCode::FAILURE
        }
    }
}
