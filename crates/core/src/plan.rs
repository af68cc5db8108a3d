//! A thumbnail decided before it is made: its geometry, its format, and every byte of memory it will take.
//!
//! The workspace is two regions, A then B, each used twice or more:
//!
//! | stage | A | B |
//! |---|---|---|
//! | collect | the source's bytes, unless they come in one push | |
//! | decode | ↑ read | the source's pixels, at 1/1, 1/2, 1/4 or 1/8; behind them the rows they are averaged from |
//! | settle, where only pixels tell the crop | sums of columns or rows | ↑ read |
//! | resize | the scaled pixels | ↑ read |
//! | finish | ↑ read | the finished pixels |
//! | encode | the encoder's scratch | ↑ read |
//!
//! A JPEG is decoded as it arrives and stays in planes until they are scaled:
//!
//! | stage | A | B |
//! |---|---|---|
//! | push: decode | | the decoder's workspace: tables, planes, a progressive file's coefficients |
//! | settle, where only pixels tell the crop | sums of columns or rows | pixels, behind it |
//! | resize | the scaled components | ↑ read |
//! | convert | ↑ read | the scaled pixels |
//! | finish | the finished pixels | ↑ read |
//! | encode | ↑ read | the encoder's scratch |
//!
//! The source is read as small as leaves twice the scaled size ([`crate::Speed`]). Rows of PNG are averaged as they
//! come, so that B follows the result's size; other formats are decoded whole into B and averaged there.
//!
//! Example: a baseline JPEG of 1920×1080, 4:2:0, to 240 px WebP: it is read at 1/4. A is 240·135·3 = 97 200, up to the
//! next 64 97 216; B is 244 KB of tables and window, 480·272 of luma and twice 240·136 of chroma, 195 840,
//! which is more than the encoder's 164 192. An RGB PNG of that size takes in B 480·270·3 = 388 800 and four rows,
//! 23 040, and in A the encoder's scratch, or its file where that is longer and does not come in one push.

use core::ops::Range;

use crate::encode::Encoding;
use crate::finish::{Extras, Paint, encoder_layout, wants_alpha};
use crate::geometry::{Geometry, LoadScale, Rect};
use crate::limits::check;
use crate::pixels::PixelLayout;
use crate::planar::{self, Reading};
use crate::{Details, Error, Fit, Format, FormatChoice, Gravity, Header, Limit, Limits, Transform, Trim};
use crate::{Orientation, decode, resample, saliency};

/// The alignment a workspace's first byte must have, and each region in it has.
pub const WORKSPACE_ALIGN: usize = 64;

/// Up to so many bytes of memory, a picture whose borders are trimmed is read one scale larger than its size before
/// trimming asks for. The same number everywhere, so that edge and origin read the same.
const BORDER_TRIM_MEMORY: u64 = 32 << 20;

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
    /// Whether the result has exactly this size. If borders are to be found ([`Trim::Border`]) it has at most this
    /// size, and [`crate::Output`] says which.
    pub exact: bool,
}

