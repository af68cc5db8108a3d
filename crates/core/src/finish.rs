//! The thumbnail turned upright and made into what its encoder takes.
//!
//! In: the scaled picture, as stored. Out: the upright picture in the encoder's layout. Alpha is premultiplied
//! when the picture was resampled, straight when it was copied.

use crate::geometry::Turn;
use crate::pixels::PixelLayout;
use crate::{Format, Orientation};

/// The scaled picture: its layout, its size as stored, its alpha, and its orientation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaled {
    pub(crate) layout: PixelLayout,
    pub(crate) size: (u32, u32),
    pub(crate) premultiplied: bool,
    pub(crate) orientation: Orientation,
}

/// The layout an encoder is given for pixels decoded as `decoded`; narrower if the alpha proves opaque.
pub(crate) const fn encoder_layout(decoded: PixelLayout, format: Format) -> PixelLayout {
    match (decoded, format) {
        (PixelLayout::Rgba, Format::Jpeg) => PixelLayout::Rgb, // flattened
        (layout, _) => layout,
    }
}

/// Multiplies colour by alpha, in place: a resize must not mix in the colour of what cannot be seen.
pub(crate) fn premultiply(rgba: &mut [u8]) {
    for pixel in rgba.chunks_exact_mut(4) {
        let alpha = u32::from(pixel[3]);
        if alpha != 255 {
            for sample in &mut pixel[..3] {
                *sample = div_255(u32::from(*sample) * alpha);
            }
        }
    }
}

/// Whether nothing is transparent.
pub(crate) fn is_opaque(rgba: &[u8]) -> bool {
    rgba.chunks_exact(4).all(|pixel| pixel[3] == 255)
}

/// Writes the upright picture in layout `to` (which [`encoder_layout`] gave) into `target`.
pub(crate) fn finish(scaled: Scaled, source: &[u8], to: PixelLayout, target: &mut [u8]) {
    let premultiplied = scaled.premultiplied;
    match (scaled.layout, to) {
        (PixelLayout::Grey, _) => turn(scaled, source, target, |pixel: [u8; 1]| pixel),
        (PixelLayout::Rgb, _) => turn(scaled, source, target, |pixel: [u8; 3]| pixel),
        (PixelLayout::Rgba, PixelLayout::Rgb) if premultiplied => {
            turn(scaled, source, target, |[r, g, b, a]: [u8; 4]| {
                // Overshoot of the filter may leave a colour above its alpha.
                [r, g, b].map(|sample| sample.saturating_add(255 - a))
            });
        }
        (PixelLayout::Rgba, PixelLayout::Rgb) => turn(scaled, source, target, |[r, g, b, a]: [u8; 4]| {
            [r, g, b].map(|sample| div_255(u32::from(sample) * u32::from(a) + 255 * (255 - u32::from(a))))
        }),
        (PixelLayout::Rgba, _) if premultiplied => turn(scaled, source, target, unpremultiply),
        (PixelLayout::Rgba, _) => turn(scaled, source, target, |pixel: [u8; 4]| pixel),
    }
}

/// Straight colour from premultiplied: c · 255 / a, rounded; what cannot be seen is black.
fn unpremultiply([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    let Some(alpha) = core::num::NonZeroU32::new(a.into()) else {
        return [0; 4];
    };
    let straight = |sample: u8| ((u32::from(sample) * 255 + u32::from(a) / 2) / alpha).min(255) as u8;
    [straight(r), straight(g), straight(b), a]
}

/// n / 255, rounded, for n ≤ 255 · 255.
const fn div_255(n: u32) -> u8 {
    let n = n + 128;
    ((n + (n >> 8)) >> 8) as u8
}

/// Copies the picture upright, each pixel through `convert`.
fn turn<const N: usize, const M: usize>(
    scaled: Scaled,
    source: &[u8],
    target: &mut [u8],
    convert: impl Fn([u8; N]) -> [u8; M],
) {
    let (source, _) = source.as_chunks::<N>();
    let (target, _) = target.as_chunks_mut::<M>();
    let (width, height) = (scaled.size.0 as usize, scaled.size.1 as usize);
    let Turn { swap, flip_x, flip_y } = Turn::of(scaled.orientation);
    let upright_width = if swap { height } else { width };
    for (y, row) in target.chunks_exact_mut(upright_width).enumerate() {
        for (x, pixel) in row.iter_mut().enumerate() {
            let (x, y) = if swap { (y, x) } else { (x, y) };
            let x = if flip_x { width - 1 - x } else { x };
            let y = if flip_y { height - 1 - y } else { y };
            *pixel = convert(source[y * width + x]);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    const fn scaled(layout: PixelLayout, size: (u32, u32), orientation: Orientation) -> Scaled {
        Scaled { layout, size, premultiplied: true, orientation }
    }

    /// The stored picture is 3×2: 1 2 3 over 4 5 6. What EXIF says of rows and columns, written out by hand.
    #[test]
    fn all_eight_orientations() {
        let stored = [1, 2, 3, 4, 5, 6];
        let upright: [[u8; 6]; 8] = [
            [1, 2, 3, 4, 5, 6],
            [3, 2, 1, 6, 5, 4],
            [6, 5, 4, 3, 2, 1],
            [4, 5, 6, 1, 2, 3],
            [1, 4, 2, 5, 3, 6],
            [4, 1, 5, 2, 6, 3],
            [6, 3, 5, 2, 4, 1],
            [3, 6, 2, 5, 1, 4],
        ];
        for (orientation, want) in Orientation::ALL.into_iter().zip(upright) {
            let mut target = [0; 6];
            finish(scaled(PixelLayout::Grey, (3, 2), orientation), &stored, PixelLayout::Grey, &mut target);
            assert_eq!(target, want, "{orientation:?}");
        }
    }

    #[test]
    fn rounding_division_is_exact() {
        for n in 0..=255 * 255_u32 {
            assert_eq!(u32::from(div_255(n)), (2 * n + 255) / 510, "{n} / 255");
        }
    }

    /// Opaque pixels survive the round trip unchanged; others within what their alpha can hold.
    #[test]
    fn premultiplied_round_trip() {
        for alpha in 0..=255_u8 {
            for sample in 0..=255_u8 {
                let mut pixel = [sample, 255 - sample, 0, alpha];
                premultiply(&mut pixel);
                let [r, _, _, a] = unpremultiply(pixel);
                let slack = if alpha == 0 { 255 } else { 255_u32.div_ceil(2 * u32::from(alpha)) };
                assert_eq!(a, alpha);
                assert!(u32::from(r.abs_diff(sample)) <= slack, "{sample} at alpha {alpha} gives {r}");
            }
        }
    }

    #[test]
    fn flattening_before_and_after_premultiplying_agree() {
        let layout = PixelLayout::Rgba;
        for alpha in [0, 1, 77, 128, 254, 255] {
            for sample in [0, 1, 100, 255] {
                let straight = [sample, sample, sample, alpha];
                let mut multiplied = straight;
                premultiply(&mut multiplied);
                let (mut a, mut b) = (vec![0; 3], vec![0; 3]);
                let upright = scaled(layout, (1, 1), Orientation::Upright);
                finish(Scaled { premultiplied: false, ..upright }, &straight, PixelLayout::Rgb, &mut a);
                finish(upright, &multiplied, PixelLayout::Rgb, &mut b);
                assert!(a[0].abs_diff(b[0]) <= 1, "{straight:?}: {} and {}", a[0], b[0]);
            }
        }
    }
}
