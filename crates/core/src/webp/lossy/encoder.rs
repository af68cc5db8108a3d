//! One picture being coded, some rows of macroblocks a call.
//!
//! analyse (modes, levels, counts; row by row) → modes (the first partition) → tokens (two rows at a time into two
//! partitions) → done. With a target length, all of it again with another quantizer until it is met.
//!
//! | scratch | bytes |
//! |---|---|
//! | counts of symbols | 12 288 |
//! | levels | 800 for each macroblock |
//! | two queues of tokens | 30 464 |
//! | modes and ends of blocks | 48 for each macroblock, and a row of them |
//! | the row of macroblocks being coded, the row of samples above | 384 + 32 for each column |
//!
//! Example: 240 × 135 is 15 × 9 macroblocks: 12 288 + 108 000 + 30 464 + 7 200 + 6 240 = 164 192 bytes.

use super::bool_coder::BoolCoder;
use super::decide::{Border, ModeCosts};
use super::frame::{self, FIRST_PARTITION_MAX, Header, TAG};
use super::macroblock::{
    self, Info, LEVELS, Params, Reconstruction, SKIP, SUBBLOCK_MODES, Samples, Surroundings,
};
use super::picture::{Picture, STRIP, Strip};
use super::probabilities;
use super::quantizer::{self, Quantizer};
use super::settings::{MAX_SIDE, Settings};
use super::tokens::{self, Counts, Left, MOST};
use crate::{Error, Format, Limit};

/// Macroblocks that a call works on, or one row if that is more: about a millisecond.
const PIECE: usize = 256;

/// The most bytes a macroblock takes: by Parseval 400 coefficients have a mean square of at most 127 steps², which
/// costs 16 bits each at the measured probabilities; 16 modes of 20 bits.
const MACROBLOCK_MAX: usize = 400 * 2 + 100;

/// What a bit weighs against a Hadamard sum, in 256ths of the luma AC step.
const LAMBDA: u32 = 154;

/// From which cost of the best 16×16 mode on 4×4 modes are tried, in luma AC steps, by effort (0 has none). Below 64
/// they are seldom better, and cost time and bytes.
const SUBBLOCK_GATES: [u32; 3] = [u32::MAX >> 16, 96, 64];

/// What a queue of tokens holds.
const QUEUE: usize = MOST + 8;

/// What [`Encoder::step`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// There is more to do: call again.
    More,
    /// The frame stands at the start of the output and has so many bytes.
    Done(usize),
}

/// Is told what a decoder will reconstruct before its loop filter; `()` does not want to know.
///
/// For tests and tools: what all decoders must agree on.
pub trait Observer {
    /// Called for each macroblock in raster order. `luma` is 16 rows of 16 samples, `chroma` 8 rows of 8 of Cb and of
    /// Cr; `inner_edges` says whether the loop filter also works on edges inside the macroblock.
    fn macroblock(
        &mut self,
        column: usize,
        row: usize,
        luma: &[[u8; 16]; 16],
        chroma: &[[[u8; 8]; 8]; 2],
        inner_edges: bool,
    );
}

impl Observer for () {
    #[inline(always)]
    fn macroblock(&mut self, _: usize, _: usize, _: &[[u8; 16]; 16], _: &[[[u8; 8]; 8]; 2], _: bool) {}
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    Analyse { row: usize },
    Modes { at: usize, coder: BoolCoder },
    Tokens { row: usize, coders: [BoolCoder; 2] },
    Done(usize),
}

/// A VP8 key frame being made. Between calls only numbers are kept; picture and memory are given on every call, and
/// must be the same each time.
#[derive(Clone, Copy, Debug)]
pub struct Encoder {
    size: (u32, u32),
    settings: Settings,
    /// Macroblocks in a row, rows of macroblocks.
    columns: usize,
    rows: usize,
    quantizer_index: u8,
    /// No 4×4 modes: with them the first partition was too long.
    plain_modes: bool,
    skipped: u32,
    /// The first partition's length, once known.
    first: usize,
    stage: Stage,
    search: Search,
}

/// The quantizer indices known to give too much and to fit, where a length is to be met.
#[derive(Clone, Copy, Debug, Default)]
struct Search {
    too_long: Option<u8>,
    fits: Option<u8>,
}

/// The scratch memory's parts.
struct Memory<'a> {
    counts: &'a mut Counts,
    levels: &'a mut [[i16; LEVELS]],
    queues: [&'a mut [u16]; 2],
    infos: &'a mut [Info],
    strip: &'a mut [u8],
    top_luma: &'a mut [[u8; 16]],
    top_chroma: &'a mut [[u8; 16]],
}

