//! What the first bytes of a source tell about it.

use crate::Format;

/// A source's facts, as [`crate::probe`] reads them: sizes as stored, before the orientation is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// Stored width in pixels, 1 or more.
    pub width: u32,
    /// Stored height in pixels, 1 or more.
    pub height: u32,
    /// How the stored picture must be turned to stand upright.
    pub orientation: Orientation,
    /// Whether the picture may have transparent pixels. Known from the header alone, so that negotiation
    /// is: a picture whose alpha channel is opaque everywhere still says `true`.
    pub alpha: bool,
    /// Whether the file carries an ICC profile.
    pub icc_profile: bool,
    /// Whether the file says that it holds more than one frame.
    pub animated: bool,
    /// Bytes of the file before its first picture data.
    pub header_len: u64,
    /// What only this format has.
    pub details: Details,
}

impl Header {
    /// The source's format.
    pub const fn format(&self) -> Format {
        match self.details {
            Details::Jpeg(_) => Format::Jpeg,
            Details::Png(_) => Format::Png,
            Details::WebP(_) => Format::WebP,
            Details::Gif(_) => Format::Gif,
        }
    }

    /// Width and height of the picture when it stands upright.
    pub const fn upright_size(&self) -> (u32, u32) {
        if self.orientation.swaps_axes() { (self.height, self.width) } else { (self.width, self.height) }
    }
}

/// The part of a [`Header`] that belongs to one format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Details {
    /// A JPEG's frame header.
    Jpeg(JpegHeader),
    /// A PNG's IHDR.
    Png(PngHeader),
    /// A WebP's RIFF and first chunk.
    WebP(WebPHeader),
    /// A GIF's screen and first frame.
    Gif(GifHeader),
}

/// A JPEG's frame header (T.81, B.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JpegHeader {
    /// The colour space its components make.
    pub color: JpegColor,
    /// Sampling factors of each component; those it does not have are 1×1.
    pub sampling: [Sampling; 4],
    /// Whether the frame is progressive (SOF2).
    pub progressive: bool,
    /// Whether the first scan holds all components. If not, a sequential file needs its whole planes.
    pub interleaved: bool,
}

impl JpegHeader {
    /// The sampling factors of the components there are.
    pub fn components(&self) -> &[Sampling] {
        &self.sampling[..self.color.components()]
    }

    /// The largest sampling factors of any component, `Hmax` and `Vmax`.
    pub fn max_sampling(&self) -> Sampling {
        let max = |factor: fn(&Sampling) -> u8| self.components().iter().map(factor).max().unwrap_or(1);
        Sampling { horizontal: max(|c| c.horizontal), vertical: max(|c| c.vertical) }
    }

    /// Minimum coded units of an interleaved scan, across and down (T.81, A.2.4).
    pub fn mcus(&self, width: u32, height: u32) -> (u64, u64) {
        let max = self.max_sampling();
        let across = u64::from(width).div_ceil(8 * u64::from(max.horizontal));
        (across, u64::from(height).div_ceil(8 * u64::from(max.vertical)))
    }

    /// 8×8 blocks of all components, padded to whole MCUs.
    pub fn blocks(&self, width: u32, height: u32) -> u64 {
        let (across, down) = self.mcus(width, height);
        let blocks = |c: &Sampling| u64::from(c.horizontal) * u64::from(c.vertical);
        across * down * self.components().iter().map(blocks).sum::<u64>()
    }
}

/// A JPEG's colour space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JpegColor {
    /// One component.
    Grey,
    /// Luma and two colour differences (T.871).
    YCbCr,
    /// Red, green and blue.
    Rgb,
    /// Four inks, stored inverted as Adobe does.
    Cmyk,
    /// As `Cmyk`, the first three turned into luma and colour differences.
    Ycck,
}

impl JpegColor {
    /// How many components it has: 1, 3 or 4.
    pub const fn components(self) -> usize {
        match self {
            JpegColor::Grey => 1,
            JpegColor::YCbCr | JpegColor::Rgb => 3,
            JpegColor::Cmyk | JpegColor::Ycck => 4,
        }
    }
}

/// A component's sampling factors `Hi` and `Vi`, each 1 to 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// `Hi`.
    pub horizontal: u8,
    /// `Vi`.
    pub vertical: u8,
}

/// A PNG's IHDR (11.2.1 of the specification).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PngHeader {
    /// Bits per sample: 1, 2, 4, 8 or 16.
    pub bit_depth: u8,
    /// 0 grey, 2 RGB, 3 palette, 4 grey + alpha, 6 RGB + alpha.
    pub color_type: u8,
    /// Whether the rows come in Adam7's seven passes.
    pub interlaced: bool,
}

/// A WebP's RIFF header and first chunk (RFC 9649, 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WebPHeader {
    /// Bytes of the whole file as the RIFF header states them; what follows is not read.
    pub file_len: u64,
    /// What the file's first chunk is.
    pub kind: WebPKind,
}

/// A WebP's first chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WebPKind {
    /// VP8: lossy, without alpha.
    Lossy,
    /// VP8L: lossless.
    Lossless,
    /// VP8X: a list of chunks of which some hold either of them.
    Extended,
}

/// A GIF's logical screen and first image descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GifHeader {
    /// Whether the first frame covers the whole screen.
    pub covers_screen: bool,
    /// Whether the first frame's rows are interlaced.
    pub interlaced: bool,
}

/// EXIF's orientation tag (0x0112): where the stored picture's first row and column belong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Orientation {
    /// Upright as stored.
    #[default]
    Upright = 1,
    /// Mirrored left to right.
    FlippedHorizontally = 2,
    /// Turned by 180°.
    Rotated180 = 3,
    /// Mirrored top to bottom.
    FlippedVertically = 4,
    /// Mirrored along the main diagonal (rows become columns).
    Transposed = 5,
    /// To be turned clockwise by 90°.
    Rotated90 = 6,
    /// Mirrored along the other diagonal.
    Transversed = 7,
    /// To be turned clockwise by 270°.
    Rotated270 = 8,
}

impl Orientation {
    /// All eight, in the order of their EXIF values 1 to 8.
    pub const ALL: [Orientation; 8] = [
        Orientation::Upright,
        Orientation::FlippedHorizontally,
        Orientation::Rotated180,
        Orientation::FlippedVertically,
        Orientation::Transposed,
        Orientation::Rotated90,
        Orientation::Transversed,
        Orientation::Rotated270,
    ];

    /// The orientation with this EXIF value; `None` outside 1 to 8.
    pub fn from_exif(value: u16) -> Option<Orientation> {
        Orientation::ALL.get(usize::from(value).checked_sub(1)?).copied()
    }

    /// The EXIF value, 1 to 8.
    pub const fn exif(self) -> u8 {
        self as u8
    }

    /// Whether the upright picture's width is the stored one's height.
    pub const fn swaps_axes(self) -> bool {
        self as u8 >= 5
    }
}
