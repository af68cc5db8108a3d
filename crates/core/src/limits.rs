//! What a host is willing to spend on one request.

use crate::{Error, Limit};

/// Limits on one request. [`crate::Plan::new`] refuses what exceeds them before any memory is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Pixels of the source, width × height.
    pub source_pixels: u64,
    /// Bytes of the source.
    pub source_bytes: u64,
    /// Bytes a host collects while [`crate::probe`] asks for more.
    pub header_bytes: u64,
    /// The longer side of the result, in pixels.
    pub output_side: u32,
    /// Workspace, libraries' heap and output buffer together, in bytes.
    pub memory: u64,
}

impl Limits {
    /// Refuses a header that needs more bytes than a host should collect; for hosts that answer
    /// [`crate::Probe::Need`].
    pub fn check_header_bytes(&self, needed: u64) -> Result<(), Error> {
        check(Limit::HeaderBytes, needed, self.header_bytes)
    }
}

/// An error unless `needed` is within `allowed`.
pub(crate) fn check(limit: Limit, needed: u64, allowed: u64) -> Result<(), Error> {
    if needed > allowed { Err(Error::TooLarge { limit, needed, allowed }) } else { Ok(()) }
}

impl Default for Limits {
    /// 100 megapixels and 100 MiB of source, 4 MiB of header (cameras put depth maps into metadata, Photoshop its
    /// own), 8192 pixels a side, 1 GiB of memory.
    fn default() -> Self {
        Limits {
            source_pixels: 100_000_000,
            source_bytes: 100 << 20,
            header_bytes: 4 << 20,
            output_side: 8192,
            memory: 1 << 30,
        }
    }
}
