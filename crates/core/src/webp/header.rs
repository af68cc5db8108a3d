//! A WebP's RIFF header and first chunk (RFC 9649, 2.3 to 2.7).

use crate::bytes::{Prefix, Stop};
use crate::{Details, Header, Orientation, WebPHeader, WebPKind, exif};

/// Where the first chunk's data starts: after "RIFF", the length, "WEBP", and the chunk's name and length.
const FIRST_CHUNK: usize = 20;

/// Files up to this long are read to their EXIF chunk, which comes after the picture; the orientation of
/// longer ones is not honoured, since their header would be the whole file.
const EXIF_SEARCH_LEN: u64 = 1 << 20;

/// Size and kind, and the orientation where the file says it has one.
pub(crate) fn read_header(file: Prefix<'_>) -> Result<Header, Stop> {
    let file_len = u64::from(file.u32_le(4)?) + 8;
    let chunk: [u8; 4] = file.array(12)?;
    let kind = match &chunk {
        b"VP8 " => WebPKind::Lossy,
        b"VP8L" => WebPKind::Lossless,
        b"VP8X" => WebPKind::Extended,
        _ => return Err(file.malformed(12, "its first chunk is not VP8, VP8L or VP8X")),
    };
    let mut header = Header {
        width: 0,
        height: 0,
        orientation: Orientation::Upright,
        alpha: false,
        icc_profile: false,
        animated: false,
        header_len: FIRST_CHUNK as u64,
        details: Details::WebP(WebPHeader { file_len, kind }),
    };
    match kind {
        // A key frame's tag and start code, then 14 bits of width and of height (RFC 6386, 9.1).
        WebPKind::Lossy => {
            if file.slice(FIRST_CHUNK + 3, 3)? != [0x9d, 0x01, 0x2a] {
                return Err(file.malformed(FIRST_CHUNK + 3, "its VP8 start code is wrong"));
            }
            header.width = u32::from(file.u16_le(FIRST_CHUNK + 6)?) & 0x3fff;
            header.height = u32::from(file.u16_le(FIRST_CHUNK + 8)?) & 0x3fff;
            if header.width == 0 || header.height == 0 {
                return Err(file.malformed(FIRST_CHUNK + 6, "its width or height is 0"));
            }
        }
        // A signature, then 14 bits each of width − 1 and height − 1, and the alpha hint (RFC 9649, 3.4).
        WebPKind::Lossless => {
            if file.u8(FIRST_CHUNK)? != 0x2f {
                return Err(file.malformed(FIRST_CHUNK, "its VP8L signature is wrong"));
            }
            let bits = file.u32_le(FIRST_CHUNK + 1)?;
            header.width = (bits & 0x3fff) + 1;
            header.height = (bits >> 14 & 0x3fff) + 1;
            header.alpha = bits >> 28 & 1 == 1;
        }
        // Flags, then 24 bits each of canvas width − 1 and height − 1 (RFC 9649, 2.7).
        WebPKind::Extended => {
            let [flags, _, _, _, w0, w1, w2, h0, h1, h2] = file.array(FIRST_CHUNK)?;
            header.width = u32::from_le_bytes([w0, w1, w2, 0]) + 1;
            header.height = u32::from_le_bytes([h0, h1, h2, 0]) + 1;
            header.icc_profile = flags & 0x20 != 0;
            header.alpha = flags & 0x10 != 0;
            header.animated = flags & 0x02 != 0;
            if flags & 0x08 != 0 && file_len <= EXIF_SEARCH_LEN {
                header.orientation = find_exif(file, file_len as usize)?;
            }
        }
    }
    Ok(header)
}

/// The orientation in the EXIF chunk of a file of `file_len` bytes. A file that ends before it is upright:
/// whether its picture is damaged is the decoder's to say.
fn find_exif(file: Prefix<'_>, file_len: usize) -> Result<Orientation, Stop> {
    let mut at = 12;
    while at + 8 <= file_len {
        let head: [u8; 8] = match file.array(at) {
            Err(Stop::Failed(_)) => break,
            head => head?,
        };
        let len = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        if head.starts_with(b"EXIF") {
            let payload = match file.slice(at + 8, len) {
                Err(Stop::Failed(_)) => break,
                payload => payload?,
            };
            return Ok(exif::orientation(payload.strip_prefix(b"Exif\0\0").unwrap_or(payload)));
        }
        at = at.saturating_add(8).saturating_add(len).saturating_add(len & 1);
    }
    Ok(Orientation::Upright)
}
