//! A PNG's chunks up to its first IDAT (5.6 and 11.2 of the specification).

use crate::bytes::{Prefix, Stop};
use crate::{Details, Header, Orientation, PngHeader, exif};

const SIGNATURE_LEN: usize = 8;
/// Length and type before a chunk's data, and the CRC after it.
const CHUNK_OVERHEAD: usize = 12;

/// IHDR, and what the chunks before the picture data say of it.
pub(crate) fn read_header(file: Prefix<'_>) -> Result<Header, Stop> {
    let ihdr = SIGNATURE_LEN + 8;
    match file.slice(SIGNATURE_LEN, 8)? {
        b"\0\0\0\x0dIHDR" => {}
        [_, _, _, _, b'C', b'g', b'B', b'I'] => {
            return Err(file.unsupported("Apple's own compression (CgBI)"));
        }
        _ => return Err(file.malformed(SIGNATURE_LEN, "its first chunk is not IHDR")),
    }
    let (width, height) = (file.u32_be(ihdr)?, file.u32_be(ihdr + 4)?);
    let [bit_depth, color_type, compression, filter, interlace] = file.array(ihdr + 8)?;
    if width == 0 || height == 0 || width > i32::MAX as u32 || height > i32::MAX as u32 {
        return Err(file.malformed(ihdr, "its width or height is 0 or over 2147483647"));
    }
    let valid = match color_type {
        0 => matches!(bit_depth, 1 | 2 | 4 | 8 | 16),
        3 => matches!(bit_depth, 1 | 2 | 4 | 8),
        2 | 4 | 6 => matches!(bit_depth, 8 | 16),
        _ => false,
    };
    if !valid || compression != 0 || filter != 0 || interlace > 1 {
        return Err(file.malformed(ihdr + 8, "its IHDR holds values that PNG does not have"));
    }

    let mut header = Header {
        width,
        height,
        orientation: Orientation::Upright,
        alpha: matches!(color_type, 4 | 6),
        icc_profile: false,
        animated: false,
        header_len: 0,
        details: Details::Png(PngHeader { bit_depth, color_type, interlaced: interlace == 1 }),
    };
    let mut at = SIGNATURE_LEN + CHUNK_OVERHEAD + 13;
    loop {
        let len = file.u32_be(at)? as usize;
        match &file.array(at + 4)? {
            b"IDAT" => return Ok(Header { header_len: at as u64, ..header }),
            b"IEND" => return Err(file.malformed(at, "it has no picture data")),
            b"tRNS" => header.alpha |= is_transparency(color_type, len),
            b"iCCP" => header.icc_profile = true,
            b"acTL" => header.animated = true,
            b"eXIf" => header.orientation = exif::orientation(file.slice(at + 8, len)?),
            _ => {}
        }
        at = at.saturating_add(CHUNK_OVERHEAD).saturating_add(len);
    }
}

/// Whether a tRNS chunk of this length means anything (11.3.1.1); decoders ignore one that does not.
fn is_transparency(color_type: u8, len: usize) -> bool {
    match color_type {
        0 => len == 2,
        2 => len == 6,
        3 => (1..=256).contains(&len),
        _ => false,
    }
}
