//! Node, and the tools from npm that `edge/package.json` lists.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::Error;
use crate::project::{root, succeed};

/// The oldest Node that the tools run on.
const OLDEST: u32 = 20;

/// Gzipped sizes of the files named on the command line.
const SIZES: &str = "const fs = require('fs'), zlib = require('zlib'); let all = [0, 0];
const line = (name, raw, packed) => console.log(`  ${name.padEnd(14)} ${String(raw).padStart(9)} bytes, gzipped ${String(packed).padStart(7)}`);
for (const name of process.argv.slice(1)) {
  const bytes = fs.readFileSync(name), packed = zlib.gzipSync(bytes, { level: 9 }).length;
  line(name, bytes.length, packed); all = [all[0] + bytes.length, all[1] + packed];
}
line('together', ...all);";

/// Makes sure that Node is there.
pub(crate) fn require_node() -> Result<(), Error> {
    let version = Command::new("node").arg("--version").stderr(Stdio::null()).output();
    let version = version.ok().filter(|output| output.status.success());
    let text = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let major = text.as_deref().and_then(|text| text.trim_start_matches('v').split('.').next()?.parse().ok());
    if major.is_none_or(|major: u32| major < OLDEST) {
        let found = text.map_or(String::new(), |text| format!(" (this is {text})"));
        return Err(Error::Machine(format!(
            "The Worker's tools and the benches' peers need Node {OLDEST} or newer with npm{found}. \
             Install it (Debian and Ubuntu: apt-get install nodejs npm; or from nodejs.org)."
        )));
    }
    Ok(())
}

/// Makes sure that Node is there, and installs the tools where they are missing or others are wanted now.
pub(crate) fn require() -> Result<(), Error> {
    require_node()?;
    let wanted = std::fs::read(edge().join("package-lock.json")).unwrap_or_default();
    let marker = edge().join("node_modules/.installed");
    if std::fs::read(&marker).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    eprintln!("installing the Worker's tools into edge/node_modules");
    // What npm warns of, a newer Node than this that one of them would like, is known to work all the same.
    succeed(Command::new("npm").args(["ci", "--loglevel=error"]).current_dir(edge()))?;
    std::fs::write(&marker, wanted).map_err(|source| Error::File { path: marker, source })
}

/// A file of an installed tool.
pub(crate) fn tool(path: &str) -> PathBuf {
    edge().join("node_modules").join(path)
}

/// A table of the files' sizes, raw and gzipped.
pub(crate) fn sizes(dir: &Path, files: &[&str]) -> Result<String, Error> {
    let output = Command::new("node").args(["-e", SIZES, "--"]).args(files).current_dir(dir).output();
    let output = output.map_err(|source| Error::Start { program: "node".into(), source })?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn edge() -> PathBuf {
    root().join("edge")
}
