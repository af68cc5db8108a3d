//! What was measured: as a table for people, as JSON for later comparisons.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Result;
use crate::harness::Timing;
use crate::setup::Setup;

pub(crate) mod compare;
mod machine;
pub(crate) mod readme;
mod table;

/// One contestant at one job on one picture.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Measurement {
    /// The job.
    pub case: String,
    /// Who did it.
    pub contestant: String,
    /// The picture's name.
    pub picture: String,
    /// Milliseconds in the best round, in the report's unit.
    pub min: Option<f64>,
    /// Milliseconds in the middle of all rounds, in the report's unit.
    pub median: Option<f64>,
    /// Answers in a second of wall-clock time.
    pub per_second: Option<f64>,
    /// The result's length.
    pub bytes: Option<u64>,
    /// The result's likeness to the reference, at most 100.
    pub ssimulacra2: Option<f64>,
    /// Bytes of memory that it took.
    pub memory: Option<u64>,
}

impl Measurement {
    /// Without any number yet.
    pub(crate) fn new(case: &str, contestant: &str, picture: &str) -> Measurement {
        Measurement {
            case: case.into(),
            contestant: contestant.into(),
            picture: picture.into(),
            min: None,
            median: None,
            per_second: None,
            bytes: None,
            ssimulacra2: None,
            memory: None,
        }
    }

    /// With times, divided by `units` (1, or the megapixels of the source).
    pub(crate) fn timed(mut self, timing: Timing, units: f64) -> Measurement {
        let millis = |time: Duration| time.as_secs_f64() * 1e3 / units;
        self.min = Some(millis(timing.min));
        self.median = Some(millis(timing.median));
        self
    }
}

/// A bench's result.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    /// The subcommand.
    pub bench: String,
    /// Whether it was only to see that it works.
    pub quick: bool,
    /// The day, as `2026-01-31`.
    pub date: String,
    /// What it ran on.
    pub machine: String,
    /// How busy the machine was beside this, when the bench had ended: the load of the last minute.
    pub load: Option<f64>,
    /// All that was measured; the first contestant of each case is the one that others are compared with.
    pub measurements: Vec<Measurement>,
}

impl Report {
    /// Of this machine, now.
    pub(crate) fn new(setup: &Setup, measurements: Vec<Measurement>) -> Report {
        Report {
            bench: setup.bench.clone(),
            quick: setup.quick,
            date: machine::today(),
            machine: machine::description(),
            load: machine::load(),
            measurements,
        }
    }

    /// The unit of its times.
    fn unit(&self) -> &'static str {
        if self.bench == "decode" { "ms/MP" } else { "ms" }
    }

    /// What is measured and how, in a sentence or two.
    fn about(&self) -> &'static str {
        match self.bench.as_str() {
            "decode" => {
                "CPU milliseconds per megapixel of the source, one thread, into a buffer that is there already. \
                 `planes` are Y, Cb and Cr as they are stored, without conversion to RGB."
            }
            "resize" => "CPU milliseconds, one thread, Lanczos3, 8-bit samples.",
            "encode" => {
                "CPU milliseconds, one thread, quality 80, from planes of 4:2:0 (image-webp: lossless, from RGB, the \
                 only thing it writes). SSIMULACRA2 is against the picture that was encoded."
            }
            "thumb" => {
                "CPU milliseconds of a whole thumbnail from a JPEG of quality 82 to quality 80. sharp and ipx run in \
                 Node (one thread, no cache, CPU of the process); servers are asked one request after the other, HTTP \
                 included; the rest is this thread's. SSIMULACRA2 is against full decode + Lanczos3 at that size. \
                 Rows without a time are pixels as they come out of the resize, not encoded."
            }
            "serve" => {
                "Whole servers under four connections from the same machine: requests per second, and CPU \
                 milliseconds of the server's process for each. Each connection asks for the same few pictures in turn; a \
                 server that merges or keeps equal requests' results makes fewer pictures than it answers, as oximg's \
                 times in `thumb`, where it is asked once at a time, suggest."
            }
            _ => {
                "CPU milliseconds of the workerd process for each request, one at a time, above those of an answer \
                 that makes no picture."
            }
        }
    }

    /// The whole report for a terminal.
    pub(crate) fn text(&self) -> String {
        format!("\n{}\n{}\n\n{}", self.headline(), self.about(), table::markdown(self))
    }

    fn headline(&self) -> String {
        let load = self.load.map(|load| format!(", load {load:.1}")).unwrap_or_default();
        let quick = if self.quick { " (quick: too few rounds for a comparison)" } else { "" };
        format!("{}, {}, {}{load}{quick}", self.bench, self.date, self.machine)
    }
}

/// Writes it as JSON.
pub(crate) fn write(report: &Report, path: &Path) -> Result<()> {
    let text = serde_json::to_string_pretty(report)?;
    fs::write(path, text + "\n").map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(())
}

/// Reads what [`write`] wrote.
pub(crate) fn read(path: &Path) -> Result<Report> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let report = serde_json::from_str(&text);
    Ok(report.map_err(|error| format!("{} is no result of a bench: {error}", path.display()))?)
}
