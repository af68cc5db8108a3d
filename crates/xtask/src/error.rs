//! Why a command could not be carried out.

use std::path::PathBuf;
use std::process::ExitStatus;
use std::{fmt, io};

/// Why a command could not be carried out. Each says what to do about it where that is known.
#[derive(Debug)]
pub(crate) enum Error {
    /// The command line makes no sense.
    Usage(String),
    /// A program could not be started.
    Start { program: String, source: io::Error },
    /// A program ran and failed.
    Failed { command: String, status: ExitStatus },
    /// A file or folder could not be read or written.
    File { path: PathBuf, source: io::Error },
    /// Something on this machine is missing or in the way.
    Machine(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(what) | Error::Machine(what) => f.write_str(what),
            Error::Start { program, source } => write!(f, "{program} could not be started: {source}"),
            Error::Failed { command, status } => write!(f, "`{command}` failed: {status}"),
            Error::File { path, source } => write!(f, "{}: {source}", path.display()),
        }
    }
}

impl std::error::Error for Error {}
