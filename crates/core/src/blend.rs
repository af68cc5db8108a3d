//! Colours with alpha in 8-bit integers: multiplied, laid over one another, weighed. Every division rounds to the
//! nearest.

use crate::Color;

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

/// [`premultiply`], of one pixel.
pub(crate) fn premultiplied(mut pixel: [u8; 4]) -> [u8; 4] {
    premultiply(&mut pixel);
    pixel
}

/// Straight colour from premultiplied: c · 255 / a, rounded; what cannot be seen is black.
pub(crate) fn unpremultiply([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    let Some(alpha) = core::num::NonZeroU32::new(a.into()) else {
        return [0; 4];
    };
    let straight = |sample: u8| ((u32::from(sample) * 255 + u32::from(a) / 2) / alpha).min(255) as u8;
    [straight(r), straight(g), straight(b), a]
}

/// n / 255, rounded, for n ≤ 255 · 255.
pub(crate) const fn div_255(n: u32) -> u8 {
    let n = n + 128;
    ((n + (n >> 8)) >> 8) as u8
}

/// A premultiplied pixel over a premultiplied one. Overshoot of the filter may leave a colour above its alpha.
pub(crate) fn mix(top: [u8; 4], under: [u8; 4]) -> [u8; 4] {
    let through = 255 - u32::from(top[3]);
    core::array::from_fn(|n| top[n].saturating_add(div_255(u32::from(under[n]) * through)))
}

/// A straight pixel over an opaque one.
pub(crate) fn flattened(top: [u8; 4], under: [u8; 4]) -> [u8; 4] {
    let alpha = u32::from(top[3]);
    core::array::from_fn(|n| div_255(u32::from(top[n]) * alpha + u32::from(under[n]) * (255 - alpha)))
}

/// A colour over another.
pub(crate) fn over(top: Color, under: Color) -> Color {
    if under.alpha == 255 {
        let [red, green, blue, _] = flattened(bytes(top), bytes(under));
        return Color { red, green, blue, alpha: 255 };
    }
    let [red, green, blue, alpha] =
        unpremultiply(mix(premultiplied(bytes(top)), premultiplied(bytes(under))));
    Color { red, green, blue, alpha }
}

/// Red, green, blue, alpha.
pub(crate) const fn bytes(Color { red, green, blue, alpha }: Color) -> [u8; 4] {
    [red, green, blue, alpha]
}

/// Brightness as JPEG weighs it, of 8-bit samples.
pub(crate) fn luma([r, g, b]: [u8; 3]) -> u8 {
    ((77 * u32::from(r) + 150 * u32::from(g) + 29 * u32::from(b) + 128) >> 8) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn brightness_is_between_black_and_white() {
        assert_eq!((luma([0; 3]), luma([255; 3]), luma([128; 3])), (0, 255, 128));
        // 0.299 · 255 = 76.2, 0.587 · 255 = 149.7, 0.114 · 255 = 29.1
        assert_eq!([[255, 0, 0], [0, 255, 0], [0, 0, 255]].map(luma), [77, 149, 29]);
    }

    /// Over something opaque it does not matter which way it is computed.
    #[test]
    fn over_opaque_is_flattened() {
        let under = Color { red: 10, green: 200, blue: 77, alpha: 255 };
        for alpha in 0..=255 {
            let top = Color { red: 255, green: 128, blue: 3, alpha };
            let (a, b) = (bytes(over(top, under)), mix(premultiplied(bytes(top)), bytes(under)));
            assert!(a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 1), "{a:?} {b:?}");
        }
        let clear = Color { red: 9, green: 9, blue: 9, alpha: 0 };
        assert_eq!(over(clear, clear).alpha, 0);
        assert_eq!(over(Color::BLACK, clear), Color::BLACK);
    }
}
