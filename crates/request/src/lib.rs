//! A URL's meaning.

#![forbid(unsafe_code)]

mod accept;
mod answer;
mod etag;
mod options;
mod path;
mod refusal;
mod request;
mod signature;

pub use accept::AcceptClass;
pub use answer::Head;
pub use etag::{Validator, etag_matches};
pub use options::{FormatOption, Options};
pub use path::SourcePath;
pub use refusal::Refusal;
pub use request::{Request, Rules};
pub use signature::{KeyError, SigningKey, sign};
