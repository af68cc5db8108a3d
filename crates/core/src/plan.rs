//! A thumbnail decided before it is made: its geometry, its format, and every byte of memory it will take.
//!
//! The workspace is two regions, A then B, used in turn:
//!
//! | stage | A | B |
//! |---|---|---|
//! | collect | the source's bytes, unless they come in one push | |
//! | decode | ↑ read | the source's pixels |
//! | resize | the scaled pixels | ↑ read |
//! | finish | ↑ read | the finished pixels |
//! | encode | the encoder's scratch | ↑ read |
//!
//! Example: a 519 KB baseline JPEG of 1920×1080, pushed in pieces, to 240 px WebP: A is max(519 000,
//! 240·135·3 = 97 200, 164 192 for the WebP encoder), B is max(1920·1080·3 = 6 220 800, 97 200); the workspace is
//! 519 040 (A up to the next 64) + 6 220 800 bytes. In one push A is 164 224.

use core::ops::Range;

use crate::encode::Encoding;
use crate::finish::encoder_layout;
use crate::geometry::Geometry;
use crate::limits::check;
use crate::pixels::PixelLayout;
use crate::{Details, Error, Format, FormatChoice, Header, Limit, Limits, Orientation, Transform};
use crate::{decode, resample};

/// The alignment a workspace's first byte must have, and each region in it has.
pub const WORKSPACE_ALIGN: usize = 64;

/// What a host knows of the bytes to come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// Bytes of the whole source, if known (`Content-Length`, a file's size).
    pub len: Option<u64>,
    /// All bytes come in one push. The source is then decoded where it lies instead of being collected in
    /// the workspace first; the result is the same.
    pub contiguous: bool,
}

/// What a request costs, for admission control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// 8×8 blocks to be entropy-decoded (JPEG), padding included.
    pub blocks: u64,
    /// Rows of the source to be decoded.
    pub rows: u64,
    /// Samples to be decoded, and of the result to be encoded.
    pub samples: u64,
}

/// Format and size of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputBound {
    /// The result's format.
    pub format: Format,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// A thumbnail decided. Small; made by [`Plan::new`] from facts of the header alone.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub(crate) header: Header,
    pub(crate) geometry: Geometry,
    /// Of the decoded and of the scaled pixels.
    pub(crate) layout: PixelLayout,
    /// Of the finished pixels, unless their alpha proves opaque.
    pub(crate) encoder_layout: PixelLayout,
    pub(crate) encoding: Encoding,
    pub(crate) strict: bool,
    pub(crate) contiguous: bool,
    /// The most bytes of source that can come: what the host or a WebP's header says, else the limit.
    pub(crate) source_len: u64,
    pub(crate) regions: Regions,
    heap_len: usize,
    max_output_len: usize,
    may_return_source: bool,
}

impl Plan {
    /// Decides how `transform` is carried out on the source that `header` describes.
    ///
    /// # Errors
    /// `TooLarge` when the source, the result or the memory is over `limits`; `Unsupported` when the format
    /// asked for is left out of this build.
    pub fn new(header: &Header, transform: &Transform, limits: &Limits, input: Input) -> Result<Plan, Error> {
        let source_size = (header.width, header.height);
        let source_pixels = u64::from(header.width) * u64::from(header.height);
        check(Limit::SourcePixels, source_pixels, limits.source_pixels)?;
        let source_len = source_len(header, limits, input)?;

        let geometry = Geometry::new(source_size, header.orientation, transform);
        let encoding = Encoding::choose(transform, header.alpha)?;
        let side = u64::from(geometry.output.0.max(geometry.output.1));
        check(Limit::OutputSide, side, limits.output_side.min(encoding.format().max_side()).into())?;

        let layout = decode::layout(header);
        let encoder_layout = encoder_layout(layout, encoding.format());
        let collected = if input.contiguous { 0 } else { source_len };
        let scratch = encoder_scratch(encoding, geometry.output)?;
        let a = collected.max(layout.len(geometry.scaled)).max(scratch).next_multiple_of(WORKSPACE_ALIGN as u64);
        let b = layout.len(source_size).max(encoder_layout.len(geometry.output));
        let heap = decode::heap_len(header)
            .max(resample::heap_len(&geometry, source_size, layout))
            .max(encoding.heap_len(geometry.output, encoder_layout));
        let max_output = encoding.max_len(geometry.output, encoder_layout)?;
        let memory = [b, heap, max_output].iter().fold(a, |sum, part| sum.saturating_add(*part));
        check(Limit::Memory, memory, limits.memory)?;
        // Each part is within the sum; on a 32-bit platform the sum must fit as well.
        usize::try_from(memory).map_err(|_| Error::TooLarge {
            limit: Limit::Memory,
            needed: memory,
            allowed: usize::MAX as u64,
        })?;

        Ok(Plan {
            header: *header,
            geometry,
            layout,
            encoder_layout,
            encoding,
            strict: transform.strict,
            contiguous: input.contiguous,
            source_len,
            regions: Regions { b: a as usize, end: (a + b) as usize },
            heap_len: heap as usize,
            max_output_len: max_output as usize,
            may_return_source: may_return_source(header, &geometry, transform),
        })
    }

