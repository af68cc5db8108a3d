//! sharp and ipx as libraries, in a Node process that tells its own CPU time.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use crate::Result;
use crate::server::Output;
use crate::setup::Setup;

/// A running process, which ends with its standard input.
pub(crate) struct Node {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    made: PathBuf,
}

/// What the process answers.
#[derive(Deserialize)]
struct Answer {
    /// Microseconds of CPU for all of them.
    micros: Option<u64>,
    error: Option<String>,
}

impl Node {
    /// Starts `thumb.mjs`. libvips gets one thread, as does Node's pool, so that nothing runs beside itself.
    pub(crate) fn start(setup: &Setup) -> Result<Node> {
        let mut child = Command::new("node")
            .arg(setup.node.join("thumb.mjs"))
            .env("UV_THREADPOOL_SIZE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("node: {error}"))?;
        let (input, output) = (child.stdin.take(), child.stdout.take().ok_or("node without an output")?);
        Ok(Node { child, input, output: BufReader::new(output), made: setup.dir.join("node-made") })
    }

    /// Makes the same thumbnail so many times; the CPU time for each, and the last one's bytes.
    pub(crate) fn thumbnail(
        &mut self,
        peer: &str,
        source: &Path,
        width: usize,
        output: Output,
        times: u32,
    ) -> Result<(Duration, Vec<u8>)> {
        let order = json!({
            "peer": peer, "source": source, "width": width, "format": output.name(), "times": times, "made": self.made,
        });
        let input = self.input.as_mut().ok_or("node without an input")?;
        writeln!(input, "{order}")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let answer: Answer =
            serde_json::from_str(&line).map_err(|error| format!("node said {line:?}: {error}"))?;
        match answer.micros {
            Some(micros) => Ok((Duration::from_micros(micros) / times, fs::read(&self.made)?)),
            None => Err(format!("{peer}: {}", answer.error.unwrap_or_default()).into()),
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
