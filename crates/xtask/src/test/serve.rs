//! `cargo xtask serve` as a person would use it: start, open every printed address, stop.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{Log, Outcome};
use crate::error::Error;
use crate::project::root;

/// How long an answer, and the server's end, may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Starts the server on a free port over the samples, fetches what it names, and ends it with SIGTERM.
pub(super) fn run(log: &Log) -> Result<Outcome, Error> {
    let program =
        std::env::current_exe().map_err(|source| Error::Start { program: "xtask".into(), source })?;
    let log_file = File::options().append(true).open(&log.path);
    let stderr = log_file.map_err(|source| Error::File { path: log.path.clone(), source })?;
    let mut command = Command::new(program);
    command.args(["serve", "--", "--listen", "127.0.0.1:0"]).current_dir(root());
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .map_err(|source| Error::Start { program: "xtask serve".into(), source })?;
    let outcome = try_out(&mut child, log);
    // Whatever happened, no server is left behind; one that has ended cannot be killed, which is no news.
    let _ = child.kill();
    let _ = child.wait();
    Ok(outcome)
}

fn try_out(child: &mut Child, log: &Log) -> Outcome {
    let Some(stdout) = child.stdout.take() else { return Outcome::failed("no output to read") };
    let mut output = BufReader::new(stdout);
    let urls = read_until_listening(&mut output);
    if urls.is_empty() {
        return Outcome::failed("the server did not say that it listens");
    }
    // The server's later words must not fill the pipe.
    thread::spawn(move || output.read_to_end(&mut Vec::new()));

    let mut note = String::new();
    for url in &urls {
        if let Err(problem) = fetch(url) {
            log.note(&format!("{url}: {problem}"));
            note = format!("{url}: {problem}");
        }
    }
    let ended = terminate(child);
    match (note.is_empty(), ended) {
        (true, Ok(())) => Outcome::passed(format!("{} addresses opened", urls.len())),
        (true, Err(problem)) => Outcome::failed(problem),
        (false, _) => Outcome::failed(note),
    }
}

/// The addresses printed before the server says that it listens; none if it never does.
fn read_until_listening(output: &mut BufReader<ChildStdout>) -> Vec<String> {
    let mut urls = Vec::new();
    for line in output.lines().map_while(Result::ok) {
        if line.contains("listening on http://") {
            return urls;
        }
        urls.extend(line.trim().starts_with("http://").then(|| line.trim().to_owned()));
    }
    Vec::new()
}

/// GETs an address; anything but 200 and a picture is a problem, and at `/` anything but the page.
fn fetch(url: &str) -> Result<(), String> {
    let rest = url.strip_prefix("http://").ok_or("not an http address")?;
    let (authority, path) = rest.split_once('/').ok_or("no path")?;
    let io = |error: std::io::Error| error.to_string();
    let mut stream = TcpStream::connect(authority).map_err(io)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(io)?;
    let request = format!(
        "GET /{path} HTTP/1.1\r\nHost: {authority}\r\nAccept: image/webp,*/*\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).map_err(io)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).map_err(io)?;
    let head_end = answer.windows(4).position(|window| window == b"\r\n\r\n").ok_or("no HTTP answer")?;
    let head = String::from_utf8_lossy(&answer[..head_end]).to_ascii_lowercase();
    if !head.starts_with("http/1.1 200 ") {
        return Err(head.lines().next().unwrap_or_default().to_owned());
    }
    let (kind, what) = if path.is_empty() { ("text/html", "page") } else { ("image/", "picture") };
    let is_that = head.lines().any(|line| line.starts_with(&format!("content-type: {kind}")));
    if is_that && answer.len() > head_end + 4 { Ok(()) } else { Err(format!("200, but no {what}")) }
}

/// Asks the server to end, and waits until it has done so with status 0.
fn terminate(child: &mut Child) -> Result<(), String> {
    let asked = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    if !asked.is_ok_and(|status| status.success()) {
        return Err("`kill -TERM` did not work".into());
    }
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("after SIGTERM the server ended with {status}")),
            Ok(None) => thread::sleep(Duration::from_millis(20)),
            Err(error) => return Err(error.to_string()),
        }
    }
    Err(format!("the server still runs {} s after SIGTERM", PATIENCE.as_secs()))
}
