//! A thumbnail into a WebP: lossless by our own encoder, lossy by libwebp where it is built in.

use crate::pixels::PixelLayout;
use crate::sink::Sink;

/// How a WebP is coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// VP8L.
    Lossless,
    /// VP8 at this quality, 1 to 99, alpha losslessly beside it.
    Lossy { quality: u8 },
}

impl Coding {
    /// The coding of this quality in this build: lossless at 100, and where there is no lossy encoder.
    pub(crate) const fn of_quality(quality: u8) -> Coding {
        if quality >= 100 || !cfg!(feature = "libwebp") {
            Coding::Lossless
        } else {
            Coding::Lossy { quality }
        }
    }
}

/// Upper bound of a file's length: lossless, prefix codes over 256 to 280 symbols cost at most a little more
/// than the samples; lossy never comes near that.
pub(crate) const fn max_len((width, height): (u32, u32)) -> u64 {
    let pixels = (width as u64).next_multiple_of(16) * (height as u64).next_multiple_of(16);
    pixels * 4 + pixels / 2 + 4096
}

/// Upper bound of what the libraries allocate: pixels as RGBA, tokens and the compressed file (lossless);
/// planes, coefficients, and the file before it is copied (lossy; libwebp's own memory).
pub(crate) const fn encoder_heap_len(size: (u32, u32)) -> u64 {
    4 * max_len(size) + (1 << 20)
}

/// Encodes `pixels` (lossless: any layout; lossy: RGB or RGBA) into `sink`; what does not fit it remembers.
pub(crate) fn encode(
    pixels: &[u8],
    (width, height): (u32, u32),
    layout: PixelLayout,
    coding: Coding,
    sink: &mut Sink<'_>,
) {
    match coding {
        Coding::Lossless => super::lossless::encode(pixels, (width, height), layout, sink),
        #[cfg(feature = "libwebp")]
        Coding::Lossy { quality } => {
            let encoder = match layout {
                PixelLayout::Rgba => webp::Encoder::from_rgba(pixels, width, height),
                _ => webp::Encoder::from_rgb(pixels, width, height),
            };
            match encoder.encode_simple(false, quality.into()) {
                Ok(file) => sink.write(&file),
                Err(_) => sink.fail(),
            }
        }
        #[cfg(not(feature = "libwebp"))]
        Coding::Lossy { .. } => sink.fail(),
    }
}
