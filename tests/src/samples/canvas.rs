//! A picture being painted: premultiplied RGBA in `f32`, and its way to integer samples.

use super::noise;

/// A colour: red, green, blue from 0 to 1.
pub(crate) type Color = [f32; 3];

/// The colour of `0xRRGGBB`.
pub(crate) const fn hex(rgb: u32) -> Color {
    [(rgb >> 16 & 255) as f32 / 255.0, (rgb >> 8 & 255) as f32 / 255.0, (rgb & 255) as f32 / 255.0]
}

/// From `a` at 0 to `b` at 1.
pub(crate) fn blend(a: Color, b: Color, t: f32) -> Color {
    [noise::mix(a[0], b[0], t), noise::mix(a[1], b[1], t), noise::mix(a[2], b[2], t)]
}

/// A picture of premultiplied RGBA pixels.
#[derive(Clone, Debug)]
pub(crate) struct Canvas {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pixels: Vec<[f32; 4]>,
}

impl Canvas {
    /// A canvas that is transparent everywhere.
    pub(crate) fn transparent(width: u32, height: u32) -> Canvas {
        Canvas { width, height, pixels: vec![[0.0; 4]; width as usize * height as usize] }
    }

    /// A canvas of one colour.
    pub(crate) fn filled(width: u32, height: u32, color: Color) -> Canvas {
        Canvas::painted(width, height, |_, _| color)
    }

    /// An opaque canvas whose pixels `shader` computes from their place; on all processors.
    pub(crate) fn painted(width: u32, height: u32, shader: impl Fn(u32, u32) -> Color + Sync) -> Canvas {
        let mut canvas = Canvas::transparent(width, height);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let rows = (height as usize).div_ceil(threads);
        std::thread::scope(|scope| {
            for (band, pixels) in canvas.pixels.chunks_mut(rows * width as usize).enumerate() {
                let shader = &shader;
                scope.spawn(move || {
                    for (i, pixel) in pixels.iter_mut().enumerate() {
                        let (x, y) = (i as u32 % width, (band * rows) as u32 + i as u32 / width);
                        let [r, g, b] = shader(x, y);
                        *pixel = [r, g, b, 1.0];
                    }
                });
            }
        });
        canvas
    }

    /// The premultiplied pixel at a place inside the canvas.
    pub(crate) fn pixel(&self, x: u32, y: u32) -> [f32; 4] {
        self.pixels[y as usize * self.width as usize + x as usize]
    }

    /// Lays `shader`'s colour and opacity over every pixel of the box around `center` that is on the canvas.
    pub(crate) fn over(
        &mut self,
        center: (f32, f32),
        reach: (f32, f32),
        shader: impl Fn(f32, f32) -> (Color, f32),
    ) {
        let span = |c: f32, r: f32, end: u32| {
            let from = (c - r).floor().max(0.0) as u32;
            from..((c + r).ceil().max(0.0) as u32).min(end)
        };
        for y in span(center.1, reach.1, self.height) {
            for x in span(center.0, reach.0, self.width) {
                let (color, alpha) = shader(x as f32 + 0.5, y as f32 + 0.5);
                if alpha > 0.0 {
                    let pixel = &mut self.pixels[y as usize * self.width as usize + x as usize];
                    for (below, above) in pixel.iter_mut().zip([color[0], color[1], color[2], 1.0]) {
                        *below = above * alpha + *below * (1.0 - alpha);
                    }
                }
            }
        }
    }

    /// A rectangle with edges as hard as whole pixels allow.
    pub(crate) fn rectangle(&mut self, x: f32, y: f32, width: f32, height: f32, color: Color) {
        let (half_w, half_h) = (width / 2.0, height / 2.0);
        let (cx, cy) = (x + half_w, y + half_h);
        self.over((cx, cy), (half_w, half_h), |px, py| {
            let inside = (px - cx).abs() <= half_w && (py - cy).abs() <= half_h;
            (color, if inside { 1.0 } else { 0.0 })
        });
    }

