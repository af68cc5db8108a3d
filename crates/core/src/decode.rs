//! Each format's decoder behind one face.

use crate::pixels::{Decoded, PixelLayout};
use crate::{Details, Error, Header};

/// The layout a source decodes to.
pub(crate) fn layout(header: &Header) -> PixelLayout {
    match &header.details {
        Details::Jpeg(jpeg) => crate::jpeg::layout(jpeg),
        #[cfg(feature = "std")]
        Details::Png(png) => crate::png::layout(header, *png),
        #[cfg(feature = "std")]
        Details::WebP(_) => crate::webp::layout(header),
        #[cfg(feature = "std")]
        Details::Gif(_) => crate::gif::layout(),
        #[cfg(not(feature = "std"))]
        _ => PixelLayout::Rgba,
    }
}

/// Upper bound of what the source's decoder allocates by itself.
pub(crate) fn heap_len(header: &Header) -> u64 {
    match &header.details {
        Details::Jpeg(jpeg) => crate::jpeg::heap_len(header, jpeg),
        #[cfg(feature = "std")]
        Details::Png(_) => crate::png::heap_len(header),
        #[cfg(feature = "std")]
        Details::WebP(webp) => crate::webp::heap_len(header, webp),
        #[cfg(feature = "std")]
        Details::Gif(_) => crate::gif::heap_len(header),
        #[cfg(not(feature = "std"))]
        _ => 0,
    }
}

/// Decodes the whole `source` into `pixels`, which holds exactly its width × height in its [`layout`].
pub(crate) fn decode(header: &Header, source: &[u8], pixels: &mut [u8]) -> Result<Decoded, Error> {
    match &header.details {
        Details::Jpeg(jpeg) => crate::jpeg::decode(jpeg, source, pixels),
        #[cfg(feature = "std")]
        Details::Png(png) => crate::png::decode(header, *png, source, pixels),
        #[cfg(feature = "std")]
        Details::WebP(webp) => crate::webp::decode(header, webp, source, pixels),
        #[cfg(feature = "std")]
        Details::Gif(_) => crate::gif::decode(header, source, pixels),
        #[cfg(not(feature = "std"))]
        _ => Err(Error::Unsupported { format: Some(header.format()), what: "no decoder in this build" }),
    }
}
