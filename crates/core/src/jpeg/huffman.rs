//! Huffman tables (T.81, annex C) in the forms in which the decoder looks them up.
//!
//! In: the lists of a DHT segment. Out, for each table:
//!
//! - [`Codes`]: the next 16 bits → length and symbol of their first code, two levels;
//! - [`DcTable`]: the next 11 bits → a DC difference and all its bits;
//! - [`AcTable::skip`]: the next 12 bits → up to three AC symbols stepped over at once;
//! - [`AcTable::values`]: the next 11 bits → up to two AC coefficients and an end of block.
//!
//! An AC entry says by how much `k`, the index of the next coefficient in zigzag order, advances. "End of block"
//! advances by [`END_OF_BLOCK`] = 192 and "no entry" by [`NO_ENTRY`] = 64, so that one comparison, `k >= 64`,
//! catches all that is not plain:
//!
//! | `k` after the entry | what happened |
//! |---|---|
//! | 64 | the block's last coefficient was its end |
//! | 65 to 127 | no entry; or an entry went over the block's end, and its last symbols belong to the next block |
//! | 193 to 255 | end of block, where `k` − 192 coefficients are behind us |
//! | 256 and more | a block's end and then what looked like an end of block |
//!
//! Example: with table K.5 the bits `01 1 1010 00 …` are coefficient +1 (run 0, size 1: `00` 1 …). The memory of
//! an AC table is 36 KB; all eight tables take 224 KB.

use bytemuck::{Pod, Zeroable};

use super::bits::extend;

/// Bits that [`Codes`] and [`AcTable::skip`] look at first.
pub(super) const CODE_BITS: u32 = 12;
/// Bits that [`AcTable::values`] and [`DcTable`] look at.
pub(super) const VALUE_BITS: u32 = 11;
/// Bits that an entry of [`AcTable::skip`] consumes at most, so that three fit what a refill gives.
const SKIP_MOST: u32 = 18;

/// The advance of an end of block.
pub(super) const END_OF_BLOCK: u32 = 192;
/// The advance of an entry that says nothing.
pub(super) const NO_ENTRY: u32 = 64;
/// The offset of a coefficient that is none.
const NO_VALUE: u64 = 128;

/// A table as a DHT segment lists it (T.81, B.2.4.2).
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Lists {
    /// `BITS`: how many codes of each length, 1 to 16.
    pub(super) counts: [u8; 16],
    /// `HUFFVAL`: their symbols, in the order of their codes.
    pub(super) symbols: [u8; 256],
}

impl Lists {
    /// Whether the codes are codes: no more than there can be, and at least one.
    pub(super) fn are_valid(&self) -> bool {
        let lengths = 1..=16_u32;
        let used: u32 = lengths.zip(self.counts).map(|(len, count)| u32::from(count) << (16 - len)).sum();
        let symbols: u32 = self.counts.iter().map(|&count| u32::from(count)).sum();
        (1..=1 << 16).contains(&used) && symbols <= 256
    }

    /// A table of annex K.
    fn standard(counts: [u8; 16], symbols: &[u8]) -> Lists {
        let mut lists = Lists { counts, symbols: [0; 256] };
        lists.symbols[..symbols.len()].copy_from_slice(symbols);
        lists
    }
}

/// Codes of up to 16 bits → length | symbol << 8; 0 for what is no code.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Codes {
    short: [u16; 1 << CODE_BITS],
    /// Codes longer than [`CODE_BITS`] follow one another from `first_long`; 256 of them span at most
    /// 256 × 2^(16 − 13) numbers of 16 bits.
    long: [u16; 2048],
    first_long: u32,
    unused: u32,
}

impl Codes {
    fn build(&mut self, lists: &Lists) {
        self.short.fill(0);
        self.long.fill(0);
        self.first_long = 1 << 16;
        let mut code = 0_u32; // aligned to the left of 16 bits
        let mut symbols = lists.symbols.iter();
        for (len, &count) in (1..=16_u32).zip(&lists.counts) {
            for &symbol in symbols.by_ref().take(count.into()) {
                let entry = len as u16 | u16::from(symbol) << 8;
                let next = code + (1 << (16 - len));
                let slots = if len <= CODE_BITS {
                    let drop = 16 - CODE_BITS;
                    self.short.get_mut((code >> drop) as usize..(next >> drop) as usize)
                } else {
                    self.first_long = self.first_long.min(code);
                    let first = self.first_long;
                    self.long.get_mut((code - first) as usize..(next - first) as usize)
                };
                if let Some(slots) = slots {
                    slots.fill(entry);
                }
                code = next;
            }
        }
    }

