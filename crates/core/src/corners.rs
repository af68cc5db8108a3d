//! Rounded corners: how much of each pixel lies inside an ellipse's quarter.
//!
//! Each pixel's row is cut into 16 lines; along each the arc's place is known to 1/256 of a pixel. Integers only, so
//! that corners are the same everywhere. No memory.

use crate::geometry::Rect;

/// One of a rectangle's corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Corner {
    pub(crate) right: bool,
    pub(crate) bottom: bool,
}

impl Corner {
    /// All four.
    pub(crate) const ALL: [Corner; 4] = [
        Corner { right: false, bottom: false },
        Corner { right: true, bottom: false },
        Corner { right: false, bottom: true },
        Corner { right: true, bottom: true },
    ];
}

/// Lines of a pixel.
const LINES: u64 = 16;
/// Places of a pixel along a line.
const PLACES: u64 = 256;

/// Calls `paint` with the place (in the picture that `rect` is in) and the cover, 0 to 254, of every pixel of a corner
/// that is not all inside. Radii, across and down, are in halves of a pixel, and at most as long as `rect`.
pub(crate) fn each(
    rect: Rect,
    corner: Corner,
    (across, down): (u32, u32),
    mut paint: impl FnMut(usize, usize, u8),
) {
    if across == 0 || down == 0 {
        return;
    }
    for y in 0..down.div_ceil(2).min(rect.height) {
        let starts = line_starts(y, across, down);
        let place_y = rect.top + if corner.bottom { rect.height - 1 - y } else { y };
        for x in 0..across.div_ceil(2).min(rect.width) {
            let end = u64::from(x + 1) * PLACES;
            let inside: u64 = starts.iter().map(|start| end.saturating_sub(*start).min(PLACES)).sum();
            let cover = ((inside * 255 + LINES * PLACES / 2) / (LINES * PLACES)) as u8;
            if cover == 255 {
                break; // the arc only recedes
            }
            let place_x = rect.left + if corner.right { rect.width - 1 - x } else { x };
            paint(place_x as usize, place_y as usize, cover);
        }
    }
}

/// Where along each line of row `y` the ellipse begins, in 256ths of a pixel from the corner.
fn line_starts(y: u32, across: u32, down: u32) -> [u64; LINES as usize] {
    // Heights are in half lines, so that a line's middle is one: 32 to a pixel, 16 to half of one.
    let radius = u64::from(down) * LINES;
    let width = u64::from(across) * (PLACES / 2);
    core::array::from_fn(|line| {
        let from_corner = u64::from(y) * 2 * LINES + 2 * line as u64 + 1;
        let from_middle = radius.saturating_sub(from_corner);
        // ≤ 2¹⁸ squared and 2¹⁶ times that: 52 bits for a radius of 8192 pixels.
        let root = ((radius * radius - from_middle * from_middle) * PLACES * PLACES).isqrt();
        width - width * root / (radius * PLACES)
    })
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;

    /// The slow twin: of 64×64 points of each pixel, how many lie in the ellipse; in 255ths.
    fn counted(size: (u32, u32), (across, down): (f64, f64)) -> Vec<f64> {
        let mut covers = Vec::new();
        for y in 0..size.1 {
            for x in 0..size.0 {
                let inside = (0..64 * 64_u32).filter(|n| {
                    let px = f64::from(x) + (f64::from(n % 64) + 0.5) / 64.0;
                    let py = f64::from(y) + (f64::from(n / 64) + 0.5) / 64.0;
                    let (dx, dy) = ((across - px) / across, (down - py) / down);
                    dx <= 0.0 || dy <= 0.0 || dx * dx + dy * dy <= 1.0
                });
                covers.push(f64::from(inside.count() as u32) * 255.0 / 4096.0);
            }
        }
        covers
    }

    #[test]
    fn cover_is_the_area_inside() {
        for (across, down) in
            [(1, 1), (2, 2), (3, 3), (9, 9), (20, 20), (41, 41), (10, 30), (31, 7), (40, 16)]
        {
            let size = (across.max(4_u32), down.max(4_u32));
            let mut covers = vec![255; (size.0 * size.1) as usize];
            let corner = Corner { right: false, bottom: false };
            each(Rect::whole(size), corner, (across, down), |x, y, cover| {
                covers[y * size.0 as usize + x] = cover;
            });
            let want = counted(size, (f64::from(across) / 2.0, f64::from(down) / 2.0));
            for (n, (got, want)) in covers.iter().zip(want).enumerate() {
                // Sixteen lines see the flat end of an ellipse less well than the end of a circle.
                assert!(
                    (f64::from(*got) - want).abs() <= if across == down { 2.5 } else { 5.0 },
                    "{across}×{down}, pixel {n}: {got} for {want}"
                );
            }
        }
    }

    #[test]
    fn all_corners_are_mirror_images() {
        let rect = Rect { left: 3, top: 2, width: 11, height: 9 };
        let painted = |corner: Corner| {
            let mut list = Vec::new();
            each(rect, corner, (9, 7), |x, y, cover| {
                let x = if corner.right { 3 + 3 + 10 - x } else { x };
                let y = if corner.bottom { 2 + 2 + 8 - y } else { y };
                list.push((x, y, cover));
            });
            list
        };
        let first = painted(Corner::ALL[0]);
        assert!(first.len() > 5 && first[0] == (3, 2, 0));
        for corner in Corner::ALL {
            assert_eq!(painted(corner), first);
        }
    }

    #[test]
    fn the_largest_radius_does_not_overflow() {
        let mut count = 0;
        each(Rect::whole((16_384, 1)), Corner::ALL[0], (16_384, 16_384), |_, _, _| count += 1);
        assert!(count > 7000);
    }
}
