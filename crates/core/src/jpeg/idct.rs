//! Inverse DCTs (T.81, A.3.3) to blocks of 8×8, 4×4, 2×2 and 1×1 samples, on integers.
//!
//! The full one is the algorithm of Loeffler, Ligtenberg and Moschytz (ICASSP 1989) with 13-bit factors, columns
//! before rows and two more bits between them: the arithmetic that libjpeg calls accurate, and its results.
//! A reduced one takes the low N×N coefficients of a block, their N-point inverse DCT, and N/8 of it, which is
//! the picture at N/8 of its size; see [`quarter`] for the worked formula.
//!
//! In: coefficients row by row (vertical frequency first), not yet multiplied by the quantization table. Sums
//! wrap where no real picture takes them.

use super::lanes::{Lanes, Vector};

/// Bits of the factors.
const BITS: i32 = 13;

const F_0_298: i16 = 2446;
const F_0_390: i16 = 3196;
const F_0_541: i16 = 4433;
const F_0_765: i16 = 6270;
const F_0_899: i16 = 7373;
const F_1_175: i16 = 9633;
const F_1_501: i16 = 12299;
const F_1_847: i16 = 15137;
const F_1_961: i16 = 16069;
const F_2_053: i16 = 16819;
const F_2_562: i16 = 20995;
const F_3_072: i16 = 25172;
const ONE: i16 = 1 << BITS;
/// √2 · cos(π/8) and √2 · sin(π/8).
const F_1_306: i16 = 10703;

/// A block of 8×8 samples.
#[inline(always)]
pub(super) fn full(coefficients: &[i16; 64], quantizers: &[i16; 64]) -> [[u8; 8]; 8] {
    full_by::<Vector>(coefficients, quantizers)
}

/// A block of 8×8 samples whose coefficients are zero but for the low 4×4: the same as [`full`], sooner.
#[inline(always)]
pub(super) fn full_of_low(coefficients: &[i16; 64], quantizers: &[i16; 64]) -> [[u8; 8]; 8] {
    full_of_low_by::<Vector>(coefficients, quantizers)
}

/// A block of 4×4 samples from the low 4×4 coefficients.
#[inline(always)]
pub(super) fn half(coefficients: &[i16; 16], quantizers: &[i16; 16]) -> [[u8; 4]; 4] {
    half_by::<Vector>(coefficients, quantizers)
}

/// A block of 2×2 samples from the low 2×2 coefficients a b / c d: (a ± b ± c ± d) / 8.
///
/// The 2-point inverse DCT is (x ± y) / √2, twice that (… ) / 2, and a quarter of it an eighth.
#[inline(always)]
pub(super) fn quarter(coefficients: &[i16; 4], quantizers: &[i16; 4]) -> [[u8; 2]; 2] {
    let [a, b, c, d] = core::array::from_fn(|n| i32::from(coefficients[n].wrapping_mul(quantizers[n])));
    let (top, bottom, top_slope, bottom_slope) = (a + c, a - c, b + d, b - d);
    [
        [sample(top + top_slope), sample(top - top_slope)],
        [sample(bottom + bottom_slope), sample(bottom - bottom_slope)],
    ]
}

/// The sample of a block of one, or of every sample of a block that has no AC coefficients.
#[inline(always)]
pub(super) fn flat(dc: i16, quantizer: i16) -> u8 {
    sample(dc.wrapping_mul(quantizer).into())
}

/// An eighth, rounded half up, about the level shift (T.81, A.3.1).
#[inline(always)]
fn sample(eighths: i32) -> u8 {
    (((eighths + 4) >> 3) + 128).clamp(0, 255) as u8
}

#[inline(always)]
fn full_by<V: Lanes>(coefficients: &[i16; 64], quantizers: &[i16; 64]) -> [[u8; 8]; 8] {
    let (rows, _) = coefficients.as_chunks::<8>();
    let (quantizers, _) = quantizers.as_chunks::<8>();
    let row = |n: usize| V::load(&rows[n]).mul(V::load(&quantizers[n]));
    let rows = [row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)];
    let low = eight_points::<V, false>(&rows);
    let high = eight_points::<V, true>(&rows);
    let columns = transpose(joined::<V, 11>(low, high));
    let low = eight_points::<V, false>(&columns);
    let high = eight_points::<V, true>(&columns);
    transpose_samples(joined::<V, 18>(low, high))
}