    /// Exact bytes of scratch memory that every call must be given.
    pub const fn workspace_len(&self) -> usize {
        self.regions.end
    }

    /// Upper bound of what the libraries on the path allocate by themselves, at any one time.
    pub const fn heap_len(&self) -> usize {
        self.heap_len
    }

    /// Bytes the output buffer must have.
    pub const fn max_output_len(&self) -> usize {
        self.max_output_len
    }

    /// Width and height of the source as stored.
    pub(crate) const fn source_size(&self) -> (u32, u32) {
        (self.header.width, self.header.height)
    }

    /// What the work amounts to.
    pub fn cost(&self) -> Cost {
        let (width, height) = self.source_size();
        let blocks = match &self.header.details {
            Details::Jpeg(jpeg) => jpeg.blocks(width, height),
            _ => 0,
        };
        let output = self.encoder_layout.len(self.geometry.output);
        let samples = self.layout.len((width, height)) + output;
        Cost { blocks, rows: height.into(), samples }
    }

    /// The result's format and size.
    pub const fn output(&self) -> OutputBound {
        let (width, height) = self.geometry.output;
        OutputBound { format: self.encoding.format(), width, height }
    }

    /// Whether the source's own bytes, without their metadata, would be a right answer to this request, so
    /// that a host may give them when the result is not smaller.
    pub const fn may_return_source(&self) -> bool {
        self.may_return_source
    }
}

/// Where regions A and B lie in the workspace: A from 0, B from `b` to `end`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Regions {
    b: usize,
    end: usize,
}

impl Regions {
    /// Both regions of a workspace.
    ///
    /// # Errors
    /// `Misaligned` and `BufferTooSmall`.
    pub(crate) fn split<'a>(&self, workspace: &'a mut [u8]) -> Result<(&'a mut [u8], &'a mut [u8]), Error> {
        if workspace.len() < self.end {
            return Err(Error::BufferTooSmall { needed: self.end, given: workspace.len() });
        }
        if !workspace.as_ptr().addr().is_multiple_of(WORKSPACE_ALIGN) {
            return Err(Error::Misaligned);
        }
        let (a, rest) = workspace.split_at_mut(self.b);
        Ok((a, &mut rest[..self.end - self.b]))
    }
}

/// A range of the first `len` bytes.
pub(crate) const fn first(len: u64) -> Range<usize> {
    0..len as usize
}

/// The scratch memory of an encoder that works in several calls.
#[cfg(feature = "std")]
fn encoder_scratch(encoding: Encoding, size: (u32, u32)) -> Result<u64, Error> {
    Ok(encoding.begin(size)?.map_or(0, |encoder| encoder.scratch_len() as u64))
}

#[cfg(not(feature = "std"))]
#[expect(clippy::unnecessary_wraps, reason = "the other build has such encoders")]
const fn encoder_scratch(_encoding: Encoding, _size: (u32, u32)) -> Result<u64, Error> {
    Ok(0)
}

/// The most bytes of source that can come.
fn source_len(header: &Header, limits: &Limits, input: Input) -> Result<u64, Error> {
    let limit = limits.source_bytes;
    let known = match &header.details {
        // What follows the RIFF file is not read.
        Details::WebP(webp) => Some(input.len.map_or(webp.file_len, |len| len.min(webp.file_len))),
        _ => input.len,
    };
    if let Some(len) = known {
        check(Limit::SourceBytes, len, limit)?;
    }
    Ok(known.unwrap_or(limit))
}

/// The "never larger than the source" rule: nothing about the picture is changed, and its format is one the
/// client takes.
fn may_return_source(header: &Header, geometry: &Geometry, transform: &Transform) -> bool {
    let source = header.format();
    let acceptable = match transform.format {
        FormatChoice::Auto { webp } => source != Format::WebP || webp,
        FormatChoice::WebP => source == Format::WebP,
        FormatChoice::Png => source == Format::Png,
        FormatChoice::Jpeg => source == Format::Jpeg,
        FormatChoice::BaselineJpeg => match &header.details {
            Details::Jpeg(jpeg) => !jpeg.progressive,
            _ => false,
        },
    };
    acceptable
        && header.orientation == Orientation::Upright
        && geometry.output == (header.width, header.height)
        && geometry.is_copy()
}
