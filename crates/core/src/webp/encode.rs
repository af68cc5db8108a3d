//! A thumbnail into a WebP: lossless in one call, lossy some rows a call.

use super::{alpha, lossy};
use crate::Error;
use crate::pixels::PixelLayout;
use crate::sink::Sink;

/// How a WebP is coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// VP8L.
    Lossless,
    /// VP8 at this quality, 1 to 99, and effort, 0 to 6; alpha losslessly beside it.
    Lossy { quality: u8, effort: u8 },
}

impl Coding {
    /// The coding of this quality: lossless at 100.
    pub(crate) const fn of_quality(quality: u8, effort: u8) -> Coding {
        if quality >= 100 { Coding::Lossless } else { Coding::Lossy { quality, effort } }
    }
}

/// Bytes before a lossy frame without alpha: the RIFF header and the chunk's.
const SIMPLE_HEAD: usize = 20;
/// With alpha: the RIFF header, the VP8X chunk and the ALPH chunk's header come before the alpha.
const EXTENDED_HEAD: usize = 12 + 18 + 8;

/// Upper bound of a file's length.
///
/// Lossless: prefix codes over 256 to 280 symbols cost at most a little more than the samples.
///
/// # Errors
/// Those of [`lossy::Encoder::new`].
pub(crate) fn max_len(size: (u32, u32), layout: PixelLayout, coding: Coding) -> Result<u64, Error> {
    Ok(match coding {
        Coding::Lossless => {
            let (width, height) = size;
            let pixels = u64::from(width).next_multiple_of(16) * u64::from(height).next_multiple_of(16);
            pixels * 4 + pixels / 2 + 4096
        }
        Coding::Lossy { quality, effort } => {
            let frame = Lossy::new(size, quality, effort)?.encoder.max_output_len() as u64;
            let alpha = if layout == PixelLayout::Rgba { alpha::max_len(size) } else { 0 };
            EXTENDED_HEAD as u64 + alpha + 1 + 8 + frame + 1
        }
    })
}

/// Upper bound of what is allocated: pixels as RGBA, tokens and the compressed file (lossless), the alpha plane twice
/// and its chunks (lossy with alpha).
pub(crate) fn encoder_heap_len(size: (u32, u32), layout: PixelLayout, coding: Coding) -> u64 {
    let pixels = u64::from(size.0) * u64::from(size.1);
    match (coding, layout) {
        (Coding::Lossless, _) => {
            let padded = u64::from(size.0).next_multiple_of(16) * u64::from(size.1).next_multiple_of(16);
            18 * padded + (1 << 20)
        }
        (Coding::Lossy { .. }, PixelLayout::Rgba) => 2 * pixels + 6 * alpha::max_len(size) + (64 << 10),
        (Coding::Lossy { .. }, _) => 0,
    }
}

/// Encodes `pixels` losslessly into `sink`; what does not fit it remembers.
pub(crate) fn encode_lossless(pixels: &[u8], size: (u32, u32), layout: PixelLayout, sink: &mut Sink<'_>) {
    super::lossless::encode(pixels, size, layout, sink);
}

/// A lossy file being made. Only numbers are kept between calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lossy {
    encoder: lossy::Encoder,
    size: (u32, u32),
    /// Bytes of the ALPH chunk, once it is written.
    alpha: Option<usize>,
}

impl Lossy {
    /// Starts a file.
    ///
    /// # Errors
    /// Those of [`lossy::Encoder::new`].
    pub(crate) fn new(size: (u32, u32), quality: u8, effort: u8) -> Result<Lossy, Error> {
        let settings = lossy::Settings { quality, effort, ..lossy::Settings::default() };
        Ok(Lossy { encoder: lossy::Encoder::new(size, settings)?, size, alpha: None })
    }

    /// Exact bytes of scratch memory for every call.
    pub(crate) const fn scratch_len(&self) -> usize {
        self.encoder.scratch_len()
    }

    /// Does a piece of the work on the same `pixels` (of any layout) and `output`; gives the file's length at the
    /// end. Alpha, where the layout has it, is one piece.
    ///
    /// # Errors
    /// Those of [`lossy::Encoder::step`].
    pub(crate) fn step(
        &mut self,
        pixels: &[u8],
        layout: PixelLayout,
        scratch: &mut [u8],
        output: &mut [u8],
    ) -> Result<Option<usize>, Error> {
        if layout == PixelLayout::Rgba && self.alpha.is_none() {
            let chunk = alpha::encode(pixels, self.size.0 as usize);
            let end = EXTENDED_HEAD + chunk.len();
            let given = output.len();
            let place =
                output.get_mut(EXTENDED_HEAD..end).ok_or(Error::BufferTooSmall { needed: end, given })?;
            place.copy_from_slice(&chunk);
            self.alpha = Some(chunk.len());
            return Ok(None);
        }
        let picture = match layout {
            PixelLayout::Grey => lossy::Picture::Grey(pixels),
            PixelLayout::Rgb => lossy::Picture::Rgb(pixels),
            PixelLayout::Rgba => lossy::Picture::Rgba(pixels),
        };
        let at = match self.alpha {
            None => SIMPLE_HEAD,
            Some(len) => EXTENDED_HEAD + len.next_multiple_of(2) + 8,
        };
        let given = output.len();
        let frame = output.get_mut(at..).ok_or(Error::BufferTooSmall { needed: at, given })?;
        match self.encoder.step(&picture, scratch, frame)? {
            lossy::Step::More => Ok(None),
            lossy::Step::Done(len) => Ok(Some(self.write_heads(at, len, output))),
        }
    }

    /// Writes what stands around alpha and frame; gives the file's length.
    fn write_heads(&self, at: usize, frame: usize, output: &mut [u8]) -> usize {
        if !frame.is_multiple_of(2) {
            output[at + frame] = 0;
        }
        let total = at + frame.next_multiple_of(2);
        let mut put = |at: usize, bytes: &[u8]| output[at..at + bytes.len()].copy_from_slice(bytes);
        let word = |x: usize| (x as u32).to_le_bytes();
        put(0, b"RIFF");
        put(4, &word(total - 8));
        put(8, b"WEBP");
        if let Some(alpha) = self.alpha {
            put(12, b"VP8X");
            put(16, &word(10));
            put(20, &[0x10, 0, 0, 0]); // alpha
            put(24, &word(self.size.0 as usize - 1)[..3]);
            put(27, &word(self.size.1 as usize - 1)[..3]);
            put(30, b"ALPH");
            put(34, &word(alpha));
            put(EXTENDED_HEAD + alpha, &[0][..alpha % 2]);
        }
        put(at - 8, b"VP8 ");
        put(at - 4, &word(frame));
        total
    }
}
