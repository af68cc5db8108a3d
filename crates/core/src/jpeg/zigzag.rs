//! The zigzag order (T.81, figure A.6).

/// Row · 8 + column of each coefficient in zigzag order.
pub(super) const NATURAL: [u8; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
    14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39,
    46, 53, 60, 61, 54, 47, 55, 62, 63,
];

/// Where the low N×N coefficients go, row by row, for each place in zigzag order; all others, and places beyond
/// the last, go to N·N.
pub(super) const fn low<const N: usize>() -> [u8; 256] {
    let mut places = [(N * N) as u8; 256];
    let mut k = 0;
    while k < 64 {
        let (row, column) = (NATURAL[k] as usize / 8, NATURAL[k] as usize % 8);
        if row < N && column < N {
            places[k] = (row * N + column) as u8;
        }
        k += 1;
    }
    places
}

/// One more than the place in zigzag order of the last of the low N×N coefficients.
pub(super) const fn needed<const N: usize>() -> u32 {
    let places = low::<N>();
    let mut k = 64;
    while k > 0 && places[k - 1] as usize == N * N {
        k -= 1;
    }
    k as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_a_walk_over_every_place() {
        let mut seen = [false; 64];
        let (mut row, mut column) = (0_i32, 0_i32);
        let mut up = true;
        for place in NATURAL {
            assert_eq!(i32::from(place), row * 8 + column);
            assert!(!core::mem::replace(&mut seen[usize::from(place)], true));
            // Along the diagonal; at an edge one step along it, and back.
            let (next_row, next_column) = if up { (row - 1, column + 1) } else { (row + 1, column - 1) };
            if (0..8).contains(&next_row) && (0..8).contains(&next_column) {
                (row, column) = (next_row, next_column);
            } else {
                let along_row = if up { next_column < 8 } else { next_row >= 8 };
                if along_row {
                    column += 1;
                } else {
                    row += 1;
                }
                up = !up;
            }
        }
        assert_eq!(seen, [true; 64]);
    }

    #[test]
    fn what_each_size_needs() {
        assert_eq!([needed::<1>(), needed::<2>(), needed::<4>(), needed::<8>()], [1, 5, 25, 64]);
        assert_eq!(low::<2>()[..6], [0, 1, 2, 4, 3, 4]);
    }
}
