//! A refusal together with its cause, which is the operator's to know and not the client's.

use tintype_core::Error;
use tintype_instance::Failure;
use tintype_request::Refusal;

/// Why a request gets no picture.
#[derive(Debug)]
pub(crate) struct Denied {
    /// What the client is told.
    pub(crate) refusal: Refusal,
    cause: Option<String>,
}

impl Denied {
    /// A refusal with a cause for the log.
    pub(crate) fn because(refusal: Refusal, cause: impl Into<String>) -> Denied {
        Denied { refusal, cause: Some(cause.into()) }
    }

    /// The source failed: 502.
    pub(crate) fn source(cause: impl Into<String>) -> Denied {
        Denied::because(Refusal::source_unreadable(), cause)
    }

    /// Writes a line about what the operator must act on.
    pub(crate) fn log(&self, target: &str) {
        if let (500.., Some(cause)) = (self.refusal.status(), &self.cause) {
            let path = target.split('?').next().unwrap_or_default();
            worker::console_error!("tintype: {} {path}: {cause}", self.refusal.status());
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
        Denied::because(error.into(), error.to_string())
    }
}

impl From<Failure> for Denied {
    fn from(failure: Failure) -> Denied {
        match failure {
            Failure::Core(error) => error.into(),
            Failure::NoMemory(bytes) => {
                Denied::because(Refusal::overloaded(1), format!("{bytes} bytes could not be had"))
            }
            Failure::Died(how) => Denied::because(Refusal::internal(), format!("the codec died: {how}")),
        }
    }
}
