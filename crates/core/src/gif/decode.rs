//! A GIF's first frame into RGBA.
//!
//! In: the file. Out: RGBA of the whole screen, in the caller's memory; transparent where the frame does not
//! reach. Memory: none that grows with the picture: the frame's palette indices are decoded into the end of
//! the pixels' own buffer and expanded from its start. With n pixels on the screen and f ≤ n in the frame,
//! the indices lie at 4n − f …; the writer, which goes through the screen in order, has written at most up
//! to 4n − 4r where r indices are unread, and the first unread one lies at 4n − r.

use gif::{ColorOutput, DecodeOptions, Decoder, DecodingError};

use crate::pixels::{Decoded, PixelLayout, malformed};
use crate::{Error, Format, Header};

/// The layout [`decode`] writes.
pub(crate) const fn layout() -> PixelLayout {
    PixelLayout::Rgba
}

/// Upper bound of what the library allocates: LZW tables and buffers, and the extensions before the frame.
pub(crate) const fn heap_len(header: &Header) -> u64 {
    (256 << 10) + 2 * header.header_len
}

/// Where the frame lies on the screen.
#[derive(Clone, Copy)]
struct Frame {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

/// Decodes the first frame into `pixels`, which holds exactly the screen of `header`.
pub(crate) fn decode(header: &Header, source: &[u8], pixels: &mut [u8]) -> Result<Decoded, Error> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    let mut decoder = options.read_info(source).map_err(|error| translate(&error))?;
    let info = match decoder.next_frame_info() {
        Ok(Some(info)) => info,
        Ok(None) => return Err(malformed(Format::Gif, "it has no frame")),
        Err(DecodingError::Format(_)) => {
            return Err(malformed(Format::Gif, "its first frame has no palette, or is described wrongly"));
        }
        Err(error) => return Err(translate(&error)),
    };
    let frame = Frame {
        left: info.left.into(),
        top: info.top.into(),
        width: info.width.into(),
        height: info.height.into(),
    };
    let (transparent, interlaced) = (info.transparent, info.interlaced);
    let (width, height) = (header.width as usize, header.height as usize);
    if frame.left + frame.width > width || frame.top + frame.height > height {
        return Err(malformed(Format::Gif, "its blocks contradict its header"));
    }

    let indices_at = pixels.len() - frame.width * frame.height;
    let indices = &mut pixels[indices_at..];
    // What is never decoded shows the transparent colour, or the first one.
    indices.fill(transparent.unwrap_or(0));
    let damage = read_indices(&mut decoder, frame, interlaced, indices)?;
    let palette = decoder.palette().map_err(|error| translate(&error))?;
    expand(pixels, (width, height), frame, palette, transparent);
    Ok(Decoded { damage })
}

/// The frame's indices, rows in their final order; the damage that ended them early, if any. An error if
/// there is no row at all.
fn read_indices(
    decoder: &mut Decoder<&[u8]>,
    frame: Frame,
    interlaced: bool,
    indices: &mut [u8],
) -> Result<Option<Error>, Error> {
    for (n, y) in row_order(frame.height, interlaced).enumerate() {
        let error = match decoder.fill_buffer(&mut indices[y * frame.width..][..frame.width]) {
            Ok(true) => continue,
            Ok(false) => Error::Truncated { format: Some(Format::Gif) },
            Err(error) => translate(&error),
        };
        return if n == 0 { Err(error) } else { Ok(Some(error)) };
    }
    Ok(None)
}

/// The rows of a frame in the file's order (GIF 89a, appendix E).
fn row_order(height: usize, interlaced: bool) -> impl Iterator<Item = usize> {
    const PASSES: &[(usize, usize)] = &[(0, 8), (4, 8), (2, 4), (1, 2)];
    let passes = if interlaced { PASSES } else { &[(0, 1)] };
    passes.iter().flat_map(move |&(first, step)| (first..height).step_by(step))
}

/// Turns the indices at the end of `pixels` into RGBA over the whole of it.
fn expand(
    pixels: &mut [u8],
    (width, height): (usize, usize),
    frame: Frame,
    palette: &[u8],
    transparent: Option<u8>,
) {
    let mut index_at = pixels.len() - frame.width * frame.height;
    for y in 0..height {
        let in_rows = (frame.top..frame.top + frame.height).contains(&y);
        for x in 0..width {
            let mut rgba = [0; 4];
            if in_rows && (frame.left..frame.left + frame.width).contains(&x) {
                let index = pixels[index_at];
                index_at += 1;
                if transparent != Some(index) {
                    // An index past the palette's end is black, as in browsers.
                    let rgb = palette.chunks_exact(3).nth(index.into()).unwrap_or(&[0; 3]);
                    rgba = [rgb[0], rgb[1], rgb[2], 255];
                }
            }
            pixels[4 * (y * width + x)..][..4].copy_from_slice(&rgba);
        }
    }
}

fn translate(error: &DecodingError) -> Error {
    match error {
        DecodingError::Io(_) | DecodingError::UnexpectedEof => Error::Truncated { format: Some(Format::Gif) },
        _ => malformed(Format::Gif, "a block or its compressed data is damaged"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interlaced_rows_come_in_four_passes() {
        let order: std::vec::Vec<usize> = row_order(10, true).collect();
        assert_eq!(order, [0, 8, 4, 2, 6, 1, 3, 5, 7, 9]);
        assert_eq!(row_order(3, false).collect::<std::vec::Vec<_>>(), [0, 1, 2]);
    }

    /// The expansion must never overtake the indices it reads, wherever the frame lies.
    #[test]
    fn expansion_in_place_equals_expansion_apart() {
        let palette: std::vec::Vec<u8> = (0..=255_u8).flat_map(|n| [n, n ^ 0x55, 255 - n]).collect();
        let (width, height) = (5, 4);
        for (left, top, frame_width, frame_height) in
            [(0, 0, 5, 4), (0, 0, 1, 1), (4, 3, 1, 1), (0, 0, 5, 1), (0, 3, 5, 1), (2, 1, 3, 2), (0, 1, 1, 3)]
        {
            let frame = Frame { left, top, width: frame_width, height: frame_height };
            let indices: std::vec::Vec<u8> = (0..frame_width * frame_height).map(|n| n as u8 * 7).collect();
            let mut apart = std::vec![[0_u8; 4]; width * height];
            for (n, &index) in indices.iter().enumerate() {
                if index != 14 {
                    apart[(top + n / frame_width) * width + left + n % frame_width] =
                        [index, index ^ 0x55, 255 - index, 255];
                }
            }
            let mut pixels = std::vec![0xee; width * height * 4];
            let at = pixels.len() - indices.len();
            pixels[at..].copy_from_slice(&indices);
            expand(&mut pixels, (width, height), frame, &palette, Some(14));
            assert_eq!(pixels, apart.concat(), "frame at {left},{top}");
        }
    }
}
