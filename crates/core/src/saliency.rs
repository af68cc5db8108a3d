//! Where there is the most to see (`g=auto`): pixels in, the place of a crop along one axis out.
//!
//! Each pixel is given points for its edges, its saturation, and for a colour that skin may have; the points are
//! summed by column (or row), and the window with the largest sum wins, a little less the farther it is from the
//! middle. Integers only, so that it is the same window everywhere; sums do not depend on which way the picture is
//! stored. Memory: 8 bytes for each column, given by the caller ([`workspace_len`]).

use crate::blend::luma;
use crate::geometry::Rect;
use crate::pixels::PixelLayout;

/// Points for a level of brightness between a pixel's neighbours, across and down.
const EDGE: u32 = 4;
/// Points for a level between a pixel's largest and smallest sample.
const SATURATION: u32 = 1;
/// Points for the colour of skin: as for a strong edge.
const SKIN: u32 = 300;
/// A window at the end of the axis counts this share less than one in the middle.
const OFF_CENTER: u128 = 32;

const SUM_LEN: usize = 8;

/// Bytes of scratch for a picture of this size.
pub(crate) const fn workspace_len((width, height): (u32, u32)) -> u64 {
    let longer = if width > height { width } else { height };
    longer as u64 * SUM_LEN as u64
}

/// An axis of a picture, and whether upright it runs the other way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    pub(crate) horizontal: bool,
    pub(crate) reversed: bool,
}

/// The part of `area` in `pixels` to keep, `len` of its columns (or rows) long: where it starts, and the last place
/// where it could. `pixels` are `size` and, with alpha, premultiplied.
pub(crate) fn best(
    pixels: &[u8],
    layout: PixelLayout,
    size: (u32, u32),
    area: Rect,
    axis: Axis,
    len: u32,
    scratch: &mut [u8],
) -> (u32, u32) {
    let count = if axis.horizontal { area.width } else { area.height };
    let (sums, _) = scratch.as_chunks_mut::<SUM_LEN>();
    let sums = &mut sums[..count as usize];
    sums.fill([0; SUM_LEN]);
    match layout {
        PixelLayout::Grey => add::<1>(pixels, size, area, axis, sums),
        PixelLayout::Rgb => add::<3>(pixels, size, area, axis, sums),
        PixelLayout::Rgba => add::<4>(pixels, size, area, axis, sums),
    }
    let len = len.clamp(1, count);
    let last = count - len;
    let start = best_window(sums, len as usize, axis.reversed);
    (start, last)
}

/// Where the window with the most points starts.
fn best_window(sums: &[[u8; SUM_LEN]], len: usize, reversed: bool) -> u32 {
    let last = sums.len() - len;
    // Places in the upright picture's order, so that of equals the same one is taken however it is stored.
    let sum_at = |place: usize| {
        u128::from(u64::from_ne_bytes(sums[if reversed { sums.len() - 1 - place } else { place }]))
    };
    let mut points: u128 = (0..len).map(sum_at).sum();
    let mut best = (0, 0, 0);
    for start in 0..=last {
        if start > 0 {
            points = points + sum_at(start + len - 1) - sum_at(start - 1);
        }
        let off_center = (2 * start).abs_diff(last);
        let worth = points * (OFF_CENTER * last.max(1) as u128 - off_center as u128);
        // Of equals the one nearer to the middle.
        let candidate = (worth, last - off_center, start);
        if start == 0 || (candidate.0, candidate.1) > (best.0, best.1) {
            best = candidate;
        }
    }
    (if reversed { last - best.2 } else { best.2 }) as u32
}

/// Adds every pixel's points to its column or row.
fn add<const N: usize>(pixels: &[u8], size: (u32, u32), area: Rect, axis: Axis, sums: &mut [[u8; SUM_LEN]]) {
    let (pixels, _) = pixels.as_chunks::<N>();
    let width = size.0 as usize;
    let (columns, rows) = (area.width as usize, area.height as usize);
    let at = |x: usize, y: usize| &pixels[(area.top as usize + y) * width + area.left as usize + x];
    let bright = |x: usize, y: usize| luma_of(at(x, y));
    for y in 0..rows {
        for x in 0..columns {
            let across = bright((x + 1).min(columns - 1), y).abs_diff(bright(x.saturating_sub(1), y));
            let down = bright(x, (y + 1).min(rows - 1)).abs_diff(bright(x, y.saturating_sub(1)));
            let points = EDGE * (u32::from(across) + u32::from(down)) + points_of_color(at(x, y));
            let sum = &mut sums[if axis.horizontal { x } else { y }];
            *sum = (u64::from_ne_bytes(*sum) + u64::from(points)).to_ne_bytes();
        }
    }
}

