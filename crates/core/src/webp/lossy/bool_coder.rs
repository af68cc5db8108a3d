//! The boolean entropy coder (RFC 6386, 7), writing into the caller's memory.

/// A coder's state; the bytes stand in a slice that each call is given.
///
/// `low` holds the bits not yet written, `count` + 8 of them and a carry above; `range` is 128 to 255.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoolCoder {
    low: u64,
    range: u32,
    count: u32,
    /// Where the next byte goes.
    at: usize,
}

impl BoolCoder {
    /// Starts at the slice's beginning.
    pub(super) const fn new() -> BoolCoder {
        BoolCoder { low: 0, range: 255, count: 0, at: 0 }
    }

    /// Codes `bit`, where a 0 has `probability` in 256ths.
    #[inline(always)]
    pub(super) fn put(&mut self, bit: bool, probability: u8, out: &mut [u8]) {
        let split = 1 + (((self.range - 1) * u32::from(probability)) >> 8);
        // Without a branch: which bit comes is hard to foresee.
        let mask = 0_u32.wrapping_sub(u32::from(bit));
        self.low += u64::from(split & mask);
        let range = (split & !mask) | ((self.range - split) & mask);
        let shift = range.leading_zeros() - 24;
        self.range = range << shift;
        self.low <<= shift;
        self.count += shift;
        if self.count >= 48 {
            // By value, so that the state stays in registers.
            (self.low, self.count, self.at) = write(self.low, self.count, self.at, 6, out);
        }
    }

    /// Codes a number of `len` bits, the highest first, each as likely 0 as 1.
    pub(super) fn put_literal(&mut self, value: u32, len: u32, out: &mut [u8]) {
        for place in (0..len).rev() {
            self.put(value >> place & 1 == 1, 128, out);
        }
    }

    /// Writes what is left and gives the length. Bytes that are 0 are written as well: decoders read them.
    pub(super) fn finish(&mut self, out: &mut [u8]) -> usize {
        let padding = (8 - self.count % 8) % 8;
        self.low <<= padding;
        // All but the last byte, then that one.
        let count = self.count + padding;
        (self.low, self.count, self.at) = write(self.low, count, self.at, count / 8, out);
        (self.low, _, self.at) = write(self.low << 8, 8, self.at, 1, out);
        self.at
    }
}

/// Writes the highest `bytes` bytes of `count` + 8 bits at `at`; gives what is left of them, their number less 8, and
/// the place behind the bytes. What lies beyond the slice's end is counted only.
#[inline(never)]
fn write(low: u64, count: u32, at: usize, bytes: u32, out: &mut [u8]) -> (u64, u32, usize) {
    let rest = count + 8 - 8 * bytes;
    let top = low >> rest;
    if top >> (8 * bytes) != 0 {
        // The carry ripples through what is written already.
        let written = at.min(out.len());
        for byte in out[..written].iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
    }
    let end = at + bytes as usize;
    if let Some(place) = out.get_mut(at..end) {
        place.copy_from_slice(&top.to_be_bytes()[8 - bytes as usize..]);
    }
    (low & ((1 << rest) - 1), count - 8 * bytes, end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    /// The decoder of RFC 6386, 7.3, bit by bit.
    struct Decoder<'a> {
        input: &'a [u8],
        value: u32,
        range: u32,
        bits: u32,
    }

    impl<'a> Decoder<'a> {
        fn new(input: &'a [u8]) -> Decoder<'a> {
            let value = u32::from(input[0]) << 8 | u32::from(*input.get(1).unwrap_or(&0));
            Decoder { input: input.get(2..).unwrap_or(&[]), value, range: 255, bits: 0 }
        }

        fn get(&mut self, probability: u8) -> bool {
            let split = 1 + (((self.range - 1) * u32::from(probability)) >> 8);
            let bit = self.value >= split << 8;
            if bit {
                self.range -= split;
                self.value -= split << 8;
            } else {
                self.range = split;
            }
            while self.range < 128 {
                self.value <<= 1;
                self.range <<= 1;
                self.bits += 1;
                if self.bits == 8 {
                    self.bits = 0;
                    if let [first, rest @ ..] = self.input {
                        self.value |= u32::from(*first);
                        self.input = rest;
                    }
                }
            }
            bit
        }
    }

    fn check(decisions: &[(bool, u8)]) -> Vec<u8> {
        let mut out = vec![0xaa; decisions.len() + 16];
        let mut coder = BoolCoder::new();
        for &(bit, probability) in decisions {
            coder.put(bit, probability, &mut out);
        }
        let len = coder.finish(&mut out);
        out.truncate(len);
        let mut decoder = Decoder::new(&out);
        for (at, &(bit, probability)) in decisions.iter().enumerate() {
            assert_eq!(decoder.get(probability), bit, "decision {at} of {}", decisions.len());
        }
        out
    }

    #[test]
    fn decisions_come_back() {
        let mut state = 7_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        for len in (0..200).chain([5_000]) {
            let likely: Vec<(bool, u8)> = (0..len)
                .map(|_| {
                    let probability = (next() % 255 + 1) as u8;
                    ((next() & 255) >= u32::from(probability), probability)
                })
                .collect();
            check(&likely);
            let unlikely: Vec<(bool, u8)> = likely.iter().map(|&(bit, p)| (!bit, p)).collect();
            check(&unlikely);
        }
    }

    /// A carry turns a run of 0xff bytes into zeros, however far back it starts.
    #[test]
    fn a_carry_ripples_through_what_is_written() {
        let mut out = [0xff; 16];
        out[0] = 0x12;
        assert_eq!(write(1 << 56, 48, 9, 6, &mut out), (0, 0, 15));
        assert_eq!(out[..10], [0x13, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    }

    /// Carries that reach bytes which are written already do happen, and the stream is right after them.
    #[test]
    fn carries_reach_what_is_written() {
        let mut state = 11_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        let mut carried = 0;
        for _ in 0..300 {
            let decisions: Vec<(bool, u8)> =
                (0..500).map(|_| (next() % 3 > 0, (next() % 255 + 1) as u8)).collect();
            let mut coder = BoolCoder::new();
            let mut out = vec![0; 4096];
            let mut before = Vec::new();
            for &(bit, probability) in &decisions {
                before.clear();
                before.extend_from_slice(&out[..coder.at]);
                coder.put(bit, probability, &mut out);
                carried += usize::from(before[..] != out[..before.len()]);
            }
            check(&decisions);
        }
        assert!(carried > 0, "no carry reached a byte that was written");
    }

    #[test]
    fn a_slice_too_short_is_counted_not_overrun() {
        let mut coder = BoolCoder::new();
        let mut out = [0; 5];
        for _ in 0..1000 {
            coder.put(true, 128, &mut out);
        }
        assert_eq!(coder.finish(&mut out), 126);
    }
}
