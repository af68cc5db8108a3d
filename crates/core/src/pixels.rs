//! How pixels lie in memory between the stages.

use crate::Error;
#[cfg(feature = "std")]
use crate::Format;

/// 8-bit samples, interleaved, rows without padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PixelLayout {
    Grey,
    Rgb,
    Rgba,
}

impl PixelLayout {
    pub(crate) const fn channels(self) -> usize {
        match self {
            PixelLayout::Grey => 1,
            PixelLayout::Rgb => 3,
            PixelLayout::Rgba => 4,
        }
    }

    /// Bytes of a picture of this size.
    pub(crate) const fn len(self, (width, height): (u32, u32)) -> u64 {
        width as u64 * height as u64 * self.channels() as u64
    }
}

/// What a decoder made of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decoded {
    /// Why part of the picture could not be decoded, if part could not.
    pub(crate) damage: Option<Error>,
}

impl Decoded {
    #[cfg(feature = "std")]
    pub(crate) const WHOLE: Decoded = Decoded { damage: None };

    /// The rows up to the first damaged one, and a stand-in for the rest.
    #[cfg(feature = "std")]
    pub(crate) const fn damaged(error: Error) -> Decoded {
        Decoded { damage: Some(error) }
    }
}

/// Grey where a picture without alpha could not be decoded, transparent where one with alpha could not.
#[cfg(feature = "std")]
pub(crate) fn fill_undecoded(layout: PixelLayout, pixels: &mut [u8]) {
    pixels.fill(if layout == PixelLayout::Rgba { 0 } else { 128 });
}

/// The error of a library that says no more than that the file is broken.
#[cfg(feature = "std")]
pub(crate) const fn malformed(format: Format, what: &'static str) -> Error {
    Error::Malformed { format, offset: 0, what }
}
