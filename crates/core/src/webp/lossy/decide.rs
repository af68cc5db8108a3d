//! Which intra modes predict a macroblock best: sums of absolute Hadamard coefficients, and bits.
//!
//! The 16×16 and chroma modes are judged without being built: the Hadamard transform of a row or column repeated is
//! 0 but in its first row or column, so the source is transformed once and the four modes share 9 of 16 coefficients.
//! The ten 4×4 modes are judged for all 16 blocks at once, with the source's own samples for the edges inside the
//! macroblock and the reconstruction's at its border.

use super::cost::bit_cost;
use super::predict::{self, EDGES, MODES, PALETTE, PATTERNS};
use super::tables::{CHROMA_MODE_PROBABILITIES, LUMA_MODE_PROBABILITIES, SUBBLOCK_MODE_PROBABILITIES};
use super::transform::{Blocks, hadamard, hadamard_4};

/// The samples around a macroblock's plane of `N` × `N`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Border<const N: usize> {
    pub(super) top: [u8; N],
    pub(super) left: [u8; N],
    pub(super) corner: u8,
    pub(super) has_top: bool,
    pub(super) has_left: bool,
}

impl<const N: usize> Border<N> {
    /// What `DC_PRED` predicts (RFC 6386, 12.2).
    #[inline(always)]
    pub(super) fn dc(&self) -> i16 {
        let sum = |samples: &[u8; N]| samples.iter().map(|&x| u32::from(x)).sum::<u32>();
        let size = N as u32;
        (match (self.has_top, self.has_left) {
            (true, true) => (sum(&self.top) + sum(&self.left) + size) / (2 * size),
            (true, false) => (sum(&self.top) + size / 2) / size,
            (false, true) => (sum(&self.left) + size / 2) / size,
            (false, false) => 128,
        }) as i16
    }
}

/// Costs of modes in the unit of Hadamard sums, for one quantizer.
#[derive(Clone, Debug)]
pub(super) struct ModeCosts {
    /// By 16×16 mode: DC, V, H, TM.
    pub(super) luma: [u32; 4],
    /// Of saying that the modes are 4×4.
    pub(super) subblocks: u32,
    /// By chroma mode.
    pub(super) chroma: [u32; 4],
    /// By 4×4 modes above and to the left, then mode.
    pub(super) subblock: [[[u16; 16]; MODES]; MODES],
}

/// The decisions of 4×4 mode `mode` in its tree (RFC 6386, 11.2), each with the place of its probability.
pub(super) const SUBBLOCK_TREE: [&[(u8, bool)]; MODES] = [
    &[(0, false)],
    &[(0, true), (1, false)],
    &[(0, true), (1, true), (2, false)],
    &[(0, true), (1, true), (2, true), (3, false), (4, false)],
    &[(0, true), (1, true), (2, true), (3, true), (6, false)],
    &[(0, true), (1, true), (2, true), (3, false), (4, true), (5, false)],
    &[(0, true), (1, true), (2, true), (3, false), (4, true), (5, true)],
    &[(0, true), (1, true), (2, true), (3, true), (6, true), (7, false)],
    &[(0, true), (1, true), (2, true), (3, true), (6, true), (7, true), (8, false)],
    &[(0, true), (1, true), (2, true), (3, true), (6, true), (7, true), (8, true)],
];

/// The same of the luma modes DC, V, H, TM and "4×4".
pub(super) const LUMA_TREE: [&[(u8, bool)]; 5] = [
    &[(0, true), (1, false), (2, false)],
    &[(0, true), (1, false), (2, true)],
    &[(0, true), (1, true), (3, false)],
    &[(0, true), (1, true), (3, true)],
    &[(0, false)],
];

/// The same of the chroma modes.
pub(super) const CHROMA_TREE: [&[(u8, bool)]; 4] = [
    &[(0, false)],
    &[(0, true), (1, false)],
    &[(0, true), (1, true), (2, false)],
    &[(0, true), (1, true), (2, true)],
];

