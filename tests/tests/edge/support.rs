//! The Worker over the samples, and the origin beside it.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a broken test must be loud")]

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

use tintype_tests::edge::{Codec, Files, Runtime, Setup, origin_binary};
use tintype_tests::http_cases::{Answer, Ask, ask};
use tintype_tests::samples;

/// Where the tests may write.
pub(crate) fn temporary() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// The folder with all samples.
pub(crate) fn sample_dir() -> &'static Path {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    DIR.get_or_init(|| {
        let dir = temporary().join("edge-samples");
        samples::write_all(&dir).unwrap();
        dir
    })
}

/// A folder with a large photograph, `large.jpg` of 12 megapixels.
pub(crate) fn large_dir() -> &'static Path {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    DIR.get_or_init(|| {
        let dir = temporary().join("edge-large");
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("large.jpg"), samples::large_jpeg(4000, 3000)).unwrap();
        dir
    })
}

/// The Worker with a folder's files as its sources.
pub(crate) struct Worker {
    pub(crate) runtime: Runtime,
    pub(crate) files: Files,
}

impl Worker {
    /// Starts it with more variables than the tests always set. `{files}` in a value stands for the source's
    /// address.
    pub(crate) fn start(dir: &Path, codec: Codec, more: &[(&str, &str)]) -> Worker {
        let files = Files::serve(dir.to_owned()).unwrap();
        let base = files.base();
        let more: Vec<_> =
            more.iter().map(|(name, value)| (*name, value.replace("{files}", &base))).collect();
        let mut variables = vec![("DEBUG_HEADERS", "1"), ("SOURCE_BASE", base.as_str())];
        variables.retain(|(usual, _)| !more.iter().any(|(name, _)| name == usual));
        variables.extend(more.iter().map(|(name, value)| (*name, value.as_str())));
        let setup = Setup { codec, port: 0, variables: &variables };
        Worker { runtime: Runtime::start(temporary(), &setup).unwrap(), files }
    }

    /// The answer to a GET.
    pub(crate) fn get(&self, target: &str) -> Answer {
        get(self.runtime.address, target)
    }
}

/// A running origin over the samples, killed when dropped.
pub(crate) struct Origin {
    child: Child,
    /// Kept, so that the origin can go on writing to it.
    _output: BufReader<ChildStdout>,
    pub(crate) address: SocketAddr,
}

impl Origin {
    pub(crate) fn start() -> Origin {
        let mut command = Command::new(origin_binary());
        command.args(["serve", "--listen", "127.0.0.1:0", "--root"]).arg(sample_dir());
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("TINTYPE_") {
                command.env_remove(name);
            }
        }
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on http://").expect("where it listens");
        Origin { child, address: address.parse().unwrap(), _output: output }
    }
}

impl Drop for Origin {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The answer to a GET.
pub(crate) fn get(address: SocketAddr, target: &str) -> Answer {
    get_with(address, target, &[])
}

/// The answer to a GET with headers.
pub(crate) fn get_with(address: SocketAddr, target: &str, headers: &[(&str, String)]) -> Answer {
    ask(address, &Ask { method: "GET", target, headers }).unwrap_or_else(|error| panic!("{target}: {error}"))
}

/// A header's number.
pub(crate) fn number(answer: &Answer, name: &str) -> u64 {
    let value = answer.header(name).unwrap_or_else(|| panic!("no {name} in {answer:?}"));
    value.parse().unwrap()
}