/// [`full_by`] where only the low 4×4 coefficients are not zero: the same sums without the terms that are.
#[inline(always)]
fn full_of_low_by<V: Lanes>(coefficients: &[i16; 64], quantizers: &[i16; 64]) -> [[u8; 8]; 8] {
    let (rows, _) = coefficients.as_chunks::<8>();
    let (quantizers, _) = quantizers.as_chunks::<8>();
    let row = |n: usize| V::load(&rows[n]).mul(V::load(&quantizers[n]));
    // The right half of each row is zero, and stays so.
    let [r0, r1, r2, r3, r4, r5, r6, r7] = four_of_eight_points::<V, false>([row(0), row(1), row(2), row(3)]);
    let pair = |a: V, b: V| a.round::<11>(b);
    // Rows two a register: their four columns each.
    let [a, b, c, d] = [pair(r0, r1), pair(r2, r3), pair(r4, r5), pair(r6, r7)];
    let (ab_even, ab_odd) = (a.zip_low(b), a.zip_high(b)); // 0 2 0 2 …, 1 3 1 3 …
    let (cd_even, cd_odd) = (c.zip_low(d), c.zip_high(d));
    let (top_left, top_right) = (ab_even.zip_low(ab_odd), ab_even.zip_high(ab_odd)); // columns 0 1, 2 3
    let (low_left, low_right) = (cd_even.zip_low(cd_odd), cd_even.zip_high(cd_odd));
    let columns = [
        top_left.join_low(low_left),
        top_left.join_high(low_left),
        top_right.join_low(low_right),
        top_right.join_high(low_right),
    ];
    let low = four_of_eight_points::<V, false>(columns);
    let high = four_of_eight_points::<V, true>(columns);
    transpose_samples(joined::<V, 18>(low, high))
}

/// Pairs of lanes 0 to 3, or 4 to 7.
#[inline(always)]
fn zip<V: Lanes, const HIGH: bool>(a: V, b: V) -> V {
    if HIGH { a.zip_high(b) } else { a.zip_low(b) }
}

/// Lanes 0 to 3 and 4 to 7, `SHIFT` bits rounded off.
#[inline(always)]
fn joined<V: Lanes, const SHIFT: i32>(low: [V; 8], high: [V; 8]) -> [V; 8] {
    let [a, b, c, d, e, f, g, h] = low;
    let [i, j, k, l, m, n, o, p] = high;
    [
        a.round::<SHIFT>(i),
        b.round::<SHIFT>(j),
        c.round::<SHIFT>(k),
        d.round::<SHIFT>(l),
        e.round::<SHIFT>(m),
        f.round::<SHIFT>(n),
        g.round::<SHIFT>(o),
        h.round::<SHIFT>(p),
    ]
}

/// 8-point inverse DCTs of lanes 0 to 3, or 4 to 7, of eight registers.
#[inline(always)]
fn eight_points<V: Lanes, const HIGH: bool>(x: &[V; 8]) -> [V; 8] {
    let ends = zip::<V, HIGH>(x[0], x[4]);
    let (plus, minus) = (ends.dot(ONE, ONE), ends.dot(ONE, -ONE));
    let middle = zip::<V, HIGH>(x[2], x[6]);
    let cosine = middle.dot(F_0_541 + F_0_765, F_0_541);
    let sine = middle.dot(F_0_541, F_0_541 - F_1_847);

    let sums = zip::<V, HIGH>(x[7].add(x[3]), x[5].add(x[1]));
    let third = sums.dot(F_1_175 - F_1_961, F_1_175);
    let fourth = sums.dot(F_1_175, F_1_175 - F_0_390);
    let outer = zip::<V, HIGH>(x[7], x[1]);
    let inner = zip::<V, HIGH>(x[5], x[3]);
    let odd = [
        outer.dot(-F_0_899, F_1_501 - F_0_899).add_wide(fourth),
        inner.dot(-F_2_562, F_3_072 - F_2_562).add_wide(third),
        inner.dot(F_2_053 - F_2_562, -F_2_562).add_wide(fourth),
        outer.dot(F_0_298 - F_0_899, -F_0_899).add_wide(third),
    ];
    let even = [plus.add_wide(cosine), minus.add_wide(sine), minus.sub_wide(sine), plus.sub_wide(cosine)];
    butterfly(even, odd)
}