    /// Length and symbol of the code that begins `bits` (16 of them); `None` if there is no such code.
    #[inline(always)]
    pub(super) fn find(&self, bits: usize) -> Option<(u32, u8)> {
        let mut entry = self.short[bits >> (16 - CODE_BITS) & ((1 << CODE_BITS) - 1)];
        if entry == 0 {
            let place = (bits as u32).wrapping_sub(self.first_long);
            entry = self.long.get(place as usize).copied().unwrap_or(0);
        }
        (entry != 0).then_some((u32::from(entry & 0xff), (entry >> 8) as u8))
    }
}

/// A table for DC differences.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct DcTable {
    /// Bits consumed | difference << 16; 0 where [`VALUE_BITS`] do not hold both.
    pub(super) differences: [u32; 1 << VALUE_BITS],
    pub(super) codes: Codes,
}

impl DcTable {
    pub(super) fn build(&mut self, lists: &Lists) {
        self.codes.build(lists);
        for (window, entry) in self.differences.iter_mut().enumerate() {
            *entry = match self.codes.find(window << (16 - VALUE_BITS)) {
                Some((len, size)) if len + u32::from(size) <= VALUE_BITS => {
                    let (size, bits) = (u32::from(size), len + u32::from(size));
                    let value = window >> (VALUE_BITS - bits) & ((1 << size) - 1);
                    bits | (extend(value as u32, size) as u32) << 16
                }
                _ => 0,
            };
        }
    }
}

/// A table for AC coefficients.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct AcTable {
    /// Bits consumed | advance << 8 | offset of the first coefficient << 16 | of the second << 24
    /// | the first << 32 | the second << 48. An offset counts from `k`; 128 and more: there is none.
    pub(super) values: [u64; 1 << VALUE_BITS],
    /// Bits consumed | advance << 8.
    pub(super) skip: [u16; 1 << CODE_BITS],
    pub(super) codes: Codes,
}

impl AcTable {
    /// Builds [`AcTable::codes`], and the other forms if asked to.
    pub(super) fn build(&mut self, lists: &Lists, with_skip: bool, with_values: bool) {
        self.codes.build(lists);
        if with_skip {
            self.build_skip();
        }
        if with_values {
            self.build_values();
        }
    }

    /// Entries of one symbol are composed with the entries of the bits that are left, twice. What follows a
    /// symbol depends only on how many bits are left, so the entries for each number of bits are made once.
    fn build_skip(&mut self) {
        const NOTHING: u16 = (NO_ENTRY as u16) << 8;
        let plain = |entry: u16| u32::from(entry >> 8) < NO_ENTRY;
        // `one`, `two`: up to as many symbols in the low r bits of an index, from 2^r on.
        let mut one = [0_u16; 1 << CODE_BITS];
        let mut two = [0_u16; 1 << CODE_BITS];
        for left in 1..CODE_BITS {
            // With what the symbols before took, no more than SKIP_MOST.
            let most = SKIP_MOST - (CODE_BITS - left);
            for bits in 0..1_usize << left {
                let single = match self.codes.find(bits << (16 - left)) {
                    Some((len, symbol)) if len <= left => skip_entry(len, symbol),
                    _ => 0,
                };
                let fits = u32::from(single & 0xff) <= most;
                one[(1 << left) + bits] = if fits { single } else { 0 };
            }
            for bits in 0..1_usize << left {
                let first = one[(1 << left) + bits];
                let taken = u32::from(first & 0xff);
                let more = if first != 0 && plain(first) && taken < left {
                    let rest = left - taken;
                    one[(1 << rest) + (bits & ((1 << rest) - 1))]
                } else {
                    0
                };
                two[(1 << left) + bits] = first + more;
            }
        }
        let mut window = 0;
        while window < 1 << CODE_BITS {
            let found = self.codes.find(window << (16 - CODE_BITS));
            let (first, same) = match found {
                Some((len, symbol)) if len <= CODE_BITS => {
                    let entry = skip_entry(len, symbol);
                    let taken = u32::from(entry & 0xff);
                    (if taken <= SKIP_MOST { entry } else { NOTHING }, CODE_BITS.saturating_sub(taken))
                }
                _ => (NOTHING, 0),
            };
            let slots = &mut self.skip[window..window + (1 << same)];
            if plain(first) {
                for (slot, more) in slots.iter_mut().zip(&two[1 << same..]) {
                    *slot = first + more;
                }
            } else {
                slots.fill(first);
            }
            window += 1 << same;
        }
    }

