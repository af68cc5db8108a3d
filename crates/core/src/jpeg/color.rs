//! Components to grey or RGB, on integers: the same everywhere.

use crate::JpegColor;

/// A row of pixels (grey, or red, green and blue) from the row of each component; `rows` holds as many as the
/// colour space has, each as long as there are pixels.
pub(crate) fn to_pixels(color: JpegColor, rows: [&[u8]; 4], pixels: &mut [u8]) {
    let [a, b, c, d] = rows;
    match color {
        JpegColor::Grey => pixels.copy_from_slice(a),
        JpegColor::Rgb => three(a, b, c, pixels, |pixel| pixel),
        JpegColor::YCbCr => three(a, b, c, pixels, rgb_of_ycbcr),
        JpegColor::Cmyk => four(rows, pixels, |[c, m, y, k]| [c, m, y].map(|ink| under_black(ink, k))),
        JpegColor::Ycck => four([a, b, c, d], pixels, |[y, cb, cr, k]| {
            rgb_of_ycbcr([y, cb, cr]).map(|ink| under_black(255 - ink, k))
        }),
    }
}

fn three(a: &[u8], b: &[u8], c: &[u8], pixels: &mut [u8], convert: impl Fn([u8; 3]) -> [u8; 3]) {
    let (pixels, _) = pixels.as_chunks_mut::<3>();
    for (((pixel, &a), &b), &c) in pixels.iter_mut().zip(a).zip(b).zip(c) {
        *pixel = convert([a, b, c]);
    }
}

fn four([a, b, c, d]: [&[u8]; 4], pixels: &mut [u8], convert: impl Fn([u8; 4]) -> [u8; 3]) {
    let (pixels, _) = pixels.as_chunks_mut::<3>();
    for ((((pixel, &a), &b), &c), &d) in pixels.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        *pixel = convert([a, b, c, d]);
    }
}

/// T.871, 7: the inverse of full-range BT.601, factors in 65536ths.
fn rgb_of_ycbcr([y, cb, cr]: [u8; 3]) -> [u8; 3] {
    let y = (i32::from(y) << 16) + (1 << 15);
    let (cb, cr) = (i32::from(cb) - 128, i32::from(cr) - 128);
    let sample = |sum: i32| (sum >> 16).clamp(0, 255) as u8;
    [sample(y + 91_881 * cr), sample(y - 22_554 * cb - 46_802 * cr), sample(y + 116_130 * cb)]
}

/// What an ink lets through, and black over it; both are stored inverted, as Adobe does, so that 255 is none.
fn under_black(ink: u8, black: u8) -> u8 {
    let product = u32::from(ink) * u32::from(black) + 128;
    ((product + (product >> 8)) >> 8) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every triple within half a level of T.871's formula.
    #[test]
    fn ycbcr_is_the_formula() {
        for y in (0..=255).step_by(5) {
            for cb in 0..=255_u8 {
                for cr in 0..=255_u8 {
                    let [red, green, blue] = rgb_of_ycbcr([y, cb, cr]).map(f64::from);
                    let (l, b, r) = (f64::from(y), f64::from(cb) - 128.0, f64::from(cr) - 128.0);
                    let near =
                        |sample: f64, formula: f64| (sample - formula.clamp(0.0, 255.0)).abs() <= 0.505;
                    assert!(near(red, l + 1.402 * r), "{y} {cb} {cr}");
                    assert!(near(green, l - 0.114 * 1.772 / 0.587 * b - 0.299 * 1.402 / 0.587 * r));
                    assert!(near(blue, l + 1.772 * b), "{y} {cb} {cr}");
                }
            }
        }
    }

    #[test]
    fn inks() {
        let mut pixel = [0; 3];
        to_pixels(JpegColor::Cmyk, [&[255], &[128], &[0], &[255]], &mut pixel);
        assert_eq!(pixel, [255, 128, 0]);
        to_pixels(JpegColor::Cmyk, [&[255], &[128], &[0], &[51]], &mut pixel);
        assert_eq!(pixel, [51, 26, 0]);
        // Luma 0 without colour is no ink, since the first three are inverted once more.
        to_pixels(JpegColor::Ycck, [&[0], &[128], &[128], &[255]], &mut pixel);
        assert_eq!(pixel, [255; 3]);
        to_pixels(JpegColor::Ycck, [&[55], &[128], &[128], &[255]], &mut pixel);
        assert_eq!(pixel, [200; 3]);
    }
}
