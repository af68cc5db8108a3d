//! `samples DIR`: fills a folder with the sample pictures. `samples --photo WIDTH HEIGHT FILE`: draws a landscape of
//! that size, as JPEG.

use std::path::PathBuf;
use std::process::ExitCode;

use tintype_tests::samples;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--photo", width, height, file] => photo(width, height, file),
        [dir] => fill(dir),
        _ => {
            eprintln!("usage: samples DIR | samples --photo WIDTH HEIGHT FILE");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn fill(dir: &str) -> Result<String, String> {
    let samples = samples::write_all(&PathBuf::from(dir))
        .map_err(|error| format!("the samples could not be written to {dir}: {error}"))?;
    Ok(format!("{} sample files in {dir}", samples.len()))
}

fn photo(width: &str, height: &str, file: &str) -> Result<String, String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=16_384).contains(side));
    let size = side(width).zip(side(height)).ok_or("width and height are whole numbers from 1 to 16384")?;
    let jpeg = samples::large_jpeg(size.0, size.1);
    std::fs::write(file, jpeg).map_err(|error| format!("{file}: {error}"))?;
    Ok(format!("{width} × {height} pixels in {file}"))
}
