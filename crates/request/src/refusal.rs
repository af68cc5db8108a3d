//! Why a request is not answered with a picture, as a status and one sentence for whoever asked.

use std::borrow::Cow;
use std::fmt;

use tintype_core::Error;

/// Why there is no picture. [`fmt::Display`] gives the answer's body: one sentence that says nothing about
/// the inside of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    cause: Cause,
}

/// Causes, grouped by who must act.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cause {
    // Who wrote the address.
    Value { key: &'static str, value: String, fault: Cow<'static, str> },
    NotAvailable { key: &'static str },
    PathEncoding,
    Fragment,
    Path { fault: &'static str },
    UnsupportedRoute,
    MethodNotAllowed,
    // Who signed it, or did not.
    SignatureMissing,
    SignatureMismatch,
    Expired,
    // Who put the source there.
    NoSuchSource,
    SourceUnreadable,
    Picture(Error),
    // Who runs the server, or nobody: trying again may help.
    Overloaded { retry_after: u32 },
    TimedOut,
    Internal,
}

/// Characters of a bad value that a message repeats.
const QUOTED_CHARS: usize = 64;

impl Refusal {
    /// The HTTP status.
    pub fn status(&self) -> u16 {
        match self.cause {
            Cause::Value { .. } | Cause::NotAvailable { .. } | Cause::PathEncoding | Cause::Fragment => 400,
            Cause::SignatureMissing | Cause::SignatureMismatch | Cause::Expired => 403,
            Cause::Path { .. } | Cause::UnsupportedRoute | Cause::NoSuchSource => 404,
            Cause::MethodNotAllowed => 405,
            Cause::Picture(error) => picture_status(error),
            Cause::Internal => 500,
            Cause::SourceUnreadable => 502,
            Cause::Overloaded { .. } => 503,
            Cause::TimedOut => 504,
        }
    }

    /// Seconds after which to try again, where that is known to be worth it.
    pub fn retry_after(&self) -> Option<u32> {
        match self.cause {
            Cause::Overloaded { retry_after } => Some(retry_after),
            _ => None,
        }
    }

    /// 404: the path is well-formed, and nothing is there.
    pub fn no_such_source() -> Refusal {
        Cause::NoSuchSource.into()
    }

    /// 404: the target is not one that serves pictures.
    pub fn unsupported_route() -> Refusal {
        Cause::UnsupportedRoute.into()
    }

    /// 405: neither `GET` nor `HEAD`.
    pub fn method_not_allowed() -> Refusal {
        Cause::MethodNotAllowed.into()
    }

    /// 503: the host has no room for this request now.
    pub fn overloaded(retry_after_secs: u32) -> Refusal {
        Cause::Overloaded { retry_after: retry_after_secs }.into()
    }

    /// 504: the deadline passed before the picture was made.
    pub fn timed_out() -> Refusal {
        Cause::TimedOut.into()
    }

    /// 500: a bug. What is known about it belongs in the log, not in the answer.
    pub fn internal() -> Refusal {
        Cause::Internal.into()
    }

    /// 502: the source is there but cannot be read: a failing disk or store, missing permission.
    pub fn source_unreadable() -> Refusal {
        Cause::SourceUnreadable.into()
    }

    /// 400: a value that its key does not take. `fault` follows the quoted value: "is not 1".
    pub(crate) fn value(key: &'static str, value: &str, fault: impl Into<Cow<'static, str>>) -> Refusal {
        Cause::Value { key, value: quoted(value), fault: fault.into() }.into()
    }

    /// 400: an item of an option list that is no pair.
    pub(crate) fn list_item(item: &str) -> Refusal {
        Refusal::value("options", item, "is not key=value")
    }

    /// 400: a key of the grammar that this version does not act on.
    pub(crate) fn not_available(key: &'static str) -> Refusal {
        Cause::NotAvailable { key }.into()
    }

    /// 400: such a value of a key that it otherwise reads.
    pub(crate) fn value_not_available(key: &'static str, value: &str) -> Refusal {
        Refusal::value(key, value, "is not available in this version")
    }

    /// 400: a `%` in the path that two hexadecimal digits do not follow.
    pub(crate) fn path_encoding() -> Refusal {
        Cause::PathEncoding.into()
    }

    /// 400: a `#` in the target. Clients cut it off with what follows it, so this one was meant otherwise.
    pub(crate) fn fragment() -> Refusal {
        Cause::Fragment.into()
    }

    /// 404: a path that may not be asked for. `fault` completes "the path …".
    pub(crate) fn path(fault: &'static str) -> Refusal {
        Cause::Path { fault }.into()
    }

    /// 403: there must be a signature, and there is none.
    pub(crate) fn signature_missing() -> Refusal {
        Cause::SignatureMissing.into()
    }

    /// 403: no key gives this signature.
    pub(crate) fn signature_mismatch() -> Refusal {
        Cause::SignatureMismatch.into()
    }

    /// 403: `exp` is in the past.
    pub(crate) fn expired() -> Refusal {
        Cause::Expired.into()
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        // A host's mistake towards the core: its text is for the log.
        if picture_status(error) == 500 { Refusal::internal() } else { Cause::Picture(error).into() }
    }
}

impl From<Cause> for Refusal {
    fn from(cause: Cause) -> Refusal {
        Refusal { cause }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Cause::Value { key, value, fault } => write!(f, "{key}: \"{value}\" {fault}"),
            Cause::NotAvailable { key } => write!(f, "{key}: not available in this version"),
            Cause::PathEncoding => {
                f.write_str("the path has a % without two hexadecimal digits after it; % itself is %25")
            }
            Cause::Fragment => f.write_str("the address has a # in it; write it as %23"),
            Cause::Path { fault } => write!(f, "the path {fault}"),
            Cause::UnsupportedRoute => {
                f.write_str("there is nothing here; pictures are at /img/{path}?w=240")
            }
            Cause::MethodNotAllowed => f.write_str("only GET and HEAD are allowed"),
            Cause::SignatureMissing => f.write_str("sig: missing; only signed addresses are served"),
            Cause::SignatureMismatch => f.write_str("sig: the signature does not fit this address"),
            Cause::Expired => f.write_str("exp: the address has expired"),
            Cause::NoSuchSource => f.write_str("there is no such source"),
            Cause::SourceUnreadable => f.write_str("the source cannot be read"),
            Cause::Picture(error) => error.fmt(f),
            Cause::Overloaded { retry_after } => {
                write!(f, "too much work at the moment; try again in {retry_after} s")
            }
            Cause::TimedOut => f.write_str("making the picture took too long"),
            Cause::Internal => f.write_str("internal error"),
        }
    }
}

