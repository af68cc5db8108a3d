//! A photo-like scene: fruit on a stall, the evening's lights out of focus behind it.

use super::canvas::{Canvas, Color, blend, byte, hex, length};
use super::noise::{at, fractal, mix, smooth, step};

/// Width of the scene; its other measures are in pixels of this size.
const WIDTH: f32 = 1600.0;
const LIGHTS: [u32; 6] = [0x00ff_b347, 0x00ff_7f50, 0x00ff_d97a, 0x007f_c8d8, 0x00e8_5a8c, 0x00fc_efc9];

/// Paints the scene, 4:5, at any size.
pub(crate) fn paint(width: u32, height: u32) -> Canvas {
    let scale = width as f32 / WIDTH;
    let mut canvas = Canvas::painted(width, height, |x, y| backdrop(x as f32 / scale, y as f32 / scale));
    lights(&mut canvas, scale);
    stall(&mut canvas, scale);
    let grainy = canvas.clone();
    Canvas::painted(width, height, |x, y| {
        let [r, g, b, _] = grainy.pixel(x, y);
        let grain = (at(x as i32, y as i32, 71) + at(x as i32, y as i32, 72) - 1.0) * 0.03;
        [r + grain, g + grain, b + grain]
    })
}

fn backdrop(x: f32, y: f32) -> Color {
    let top = blend(hex(0x0010_1c30), hex(0x0035_1f3a), x / WIDTH);
    let base = blend(top, hex(0x0068_3324), step(200.0, 1150.0, y));
    let haze = fractal(x / 420.0, y / 420.0, 3, 501);
    base.map(|c| c * mix(0.65, 1.35, haze))
}

/// Lamps far behind the focus: discs a little brighter at the rim, as a lens draws them.
fn lights(canvas: &mut Canvas, scale: f32) {
    for i in 0..95 {
        let pick = |what| at(i, what, 601);
        let center = (pick(1) * WIDTH * scale, (40.0 + pick(2) * 1000.0) * scale);
        let radius = mix(26.0, 120.0, pick(3) * pick(3)) * scale;
        let color = hex(LIGHTS[(pick(4) * 5.99) as usize]);
        let strength = mix(0.10, 0.52, pick(5));
        canvas.over(center, (radius * 1.1, radius * 1.1), |x, y| {
            let d = length(x - center.0, y - center.1) / radius;
            let rim = 0.72 + 0.28 * step(0.55, 0.97, d);
            (color, strength * rim * (1.0 - step(0.95, 1.04, d)))
        });
    }
}

/// One kind of fruit: its colours in light and shade, and how rough its skin is.
struct Fruit {
    lit: u32,
    shade: u32,
    pores: f32,
    speckle: f32,
}

const FRUITS: [Fruit; 5] = [
    Fruit { lit: 0x00ff_a31a, shade: 0x008a_3a05, pores: 0.16, speckle: 0.0 }, // oranges
    Fruit { lit: 0x00ff_e14d, shade: 0x0097_7310, pores: 0.10, speckle: 0.0 }, // lemons
    Fruit { lit: 0x00e0_3a2e, shade: 0x004d_0a12, pores: 0.02, speckle: 0.5 }, // apples
    Fruit { lit: 0x00a9_d24a, shade: 0x0030_5a14, pores: 0.05, speckle: 0.3 }, // limes
    Fruit { lit: 0x0094_4b9c, shade: 0x0024_0c34, pores: 0.03, speckle: 0.2 }, // plums
];

