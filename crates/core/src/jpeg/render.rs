//! Stored coefficients into planes, one row of blocks at a time.

use core::ops::Range;

use super::idct;
use super::layout::Component;
use super::zigzag;

/// A row of blocks: which, and where it goes.
pub(super) struct Place<'l> {
    pub(super) component: &'l Component,
    /// The row of blocks, and the one where the plane begins.
    pub(super) row: u32,
    pub(super) first_row: u32,
    /// The blocks of it.
    pub(super) columns: Range<u32>,
    /// The workspace's byte where the planes begin.
    pub(super) planes: usize,
}

/// Writes the samples of a row of blocks from its stored coefficients.
pub(super) fn row<const N: usize>(
    place: &Place<'_>,
    quantizers: &[i16; 64],
    coefficients: &[i16],
    planes: &mut [u8],
) {
    let Place { component, row, first_row, ref columns, planes: planes_start } = *place;
    let first = row as usize * component.stored_across as usize + columns.start as usize;
    let start = component.coefficients + 64 * first;
    let (blocks, _) = coefficients.get(start..).unwrap_or_default().as_chunks::<64>();
    let stride = component.plane.stride;
    let top = component.plane.offset - planes_start + (row - first_row) as usize * N * stride;
    for (n, block) in blocks.iter().take(columns.len()).enumerate() {
        let at = top + n * N;
        let Some(rows) = planes.get_mut(at..at + (N - 1) * stride + N) else { return };
        match N {
            1 => rows[0] = idct::flat(block[0], quantizers[0]),
            2 => put(idct::quarter(&low::<2, 4>(block), first_of(quantizers)), stride, rows),
            4 => put(idct::half(&low::<4, 16>(block), first_of(quantizers)), stride, rows),
            _ => put(idct::full(block, quantizers), stride, rows),
        }
    }
}

/// Rows of samples into a plane, from its first byte given.
#[inline(always)]
pub(super) fn put<const N: usize>(samples: [[u8; N]; N], stride: usize, rows: &mut [u8]) {
    for (n, row) in samples.iter().enumerate() {
        rows[n * stride..][..N].copy_from_slice(row);
    }
}

/// The first `COUNT` of more.
#[inline(always)]
pub(super) fn first_of<const COUNT: usize, const ALL: usize>(all: &[i16; ALL]) -> &[i16; COUNT] {
    const { assert!(COUNT <= ALL) };
    match all.first_chunk() {
        Some(first) => first,
        None => &[0; COUNT],
    }
}

/// The low N×N coefficients of a block.
fn low<const N: usize, const COUNT: usize>(block: &[i16; 64]) -> [i16; COUNT] {
    core::array::from_fn(|n| block[n / N * 8 + n % N])
}

/// The quantizers of the low N×N coefficients, row by row, first; from a table in zigzag order.
pub(super) fn quantizers(side: u32, table: &[u16; 64]) -> [i16; 64] {
    let mut out = [0; 64];
    for (&quantizer, place) in table.iter().zip(zigzag::NATURAL) {
        let (row, column) = (u32::from(place) / 8, u32::from(place) % 8);
        if row < side && column < side {
            out[(row * side + column) as usize] = quantizer as i16;
        }
    }
    out
}