impl Encoder {
    /// Starts on a picture of this width and height.
    ///
    /// # Errors
    /// `TooLarge` beyond 16383 samples a side, or where a length does not fit memory; `NotEncodable` for a picture
    /// without samples.
    pub fn new(size: (u32, u32), settings: Settings) -> Result<Encoder, Error> {
        let side = size.0.max(size.1);
        if side > MAX_SIDE {
            let (needed, allowed) = (side.into(), MAX_SIDE.into());
            return Err(Error::TooLarge { limit: Limit::OutputSide, needed, allowed });
        }
        if size.0.min(size.1) == 0 {
            return Err(Error::NotEncodable { format: Format::WebP });
        }
        let (columns, rows) = (size.0.div_ceil(16) as usize, size.1.div_ceil(16) as usize);
        // At most 1024 × 1024 macroblocks of less than 2000 bytes: all lengths fit 32 bits.
        Ok(Encoder {
            size,
            settings,
            columns,
            rows,
            quantizer_index: quantizer::index_of(settings.quality),
            plain_modes: settings.effort == 0,
            skipped: 0,
            first: 0,
            stage: Stage::Analyse { row: 0 },
            search: Search::default(),
        })
    }

    /// The loop filter's level (0 to 63) and sharpness (0 to 7) of the frame that is being made.
    pub fn loop_filter(&self) -> (u8, u8) {
        let header = self.header();
        (header.filter_level, header.filter_sharpness)
    }

    /// Exact bytes of scratch memory that every call must be given, starting on a multiple of 4. What it held before
    /// does not matter.
    pub const fn scratch_len(&self) -> usize {
        let macroblocks = self.columns * self.rows;
        size_of::<Counts>()
            + macroblocks * LEVELS * 2
            + 2 * QUEUE * 2
            + (macroblocks + self.columns) * size_of::<Info>()
            + self.columns * (STRIP + 32)
    }

    /// Bytes of output that every call must be given: more than the longest frame of this size.
    pub const fn max_output_len(&self) -> usize {
        4096 + self.columns * self.rows * MACROBLOCK_MAX
    }

    /// Does a piece of the work. `picture` has the size given to [`Encoder::new`].
    ///
    /// # Errors
    /// `BufferTooSmall` and `Misaligned` for the caller's memory; `NotEncodable` where the picture has fewer samples
    /// than its size says.
    pub fn step(
        &mut self,
        picture: &Picture<'_>,
        scratch: &mut [u8],
        output: &mut [u8],
    ) -> Result<Step, Error> {
        self.step_observed(picture, scratch, output, &mut ())
    }

    /// [`Encoder::step`], telling `observer` what will be reconstructed.
    ///
    /// # Errors
    /// As [`Encoder::step`].
    pub fn step_observed<O: Observer>(
        &mut self,
        picture: &Picture<'_>,
        scratch: &mut [u8],
        output: &mut [u8],
        observer: &mut O,
    ) -> Result<Step, Error> {
        for (needed, given) in [(self.scratch_len(), scratch.len()), (self.max_output_len(), output.len())] {
            if given < needed {
                return Err(Error::BufferTooSmall { needed, given });
            }
        }
        if !picture.holds(self.size) {
            return Err(Error::NotEncodable { format: Format::WebP });
        }
        let mut memory = self.split(scratch)?;
        let rows_a_piece = (PIECE / self.columns).max(1);
        match self.stage {
            Stage::Analyse { row } => {
                let end = (row + rows_a_piece).min(self.rows);
                self.analyse(picture, &mut memory, row, end, observer);
                self.stage = Stage::Analyse { row: end };
                if end == self.rows {
                    self.begin_modes(&memory, output);
                }
            }
            Stage::Modes { at, coder } => self.write_modes(&memory, at, coder, output)?,
            Stage::Tokens { row, coders } => {
                let end = (row + rows_a_piece.next_multiple_of(2)).min(self.rows);
                self.write_tokens(&mut memory, row, end, coders, output);
            }
            Stage::Done(_) => {}
        }
        Ok(match self.stage {
            Stage::Done(len) => Step::Done(len),
            _ => Step::More,
        })
    }

