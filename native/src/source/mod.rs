//! Where pictures come from.
//!
//! A request's path enters; an open source with its validator leaves, and later its bytes in a [`Lease`]. All
//! of it blocks: the server calls it on threads that may.
//!
//! [`Lease`]: crate::memory::Lease

mod directory;

pub(crate) use directory::{Directory, SourceFile};

use std::{fmt, io};

use tintype_request::Refusal;

use crate::memory::MemoryError;

/// Why a source's bytes cannot be had.
#[derive(Debug)]
pub(crate) enum SourceError {
    /// There is no such file, or none that may be served: the client must ask for another.
    NotFound,
    /// The file was changed while it was read: the client may ask again.
    Changed,
    /// The system could not read it: the operator must act.
    Unreadable(io::Error),
    /// No memory for its bytes.
    Memory(MemoryError),
}

impl From<&SourceError> for Refusal {
    fn from(error: &SourceError) -> Refusal {
        match error {
            SourceError::NotFound => Refusal::no_such_source(),
            SourceError::Changed | SourceError::Memory(_) => Refusal::overloaded(1),
            // No descriptor is free: this passes with the load.
            SourceError::Unreadable(cause) if out_of_files(cause) => Refusal::overloaded(1),
            SourceError::Unreadable(_) => Refusal::source_unreadable(),
        }
    }
}

impl From<MemoryError> for SourceError {
    fn from(error: MemoryError) -> SourceError {
        SourceError::Memory(error)
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceError::NotFound => f.write_str("no such source"),
            SourceError::Changed => f.write_str("the source was changed while it was read"),
            SourceError::Unreadable(cause) => write!(f, "the source cannot be read: {cause}"),
            SourceError::Memory(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SourceError {}

fn out_of_files(error: &io::Error) -> bool {
    use rustix::io::Errno;
    matches!(Errno::from_io_error(error), Some(Errno::MFILE | Errno::NFILE))
}
