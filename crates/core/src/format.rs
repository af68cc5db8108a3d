//! The picture formats, and telling them apart by their first bytes.

use core::fmt;

/// A format this crate reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// JPEG (ITU-T T.81).
    Jpeg,
    /// PNG (W3C, third edition).
    Png,
    /// WebP (RFC 9649).
    WebP,
    /// GIF (87a, 89a): read only.
    Gif,
}

impl Format {
    /// The media type for `Content-Type`.
    pub const fn media_type(self) -> &'static str {
        match self {
            Format::Jpeg => "image/jpeg",
            Format::Png => "image/png",
            Format::WebP => "image/webp",
            Format::Gif => "image/gif",
        }
    }

    /// The usual file name ending, without a dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Jpeg => "jpg",
            Format::Png => "png",
            Format::WebP => "webp",
            Format::Gif => "gif",
        }
    }

    /// The longest side a file of this format can have, in pixels.
    pub const fn max_side(self) -> u32 {
        match self {
            Format::Jpeg | Format::Gif => 65_535,
            Format::Png => 0x7fff_ffff,
            Format::WebP => 16_383, // VP8 and VP8L have 14 bits for it
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Jpeg => "JPEG",
            Format::Png => "PNG",
            Format::WebP => "WebP",
            Format::Gif => "GIF",
        })
    }
}