    fn split<'a>(&self, scratch: &'a mut [u8]) -> Result<Memory<'a>, Error> {
        let macroblocks = self.columns * self.rows;
        let (counts, rest) = scratch.split_at_mut(size_of::<Counts>());
        let (levels, rest) = rest.split_at_mut(macroblocks * LEVELS * 2);
        let (queues, rest) = rest.split_at_mut(2 * QUEUE * 2);
        let (infos, rest) = rest.split_at_mut((macroblocks + self.columns) * size_of::<Info>());
        let (strip, rest) = rest.split_at_mut(self.columns * STRIP);
        let (top_luma, rest) = rest.split_at_mut(self.columns * 16);
        let misaligned = |_| Error::Misaligned;
        let queues: &mut [u16] = bytemuck::try_cast_slice_mut(queues).map_err(misaligned)?;
        let (queue_a, queue_b) = queues.split_at_mut(QUEUE);
        Ok(Memory {
            counts: bytemuck::try_from_bytes_mut(counts).map_err(misaligned)?,
            levels: bytemuck::try_cast_slice_mut::<u8, i16>(levels).map_err(misaligned)?.as_chunks_mut().0,
            queues: [queue_a, queue_b],
            infos: infos.as_chunks_mut().0,
            strip,
            top_luma: top_luma.as_chunks_mut().0,
            top_chroma: rest[..self.columns * 16].as_chunks_mut().0,
        })
    }

    fn params(&self) -> Params {
        let quantizer = Quantizer::new(self.quantizer_index);
        let ac = u32::from(quantizer.luma_ac);
        let gate = SUBBLOCK_GATES[usize::from(self.settings.effort.min(2))];
        let subblock_gate = if self.plain_modes { u32::MAX } else { ac * gate };
        let costs = ModeCosts::new(ac * LAMBDA);
        Params { quantizer, costs, subblock_gate }
    }

    fn analyse<O: Observer>(
        &mut self,
        picture: &Picture<'_>,
        memory: &mut Memory<'_>,
        from: usize,
        to: usize,
        observer: &mut O,
    ) {
        if from == 0 {
            *memory.counts = [[[0; 16]; 2]; tokens::ROWS];
            memory.infos[..self.columns].fill([0; 48]);
            memory.top_luma.fill([127; 16]);
            memory.top_chroma.fill([127; 16]);
            self.skipped = 0;
        }
        let params = self.params();
        for row in from..to {
            self.skipped += analyse_row(&params, picture, self.size, row, memory, observer);
        }
    }

    fn header(&self) -> Header {
        let total = (self.columns * self.rows) as u32;
        let quantizer = Quantizer::new(self.quantizer_index);
        Header {
            quantizer_index: self.quantizer_index,
            filter_level: (quantizer.luma_ac / 4).min(63) as u8,
            filter_sharpness: 0,
            two_partitions: self.rows > 1,
            skip: (self.skipped > 0).then(|| probabilities::of(total - self.skipped, total)),
        }
    }

    fn begin_modes(&mut self, memory: &Memory<'_>, output: &mut [u8]) {
        let mut coder = BoolCoder::new();
        let probabilities = probabilities::choose(memory.counts);
        frame::write_header(self.header(), &probabilities, &mut coder, &mut output[TAG..]);
        self.stage = Stage::Modes { at: 0, coder };
    }

    fn write_modes(
        &mut self,
        memory: &Memory<'_>,
        from: usize,
        mut coder: BoolCoder,
        output: &mut [u8],
    ) -> Result<(), Error> {
        let header = self.header();
        let out = &mut output[TAG..];
        let infos = &*memory.infos;
        let total = self.columns * self.rows;
        let to = (from + 8 * PIECE).min(total);
        for at in from..to {
            let above = (at >= self.columns).then(|| &infos[at]);
            let left = (at % self.columns > 0).then(|| &infos[at + self.columns - 1]);
            frame::write_modes(header, &infos[at + self.columns], above, left, &mut coder, out);
        }
        if to < total {
            self.stage = Stage::Modes { at: to, coder };
            return Ok(());
        }
        self.first = coder.finish(out);
        if self.first > FIRST_PARTITION_MAX {
            if self.plain_modes {
                return Err(Error::NotEncodable { format: Format::WebP });
            }
            self.plain_modes = true;
            self.stage = Stage::Analyse { row: 0 };
        } else {
            output[..TAG].copy_from_slice(&frame::tag(self.size, self.first));
            self.stage = Stage::Tokens { row: 0, coders: [BoolCoder::new(); 2] };
        }
        Ok(())
    }

    fn write_tokens(
        &mut self,
        memory: &mut Memory<'_>,
        from: usize,
        to: usize,
        mut coders: [BoolCoder; 2],
        output: &mut [u8],
    ) {
        let table = tokens::table(&probabilities::choose(memory.counts));
        let two = self.rows > 1;
        // Behind the first partition the second's length, then both; the second token partition is written in the
        // middle of what is left, and moved.
        let at = TAG + self.first + if two { 3 } else { 0 };
        let (head, rest) = output.split_at_mut(at);
        let half = rest.len() / 2;
        let (a, b) = rest.split_at_mut(half);
        for row in (from..to).step_by(2) {
            let rows = if row + 1 < self.rows { 2 } else { 1 };
            code_rows(&table, memory, self.columns, row, rows, &mut coders, [a, b]);
        }
        if to < self.rows {
            self.stage = Stage::Tokens { row: to, coders };
            return;
        }
        let len = coders[0].finish(a);
        let mut total = at + len;
        if two {
            let second = coders[1].finish(b);
            head[at - 3..].copy_from_slice(&(len as u32).to_le_bytes()[..3]);
            rest.copy_within(half..half + second, len);
            total += second;
        }
        self.finish(total);
    }

    /// The frame is written; where it is longer than wanted, or might be better and still fit, it is made again.
    fn finish(&mut self, len: usize) {
        self.stage = Stage::Done(len);
        let Some(target) = self.settings.target_len else { return };
        let index = self.quantizer_index;
        if len > target as usize {
            self.search.too_long = Some(index);
        } else {
            self.search.fits = Some(index);
        }
        let next = match self.search {
            // The wanted quality fits at once.
            // Or there is no coarser one.
            Search { too_long: None, .. } | Search { too_long: Some(127), fits: None } => return,
            Search { too_long: Some(long), fits: None } => long + (127 - long).div_ceil(3),
            Search { too_long: Some(long), fits: Some(fits) } if fits > long + 1 => u8::midpoint(long, fits),
            Search { fits: Some(fits), .. } => fits,
        };
        if next != index {
            self.quantizer_index = next;
            self.stage = Stage::Analyse { row: 0 };
        }
    }
}

