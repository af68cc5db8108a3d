//! A photo-like scene: a lake among hills at sunset.

use super::canvas::{Canvas, Color, blend, hex, length};
use super::noise::{at, fractal, mix, smooth, step};

/// Where the water begins, in heights of the picture from the top.
const SHORE: f32 = 0.66;
/// The sun's place, in widths and heights of the picture.
const SUN: (f32, f32) = (0.655, 0.47);

/// Paints the scene, 3:2, at any size.
pub(crate) fn paint(width: u32, height: u32) -> Canvas {
    let scale = 1.0 / height as f32;
    Canvas::painted(width, height, |x, y| {
        let (u, v) = ((x as f32 + 0.5) * scale, (y as f32 + 0.5) * scale);
        let light = if let Some(bank) = foreground(u, v) {
            bank
        } else if v > SHORE {
            water(u, v)
        } else {
            land(u, v)
        };
        // A camera's grain is finer than any detail: it is what makes real photographs cost bits.
        let grain = (at(x as i32, y as i32, 91) + at(x as i32, y as i32, 92) - 1.0) * 0.035;
        let (du, dv) = (u / 1.5 - 0.5, v - 0.5);
        let vignette = 1.0 - 0.55 * (du * du + dv * dv);
        light.map(|c| c * vignette + grain)
    })
}

/// Sky and hills, above the shore.
fn land(u: f32, v: f32) -> Color {
    let mut color = sky(u, v);
    // From the far ridge, lost in haze, to the near one with its trees.
    let ridges = [
        (0.455, 0.170, 1.7, 0x00c0_8a86, 11, 0.0),
        (0.520, 0.150, 2.3, 0x008d_6a78, 23, 0.0),
        (0.570, 0.110, 2.9, 0x0058_4c66, 37, 0.006),
        (0.615, 0.080, 3.7, 0x002b_3346, 53, 0.016),
    ];
    for (base, rise, scale, tint, seed, trees) in ridges {
        let mut crest = base - rise * (fractal(u * scale, 0.5, 5, seed) - 0.42);
        crest -= trees * smooth(u * 210.0, 0.5, seed + 7) * smooth(u * 23.0, 0.5, seed + 8) * 2.0;
        let cover = step(crest - 0.0008, crest + 0.0008, v);
        if cover > 0.0 {
            let depth = ((v - crest) / 0.16).clamp(0.0, 1.0);
            let rock = fractal(u * scale * 14.0, v * 60.0, 4, seed + 90);
            let near = hex(tint).map(|c| c * mix(0.80, 1.10, rock));
            // Mist gathers at each ridge's foot and takes the sky's colour.
            let mist = blend(near, blend(hex(0x00e8_a982), hex(0x00a8_7c86), u / 1.5), depth * 0.55);
            let glow = 0.16 / (1.0 + 30.0 * sun_distance(u, v));
            color = blend(color, [mist[0] + glow, mist[1] + glow * 0.6, mist[2] + glow * 0.3], cover);
        }
    }
    color
}

fn sky(u: f32, v: f32) -> Color {
    let bands = [
        (0.00, hex(0x0023_3b6b)),
        (0.20, hex(0x0049_6a99)),
        (0.36, hex(0x00b4_96a4)),
        (0.47, hex(0x00f2_b07c)),
        (0.60, hex(0x00fa_d39a)),
    ];
    let mut color = bands[0].1;
    for pair in bands.windows(2) {
        color = blend(color, pair[1].1, step(pair[0].0, pair[1].0, v));
    }
    let distance = sun_distance(u, v);
    let glow = 0.55 / (1.0 + 22.0 * distance * (1.0 + 3.0 * distance));
    color = [color[0] + glow, color[1] + glow * 0.66, color[2] + glow * 0.30];

    // Thin clouds: wide noise, flattened towards the horizon as perspective does it.
    let far = 1.0 / (0.75 - v).max(0.1);
    let drift = fractal(u * 2.0 * far, v * 9.0 * far, 2, 203) * 0.5;
    let cloud = fractal(u * 1.6 * far + drift, v * 7.5 * far + drift, 5, 211);
    let cover = step(0.50, 0.74, cloud) * 0.75;
    let lit = blend(hex(0x0086_6f8f), hex(0x00ff_d9a8), step(0.55, 0.05, distance));
    color = blend(color, lit, cover);

    let disc = step(0.052, 0.049, distance);
    blend(color, [1.0, 0.97, 0.86], disc)
}

fn water(u: f32, v: f32) -> Color {
    let depth = (v - SHORE) / (1.0 - SHORE);
    // Waves grow towards the viewer; each mirrors a slightly different piece of what stands above.
    let wave = fractal(u * 26.0 / (0.25 + depth), (v - SHORE) * 330.0 / (0.35 + depth), 3, 307) - 0.5;
    let swell = smooth(u * 5.0, depth * 40.0, 311) - 0.5;
    let mirror_v = (SHORE - (v - SHORE) * 0.95 + wave * (0.015 + 0.07 * depth)).clamp(0.02, SHORE - 0.004);
    let mirrored = land(u + (wave * 0.03 + swell * 0.012) * (0.3 + depth), mirror_v);
    let deep = hex(0x0016_2a40);
    let mut color = blend(mirrored, deep, 0.22 + 0.42 * depth);
    let ripple = 0.94 + wave * 0.30;
    color = [color[0] * ripple, color[1] * ripple * 0.96, color[2] * ripple * 0.90];
    let path = 1.0 - step(0.0, 0.05 + 0.12 * depth, (u - SUN.0 * 1.5).abs());
    let glitter = step(0.06, 0.26, wave) * path * (1.0 - 0.55 * depth);
    let shore = step(0.012, 0.0, v - SHORE) * 0.35;
    color = blend(color, [1.0, 0.86, 0.62], glitter * 0.85);
    blend(color, hex(0x001c_2230), shore)
}

/// The near bank with its grass, in the lower left; nothing elsewhere.
fn foreground(u: f32, v: f32) -> Option<Color> {
    let crest = 0.835 + 0.11 * u + 0.07 * (fractal(u * 2.6, 0.5, 4, 401) - 0.5) + 0.16 * step(0.45, 1.25, u);
    let blade = smooth(u * 150.0 + v * 22.0, v * 3.0, 409) * smooth(u * 61.0 - v * 9.0, 0.5, 419);
    if v < crest - 0.075 * blade {
        return None;
    }
    let below = ((v - crest + 0.06) / 0.2).clamp(0.0, 1.0);
    let grass = fractal(u * 90.0 + v * 30.0, v * 34.0, 4, 431);
    let lit = blend(hex(0x0059_5a2c), hex(0x0014_1a16), below);
    let color = lit.map(|c| c * mix(0.45, 1.5, grass));
    Some(blend(color, hex(0x00d9_a54e), 0.30 * step(0.62, 0.85, grass) * (1.0 - below)))
}

fn sun_distance(u: f32, v: f32) -> f32 {
    length(u - SUN.0 * 1.5, v - SUN.1)
}
