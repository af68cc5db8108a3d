//! `edge-dev serve DIR`: the Worker at <http://127.0.0.1:8787> over the sample pictures in a folder, which is
//! filled first. `edge-dev bench DIR`: what a request costs the runtime's process.
//!
//! `cargo xtask edge --serve` and `cargo xtask bench edge` build the modules and call this.

use std::error::Error;
use std::path::Path;
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

/// Requests that are measured, after as many that are not.
const REQUESTS: u32 = 40;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["serve", dir] => serve(Path::new(dir)),
        ["bench", dir] => bench(Path::new(dir)),
        _ => Err("usage: edge-dev serve|bench DIR".into()),
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

fn bench(dir: &Path) -> Result<(), Box<dyn Error>> {
    samples::write_all(dir)?;
    let large = dir.join("12-megapixels.jpg");
    if !large.exists() {
        std::fs::write(&large, samples::large_jpeg(4000, 3000))?;
    }
    let hd = dir.join("1080p.jpg");
    if !hd.exists() {
        std::fs::write(&hd, samples::large_jpeg(1920, 1080))?;
    }
    let files = Files::serve(dir.to_owned())?;
    let variables = [("SOURCE_BASE", &*files.base()), ("DEBUG_HEADERS", "1")];
    let setup = Setup { codec: Codec::Simd, port: 0, variables: &variables };
    let runtime = Runtime::start(&std::env::temp_dir(), &setup)?;
    println!("\nCPU of the workerd process, mean of {REQUESTS} requests, one at a time:\n");
    let constant = measure(&runtime, "/img/landscape.jpg?w=0", 10 * REQUESTS)?.0;
    println!("  {:<42} {:>7.2} ms", "a constant answer (400)", millis(constant));
    for (what, target) in [
        ("1080p JPEG to 240 px JPEG", "/img/1080p.jpg?w=240&f=jpeg"),
        ("1080p JPEG to 240 px lossless WebP", "/img/1080p.jpg?w=240&f=webp&q=100"),
        ("12 MP JPEG to 800 px JPEG", "/img/12-megapixels.jpg?w=800&f=jpeg"),
        ("12 MP JPEG to 800 px PNG", "/img/12-megapixels.jpg?w=800&f=png"),
    ] {
        let (cpu, memory) = measure(&runtime, target, REQUESTS)?;
        let own = millis(cpu.saturating_sub(constant));
        let instance = megabytes(memory);
        println!("  {what:<42} {own:>7.2} ms above that, {instance:>4} MB of instance memory");
    }
    let memory = megabytes(runtime.usage().memory);
    println!("\n  workerd holds {memory} MB at the end.");
    Ok(())
}

/// The CPU time of a request, and the memory that its instance had.
fn measure(runtime: &Runtime, target: &str, requests: u32) -> Result<(Duration, u64), Box<dyn Error>> {
    let mut memory = 0;
    let mut round = |runtime: &Runtime| -> Result<(), Box<dyn Error>> {
        for _ in 0..requests {
            let answer = ask(runtime.address, &Ask { method: "GET", target, headers: &[] })?;
            if answer.status >= 500 {
                return Err(format!("{target}: {} {}", answer.status, answer.text()).into());
            }
            memory = answer.header("x-wasm-memory").map_or(Ok(0), str::parse)?;
        }
        Ok(())
    };
    round(runtime)?;
    let before = runtime.usage().cpu;
    round(runtime)?;
    Ok((runtime.usage().cpu.saturating_sub(before) / requests, memory))
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

fn megabytes(bytes: u64) -> u64 {
    bytes / 1_000_000
}
