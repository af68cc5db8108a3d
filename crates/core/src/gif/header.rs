//! A GIF's blocks up to its first image descriptor (GIF 89a, 17 to 26).

use crate::bytes::{Prefix, Stop};
use crate::{Details, GifHeader, Header, Orientation};

/// The screen's size, and where the first frame lies in it.
///
/// A first frame larger than the screen enlarges it, as browsers do.
pub(crate) fn read_header(file: Prefix<'_>) -> Result<Header, Stop> {
    let screen = (u32::from(file.u16_le(6)?), u32::from(file.u16_le(8)?));
    let flags = file.u8(10)?;
    let mut at = 13 + color_table_len(flags);
    let mut transparent = false;
    let mut animated = false;
    loop {
        match file.u8(at)? {
            // An extension: its label, then sub-blocks.
            0x21 => {
                match file.u8(at + 1)? {
                    0xf9 => transparent = file.u8(at + 3)? & 1 == 1,
                    0xff => animated |= file.slice(at + 3, 11)? == b"NETSCAPE2.0",
                    _ => {}
                }
                at = skip_sub_blocks(file, at + 2)?;
            }
            // The image descriptor: left, top, width, height, flags.
            0x2c => {
                let (left, top) = (u32::from(file.u16_le(at + 1)?), u32::from(file.u16_le(at + 3)?));
                let (width, height) = (u32::from(file.u16_le(at + 5)?), u32::from(file.u16_le(at + 7)?));
                let interlaced = file.u8(at + 9)? & 0x40 != 0;
                if width == 0 || height == 0 {
                    return Err(file.malformed(at + 5, "its first frame's width or height is 0"));
                }
                let canvas = (screen.0.max(left + width), screen.1.max(top + height));
                let covers_screen = (width, height) == canvas;
                return Ok(Header {
                    width: canvas.0,
                    height: canvas.1,
                    orientation: Orientation::Upright,
                    alpha: transparent || !covers_screen,
                    icc_profile: false,
                    animated,
                    header_len: at as u64,
                    details: Details::Gif(GifHeader { covers_screen, interlaced }),
                });
            }
            0x3b => return Err(file.malformed(at, "it has no frame")),
            _ => return Err(file.malformed(at, "a block of no known kind")),
        }
    }
}

/// Bytes of the colour table that a screen's or an image's flags announce.
fn color_table_len(flags: u8) -> usize {
    if flags & 0x80 != 0 { 3 << ((flags & 7) + 1) } else { 0 }
}

/// The position after the sub-blocks that start at `at`, each a length and so many bytes, the last of length 0.
fn skip_sub_blocks(file: Prefix<'_>, mut at: usize) -> Result<usize, Stop> {
    loop {
        let len = usize::from(file.u8(at)?);
        at += 1 + len;
        if len == 0 {
            return Ok(at);
        }
    }
}
