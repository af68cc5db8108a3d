//! One 4×4 block in two registers: forward DCT, levels, and the reconstruction (RFC 6386, 14).
//!
//! Rows 0 and 1 lie in the first register, 2 and 3 in the second.

use super::lanes::I16x8;
use super::quantizer::Matrix;
use super::tables::ZIGZAG;

/// For each byte of a mask of coefficients that are not 0, in raster order: how many coefficients in zigzag order
/// are needed to hold them.
const END_LOW: [u8; 256] = end_of_block(0);
const END_HIGH: [u8; 256] = end_of_block(8);

const fn end_of_block(from: usize) -> [u8; 256] {
    let mut table = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut n = 0;
        while n < 16 {
            let at = ZIGZAG[n];
            if at >= from && at < from + 8 && mask >> (at - from) & 1 == 1 {
                table[mask] = n as u8 + 1;
            }
            n += 1;
        }
        mask += 1;
    }
    table
}

/// How many coefficients in zigzag order hold all that are set in `mask`, in raster order.
#[inline(always)]
pub(super) fn end_of(mask: u16) -> u8 {
    END_LOW[usize::from(mask & 255)].max(END_HIGH[usize::from(mask >> 8)])
}

#[derive(Clone, Copy)]
struct Rows(I16x8, I16x8);

impl Rows {
    #[inline(always)]
    fn of(bytes: &[u8; 16]) -> Rows {
        let low = bytes[..8].try_into().unwrap_or([0; 8]);
        let high = bytes[8..].try_into().unwrap_or([0; 8]);
        Rows(I16x8::from_bytes(low), I16x8::from_bytes(high))
    }

    #[inline(always)]
    fn of_numbers(numbers: &[i16; 16]) -> Rows {
        let low = numbers[..8].try_into().unwrap_or([0; 8]);
        let high = numbers[8..].try_into().unwrap_or([0; 8]);
        Rows(I16x8::new(low), I16x8::new(high))
    }

    #[inline(always)]
    fn transpose(self) -> Rows {
        let (x, y) = (self.0.interleave_low(self.1), self.0.interleave_high(self.1));
        Rows(x.interleave_low(y), x.interleave_high(y))
    }

    /// The forward transform over rows; [`super::transform`] has it in plain code.
    #[inline(always)]
    fn forward(self) -> Rows {
        let z = self.1.swap_halves();
        let (s, d) = (self.0.add(z), self.0.sub(z)); // a0 a1, a3 a2
        let swapped = s.swap_halves();
        let even = s.add(swapped).low_low(s.sub(swapped)); // t0 t2
        let (cos, sin) = (mul_cos(d), mul_sin(d).swap_halves()); // a3·c a2·c, a2·s a3·s
        let odd = cos.add(sin).low_low(sin.sub(cos).swap_halves()); // t1 t3
        Rows(even.low_low(odd), even.high_high(odd))
    }

    /// The inverse transform over rows.
    #[inline(always)]
    fn inverse(self) -> Rows {
        let Rows(x, y) = self;
        let ab = x.add(y).low_low(x.sub(y));
        let dc = mul_cos(x).add(mul_sin(y)).high_high(mul_sin(x).sub(mul_cos(y)));
        Rows(ab.add(dc), ab.sub(dc).swap_halves())
    }

    #[inline(always)]
    fn map(self, f: impl Fn(I16x8) -> I16x8) -> Rows {
        Rows(f(self.0), f(self.1))
    }

    #[inline(always)]
    fn zip(self, o: Rows, f: impl Fn(I16x8, I16x8) -> I16x8) -> Rows {
        Rows(f(self.0, o.0), f(self.1, o.1))
    }
}

#[inline(always)]
fn mul_cos(x: I16x8) -> I16x8 {
    x.add(x.mul_high(I16x8::splat(20091)))
}

#[inline(always)]
fn mul_sin(x: I16x8) -> I16x8 {
    x.add(x.mul_high(I16x8::splat(-30068)))
}

