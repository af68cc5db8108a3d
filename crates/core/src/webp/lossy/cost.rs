//! What a decision costs in bits, in 256ths of a bit.

/// The cost of a 0 by its probability in 256ths; a 1 costs what a 0 of 256 − p does.
const BIT_COST: [u16; 256] = bit_costs();

/// −log2(p / 256) · 256 for each p, by repeated squaring.
const fn bit_costs() -> [u16; 256] {
    let mut table = [8 * 256; 256];
    let mut p = 1;
    while p < 256 {
        // p = m · 2^e with m in 1..2, as 1.32 fixed point.
        let exponent = (p as u32).ilog2();
        let mut mantissa = ((p as u64) << 32) >> exponent;
        let mut log = exponent << 10;
        let mut bit = 1 << 9;
        while bit > 0 {
            mantissa = ((mantissa as u128 * mantissa as u128) >> 32) as u64;
            if mantissa >= 1 << 33 {
                mantissa >>= 1;
                log += bit;
            }
            bit >>= 1;
        }
        table[p] = (((8 << 10) - log + 2) >> 2) as u16;
        p += 1;
    }
    table
}

/// What coding `bit` costs where a 0 has this probability.
#[inline(always)]
pub(super) const fn bit_cost(bit: bool, probability: u8) -> u32 {
    BIT_COST[if bit { 256 - probability as usize } else { probability as usize } & 255] as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_cost_a_bit() {
        assert_eq!(bit_cost(false, 128), 256);
        assert_eq!(bit_cost(true, 128), 256);
        assert_eq!(bit_cost(false, 64), 512);
        assert_eq!(bit_cost(true, 192), 512);
        assert_eq!(bit_cost(false, 1), 2048);
        for p in 1..=255_u8 {
            let exact = -f64::from(p).log2() * 256.0 + 2048.0;
            assert!((f64::from(bit_cost(false, p)) - exact).abs() < 1.0, "{p}");
        }
    }
}
