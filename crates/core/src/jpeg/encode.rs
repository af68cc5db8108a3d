//! A thumbnail into a JPEG, by `jpeg-encoder`.

use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

use crate::pixels::PixelLayout;
use crate::sink::Sink;

/// Quality from which chroma keeps its full resolution: below, its loss is not seen.
const FULL_CHROMA_FROM: u8 = 90;

/// Upper bound of a file's length.
///
/// By Parseval, the 64 coefficients of a block of 8-bit samples have a mean square of at most 128². A
/// coefficient of 128 costs 8 bits after a Huffman code of at most 10 (T.81, table K.5), and no distribution
/// of the same energy costs more; so 2.25 bytes a sample, plus byte stuffing (a 256th), are never exceeded.
pub(crate) fn max_len((width, height): (u32, u32), layout: PixelLayout, quality: u8) -> u64 {
    let blocks = u64::from(width).div_ceil(16) * 2 * u64::from(height).div_ceil(16) * 2;
    let half_samples = match layout {
        PixelLayout::Grey => 2,
        _ if quality < FULL_CHROMA_FROM => 3,
        _ => 6,
    };
    blocks * 64 * half_samples * 5 / 4 + 4096 // 2.5 bytes a sample
}

/// Upper bound of what the library allocates: every coefficient as i16 in planes padded to MCUs, and a row of
/// MCUs before that.
pub(crate) fn encoder_heap_len((width, height): (u32, u32), layout: PixelLayout) -> u64 {
    let padded = u64::from(width).next_multiple_of(16) * u64::from(height).next_multiple_of(16);
    let components = layout.channels() as u64;
    // Vectors of blocks grow by doubling.
    components * (4 * padded + u64::from(width).next_multiple_of(16) * 32) + (64 << 10)
}

/// Encodes `pixels` (grey or RGB) into `sink`; what does not fit it remembers.
pub(crate) fn encode(
    pixels: &[u8],
    (width, height): (u32, u32),
    layout: PixelLayout,
    quality: u8,
    progressive: bool,
    sink: &mut Sink<'_>,
) {
    let (color, sampling) = match layout {
        PixelLayout::Grey => (ColorType::Luma, SamplingFactor::F_1_1),
        _ if quality < FULL_CHROMA_FROM => (ColorType::Rgb, SamplingFactor::F_2_2),
        _ => (ColorType::Rgb, SamplingFactor::F_1_1),
    };
    let mut encoder = Encoder::new(&mut *sink, quality);
    encoder.set_sampling_factor(sampling);
    encoder.set_progressive(progressive);
    // In a baseline file the library optimizes tables only for a scan of each component, which decoders of
    // modest means cannot stream.
    encoder.set_optimized_huffman_tables(progressive);
    if encoder.encode(pixels, width as u16, height as u16, color).is_err() {
        sink.fail();
    }
}
