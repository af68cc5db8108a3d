//! Servers of thumbnails: ours and the peers', each over the prepared photographs.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::Result;
use crate::harness::process_cpu;
use crate::load::Connection;
use crate::photographs::folder;
use crate::setup::Setup;

/// How long a server may take to listen.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running server, killed when dropped.
pub(crate) struct Server {
    pub name: &'static str,
    pub address: SocketAddr,
    child: Child,
    target: fn(&str, usize, Output) -> String,
}

/// The format asked for, at quality 80.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    WebP,
    Jpeg,
}

impl Output {
    /// As addresses and Node name it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Output::WebP => "webp",
            Output::Jpeg => "jpeg",
        }
    }
}

impl Server {
    /// Our origin with its defaults, as it is built for release.
    pub(crate) fn tintype(setup: &Setup) -> Result<Server> {
        let address = free_address()?;
        let mut command = Command::new(&setup.tintype);
        command.args(["serve", "--listen", &address.to_string(), "--root"]).arg(folder(setup));
        start("tintype", address, command, |file, width, output| {
            format!("/img/{file}?w={width}&q=80&f={}", output.name())
        })
    }

    /// sharp behind Node's own server: the least that a service around it does.
    pub(crate) fn sharp(setup: &Setup) -> Result<Server> {
        node("sharp behind node:http", "sharp-server.mjs", setup, |file, width, output| {
            format!("/{file}?w={width}&f={}", output.name())
        })
    }

    /// ipx's own server.
    pub(crate) fn ipx(setup: &Setup) -> Result<Server> {
        node("ipx", "ipx-server.mjs", setup, |file, width, output| {
            format!("/w_{width},f_{},q_80/{file}", output.name())
        })
    }

    /// oximg's server with its defaults but for the quality; `None` where it is not installed.
    pub(crate) fn oximg(setup: &Setup) -> Result<Option<Server>> {
        let Some(binary) = &setup.oximg else { return Ok(None) };
        let address = free_address()?;
        let mut command = Command::new(binary);
        command.env("IMAGES_DIR", folder(setup)).env("OXIMG_BIND", "127.0.0.1");
        command.env("PORT", address.port().to_string());
        command.env("QUALITY", "80").env("OXIMG_WEBP_QUALITY", "80");
        let server = start("oximg", address, command, |file, width, output| {
            format!("/resize/{width}/0/{file}@{}", output.name())
        })?;
        Ok(Some(server))
    }

    /// The address's path for a photograph's thumbnail.
    pub(crate) fn target(&self, photograph: &Path, width: usize, output: Output) -> String {
        let file = photograph.file_name().unwrap_or_default().to_string_lossy();
        (self.target)(&file, width, output)
    }

    /// CPU time of the process so far.
    pub(crate) fn cpu(&self) -> Result<Duration> {
        process_cpu(self.child.id()).map_err(|error| format!("{}: {error}", self.name).into())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended cannot be killed, which is no news.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn node(
    name: &'static str,
    script: &str,
    setup: &Setup,
    target: fn(&str, usize, Output) -> String,
) -> Result<Server> {
    let address = free_address()?;
    let mut command = Command::new("node");
    command.arg(setup.node.join(script)).arg(folder(setup)).arg(address.port().to_string());
    start(name, address, command, target)
}

fn start(
    name: &'static str,
    address: SocketAddr,
    mut command: Command,
    target: fn(&str, usize, Output) -> String,
) -> Result<Server> {
    let program = command.get_program().display().to_string();
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let child = command.spawn().map_err(|error| format!("{program}: {error}"))?;
    let mut server = Server { name, address, child, target };
    let begin = Instant::now();
    while TcpStream::connect(address).is_err() {
        if let Some(status) = server.child.try_wait()? {
            return Err(format!("{name} ended before it listened: {status}").into());
        }
        if begin.elapsed() > PATIENCE {
            return Err(format!("{name} does not listen at {address}").into());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(server)
}

/// A port that is free now; the server takes it a moment later.
fn free_address() -> Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

/// Asks for a target so many times in a row; the CPU time of the server for each, and the last body.
pub(crate) fn cpu_per_answer(server: &Server, target: &str, times: u32) -> Result<(Duration, Vec<u8>)> {
    let mut connection = Connection::open(server.address)?;
    let before = server.cpu()?;
    let mut body = Vec::new();
    for _ in 0..times {
        body = connection.get(target)?;
    }
    Ok((server.cpu()?.saturating_sub(before) / times, body))
}
