//! A thumbnail into a PNG, by `png`.

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};

use crate::pixels::PixelLayout;
use crate::sink::Sink;

/// Upper bound of a file's length: rows with their filter bytes, stored.
pub(crate) const fn max_len((width, height): (u32, u32), layout: PixelLayout) -> u64 {
    let raw = (width as u64 * layout.channels() as u64 + 1) * height as u64;
    raw + raw / 64 + 4096
}

/// Upper bound of what the library allocates: the filtered rows are compressed as a whole.
pub(crate) const fn encoder_heap_len(size: (u32, u32), layout: PixelLayout) -> u64 {
    3 * max_len(size, layout) + (1 << 20)
}

/// Encodes `pixels` into `sink`; what does not fit it remembers.
pub(crate) fn encode(pixels: &[u8], size: (u32, u32), layout: PixelLayout, sink: &mut Sink<'_>) {
    if try_encode(pixels, size, layout, sink).is_err() {
        sink.fail();
    }
}

fn try_encode(
    pixels: &[u8],
    (width, height): (u32, u32),
    layout: PixelLayout,
    sink: &mut Sink<'_>,
) -> Result<(), EncodingError> {
    let mut encoder = Encoder::new(sink, width, height);
    encoder.set_color(match layout {
        PixelLayout::Grey => ColorType::Grayscale,
        PixelLayout::Rgb => ColorType::Rgb,
        PixelLayout::Rgba => ColorType::Rgba,
    });
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()
}
