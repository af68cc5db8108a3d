//! The binary under test, as a server or as a command, and a folder of samples.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a broken test must be loud")]
#![allow(dead_code, reason = "each test file uses its part")]

use std::{
    ffi::OsStr,
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    process::{Child, ChildStderr, ChildStdout, Command, Output, Stdio},
    sync::OnceLock,
    thread,
    time::{Duration, Instant},
};

use tintype_tests::{
    http_cases::{Answer, Ask, ask},
    samples,
};

/// A request that keeps a CPU thread busy for a good while: a large result.
pub(crate) const SLOW: &str = "/img/landscape.jpg?w=3000&fit=contain&f=webp";

/// A command of the binary, without the settings of whoever runs the tests.
pub(crate) fn tintype<I: AsRef<OsStr>>(arguments: impl IntoIterator<Item = I>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tintype"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("TINTYPE_") {
            command.env_remove(name);
        }
    }
    command.args(arguments);
    command
}

/// Runs a command to its end with `input` on its standard input.
pub(crate) fn run_with<I: AsRef<OsStr>>(arguments: impl IntoIterator<Item = I>, input: &[u8]) -> Output {
    let mut command = tintype(arguments);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A command that does not read closes the pipe; its answer tells the rest.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Runs a command to its end.
pub(crate) fn run<I: AsRef<OsStr>>(arguments: impl IntoIterator<Item = I>) -> Output {
    run_with(arguments, b"")
}

/// A folder with all samples, made once for each build of the tests.
pub(crate) fn sample_dir() -> &'static Path {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    DIR.get_or_init(|| {
        // Each test binary has its own: they run beside each other.
        let name = std::env::current_exe().unwrap().file_stem().unwrap().to_string_lossy().into_owned();
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        samples::write_all(&dir).unwrap();
        dir
    })
}

/// A sample's bytes.
pub(crate) fn sample(path: &str) -> Vec<u8> {
    fs::read(sample_dir().join(path)).unwrap()
}

/// A temporary folder with these samples.
pub(crate) fn folder_of(paths: &[&str]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for path in paths {
        fs::copy(sample_dir().join(path), dir.path().join(Path::new(path).file_name().unwrap())).unwrap();
    }
    dir
}

/// A running `tintype serve`, killed when dropped.
pub(crate) struct Server {
    child: Child,
    /// The pictures' address.
    pub(crate) address: SocketAddr,
    /// The operator's address, if asked for.
    pub(crate) admin: Option<SocketAddr>,
    stdout: BufReader<ChildStdout>,
    stderr: ChildStderr,
}

impl Server {
    /// Starts on a free port and waits until it listens.
    pub(crate) fn start(root: &Path, more: &[&str]) -> Server {
        let mut child = tintype(["serve", "--listen", "127.0.0.1:0", "--root"])
            .arg(root)
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let stderr = child.stderr.take().unwrap();
        let mut address = |before: &str| {
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            let rest =
                line.strip_prefix(before).unwrap_or_else(|| panic!("{before:?} is not what {line:?} says"));
            rest.trim_end().parse().unwrap()
        };
        let pictures = address("listening on http://");
        let admin = more.contains(&"--admin").then(|| address("admin on http://"));
        Server { child, address: pictures, admin, stdout, stderr }
    }

    /// The answer to a GET.
    pub(crate) fn get(&self, target: &str) -> Answer {
        get(self.address, target)
    }

    /// A page of the operator's listener.
    pub(crate) fn admin_get(&self, target: &str) -> Answer {
        get(self.admin.unwrap(), target)
    }

    /// A counter's or gauge's value, 0 if there is none.
    pub(crate) fn metric(&self, name: &str) -> u64 {
        self.metric_text(name).map_or(0, |value| value.parse().unwrap())
    }

    /// A metric's value as it is written.
    pub(crate) fn metric_text(&self, name: &str) -> Option<String> {
        let page = self.admin_get("/metrics").text();
        page.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(' ')?.to_owned()))
    }

    /// Waits until a counter or gauge is as wanted.
    pub(crate) fn wait_for(&self, name: &str, wanted: impl Fn(u64) -> bool) {
        let begin = Instant::now();
        while !wanted(self.metric(name)) {
            assert!(begin.elapsed() < Duration::from_secs(30), "{name} is {}", self.metric(name));
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        rustix::process::kill_process(rustix::process::Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for the end: the exit code, and what is on the standard error.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(begin.elapsed() < Duration::from_mins(1), "it does not end");
            thread::sleep(Duration::from_millis(5));
        };
        let mut errors = String::new();
        self.stderr.read_to_string(&mut errors).unwrap();
        (status.code(), errors)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The answer to a GET.
pub(crate) fn get(address: SocketAddr, target: &str) -> Answer {
    ask(address, &Ask { method: "GET", target, headers: &[] }).unwrap()
}

/// An open connection on which nothing waits longer than half a minute.
pub(crate) fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream
}

/// One answer read from a connection that stays open: the head as text, and the body.
pub(crate) fn read_answer(stream: &mut TcpStream) -> (String, Vec<u8>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        assert_eq!(
            stream.read(&mut byte).unwrap(),
            1,
            "the connection ended in {:?}",
            String::from_utf8_lossy(&head)
        );
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap().to_ascii_lowercase();
    let len = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    let mut body = vec![0; len.parse().unwrap()];
    stream.read_exact(&mut body).unwrap();
    (head, body)
}

/// Sends a request on a connection that stays open.
pub(crate) fn send(stream: &mut TcpStream, method: &str, target: &str) {
    write!(stream, "{method} {target} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
}