impl ModeCosts {
    /// `lambda`: what a bit weighs, in 256ths.
    pub(super) fn new(lambda: u32) -> ModeCosts {
        let cost = |tree: &[(u8, bool)], probabilities: &[u8]| {
            let bits: u32 = tree.iter().map(|&(at, bit)| bit_cost(bit, probabilities[usize::from(at)])).sum();
            (bits * lambda) >> 16
        };
        let mut subblock = [[[0; 16]; MODES]; MODES];
        for (costs, probabilities) in
            subblock.as_flattened_mut().iter_mut().zip(SUBBLOCK_MODE_PROBABILITIES.as_flattened())
        {
            for (cost_of, tree) in costs.iter_mut().zip(SUBBLOCK_TREE) {
                *cost_of = cost(tree, probabilities) as u16;
            }
        }
        ModeCosts {
            luma: core::array::from_fn(|mode| cost(LUMA_TREE[mode], &LUMA_MODE_PROBABILITIES)),
            subblocks: cost(LUMA_TREE[4], &LUMA_MODE_PROBABILITIES),
            chroma: core::array::from_fn(|mode| cost(CHROMA_TREE[mode], &CHROMA_MODE_PROBABILITIES)),
            subblock,
        }
    }
}

/// One edge's samples as first coefficients: block `b`'s four samples transformed, times 4.
#[inline(always)]
fn edge_transform(samples: &[u8], block: usize) -> [i16; 4] {
    let x = |at: usize| i16::from(samples[block * 4 + at]) * 4;
    hadamard_4([x(0), x(1), x(2), x(3)])
}

/// First coefficients of predictions: by mode, of each block's DC; and what all modes share.
struct Sums {
    /// Σ|…| of the coefficients neither in the first row nor the first column, of the first row as it is and less
    /// the top edge's, and the same of the first column.
    shared: u32,
    row: [u32; 2],
    column: [u32; 2],
}

#[inline(always)]
fn sums<const N: usize>(h: &Blocks<N>, tops: &[[i16; N]; 4], lefts: &[[i16; N]; 4]) -> Sums {
    let mut shared = [0_i16; N];
    let mut row = [[0_i16; N]; 2];
    let mut column = [[0_i16; N]; 2];
    for lane in 0..N {
        let mut sum = 0;
        for at in [5, 6, 7, 9, 10, 11, 13, 14, 15] {
            sum += h[at][lane].wrapping_abs();
        }
        shared[lane] = sum;
        let r = |k: usize| h[k][lane];
        let c = |k: usize| h[4 * k][lane];
        row[0][lane] = r(1).wrapping_abs() + r(2).wrapping_abs() + r(3).wrapping_abs();
        row[1][lane] = (r(1) - tops[1][lane]).wrapping_abs()
            + (r(2) - tops[2][lane]).wrapping_abs()
            + (r(3) - tops[3][lane]).wrapping_abs();
        column[0][lane] = c(1).wrapping_abs() + c(2).wrapping_abs() + c(3).wrapping_abs();
        column[1][lane] = (c(1) - lefts[1][lane]).wrapping_abs()
            + (c(2) - lefts[2][lane]).wrapping_abs()
            + (c(3) - lefts[3][lane]).wrapping_abs();
    }
    let total = |lanes: &[i16; N]| lanes.iter().map(|&x| i32::from(x)).sum::<i32>().cast_unsigned();
    Sums {
        shared: total(&shared),
        row: [total(&row[0]), total(&row[1])],
        column: [total(&column[0]), total(&column[1])],
    }
}

/// The best 16×16 luma mode and its cost.
#[inline(never)]
pub(super) fn luma(h: &Blocks<16>, border: &Border<16>, costs: &ModeCosts) -> (u8, u32) {
    let mut tops = [[0; 16]; 4];
    let mut lefts = [[0; 16]; 4];
    for block in 0..4 {
        let (top, left) = (edge_transform(&border.top, block), edge_transform(&border.left, block));
        for k in 0..4 {
            for other in 0..4 {
                tops[k][other * 4 + block] = top[k];
                lefts[k][block * 4 + other] = left[k];
            }
        }
    }
    let sums = sums(h, &tops, &lefts);
    let dc = border.dc() * 16;
    let corner = i16::from(border.corner) * 16;
    // The DCs of each mode's residual go through the second transform.
    let second = |of: [i16; 16]| -> u32 {
        let dcs: [i16; 16] = core::array::from_fn(|lane| (h[0][lane] - of[lane]) >> 2);
        let mut sum = 0;
        let mut t = [[0_i16; 4]; 4];
        for row in 0..4 {
            t[row] = hadamard_4([dcs[row * 4], dcs[row * 4 + 1], dcs[row * 4 + 2], dcs[row * 4 + 3]]);
        }
        for column in 0..4 {
            for x in hadamard_4([t[0][column], t[1][column], t[2][column], t[3][column]]) {
                sum += u32::from(x.unsigned_abs());
            }
        }
        sum
    };
    let cost = [
        sums.row[0] + sums.column[0] + second([dc; 16]),
        sums.row[1] + sums.column[0] + second(tops[0]),
        sums.row[0] + sums.column[1] + second(lefts[0]),
        sums.row[1]
            + sums.column[1]
            + second(core::array::from_fn(|lane| tops[0][lane] + lefts[0][lane] - corner)),
    ];
    best(cost, sums.shared, &costs.luma)
}

