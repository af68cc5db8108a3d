//! Why a request is not answered with a picture.

use std::fmt;

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(());

#[allow(missing_docs)]
impl Refusal {
    pub fn status(&self) -> u16 {
        todo!()
    }
    pub fn retry_after(&self) -> Option<u32> {
        todo!()
    }
    pub fn no_such_source() -> Refusal {
        todo!()
    }
    pub fn unsupported_route() -> Refusal {
        todo!()
    }
    pub fn method_not_allowed() -> Refusal {
        todo!()
    }
    pub fn overloaded(_retry_after_secs: u32) -> Refusal {
        todo!()
    }
    pub fn timed_out() -> Refusal {
        todo!()
    }
    pub fn internal() -> Refusal {
        todo!()
    }
    pub fn source_unreadable() -> Refusal {
        todo!()
    }
}

impl From<tintype_core::Error> for Refusal {
    fn from(_error: tintype_core::Error) -> Refusal {
        todo!()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        todo!()
    }
}

impl std::error::Error for Refusal {}
