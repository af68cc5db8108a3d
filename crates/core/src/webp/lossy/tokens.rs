//! Levels as decisions of the coefficients' tree (RFC 6386, 13): counted to choose probabilities, then listed as
//! tokens for the boolean coder.
//!
//! A token is `place << 1 | bit`, its place that of its probability in a [`Table`]: 96 rows (block type, band,
//! context) of 16 places: the 11 nodes of the tree, then what never changes (sign, extra bits of the first two
//! categories); behind them rows for the extra bits of the other categories.

use super::macroblock::{
    CHROMA_AT, ENDS, Info, LEVELS, LUMA_MODE, SECOND_AT, SECOND_CONTEXT, SKIP, SUBBLOCKS,
};
use super::tables::{BANDS, CATEGORY_1, CATEGORY_2, CATEGORY_3, CATEGORY_4, CATEGORY_5, CATEGORY_6, ZIGZAG};

/// Rows by block type, band and context.
pub(super) const ROWS: usize = 4 * 8 * 3;
/// Places of a row that hold nodes of the tree.
pub(super) const NODES: usize = 11;
const PLACES: usize = 16;
const SIGN: u16 = 11;
const EXTRA_1: u16 = 12;
const EXTRA_2: u16 = 13;
/// The first place of the extra bits of categories 3 to 6.
const EXTRA: usize = ROWS * PLACES;

/// Probabilities by place; a power of two long, so that no index is out of it.
pub(super) type Table = [u8; 2048];

/// The most tokens of a macroblock: 400 coefficients of 7 decisions, 11 extra bits and a sign.
pub(super) const MOST: usize = 400 * 19 + 8;

/// A table of `rows`, by block type, band and context.
pub(super) fn table(rows: &[[u8; NODES]; ROWS]) -> Table {
    let mut table = [128; 2048];
    for (place, row) in table.chunks_exact_mut(PLACES).zip(rows) {
        place[..NODES].copy_from_slice(row);
        place[usize::from(SIGN)] = 128;
        place[usize::from(EXTRA_1)] = CATEGORY_1[0];
        place[usize::from(EXTRA_2)..][..2].copy_from_slice(&CATEGORY_2);
    }
    let mut at = EXTRA;
    for bits in [&CATEGORY_3[..], &CATEGORY_4, &CATEGORY_5, &CATEGORY_6] {
        table[at..at + bits.len()].copy_from_slice(bits);
        at += bits.len();
    }
    table
}

/// The row of block type `kind`, of the coefficient `n` in zigzag order (16 after the last), in `context`.
#[inline(always)]
const fn row(kind: usize, n: usize, context: usize) -> usize {
    (kind * 8 + BANDS[n] as usize) * 3 + context
}

/// Symbols counted: 0 to 4, the six categories, the end of a block.
const SYMBOLS: usize = 16;
const END: usize = 11;
/// Counts by row, by whether the end was possible, by symbol.
pub(super) type Counts = [[[u32; SYMBOLS]; 2]; ROWS];

/// The symbol of each magnitude up to 67.
const SYMBOL: [u8; 68] = {
    let mut table = [10; 68];
    let mut level = 0;
    while level < 67 {
        table[level] = match level {
            0..=4 => level as u8,
            5..=6 => 5,
            7..=10 => 6,
            11..=18 => 7,
            19..=34 => 8,
            _ => 9,
        };
        level += 1;
    }
    table
};

/// Where a block's coefficients lie in [`LEVELS`], in zigzag order from the block's first.
const LANES_16: [u16; 16] = scaled(16);
const LANES_8: [u16; 16] = scaled(8);
const LANES_1: [u16; 16] = scaled(1);

const fn scaled(by: usize) -> [u16; 16] {
    let mut out = [0; 16];
    let mut n = 0;
    while n < 16 {
        out[n] = (ZIGZAG[n] * by) as u16;
        n += 1;
    }
    out
}

/// A block to be coded: its type, the context of its first coefficient, its first coefficient, how many count, and
/// where they lie.
#[derive(Clone, Copy)]
struct Block<'a> {
    kind: usize,
    context: usize,
    first: usize,
    end: usize,
    base: usize,
    offsets: &'a [u16; 16],
}

