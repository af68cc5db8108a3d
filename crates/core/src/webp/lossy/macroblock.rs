//! One macroblock: modes decided, residuals transformed and quantized, the border for its neighbours reconstructed.

use super::block;
use super::decide::{self, Border, ModeCosts};
use super::predict;
use super::quantizer::{Matrix, Quantizer};
use super::tables::ZIGZAG;
use super::transform::{self, Blocks};

/// Levels of a macroblock: 16 luma blocks, 8 of chroma, the second-order block.
///
/// With a 16×16 mode, luma is by raster position, then block; with 4×4 modes by block, then position. Chroma, from
/// [`CHROMA_AT`], is by position, then block (four of Cb, four of Cr); the second-order block is at [`SECOND_AT`].
pub(super) const LEVELS: usize = 400;
pub(super) const CHROMA_AT: usize = 256;
pub(super) const SECOND_AT: usize = 384;

/// What is kept of a macroblock besides its levels; see the constants for the places.
pub(super) type Info = [u8; 48];
/// 16 4×4 modes; those a 16×16 mode implies for its neighbours' contexts.
pub(super) const SUBBLOCK_MODES: usize = 0;
/// The luma mode, 0 to 3, or [`SUBBLOCKS`].
pub(super) const LUMA_MODE: usize = 16;
/// The chroma mode, 0 to 3.
pub(super) const CHROMA_MODE: usize = 17;
/// 1 where no level is other than 0.
pub(super) const SKIP: usize = 18;
/// 1 where the last second-order block above or here had levels.
pub(super) const SECOND_CONTEXT: usize = 19;
/// For each of 16 luma, 8 chroma blocks and the second-order block: how many coefficients in zigzag order count.
pub(super) const ENDS: usize = 20;
/// The luma mode that stands for 16 4×4 modes.
pub(super) const SUBBLOCKS: u8 = 4;

/// The 4×4 mode that each 16×16 mode implies.
const IMPLIED: [u8; 4] = [predict::DC, predict::VE, predict::HE, predict::TM];

/// What is the same for all macroblocks of a picture.
#[derive(Clone, Debug)]
pub(super) struct Params {
    pub(super) quantizer: Quantizer,
    pub(super) costs: ModeCosts,
    /// The cost of the best 16×16 mode from which on 4×4 modes are tried.
    pub(super) subblock_gate: u32,
}

/// A macroblock's samples: luma in 16 rows of 16, chroma in 8 of 8.
#[derive(Clone, Copy, Debug)]
pub(super) struct Samples {
    pub(super) luma: [[u8; 16]; 16],
    pub(super) chroma: [[[u8; 8]; 8]; 2],
}

/// What surrounds a macroblock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surroundings {
    pub(super) luma: Border<16>,
    pub(super) chroma: [Border<8>; 2],
    /// Above and to the right.
    pub(super) right: [u8; 4],
    pub(super) top_modes: [u8; 4],
    pub(super) left_modes: [u8; 4],
}

/// The reconstruction: all of it, or where nobody looks at the rest its last rows and columns.
pub(super) type Reconstruction = Samples;

/// Rows of samples as blocks in lanes.
#[inline(always)]
fn luma_blocks(rows: &[[u8; 16]; 16]) -> Blocks<16> {
    let mut out = [[0; 16]; 16];
    for row in 0..4 {
        let mut words = [0_u32; 16];
        for of in 0..4 {
            let (four, _) = rows[of * 4 + row].as_chunks::<4>();
            for column in 0..4 {
                words[of * 4 + column] = u32::from_le_bytes(four[column]);
            }
        }
        for column in 0..4 {
            for lane in 0..16 {
                out[row * 4 + column][lane] = (words[lane] >> (8 * column) & 255) as i16;
            }
        }
    }
    out
}

