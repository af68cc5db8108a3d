//! Scans of a progressive frame (T.81, G), decoded into coefficients that stay in the workspace.
//!
//! A block's 64 coefficients lie row by row, vertical frequency first. A block that is begun and lacks bytes was
//! read beyond them: what that wrote is undone before it is begun again.

use super::bits::Bits;
use super::huffman::Codes;
use super::sequential::{Block, Held, Ran, State, long_difference};
use super::zigzag::NATURAL;

/// Bytes that a block of AC coefficients takes at most: 63 symbols of 31 bits, and a bit for each coefficient.
const BLOCK_MOST: usize = 512;

/// Which part of the coefficients a scan holds (T.81, G.1.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pass {
    /// `Ss` and `Se`: the first and the last coefficient in zigzag order.
    pub(super) first: u8,
    pub(super) last: u8,
    /// `Ah`: bits below which the scans before did not go; 0 in the first.
    pub(super) high: u8,
    /// `Al`: bits below which this one does not go.
    pub(super) low: u8,
}

impl Pass {
    /// Whether the parameters are such as T.81 allows for scans of `components`.
    pub(super) const fn is_valid(self, components: usize) -> bool {
        let band = if self.first == 0 { self.last == 0 } else { self.last >= self.first && components == 1 };
        let precision = self.high == 0 || self.high == self.low + 1;
        band && self.last < 64 && precision && self.low <= 13
    }

    /// Whether it holds DC coefficients; if not, AC ones of a single component.
    pub(super) const fn is_dc(self) -> bool {
        self.first == 0
    }

    /// Whether it adds a bit to coefficients that came before.
    pub(super) const fn refines(self) -> bool {
        self.high != 0
    }
}

