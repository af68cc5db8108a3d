//! miniflare: workerd with local stand-ins for R2 and the Cache API.

use std::io::{self, BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::{build_dir, edge_dir};

/// A running miniflare with the Worker in it, ended when dropped.
#[derive(Debug)]
pub struct Miniflare {
    child: Child,
    /// Where the Worker listens.
    pub address: SocketAddr,
}

impl Miniflare {
    /// Starts it with these variables, and waits until it listens. With `bucket`, the files of that folder are
    /// put into the R2 bucket.
    pub fn start(bucket: Option<&Path>, variables: &[(&str, &str)]) -> io::Result<Miniflare> {
        let mut command = Command::new("node");
        command.arg("--no-warnings").arg(edge_dir().join("miniflare.mjs")).arg(build_dir());
        command.arg(bucket.unwrap_or(Path::new("")));
        command.args(variables.iter().map(|(name, value)| format!("{name}={value}")));
        // It ends when its standard input does, so that none is left behind.
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let address = line.trim().strip_prefix("listening on ").and_then(|address| address.parse().ok());
        if let Some(address) = address {
            return Ok(Miniflare { child, address });
        }
        let _ = child.kill();
        child.wait()?;
        Err(io::Error::other(format!("miniflare did not say where it listens: {line:?}")))
    }
}

impl Drop for Miniflare {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
