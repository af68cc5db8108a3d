//! What can go wrong, grouped by who must act.

use core::fmt;

use crate::Format;

/// Why no thumbnail was made. Small and `Copy`; [`fmt::Display`] gives one sentence for the person who asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The source breaks its format's rules: whoever made it must act (HTTP 422).
    Malformed {
        /// The format the source claims to be.
        format: Format,
        /// The byte at which this was noticed; 0 where the library that reads it does not say.
        offset: u64,
        /// What is wrong, as the end of a sentence: "the picture is 0 pixels wide".
        what: &'static str,
    },
    /// The source ends before its picture does, and there is nothing to show of it or the request is strict
    /// (HTTP 422).
    Truncated {
        /// The format, or `None` where not even that could be told.
        format: Option<Format>,
    },
    /// A valid file of a kind that this build does not decode, or no picture at all (HTTP 415).
    Unsupported {
        /// The format, or `None` where it is none of ours.
        format: Option<Format>,
        /// What it is, as a noun phrase: "an HTML page", "arithmetic coding".
        what: &'static str,
    },
    /// The source, the result or the memory between them is over a limit (HTTP 413).
    TooLarge {
        /// Which limit.
        limit: Limit,
        /// What the request needs.
        needed: u64,
        /// What is allowed.
        allowed: u64,
    },
    /// Trimming leaves nothing of this picture: whoever wrote the request must act (HTTP 400).
    NothingLeft {
        /// The upright picture's width in pixels.
        width: u32,
        /// Its height.
        height: u32,
    },
    /// The result's encoder refused the finished pixels: a limit of its format that no plan foresees, such as
    /// VP8's first partition (HTTP 500).
    NotEncodable {
        /// The result's format.
        format: Format,
    },
    /// The caller's workspace or output buffer is smaller than the plan stated: the host's bug (HTTP 500).
    BufferTooSmall {
        /// Bytes the plan stated.
        needed: usize,
        /// Bytes given.
        given: usize,
    },
    /// The workspace does not start on a 64-byte boundary: the host's bug (HTTP 500).
    Misaligned,
    /// Calls in an order that has no meaning, such as `finish` before the end was pushed: the host's bug
    /// (HTTP 500).
    OutOfOrder {
        /// What was called too early, too late or twice.
        what: &'static str,
    },
}

/// The limit a [`Error::TooLarge`] speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// Pixels of the source, width × height.
    SourcePixels,
    /// Bytes of the source.
    SourceBytes,
    /// Bytes of the source before its first picture data.
    HeaderBytes,
    /// The longer side of the result, in pixels.
    OutputSide,
    /// Bytes of workspace, libraries' heap and output together.
    Memory,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Error::Malformed { format, offset: 0, what } => {
                write!(f, "the source is a broken {format} file: {what}")
            }
            Error::Malformed { format, offset, what } => {
                write!(f, "the source is a broken {format} file: {what} (at byte {offset})")
            }
            Error::Truncated { format: Some(format) } => {
                write!(f, "the source ends before its {format} picture does")
            }
            Error::Truncated { format: None } => {
                f.write_str("the source is empty or ends before its format can be told")
            }
            Error::Unsupported { format: Some(format), what } => {
                write!(f, "the source is a {format} file with {what}, which is not supported")
            }
            Error::Unsupported { format: None, what } => {
                write!(f, "the source is {what}; JPEG, PNG, WebP and GIF are supported")
            }
            Error::TooLarge { limit, needed, allowed } => {
                let (subject, unit) = match limit {
                    Limit::SourcePixels => ("the source", "pixels"),
                    Limit::SourceBytes => ("the source", "bytes"),
                    Limit::HeaderBytes => ("the source's header", "bytes"),
                    Limit::OutputSide => ("the result's longer side", "pixels"),
                    Limit::Memory => ("the memory this picture needs", "bytes"),
                };
                write!(f, "{subject} is over the limit: {needed} {unit}, {allowed} allowed")
            }
            Error::NothingLeft { width, height } => {
                write!(f, "trim: it cuts off all of the picture, which is {width}×{height} pixels")
            }
            Error::NotEncodable { format } => {
                write!(f, "the result cannot be encoded as {format}; another format or size may work")
            }
            Error::BufferTooSmall { needed, given } => {
                write!(f, "a buffer of {given} bytes was given where {needed} are needed")
            }
            Error::Misaligned => f.write_str("the workspace does not start on a 64-byte boundary"),
            Error::OutOfOrder { what } => write!(f, "called out of order: {what}"),
        }
    }
}

impl core::error::Error for Error {}