impl std::error::Error for Refusal {}

fn picture_status(error: Error) -> u16 {
    match error {
        Error::Malformed { .. } | Error::Truncated { .. } => 422,
        Error::Unsupported { .. } => 415,
        Error::TooLarge { .. } => 413,
        // The address asks for what this picture does not have.
        Error::NothingLeft { .. } => 400,
        _ => 500,
    }
}

/// The start of `value`, with quotes and whatever does not print escaped.
fn quoted(value: &str) -> String {
    let mut chars = value.chars();
    let mut text = String::new();
    for char in chars.by_ref().take(QUOTED_CHARS) {
        if char == '\'' { text.push(char) } else { text.extend(char.escape_debug()) }
    }
    if chars.next().is_some() {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_core::{Format, Limit};

    #[test]
    fn errors_of_the_core() {
        let cases = [
            (Error::Malformed { format: Format::Jpeg, offset: 2, what: "it is 0 pixels wide" }, 422),
            (Error::Truncated { format: None }, 422),
            (Error::Unsupported { format: None, what: "an HTML page" }, 415),
            (Error::TooLarge { limit: Limit::SourcePixels, needed: 2, allowed: 1 }, 413),
            (Error::NothingLeft { width: 4, height: 3 }, 400),
        ];
        for (error, status) in cases {
            let refusal = Refusal::from(error);
            assert_eq!((refusal.status(), refusal.to_string()), (status, error.to_string()));
        }
        for error in [
            Error::BufferTooSmall { needed: 4096, given: 1 },
            Error::Misaligned,
            Error::OutOfOrder { what: "finish" },
        ] {
            assert_eq!(Refusal::from(error), Refusal::internal());
        }
    }

    #[test]
    fn what_hosts_find_out() {
        let cases = [
            (Refusal::no_such_source(), 404, None),
            (Refusal::unsupported_route(), 404, None),
            (Refusal::method_not_allowed(), 405, None),
            (Refusal::internal(), 500, None),
            (Refusal::source_unreadable(), 502, None),
            (Refusal::overloaded(3), 503, Some(3)),
            (Refusal::timed_out(), 504, None),
        ];
        for (refusal, status, retry_after) in cases {
            assert_eq!((refusal.status(), refusal.retry_after()), (status, retry_after), "{refusal}");
        }
    }

    #[test]
    fn values_are_escaped_and_cut() {
        assert_eq!(quoted("a\"b'\n\u{202e}ü"), "a\\\"b'\\n\\u{202e}ü");
        assert_eq!(quoted(&"ü".repeat(64)), "ü".repeat(64));
        assert_eq!(quoted(&"ü".repeat(65)), format!("{}…", "ü".repeat(64)));
    }
}
