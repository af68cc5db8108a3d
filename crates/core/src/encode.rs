//! Each format's encoder behind one face: the result's format chosen, its size bounded, its bytes written.

use crate::pixels::PixelLayout;
use crate::sink::Sink;
use crate::{Error, Format, FormatChoice, Transform};

/// A result's format with its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Jpeg {
        quality: u8,
        progressive: bool,
    },
    #[cfg(feature = "std")]
    Png,
    #[cfg(feature = "std")]
    WebP(crate::webp::Coding),
}

const JPEG_QUALITY: u8 = 82;
#[cfg(feature = "std")]
const WEBP_QUALITY: u8 = 80;

impl Encoding {
    /// What `transform` asks for a result with or without alpha.
    ///
    /// # Errors
    /// `Unsupported` for a format that is left out of this build.
    #[cfg_attr(feature = "std", expect(clippy::unnecessary_wraps, reason = "this build writes them all"))]
    pub(crate) fn choose(transform: &Transform, alpha: bool) -> Result<Encoding, Error> {
        let jpeg = |progressive| Encoding::Jpeg {
            quality: transform.quality.unwrap_or(JPEG_QUALITY).clamp(1, 100),
            progressive,
        };
        match transform.format {
            FormatChoice::Jpeg => Ok(jpeg(true)),
            FormatChoice::BaselineJpeg => Ok(jpeg(false)),
            FormatChoice::Auto { webp } => Ok(match choose_auto(transform, webp, alpha) {
                Some(encoding) => encoding,
                None => jpeg(true),
            }),
            #[cfg(feature = "std")]
            FormatChoice::WebP => Ok(webp_of(transform)),
            #[cfg(feature = "std")]
            FormatChoice::Png => Ok(Encoding::Png),
            #[cfg(not(feature = "std"))]
            FormatChoice::WebP | FormatChoice::Png => {
                Err(Error::Unsupported { format: None, what: "wanted in a format left out of this build" })
            }
        }
    }

    pub(crate) const fn format(self) -> Format {
        match self {
            Encoding::Jpeg { .. } => Format::Jpeg,
            #[cfg(feature = "std")]
            Encoding::Png => Format::Png,
            #[cfg(feature = "std")]
            Encoding::WebP(_) => Format::WebP,
        }
    }

    /// Whether every sample comes back as it was.
    pub(crate) const fn is_lossless(self) -> bool {
        match self {
            Encoding::Jpeg { .. } => false,
            #[cfg(feature = "std")]
            Encoding::Png => true,
            #[cfg(feature = "std")]
            Encoding::WebP(coding) => matches!(coding, crate::webp::Coding::Lossless),
        }
    }

    /// Upper bound of the result's length.
    ///
    /// # Errors
    /// `TooLarge` for a size that the format does not have.
    #[cfg_attr(not(feature = "std"), expect(clippy::unnecessary_wraps, reason = "JPEG has them all"))]
    pub(crate) fn max_len(self, size: (u32, u32), layout: PixelLayout) -> Result<u64, Error> {
        Ok(match self {
            Encoding::Jpeg { quality, .. } => crate::jpeg::max_len(size, layout, quality),
            #[cfg(feature = "std")]
            Encoding::Png => crate::png::max_len(size, layout),
            #[cfg(feature = "std")]
            Encoding::WebP(coding) => crate::webp::max_len(size, layout, coding)?,
        })
    }

    /// Upper bound of what the encoder allocates by itself.
    pub(crate) fn heap_len(self, size: (u32, u32), layout: PixelLayout) -> u64 {
        match self {
            Encoding::Jpeg { .. } => crate::jpeg::encoder_heap_len(size, layout),
            #[cfg(feature = "std")]
            Encoding::Png => crate::png::encoder_heap_len(size, layout),
            #[cfg(feature = "std")]
            Encoding::WebP(coding) => crate::webp::encoder_heap_len(size, layout, coding),
        }
    }

    /// The encoder of a file that is made in several calls, if this is one; [`Encoding::encode`] makes the others.
    ///
    /// # Errors
    /// `TooLarge` for a size that the format does not have.
    #[cfg(feature = "std")]
    pub(crate) fn begin(self, size: (u32, u32)) -> Result<Option<crate::webp::Lossy>, Error> {
        match self {
            Encoding::WebP(crate::webp::Coding::Lossy { quality, effort }) => {
                crate::webp::Lossy::new(size, quality, effort).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Writes the file to the start of `output` and gives its length.
    pub(crate) fn encode(
        self,
        pixels: &[u8],
        size: (u32, u32),
        layout: PixelLayout,
        output: &mut [u8],
    ) -> Result<usize, Error> {
        let mut sink = Sink::new(output);
        match self {
            Encoding::Jpeg { quality, progressive } => {
                crate::jpeg::encode(pixels, size, layout, quality, progressive, &mut sink);
            }
            #[cfg(feature = "std")]
            Encoding::Png => crate::png::encode(pixels, size, layout, &mut sink),
            #[cfg(feature = "std")]
            Encoding::WebP(_) => crate::webp::encode_lossless(pixels, size, layout, &mut sink),
        }
        sink.finish(self.format())
    }
}

/// WebP where it is taken, PNG for alpha; `None` is JPEG.
#[cfg(feature = "std")]
fn choose_auto(transform: &Transform, webp: bool, alpha: bool) -> Option<Encoding> {
    match (webp, alpha) {
        (true, _) => Some(webp_of(transform)),
        (false, true) => Some(Encoding::Png),
        (false, false) => None,
    }
}

#[cfg(not(feature = "std"))]
const fn choose_auto(_transform: &Transform, _webp: bool, _alpha: bool) -> Option<Encoding> {
    None
}

#[cfg(feature = "std")]
fn webp_of(transform: &Transform) -> Encoding {
    Encoding::WebP(crate::webp::Coding::of_quality(
        transform.quality.unwrap_or(WEBP_QUALITY),
        transform.effort.unwrap_or(Transform::DEFAULT_EFFORT),
    ))
}