#[inline(always)]
fn chroma_blocks(planes: &[[[u8; 8]; 8]; 2]) -> Blocks<8> {
    let mut out = [[0; 8]; 16];
    for row in 0..4 {
        let mut words = [0_u32; 8];
        for (plane, rows) in planes.iter().enumerate() {
            for of in 0..2 {
                let (four, _) = rows[of * 4 + row].as_chunks::<4>();
                words[plane * 4 + of * 2] = u32::from_le_bytes(four[0]);
                words[plane * 4 + of * 2 + 1] = u32::from_le_bytes(four[1]);
            }
        }
        for column in 0..4 {
            for lane in 0..8 {
                out[row * 4 + column][lane] = (words[lane] >> (8 * column) & 255) as i16;
            }
        }
    }
    out
}

/// Row `row` of each block back as samples: four bytes a block.
#[inline(always)]
fn words<const N: usize>(blocks: &Blocks<N>, row: usize) -> [[u8; 4]; N] {
    let mut out = [0_u32; N];
    for lane in 0..N {
        let x = |column: usize| u32::from(blocks[row * 4 + column][lane].cast_unsigned()) << (8 * column);
        out[lane] = x(0) | x(1) | x(2) | x(3);
    }
    out.map(u32::to_le_bytes)
}

/// Predicts blocks in lanes: `of(lane)` gives the lane's border and place in it.
#[inline(always)]
fn predict_luma(mode: u8, border: &Border<16>) -> Blocks<16> {
    let mut out = [[0; 16]; 16];
    let top: [i16; 16] = border.top.map(i16::from);
    let left: [i16; 16] = border.left.map(i16::from);
    let corner = i16::from(border.corner);
    let mut tops = [[0; 16]; 4];
    let mut lefts = [[0; 16]; 4];
    for i in 0..4 {
        for lane in 0..16 {
            tops[i][lane] = top[lane % 4 * 4 + i];
            lefts[i][lane] = left[lane / 4 * 4 + i];
        }
    }
    match mode {
        0 => return [[border.dc(); 16]; 16],
        1 => {
            for at in 0..16 {
                out[at] = tops[at % 4];
            }
        }
        2 => {
            for at in 0..16 {
                out[at] = lefts[at / 4];
            }
        }
        _ => {
            for at in 0..16 {
                for lane in 0..16 {
                    out[at][lane] = (tops[at % 4][lane] + lefts[at / 4][lane] - corner).clamp(0, 255);
                }
            }
        }
    }
    out
}

#[inline(always)]
fn predict_chroma(mode: u8, borders: &[Border<8>; 2]) -> Blocks<8> {
    let mut out = [[0; 8]; 16];
    let mut tops = [[0; 8]; 4];
    let mut lefts = [[0; 8]; 4];
    let mut corners = [0; 8];
    let dcs = [borders[0].dc(), borders[1].dc()];
    for lane in 0..8 {
        let border = &borders[lane / 4];
        corners[lane] = i16::from(border.corner);
        for i in 0..4 {
            tops[i][lane] = i16::from(border.top[lane % 2 * 4 + i]);
            lefts[i][lane] = i16::from(border.left[lane / 2 % 2 * 4 + i]);
        }
    }
    for at in 0..16 {
        for lane in 0..8 {
            let (top, left) = (tops[at % 4][lane], lefts[at / 4][lane]);
            out[at][lane] = match mode {
                0 => dcs[lane / 4],
                1 => top,
                2 => left,
                _ => (top + left - corners[lane]).clamp(0, 255),
            };
        }
    }
    out
}

/// Levels of coefficients from position `first` (0 or 1) on, and where each block ends.
#[inline(always)]
fn quantize<const N: usize>(
    coefficients: &Blocks<N>,
    matrix: &Matrix,
    first: usize,
    levels: &mut [[i16; N]],
) -> [u8; N] {
    let Some(levels) = levels.first_chunk_mut::<16>() else { return [0; N] };
    let mut ends = [0_i16; N];
    for n in 0..16 {
        let at = ZIGZAG[n];
        if n < first {
            levels[at] = [0; N];
            continue;
        }
        let (rounding, inverse) = (matrix.rounding[at], matrix.inverse[at]);
        for lane in 0..N {
            let x = coefficients[at][lane];
            let sign = x >> 15;
            let magnitude = ((x ^ sign).wrapping_sub(sign).wrapping_add(rounding)).cast_unsigned();
            let level = ((u32::from(magnitude) * u32::from(inverse)) >> 16) as i16;
            levels[at][lane] = (level ^ sign).wrapping_sub(sign);
            ends[lane] = if level == 0 { ends[lane] } else { n as i16 + 1 };
        }
    }
    ends.map(|end| end as u8)
}

