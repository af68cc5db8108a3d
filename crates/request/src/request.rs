//! One request.

use crate::{AcceptClass, Options, Refusal, SigningKey, SourcePath, Validator};
use tintype_core::Transform;

/// What an operator decides.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Keys whose signatures are valid; none: requests need no signature.
    pub keys: Vec<SigningKey>,
    /// The longest side of a result in pixels.
    pub max_side: u32,
    /// Seconds for `Cache-Control`.
    pub max_age: u32,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { keys: Vec::new(), max_side: 8192, max_age: 86_400 }
    }
}

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The source.
    pub source: SourcePath,
    /// The options.
    pub options: Options,
    /// What the client takes.
    pub accept: AcceptClass,
    /// Unknown keys.
    pub ignored: Vec<String>,
}

#[allow(missing_docs)]
impl Request {
    pub fn parse(_target: &str, _accept: Option<&str>, _unix_time: u64, _rules: &Rules) -> Result<Request, Refusal> {
        todo!()
    }
    pub fn transform(&self) -> Transform {
        todo!()
    }
    pub fn negotiated(&self) -> bool {
        todo!()
    }
    pub fn canonical(&self) -> String {
        todo!()
    }
    pub fn cache_key(&self) -> String {
        todo!()
    }
    pub fn etag(&self, _validator: &Validator<'_>) -> String {
        todo!()
    }
}