/// The levels of source − prediction, in raster order, how many of them count in zigzag order, and the
/// reconstruction.
#[inline(always)]
pub(super) fn code(source: &[u8; 16], prediction: &[u8; 16], matrix: &Matrix) -> ([i16; 16], u8, [u8; 16]) {
    let predicted = Rows::of(prediction);
    let difference = Rows::of(source).zip(predicted, I16x8::sub).map(I16x8::shift_left::<3>);
    // Over columns' samples (rows of the transpose), then over rows: coefficients in raster order.
    let horizontal = difference.transpose().forward().transpose();
    let vertical = horizontal.forward();
    let rounding = Rows(I16x8::new([7, 7, 7, 7, 8, 8, 8, 8]), I16x8::new([7, 7, 7, 7, 8, 8, 8, 8]));
    let coefficients = vertical.zip(rounding, I16x8::add).map(I16x8::shift_right::<4>);
    let levels = quantize(coefficients, matrix);
    let mask = levels.0.nonzero(levels.1);
    let mut out = [0; 16];
    out[..8].copy_from_slice(&levels.0.to_array());
    out[8..].copy_from_slice(&levels.1.to_array());
    if mask == 0 {
        return (out, 0, *prediction);
    }
    (out, end_of(mask), add_inverse(levels, predicted, matrix))
}

#[inline(always)]
fn quantize(coefficients: Rows, matrix: &Matrix) -> Rows {
    let inverse = Rows::of_numbers(&matrix.inverse.map(u16::cast_signed));
    let rounding = Rows::of_numbers(&matrix.rounding);
    let sign = coefficients.map(I16x8::shift_right::<15>);
    let magnitude = coefficients.zip(sign, |x, s| x.xor(s).sub(s));
    let level = magnitude.zip(rounding, I16x8::add).zip(inverse, I16x8::mul_high_unsigned);
    level.zip(sign, |x, s| x.xor(s).sub(s))
}

#[inline(always)]
fn add_inverse(levels: Rows, predicted: Rows, matrix: &Matrix) -> [u8; 16] {
    let coefficients = levels.zip(Rows::of_numbers(&matrix.step), I16x8::mul_low);
    // Columns first, as the decoder does: its rounding is part of the format.
    let vertical = coefficients.inverse().transpose();
    let first = I16x8::new([4, 4, 4, 4, 0, 0, 0, 0]);
    let horizontal = Rows(vertical.0.add(first), vertical.1).inverse().transpose();
    let sample = horizontal.map(I16x8::shift_right::<3>).zip(predicted, I16x8::add);
    sample.0.to_bytes(sample.1)
}

#[cfg(test)]
mod tests {
    use super::super::quantizer::Quantizer;
    use super::super::transform;
    use super::*;

    /// One block in registers gives what the plain transforms of many blocks give.
    #[test]
    fn registers_equal_lanes() {
        let mut state = 3_u32;
        let mut next = |extreme: bool| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let x = (state >> 20) as u8;
            if extreme { (x & 1) * 255 } else { x }
        };
        for round in 0..3_000 {
            let source: [u8; 16] = core::array::from_fn(|_| next(round % 3 == 0));
            let prediction: [u8; 16] = core::array::from_fn(|_| next(round % 2 == 0));
            let matrix = Quantizer::new((round % 128) as u8).luma;
            let (levels, end, back) = code(&source, &prediction, &matrix);

            let wide = |x: &[u8; 16]| x.map(|x| [i16::from(x)]);
            let (source_lanes, prediction_lanes) = (wide(&source), wide(&prediction));
            let mut plain = [[0; 1]; 16];
            transform::forward(&source_lanes, &prediction_lanes, &mut plain);
            let mut expected_end = 0;
            let mut dequantized = [[0; 1]; 16];
            for (n, &at) in ZIGZAG.iter().enumerate() {
                let magnitude = u32::from(plain[at][0].unsigned_abs()) + matrix.rounding[at] as u32;
                let level =
                    ((magnitude * u32::from(matrix.inverse[at])) >> 16) as i16 * plain[at][0].signum();
                assert_eq!(levels[at], level);
                if level != 0 {
                    expected_end = n as u8 + 1;
                }
                dequantized[at] = [level * matrix.step[at]];
            }
            assert_eq!(end, expected_end);
            let mut again = [[0; 1]; 16];
            transform::inverse(&dequantized, &prediction_lanes, &mut again);
            assert_eq!(back.map(i16::from), again.map(|[x]| x));
        }
    }
}
