//! Intra prediction of 4×4 blocks (RFC 6386, 12.3): ten modes over thirteen edge samples.
//!
//! All modes but `DC` and `TM` put, at each of the 16 positions, one of 27 smoothed edge samples: the *palette*. A
//! mode is then a table of 16 places in it, for one block as for many.

/// The 4×4 modes, in the specification's order.
pub(super) const DC: u8 = 0;
pub(super) const TM: u8 = 1;
pub(super) const VE: u8 = 2;
pub(super) const HE: u8 = 3;

/// The number of 4×4 modes.
pub(super) const MODES: usize = 10;

/// Edge samples: L3 L2 L1 L0, the corner P, A0 … A7 (the left column upwards, then the row above).
pub(super) const EDGES: usize = 13;

/// Places in the palette: `AVG3 + i` is (e[i − 1] + 2e[i] + e[i + 1] + 2) / 4 for i from 1 to 11, the two ends
/// repeat their last sample; `AVG2 + i` is (e[i] + e[i + 1] + 1) / 2 for i from 0 to 11.
const AVG3: u8 = 0;
const AVG2: u8 = 13;
/// L3 itself.
const LAST_LEFT: u8 = 25;
/// Entries of the palette.
pub(super) const PALETTE: usize = 26;

/// Places in the palette by mode and raster position; those of `DC` and `TM` are not used.
pub(super) const PATTERNS: [[u8; 16]; MODES] = patterns();

const fn two(i: u8) -> u8 {
    AVG2 + i
}

const fn three(i: u8) -> u8 {
    AVG3 + i
}

const fn patterns() -> [[u8; 16]; MODES] {
    // E[4] is P, so A[i] is E[5 + i] and L[i] is E[3 − i].
    let mut table = [[0; 16]; MODES];
    let mut at = 0_u8;
    while at < 16 {
        let (row, column) = (at / 4, at % 4);
        let place = at as usize;
        table[2][place] = AVG3 + 5 + column; // VE
        table[3][place] = AVG3 + 3 - row; // HE
        table[4][place] = AVG3 + 6 + row + column; // LD
        table[5][place] = AVG3 + 4 + column - row; // RD
        at += 1;
    }
    // The others alternate averages of two and of three, as the specification lists them row by row.
    table[6] = [
        // VR
        two(4),
        two(5),
        two(6),
        two(7),
        three(4),
        three(5),
        three(6),
        three(7),
        three(3),
        two(4),
        two(5),
        two(6),
        three(2),
        three(4),
        three(5),
        three(6),
    ];
    table[7] = [
        // VL
        two(5),
        two(6),
        two(7),
        two(8),
        three(6),
        three(7),
        three(8),
        three(9),
        two(6),
        two(7),
        two(8),
        three(10),
        three(7),
        three(8),
        three(9),
        three(11),
    ];
    table[8] = [
        // HD
        two(3),
        three(4),
        three(5),
        three(6),
        two(2),
        three(3),
        two(3),
        three(4),
        two(1),
        three(2),
        two(2),
        three(3),
        two(0),
        three(1),
        two(1),
        three(2),
    ];
    table[9] = [
        // HU
        two(2),
        three(2),
        two(1),
        three(1),
        two(1),
        three(1),
        two(0),
        three(0),
        two(0),
        three(0),
        LAST_LEFT,
        LAST_LEFT,
        LAST_LEFT,
        LAST_LEFT,
        LAST_LEFT,
        LAST_LEFT,
    ];
    table
}

/// The palette of an edge.
#[inline(always)]
pub(super) fn palette(edge: &[i16; EDGES]) -> [i16; PALETTE] {
    let mut out = [0; PALETTE];
    let three = |a: i16, b: i16, c: i16| (a + 2 * b + c + 2) >> 2;
    // HU and HE end with L3 repeated, LD with A7 repeated.
    out[0] = three(edge[1], edge[0], edge[0]);
    for i in 1..12 {
        out[i] = three(edge[i - 1], edge[i], edge[i + 1]);
    }
    out[12] = three(edge[11], edge[12], edge[12]);
    for i in 0..12 {
        out[13 + i] = (edge[i] + edge[i + 1] + 1) >> 1;
    }
    out[25] = edge[0];
    out
}

/// Predicts one block.
#[inline(always)]
pub(super) fn block(mode: u8, edge: &[u8; EDGES]) -> [u8; 16] {
    let edge = edge.map(i16::from);
    match mode {
        DC => [((edge[..4].iter().sum::<i16>() + edge[5..9].iter().sum::<i16>() + 4) >> 3) as u8; 16],
        TM => core::array::from_fn(|at| (edge[3 - at / 4] + edge[5 + at % 4] - edge[4]).clamp(0, 255) as u8),
        mode => {
            let palette = palette(&edge);
            let mut bytes = [0; 32];
            for (byte, &sample) in bytes.iter_mut().zip(&palette) {
                *byte = sample as u8;
            }
            PATTERNS[usize::from(mode) % MODES].map(|place| bytes[usize::from(place & 31)])
        }
    }
}
