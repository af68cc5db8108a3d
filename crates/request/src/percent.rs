//! Percent-encoding: one way to write, one decoding to read.

use std::borrow::Cow;
use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Everything but RFC 3986's unreserved characters.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Everything but unreserved characters and the slashes between a path's segments.
const RESERVED_IN_PATH: &AsciiSet = &RESERVED.remove(b'/');

/// A `%` that two hexadecimal digits do not follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken;

/// The bytes that `text` stands for, decoded once. Browsers let a lone `%` pass as itself; that would give
/// one text two meanings, so it is an error here.
pub(crate) fn decode(text: &str) -> Result<Cow<'_, [u8]>, Broken> {
    let mut rest = text.as_bytes();
    while let Some(at) = rest.iter().position(|&byte| byte == b'%') {
        let Some([high, low]) = rest.get(at + 1..at + 3) else { return Err(Broken) };
        if !(high.is_ascii_hexdigit() && low.is_ascii_hexdigit()) {
            return Err(Broken);
        }
        rest = &rest[at + 3..];
    }
    Ok(percent_decode_str(text).into())
}

/// `text` with all but unreserved characters as `%XX`.
pub(crate) fn encode(text: &str) -> impl fmt::Display {
    utf8_percent_encode(text, RESERVED)
}

/// The same, with slashes as they are.
pub(crate) fn encode_path(text: &str) -> impl fmt::Display {
    utf8_percent_encode(text, RESERVED_IN_PATH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_once() {
        assert_eq!(decode("a%20b+c%2525").as_deref(), Ok(&b"a b+c%25"[..]));
        assert_eq!(decode("%e2%82%AC").as_deref(), Ok("€".as_bytes()));
        assert_eq!(decode("€").as_deref(), Ok("€".as_bytes()));
        assert_eq!(decode("%ff").as_deref(), Ok(&[0xff][..]));
    }

    #[test]
    fn a_lone_percent_sign_is_broken() {
        for text in ["%", "a%", "%4", "%4€", "%ZZ", "%%20", "%20%", "%+4"] {
            assert_eq!(decode(text), Err(Broken), "{text}");
        }
    }

    #[test]
    fn encodes_in_one_way() {
        assert_eq!(encode_path("a b/ü~-._!'()*+,;=@:$&%#?\"").to_string(), {
            "a%20b/%C3%BC~-._%21%27%28%29%2A%2B%2C%3B%3D%40%3A%24%26%25%23%3F%22"
        });
        assert_eq!(encode("a/b").to_string(), "a%2Fb");
    }
}
