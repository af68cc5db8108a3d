//! Transforms of many 4×4 blocks at once (RFC 6386, 14.3 and 14.4).
//!
//! A block's 16 samples or coefficients are 16 lanes of as many blocks: `[[i16; N]; 16]`, position before block,
//! N = 16 for a macroblock's luma, 8 for its chroma. Each transform is one loop over lanes without a branch, which
//! the compiler turns into vector code.

/// Samples or coefficients by position (raster), then block.
pub(super) type Blocks<const N: usize> = [[i16; N]; 16];

/// x · 20091 / 65536 + x: √2 · cos(π/8).
#[inline(always)]
pub(super) const fn mul_cos(x: i16) -> i16 {
    x.wrapping_add(((x as i32 * 20091) >> 16) as i16)
}

/// x · 35468 / 65536: √2 · sin(π/8); 35468 − 65536 = −30068 fits 16 bits.
#[inline(always)]
pub(super) const fn mul_sin(x: i16) -> i16 {
    x.wrapping_add(((x as i32 * -30068) >> 16) as i16)
}

/// One dimension of the forward DCT, of four samples.
#[inline(always)]
const fn forward_4([x0, x1, x2, x3]: [i16; 4]) -> [i16; 4] {
    let (a0, a1) = (x0.wrapping_add(x3), x1.wrapping_add(x2));
    let (a2, a3) = (x1.wrapping_sub(x2), x0.wrapping_sub(x3));
    [
        a0.wrapping_add(a1),
        mul_cos(a3).wrapping_add(mul_sin(a2)),
        a0.wrapping_sub(a1),
        mul_sin(a3).wrapping_sub(mul_cos(a2)),
    ]
}

/// The forward DCT of source − prediction, scaled as the inverse expects: a constant difference d gives a DC of 8d.
#[inline(always)]
pub(super) fn forward<const N: usize>(source: &Blocks<N>, prediction: &Blocks<N>, out: &mut Blocks<N>) {
    for lane in 0..N {
        let mut t = [[0; 4]; 4];
        for row in 0..4 {
            let difference = |column: usize| {
                (source[row * 4 + column][lane].wrapping_sub(prediction[row * 4 + column][lane])) << 3
            };
            t[row] = forward_4([difference(0), difference(1), difference(2), difference(3)]);
        }
        for column in 0..4 {
            let [c0, c1, c2, c3] = forward_4([t[0][column], t[1][column], t[2][column], t[3][column]]);
            out[column][lane] = c0.wrapping_add(7) >> 4;
            out[4 + column][lane] = c1.wrapping_add(8) >> 4;
            out[8 + column][lane] = c2.wrapping_add(7) >> 4;
            out[12 + column][lane] = c3.wrapping_add(8) >> 4;
        }
    }
}

/// One dimension of the inverse DCT.
#[inline(always)]
const fn inverse_4([x0, x1, x2, x3]: [i16; 4]) -> [i16; 4] {
    let (a, b) = (x0.wrapping_add(x2), x0.wrapping_sub(x2));
    let c = mul_sin(x1).wrapping_sub(mul_cos(x3));
    let d = mul_cos(x1).wrapping_add(mul_sin(x3));
    [a.wrapping_add(d), b.wrapping_add(c), b.wrapping_sub(c), a.wrapping_sub(d)]
}

/// Prediction + the inverse DCT of `coefficients`, within 0 to 255.
#[inline(always)]
pub(super) fn inverse<const N: usize>(coefficients: &Blocks<N>, prediction: &Blocks<N>, out: &mut Blocks<N>) {
    for lane in 0..N {
        let mut t = [[0; 4]; 4];
        for column in 0..4 {
            let c = |row: usize| coefficients[row * 4 + column][lane];
            t[column] = inverse_4([c(0), c(1), c(2), c(3)]);
        }
        for row in 0..4 {
            let x = inverse_4([t[0][row].wrapping_add(4), t[1][row], t[2][row], t[3][row]]);
            for column in 0..4 {
                let at = row * 4 + column;
                out[at][lane] = prediction[at][lane].wrapping_add(x[column] >> 3).clamp(0, 255);
            }
        }
    }
}

/// One dimension of the Hadamard transform.
#[inline(always)]
pub(super) const fn hadamard_4([x0, x1, x2, x3]: [i16; 4]) -> [i16; 4] {
    let (a0, a1) = (x0.wrapping_add(x2), x1.wrapping_add(x3));
    let (a2, a3) = (x1.wrapping_sub(x3), x0.wrapping_sub(x2));
    [a0.wrapping_add(a1), a3.wrapping_add(a2), a3.wrapping_sub(a2), a0.wrapping_sub(a1)]
}

/// The Hadamard transform of each block; a constant d gives 16d.
#[inline(always)]
pub(super) fn hadamard<const N: usize>(samples: &Blocks<N>, out: &mut Blocks<N>) {
    for lane in 0..N {
        let mut t = [[0; 4]; 4];
        for row in 0..4 {
            let x = |column: usize| samples[row * 4 + column][lane];
            t[row] = hadamard_4([x(0), x(1), x(2), x(3)]);
        }
        for column in 0..4 {
            let x = hadamard_4([t[0][column], t[1][column], t[2][column], t[3][column]]);
            for row in 0..4 {
                out[row * 4 + column][lane] = x[row];
            }
        }
    }
}

/// The forward Walsh–Hadamard transform of the 16 luma DCs, scaled as [`inverse_second`] expects.
#[inline(always)]
pub(super) fn forward_second(dc: &[i16; 16]) -> [i16; 16] {
    let mut t = [[0_i32; 4]; 4];
    let step = |[x0, x1, x2, x3]: [i32; 4]| {
        let (a0, a1, a2, a3) = (x0 + x2, x1 + x3, x1 - x3, x0 - x2);
        [a0 + a1, a3 + a2, a3 - a2, a0 - a1]
    };
    for row in 0..4 {
        let x = |column: usize| i32::from(dc[row * 4 + column]);
        t[row] = step([x(0), x(1), x(2), x(3)]);
    }
    let mut out = [0; 16];
    for column in 0..4 {
        let x = step([t[0][column], t[1][column], t[2][column], t[3][column]]);
        for row in 0..4 {
            out[row * 4 + column] = ((x[row] + 1) >> 1) as i16;
        }
    }
    out
}

/// The inverse Walsh–Hadamard transform (14.3): coefficients to the 16 luma DCs.
#[inline(always)]
pub(super) fn inverse_second(coefficients: &[i16; 16]) -> [i16; 16] {
    let mut half = [[0_i32; 4]; 4];
    let step = |[x0, x1, x2, x3]: [i32; 4]| {
        let (a, b, c, d) = (x0 + x3, x1 + x2, x1 - x2, x0 - x3);
        [a + b, d + c, a - b, d - c]
    };
    for column in 0..4 {
        let x = |row: usize| i32::from(coefficients[row * 4 + column]);
        half[column] = step([x(0), x(1), x(2), x(3)]);
    }
    let mut out = [0; 16];
    for row in 0..4 {
        let x = step([half[0][row], half[1][row], half[2][row], half[3][row]]);
        for column in 0..4 {
            out[row * 4 + column] = ((x[column] + 3) >> 3) as i16;
        }
    }
    out
}
