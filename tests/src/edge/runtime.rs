//! workerd, the runtime that Workers run on, with the Worker in it.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use super::{Codec, Usage, build_dir, workerd_binary};

/// How our Worker is set up.
#[derive(Clone, Debug)]
pub struct Setup<'a> {
    /// Which codec it has.
    pub codec: Codec,
    /// The port to listen at; 0 is a free one.
    pub port: u16,
    /// Its variables.
    pub variables: &'a [(&'a str, &'a str)],
}

/// A running workerd, killed when dropped.
#[derive(Debug)]
pub struct Runtime {
    child: Child,
    /// Where the Worker listens.
    pub address: SocketAddr,
}

impl Runtime {
    /// Starts workerd with our Worker, and waits until it listens. Its configuration is written into `dir`.
    pub fn start(dir: &Path, setup: &Setup<'_>) -> io::Result<Runtime> {
        let build = build_dir();
        let files = [
            ("index.js", "index.js"),
            ("index_bg.wasm", "index_bg.wasm"),
            (setup.codec.file(), "codec.wasm"),
        ];
        let modules = files.map(|(from, name)| (build.join(from), name));
        Runtime::start_modules(dir, &modules, setup.port, setup.variables)
    }

    /// Starts workerd with any Worker: its modules' files and their names, of which the first is the entry.
    pub fn start_modules(
        dir: &Path,
        modules: &[(PathBuf, &str)],
        port: u16,
        variables: &[(&str, &str)],
    ) -> io::Result<Runtime> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let dir =
            dir.join(format!("workerd-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
        fs::create_dir_all(&dir)?;
        // Files are embedded by paths beneath the configuration's own.
        for (from, to) in modules {
            fs::copy(from, dir.join(to))?;
        }
        let config = dir.join("config.capnp");
        fs::write(&config, configuration(modules, port, variables))?;
        // The shell only puts the report of the port, which goes to descriptor 3, on the standard output.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" serve \"$1\" --control-fd=3 3>&1 1>&2"])
            .arg(workerd_binary()?)
            .arg(&config)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut report = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut report)?;
        }
        let port = report.split("\"port\":").nth(1).unwrap_or_default();
        let digits: String = port.chars().take_while(char::is_ascii_digit).collect();
        if let Ok(port) = digits.parse() {
            return Ok(Runtime { child, address: (Ipv4Addr::LOCALHOST, port).into() });
        }
        let _ = child.kill();
        child.wait()?;
        Err(io::Error::other(format!("workerd did not say where it listens: {report:?}")))
    }

    /// What the runtime's process has used so far.
    pub fn usage(&self) -> Usage {
        Usage::of(self.child.id())
    }

    /// Waits until the process ends, which it does when it is told to.
    pub fn wait(mut self) -> io::Result<()> {
        self.child.wait().map(|_| ())
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        // One that has ended cannot be killed, which is no news.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn configuration(modules: &[(PathBuf, &str)], port: u16, variables: &[(&str, &str)]) -> String {
    let (mut listed, mut bindings) = (String::new(), String::new());
    // Writing to a string cannot fail.
    for (_, name) in modules {
        let kind =
            if Path::new(name).extension().is_some_and(|kind| kind == "wasm") { "wasm" } else { "esModule" };
        let _ = writeln!(listed, "    (name = {name:?}, {kind} = embed {name:?}),");
    }
    for (name, value) in variables {
        let _ = writeln!(bindings, "    (name = {name:?}, text = {value:?}),");
    }
    format!(
        r#"using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    # Sources of the tests are on this machine, which the default forbids.
    (name = "internet", network = (allow = ["private", "public"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:{port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [
{listed}  ],
  bindings = [
{bindings}  ],
  compatibilityDate = "2026-07-01",
);
"#
    )
}
