//! A refusal together with its cause, which is the operator's to know and not the client's.

use std::time::Duration;

use tintype_core::Error;
use tintype_request::Refusal;

use super::jobs::Panicked;
use crate::{memory::MemoryError, picture::Failure, source::SourceError};

/// Why a request gets no picture.
#[derive(Debug)]
pub(crate) struct Denied {
    /// What the client is told.
    pub refusal: Refusal,
    cause: Option<String>,
}

impl Denied {
    /// The time was up.
    pub(crate) fn timed_out(after: Duration) -> Denied {
        Denied { refusal: Refusal::timed_out(), cause: Some(format!("not done after {} s", after.as_secs())) }
    }

    /// Writes a line about what the operator must act on. A full queue is not: it has no cause but the load,
    /// is counted by its status, and a line for each would add to the load.
    pub(crate) fn log(&self, path: &str) {
        if let (500.., Some(cause)) = (self.refusal.status(), &self.cause) {
            eprintln!("tintype: {} {path}: {cause}", self.refusal.status());
        }
    }
}

impl From<Refusal> for Denied {
    fn from(refusal: Refusal) -> Denied {
        Denied { refusal, cause: None }
    }
}

impl From<Error> for Denied {
    fn from(error: Error) -> Denied {
        Denied { refusal: error.into(), cause: Some(error.to_string()) }
    }
}

impl From<SourceError> for Denied {
    fn from(error: SourceError) -> Denied {
        Denied { refusal: (&error).into(), cause: Some(error.to_string()) }
    }
}

impl From<MemoryError> for Denied {
    fn from(error: MemoryError) -> Denied {
        Denied { refusal: Refusal::overloaded(1), cause: Some(error.to_string()) }
    }
}

impl From<Failure> for Denied {
    fn from(failure: Failure) -> Denied {
        match failure {
            Failure::Core(error) => error.into(),
            Failure::Memory(error) => error.into(),
            // Nobody waits for this answer either.
            Failure::Stopped => Refusal::timed_out().into(),
        }
    }
}

impl From<Panicked> for Denied {
    fn from(_: Panicked) -> Denied {
        Denied { refusal: Refusal::internal(), cause: Some("a panic, see above".to_owned()) }
    }
}