/// Which blocks to the left have levels: four of luma, two of each chroma plane, the second-order one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Left {
    luma: [u8; 4],
    chroma: [u8; 4],
    second: u8,
}

/// Calls `each` for every block of a macroblock in the order of the bitstream, and leaves in `left` what the next
/// macroblock needs.
#[inline(always)]
fn for_each_block(info: &Info, above: &Info, left: &mut Left, mut each: impl FnMut(Block<'_>)) {
    let has = |info: &Info, block: usize| u8::from(info[ENDS + block] > 0);
    let with_subblocks = info[LUMA_MODE] == SUBBLOCKS;
    if info[SKIP] == 1 {
        *left = Left { second: if with_subblocks { left.second } else { 0 }, ..Left::default() };
        return;
    }
    let end = |block: usize| usize::from(info[ENDS + block]);
    let (kind, first, offsets) = if with_subblocks { (3, 0, &LANES_1) } else { (0, 1, &LANES_16) };
    if !with_subblocks {
        let context = usize::from(above[SECOND_CONTEXT] + left.second);
        each(Block { kind: 1, context, first: 0, end: end(24), base: SECOND_AT, offsets: &LANES_1 });
        left.second = has(info, 24);
    }
    let mut top: [u8; 4] = core::array::from_fn(|column| has(above, 12 + column));
    for block in 0..16 {
        let (top, left) = (&mut top[block % 4], &mut left.luma[block / 4]);
        let base = if with_subblocks { block * 16 } else { block };
        each(Block { kind, context: usize::from(*top + *left), first, end: end(block), base, offsets });
        *top = has(info, block);
        *left = *top;
    }
    for plane in 0..2 {
        let of = 16 + plane * 4;
        let mut top = [has(above, of + 2), has(above, of + 3)];
        for block in 0..4 {
            let (top, left) = (&mut top[block % 2], &mut left.chroma[plane * 2 + block / 2]);
            let base = CHROMA_AT + plane * 4 + block;
            let context = usize::from(*top + *left);
            each(Block { kind: 2, context, first: 0, end: end(of + block), base, offsets: &LANES_8 });
            *top = has(info, of + block);
            *left = *top;
        }
    }
}

/// Counts a macroblock's symbols.
#[inline(never)]
pub(super) fn count(info: &Info, above: &Info, left: &mut Left, levels: &[i16; LEVELS], counts: &mut Counts) {
    for_each_block(info, above, left, |block| {
        let mut context = block.context;
        let mut may_end = 1;
        let mut n = block.first;
        while n < block.end {
            let level = levels[block.base + usize::from(block.offsets[n & 15])].unsigned_abs();
            let symbol = SYMBOL[usize::from(level.min(67))];
            counts[row(block.kind, n, context)][may_end][usize::from(symbol) & 15] += 1;
            context = usize::from(level.min(2));
            may_end = usize::from(level > 0);
            n += 1;
        }
        if n < 16 {
            counts[row(block.kind, n, context)][1][END] += 1;
        }
    });
}

/// How often each node of a row's tree went to 0 and to 1.
pub(super) fn node_counts([sure, open]: &[[u32; SYMBOLS]; 2]) -> [[u32; 2]; NODES] {
    let all: [u32; SYMBOLS] = core::array::from_fn(|symbol| sure[symbol] + open[symbol]);
    let sum = |from: usize, to: usize| all[from..=to].iter().sum::<u32>();
    [
        [open[END], open[..END].iter().sum()],
        [all[0], sum(1, 10)],
        [all[1], sum(2, 10)],
        [sum(2, 4), sum(5, 10)],
        [all[2], sum(3, 4)],
        [all[3], all[4]],
        [sum(5, 6), sum(7, 10)],
        [all[5], all[6]],
        [sum(7, 8), sum(9, 10)],
        [all[7], all[8]],
        [all[9], all[10]],
    ]
}

/// The tokens of a level from −6 to 6 within a row, and their number; by whether the end is possible.
struct Template {
    tokens: [u16; 8],
    len: u8,
}

const TEMPLATES: [[Template; 13]; 2] = [templates(false), templates(true)];

const fn templates(may_end: bool) -> [Template; 13] {
    let mut all = [const { Template { tokens: [0; 8], len: 0 } }; 13];
    let mut at = 0;
    while at < 13 {
        let level = at as i32 - 6;
        let magnitude = level.unsigned_abs();
        // Each decision as the node and its bit.
        let mut list = [(0_u16, 0_u16); 8];
        let mut len = 0;
        macro_rules! decide {
            ($node:expr, $bit:expr) => {
                list[len] = ($node, $bit as u16);
                len += 1;
            };
        }
        if may_end {
            decide!(0, true);
        }
        decide!(1, magnitude > 0);
        if magnitude > 0 {
            decide!(2, magnitude > 1);
            if magnitude > 1 {
                decide!(3, magnitude > 4);
                if magnitude > 4 {
                    decide!(6, false);
                    decide!(7, false);
                    decide!(EXTRA_1, magnitude == 6);
                } else {
                    decide!(4, magnitude > 2);
                    if magnitude > 2 {
                        decide!(5, magnitude == 4);
                    }
                }
            }
            decide!(SIGN, level < 0);
        }
        let mut k = 0;
        while k < len {
            all[at].tokens[k] = list[k].0 << 1 | list[k].1;
            k += 1;
        }
        all[at].len = len as u8;
        at += 1;
    }
    all
}

/// Appends a macroblock's tokens to `tokens` from `len` on, where there is room for [`MOST`]; gives the new length.
#[inline(never)]
pub(super) fn list(
    info: &Info,
    above: &Info,
    left: &mut Left,
    levels: &[i16; LEVELS],
    tokens: &mut [u16],
    mut len: usize,
) -> usize {
    for_each_block(info, above, left, |block| {
        let mut context = block.context;
        let mut may_end = 1;
        let mut n = block.first;
        while n < block.end {
            let level = levels[block.base + usize::from(block.offsets[n & 15])];
            let base = (row(block.kind, n, context) * PLACES * 2) as u16;
            let magnitude = level.unsigned_abs();
            if magnitude <= 6 {
                let template = &TEMPLATES[may_end][(level + 6) as usize];
                if let Some(place) = tokens.get_mut(len..len + 8) {
                    for (token, of) in place.iter_mut().zip(&template.tokens) {
                        *token = of + base;
                    }
                }
                len += usize::from(template.len);
            } else {
                len = list_large(level, base, may_end == 1, tokens, len);
            }
            context = usize::from(magnitude.min(2));
            may_end = usize::from(level != 0);
            n += 1;
        }
        if n < 16 {
            if let Some(token) = tokens.get_mut(len) {
                *token = (row(block.kind, n, context) * PLACES * 2) as u16;
            }
            len += 1;
        }
    });
    len
}

/// A level beyond ±6.
#[inline(never)]
fn list_large(level: i16, base: u16, may_end: bool, tokens: &mut [u16], mut len: usize) -> usize {
    let mut push = |place: u16, bit: bool| {
        if let Some(token) = tokens.get_mut(len) {
            *token = place << 1 | u16::from(bit);
        }
        len += 1;
    };
    let at = base / 2;
    let magnitude = level.unsigned_abs();
    if may_end {
        push(at, true);
    }
    push(at + 1, true);
    push(at + 2, true);
    push(at + 3, true);
    push(at + 6, magnitude > 10);
    let extra = EXTRA as u16;
    let (first, bits, from) = match magnitude {
        ..=10 => {
            push(at + 7, true);
            (at + EXTRA_2, 2, 7)
        }
        11..=34 => {
            push(at + 8, false);
            push(at + 9, magnitude > 18);
            if magnitude > 18 { (extra + 3, 4, 19) } else { (extra, 3, 11) }
        }
        _ => {
            push(at + 8, true);
            push(at + 10, magnitude > 66);
            if magnitude > 66 { (extra + 12, 11, 67) } else { (extra + 7, 5, 35) }
        }
    };
    for place in 0..bits {
        push(first + place, (magnitude - from) >> (bits - 1 - place) & 1 == 1);
    }
    push(at + SIGN, level < 0);
    len
}