/// [`eight_points`] where the last four are zero.
#[inline(always)]
fn four_of_eight_points<V: Lanes, const HIGH: bool>(x: [V; 4]) -> [V; 8] {
    let pairs = zip::<V, HIGH>(x[0], x[2]);
    let even = [
        pairs.dot(ONE, F_0_541 + F_0_765),
        pairs.dot(ONE, F_0_541),
        pairs.dot(ONE, -F_0_541),
        pairs.dot(ONE, -F_0_541 - F_0_765),
    ];
    let pairs = zip::<V, HIGH>(x[1], x[3]);
    let odd = [
        pairs.dot(F_1_501 - F_0_899 + F_1_175 - F_0_390, F_1_175),
        pairs.dot(F_1_175, F_3_072 - F_2_562 + F_1_175 - F_1_961),
        pairs.dot(F_1_175 - F_0_390, F_1_175 - F_2_562),
        pairs.dot(F_1_175 - F_0_899, F_1_175 - F_1_961),
    ];
    butterfly(even, odd)
}

/// Sums and differences of the even and the odd part.
#[inline(always)]
fn butterfly<V: Lanes>(even: [V; 4], odd: [V; 4]) -> [V; 8] {
    [
        even[0].add_wide(odd[0]),
        even[1].add_wide(odd[1]),
        even[2].add_wide(odd[2]),
        even[3].add_wide(odd[3]),
        even[3].sub_wide(odd[3]),
        even[2].sub_wide(odd[2]),
        even[1].sub_wide(odd[1]),
        even[0].sub_wide(odd[0]),
    ]
}

/// Rows to columns.
#[inline(always)]
fn transpose<V: Lanes>(r: [V; 8]) -> [V; 8] {
    // Pairs of rows, then pairs of pairs, then halves.
    let a = [r[0].zip_low(r[1]), r[2].zip_low(r[3]), r[4].zip_low(r[5]), r[6].zip_low(r[7])];
    let b = [r[0].zip_high(r[1]), r[2].zip_high(r[3]), r[4].zip_high(r[5]), r[6].zip_high(r[7])];
    let quad = |p: [V; 4]| {
        let (low, high) = (p[0].zip_pairs_low(p[1]), p[0].zip_pairs_high(p[1]));
        let (low_down, high_down) = (p[2].zip_pairs_low(p[3]), p[2].zip_pairs_high(p[3]));
        [low.join_low(low_down), low.join_high(low_down), high.join_low(high_down), high.join_high(high_down)]
    };
    let ([c0, c1, c2, c3], [c4, c5, c6, c7]) = (quad(a), quad(b));
    [c0, c1, c2, c3, c4, c5, c6, c7]
}

/// Columns of samples about 0 to rows of bytes.
#[inline(always)]
fn transpose_samples<V: Lanes>(c: [V; 8]) -> [[u8; 8]; 8] {
    // Columns 0 and 4 in one register, so that each zip below halves the distance between neighbours.
    let [a, b, d, e] = [c[0].samples(c[4]), c[1].samples(c[5]), c[2].samples(c[6]), c[3].samples(c[7])];
    // Low halves: columns 0 and 2 (1 and 3); high halves: 4 and 6 (5 and 7).
    let (even_left, even_right) = (a.zip_bytes_low(d), a.zip_bytes_high(d));
    let (odd_left, odd_right) = (b.zip_bytes_low(e), b.zip_bytes_high(e));
    // Columns 0 1 2 3 of rows 0 to 3 and 4 to 7; columns 4 5 6 7.
    let left = [even_left.zip_bytes_low(odd_left), even_left.zip_bytes_high(odd_left)];
    let right = [even_right.zip_bytes_low(odd_right), even_right.zip_bytes_high(odd_right)];
    let [r0, r1] = left[0].zip_pairs_low(right[0]).store_bytes();
    let [r2, r3] = left[0].zip_pairs_high(right[0]).store_bytes();
    let [r4, r5] = left[1].zip_pairs_low(right[1]).store_bytes();
    let [r6, r7] = left[1].zip_pairs_high(right[1]).store_bytes();
    [r0, r1, r2, r3, r4, r5, r6, r7]
}