    /// A disc with an edge `soft` pixels wide.
    pub(crate) fn disc(&mut self, center: (f32, f32), radius: f32, soft: f32, color: Color, opacity: f32) {
        let reach = radius + soft;
        self.over(center, (reach, reach), |x, y| {
            let distance = length(x - center.0, y - center.1);
            (color, opacity * (1.0 - noise::step(radius - soft / 2.0, radius + soft / 2.0, distance)))
        });
    }

    /// A straight stroke with round ends.
    pub(crate) fn stroke(&mut self, from: (f32, f32), to: (f32, f32), width: f32, color: Color) {
        let center = (f32::midpoint(from.0, to.0), f32::midpoint(from.1, to.1));
        let reach = ((to.0 - from.0).abs() / 2.0 + width, (to.1 - from.1).abs() / 2.0 + width);
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        self.over(center, reach, |x, y| {
            let along = ((x - from.0) * dx + (y - from.1) * dy) / (dx * dx + dy * dy).max(1e-6);
            let along = along.clamp(0.0, 1.0);
            let distance = length(x - from.0 - along * dx, y - from.1 - along * dy);
            (color, (width / 2.0 + 0.5 - distance).clamp(0.0, 1.0))
        });
    }

    /// 8-bit RGB; what is transparent is black.
    pub(crate) fn rgb8(&self) -> Vec<u8> {
        self.pixels.iter().flat_map(|&[r, g, b, _]| [byte(r), byte(g), byte(b)]).collect()
    }

    /// 8-bit RGBA, not premultiplied.
    pub(crate) fn rgba8(&self) -> Vec<u8> {
        self.straight().flat_map(|p| p.map(byte)).collect()
    }

    /// 16-bit RGB, big-endian as PNG stores it.
    pub(crate) fn rgb16(&self) -> Vec<u8> {
        self.pixels.iter().flat_map(|&[r, g, b, _]| [r, g, b].map(word)).flatten().collect()
    }

    /// 16-bit RGBA, not premultiplied, big-endian as PNG stores it.
    pub(crate) fn rgba16(&self) -> Vec<u8> {
        self.straight().flat_map(|p| p.map(word)).flatten().collect()
    }

    /// 8-bit grey.
    pub(crate) fn grey8(&self) -> Vec<u8> {
        self.pixels.iter().map(|&p| byte(luma(p))).collect()
    }

    /// 8-bit grey and alpha, not premultiplied.
    pub(crate) fn grey_alpha8(&self) -> Vec<u8> {
        self.straight().flat_map(|p| [byte(luma(p)), byte(p[3])]).collect()
    }

    /// 8-bit CMYK, 0 for no ink, with as much black as the colour allows.
    pub(crate) fn cmyk8(&self) -> Vec<u8> {
        self.pixels
            .iter()
            .flat_map(|&[r, g, b, _]| {
                let white = r.max(g).max(b).max(1e-3);
                [byte(1.0 - r / white), byte(1.0 - g / white), byte(1.0 - b / white), byte(1.0 - white)]
            })
            .collect()
    }

    fn straight(&self) -> impl Iterator<Item = [f32; 4]> {
        self.pixels.iter().map(|&[r, g, b, a]| if a > 0.0 { [r / a, g / a, b / a, a] } else { [0.0; 4] })
    }
}

/// Brightness of a pixel as JPEG weighs it.
pub(crate) fn luma(pixel: [f32; 4]) -> f32 {
    0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2]
}

/// Distance of a point from the origin.
pub(crate) fn length(x: f32, y: f32) -> f32 {
    (x * x + y * y).sqrt()
}

/// 0…1 as 0…255.
pub(crate) fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

fn word(value: f32) -> [u8; 2] {
    ((value.clamp(0.0, 1.0) * 65_535.0 + 0.5) as u16).to_be_bytes()
}
