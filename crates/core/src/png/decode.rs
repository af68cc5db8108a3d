//! A whole PNG into interleaved pixels, row by row.
//!
//! In: the file. Out: grey, RGB or RGBA of 8 bits at full size, in the caller's memory: palettes and low bit
//! depths expanded, 16 bits rounded to 8, grey with alpha made RGBA. Memory: a few rows ([`heap_len`]).

use std::io::Cursor;

use png::{ColorType, Decoder, DecodingError, InterlaceInfo, Reader, Transformations};

use crate::pixels::{Decoded, PixelLayout, fill_undecoded, malformed};
use crate::{Error, Format, Header, PngHeader};

/// The layout [`decode`] writes.
pub(crate) const fn layout(header: &Header, png: PngHeader) -> PixelLayout {
    match (header.alpha, png.color_type) {
        (true, _) => PixelLayout::Rgba,
        (false, 0) => PixelLayout::Grey,
        (false, _) => PixelLayout::Rgb,
    }
}

/// Upper bound of what the library and this module allocate.
pub(crate) const fn heap_len(header: &Header) -> u64 {
    // At most four rows of 16-bit RGBA are alive (two being unfiltered, one expanded, one narrowed), the
    // buffer of the first two grows by doubling; besides, inflate's window and tables, and small chunks.
    // Chunks before the picture data are read whole, an eXIf is kept.
    6 * (header.width as u64 * 8 + 1) + 2 * header.header_len + FIXED_HEAP
}

const FIXED_HEAP: u64 = 512 << 10;

/// Decodes the whole file into `pixels`, which holds exactly width × height pixels of [`layout`].
pub(crate) fn decode(
    header: &Header,
    png: PngHeader,
    source: &[u8],
    pixels: &mut [u8],
) -> Result<Decoded, Error> {
    let limits = png::Limits { bytes: heap_len(header) as usize };
    let mut decoder = Decoder::new_with_limits(Cursor::new(source), limits);
    decoder.set_transformations(Transformations::EXPAND);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let mut reader = decoder.read_info().map_err(|error| translate(&error))?;
    let layout = layout(header, png);
    if reader.info().size() != (header.width, header.height) || !fits(layout, reader.output_color_type().0) {
        return Err(malformed(Format::Png, "its chunks contradict its header"));
    }
    let damage =
        if png.interlaced { adam7(&mut reader, layout, pixels) } else { rows(&mut reader, layout, pixels) };
    match damage {
        Ok(()) => Ok(Decoded::WHOLE),
        Err(Damage { error, any_row: true }) => Ok(Decoded::damaged(error)),
        Err(Damage { error, any_row: false }) => Err(error),
    }
}

/// Whether the library's expanded rows can be made into `layout`.
const fn fits(layout: PixelLayout, color: ColorType) -> bool {
    match layout {
        PixelLayout::Grey => matches!(color, ColorType::Grayscale),
        PixelLayout::Rgb => matches!(color, ColorType::Rgb),
        PixelLayout::Rgba => matches!(color, ColorType::GrayscaleAlpha | ColorType::Rgba),
    }
}

struct Damage {
    error: Error,
    any_row: bool,
}

/// Rows in order, each straight into its place.
fn rows(reader: &mut Reader<Cursor<&[u8]>>, layout: PixelLayout, pixels: &mut [u8]) -> Result<(), Damage> {
    let (color, depth) = reader.output_color_type();
    let row_len = reader.info().width as usize * layout.channels();
    let direct = depth == png::BitDepth::Eight && color != ColorType::GrayscaleAlpha;
    for start in (0..pixels.len()).step_by(row_len) {
        let row = &mut pixels[start..start + row_len];
        let result = if direct {
            reader.read_row(row).map(|_| ())
        } else {
            reader.next_row().map(|source| narrow(source.map_or(&[], |s| s.data()), color, depth, row))
        };
        if let Err(error) = result {
            fill_undecoded(layout, &mut pixels[start..]);
            return Err(Damage { error: translate(&error), any_row: start > 0 });
        }
    }
    Ok(())
}

/// Adam7's seven passes, each pixel painted over the block it stands for, so that a file cut short is coarse
/// rather than full of holes.
fn adam7(reader: &mut Reader<Cursor<&[u8]>>, layout: PixelLayout, pixels: &mut [u8]) -> Result<(), Damage> {
    let (color, depth) = reader.output_color_type();
    let channels = layout.channels();
    let stride = reader.info().width as usize * channels;
    let mut narrowed = std::vec![0; stride];
    let mut any_row = false;
    fill_undecoded(layout, pixels);
    loop {
        match reader.next_interlaced_row() {
            Ok(Some(row)) => {
                let InterlaceInfo::Adam7(place) = row.interlace() else {
                    return Ok(());
                };
                let samples = color.samples() * (depth as usize / 8);
                let width = row.data().len() / samples;
                narrow(row.data(), color, depth, &mut narrowed[..width * channels]);
                png::splat_interlaced_row(
                    pixels,
                    stride,
                    &narrowed[..width * channels],
                    place,
                    channels as u8 * 8,
                );
                any_row = true;
            }
            Ok(None) => return Ok(()),
            Err(error) => return Err(Damage { error: translate(&error), any_row }),
        }
    }
}

/// A row of 8 or 16 bits, with or without alpha, into 8 bits; grey with alpha becomes RGBA.
fn narrow(source: &[u8], color: ColorType, depth: png::BitDepth, row: &mut [u8]) {
    let wide = depth == png::BitDepth::Sixteen;
    // 65535 / 255 = 257: the nearest 8-bit value.
    let sample = |n: usize| -> u8 {
        if wide {
            let value = u32::from(u16::from_be_bytes([source[2 * n], source[2 * n + 1]]));
            ((value + 128) / 257) as u8
        } else {
            source[n]
        }
    };
    if color == ColorType::GrayscaleAlpha {
        for (n, pixel) in row.chunks_exact_mut(4).enumerate() {
            pixel[..3].fill(sample(2 * n));
            pixel[3] = sample(2 * n + 1);
        }
    } else {
        for (n, out) in row.iter_mut().enumerate() {
            *out = sample(n);
        }
    }
}

fn translate(error: &DecodingError) -> Error {
    match error {
        DecodingError::IoError(_) => Error::Truncated { format: Some(Format::Png) },
        DecodingError::LimitsExceeded => malformed(Format::Png, "a chunk is larger than any such chunk is"),
        DecodingError::Format(_) | DecodingError::Parameter(_) => {
            malformed(Format::Png, "a chunk or its compressed data is damaged")
        }
    }
}
