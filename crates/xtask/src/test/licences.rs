//! cargo-deny: licences, banned crates, sources. Advisories need a network and are not checked here.

use std::path::Path;
use std::process::Command;

use super::{Log, Outcome};
use crate::error::Error;
use crate::project::root;
use crate::tools;

/// Runs cargo-deny, which is installed first if it is missing (some minutes, once).
pub(super) fn run(log: &Log) -> Result<Outcome, Error> {
    let mut note = String::new();
    if tools::cargo_deny().is_none() {
        println!("      cargo-deny is missing: installing it into target/tools (some minutes, once)");
        if !log.run(&mut tools::install_cargo_deny())? {
            return Ok(Outcome::failed("cargo-deny could not be installed"));
        }
        note.push_str("installed cargo-deny");
    }
    let deny =
        tools::cargo_deny().ok_or(Error::Machine("cargo-deny is not where it was installed".into()))?;
    for workspace in [root(), root().join("bench")] {
        // Offline first: online it asks the registry again. Where crates for other systems were never downloaded
        // the graph is incomplete offline, and only then is the network needed.
        let passed = || {
            Ok(log.run(&mut check(&deny, &workspace, true))?
                || log.run(&mut check(&deny, &workspace, false))?)
        };
        if !passed()? {
            return Ok(Outcome::failed("cargo deny found something"));
        }
    }
    Ok(Outcome::passed(note))
}

fn check(deny: &Path, workspace: &Path, offline: bool) -> Command {
    let mut command = Command::new(deny);
    // As cargo would call it: the first argument is the subcommand's own name.
    command.arg("deny");
    command.args(offline.then_some("--offline")).arg("--config").arg(root().join("deny.toml"));
    command.args(["check", "licenses", "bans", "sources"]);
    command.current_dir(workspace);
    command
}
