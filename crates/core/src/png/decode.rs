//! A PNG into interleaved pixels, row by row.
//!
//! In: the file. Out: grey, RGB or RGBA of 8 bits, in the caller's memory: palettes and low bit depths expanded,
//! 16 bits rounded to 8, grey with alpha made RGBA. At full size ([`decode`]), or rows averaged as they come
//! ([`decode_reduced`]). Memory: a few rows ([`heap_len`]).

use std::io::Cursor;

use png::{ColorType, Decoder, DecodingError, InterlaceInfo, Reader, Transformations};

use crate::blend::premultiply;
use crate::geometry::LoadScale;
use crate::pixels::{Decoded, PixelLayout, fill_undecoded, malformed};
use crate::shrink;
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
    let mut reader = open(header, png, source)?;
    let layout = layout(header, png);
    let damage =
        if png.interlaced { adam7(&mut reader, layout, pixels) } else { rows(&mut reader, layout, pixels) };
    judge(damage)
}

/// Bytes of the buffer for [`decode_reduced`]: the result, and as many rows as make one of its own.
pub(crate) fn reduced_len(header: &Header, png: PngHeader, scale: LoadScale) -> u64 {
    let layout = layout(header, png);
    let rows = (header.width, scale.denominator().min(header.height));
    layout.len(scale.picture((header.width, header.height)).size) + layout.len(rows)
}

/// Decodes a file that is not interlaced into the start of `buffer`, which is [`reduced_len`] long: averaged at `scale`,
/// premultiplied.
pub(crate) fn decode_reduced(
    header: &Header,
    png: PngHeader,
    source: &[u8],
    scale: LoadScale,
    buffer: &mut [u8],
) -> Result<Decoded, Error> {
    let mut reader = open(header, png, source)?;
    let layout = layout(header, png);
    let size = scale.picture((header.width, header.height)).size;
    let (pixels, strip) = buffer.split_at_mut(layout.len(size) as usize);
    judge(reduced_rows(&mut reader, layout, scale.denominator() as usize, pixels, strip))
}

fn open<'a>(header: &Header, png: PngHeader, source: &'a [u8]) -> Result<Reader<Cursor<&'a [u8]>>, Error> {
    let limits = png::Limits { bytes: heap_len(header) as usize };
    let mut decoder = Decoder::new_with_limits(Cursor::new(source), limits);
    decoder.set_transformations(Transformations::EXPAND);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let reader = decoder.read_info().map_err(|error| translate(&error))?;
    let layout = layout(header, png);
    if reader.info().size() != (header.width, header.height) || !fits(layout, reader.output_color_type().0) {
        return Err(malformed(Format::Png, "its chunks contradict its header"));
    }
    Ok(reader)
}

fn judge(damage: Result<(), Damage>) -> Result<Decoded, Error> {
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

#[derive(Clone, Copy)]
struct Damage {
    error: Error,
    any_row: bool,
}

/// Rows in order, each straight into its place.
fn rows(reader: &mut Reader<Cursor<&[u8]>>, layout: PixelLayout, pixels: &mut [u8]) -> Result<(), Damage> {
    let row_len = reader.info().width as usize * layout.channels();
    for start in (0..pixels.len()).step_by(row_len) {
        if let Err(error) = read_row(reader, &mut pixels[start..start + row_len]) {
            fill_undecoded(layout, &mut pixels[start..]);
            return Err(Damage { error, any_row: start > 0 });
        }
    }
    Ok(())
}

/// Rows in order, every `d` of them averaged into one of `pixels`.
fn reduced_rows(
    reader: &mut Reader<Cursor<&[u8]>>,
    layout: PixelLayout,
    d: usize,
    pixels: &mut [u8],
    strip: &mut [u8],
) -> Result<(), Damage> {
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    let row_len = width * layout.channels();
    let out_len = width.div_ceil(d) * layout.channels();
    for (n, top) in (0..height).step_by(d).enumerate() {
        let strip = &mut strip[..d.min(height - top) * row_len];
        let mut damage = None;
        for (y, row) in strip.chunks_exact_mut(row_len).enumerate() {
            match damage.map_or_else(|| read_row(reader, row), Err) {
                Ok(()) if layout == PixelLayout::Rgba => premultiply(row),
                Ok(()) => {}
                Err(error) => {
                    fill_undecoded(layout, row);
                    if top + y == 0 {
                        return Err(Damage { error, any_row: false });
                    }
                    damage = Some(error);
                }
            }
        }
        shrink::strip(strip, layout, row_len, d, &mut pixels[n * out_len..][..out_len]);
        if let Some(error) = damage {
            fill_undecoded(layout, &mut pixels[(n + 1) * out_len..]);
            return Err(Damage { error, any_row: true });
        }
    }
    Ok(())
}

/// The next row in its layout.
fn read_row(reader: &mut Reader<Cursor<&[u8]>>, row: &mut [u8]) -> Result<(), Error> {
    let (color, depth) = reader.output_color_type();
    let result = if depth == png::BitDepth::Eight && color != ColorType::GrayscaleAlpha {
        reader.read_row(row).map(|_| ())
    } else {
        reader.next_row().map(|source| narrow(source.map_or(&[], |s| s.data()), color, depth, row))
    };
    result.map_err(|error| translate(&error))
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