#[inline(always)]
fn half_by<V: Lanes>(coefficients: &[i16; 16], quantizers: &[i16; 16]) -> [[u8; 4]; 4] {
    let (rows, _) = coefficients.as_chunks::<8>();
    let (quantizers, _) = quantizers.as_chunks::<8>();
    // Rows 0 and 1, rows 2 and 3.
    let rows =
        [V::load(&rows[0]).mul(V::load(&quantizers[0])), V::load(&rows[1]).mul(V::load(&quantizers[1]))];
    let columns = transpose_four(four_points::<V, 10>(rows));
    let [low, high] = transpose_four(four_points::<V, 19>(columns));
    let [a, b] = low.samples(high).store_bytes();
    let ([r0, r1], [r2, r3]) = (halves(a), halves(b));
    [r0, r1, r2, r3]
}

/// Four 4-point inverse DCTs, one a lane, without their factor 1/2: x0 ± x2 about ± (1.31 x1 + 0.54 x3) and
/// ± (0.54 x1 − 1.31 x3). In and out: 0 and 1 in one register, 2 and 3 in the other.
#[inline(always)]
fn four_points<V: Lanes, const SHIFT: i32>([x01, x23]: [V; 2]) -> [V; 2] {
    let even = x01.zip_low(x23);
    let odd = x01.zip_high(x23);
    let (plus, minus) = (even.dot(ONE, ONE), even.dot(ONE, -ONE));
    let (cosine, sine) = (odd.dot(F_1_306, F_0_541), odd.dot(F_0_541, -F_1_306));
    [
        plus.add_wide(cosine).round::<SHIFT>(minus.add_wide(sine)),
        minus.sub_wide(sine).round::<SHIFT>(plus.sub_wide(cosine)),
    ]
}

/// A 4×4 transposed; two rows a register.
#[inline(always)]
fn transpose_four<V: Lanes>([r01, r23]: [V; 2]) -> [V; 2] {
    // 0 2 0 2 … and 1 3 1 3 …: zipped once more, 0 1 2 3.
    let (even, odd) = (r01.zip_low(r23), r01.zip_high(r23));
    [even.zip_low(odd), even.zip_high(odd)]
}

fn halves([a, b, c, d, e, f, g, h]: [u8; 8]) -> [[u8; 4]; 2] {
    [[a, b, c, d], [e, f, g, h]]
}

#[cfg(test)]
#[allow(clippy::cast_precision_loss, reason = "small numbers")]
mod tests {
    use core::f64::consts::PI;

    use super::super::lanes::plain::Plain;
    use super::*;

