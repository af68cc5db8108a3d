//! The machine has what the other steps need.

use std::process::Command;

use super::{Log, Outcome};
use crate::error::Error;
use crate::project::root;
use crate::tools;

/// Checks for a C compiler, and adds the missing parts of the toolchain and the programs that judge.
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
    for judge in &tools::JUDGES {
        if judge.is_there() {
            continue;
        }
        let ways = judge.install().ok_or_else(|| Error::Machine(judge.missing.into()))?;
        for mut commands in ways {
            for command in &mut commands {
                log.run(command)?;
            }
            if judge.is_there() {
                added.push(judge.package.into());
                break;
            }
        }
        if !judge.is_there() {
            return Err(Error::Machine(judge.missing.into()));
        }
    }
    Ok(Outcome::passed(if added.is_empty() { String::new() } else { format!("added {}", added.join(", ")) }))
}
