//! Reading numbers out of a prefix of a file that may end anywhere.

use crate::{Error, Format};

/// A file's first bytes. Every read says whether the bytes are there, are yet to come, or never will.
#[derive(Clone, Copy)]
pub(crate) struct Prefix<'a> {
    bytes: &'a [u8],
    /// `bytes` is the whole file.
    end: bool,
    format: Format,
}

/// Why a header was not read to its end.
pub(crate) enum Stop {
    /// This many bytes from the file's start are needed to go on.
    Need(u64),
    /// It never will be.
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Failed(error)
    }
}

impl<'a> Prefix<'a> {
    pub(crate) const fn new(bytes: &'a [u8], end: bool, format: Format) -> Prefix<'a> {
        Prefix { bytes, end, format }
    }

    /// `len` bytes at `at`.
    pub(crate) fn slice(&self, at: usize, len: usize) -> Result<&'a [u8], Stop> {
        match self.bytes.get(at..).and_then(|rest| rest.get(..len)) {
            Some(slice) => Ok(slice),
            None if self.end => Err(Error::Truncated { format: Some(self.format) }.into()),
            None => Err(Stop::Need(at as u64 + len as u64)),
        }
    }

    pub(crate) fn array<const N: usize>(&self, at: usize) -> Result<[u8; N], Stop> {
        let mut array = [0; N];
        array.copy_from_slice(self.slice(at, N)?);
        Ok(array)
    }

    pub(crate) fn u8(&self, at: usize) -> Result<u8, Stop> {
        Ok(self.array::<1>(at)?[0])
    }

    pub(crate) fn u16_be(&self, at: usize) -> Result<u16, Stop> {
        Ok(u16::from_be_bytes(self.array(at)?))
    }

    /// A fault in this file, noticed at byte `at`.
    pub(crate) fn malformed(&self, at: usize, what: &'static str) -> Stop {
        Stop::Failed(Error::Malformed { format: self.format, offset: at as u64, what })
    }

    /// A valid file of a kind that is not decoded.
    pub(crate) fn unsupported(&self, what: &'static str) -> Stop {
        Stop::Failed(Error::Unsupported { format: Some(self.format), what })
    }
}

/// JPEG has no numbers of these kinds before its first scan.
#[cfg(feature = "std")]
impl Prefix<'_> {
    pub(crate) fn u32_be(&self, at: usize) -> Result<u32, Stop> {
        Ok(u32::from_be_bytes(self.array(at)?))
    }

    pub(crate) fn u16_le(&self, at: usize) -> Result<u16, Stop> {
        Ok(u16::from_le_bytes(self.array(at)?))
    }

    pub(crate) fn u32_le(&self, at: usize) -> Result<u32, Stop> {
        Ok(u32::from_le_bytes(self.array(at)?))
    }
}
