//! From a quality to quantizer steps (RFC 6386, 9.6 and 14.1), and coefficients to levels.

use super::tables::{AC_STEPS, DC_STEPS};

/// Quantizer index of each quality from 0 to 100: 127 · (1 − ∛x), where x is 2/3 · q for q < 0.75 and 2q − 1
/// above, q in hundredths. It is the curve that libwebp made the meaning of "quality".
const INDEX_OF_QUALITY: [u8; 101] = index_of_quality();

const fn index_of_quality() -> [u8; 101] {
    let mut table = [0; 101];
    let mut quality = 0;
    while quality <= 100 {
        // x in 300ths.
        let x = if quality < 75 { 2 * quality } else { 6 * quality - 300 };
        // The largest k with k/127 ≤ ∛x, that is 300 · k³ ≤ x · 127³.
        let mut root = 0_u64;
        while root < 127 && 300 * (root + 1) * (root + 1) * (root + 1) <= x as u64 * 127 * 127 * 127 {
            root += 1;
        }
        // The index is rounded down, so the root is rounded up.
        let exact = 300 * root * root * root == x as u64 * 127 * 127 * 127;
        table[quality] = (127 - root - !exact as u64) as u8;
        quality += 1;
    }
    table
}

/// The quantizer index that `quality`, 0 to 100, stands for.
pub(super) fn index_of(quality: u8) -> u8 {
    INDEX_OF_QUALITY[usize::from(quality.min(100))]
}

/// How the 16 coefficients of a block become levels, in raster order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix {
    /// The steps.
    pub(super) step: [i16; 16],
    /// 65536 / step, rounded up.
    pub(super) inverse: [u16; 16],
    /// What is added before dividing: the part of a step from which a level is rounded up.
    pub(super) rounding: [i16; 16],
}

impl Matrix {
    /// `dc` and `ac` are steps, `rounding` 256ths of a step by position.
    fn new(dc: u16, ac: u16, rounding: &[u16; 16]) -> Matrix {
        let step: [u16; 16] = core::array::from_fn(|at| if at == 0 { dc } else { ac });
        Matrix {
            step: step.map(u16::cast_signed),
            inverse: step.map(|step| (65535 / u32::from(step) + 1) as u16),
            rounding: core::array::from_fn(|at| {
                ((u32::from(step[at]) * u32::from(rounding[at])) >> 8) as i16
            }),
        }
    }
}

/// All that follows from a quantizer index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quantizer {
    /// Luma blocks; their DC only where the macroblock has 4×4 modes.
    pub(super) luma: Matrix,
    /// The second-order block of luma DCs.
    pub(super) second: Matrix,
    /// Chroma blocks.
    pub(super) chroma: Matrix,
    /// The step of luma AC, which the costs of modes are weighed with.
    pub(super) luma_ac: u16,
}

impl Quantizer {
    /// For an index from 0 to 127.
    pub(super) fn new(index: u8) -> Quantizer {
        let at = usize::from(index.min(127));
        let (dc, ac) = (DC_STEPS[at], AC_STEPS[at]);
        let second_ac = (ac * 155 / 100).max(8);
        // Chroma DC steps grow no further than 132.
        let chroma_dc = dc.min(132);
        Quantizer {
            luma: Matrix::new(dc, ac, &LUMA_ROUNDING),
            second: Matrix::new(2 * dc, second_ac, &[128; 16]),
            chroma: Matrix::new(chroma_dc, ac, &[128; 16]),
            luma_ac: ac,
        }
    }
}

/// Luma levels are rounded up from 0.55 of a step on, and later the higher their frequency: what is lost there
/// is seen least and costs most. DC from 0.5 on.
const LUMA_ROUNDING: [u16; 16] = luma_rounding();

const fn luma_rounding() -> [u16; 16] {
    let mut table = [128; 16];
    let mut at = 1;
    while at < 16 {
        let frequency = at / 4 + at % 4;
        table[at] = (45 * 256 - 3 * 256 * frequency as u16) / 100;
        at += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qualities_are_libwebps() {
        // int(127 · (1 − ∛x)), computed in double precision.
        for (quality, index) in [(0, 127), (10, 75), (50, 38), (75, 26), (80, 19), (90, 9), (99, 0), (100, 0)]
        {
            assert_eq!(index_of(quality), index, "quality {quality}");
        }
        assert!(INDEX_OF_QUALITY.is_sorted_by(|a, b| a >= b));
    }
}
