//! Repeatable noise: the same picture on every machine.
//!
//! Only additions, multiplications, divisions and square roots of `f32` are used here and in the scenes: IEEE 754
//! fixes their results to the bit, which it does not for `sin` or `exp`. So every machine gets the same
//! pixels, and checksums taken on one hold on the next.

/// A pseudo-random number from 0 to 1 that belongs to a lattice point.
pub(crate) fn at(x: i32, y: i32, seed: u32) -> f32 {
    (hash(x, y, seed) >> 8) as f32 / 16_777_216.0
}

/// 32 well mixed bits that belong to a lattice point.
pub(crate) fn hash(x: i32, y: i32, seed: u32) -> u32 {
    let mut h = (x as u32).wrapping_mul(0x9e37_79b1)
        ^ (y as u32).wrapping_mul(0x85eb_ca6b)
        ^ seed.wrapping_mul(0xc2b2_ae35);
    h ^= h >> 15;
    h = h.wrapping_mul(0x2c1b_3c6d);
    h ^= h >> 12;
    h = h.wrapping_mul(0x297a_2d39);
    h ^ (h >> 15)
}

/// Smooth noise from 0 to 1 with features about one unit wide.
pub(crate) fn smooth(x: f32, y: f32, seed: u32) -> f32 {
    let (left, top) = (x.floor(), y.floor());
    let (fx, fy) = (ease(x - left), ease(y - top));
    let (ix, iy) = (left as i32, top as i32);
    let above = mix(at(ix, iy, seed), at(ix + 1, iy, seed), fx);
    let below = mix(at(ix, iy + 1, seed), at(ix + 1, iy + 1, seed), fx);
    mix(above, below, fy)
}

/// Sum of `octaves` of [`smooth`], each twice as fine and half as strong; from 0 to 1.
pub(crate) fn fractal(x: f32, y: f32, octaves: u32, seed: u32) -> f32 {
    let (mut sum, mut total, mut weight, mut scale) = (0.0, 0.0, 1.0, 1.0);
    for octave in 0..octaves {
        sum += weight * smooth(x * scale, y * scale, seed + octave);
        total += weight;
        weight *= 0.5;
        scale *= 2.0;
    }
    sum / total
}

/// From `a` at 0 to `b` at 1.
pub(crate) fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

/// 0 up to `from`, 1 beyond `to`, smooth between.
pub(crate) fn step(from: f32, to: f32, x: f32) -> f32 {
    ease(((x - from) / (to - from)).clamp(0.0, 1.0))
}

/// 3t² − 2t³: flat at both ends.
fn ease(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}