/// A thumbnail decided. Small; made by [`Plan::new`] from facts of the header alone.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub(crate) header: Header,
    pub(crate) transform: Transform,
    /// Where borders are yet to be found, its sizes are upper bounds.
    pub(crate) geometry: Geometry,
    /// How small the source is read.
    pub(crate) scale: LoadScale,
    /// Whether pixels with alpha are premultiplied as soon as they are decoded.
    pub(crate) premultiplied: bool,
    pub(crate) paint: Paint,
    /// Of the decoded and of the scaled pixels.
    pub(crate) layout: PixelLayout,
    /// Of the finished pixels, unless their alpha proves opaque.
    pub(crate) encoder_layout: PixelLayout,
    pub(crate) encoding: Encoding,
    /// The longer side that the result may have.
    pub(crate) max_side: u32,
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
    /// `TooLarge` when the source, the result or the memory is over `limits`; `NothingLeft` when trimming leaves no
    /// pixel; `Unsupported` when the format asked for is left out of this build.
    pub fn new(header: &Header, transform: &Transform, limits: &Limits, input: Input) -> Result<Plan, Error> {
        let source_size = (header.width, header.height);
        let source_pixels = u64::from(header.width) * u64::from(header.height);
        check(Limit::SourcePixels, source_pixels, limits.source_pixels)?;
        let source_len = source_len(header, limits, input)?;

        let whole = Geometry::new(source_size, header.orientation, transform)?;
        let exact = is_exact(transform);
        let paint = Paint { background: transform.background, border: transform.border.color };
        let mut extras = Extras::of(&whole);
        extras.padding |= !exact && transform.fit == Fit::Pad;
        let encoding = Encoding::choose(transform, wants_alpha(header.alpha, paint, extras))?;
        let max_side = limits.output_side.min(encoding.format().max_side());
        let geometry =
            if exact { whole } else { Geometry::bound(source_size, header.orientation, transform, max_side) };
        let side = u64::from(geometry.output.0.max(geometry.output.1));
        check(Limit::OutputSide, side, max_side.into())?;

        let layout = decode::layout(header);
        let encoder_layout = encoder_layout(layout, encoding.format(), encoding.is_lossless(), paint, extras);
        let copies = exact && geometry.is_copy();
        let settles = settles(transform);
        let max_output = encoding.max_len(geometry.output, encoder_layout)?;
        let scratch = encoder_scratch(encoding, geometry.output)?;
        let needs = |scale: LoadScale| {
            if let Details::Jpeg(jpeg) = &header.details {
                let reading = Reading { header, jpeg, scale, geometry: &geometry, settles };
                return Needs::of_planes(&reading, encoding, encoder_layout, transform, max_output, scratch);
            }
            let read = scale.picture(source_size).size;
            let sums = if transform.gravity == Gravity::Auto { saliency::workspace_len(read) } else { 0 };
            let resample = if copies { 0 } else { resample::heap_len(read, geometry.scaled, layout) };
            Needs {
                a: layout.len(geometry.scaled).max(sums).max(scratch),
                b: decode::buffer_len(header, scale).max(encoder_layout.len(geometry.output)),
                heap: decode::heap_len(header)
                    .max(resample)
                    .max(encoding.heap_len(geometry.output, encoder_layout)),
                max_output,
            }
        };
        let mut scale = LoadScale::choose(whole.crop, whole.scaled, transform.speed);
        // What is inside a border is yet to be scaled to more than its share. Neither the bytes that are collected nor
        // the host's own limits count here: they must not change the result.
        if !exact && needs(scale.one_larger()).sum() <= BORDER_TRIM_MEMORY {
            scale = scale.one_larger();
        }
        let mut needs = needs(scale);
        let streams = matches!(header.details, Details::Jpeg(_));
        let collected = if input.contiguous || streams { 0 } else { source_len };
        needs.a = needs.a.max(collected).next_multiple_of(WORKSPACE_ALIGN as u64);
        let memory = needs.sum();
        check(Limit::Memory, memory, limits.memory)?;
        // Each part is within the sum; on a 32-bit platform the sum must fit as well.
        usize::try_from(memory).map_err(|_| Error::TooLarge {
            limit: Limit::Memory,
            needed: memory,
            allowed: usize::MAX as u64,
        })?;

        Ok(Plan {
            header: *header,
            transform: *transform,
            geometry,
            scale,
            premultiplied: layout == PixelLayout::Rgba && !copies,
            paint,
            layout,
            encoder_layout,
            encoding,
            max_side,
            contiguous: input.contiguous,
            source_len,
            regions: Regions { b: needs.a as usize, end: (needs.a + needs.b) as usize },
            heap_len: needs.heap as usize,
            max_output_len: needs.max_output as usize,
            may_return_source: exact && may_return_source(header, &geometry, transform),
        })
    }

    /// What the host said of the bytes to come; `len` is the most that can.
    pub const fn input(&self) -> Input {
        Input { len: Some(self.source_len), contiguous: self.contiguous }
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

    /// What is to be decoded of a JPEG.
    pub(crate) fn reading(&self) -> Option<Reading<'_>> {
        let Details::Jpeg(jpeg) = &self.header.details else { return None };
        let settles = self.settles();
        Some(Reading { header: &self.header, jpeg, scale: self.scale, geometry: &self.geometry, settles })
    }

    /// Whether only pixels tell the geometry.
    pub(crate) fn settles(&self) -> bool {
        settles(&self.transform)
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
        let exact = is_exact(&self.transform);
        OutputBound { format: self.encoding.format(), width, height, exact }
    }

    /// Whether the source's own bytes, without their metadata, would be a right answer to this request, so
    /// that a host may give them when the result is not smaller.
    pub const fn may_return_source(&self) -> bool {
        self.may_return_source
    }
}

/// Whether the geometry follows from the header alone.
const fn is_exact(transform: &Transform) -> bool {
    !matches!(transform.trim, Trim::Border { .. })
}

/// Whether only pixels tell the borders or the crop.
fn settles(transform: &Transform) -> bool {
    !is_exact(transform) || transform.gravity == Gravity::Auto
}

/// Bytes that a plan adds up.
#[derive(Clone, Copy)]
struct Needs {
    a: u64,
    b: u64,
    heap: u64,
    max_output: u64,
}

impl Needs {
    /// Of a JPEG, whose planes are scaled from B to A, and made pixels of in B.
    fn of_planes(
        reading: &Reading<'_>,
        encoding: Encoding,
        encoder_layout: PixelLayout,
        transform: &Transform,
        max_output: u64,
        scratch: u64,
    ) -> Needs {
        let Geometry { scaled, output, .. } = *reading.geometry;
        let read = reading.scale.picture((reading.header.width, reading.header.height)).size;
        let sums = if transform.gravity == Gravity::Auto { saliency::workspace_len(read) } else { 0 };
        let components = planar::components_len(reading.jpeg, scaled);
        Needs {
            a: components.max(sums).max(encoder_layout.len(output)),
            b: reading.workspace_len().max(planar::layout(reading.jpeg).len(scaled)).max(scratch),
            heap: reading.heap_len().max(encoding.heap_len(output, encoder_layout)),
            max_output,
        }
    }

    fn sum(&self) -> u64 {
        [self.b, self.heap, self.max_output].iter().fold(self.a, |sum, part| sum.saturating_add(*part))
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
    let size = (header.width, header.height);
    acceptable
        && geometry.turn == Orientation::Upright
        && header.orientation == Orientation::Upright
        && geometry.window == Rect::whole(size)
        && geometry.output == size
        && geometry.is_copy()
        && !geometry.has_border()
        && geometry.half_radius == 0
        && !(header.alpha && transform.background.is_some())
}
