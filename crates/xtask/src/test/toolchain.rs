//! The machine has what the other steps need.

use std::process::Command;

use super::{Log, Outcome};
use crate::error::Error;
use crate::project::root;
use crate::tools;

/// Checks for a C compiler and adds the missing parts of the toolchain.
pub(super) fn run(log: &Log) -> Result<Outcome, Error> {
    tools::require_c_compiler()?;
    let missing = tools::missing_toolchain_parts()?;
    let added: Vec<String> = missing.iter().map(|[_, _, name]| name.clone()).collect();
    for part in missing {
        // At the root, so that rustup adds to the toolchain that rust-toolchain.toml names.
        if !log.run(Command::new("rustup").args(&part).current_dir(root()))? {
            return Ok(Outcome::failed(format!("`rustup {}` failed", part.join(" "))));
        }
    }
    Ok(Outcome::passed(if added.is_empty() { String::new() } else { format!("added {}", added.join(", ")) }))
}