/// Analyses a row of macroblocks; gives how many have no levels.
#[inline(never)]
fn analyse_row<O: Observer>(
    params: &Params,
    picture: &Picture<'_>,
    size: (u32, u32),
    row: usize,
    memory: &mut Memory<'_>,
    observer: &mut O,
) -> u32 {
    let columns = memory.top_luma.len();
    let (y, chroma) = memory.strip.split_at_mut(columns * 256);
    let (cb, cr) = chroma.split_at_mut(columns * 64);
    let mut strip = Strip { y, cb, cr };
    strip.fill(picture, size, row);

    let (above, infos) = memory.infos[row * columns..][..2 * columns].split_at_mut(columns);
    let edge = |at_top: bool| if at_top { 127 } else { 129 };
    let corner = edge(row == 0);
    let border_16 = Border { top: [0; 16], left: [129; 16], corner, has_top: row > 0, has_left: false };
    let border_8 = Border { top: [0; 8], left: [129; 8], corner, has_top: row > 0, has_left: false };
    let mut around = Surroundings {
        luma: border_16,
        chroma: [border_8; 2],
        right: [0; 4],
        top_modes: [0; 4],
        left_modes: [0; 4],
    };
    let mut left = Left::default();
    let mut skipped = 0;
    for column in 0..columns {
        let mut source = Samples { luma: [[0; 16]; 16], chroma: [[[0; 8]; 8]; 2] };
        for (line, out) in source.luma.iter_mut().enumerate() {
            out.copy_from_slice(&strip.y[(line * columns + column) * 16..][..16]);
        }
        for (plane, out) in [&*strip.cb, &*strip.cr].into_iter().zip(&mut source.chroma) {
            for (line, out) in out.iter_mut().enumerate() {
                out.copy_from_slice(&plane[(line * columns + column) * 8..][..8]);
            }
        }
        around.luma.top = memory.top_luma[column];
        let [cb, cr] = &mut around.chroma;
        cb.top.copy_from_slice(&memory.top_chroma[column][..8]);
        cr.top.copy_from_slice(&memory.top_chroma[column][8..]);
        around.right = match memory.top_luma.get(column + 1) {
            Some(next) => [next[0], next[1], next[2], next[3]],
            None => [around.luma.top[15]; 4],
        };
        let above = &above[column];
        if row > 0 {
            around.top_modes.copy_from_slice(&above[SUBBLOCK_MODES + 12..][..4]);
        }
        let at = row * columns + column;
        let info = &mut infos[column];
        let levels = &mut memory.levels[at];
        let second_above = above[macroblock::SECOND_CONTEXT];
        let out = macroblock::code(params, &source, &around, second_above, info, levels);
        tokens::count(info, above, &mut left, levels, memory.counts);
        skipped += u32::from(info[SKIP]);
        let inner_edges = info[SKIP] == 0 || info[macroblock::LUMA_MODE] == macroblock::SUBBLOCKS;
        observer.macroblock(column, row, &out.luma, &out.chroma, inner_edges);
        pass_on(&out, info, &mut around, &mut memory.top_luma[column], &mut memory.top_chroma[column]);
    }
    skipped
}

