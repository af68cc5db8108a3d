//! Bits of an entropy-coded segment, most significant first (T.81, F.2.2.5), out of a window of bytes from which
//! the stuffed zeros are already gone.
//!
//! Nothing here looks for the end of the bytes: the caller compares [`Bits::position`] with how many there are
//! after each unit, and goes back to where the unit began if it went too far. What lies beyond the end is read,
//! but a unit that stays before it never depended on it.

use super::window::{READ_AHEAD, WINDOW};

/// A reader of the window's bits.
#[derive(Clone, Copy)]
pub(super) struct Bits<'w> {
    window: &'w [u8; WINDOW + READ_AHEAD],
    /// The byte from which the next load is made.
    at: usize,
    /// The next bits, topmost first; those below the `count` that are counted are right or zero.
    held: u64,
    count: u32,
}

impl<'w> Bits<'w> {
    /// A reader that starts at the window's bit `position`.
    pub(super) fn new(window: &'w [u8; WINDOW + READ_AHEAD], position: usize) -> Bits<'w> {
        let mut bits = Bits { window, at: position >> 3, held: 0, count: 0 };
        bits.refill();
        bits.consume(position as u32 & 7);
        bits
    }

    /// How many bits of the window were consumed.
    #[inline(always)]
    pub(super) fn position(&self) -> usize {
        self.at * 8 - self.count as usize
    }

    /// Makes at least 56 bits available.
    #[inline(always)]
    pub(super) fn refill(&mut self) {
        let at = self.at & (WINDOW - 1);
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&self.window[at..at + 8]);
        self.held |= u64::from_be_bytes(bytes) >> (self.count & 63);
        self.at += ((63 - self.count) >> 3) as usize;
        self.count |= 56;
    }

    /// The next `n` bits, 1 to 32, not consumed.
    #[inline(always)]
    pub(super) fn peek(&self, n: u32) -> usize {
        (self.held >> ((64 - n) & 63)) as usize
    }

    /// Consumes `n` bits, at most as many as were made available.
    #[inline(always)]
    pub(super) fn consume(&mut self, n: u32) {
        self.held <<= n & 63;
        self.count = self.count.wrapping_sub(n);
    }

    /// Reads `n` bits, 0 to 16, of those available.
    #[inline(always)]
    pub(super) fn read(&mut self, n: u32) -> u32 {
        let value = (self.held >> 1 >> ((63 - n) & 63)) as u32;
        self.consume(n);
        value
    }

    /// Reads a number of `size` bits, 0 to 16, as T.81's EXTEND does (F.2.2.1): a first bit of 0 means negative.
    #[inline(always)]
    pub(super) fn read_extended(&mut self, size: u32) -> i32 {
        extend(self.read(size), size)
    }

    /// Un-consumes the last `n` bits.
    pub(super) fn rewind(&mut self, n: u32) {
        *self = Bits::new(self.window, self.position() - n as usize);
    }
}

/// T.81's EXTEND (figure F.12).
#[inline(always)]
pub(super) const fn extend(bits: u32, size: u32) -> i32 {
    let value = bits as i32;
    if size != 0 && value < 1 << (size - 1) { value - (1 << size) + 1 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window() -> [u8; WINDOW + READ_AHEAD] {
        core::array::from_fn(|n| (n as u32).wrapping_mul(2_654_435_761).to_be_bytes()[1])
    }

    /// Any sequence of reads gives the bits that shifting one at a time gives.
    #[test]
    fn reads_what_is_there() {
        let window = window();
        let bit = |n: usize| u32::from(window[n / 8] >> (7 - n % 8) & 1);
        for start in [0, 1, 7, 8, 1000] {
            let mut bits = Bits::new(&window, start);
            let mut at = start;
            for n in (0..2000).map(|step| step * 7 % 17) {
                bits.refill();
                let want = (at..at + n).fold(0, |value, at| value << 1 | bit(at));
                assert_eq!(bits.read(n as u32), want, "{n} bits at {at}");
                at += n;
                assert_eq!(bits.position(), at);
                if n > 4 {
                    bits.rewind(3);
                    at -= 3;
                    assert_eq!(bits.position(), at);
                }
            }
        }
    }

    #[test]
    fn extends_as_the_table_of_difference_categories() {
        // T.81, table F.1.
        assert_eq!(extend(0, 0), 0);
        assert_eq!([extend(0, 1), extend(1, 1)], [-1, 1]);
        assert_eq!([extend(0, 3), extend(3, 3), extend(4, 3), extend(7, 3)], [-7, -4, 4, 7]);
        assert_eq!([extend(0, 11), extend(2047, 11)], [-2047, 2047]);
    }
}
