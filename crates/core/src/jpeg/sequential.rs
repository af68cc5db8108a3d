//! MCUs of a sequential scan (T.81, F.2), decoded straight into the planes at the reduced size.
//!
//! A block of N×N samples needs the coefficients up to a certain place in zigzag order; what follows is stepped
//! over, up to three symbols a look-up. Blocks outside the wanted region are stepped over whole: only their DC
//! difference is read.

use super::bits::Bits;
use super::huffman::{AcTable, CODE_BITS, Codes, DcTable, END_OF_BLOCK, VALUE_BITS};
use super::idct;
use super::render::{first_of, put};
use super::zigzag;

/// A block of an MCU: its tables, and where its samples go.
#[derive(Clone, Copy)]
pub(super) struct Block<'t> {
    pub(super) dc: &'t DcTable,
    pub(super) ac: &'t AcTable,
    /// N×N of them, row by row.
    pub(super) quantizers: &'t [i16; 64],
    /// Which of the scan's predictions it takes.
    pub(super) prediction: usize,
    /// Its first sample in the planes, in the next MCU.
    pub(super) at: usize,
    /// From MCU to MCU.
    pub(super) step: usize,
    /// From row to row.
    pub(super) stride: usize,
}

/// What the MCUs after this one go on from.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct State {
    pub(super) predictions: [i32; 4],
    /// `EOBRUN`: blocks that have no more coefficients in this scan (progressive).
    pub(super) eob_run: u32,
    /// The bit where the first MCU began in which something was wrong.
    pub(super) fault: Option<usize>,
}

/// How a run of MCUs ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ran {
    /// All of them.
    All,
    /// So many; for the next one, bytes are missing.
    Short(u32),
    /// So many; the last was cut off by the segment's end.
    CutOff(u32),
}

/// What the window holds.
#[derive(Clone, Copy)]
pub(super) struct Held {
    /// Bits of it.
    pub(super) bits: usize,
    /// They are the segment's last, and zeros follow.
    pub(super) ended: bool,
}

/// Decodes `count` MCUs of `blocks` to N×N samples a block; N = 0 steps over them.
pub(super) fn run<const N: usize>(
    bits: &mut Bits<'_>,
    held: Held,
    state: &mut State,
    blocks: &mut [Block<'_>],
    count: u32,
    planes: &mut [u8],
) -> Ran {
    // Coefficients that are not kept are written behind those that are.
    let mut coefficients = [0; 128];
    let place = bits;
    // A reader whose address nobody has lives in registers, and the chain of look-ups goes through it.
    let mut own = *place;
    let bits = &mut own;
    for done in 0..count {
        let before = (*bits, *state);
        let mut fault = false;
        for block in &mut *blocks {
            let prediction = &mut state.predictions[block.prediction & 3];
            decode::<N>(bits, block, prediction, &mut fault, &mut coefficients, planes);
            block.at += block.step;
        }
        if fault && state.fault.is_none() {
            state.fault = Some(before.0.position());
        }
        if bits.position() > held.bits {
            if held.ended {
                *place = *bits;
                return Ran::CutOff(done + 1);
            }
            (*place, *state) = before;
            return Ran::Short(done);
        }
    }
    *place = *bits;
    Ran::All
}

/// Decodes a block to N×N samples.
#[inline(always)]
fn decode<const N: usize>(
    bits: &mut Bits<'_>,
    block: &Block<'_>,
    prediction: &mut i32,
    fault: &mut bool,
    coefficients: &mut [i16; 128],
    planes: &mut [u8],
) {
    bits.refill();
    *prediction = prediction.wrapping_add(difference(bits, block.dc, fault));
    let dc = *prediction as i16;
    if N <= 1 {
        skip(bits, block.ac, 1, fault);
        if N == 1
            && let Some(sample) = planes.get_mut(block.at)
        {
            *sample = idct::flat(dc, block.quantizers[0]);
        }
        return;
    }
    let end = values::<N>(bits, block.ac, fault, coefficients);
    let Some(rows) = planes.get_mut(block.at..block.at + (N - 1) * block.stride + N) else { return };
    if end == 1 {
        let sample = idct::flat(dc, block.quantizers[0]);
        for n in 0..N {
            rows[n * block.stride..][..N].copy_from_slice(&[sample; N]);
        }
        return;
    }
    coefficients[0] = dc;
    transform::<N>(coefficients, block, end, rows);
}

/// The inverse DCT of the N×N coefficients that come first; `end` is one more than the last one's place in zigzag
/// order. Afterwards they are zero.
#[inline(always)]
fn transform<const N: usize>(coefficients: &mut [i16; 128], block: &Block<'_>, end: u32, rows: &mut [u8]) {
    let (stride, q) = (block.stride, block.quantizers);
    match N {
        2 => put(idct::quarter(take(coefficients, &mut [0; 4]), first_of(q)), stride, rows),
        4 => put(idct::half(take(coefficients, &mut [0; 16]), first_of(q)), stride, rows),
        _ if end <= LOW_END => {
            put(idct::full_of_low(take(coefficients, &mut [0; 64]), q), stride, rows);
        }
        _ => put(idct::full(take(coefficients, &mut [0; 64]), q), stride, rows),
    }
}

/// The places before this one in zigzag order are among the low 4×4.
const LOW_END: u32 = 10;

/// The first coefficients; in their place are zeros then.
#[inline(always)]
fn take<'c, const COUNT: usize>(
    coefficients: &mut [i16; 128],
    taken: &'c mut [i16; COUNT],
) -> &'c [i16; COUNT] {
    if let Some(first) = coefficients.first_chunk_mut::<COUNT>() {
        core::mem::swap(first, taken);
    }
    taken
}