#[inline(always)]
fn best(cost: [u32; 4], shared: u32, bits: &[u32; 4]) -> (u8, u32) {
    let mut best = (0, u32::MAX);
    for mode in 0..4 {
        let cost = cost[mode] + shared + bits[mode];
        if cost < best.1 {
            best = (mode as u8, cost);
        }
    }
    best
}

/// The best chroma mode of both planes, whose blocks are lanes 0 to 3 and 4 to 7.
#[inline(never)]
pub(super) fn chroma(h: &Blocks<8>, borders: &[Border<8>; 2], costs: &ModeCosts) -> u8 {
    let mut tops = [[0; 8]; 4];
    let mut lefts = [[0; 8]; 4];
    let mut dcs = [0; 8];
    let mut corners = [0; 8];
    for (plane, border) in borders.iter().enumerate() {
        let dc = border.dc() * 16;
        for block in 0..2 {
            let (top, left) = (edge_transform(&border.top, block), edge_transform(&border.left, block));
            for k in 0..4 {
                for other in 0..2 {
                    tops[k][plane * 4 + other * 2 + block] = top[k];
                    lefts[k][plane * 4 + block * 2 + other] = left[k];
                }
            }
        }
        for lane in 0..4 {
            dcs[plane * 4 + lane] = dc;
            corners[plane * 4 + lane] = i16::from(border.corner) * 16;
        }
    }
    let sums = sums(h, &tops, &lefts);
    let mut dc = [0; 4];
    for lane in 0..8 {
        let x = h[0][lane];
        let (top, left) = (tops[0][lane], lefts[0][lane]);
        for (sum, of) in dc.iter_mut().zip([dcs[lane], top, left, top + left - corners[lane]]) {
            *sum += u32::from((x - of).unsigned_abs());
        }
    }
    let cost = [
        sums.row[0] + sums.column[0] + dc[0],
        sums.row[1] + sums.column[0] + dc[1],
        sums.row[0] + sums.column[1] + dc[2],
        sums.row[1] + sums.column[1] + dc[3],
    ];
    best(cost, sums.shared, &costs.chroma).0
}

/// Σ|Hadamard| of 16 differences.
#[inline(always)]
fn absolute_sum(d: [i16; 16]) -> i16 {
    let mut t = [[0; 4]; 4];
    for row in 0..4 {
        t[row] = hadamard_4([d[row * 4], d[row * 4 + 1], d[row * 4 + 2], d[row * 4 + 3]]);
    }
    let mut sum = 0_i16;
    for column in 0..4 {
        let (x0, x1, x2, x3) = (t[0][column], t[1][column], t[2][column], t[3][column]);
        let (a0, a1, a2, a3) = (x0 + x2, x1 + x3, x1 - x3, x0 - x2);
        // |a + b| + |a − b| is twice the greater of |a| and |b|.
        sum += a0.wrapping_abs().max(a1.wrapping_abs()) + a2.wrapping_abs().max(a3.wrapping_abs());
    }
    sum * 2
}