    fn build_values(&mut self) {
        // A second coefficient and an end of block in the low r bits of an index, from 2^r on.
        let mut rest = [NO_VALUE << 24; 1 << VALUE_BITS];
        for left in 1..VALUE_BITS {
            for bits in 0..1_usize << left {
                let Some(entry) = self.value_entry(bits, left) else { continue };
                let mut entry = entry.as_second();
                let taken = entry as u32 & 0xff;
                if (entry >> 8 & 0xff) < u64::from(NO_ENTRY)
                    && taken < left
                    && let Some(end) = self.value_entry(bits & ((1 << (left - taken)) - 1), left - taken)
                    && end.advance == END_OF_BLOCK
                {
                    entry += u64::from(end.bits) | u64::from(end.advance) << 8;
                }
                rest[(1 << left) + bits] = entry;
            }
        }
        let mut window = 0;
        while window < 1 << VALUE_BITS {
            let Some(first) = self.value_entry(window, VALUE_BITS) else {
                self.values[window] = u64::from(NO_ENTRY) << 8 | NO_VALUE << 16 | NO_VALUE << 24;
                window += 1;
                continue;
            };
            let same = VALUE_BITS - first.bits;
            let slots = &mut self.values[window..window + (1 << same)];
            if first.advance == END_OF_BLOCK {
                slots.fill(first.as_first() + (NO_VALUE << 24));
            } else {
                // The second's offset counts from the first's, which is one less than the advance.
                let base = first.as_first() + (u64::from(first.advance) << 24);
                for (slot, more) in slots.iter_mut().zip(&rest[1 << same..]) {
                    *slot = base + more;
                }
            }
            window += 1 << same;
        }
    }

    /// The symbol in the first of `len` bits, if they hold it and its coefficient.
    fn value_entry(&self, bits: usize, len: u32) -> Option<ValueEntry> {
        let (code_len, symbol) = self.codes.find(bits << (16 - len))?;
        let (run, size) = (u32::from(symbol >> 4), u32::from(symbol & 15));
        let taken = code_len + size;
        if taken > len {
            return None;
        }
        Some(match (run, size) {
            (15, 0) => ValueEntry { bits: taken, advance: 16, offset: NO_VALUE as u32, value: 0 },
            (_, 0) => ValueEntry { bits: taken, advance: END_OF_BLOCK, offset: NO_VALUE as u32, value: 0 },
            _ => {
                let value = bits >> (len - taken) & ((1 << size) - 1);
                ValueEntry {
                    bits: taken,
                    advance: run + 1,
                    offset: run,
                    value: extend(value as u32, size) as u16,
                }
            }
        })
    }
}

/// One symbol and its coefficient.
struct ValueEntry {
    bits: u32,
    advance: u32,
    offset: u32,
    value: u16,
}

impl ValueEntry {
    fn as_first(&self) -> u64 {
        u64::from(self.bits | self.advance << 8 | self.offset << 16) | u64::from(self.value) << 32
    }

    fn as_second(&self) -> u64 {
        u64::from(self.bits | self.advance << 8 | self.offset << 24) | u64::from(self.value) << 48
    }
}

/// One symbol to be stepped over.
fn skip_entry(len: u32, symbol: u8) -> u16 {
    let (run, size) = (u16::from(symbol >> 4), u16::from(symbol & 15));
    let advance = match (run, size) {
        (15, 0) => 16,
        (_, 0) => END_OF_BLOCK as u16,
        _ => run + 1,
    };
    len as u16 + size | advance << 8
}

/// The tables of annex K, as they stand for those that a file leaves out (Motion JPEG does): DC 0 and 1, AC 0
/// and 1.
pub(super) fn standard_tables() -> ([Lists; 2], [Lists; 2]) {
    let dc: [u8; 12] = core::array::from_fn(|symbol| symbol as u8);
    let dc = [
        Lists::standard([0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], &dc),
        Lists::standard([0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], &dc),
    ];
    let ac = [
        Lists::standard([0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125], &LUMA_AC),
        Lists::standard([0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119], &CHROMA_AC),
    ];
    (dc, ac)
}

/// T.81, table K.5.
const LUMA_AC: [u8; 162] = [
    0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22,
    0x71, 0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33,
    0x62, 0x72, 0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x34,
    0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55,
    0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76,
    0x77, 0x78, 0x79, 0x7a, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96,
    0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5,
    0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4,
    0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf1,
    0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
];

/// T.81, table K.6.
const CHROMA_AC: [u8; 162] = [
    0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71, 0x13,
    0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xa1, 0xb1, 0xc1, 0x09, 0x23, 0x33, 0x52, 0xf0, 0x15, 0x62,
    0x72, 0xd1, 0x0a, 0x16, 0x24, 0x34, 0xe1, 0x25, 0xf1, 0x17, 0x18, 0x19, 0x1a, 0x26, 0x27, 0x28, 0x29,
    0x2a, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54,
    0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75,
    0x76, 0x77, 0x78, 0x79, 0x7a, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94,
    0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3,
    0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2,
    0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea,
    0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
];
