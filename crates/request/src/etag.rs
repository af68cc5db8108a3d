//! `ETag`, made before any pixel is decoded, and `If-None-Match`.
//!
//! Two hosts that see the same validator give the same tag, so that either may answer for the other.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use tintype_core::OUTPUT_VERSION;

use crate::AcceptClass;

/// What tells one version of a source from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validator<'a> {
    /// The `ETag` the source came with. `W/` and quotes do not count: the same store names a version with
    /// them in one interface and without in the other.
    ETag(&'a str),
    /// When the source was last changed, and how long it is.
    Modified {
        /// Seconds since 1970, as `Last-Modified` or a file's time says.
        unix_time: u64,
        /// Bytes.
        len: u64,
    },
}

/// Whether an `If-None-Match` header covers an `ETag`: a list that has it does, compared weakly (RFC 9110,
/// 13.1.2), because proxies that compress mark a strong tag as weak.
///
/// `*` does not, though it means "any picture that there is": whether there is one is known only once it has
/// been made, and a 304 is given before that.
pub fn etag_matches(if_none_match: &str, etag: &str) -> bool {
    let wanted = opaque(etag);
    let mut rest = if_none_match.trim();
    while !rest.is_empty() {
        let tag = rest.strip_prefix("W/").unwrap_or(rest);
        let end = match tag.strip_prefix('"').and_then(|inner| inner.split_once('"')) {
            Some((inner, after)) if inner == wanted => {
                // Only a whole list item is a tag.
                let after = after.trim_start();
                if after.is_empty() || after.starts_with(',') {
                    return true;
                }
                after
            }
            Some((_, after)) => after,
            // Not a quoted tag: on to the next item.
            None => tag,
        };
        rest = end.split_once(',').map_or("", |(_, next)| next.trim_start());
    }
    false
}

/// The tag of a result, quoted. `accept` is given where the answer depends on it.
pub(crate) fn etag(validator: &Validator<'_>, canonical: &str, accept: Option<AcceptClass>) -> String {
    let mut hash = Sha256::new();
    let mut field = |bytes: &[u8]| {
        // With its length before each field, no two lists of fields are the same bytes.
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    match *validator {
        Validator::ETag(tag) => {
            field(b"etag");
            field(opaque(tag).as_bytes());
        }
        Validator::Modified { unix_time, len } => {
            field(b"modified");
            field(&unix_time.to_le_bytes());
            field(&len.to_le_bytes());
        }
    }
    field(canonical.as_bytes());
    field(accept.map_or("", AcceptClass::name).as_bytes());
    field(&OUTPUT_VERSION.to_le_bytes());
    format!("\"{}\"", URL_SAFE_NO_PAD.encode(&hash.finalize()[..16]))
}

/// A tag without `W/` and quotes.
fn opaque(tag: &str) -> &str {
    let tag = tag.trim();
    let tag = tag.strip_prefix("W/").unwrap_or(tag);
    tag.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn if_none_match() {
        let cases = [
            ("\"a\"", true),
            ("W/\"a\"", true),
            (" \"b\" , \"a\" ", true),
            ("\"b\",W/\"a\"", true),
            ("\"x,y\", \"a\"", true),
            ("*", false),
            (" * ", false),
            ("b, \"a\"", true),
            (",,\"a\",", true),
            ("", false),
            ("a", false),
            ("\"A\"", false),
            ("\"b\", *", false),
            ("\"b,a\"", false),
            ("\"a", false),
            ("\"b\"a\"", false),
            ("\"a\"b", false),
            ("w/\"a\"", false),
        ];
        for (header, matches) in cases {
            assert_eq!(etag_matches(header, "\"a\""), matches, "{header}");
        }
        assert!(etag_matches("\"a\"", "W/\"a\""));
    }

    #[test]
    fn every_field_counts() {
        let source = Validator::ETag("\"v1\"");
        let base = etag(&source, "/img/a.jpg", None);
        assert_eq!(base.len(), 24);
        assert!(base.starts_with('"') && base.ends_with('"'));
        let modified = |unix_time, len| Validator::Modified { unix_time, len };
        let tags = [
            base,
            etag(&Validator::ETag("\"v2\""), "/img/a.jpg", None),
            etag(&source, "/img/b.jpg", None),
            etag(&source, "/img/a.jpg", Some(AcceptClass::Avif)),
            etag(&source, "/img/a.jpg", Some(AcceptClass::WebP)),
            etag(&source, "/img/a.jpg", Some(AcceptClass::Legacy)),
            etag(&Validator::ETag("v1/img"), "/a.jpg", None),
            etag(&modified(1, 2), "/img/a.jpg", None),
            etag(&modified(2, 1), "/img/a.jpg", None),
            etag(&modified(1, 3), "/img/a.jpg", None),
        ];
        for (at, tag) in tags.iter().enumerate() {
            assert!(!tags[..at].contains(tag), "{at}");
        }
    }

    #[test]
    fn how_a_source_quotes_its_tag_does_not_count() {
        let of = |tag| etag(&Validator::ETag(tag), "/img/a.jpg", None);
        assert_eq!(of("\"v1\""), of("v1"));
        assert_eq!(of("\"v1\""), of("W/\"v1\""));
    }
}
