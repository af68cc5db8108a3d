//! Running a command while its output goes to a log and, in short, to the person waiting.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::project::describe;

/// How often a command that shows nothing is said to be still at work.
const REASSURE: Duration = Duration::from_secs(20);

/// Appends the command and all its output to `log`, hands every line to `each`, and waits for its end.
///
/// `each` returns what to show for the line, if anything.
pub(crate) fn run(
    command: &mut Command,
    log: &Path,
    mut each: impl FnMut(&str) -> Option<String>,
) -> Result<ExitStatus, Error> {
    let file_error = |source| Error::File { path: log.to_owned(), source };
    let mut file = File::options().create(true).append(true).open(log).map_err(file_error)?;
    writeln!(file, "$ {}", describe(command)).map_err(file_error)?;

    let program = describe(command);
    let start_error = |source| Error::Start { program: program.clone(), source };
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(start_error)?;
    let (sender, lines) = channel();
    forward(child.stdout.take(), sender.clone());
    forward(child.stderr.take(), sender);

    let begin = Instant::now();
    let (mut shown, mut last) = (Instant::now(), String::new());
    loop {
        match lines.recv_timeout(Duration::from_secs(1)) {
            Ok(line) => {
                writeln!(file, "{line}").map_err(file_error)?;
                if let Some(text) = each(&line) {
                    println!("      {text}");
                    shown = Instant::now();
                }
                if !line.trim().is_empty() {
                    last = line;
                }
            }
            Err(RecvTimeoutError::Timeout) => (),
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if shown.elapsed() > REASSURE {
            let doing: String = last.trim().chars().take(80).collect();
            println!("      … {} s: {doing}", begin.elapsed().as_secs());
            shown = Instant::now();
        }
    }
    child.wait().map_err(start_error)
}

/// The last lines of a log.
pub(crate) fn tail(log: &Path, lines: usize) -> String {
    let text = std::fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let all: Vec<&str> = text.lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

/// Sends a pipe's lines, from a thread of its own, until it is closed.
fn forward(pipe: Option<impl Read + Send + 'static>, sender: Sender<String>) {
    let Some(pipe) = pipe else { return };
    thread::spawn(move || {
        let mut reader = BufReader::new(pipe);
        let mut line = Vec::new();
        // Not `lines()`: a test may print bytes that are no UTF-8, and its log should say all the same.
        while reader.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            let text = String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned();
            if sender.send(text).is_err() {
                break;
            }
            line.clear();
        }
    });
}
