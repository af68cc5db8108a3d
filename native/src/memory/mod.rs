//! Large memory: buffers from a pool, and memory-mapped files for what is larger still.
//!
//! Everything a request needs beyond a few kilobytes is a [`Lease`]: its source's bytes, the core's workspace
//! and the finished picture. A lease starts on a 64-byte boundary, as the core demands, and what it holds at
//! first is undefined in meaning (old bytes of another lease), as the core allows. Dropping it gives the memory
//! back, also when hyper drops the body that it became.

mod pool;
mod spill;

pub(crate) use pool::{Lease, Pool, Settings, Stats};

use std::{fmt, io, path::PathBuf};

/// Why there is no memory for a request: the operator must act, or the load must pass.
#[derive(Debug)]
pub(crate) enum MemoryError {
    /// The allocator has none.
    Exhausted {
        /// Bytes asked for.
        len: usize,
    },
    /// No spill file could be made: disk full, or the directory is gone or not writable.
    Spill {
        /// Where it was to lie.
        dir: PathBuf,
        /// Bytes asked for.
        len: usize,
        /// What the system said.
        cause: io::Error,
    },
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MemoryError::Exhausted { len } => write!(f, "no memory for a buffer of {len} bytes"),
            MemoryError::Spill { dir, len, cause } => {
                write!(f, "no spill file of {len} bytes in {}: {cause}", dir.display())
            }
        }
    }
}

impl std::error::Error for MemoryError {}
