//! `edge-dev serve DIR`: the Worker at <http://127.0.0.1:8787> over the sample pictures in a folder, which is
//! filled first. `edge-dev bench JSQUASH DIR [--quick] PICTURE…`: what a request for a thumbnail of these pictures in
//! a folder costs the runtime's process, with our Worker and with the jSquash Worker whose modules are in JSQUASH.
//!
//! `cargo xtask edge --serve` and `cargo xtask bench edge` build the modules and call this.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use tintype_tests::edge::{Codec, Files, Runtime, Setup};
use tintype_tests::http_cases::{Ask, ask};
use tintype_tests::samples;

const PORT: u16 = 8787;

/// What `serve` names; each shows something else.
const SHOWN: [&str; 5] = [
    "landscape.jpg?w=800&f=jpeg",
    "landscape-progressive.jpg?w=240",
    "portrait.jpg?w=400&h=400&fit=cover&g=bottom",
    "alpha.png?w=400",
    "orientation-6.jpg?w=150",
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["serve", dir] => serve(Path::new(dir)),
        ["bench", jsquash, dir, "--quick", pictures @ ..] => {
            bench(Path::new(jsquash), Path::new(dir), true, pictures)
        }
        ["bench", jsquash, dir, pictures @ ..] => bench(Path::new(jsquash), Path::new(dir), false, pictures),
        _ => Err("usage: edge-dev serve DIR | bench JSQUASH DIR [--quick] PICTURE…".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(dir: &Path) -> Result<(), Box<dyn Error>> {
    samples::write_all(dir)?;
    let files = Files::serve(dir.to_owned())?;
    let variables = [("SOURCE_BASE", &*files.base()), ("DEBUG_HEADERS", "1")];
    let setup = Setup { codec: Codec::Simd, port: PORT, variables: &variables };
    let runtime = Runtime::start(&std::env::temp_dir(), &setup)?;
    println!("Open one of these (Ctrl-C stops the Worker):\n");
    for target in SHOWN {
        println!("  http://{}/img/{target}", runtime.address);
    }
    runtime.wait()?;
    Ok(())
}

/// A Worker in a process of its own.
struct Contestant {
    name: &'static str,
    runtime: Runtime,
    /// The address's path for a picture's thumbnail.
    target: fn(&str, u32, &str) -> String,
    /// CPU time of an answer that makes no picture.
    constant: Duration,
}

/// Prints a line for each contestant at each case: `case`, `contestant`, `picture`, best and median microseconds of
/// CPU, bytes of memory that the thumbnail's instance had (0 where that is not known), with tabs between.
fn bench(jsquash: &Path, dir: &Path, quick: bool, pictures: &[&str]) -> Result<(), Box<dyn Error>> {
    // The process's clock has hundredths of a second: so many requests are one measurement.
    let (rounds, requests) = if quick { (1, 2) } else { (5, 20) };
    let files = Files::serve(dir.to_owned())?;
    let mut contestants = vec![start_jsquash(jsquash, &files)?, start_own(&files)?];
    for contestant in &mut contestants {
        ask_for(contestant, "/img/x.jpg?w=0", requests)?;
        contestant.constant = ask_for(contestant, "/img/x.jpg?w=0", 20 * requests)?.0;
    }
    for picture in pictures {
        for (width, format) in [(240, "jpeg"), (800, "jpeg"), (240, "webp"), (800, "webp")] {
            let mut results = Vec::new();
            for contestant in &contestants {
                let target = (contestant.target)(picture, width, format);
                let first =
                    ask(contestant.runtime.address, &Ask { method: "GET", target: &target, headers: &[] })?;
                if first.status != 200 {
                    return Err(format!("{target}: {} {}", first.status, first.text()).into());
                }
                results.push((contestant, target, Vec::new(), 0));
            }
            for _ in 0..rounds {
                for (contestant, target, times, memory) in &mut results {
                    let (cpu, had) = ask_for(contestant, target, requests)?;
                    times.push(cpu.saturating_sub(contestant.constant));
                    *memory = had;
                }
            }
            for (contestant, _, mut times, memory) in results {
                times.sort_unstable();
                let (min, median) = (times[0].as_micros(), times[times.len() / 2].as_micros());
                let case = format!("to {width} {format}, q80");
                let name = contestant.name;
                println!("{case}\t{name}\t{picture}\t{min}\t{median}\t{memory}");
            }
        }
    }
    for contestant in &contestants {
        let memory = contestant.runtime.usage().memory / 1_000_000;
        eprintln!("{}: workerd holds {memory} MB at the end", contestant.name);
    }
    Ok(())
}

fn start_own(files: &Files) -> Result<Contestant, Box<dyn Error>> {
    let variables = [("SOURCE_BASE", &*files.base()), ("DEBUG_HEADERS", "1")];
    let setup = Setup { codec: Codec::Simd, port: 0, variables: &variables };
    let runtime = Runtime::start(&std::env::temp_dir(), &setup)?;
    let target = |picture: &str, width, format: &str| format!("/img/{picture}?w={width}&f={format}&q=80");
    Ok(Contestant { name: "tintype", runtime, target, constant: Duration::ZERO })
}

fn start_jsquash(modules: &Path, files: &Files) -> Result<Contestant, Box<dyn Error>> {
    let mut found = vec![(modules.join("index.js"), "index.js".to_owned())];
    for entry in std::fs::read_dir(modules)? {
        let path = entry?.path();
        if path.extension().is_some_and(|kind| kind == "wasm") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            found.push((path, name));
        }
    }
    let found: Vec<(PathBuf, &str)> =
        found.iter().map(|(path, name)| (path.clone(), name.as_str())).collect();
    let variables = [("SOURCE_BASE", &*files.base())];
    let runtime = Runtime::start_modules(&std::env::temp_dir(), &found, 0, &variables)?;
    let target = |picture: &str, width, format: &str| format!("/{picture}?w={width}&f={format}");
    Ok(Contestant { name: "jSquash", runtime, target, constant: Duration::ZERO })
}

/// The CPU time of each of so many requests, and the memory that the last one's instance had.
fn ask_for(contestant: &Contestant, target: &str, requests: u32) -> Result<(Duration, u64), Box<dyn Error>> {
    let runtime = &contestant.runtime;
    let before = runtime.usage().cpu;
    let mut memory = 0;
    for _ in 0..requests {
        let answer = ask(runtime.address, &Ask { method: "GET", target, headers: &[] })?;
        if answer.status >= 500 {
            return Err(format!("{target}: {} {}", answer.status, answer.text()).into());
        }
        memory = answer.header("x-wasm-memory").map_or(Ok(0), str::parse)?;
    }
    Ok((runtime.usage().cpu.saturating_sub(before) / requests, memory))
}
