//! A whole WebP (of an animation, the first frame) into interleaved pixels, by `image-webp`.
//!
//! In: the file. Out: RGB or RGBA at full size, in the caller's memory. Memory: the library's own frames
//! ([`heap_len`]).

use std::io::Cursor;

use image_webp::{DecodingError, WebPDecoder};

use crate::pixels::{Decoded, PixelLayout, malformed};
use crate::{Error, Format, Header, WebPHeader, WebPKind};

/// The layout [`decode`] writes.
pub(crate) const fn layout(header: &Header) -> PixelLayout {
    if header.alpha { PixelLayout::Rgba } else { PixelLayout::Rgb }
}

/// Upper bound of what the library allocates.
pub(crate) const fn heap_len(header: &Header, webp: &WebPHeader) -> u64 {
    let padded = (header.width as u64).next_multiple_of(16) * (header.height as u64).next_multiple_of(16);
    // Bytes a pixel: lossy, 4:2:0 planes; lossless, its transforms' planes, and where there is no alpha a frame
    // of RGBA; alpha beside lossy, planes and a lossless frame; animated, canvas and frame besides.
    let frames = padded
        * match (webp.kind, header.alpha, header.animated) {
            (WebPKind::Lossy, ..) | (WebPKind::Lossless, true, _) => 2,
            (WebPKind::Lossless, false, _) | (WebPKind::Extended, false, false) => 5,
            (WebPKind::Extended, true, false) => 7,
            (WebPKind::Extended, _, true) => 14,
        };
    // Compressed partitions are copied; prefix codes and prediction contexts.
    frames + webp.file_len + (2 << 20)
}

/// Decodes the picture into `pixels`, which holds exactly width × height pixels of [`layout`].
pub(crate) fn decode(
    header: &Header,
    webp: &WebPHeader,
    source: &[u8],
    pixels: &mut [u8],
) -> Result<Decoded, Error> {
    let translate = |error| {
        let cut = (source.len() as u64) < webp.file_len;
        if cut { Error::Truncated { format: Some(Format::WebP) } } else { translate(&error) }
    };
    let mut decoder = WebPDecoder::new(Cursor::new(source)).map_err(translate)?;
    if decoder.dimensions() != (header.width, header.height) || decoder.has_alpha() != header.alpha {
        return Err(malformed(Format::WebP, "its chunks contradict its header"));
    }
    decoder.read_image(pixels).map_err(translate)?;
    Ok(Decoded::WHOLE)
}

fn translate(error: &DecodingError) -> Error {
    let what = match error {
        DecodingError::IoError(_) | DecodingError::NotEnoughInitData => {
            return Error::Truncated { format: Some(Format::WebP) };
        }
        DecodingError::ChunkMissing | DecodingError::ChunkHeaderInvalid(_) => {
            "a chunk it announces is missing"
        }
        _ => "its picture data is damaged",
    };
    malformed(Format::WebP, what)
}
