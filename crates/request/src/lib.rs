//! What a thumbnail's URL means: options, negotiation, signature, cache key, `ETag`, and what the answer
//! says. No I/O and no clock: hosts hand in the target, the `Accept` header and the time.
//!
//! ```
//! use tintype_request::{Request, Rules, Validator, etag_matches};
//!
//! let accept = Some("image/webp,*/*;q=0.8");
//! let request = Request::parse("/img/a b.jpg?width=240&dpr=1.50&v=3", accept, 0, &Rules::default())?;
//! assert_eq!(request.canonical(), "/img/a%20b.jpg?dpr=1.5&w=240");
//! assert_eq!(request.cache_key(), "/img/a%20b.jpg?dpr=1.5&w=240&accept=webp");
//! assert_eq!(request.source.segments().collect::<Vec<_>>(), ["a b.jpg"]);
//! assert_eq!(request.ignored, ["v"]);
//!
//! let etag = request.etag(&Validator::ETag("\"33a64df5\""));
//! assert!(etag_matches(&format!("\"other\", W/{etag}"), &etag));
//!
//! let refusal = Request::parse("/img/a.jpg?w=abc", accept, 0, &Rules::default()).unwrap_err();
//! assert_eq!(refusal.status(), 400);
//! assert_eq!(refusal.to_string(), "width: \"abc\" is not a whole number from 1 to 8192");
//! # Ok::<(), tintype_request::Refusal>(())
//! ```
//!
//! | what | where |
//! |---|---|
//! | routes, canonical text, cache key | `request.rs` |
//! | a query or option list into keys and values | `query.rs` |
//! | which keys there are, and which are still to come | `keys.rs` |
//! | options, as a picture's maker needs them | `options.rs` |
//! | keys and values into options | `reading.rs` |
//! | options into their one text | `canonical.rs` |
//! | the grammar of each value | `values.rs`, `colors.rs` |
//! | which paths may be asked for | `path.rs` |
//! | `Accept` into a class | `accept.rs` |
//! | `exp` and `sig` | `signature.rs` |
//! | `ETag` and `If-None-Match` | `etag.rs` |
//! | a refusal's status and sentence | `refusal.rs` |
//! | an answer's status and headers | `answer.rs` |
//!
//! `cases/requests.json` holds examples of all of it, with every message.

#![forbid(unsafe_code)]

mod accept;
mod answer;
mod canonical;
mod colors;
mod etag;
mod keys;
mod options;
mod path;
mod percent;
mod query;
mod reading;
mod refusal;
mod request;
mod signature;
mod values;

pub use accept::AcceptClass;
pub use answer::Head;
pub use etag::{Validator, etag_matches};
pub use options::{FormatOption, Options};
pub use path::SourcePath;
pub use refusal::Refusal;
pub use request::{Request, Rules};
pub use signature::{KeyError, SigningKey, sign};
