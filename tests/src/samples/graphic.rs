//! Drawings: a chart, a pane of stained glass, a lens on nothing, and the four-cornered test card.

use super::canvas::{Canvas, Color, blend, hex, length};
use super::noise::{at, mix, step};

const PAPER: Color = hex(0x00fa_f7f0);
const INK: Color = hex(0x0022_2a38);
const SERIES: [u32; 5] = [0x00c8_553d, 0x00f2_a541, 0x002a_7f7f, 0x005b_8e7d, 0x0035_4a6e];

/// A poster with lettering, bars and a line: hard edges and flat colours. 3:2, drawn for 1200×800.
pub(crate) fn chart(width: u32, height: u32) -> Canvas {
    let s = width as f32 / 1200.0;
    let mut canvas = Canvas::filled(width, height, PAPER);
    canvas.rectangle(0.0, 0.0, 1200.0 * s, 150.0 * s, INK);
    letter_line(&mut canvas, "TINTYPE", (60.0 * s, 40.0 * s), (10.0 * s).round().max(1.0), PAPER);
    for (i, color) in SERIES.into_iter().enumerate() {
        canvas.disc(((800.0 + 80.0 * i as f32) * s, 75.0 * s), 30.0 * s, 1.0, hex(color), 1.0);
    }
    for line in 0..6 {
        canvas.rectangle(90.0 * s, (210.0 + 100.0 * line as f32) * s, 1050.0 * s, 2.0 * s, hex(0x00d9_d2c3));
    }
    let heights = [150.0, 235.0, 180.0, 320.0, 275.0, 400.0, 345.0, 455.0, 430.0];
    let mut previous = None;
    for (i, bar) in heights.into_iter().enumerate() {
        let x = 120.0 + 114.0 * i as f32;
        let color = hex(SERIES[i % SERIES.len()]);
        canvas.rectangle(x * s, (711.0 - bar) * s, 72.0 * s, bar * s, color);
        canvas.rectangle(x * s, (711.0 - bar) * s, 72.0 * s, 8.0 * s, blend(color, PAPER, 0.45));
        let point = ((x + 36.0) * s, (660.0 - bar * 0.82 - 20.0 * at(i as i32, 0, 5)) * s);
        if let Some(from) = previous {
            canvas.stroke(from, point, 6.0 * s, INK);
        }
        previous = Some(point);
    }
    for (i, bar) in heights.into_iter().enumerate() {
        let x = 156.0 + 114.0 * i as f32;
        let point = (x * s, (660.0 - bar * 0.82 - 20.0 * at(i as i32, 0, 5)) * s);
        canvas.disc(point, 12.0 * s, 1.0, INK, 1.0);
        canvas.disc(point, 6.5 * s, 1.0, PAPER, 1.0);
    }
    canvas.rectangle(90.0 * s, 711.0 * s, 1050.0 * s, 5.0 * s, INK);
    canvas
}

/// Letters of the one word drawn, seven rows of five dots each, the leftmost dot in bit 4.
const GLYPHS: [(char, [u8; 7]); 6] = [
    ('T', [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100]),
    ('I', [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b11111]),
    ('N', [0b10001, 0b11001, 0b11101, 0b10111, 0b10011, 0b10001, 0b10001]),
    ('Y', [0b10001, 0b10001, 0b01010, 0b00100, 0b00100, 0b00100, 0b00100]),
    ('P', [0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000]),
    ('E', [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111]),
];

fn letter_line(canvas: &mut Canvas, text: &str, at: (f32, f32), dot: f32, color: Color) {
    let (x0, y0) = (at.0.round(), at.1.round());
    for (place, letter) in text.chars().enumerate() {
        let Some((_, rows)) = GLYPHS.iter().find(|(glyph, _)| *glyph == letter) else { continue };
        for (row, bits) in rows.iter().enumerate() {
            for column in (0..5).filter(|column| bits >> (4 - column) & 1 == 1) {
                let x = x0 + (place as f32 * 6.5 + column as f32) * dot;
                canvas.rectangle(x.round(), y0 + row as f32 * dot, dot, dot, color);
            }
        }
    }
}

/// A pane of stained glass in at most 15 colours: palette and index per pixel; index 0 is clear.
pub(crate) fn glass(width: u32, height: u32) -> (Vec<[u8; 3]>, Vec<u8>) {
    const PANES: [u32; 14] = [
        0x001f_1a24,
        0x00b2_3a48,
        0x00fc_b9b2,
        0x00e8_9005,
        0x00f7_d488,
        0x001b_998b,
        0x0085_c7a4,
        0x0022_577a,
        0x0057_a0d3,
        0x003d_348b,
        0x0078_67c9,
        0x00f3_e9d2,
        0x0094_1b0c,
        0x0061_2940,
    ];
    let (w, h) = (width as f32, height as f32);
    let (columns, rows) = (11, 9);
    let seed_of = |column: i32, row: i32| {
        let x = (column as f32 + 0.15 + 0.7 * at(column, row, 901)) * w / columns as f32;
        let y = (row as f32 + 0.15 + 0.7 * at(column, row, 902)) * h / rows as f32;
        (x, y, 2 + (at(column, row, 903) * 12.99) as u8)
    };
    let mut indices = Vec::with_capacity(width as usize * height as usize);
    for y in 0..height {
        for x in 0..width {
            let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
            // An upright oval window: outside it the picture is clear, its frame is the lead.
            let oval = length((px / w - 0.5) * 2.0, (py / h - 0.5) * 2.0);
            if oval > 0.98 {
                indices.push(0);
                continue;
            }
            let (mut first, mut second, mut pane) = (f32::MAX, f32::MAX, 1);
            let (column, row) = ((px / w * columns as f32) as i32, (py / h * rows as f32) as i32);
            for (c, r) in (-2..=2).flat_map(|c| (-2..=2).map(move |r| (column + c, row + r))) {
                let (sx, sy, color) = seed_of(c, r);
                let distance = length(px - sx, py - sy);
                if distance < first {
                    (second, first, pane) = (first, distance, color);
                } else if distance < second {
                    second = distance;
                }
            }
            let lead = second - first < w / 128.0 || oval > 0.94;
            indices.push(if lead { 1 } else { pane });
        }
    }
    let palette =
        std::iter::once([0, 0, 0]).chain(PANES.map(|p| [(p >> 16) as u8, (p >> 8) as u8, p as u8])).collect();
    (palette, indices)
}