/// Rows of fruit, the back row first so that nearer ones cover it.
fn stall(canvas: &mut Canvas, scale: f32) {
    for row in 0..7_i32 {
        let near = row as f32 / 6.0;
        let radius = mix(74.0, 150.0, near);
        let y = mix(960.0, 1930.0, near * mix(0.72, 1.0, near));
        let step_x = radius * 1.72;
        for column in -1..=(WIDTH / step_x) as i32 + 1 {
            let jitter = |what| at(row * 40 + column, what, 701) - 0.5;
            let x = (column as f32 + if row % 2 == 0 { 0.0 } else { 0.5 } + jitter(1) * 0.2) * step_x;
            // Each crate is about a third of the stall wide; its edge wanders from row to row.
            let crate_index = ((x / WIDTH + jitter(2) * 0.05) * 3.0).floor().clamp(0.0, 2.0) as usize;
            let kind = if row < 3 { [2, 1, 3][crate_index] } else { [0, 4, 1][crate_index] };
            let center = (x * scale, (y + jitter(3) * radius * 0.3) * scale);
            fruit(
                canvas,
                center,
                radius * (1.0 + jitter(4) * 0.14) * scale,
                &FRUITS[kind],
                row * 40 + column,
            );
        }
    }
}

fn fruit(canvas: &mut Canvas, center: (f32, f32), radius: f32, fruit: &Fruit, seed: i32) {
    let shadow = (center.0 + radius * 0.08, center.1 + radius * 0.22);
    canvas.disc(shadow, radius * 1.02, radius * 0.5, [0.03, 0.02, 0.03], 0.55);
    let tilt = at(seed, 9, 801) * 7.0;
    canvas.over(center, (radius + 1.0, radius + 1.0), |px, py| {
        let (x, y) = ((px - center.0) / radius, (py - center.1) / radius);
        let d = length(x, y);
        let z = (1.0 - d * d).max(0.0).sqrt();
        let bump = smooth(x * 26.0 + tilt * 5.0, y * 26.0, seed as u32 + 31) - 0.5;
        // The stall's lamp hangs in front, up and to the left.
        let facing = (-0.45 * x - 0.62 * y + 0.64 * z).clamp(0.0, 1.0);
        let light = (facing + bump * fruit.pores).clamp(0.0, 1.0);
        let mottle = fractal(x * 2.5 + tilt, y * 2.5, 3, seed as u32) - 0.5;
        let mut color =
            blend(hex(fruit.shade), hex(fruit.lit), (light * 1.12 + mottle * 0.28).clamp(0.0, 1.0));
        // Streaks run from stalk to blossom, as on an apple.
        let streak = fractal(x * 14.0 / (0.35 + z) + tilt, y * 2.0, 3, seed as u32 + 41);
        color = blend(color, [0.98, 0.80, 0.42], step(0.52, 0.80, streak) * fruit.speckle * z);
        let bounce = step(0.35, 1.0, y) * (1.0 - z) * 0.22;
        color = [color[0] + bounce, color[1] + bounce * 0.55, color[2] + bounce * 0.35];
        let shine = step(0.90, 1.0, facing) * (0.80 - fruit.pores * 2.8) * (0.85 + bump * 0.3);
        color = blend(color, [1.0, 0.99, 0.95], shine);
        (color, ((1.0 - d) * radius + 0.5).clamp(0.0, 1.0))
    });
}

/// The scene in one bit, dithered by an 8×8 threshold matrix: rows of packed bits, 1 for white.
pub(crate) fn dithered(width: u32, height: u32) -> Vec<u8> {
    let canvas = paint(width, height);
    let mut rows = Vec::new();
    for y in 0..height {
        let mut row = vec![0_u8; width.div_ceil(8) as usize];
        for x in 0..width {
            let [r, g, b, _] = canvas.pixel(x, y);
            if byte(0.3 * r + 0.6 * g + 0.1 * b) > threshold(x, y) {
                row[x as usize / 8] |= 0x80 >> (x % 8);
            }
        }
        rows.extend(row);
    }
    rows
}

/// Bayer's matrix, by interleaving the bits of x ^ y and y.
fn threshold(x: u32, y: u32) -> u8 {
    let (mut value, a, b) = (0, x ^ y, y);
    for bit in 0..3 {
        value = value << 2 | (a >> bit & 1) << 1 | (b >> bit & 1);
    }
    (value * 4 + 2) as u8
}
