//! Everything an answer says besides its body.

use crate::{Refusal, Request, Rules};
use tintype_core::Output;

/// Status and headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The status code.
    pub status: u16,
    /// Names and values.
    pub headers: Vec<(&'static str, String)>,
}

impl Head {
    /// 200.
    pub fn picture(_request: &Request, _etag: &str, _output: &Output, _rules: &Rules) -> Head {
        todo!()
    }
    /// 304.
    pub fn not_modified(_request: &Request, _etag: &str, _rules: &Rules) -> Head {
        todo!()
    }
    /// 4xx and 5xx.
    pub fn refusal(_refusal: &Refusal, _request: Option<&Request>) -> Head {
        todo!()
    }
}
