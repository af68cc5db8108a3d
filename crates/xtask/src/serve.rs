//! `cargo xtask serve`: from a fresh checkout to pictures in a browser.

use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::error::Error;
use crate::project::{cargo, release_binary, succeed, target_dir};
use crate::wasm::Codec;
use crate::{page, tools, urls};

const DEFAULT_LISTEN: &str = "127.0.0.1:8080";

/// Builds the origin and the page, prints what to open, and becomes the server. Standard output gets the addresses
/// and what the server says; everything else goes to standard error.
pub(crate) fn run(args: &[&str]) -> Result<ExitCode, Error> {
    let asked = option(args, "--listen").unwrap_or(DEFAULT_LISTEN);
    let own_root = option(args, "--root");
    let own_page = option(args, "--page");
    let help = args.iter().any(|arg| matches!(*arg, "--help" | "-h"));
    let address = if help { None } else { Some(free_address(asked)?) };

    tools::require_c_compiler()?;
    build()?;
    let mut server = Command::new(release_binary("tintype"));
    server.arg("serve");
    if let Some(address) = address {
        let base = format!("http://{address}");
        build_samples()?;
        let samples = samples()?;
        if own_page.is_none() {
            server.arg("--page").arg(page(&samples)?);
        }
        let pictures = if let Some(root) = own_root {
            urls::of_folder(&base, Path::new(root))
        } else {
            server.arg("--root").arg(samples);
            urls::of_samples(&base)
        };
        let open = std::iter::once(format!("{base}/")).chain(pictures);
        server.arg("--listen").arg(address.to_string());
        println!("Open one of these (Ctrl-C stops the server):\n");
        for url in open {
            println!("  {url}");
        }
        println!();
    }
    server.args(without(args, "--listen"));
    become_process(server)
}

/// Compiles the origin.
fn build() -> Result<(), Error> {
    succeed(&mut cargo(["build", "--release", "--package", "tintype", "--bin", "tintype"]))
}

/// Compiles the generator of the samples.
pub(crate) fn build_samples() -> Result<(), Error> {
    succeed(&mut cargo(["build", "--release", "--package", "tintype-tests", "--bin", "samples"]))
}

/// Makes the samples; their folder.
pub(crate) fn samples() -> Result<PathBuf, Error> {
    let dir = target_dir().join("samples");
    // What it says belongs beside the compiler's messages.
    let mut command = Command::new(release_binary("samples"));
    succeed(command.arg(&dir).stdout(io::stderr()))?;
    Ok(dir)
}

/// Builds the demo page, and before it what of the toolchain is missing for it; its folder.
fn page(samples: &Path) -> Result<PathBuf, Error> {
    let dir = target_dir().join("page");
    tools::add_missing_toolchain_parts(&mut |command| succeed(command.stdout(io::stderr())))?;
    let shrink = page::shrink_if_possible();
    page::build(&dir, Codec::Simd, shrink, samples, &mut |command| succeed(command.stdout(io::stderr())))?;
    Ok(dir)
}

/// The address to listen at: port 0 becomes one that is free now, so that the addresses can be printed before
/// the server starts.
fn free_address(asked: &str) -> Result<SocketAddr, Error> {
    let addresses = asked.to_socket_addrs();
    let address = addresses.ok().and_then(|mut addresses| addresses.next()).ok_or_else(|| {
        Error::Machine(format!("--listen: {asked:?} is not an address and a port, such as {DEFAULT_LISTEN}"))
    })?;
    match TcpListener::bind(address) {
        Ok(listener) => Ok(listener.local_addr().unwrap_or(address)),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            let other = SocketAddr::new(address.ip(), address.port().wrapping_add(1).max(1024));
            Err(Error::Machine(format!(
                "{address} is taken. Stop what listens there, or choose another port:\n\
                 cargo xtask serve -- --listen {other}"
            )))
        }
        Err(error) => Err(Error::Machine(format!("{address} cannot be listened at: {error}"))),
    }
}

/// The value of `--name VALUE` or `--name=VALUE`.
fn option<'a>(args: &[&'a str], name: &str) -> Option<&'a str> {
    let joined = args.iter().find_map(|arg| arg.strip_prefix(name)?.strip_prefix('='));
    joined.or_else(|| args.iter().skip_while(|arg| **arg != name).nth(1).copied())
}

/// The arguments without `--name` and its value.
fn without<'a>(args: &[&'a str], name: &str) -> Vec<&'a str> {
    let mut kept = Vec::new();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        if *arg == name {
            rest.next();
        } else if arg.strip_prefix(name).is_none_or(|tail| !tail.starts_with('=')) {
            kept.push(*arg);
        }
    }
    kept
}

/// Replaces this process, so that signals reach the server itself.
#[cfg(unix)]
fn become_process(mut command: Command) -> Result<ExitCode, Error> {
    use std::os::unix::process::CommandExt;
    let source = command.exec();
    Err(Error::Start { program: command.get_program().display().to_string(), source })
}

/// Runs the server as a child, where a process cannot be replaced.
#[cfg(not(unix))]
fn become_process(mut command: Command) -> Result<ExitCode, Error> {
    succeed(&mut command).map(|()| ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_in_both_spellings() {
        let args = ["--root", "a", "--listen=b", "-v"];
        assert_eq!(option(&args, "--root"), Some("a"));
        assert_eq!(option(&args, "--listen"), Some("b"));
        assert_eq!(option(&args, "--admin"), None);
        assert_eq!(without(&args, "--listen"), ["--root", "a", "-v"]);
        assert_eq!(without(&args, "--root"), ["--listen=b", "-v"]);
    }

    #[test]
    fn a_taken_port_is_named_with_a_way_out() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let error = free_address(&address).unwrap_err().to_string();
        assert!(error.contains(&address) && error.contains("--listen 127.0.0.1:"), "{error}");
    }

    #[test]
    fn port_0_becomes_a_real_one() {
        assert_ne!(free_address("127.0.0.1:0").unwrap().port(), 0);
        assert!(free_address("nonsense").is_err());
    }
}