/// A DC difference (T.81, F.2.2.1), from at least 32 bits.
#[inline(always)]
fn difference(bits: &mut Bits<'_>, table: &DcTable, fault: &mut bool) -> i32 {
    let entry = table.differences[bits.peek(VALUE_BITS) & ((1 << VALUE_BITS) - 1)];
    if entry == 0 {
        let (after, difference, wrong) = long_difference(*bits, &table.codes);
        *bits = after;
        *fault |= wrong;
        return difference;
    }
    bits.consume(entry & 0xff);
    entry as i32 >> 16
}

/// A DC difference whose bits are too many for the table; the reader after it, with 56 bits, and whether something
/// was wrong. (A reader that came by reference would have to live in memory.)
#[inline(never)]
pub(super) fn long_difference<'w>(mut bits: Bits<'w>, codes: &Codes) -> (Bits<'w>, i32, bool) {
    let found = codes.find(bits.peek(16));
    bits.consume(found.map_or(16, |(len, _)| len));
    let (difference, wrong) = match found {
        Some((_, size @ 0..=15)) => (bits.read_extended(size.into()), false),
        // No difference is that large; and what is no code is taken for none.
        _ => (0, true),
    };
    bits.refill();
    (bits, difference, wrong)
}

/// Reads the AC coefficients (T.81, F.2.2.2) that N×N samples need, from at least 44 bits; steps over the
/// others. One more than the last one's place in zigzag order: 1 if there are none.
#[inline(always)]
fn values<const N: usize>(
    bits: &mut Bits<'_>,
    table: &AcTable,
    fault: &mut bool,
    coefficients: &mut [i16; 128],
) -> u32 {
    let places = const { &zigzag::low::<N>() };
    let needed = const { zigzag::needed::<N>() };
    let mut put = |k: u32, value: u16| {
        let place = places[(k & 0xff) as usize];
        coefficients[usize::from(place & 127)] = value as i16;
    };
    let mut k = 1;
    loop {
        let mut entry;
        // Four times 11 bits are at most what is there.
        'found: {
            for _ in 0..4 {
                entry = table.values[bits.peek(VALUE_BITS) & ((1 << VALUE_BITS) - 1)];
                bits.consume(entry as u32 & 0xff);
                put(k + (entry >> 16 & 0xff) as u32, (entry >> 32) as u16);
                put(k + (entry >> 24 & 0xff) as u32, (entry >> 48) as u16);
                k += (entry >> 8 & 0xff) as u32;
                if k >= needed {
                    break 'found;
                }
            }
            bits.refill();
            // A labelled block can only be left.
            entry = NOTHING;
        }
        if entry == NOTHING {
            continue;
        }
        if k < 64 {
            bits.refill();
            return skip(bits, table, k, fault);
        }
        if k == 64 {
            return k;
        }
        if (193..256).contains(&k) {
            return k - END_OF_BLOCK;
        }
        // The entry went too far, or there is none: its first symbol alone.
        k -= (entry >> 8 & 0xff) as u32;
        let (after, symbol, wrong) = one(*bits, entry as u32 & 0xff, &table.codes, k);
        *bits = after;
        *fault |= wrong;
        match symbol {
            Symbol::Coefficient { run, value } => {
                put(k + run, value as u16);
                k += run + 1;
            }
            Symbol::Zeros => k += 16,
            Symbol::End => return k,
        }
        if k == 64 {
            return k;
        }
    }
}

