//! Node, and the tools from npm that `edge/package.json` and `www/package.json` list.

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

/// A folder with a `package.json`, whose tools are installed beside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tools {
    folder: &'static str,
    whose: &'static str,
}

/// What builds and runs the Worker, and shrinks WebAssembly.
pub(crate) const EDGE: Tools = Tools { folder: "edge", whose: "the Worker's tools" };

/// What tests the page.
pub(crate) const WWW: Tools = Tools { folder: "www", whose: "the page's test tools" };

impl Tools {
    /// Makes sure that Node is there, and installs the tools where they are missing or others are wanted now.
    pub(crate) fn require(self) -> Result<(), Error> {
        let Tools { folder, whose } = self;
        require_node(whose)?;
        let wanted = std::fs::read(self.dir().join("package-lock.json")).unwrap_or_default();
        let marker = self.tool(".installed");
        if std::fs::read(&marker).is_ok_and(|installed| installed == wanted) {
            return Ok(());
        }
        eprintln!("installing {whose} into {folder}/node_modules");
        // What npm warns of, a newer Node than this that one of them would like, is known to work all the same.
        let mut install = Command::new("npm");
        install.args(["ci", "--loglevel=error"]).current_dir(self.dir());
        // What it says is no output of ours.
        succeed(install.stdout(std::io::stderr()))?;
        std::fs::write(&marker, wanted).map_err(|source| Error::File { path: marker, source })
    }

    /// A file of an installed tool.
    pub(crate) fn tool(self, path: &str) -> PathBuf {
        self.dir().join("node_modules").join(path)
    }

    fn dir(self) -> PathBuf {
        root().join(self.folder)
    }
}

/// Makes sure that Node is there, for the sake of what is named.
pub(crate) fn require_node(whose: &str) -> Result<(), Error> {
    let version = Command::new("node").arg("--version").stderr(Stdio::null()).output();
    let version = version.ok().filter(|output| output.status.success());
    let text = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let major = text.as_deref().and_then(|text| text.trim_start_matches('v').split('.').next()?.parse().ok());
    if major.is_none_or(|major: u32| major < OLDEST) {
        let found = text.map_or(String::new(), |text| format!(" (this is {text})"));
        return Err(Error::Machine(format!(
            "No Node for {whose}: they need {OLDEST} or newer, with npm{found}. \
             Install it (Debian and Ubuntu: apt-get install nodejs npm; or from nodejs.org)."
        )));
    }
    Ok(())
}

/// A table of the files' sizes, raw and gzipped.
pub(crate) fn sizes(dir: &Path, files: &[&str]) -> Result<String, Error> {
    let output = Command::new("node").args(["-e", SIZES, "--"]).args(files).current_dir(dir).output();
    let output = output.map_err(|source| Error::Start { program: "node".into(), source })?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
