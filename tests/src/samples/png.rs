//! Writing PNG samples: through the `png` crate where it can, chunk by chunk where it cannot.

use miniz_oxide::deflate::compress_to_vec_zlib;
use png::{BitDepth, ColorType, Compression, Encoder};

use super::exif;

/// Encodes packed rows.
pub(crate) fn encode(rows: &[u8], size: (u32, u32), color: ColorType, depth: BitDepth) -> Vec<u8> {
    finish(rows, size, color, depth, |_| ())
}

/// Encodes palette indices, 8 bits each; index 0 is transparent and index 1 nearly opaque.
pub(crate) fn encode_palette(indices: &[u8], size: (u32, u32), palette: &[[u8; 3]]) -> Vec<u8> {
    finish(indices, size, ColorType::Indexed, BitDepth::Eight, |encoder| {
        encoder.set_palette(palette.concat());
        encoder.set_trns(&[0, 200][..]);
    })
}

/// Encodes 8-bit RGB with an EXIF orientation in an eXIf chunk.
pub(crate) fn encode_oriented(rgb: &[u8], size: (u32, u32), orientation: u8) -> Vec<u8> {
    let rows: Vec<u8> = rgb.chunks(size.0 as usize * 3).flat_map(|row| [&[0], row].concat()).collect();
    assemble(&[
        (*b"IHDR", ihdr(size, 8, 2, false)),
        (*b"eXIf", exif::orientation(orientation)),
        (*b"IDAT", compress_to_vec_zlib(&rows, 6)),
        (*b"IEND", Vec::new()),
    ])
}

/// Encodes 8-bit RGBA in Adam7's seven passes.
pub(crate) fn encode_interlaced(rgba: &[u8], size: (u32, u32)) -> Vec<u8> {
    // First column, first row, step across, step down of each pass (PNG, 8.1).
    const PASSES: [(u32, u32, u32, u32); 7] =
        [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)];
    let (width, height) = size;
    let mut rows = Vec::new();
    for (left, top, across, down) in PASSES {
        if left >= width {
            continue; // a pass without a column has no rows either, not even their filter bytes
        }
        for y in (top..height).step_by(down as usize) {
            rows.push(0); // no filter
            for x in (left..width).step_by(across as usize) {
                let start = (y * width + x) as usize * 4;
                rows.extend_from_slice(&rgba[start..start + 4]);
            }
        }
    }
    assemble(&[
        (*b"IHDR", ihdr(size, 8, 6, true)),
        (*b"IDAT", compress_to_vec_zlib(&rows, 6)),
        (*b"IEND", Vec::new()),
    ])
}

/// A PNG of these chunks, in this order, with right checksums.
pub(crate) fn assemble(chunks: &[([u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut file = SIGNATURE.to_vec();
    for (name, data) in chunks {
        file.extend((data.len() as u32).to_be_bytes());
        let start = file.len();
        file.extend(name);
        file.extend(data);
        file.extend(crc32(&file[start..]).to_be_bytes());
    }
    file
}

/// The body of an IHDR chunk (PNG, 11.2.1).
pub(crate) fn ihdr(size: (u32, u32), bit_depth: u8, color_type: u8, interlaced: bool) -> Vec<u8> {
    let mut body = Vec::with_capacity(13);
    body.extend(size.0.to_be_bytes());
    body.extend(size.1.to_be_bytes());
    body.extend([bit_depth, color_type, 0, 0, u8::from(interlaced)]);
    body
}

const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

fn finish(
    rows: &[u8],
    size: (u32, u32),
    color: ColorType,
    depth: BitDepth,
    set: impl FnOnce(&mut Encoder<'_, &mut Vec<u8>>),
) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, size.0, size.1);
    encoder.set_color(color);
    encoder.set_depth(depth);
    encoder.set_compression(Compression::Fast);
    set(&mut encoder);
    let mut writer = encoder.write_header().expect("writing to memory does not fail");
    writer.write_image_data(rows).expect("the rows have the length that the header states");
    writer.finish().expect("writing to memory does not fail");
    file
}

/// PNG's CRC (annex D), bit by bit: the chunks written here are small.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}
