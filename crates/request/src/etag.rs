//! `ETag` and `If-None-Match`.

/// What tells one version of a source from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validator<'a> {
    /// The source's own `ETag`.
    ETag(&'a str),
    /// The source's last change and length.
    Modified {
        /// Unix time in seconds.
        unix_time: u64,
        /// Bytes.
        len: u64,
    },
}

/// Whether an `If-None-Match` header names this `ETag`.
pub fn etag_matches(_if_none_match: &str, _etag: &str) -> bool {
    todo!()
}