/// Codes a macroblock: writes its info and its levels, gives its reconstruction.
#[inline(never)]
pub(super) fn code(
    params: &Params,
    source: &Samples,
    around: &Surroundings,
    second_above: u8,
    info: &mut Info,
    levels: &mut [i16; LEVELS],
) -> Reconstruction {
    let mut out = Samples { luma: [[0; 16]; 16], chroma: [[[0; 8]; 8]; 2] };
    let blocks = luma_blocks(&source.luma);
    let (mode, cost) = decide::luma(&decide::transformed(&blocks), &around.luma, &params.costs);
    let mut subblocks = None;
    if cost > params.subblock_gate {
        let (top, left) = (around.top_modes, around.left_modes);
        subblocks = decide::subblocks(&blocks, &around.luma, around.right, top, left, &params.costs, cost);
    }
    let mut any = 0;
    if let Some(modes) = subblocks {
        info[SUBBLOCK_MODES..][..16].copy_from_slice(&modes);
        info[LUMA_MODE] = SUBBLOCKS;
        any |= code_subblocks(&params.quantizer.luma, source, around, &modes, info, levels, &mut out.luma);
        info[SECOND_CONTEXT] = second_above;
        info[ENDS + 24] = 0;
    } else {
        info[SUBBLOCK_MODES..][..16].fill(IMPLIED[usize::from(mode)]);
        info[LUMA_MODE] = mode;
        any |= code_luma(
            &params.quantizer,
            &blocks,
            &predict_luma(mode, &around.luma),
            info,
            levels,
            &mut out.luma,
        );
        info[SECOND_CONTEXT] = u8::from(info[ENDS + 24] > 0);
    }
    let blocks = chroma_blocks(&source.chroma);
    let mode = decide::chroma(&decide::transformed(&blocks), &around.chroma, &params.costs);
    info[CHROMA_MODE] = mode;
    let prediction = predict_chroma(mode, &around.chroma);
    any |= code_chroma(&params.quantizer.chroma, &blocks, &prediction, info, levels, &mut out.chroma);
    info[SKIP] = u8::from(any == 0);
    out
}

#[inline(never)]
fn code_luma(
    quantizer: &Quantizer,
    source: &Blocks<16>,
    prediction: &Blocks<16>,
    info: &mut Info,
    levels: &mut [i16; LEVELS],
    out: &mut [[u8; 16]; 16],
) -> u8 {
    let mut coefficients = [[0; 16]; 16];
    transform::forward(source, prediction, &mut coefficients);
    let second = transform::forward_second(&coefficients[0]).map(|x| [x]);
    let mut second_levels = [[0; 1]; 16];
    let [second_end] = quantize(&second, &quantizer.second, 0, &mut second_levels);
    let (luma, _) = levels[..CHROMA_AT].as_chunks_mut::<16>();
    let ends = quantize(&coefficients, &quantizer.luma, 1, luma);
    let second_levels = second_levels.map(|[x]| x);
    info[ENDS..][..16].copy_from_slice(&ends);
    info[ENDS + 24] = second_end;
    let any_ac = ends.iter().fold(0, |any, &end| any | end);

    let mut reconstructed = *prediction;
    if any_ac | second_end != 0 {
        let mut dequantized = [[0; 16]; 16];
        let steps = &quantizer.second.step;
        let dcs: [i16; 16] = core::array::from_fn(|at| second_levels[at].wrapping_mul(steps[at]));
        dequantized[0] = transform::inverse_second(&dcs);
        for at in 1..16 {
            let step = quantizer.luma.step[at];
            for lane in 0..16 {
                dequantized[at][lane] = luma[at][lane].wrapping_mul(step);
            }
        }
        transform::inverse(&dequantized, prediction, &mut reconstructed);
    }
    for row in 0..4 {
        let four = words(&reconstructed, row);
        for of in 0..4 {
            let bytes = &mut out[of * 4 + row];
            for column in 0..4 {
                bytes[column * 4..][..4].copy_from_slice(&four[of * 4 + column]);
            }
        }
    }
    levels[SECOND_AT..].copy_from_slice(&second_levels);
    any_ac | second_end
}

