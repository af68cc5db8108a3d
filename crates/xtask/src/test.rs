//! `cargo xtask test`: everything that must hold before a change goes in.
//!
//! Every step runs, also after one that failed; each leaves its whole output in `target/test-logs/STEP.log`.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::project::{describe, target_dir};
use crate::stream;

mod bench;
mod cargo_test;
mod checks;
mod edge;
mod licences;
mod page;
mod serve;
mod toolchain;

/// How much of a failed step's log is shown.
const TAIL_LINES: usize = 40;

/// One step: its name on the command line, and what it does.
struct Step {
    name: &'static str,
    run: fn(&Log) -> Result<Outcome, Error>,
}

/// All steps, in the order they run: what fails soonest comes first.
const STEPS: [Step; 11] = [
    Step { name: "toolchain", run: toolchain::run },
    Step { name: "format", run: checks::format },
    Step { name: "lint", run: checks::lint },
    Step { name: "no-std", run: checks::no_std },
    Step { name: "tests", run: cargo_test::run },
    Step { name: "docs", run: checks::docs },
    Step { name: "licences", run: licences::run },
    Step { name: "serve", run: serve::run },
    Step { name: "edge", run: edge::run },
    Step { name: "bench", run: bench::run },
    Step { name: "page", run: page::run },
];

/// What a step found.
struct Outcome {
    passed: u32,
    failed: u32,
    /// A few words for the table.
    note: String,
}

impl Outcome {
    /// One thing was checked and is right.
    fn passed(note: impl Into<String>) -> Outcome {
        Outcome { passed: 1, failed: 0, note: note.into() }
    }

    /// One thing was checked and is wrong.
    fn failed(note: impl Into<String>) -> Outcome {
        Outcome { passed: 0, failed: 1, note: note.into() }
    }
}

/// A step's log file.
struct Log {
    path: PathBuf,
}

impl Log {
    /// Runs a command, showing nothing of it.
    fn run(&self, command: &mut Command) -> Result<bool, Error> {
        self.run_showing(command, |_| None)
    }

    /// Runs a command, showing what `each` makes of its lines.
    fn run_showing(
        &self,
        command: &mut Command,
        each: impl FnMut(&str) -> Option<String>,
    ) -> Result<bool, Error> {
        Ok(stream::run(command, &self.path, each)?.success())
    }

    /// Runs a command, showing nothing of it; anything but success is an error.
    fn succeed(&self, command: &mut Command) -> Result<(), Error> {
        let status = stream::run(command, &self.path, |_| None)?;
        if status.success() { Ok(()) } else { Err(Error::Failed { command: describe(command), status }) }
    }

    /// Adds a line of our own; a log that cannot be written is no reason to fail.
    fn note(&self, line: &str) {
        if let Ok(mut file) = File::options().append(true).open(&self.path) {
            let _ = writeln!(file, "{line}");
        }
    }

    /// Runs commands until one fails: a step that is right when all of them succeed.
    fn all_succeed(&self, commands: impl IntoIterator<Item = Command>) -> Result<Outcome, Error> {
        for mut command in commands {
            if !self.run(&mut command)? {
                return Ok(Outcome::failed(format!("`{}` failed", describe(&command))));
            }
        }
        Ok(Outcome::passed(""))
    }
}

/// The steps' names.
pub(crate) fn step_names() -> Vec<&'static str> {
    STEPS.iter().map(|step| step.name).collect()
}

/// Runs the named steps, or all.
pub(crate) fn run(names: &[&str]) -> Result<ExitCode, Error> {
    if let Some(unknown) = names.iter().find(|name| !step_names().contains(name)) {
        return Err(Error::Usage(format!("unknown step {unknown:?}")));
    }
    let logs = target_dir().join("test-logs");
    fs::create_dir_all(&logs).map_err(|source| Error::File { path: logs.clone(), source })?;

    let chosen: Vec<&Step> =
        STEPS.iter().filter(|step| names.is_empty() || names.contains(&step.name)).collect();
    let mut results = Vec::new();
    for (place, step) in chosen.iter().enumerate() {
        println!("[{}/{}] {}", place + 1, chosen.len(), step.name);
        results.push(run_step(step, &logs));
    }
    Ok(summarize(&results))
}

/// A step that is over.
struct Finished {
    name: &'static str,
    outcome: Outcome,
    took: Duration,
}

fn run_step(step: &Step, logs: &Path) -> Finished {
    let begin = Instant::now();
    let log = Log { path: logs.join(format!("{}.log", step.name)) };
    let outcome = match fs::write(&log.path, "") {
        Ok(()) => (step.run)(&log).unwrap_or_else(|error| Outcome::failed(error.to_string())),
        Err(error) => Outcome::failed(format!("{}: {error}", log.path.display())),
    };
    let took = begin.elapsed();
    if outcome.failed > 0 {
        println!("      FAILED in {:.1} s: {}", took.as_secs_f64(), outcome.note);
        println!("{}", stream::tail(&log.path, TAIL_LINES));
        println!("      (all of it: {})", log.path.display());
    } else {
        let note = if outcome.note.is_empty() { String::new() } else { format!(": {}", outcome.note) };
        println!("      ok in {:.1} s{note}", took.as_secs_f64());
    }
    Finished { name: step.name, outcome, took }
}

/// The table of steps and, on the last line, the sum.
fn summarize(results: &[Finished]) -> ExitCode {
    println!();
    for Finished { name, outcome, took } in results {
        let verdict = if outcome.failed > 0 { "FAILED" } else { "ok" };
        let note = outcome.note.lines().next().unwrap_or_default();
        let row = format!("  {name:<10} {verdict:<6} {:>7.1} s  {note}", took.as_secs_f64());
        println!("{}", row.trim_end());
    }
    let passed: u32 = results.iter().map(|result| result.outcome.passed).sum();
    let failed: u32 = results.iter().map(|result| result.outcome.failed).sum();
    println!("\n{passed} passed, {failed} failed");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
