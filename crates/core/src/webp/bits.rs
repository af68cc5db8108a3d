//! Bits into bytes, lowest first.

use alloc::vec::Vec;

/// Bits written so far.
#[derive(Debug, Default)]
pub(crate) struct Bits {
    bytes: Vec<u8>,
    /// Bits that make no whole byte yet, and their number, less than 32.
    pending: u64,
    len: u8,
}

impl Bits {
    /// Writes the lowest `len` bits, 32 at most; the others must be 0.
    pub(crate) fn write(&mut self, bits: u64, len: u8) {
        self.pending |= bits << self.len;
        self.len += len;
        if self.len >= 32 {
            self.bytes.extend_from_slice(&(self.pending as u32).to_le_bytes());
            self.pending >>= 32;
            self.len -= 32;
        }
    }

    /// All bytes, the last filled up with zeros.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let bytes = usize::from(self.len.div_ceil(8));
        self.bytes.extend_from_slice(&self.pending.to_le_bytes()[..bytes]);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn the_lowest_bit_comes_first() {
        let mut bits = Bits::default();
        bits.write(1, 1);
        bits.write(0, 2);
        bits.write(0xffff_ffff, 32);
        bits.write(0b10, 2);
        assert_eq!(bits.finish(), [0b1111_1001, 0xff, 0xff, 0xff, 0b1_0111]);
    }
}
