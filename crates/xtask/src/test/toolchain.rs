//! The machine has what the other steps need.

use super::{Log, Outcome};
use crate::error::Error;
use crate::{programs, tools};

/// Checks for a C compiler, and adds the missing parts of the toolchain and the programs that judge.
pub(super) fn run(log: &Log) -> Result<Outcome, Error> {
    tools::require_c_compiler()?;
    let mut added = tools::add_missing_toolchain_parts(&mut |command| log.succeed(command))?;
    for judge in &programs::JUDGES {
        if judge.require(&mut |command| log.succeed(command))? {
            added.push(judge.package.into());
        }
    }
    Ok(Outcome::passed(if added.is_empty() { String::new() } else { format!("added {}", added.join(", ")) }))
}