#[inline(never)]
fn code_chroma(
    matrix: &Matrix,
    source: &Blocks<8>,
    prediction: &Blocks<8>,
    info: &mut Info,
    levels: &mut [i16; LEVELS],
    out: &mut [[[u8; 8]; 8]; 2],
) -> u8 {
    let mut coefficients = [[0; 8]; 16];
    transform::forward(source, prediction, &mut coefficients);
    let (chroma, _) = levels[CHROMA_AT..SECOND_AT].as_chunks_mut::<8>();
    let ends = quantize(&coefficients, matrix, 0, chroma);
    info[ENDS + 16..][..8].copy_from_slice(&ends);
    let any = ends.iter().fold(0, |any, &end| any | end);
    let mut reconstructed = *prediction;
    if any != 0 {
        let mut dequantized = [[0; 8]; 16];
        for at in 0..16 {
            let step = matrix.step[at];
            for lane in 0..8 {
                dequantized[at][lane] = chroma[at][lane].wrapping_mul(step);
            }
        }
        transform::inverse(&dequantized, prediction, &mut reconstructed);
    }
    for row in 0..4 {
        let four = words(&reconstructed, row);
        for (plane, rows) in out.iter_mut().enumerate() {
            for of in 0..2 {
                rows[of * 4 + row][..4].copy_from_slice(&four[plane * 4 + of * 2]);
                rows[of * 4 + row][4..].copy_from_slice(&four[plane * 4 + of * 2 + 1]);
            }
        }
    }
    any
}

/// A row of the work area: the left neighbour in column 3, 16 samples from column 4, four more above to the right.
const STRIDE: usize = 32;
const FIRST: usize = 4;

#[inline(never)]
fn code_subblocks(
    matrix: &Matrix,
    source: &Samples,
    around: &Surroundings,
    modes: &[u8; 16],
    info: &mut Info,
    levels: &mut [i16; LEVELS],
    out: &mut [[u8; 16]; 16],
) -> u8 {
    let mut area = [[0_u8; STRIDE]; 17];
    area[0][FIRST - 1] = around.luma.corner;
    area[0][FIRST..][..16].copy_from_slice(&around.luma.top);
    for row in 0..16 {
        area[row + 1][FIRST - 1] = around.luma.left[row];
    }
    // The last column's blocks all look at the row above the macroblock.
    for row in [0, 4, 8, 12] {
        area[row][FIRST + 16..][..4].copy_from_slice(&around.right);
    }
    let mut any = 0;
    for block in 0..16 {
        let (row, column) = (block / 4 * 4, FIRST + block % 4 * 4);
        let mut edge = [0; predict::EDGES];
        for i in 0..4 {
            edge[3 - i] = area[row + 1 + i][column - 1];
        }
        edge[4..].copy_from_slice(&area[row][column - 1..][..9]);
        let prediction = predict::block(modes[block], &edge);
        let mut samples = [0; 16];
        for i in 0..4 {
            samples[i * 4..][..4].copy_from_slice(&source.luma[row + i][column - FIRST..][..4]);
        }
        let (block_levels, end, reconstruction) = block::code(&samples, &prediction, matrix);
        levels[block * 16..][..16].copy_from_slice(&block_levels);
        info[ENDS + block] = end;
        any |= end;
        for i in 0..4 {
            area[row + 1 + i][column..][..4].copy_from_slice(&reconstruction[i * 4..][..4]);
        }
    }
    for (row, samples) in out.iter_mut().enumerate() {
        samples.copy_from_slice(&area[row + 1][FIRST..][..16]);
    }
    any
}