/// Three translucent lenses and a marble with a soft shadow, on nothing. 4:3, drawn for 800×600.
pub(crate) fn lenses(width: u32, height: u32) -> Canvas {
    let s = width as f32 / 800.0;
    let mut canvas = Canvas::transparent(width, height);
    canvas.over((400.0 * s, 505.0 * s), (300.0 * s, 70.0 * s), |x, y| {
        let d = length((x / s - 400.0) / 280.0, (y / s - 505.0) / 52.0);
        ([0.05, 0.05, 0.12], 0.5 * (1.0 - step(0.1, 1.0, d)))
    });
    for (x, y, color) in
        [(285.0, 235.0, 0x00e8_4855), (515.0, 235.0, 0x00f9_c22e), (400.0, 395.0, 0x002d_9cdb)]
    {
        let (center, radius) = ((x * s, y * s), 165.0 * s);
        canvas.over(center, (radius, radius), |px, py| {
            let d = length(px - center.0, py - center.1) / radius;
            let rim = step(0.55, 0.97, d);
            (blend(hex(color), [1.0; 3], 0.25 * rim), mix(0.50, 0.86, rim) * (1.0 - step(0.90, 1.0, d)))
        });
    }
    let (center, radius) = ((400.0 * s, 290.0 * s), 82.0 * s);
    canvas.over(center, (radius + 1.0, radius + 1.0), |px, py| {
        let (x, y) = ((px - center.0) / radius, (py - center.1) / radius);
        let d = length(x, y);
        let z = (1.0 - d * d).max(0.0).sqrt();
        let light = (-0.40 * x - 0.60 * y + 0.69 * z).clamp(0.0, 1.0);
        let body = blend(hex(0x0028_1d4f), hex(0x00b7_a5f2), light);
        (blend(body, [1.0; 3], step(0.92, 0.99, light)), ((1.0 - d) * radius + 0.5).clamp(0.0, 1.0))
    });
    canvas
}

/// The test card as it stands upright, 300×200: a red, a green, a blue and a yellow corner (from the top left by
/// rows), and an arrow that points up.
pub(crate) fn card() -> Canvas {
    let (width, height) = CARD;
    let mut canvas = Canvas::painted(width, height, |x, y| {
        let corner = usize::from(x >= width / 2) + 2 * usize::from(y >= height / 2);
        CARD_CORNERS[corner].map(|c| f32::from(c) / 255.0)
    });
    let white = [1.0; 3];
    canvas.disc((150.0, 100.0), 62.0, 1.0, hex(0x0024_2424), 1.0);
    canvas.stroke((150.0, 66.0), (150.0, 138.0), 14.0, white);
    canvas.stroke((150.0, 64.0), (124.0, 92.0), 14.0, white);
    canvas.stroke((150.0, 64.0), (176.0, 92.0), 14.0, white);
    canvas
}

/// Width and height of the upright test card.
pub(crate) const CARD: (u32, u32) = (300, 200);
/// Its corners' colours: top left, top right, bottom left, bottom right.
pub(crate) const CARD_CORNERS: [[u8; 3]; 4] = [[220, 40, 40], [40, 170, 60], [40, 70, 210], [240, 210, 40]];

/// The card as a camera with this EXIF orientation (1 to 8) would have stored it: width, height, RGB.
pub(crate) fn stored_card(orientation: u8) -> (u32, u32, Vec<u8>) {
    let (upright_width, upright_height) = CARD;
    let upright = card().rgb8();
    let (width, height) = if orientation >= 5 { (upright_height, upright_width) } else { CARD };
    let (right, bottom) = (width - 1, height - 1);
    let mut stored = Vec::with_capacity(upright.len());
    for y in 0..height {
        for x in 0..width {
            // Where the stored pixel belongs once the picture stands upright (Exif 2.32, 4.6.4, tag 0x0112).
            let (ux, uy) = match orientation {
                2 => (right - x, y),
                3 => (right - x, bottom - y),
                4 => (x, bottom - y),
                5 => (y, x),
                6 => (bottom - y, x),
                7 => (bottom - y, right - x),
                8 => (y, right - x),
                _ => (x, y),
            };
            debug_assert!(ux < upright_width && uy < upright_height);
            let start = (uy * upright_width + ux) as usize * 3;
            stored.extend_from_slice(&upright[start..start + 3]);
        }
    }
    (width, height, stored)
}
