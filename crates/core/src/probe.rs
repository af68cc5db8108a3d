//! From a file's first bytes to its [`Header`].
//!
//! In: a prefix of the file. Out: the header, or how many bytes are needed to go on. Every call starts over
//! from the file's first byte and allocates nothing. A JPEG is read up to its first scan, a PNG to its first
//! IDAT, a GIF to its first frame, a WebP to its first chunk (and to its EXIF chunk, if it says it has one
//! and is small).

use crate::bytes::{Prefix, Stop};
use crate::sniff::{SNIFF_LEN, sniff};
use crate::{Error, Format, Header};

/// Answer of [`probe`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// Call again with at least so many bytes from the file's start.
    Need(u64),
    /// The header.
    Ready(Header),
}

/// Reads a source's header from its first bytes. With `end`, `input` is the whole source, and what it does
/// not hold is an error instead of [`Probe::Need`].
///
/// # Errors
/// `Unsupported` for files of other kinds and for kinds of ours that are not decoded; `Malformed` and
/// `Truncated` for broken headers.
pub fn probe(input: &[u8], end: bool) -> Result<Probe, Error> {
    if input.len() < SNIFF_LEN && !end {
        return Ok(Probe::Need(SNIFF_LEN as u64));
    }
    let format = sniff(&input[..input.len().min(SNIFF_LEN)])?;
    let file = Prefix::new(input, end, format);
    let header = match format {
        Format::Jpeg => crate::jpeg::read_header(file),
        #[cfg(feature = "std")]
        Format::Png => crate::png::read_header(file),
        #[cfg(feature = "std")]
        Format::WebP => crate::webp::read_header(file),
        #[cfg(feature = "std")]
        Format::Gif => crate::gif::read_header(file),
        #[cfg(not(feature = "std"))]
        _ => Err(Stop::Failed(Error::Unsupported { format: None, what: "of a kind left out of this build" })),
    };
    match header {
        Ok(header) => Ok(Probe::Ready(header)),
        Err(Stop::Need(len)) => Ok(Probe::Need(len)),
        Err(Stop::Failed(error)) => Err(error),
    }
}