    /// A small generator: xorshift.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0 % bound
        }

        fn sample(&mut self) -> f64 {
            self.below(256) as f64 - 128.0
        }
    }

    /// Coefficients as an encoder makes them: the DCT of samples (noise, slopes, few values), quantized.
    fn blocks() -> impl Iterator<Item = ([i16; 64], [i16; 64])> {
        let mut random = Random(88_172_645_463_325_252);
        (0..3000).map(move |n| {
            let flat = random.sample();
            let slope = (random.sample() / 16.0, random.sample() / 16.0);
            let samples: [f64; 64] = core::array::from_fn(|at| match n % 4 {
                0 => random.sample(),
                1 => (flat + slope.0 * (at % 8) as f64 + slope.1 * (at / 8) as f64).clamp(-128.0, 127.0),
                2 if random.below(2) == 0 => -128.0,
                2 => 127.0,
                _ => flat,
            });
            let quantizers: [i16; 64] = core::array::from_fn(|_| match n / 4 % 3 {
                0 => 1,
                1 => 1 + random.below(40) as i16,
                _ => 1 + random.below(255) as i16,
            });
            let coefficients = core::array::from_fn(|at| {
                let (v, u) = (at / 8, at % 8);
                let sum: f64 =
                    (0..64).map(|xy| samples[xy] * basis(8, u, xy % 8) * basis(8, v, xy / 8)).sum();
                (sum / f64::from(quantizers[at])).round() as i16
            });
            (coefficients, quantizers)
        })
    }

    /// The orthonormal N-point DCT's basis.
    fn basis(n: usize, frequency: usize, at: usize) -> f64 {
        let scale = if frequency == 0 { 1.0 } else { 2.0 };
        let angle = (2 * at + 1) as f64 * frequency as f64 * PI / (2 * n) as f64;
        libm::sqrt(scale / n as f64) * libm::cos(angle)
    }

    /// The slow twin: sample (x, y) of the low n×n coefficients' inverse DCT, in f64.
    fn reference(n: usize, coefficients: &[i16; 64], quantizers: &[i16; 64], x: usize, y: usize) -> f64 {
        let mut sum = 0.0;
        for v in 0..n {
            for u in 0..n {
                let at = v * 8 + u;
                let value = f64::from(i32::from(coefficients[at]) * i32::from(quantizers[at]));
                sum += value * basis(n, u, x) * basis(n, v, y);
            }
        }
        (sum * n as f64 / 8.0 + 128.0).clamp(0.0, 255.0)
    }

    fn low<const COUNT: usize>(n: usize, all: &[i16; 64]) -> [i16; COUNT] {
        core::array::from_fn(|at| all[at / n * 8 + at % n])
    }

    #[test]
    fn every_size_equals_the_formula_within_one() {
        for (c, q) in blocks() {
            let check = |n: usize, x: usize, y: usize, fast: u8| {
                let slow = reference(n, &c, &q, x, y);
                assert!((f64::from(fast) - slow).abs() <= 1.0, "{fast} for {slow} at {x}, {y} of {n}×{n}");
            };
            let all = full(&c, &q);
            let four = half(&low(4, &c), &low(4, &q));
            let two = quarter(&low(2, &c), &low(2, &q));
            (0..64).for_each(|at| check(8, at % 8, at / 8, all[at / 8][at % 8]));
            (0..16).for_each(|at| check(4, at % 4, at / 4, four[at / 4][at % 4]));
            (0..4).for_each(|at| check(2, at % 2, at / 2, two[at / 2][at % 2]));
            check(1, 0, 0, flat(c[0], q[0]));
        }
    }

    /// A flat block takes a short cut elsewhere: it must be the same block.
    #[test]
    fn flat_blocks_are_flat_at_every_size() {
        for dc in -1100..1100_i16 {
            let mut c = [0; 64];
            c[0] = dc;
            let q = [1; 64];
            let sample = flat(dc, 1);
            assert_eq!(full(&c, &q), [[sample; 8]; 8], "DC {dc}");
            assert_eq!(half(&low(4, &c), &low(4, &q)), [[sample; 4]; 4], "DC {dc}");
            assert_eq!(quarter(&low(2, &c), &low(2, &q)), [[sample; 2]; 2], "DC {dc}");
        }
    }

    /// The vector instructions equal plain arithmetic for any numbers at all.
    #[test]
    fn vectors_equal_plain_lanes() {
        let mut random = Random(1_181_783_497_276_652_981);
        for n in 0..20_000 {
            let bound = [8, 300, 4000, 65_536][n % 4];
            let mut next = || (random.below(bound) as i32 - bound as i32 / 2) as i16;
            let c: [i16; 64] = core::array::from_fn(|_| next());
            let q: [i16; 64] = core::array::from_fn(|_| next());
            assert_eq!(full_by::<Vector>(&c, &q), full_by::<Plain>(&c, &q));
            let mut few = c;
            for at in (0..64).filter(|at| at % 8 > 3 || at / 8 > 3) {
                few[at] = 0;
            }
            assert_eq!(full_of_low_by::<Vector>(&few, &q), full_of_low_by::<Plain>(&few, &q));
            assert_eq!(full_of_low_by::<Plain>(&few, &q), full_by::<Plain>(&few, &q));
            let (c, q) = (low(4, &c), low(4, &q));
            assert_eq!(half_by::<Vector>(&c, &q), half_by::<Plain>(&c, &q));
        }
    }
}