/// Hands a macroblock's last rows and columns to its neighbours.
#[inline(always)]
fn pass_on(
    out: &Reconstruction,
    info: &Info,
    around: &mut Surroundings,
    top_luma: &mut [u8; 16],
    top_chroma: &mut [u8; 16],
) {
    around.luma.corner = around.luma.top[15];
    around.luma.left = out.luma.map(|row| row[15]);
    around.luma.has_left = true;
    *top_luma = out.luma[15];
    for (plane, (border, top)) in
        out.chroma.iter().zip(around.chroma.iter_mut().zip(top_chroma.as_chunks_mut::<8>().0))
    {
        border.corner = border.top[7];
        border.left = plane.map(|row| row[7]);
        border.has_left = true;
        *top = plane[7];
    }
    for (row, mode) in around.left_modes.iter_mut().enumerate() {
        *mode = info[SUBBLOCK_MODES + row * 4 + 3];
    }
}

/// Tokens of a row on their way into a partition.
struct Feed {
    row: usize,
    column: usize,
    left: Left,
    at: usize,
    len: usize,
}

/// Codes one or two rows of macroblocks, two at once: the coder's steps wait for one another, those of two do not.
#[inline(never)]
fn code_rows(
    table: &tokens::Table,
    memory: &mut Memory<'_>,
    columns: usize,
    row: usize,
    rows: usize,
    coders: &mut [BoolCoder; 2],
    outs: [&mut [u8]; 2],
) {
    let [mut a, mut b] = *coders;
    let [out_a, out_b] = outs;
    let [queue_a, queue_b] = &mut memory.queues;
    let (infos, levels) = (&*memory.infos, &*memory.levels);
    let feed = |row: usize| Feed { row, column: 0, left: Left::default(), at: 0, len: 0 };
    let (mut feed_a, mut feed_b) = (feed(row), feed(row + 1));
    let refill = |feed: &mut Feed, queue: &mut [u16]| {
        while feed.at == feed.len && feed.column < columns {
            let at = feed.row * columns + feed.column;
            feed.at = 0;
            feed.len = tokens::list(&infos[at + columns], &infos[at], &mut feed.left, &levels[at], queue, 0);
            feed.column += 1;
        }
        feed.len - feed.at
    };
    let put = |coder: &mut BoolCoder, token: u16, out: &mut [u8]| {
        coder.put(token & 1 == 1, table[usize::from(token >> 1) & 2047], out);
    };
    loop {
        let ready_a = refill(&mut feed_a, queue_a);
        let ready_b = if rows == 2 { refill(&mut feed_b, queue_b) } else { 0 };
        let both = ready_a.min(ready_b);
        if both > 0 {
            let (tokens_a, tokens_b) = (&queue_a[feed_a.at..][..both], &queue_b[feed_b.at..][..both]);
            for (&token_a, &token_b) in tokens_a.iter().zip(tokens_b) {
                put(&mut a, token_a, out_a);
                put(&mut b, token_b, out_b);
            }
            feed_a.at += both;
            feed_b.at += both;
        } else if ready_a > 0 {
            queue_a[feed_a.at..][..ready_a].iter().for_each(|&token| put(&mut a, token, out_a));
            feed_a.at += ready_a;
        } else if ready_b > 0 {
            queue_b[feed_b.at..][..ready_b].iter().for_each(|&token| put(&mut b, token, out_b));
            feed_b.at += ready_b;
        } else {
            break;
        }
    }
    // A row of the second partition before one of the first: rows come in pairs from an even one on.
    *coders = [a, b];
}