/// `count` MCUs of a DC scan. A block's `at` and `step` count coefficients.
pub(super) fn run_dc(
    bits: &mut Bits<'_>,
    held: Held,
    state: &mut State,
    blocks: &mut [Block<'_>],
    count: u32,
    pass: Pass,
    coefficients: &mut [i16],
) -> Ran {
    for done in 0..count {
        let before = (*bits, *state);
        let mut fault = false;
        for block in &mut *blocks {
            bits.refill();
            if pass.refines() {
                let bit = bits.read(1) as i16;
                if let Some(dc) = coefficients.get_mut(block.at) {
                    *dc = *dc & !(1 << pass.low) | bit << pass.low;
                }
            } else {
                let prediction = &mut state.predictions[block.prediction & 3];
                let (after, difference, wrong) = long_difference(*bits, &block.dc.codes);
                *bits = after;
                fault |= wrong;
                *prediction = prediction.wrapping_add(difference);
                if let Some(dc) = coefficients.get_mut(block.at) {
                    *dc = (*prediction << pass.low) as i16;
                }
            }
            block.at += block.step;
        }
        if let Some(ran) = after(bits, held, state, before, fault, done) {
            return ran;
        }
    }
    Ran::All
}

/// `count` blocks of an AC scan, whose coefficients follow one another from `at` on.
pub(super) fn run_ac(
    bits: &mut Bits<'_>,
    held: Held,
    state: &mut State,
    codes: &Codes,
    at: usize,
    count: u32,
    pass: Pass,
    coefficients: &mut [i16],
) -> Ran {
    let (blocks, _) = coefficients.get_mut(at..).unwrap_or_default().as_chunks_mut::<64>();
    for (done, block) in (0..count).zip(blocks) {
        if !pass.refines() && state.eob_run > 0 {
            state.eob_run -= 1;
            continue;
        }
        let before = (*bits, *state);
        let mut fault = false;
        let scarce = held.bits.saturating_sub(bits.position()) < 8 * BLOCK_MOST;
        let kept = (scarce && !held.ended).then_some(*block);
        if pass.refines() {
            refine(bits, codes, &mut state.eob_run, block, pass, &mut fault);
        } else {
            first(bits, codes, &mut state.eob_run, block, pass, &mut fault);
        }
        if let Some(kept) = kept
            && bits.position() > held.bits
        {
            *block = kept;
        }
        if let Some(ran) = after(bits, held, state, before, fault, done) {
            return ran;
        }
    }
    Ran::All
}

/// Notes a fault, and tells whether the unit went beyond the bytes there are.
fn after<'w>(
    bits: &mut Bits<'w>,
    held: Held,
    state: &mut State,
    before: (Bits<'w>, State),
    fault: bool,
    done: u32,
) -> Option<Ran> {
    if fault && state.fault.is_none() {
        state.fault = Some(before.0.position());
    }
    if bits.position() <= held.bits {
        return None;
    }
    if held.ended {
        return Some(Ran::CutOff(done + 1));
    }
    (*bits, *state) = before;
    Some(Ran::Short(done))
}

/// The next symbol: its two halves. `None`: no code.
fn symbol(bits: &mut Bits<'_>, codes: &Codes) -> Option<(u32, u32)> {
    bits.refill();
    let found = codes.find(bits.peek(16));
    bits.consume(found.map_or(16, |(len, _)| len));
    found.map(|(_, symbol)| (u32::from(symbol >> 4), u32::from(symbol & 15)))
}

/// A block of a first scan of AC coefficients (T.81, G.1.2.2).
fn first(
    bits: &mut Bits<'_>,
    codes: &Codes,
    eob_run: &mut u32,
    block: &mut [i16; 64],
    pass: Pass,
    fault: &mut bool,
) {
    let mut k = u32::from(pass.first);
    while k <= pass.last.into() {
        match symbol(bits, codes) {
            Some((15, 0)) => k += 16,
            Some((run, 0)) => {
                *eob_run = (1 << run) - 1 + bits.read(run);
                return;
            }
            Some((run, size)) => {
                k += run;
                let value = bits.read_extended(size) << pass.low;
                match NATURAL.get(k as usize) {
                    Some(&place) => block[usize::from(place)] = value as i16,
                    None => *fault = true,
                }
                k += 1;
            }
            None => {
                *fault = true;
                return;
            }
        }
    }
}

/// A block of a refining scan of AC coefficients (T.81, G.1.2.3).
fn refine(
    bits: &mut Bits<'_>,
    codes: &Codes,
    eob_run: &mut u32,
    block: &mut [i16; 64],
    pass: Pass,
    fault: &mut bool,
) {
    let unit = 1_i16 << pass.low;
    let mut k = usize::from(pass.first);
    let last = usize::from(pass.last);
    if *eob_run == 0 {
        while k <= last {
            let Some((run, size)) = symbol(bits, codes) else {
                *fault = true;
                return;
            };
            let value = match size {
                0 if run < 15 => {
                    *eob_run = (1 << run) + bits.read(run);
                    break;
                }
                0 => 0,
                // Any other size than 1 is wrong.
                size => {
                    *fault |= size != 1;
                    if bits.read(1) == 1 { unit } else { -unit }
                }
            };
            k = correct(bits, block, k..last + 1, run, unit);
            if value != 0 {
                match NATURAL.get(k) {
                    Some(&place) if k <= last => block[usize::from(place)] = value,
                    _ => *fault = true,
                }
            }
            k += 1;
        }
    }
    if *eob_run > 0 {
        correct(bits, block, k..last + 1, u32::MAX, unit);
        *eob_run -= 1;
    }
}

/// Reads a bit for each coefficient that is not 0, up to the one that is and has `zeros` of them before it; where
/// that is.
fn correct(
    bits: &mut Bits<'_>,
    block: &mut [i16; 64],
    band: core::ops::Range<usize>,
    mut zeros: u32,
    unit: i16,
) -> usize {
    let end = band.end;
    for k in band {
        let coefficient = &mut block[usize::from(NATURAL[k & 63])];
        if *coefficient == 0 {
            if zeros == 0 {
                return k;
            }
            zeros -= 1;
            continue;
        }
        bits.refill();
        // A bit that is there already came of damage; it is not added twice.
        if bits.read(1) == 1 && *coefficient & unit == 0 {
            *coefficient = coefficient.wrapping_add(if *coefficient > 0 { unit } else { -unit });
        }
    }
    end
}
