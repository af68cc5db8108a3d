//! The machine has what the other steps need.

use std::process::Command;

use super::{Log, Outcome};
use crate::error::Error;
use crate::project::root;
use crate::tools;

/// Checks for a C compiler, and adds the missing parts of the toolchain and libvips's program.
pub(super) fn run(log: &Log) -> Result<Outcome, Error> {
    tools::require_c_compiler()?;
    let missing = tools::missing_toolchain_parts()?;
    let mut added: Vec<String> = missing.iter().map(|[_, _, name]| name.clone()).collect();
    for part in missing {
        // At the root, so that rustup adds to the toolchain that rust-toolchain.toml names.
        if !log.run(Command::new("rustup").args(&part).current_dir(root()))? {
            return Ok(Outcome::failed(format!("`rustup {}` failed", part.join(" "))));
        }
    }
    if !tools::has_vipsthumbnail() {
        let ways = tools::install_vipsthumbnail();
        let ways = ways.ok_or_else(|| Error::Machine(tools::NO_VIPSTHUMBNAIL.into()))?;
        for mut commands in ways {
            for command in &mut commands {
                log.run(command)?;
            }
            if tools::has_vipsthumbnail() {
                added.push("libvips-tools".into());
                break;
            }
        }
        if !tools::has_vipsthumbnail() {
            return Err(Error::Machine(tools::NO_VIPSTHUMBNAIL.into()));
        }
    }
    Ok(Outcome::passed(if added.is_empty() { String::new() } else { format!("added {}", added.join(", ")) }))
}