fn luma_of<const N: usize>(pixel: &[u8; N]) -> u8 {
    match *pixel.as_slice() {
        [r, g, b, ..] => luma([r, g, b]),
        [grey, ..] => grey,
        [] => 0,
    }
}

fn points_of_color<const N: usize>(pixel: &[u8; N]) -> u32 {
    let [r, g, b, ..] = *pixel.as_slice() else { return 0 };
    let saturation = r.max(g).max(b) - r.min(g).min(b);
    // Kovač, Peer, Solina: skin under uniform daylight.
    let skin = r > 95 && g > 40 && b > 20 && saturation > 15 && r > b && r > g && r - g > 15;
    SATURATION * u32::from(saturation) + if skin { SKIN } else { 0 }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;

    const ACROSS: Axis = Axis { horizontal: true, reversed: false };

    fn start(pixels: &[u8], layout: PixelLayout, size: (u32, u32), axis: Axis, len: u32) -> u32 {
        let mut scratch = vec![0xa5; workspace_len(size) as usize];
        best(pixels, layout, size, Rect::whole(size), axis, len, &mut scratch).0
    }

    /// 40×10 grey with a patch of another colour, two columns wide, from column `x`.
    fn patch(x: usize, color: [u8; 3]) -> Vec<u8> {
        let mut pixels = vec![128; 40 * 10 * 3];
        for (n, pixel) in pixels.chunks_exact_mut(3).enumerate() {
            if (x..x + 2).contains(&(n % 40)) {
                pixel.copy_from_slice(&color);
            }
        }
        pixels
    }

    #[test]
    fn the_window_holds_what_there_is_to_see() {
        for color in [[255, 255, 255], [0, 0, 0], [220, 60, 60], [224, 172, 138]] {
            // At the very side, where a column has one neighbour, there may be nothing to see.
            for x in 1..37 {
                let start = start(&patch(x, color), PixelLayout::Rgb, (40, 10), ACROSS, 10) as usize;
                assert!((start..start + 10).contains(&x), "{color:?} at {x}: {start}");
                assert!((start..start + 10).contains(&(x + 1)), "{color:?} at {x}: {start}");
            }
        }
    }

    #[test]
    fn where_nothing_stands_out_it_is_the_middle() {
        for reversed in [false, true] {
            let axis = Axis { horizontal: true, reversed };
            assert_eq!(
                start(&[7; 41 * 3], PixelLayout::Grey, (41, 3), axis, 10),
                if reversed { 16 } else { 15 }
            );
            assert_eq!(start(&[7; 40 * 3], PixelLayout::Grey, (40, 3), axis, 10), 15);
        }
    }

    /// Mirrored or turned, the same picture is cropped at the same place of what it shows.
    #[test]
    fn it_does_not_matter_how_the_picture_is_stored() {
        for x in [0, 7, 19, 31, 38] {
            let upright = patch(x, [250, 10, 10]);
            let kept = start(&upright, PixelLayout::Rgb, (40, 10), ACROSS, 13);
            let at = |x: usize, y: usize| upright[(y * 40 + x) * 3..][..3].to_vec();
            let mirrored: Vec<u8> = (0..10)
                .flat_map(|y| (0..40).flat_map(move |x| [(39 - x, y)]))
                .flat_map(|(x, y)| at(x, y))
                .collect();
            let reversed = Axis { reversed: true, ..ACROSS };
            assert_eq!(start(&mirrored, PixelLayout::Rgb, (40, 10), reversed, 13), 27 - kept);
            let transposed: Vec<u8> =
                (0..40).flat_map(|x| (0..10).map(move |y| (x, y))).flat_map(|(x, y)| at(x, y)).collect();
            let down = Axis { horizontal: false, reversed: false };
            assert_eq!(start(&transposed, PixelLayout::Rgb, (10, 40), down, 13), kept);
        }
    }

    /// Colour by colour against the sentence that defines it, written out.
    #[test]
    fn skin_of_every_shade_counts_and_sky_and_leaves_do_not() {
        for skin in [[255, 219, 172], [224, 172, 105], [198, 134, 66], [141, 85, 36]] {
            assert!(points_of_color(&skin) >= SKIN, "{skin:?}");
        }
        for other in [[120, 170, 230], [60, 120, 40], [128, 128, 128], [255, 255, 255], [0, 0, 0]] {
            assert!(points_of_color(&other) < SKIN, "{other:?}");
        }
    }
}
