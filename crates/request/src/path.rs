//! The path of a source: percent-decoded once, checked, and written in one way.

use std::fmt;

use crate::Refusal;
use crate::percent;

/// Which source is meant: one or more non-empty segments, safe to look up in a directory or a bucket.
///
/// No segment begins with a dot (so none is `.` or `..`, and hidden files stay hidden) or holds a slash, a
/// backslash or NUL. [`fmt::Display`] writes it percent-encoded, without a leading slash.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourcePath {
    /// Decoded segments with slashes between them: no segment holds one.
    decoded: String,
}

impl SourcePath {
    /// The decoded segments, first to last.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.decoded.split('/')
    }

    /// The last segment without its ending: what a saved file is called.
    pub(crate) fn stem(&self) -> &str {
        let name = self.decoded.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Reads what follows the route in a request target.
    pub(crate) fn read(encoded: &str) -> Result<SourcePath, Refusal> {
        let mut decoded = String::with_capacity(encoded.len());
        // Split before decoding: an encoded slash is part of a name, and no name on a disk has one.
        for segment in encoded.split('/') {
            let bytes = percent::decode(segment).map_err(|_| Refusal::path_encoding())?;
            let text = std::str::from_utf8(&bytes).map_err(|_| Refusal::path("is not UTF-8"))?;
            check(text).map_err(Refusal::path)?;
            if !decoded.is_empty() {
                decoded.push('/');
            }
            decoded.push_str(text);
        }
        Ok(SourcePath { decoded })
    }
}

impl fmt::Display for SourcePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        percent::encode_path(&self.decoded).fmt(f)
    }
}

/// What a decoded segment may not be; the error completes "the path …".
fn check(segment: &str) -> Result<(), &'static str> {
    if segment.is_empty() {
        Err("has an empty segment")
    } else if segment.starts_with('.') {
        Err("has a segment that begins with a dot")
    } else if segment.contains(['/', '\\']) {
        Err("has a slash or backslash within a segment")
    } else if segment.contains('\0') {
        Err("has a NUL character")
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_decoded() {
        let path = SourcePath::read("a%20b/c+d/%C3%BC.tar.gz").unwrap();
        assert_eq!(path.segments().collect::<Vec<_>>(), ["a b", "c+d", "ü.tar.gz"]);
        assert_eq!(path.to_string(), "a%20b/c%2Bd/%C3%BC.tar.gz");
        assert_eq!(path.stem(), "ü.tar");
        assert_eq!(SourcePath::read("a/README").unwrap().stem(), "README");
    }

    #[test]
    fn every_escaping_of_a_path_is_the_same_path() {
        assert_eq!(SourcePath::read("%61/b!"), SourcePath::read("a/b%21"));
    }
}