/// Steps over a block's AC coefficients from the one at `k` in zigzag order, from at least 44 bits. One more than
/// the last one's place, or `k` if there were none.
#[inline(always)]
fn skip(bits: &mut Bits<'_>, table: &AcTable, mut k: u32, fault: &mut bool) -> u32 {
    let step = |bits: &mut Bits<'_>, k: &mut u32| {
        let entry = u32::from(table.skip[bits.peek(CODE_BITS) & ((1 << CODE_BITS) - 1)]);
        bits.consume(entry & 0xff);
        *k += entry >> 8;
        entry
    };
    // An entry takes up to 18 bits, so that two come out of what the DC difference left, and three of a refill.
    let mut entry = step(bits, &mut k);
    if k < 64 {
        entry = step(bits, &mut k);
    }
    loop {
        while k < 64 {
            bits.refill();
            entry = step(bits, &mut k);
            if k < 64 {
                entry = step(bits, &mut k);
                if k < 64 {
                    entry = step(bits, &mut k);
                }
            }
        }
        if k == 64 {
            return k;
        }
        if (193..256).contains(&k) {
            return k - END_OF_BLOCK;
        }
        k -= entry >> 8;
        let (after, symbol, wrong) = one(*bits, entry & 0xff, &table.codes, k);
        *bits = after;
        *fault |= wrong;
        match symbol {
            Symbol::Coefficient { run, .. } => k += run + 1,
            Symbol::Zeros => k += 16,
            Symbol::End => return k,
        }
    }
}

/// One AC symbol.
enum Symbol {
    /// A coefficient after `run` zeros.
    Coefficient { run: u32, value: i32 },
    /// Sixteen zeros.
    Zeros,
    /// The block is over, as it says or for a fault.
    End,
}

/// Takes `back` bits back and reads one symbol, the coefficient at `k` being next; the reader after it, with 56
/// bits, and whether something was wrong.
#[inline(never)]
fn one<'w>(mut bits: Bits<'w>, back: u32, codes: &Codes, k: u32) -> (Bits<'w>, Symbol, bool) {
    bits.rewind(back);
    bits.refill();
    let found = codes.find(bits.peek(16));
    bits.consume(found.map_or(16, |(len, _)| len));
    let (symbol, wrong) = match found {
        Some((_, 0xf0)) if k + 16 <= 64 => (Symbol::Zeros, false),
        Some((_, symbol)) if symbol & 15 == 0 && symbol != 0xf0 => (Symbol::End, false),
        Some((_, symbol)) if symbol != 0xf0 => {
            let run = u32::from(symbol >> 4);
            let value = bits.read_extended(u32::from(symbol & 15));
            if k + run < 64 { (Symbol::Coefficient { run, value }, false) } else { (Symbol::End, true) }
        }
        // No code, or zeros beyond the block's end.
        _ => (Symbol::End, true),
    };
    bits.refill();
    (bits, symbol, wrong)
}

/// What no entry of [`AcTable::values`] is.
const NOTHING: u64 = 0;
