//! Each format's decoder behind one face, and how each comes to a source's pixels at 1/1, 1/2, 1/4 or 1/8.
//!
//! A PNG's rows are averaged as they are decoded; a JPEG is decoded as it arrives, into planes ([`crate::planar`]);
//! everything else is decoded whole, then averaged in place.

use crate::blend::premultiply;
use crate::geometry::LoadScale;
use crate::pixels::{Decoded, PixelLayout};
use crate::{Details, Error, Header, shrink};

/// The layout a source decodes to.
pub(crate) fn layout(header: &Header) -> PixelLayout {
    match &header.details {
        Details::Jpeg(jpeg) => crate::planar::layout(jpeg),
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
        Details::Jpeg(_) => 0,
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

/// Bytes of the buffer that [`decode`] needs to read a source at `scale`.
pub(crate) fn buffer_len(header: &Header, scale: LoadScale) -> u64 {
    let (size, layout) = ((header.width, header.height), layout(header));
    if scale == LoadScale::WHOLE {
        return layout.len(size);
    }
    #[cfg(feature = "std")]
    if let Details::Png(png) = &header.details
        && !png.interlaced
    {
        return crate::png::reduced_len(header, *png, scale);
    }
    shrink::in_place_len(layout, size, scale.denominator())
}

/// Decodes all of `source` at `scale` into the start of `buffer`, which is [`buffer_len`] long: as many pixels as
/// [`LoadScale::picture`] says, in its [`layout`]. Pixels with alpha that are read smaller must be `premultiplied`.
pub(crate) fn decode(
    header: &Header,
    source: &[u8],
    scale: LoadScale,
    premultiplied: bool,
    buffer: &mut [u8],
) -> Result<Decoded, Error> {
    #[cfg(feature = "std")]
    if let Details::Png(png) = &header.details
        && !png.interlaced
        && scale != LoadScale::WHOLE
    {
        return crate::png::decode_reduced(header, *png, source, scale, buffer);
    }
    let (size, layout) = ((header.width, header.height), layout(header));
    let pixels = &mut buffer[..layout.len(size) as usize];
    let decoded = decode_whole(header, source, pixels)?;
    if premultiplied && layout == PixelLayout::Rgba {
        premultiply(pixels);
    }
    if scale != LoadScale::WHOLE {
        shrink::in_place(buffer, layout, size, scale.denominator());
    }
    Ok(decoded)
}

/// Decodes the whole `source` into `pixels`, which holds exactly its width × height in its [`layout`].
#[cfg_attr(not(feature = "std"), expect(unused_variables, reason = "this build decodes JPEG only"))]
fn decode_whole(header: &Header, source: &[u8], pixels: &mut [u8]) -> Result<Decoded, Error> {
    match &header.details {
        Details::Jpeg(_) => Err(Error::OutOfOrder { what: "a JPEG is decoded as it arrives" }),
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
