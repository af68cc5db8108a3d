//! Borders of one colour found (`trim=border`): pixels in, the rectangle inside them out.
//!
//! A row or column belongs to a border when every pixel of it is the border's colour, within a tolerance of each
//! sample. Rows are taken off first, from the top and the bottom; then columns of the rows that are left. A picture
//! that is border throughout has none. Integers only; no memory.

use crate::Color;
use crate::blend::{div_255, luma};
use crate::geometry::Rect;
use crate::pixels::PixelLayout;

/// What counts as border.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Border {
    /// `None` is the colour of the pixel at `first`.
    pub(crate) color: Option<Color>,
    pub(crate) first: (u32, u32),
    pub(crate) tolerance: u8,
}

/// What lies inside the borders of `pixels`, which are `size` and, with alpha, premultiplied.
pub(crate) fn inside(pixels: &[u8], layout: PixelLayout, size: (u32, u32), border: Border) -> Rect {
    let channels = layout.channels();
    let (width, height) = (size.0 as usize, size.1 as usize);
    let at = |x: usize, y: usize| &pixels[(y * width + x) * channels..][..channels];

    let mut wanted = [0; 4];
    match border.color {
        Some(color) => wanted = samples_of(color, layout),
        None => wanted[..channels].copy_from_slice(at(border.first.0 as usize, border.first.1 as usize)),
    }
    let is_border = |pixel: &[u8]| pixel.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= border.tolerance);

    let is_row = |y: usize| (0..width).all(|x| is_border(at(x, y)));
    let Some(top) = (0..height).find(|y| !is_row(*y)) else { return Rect::whole(size) };
    // There is such a row: `top`, if no other.
    let bottom = (top..height).rev().find(|y| !is_row(*y)).unwrap_or(top);
    let is_column = |x: usize| (top..=bottom).all(|y| is_border(at(x, y)));
    let left = (0..width).find(|x| !is_column(*x)).unwrap_or(0);
    let right = (left..width).rev().find(|x| !is_column(*x)).unwrap_or(left);
    Rect {
        left: left as u32,
        top: top as u32,
        width: (right - left + 1) as u32,
        height: (bottom - top + 1) as u32,
    }
}

/// A colour as pixels of a layout hold it.
fn samples_of(Color { red, green, blue, alpha }: Color, layout: PixelLayout) -> [u8; 4] {
    let multiplied = |sample: u8| div_255(u32::from(sample) * u32::from(alpha));
    match layout {
        PixelLayout::Grey => [luma([red, green, blue]), 0, 0, 0],
        PixelLayout::Rgb => [red, green, blue, 0],
        PixelLayout::Rgba => [multiplied(red), multiplied(green), multiplied(blue), alpha],
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;

    const WHITE: Border = Border { color: Some(Color::WHITE), first: (0, 0), tolerance: 10 };

    /// A grey picture of `#` (dark), `+` (within the tolerance) and anything else (white).
    fn grey(rows: &[&str]) -> (Vec<u8>, (u32, u32)) {
        let shade = |byte| match byte {
            b'#' => 20,
            b'+' => 246,
            _ => 255,
        };
        (rows.concat().bytes().map(shade).collect(), (rows[0].len() as u32, rows.len() as u32))
    }

    fn found(rows: &[&str], border: Border) -> (u32, u32, u32, u32) {
        let (pixels, size) = grey(rows);
        let Rect { left, top, width, height } = inside(&pixels, PixelLayout::Grey, size, border);
        (left, top, width, height)
    }

    #[test]
    fn borders_are_found_from_each_side() {
        assert_eq!(found(&["......", "..##..", ".###..", "......"], WHITE), (1, 1, 3, 2));
        assert_eq!(found(&["++++++", "+.##..", ".###++", "......"], WHITE), (1, 1, 3, 2));
        assert_eq!(found(&["#..", "..#"], WHITE), (0, 0, 3, 2));
        assert_eq!(found(&["...", ".#.", "..."], WHITE), (1, 1, 1, 1));
        assert_eq!(found(&["...", "..."], WHITE), (0, 0, 3, 2), "nothing but border");
        assert_eq!(found(&[".+#"], Border { tolerance: 8, ..WHITE }), (1, 0, 2, 1));
        assert_eq!(found(&[".+#"], Border { tolerance: 9, ..WHITE }), (2, 0, 1, 1));
    }

    #[test]
    fn the_colour_is_the_first_pixels_unless_given() {
        let sampled = Border { color: None, ..WHITE };
        assert_eq!(found(&["####", "#..#", "####"], sampled), (1, 1, 2, 1));
        assert_eq!(found(&["####", "#..#", "####"], WHITE), (0, 0, 4, 3));
        assert_eq!(found(&["...#", "...#"], Border { first: (3, 0), ..sampled }), (0, 0, 3, 2));
    }

    #[test]
    fn transparency_is_a_colour() {
        let clear = Color { red: 9, green: 9, blue: 9, alpha: 0 };
        let mut pixels = vec![0; 4 * 9];
        pixels[4 * 4..][..4].copy_from_slice(&[5, 5, 5, 40]);
        let rect = inside(
            &pixels,
            PixelLayout::Rgba,
            (3, 3),
            Border { color: Some(clear), first: (0, 0), tolerance: 10 },
        );
        assert_eq!(rect, Rect { left: 1, top: 1, width: 1, height: 1 });
    }
}