/// Σ|Hadamard| of all blocks' residuals, by 4×4 mode.
#[inline(always)]
fn subblock_sums(source: &Blocks<16>, border: &Border<16>, right: [u8; 4], out: &mut [[i16; 16]; MODES]) {
    // Edges by block.
    let mut edges = [[0_i16; 16]; EDGES];
    for i in 0..4 {
        // Left: the last column of the block to the left, which is one lane before.
        edges[3 - i][1..].copy_from_slice(&source[i * 4 + 3][..15]);
        // Above: the last row of the block above, four lanes before; beyond it three lanes before.
        edges[5 + i][4..].copy_from_slice(&source[12 + i][..12]);
        edges[9 + i][4..].copy_from_slice(&source[12 + i][1..13]);
        for block in 0..4 {
            edges[3 - i][block * 4] = i16::from(border.left[block * 4 + i]);
            edges[5 + i][block] = i16::from(border.top[block * 4 + i]);
            let beyond = if block < 3 { border.top[block * 4 + 4 + i] } else { right[i] };
            edges[9 + i][block] = i16::from(beyond);
            edges[9 + i][block * 4 + 3] = i16::from(right[i]);
        }
    }
    edges[4][5..].copy_from_slice(&source[15][..11]);
    for block in 1..4 {
        edges[4][block] = i16::from(border.top[block * 4 - 1]);
        edges[4][block * 4] = i16::from(border.left[block * 4 - 1]);
    }
    edges[4][0] = i16::from(border.corner);

    let mut palettes = [[0_i16; 16]; PALETTE];
    for lane in 0..16 {
        let mut edge = [0; EDGES];
        for i in 0..EDGES {
            edge[i] = edges[i][lane];
        }
        let palette = predict::palette(&edge);
        for i in 0..PALETTE {
            palettes[i][lane] = palette[i];
        }
    }
    for lane in 0..16 {
        let mut sum = 4;
        for i in 0..4 {
            sum += edges[i][lane] + edges[5 + i][lane];
        }
        let dc = sum >> 3;
        let mut d = [0; 16];
        for at in 0..16 {
            d[at] = source[at][lane] - dc;
        }
        out[usize::from(predict::DC)][lane] = absolute_sum(d);
    }
    for lane in 0..16 {
        let mut d = [0; 16];
        for at in 0..16 {
            let predicted = edges[3 - at / 4][lane] + edges[5 + at % 4][lane] - edges[4][lane];
            d[at] = source[at][lane] - predicted.clamp(0, 255);
        }
        out[usize::from(predict::TM)][lane] = absolute_sum(d);
    }
    patterned::<2>(source, &palettes, &mut out[2]);
    patterned::<3>(source, &palettes, &mut out[3]);
    patterned::<4>(source, &palettes, &mut out[4]);
    patterned::<5>(source, &palettes, &mut out[5]);
    patterned::<6>(source, &palettes, &mut out[6]);
    patterned::<7>(source, &palettes, &mut out[7]);
    patterned::<8>(source, &palettes, &mut out[8]);
    patterned::<9>(source, &palettes, &mut out[9]);
}

#[inline(always)]
fn patterned<const MODE: usize>(source: &Blocks<16>, palettes: &[[i16; 16]; PALETTE], out: &mut [i16; 16]) {
    for lane in 0..16 {
        let mut d = [0; 16];
        for at in 0..16 {
            d[at] = source[at][lane] - palettes[PATTERNS[MODE][at] as usize][lane];
        }
        out[lane] = absolute_sum(d);
    }
}

/// The best 4×4 modes and their cost; stops at `limit`, which no better cost is left of.
#[inline(never)]
pub(super) fn subblocks(
    source: &Blocks<16>,
    border: &Border<16>,
    right: [u8; 4],
    top_modes: [u8; 4],
    left_modes: [u8; 4],
    costs: &ModeCosts,
    limit: u32,
) -> Option<[u8; 16]> {
    let mut sums = [[0; 16]; MODES];
    subblock_sums(source, border, right, &mut sums);
    let mut modes = [0; 16];
    let mut total = costs.subblocks;
    let mut above = top_modes;
    for row in 0..4 {
        let mut left = left_modes[row];
        for column in 0..4 {
            let block = row * 4 + column;
            let bits = &costs.subblock[usize::from(above[column]) % MODES][usize::from(left) % MODES];
            let mut best = u32::MAX;
            for mode in 0..MODES {
                // Cost and mode in one number: a minimum without a branch.
                let cost =
                    (u32::from(sums[mode][block].cast_unsigned()) + u32::from(bits[mode])) << 4 | mode as u32;
                best = best.min(cost);
            }
            left = (best & 15) as u8;
            above[column] = left;
            modes[block] = left;
            total += best >> 4;
        }
    }
    (total < limit).then_some(modes)
}

/// The Hadamard transform of a macroblock's blocks.
#[inline(always)]
pub(super) fn transformed<const N: usize>(source: &Blocks<N>) -> Blocks<N> {
    let mut out = [[0; N]; 16];
    hadamard(source, &mut out);
    out
}
