//! Where a frame's blocks go: its grid of MCUs (T.81, A.2), the part of it that is wanted, and the workspace.
//!
//! ```text
//! workspace: | Store: tables, window (244 KB) | plane 0 | plane 1 | … | coefficients (progressive only) |
//! ```
//!
//! A plane holds whole MCUs at the reduced size, of those MCU rows and columns that the wanted region touches;
//! its true width and height, which may end inside a block, are in [`Plane`].
//!
//! Example: 4000×3000, 4:2:0, at 1/4: MCUs of 16×16 pixels, 250 across and 188 down. The luma plane has a stride
//! of 250 · 2 · 2 = 1000 and 188 · 2 · 2 = 752 rows, of which ⌈3000 · 2/8⌉ = 750 are picture. A progressive file
//! adds 250 · 188 · 6 blocks of 128 bytes: 36.1 MB.

use core::ops::Range;

use super::store::Store;
use crate::{Error, JpegHeader, Limit};

/// Alignment of each part of the workspace.
const ALIGN: u64 = 64;
/// Most blocks that an MCU of an interleaved scan has (T.81, B.2.3).
pub(super) const MCU_BLOCKS: usize = 10;

/// How much smaller than the source the planes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scale {
    /// One sample for each block of 8×8.
    Eighth,
    /// 2×2 samples for each block.
    Quarter,
    /// 4×4 samples for each block.
    Half,
    /// 8×8 samples for each block.
    Full,
}

impl Scale {
    /// All four, the smallest picture first.
    pub const ALL: [Scale; 4] = [Scale::Eighth, Scale::Quarter, Scale::Half, Scale::Full];

    /// Samples that a block of 8×8 becomes, across and down: 1, 2, 4 or 8.
    pub const fn block_side(self) -> u32 {
        match self {
            Scale::Eighth => 1,
            Scale::Quarter => 2,
            Scale::Half => 4,
            Scale::Full => 8,
        }
    }
}

/// A rectangle of the source, in pixels of its full size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The first column.
    pub left: u32,
    /// The first row.
    pub top: u32,
    /// Columns, 1 or more.
    pub width: u32,
    /// Rows, 1 or more.
    pub height: u32,
}

/// One component's samples in the workspace: row `y` is the `width` bytes at `offset + y · stride`.
///
/// The plane is the part from (`left`, `top`) of the whole component at the reduced size, whose sample (x, y)
/// covers 8/N × 8/N of the component's own samples. So the component's column c lies at c · N/8 − `left`,
/// which need not be whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plane {
    /// Its first byte in the workspace.
    pub offset: usize,
    /// Bytes from row to row.
    pub stride: usize,
    /// Its first column in the whole component at the reduced size.
    pub left: u32,
    /// Its first row there.
    pub top: u32,
    /// Samples across.
    pub width: u32,
    /// Samples down.
    pub height: u32,
}

/// A component's place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Component {
    /// `Hi` and `Vi`; 1 where there is only one component, whose MCUs are single blocks.
    pub(super) horizontal: u32,
    pub(super) vertical: u32,
    /// Blocks with picture in them: what a scan of this component alone holds.
    pub(super) blocks_across: u32,
    pub(super) blocks_down: u32,
    pub(super) plane: Plane,
    /// Its first coefficient, counted from the first of all (progressive).
    pub(super) coefficients: usize,
    /// Blocks in a row of stored coefficients, padding to whole MCUs included.
    pub(super) stored_across: u32,
}

/// A frame laid out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) scale: Scale,
    pub(super) count: usize,
    pub(super) components: [Component; 4],
    pub(super) mcus_across: u32,
    /// MCU rows and columns that the wanted region touches.
    pub(super) rows: Range2,
    pub(super) columns: Range2,
    pub(super) planes: Span,
    pub(super) coefficients: Span,
    len: usize,
}

/// A range that is `Copy`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Range2 {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// A part of the workspace.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    start: usize,
    end: usize,
}

impl Span {
    pub(super) const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// Bytes of the workspace given out one part after another.
struct Bytes(u64);

impl Bytes {
    fn take(&mut self, len: u64) -> u64 {
        let start = self.0.next_multiple_of(ALIGN);
        self.0 = start + len;
        start
    }
}

impl Layout {
    /// Lays out a frame of `size` pixels, of which `region` is wanted; it is cut to the frame.
    pub(super) fn new(
        header: &JpegHeader,
        size: (u32, u32),
        scale: Scale,
        region: Region,
    ) -> Result<Layout, Error> {
        let sampling = header.components();
        let single = sampling.len() == 1;
        let max = header.max_sampling();
        let (max_h, max_v) =
            if single { (1, 1) } else { (u32::from(max.horizontal), u32::from(max.vertical)) };
        let (width, height) = (size.0.max(1), size.1.max(1));
        let (mcus_across, mcus_down) = (width.div_ceil(8 * max_h), height.div_ceil(8 * max_v));
        let touched = |start: u32, len: u32, all: u32, unit: u32, units: u32| {
            let start = start.min(all - 1);
            let end = start.saturating_add(len.max(1)).min(all);
            Range2 { start: start / unit, end: end.div_ceil(unit).min(units) }
        };
        let columns = touched(region.left, region.width, width, 8 * max_h, mcus_across);
        let rows = touched(region.top, region.height, height, 8 * max_v, mcus_down);

        let side = scale.block_side();
        let mut bytes = Bytes(size_of::<Store>() as u64);
        let planes_start = bytes.take(0);
        let mut components = [Component::default(); 4];
        let mut coefficients = 0_u64;
        for (component, factors) in components.iter_mut().zip(sampling) {
            let (h, v) = if single { (1, 1) } else { (factors.horizontal.into(), factors.vertical.into()) };
            let (across, down) = ((width * h).div_ceil(max_h), (height * v).div_ceil(max_v));
            let stride = u64::from(columns.end - columns.start) * u64::from(h * side);
            let stored_rows = u64::from(rows.end - rows.start) * u64::from(v * side);
            let offset = bytes.take(stride * stored_rows);
            let (left, top) = (columns.start * h * side, rows.start * v * side);
            let visible = |samples: u32, from: u32, stored: u64| {
                u64::from((samples * side).div_ceil(8) - from).min(stored) as u32
            };
            *component = Component {
                horizontal: h,
                vertical: v,
                blocks_across: across.div_ceil(8),
                blocks_down: down.div_ceil(8),
                plane: Plane {
                    offset: offset as usize,
                    stride: stride as usize,
                    left,
                    top,
                    width: visible(across, left, stride),
                    height: visible(down, top, stored_rows),
                },
                coefficients: coefficients as usize,
                stored_across: mcus_across * h,
            };
            coefficients += 64 * u64::from(mcus_across * h) * u64::from(rows.end * v);
        }
        let planes_end = bytes.0;
        let coefficients_len = if header.progressive { 2 * coefficients } else { 0 };
        let coefficients_start = bytes.take(coefficients_len);
        let len = bytes.0;
        let too_large = |_| Error::TooLarge { limit: Limit::Memory, needed: len, allowed: usize::MAX as u64 };
        let len = usize::try_from(len).map_err(too_large)?;
        Ok(Layout {
            scale,
            count: sampling.len(),
            components,
            mcus_across,
            rows,
            columns,
            planes: Span { start: planes_start as usize, end: planes_end as usize },
            coefficients: Span { start: coefficients_start as usize, end: len },
            len,
        })
    }

    /// Bytes of the whole workspace.
    pub(super) const fn len(&self) -> usize {
        self.len
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JpegColor, Sampling};

    fn header(color: JpegColor, sampling: &[(u8, u8)], progressive: bool) -> JpegHeader {
        let mut factors = [Sampling { horizontal: 1, vertical: 1 }; 4];
        for (factor, &(horizontal, vertical)) in factors.iter_mut().zip(sampling) {
            *factor = Sampling { horizontal, vertical };
        }
        JpegHeader { color, sampling: factors, progressive, interleaved: true }
    }

    const EVERYTHING: Region = Region { left: 0, top: 0, width: u32::MAX, height: u32::MAX };

    #[test]
    fn the_worked_example() {
        let header = header(JpegColor::YCbCr, &[(2, 2), (1, 1), (1, 1)], true);
        let layout = Layout::new(&header, (4000, 3000), Scale::Quarter, EVERYTHING).unwrap();
        let [luma, cb, _, _] = layout.components;
        assert_eq!((luma.plane.stride, luma.plane.width, luma.plane.height), (1000, 1000, 750));
        assert_eq!((cb.plane.stride, cb.plane.width, cb.plane.height), (500, 500, 375));
        assert_eq!(cb.plane.offset - luma.plane.offset, 752 * 1000);
        assert_eq!(layout.coefficients.range().len(), 250 * 188 * 6 * 128);
    }

    #[test]
    fn regions_are_whole_mcus_inside_the_picture() {
        let header = header(JpegColor::YCbCr, &[(2, 1), (1, 1), (1, 1)], false);
        let region = Region { left: 40, top: 9, width: 20, height: 100 };
        let layout = Layout::new(&header, (67, 33), Scale::Half, region).unwrap();
        assert_eq!((layout.columns.start, layout.columns.end), (2, 4));
        assert_eq!((layout.rows.start, layout.rows.end), (1, 5));
        let [luma, cb, ..] = layout.components.map(|component| component.plane);
        // 67/2 = 33.5 samples across, of which 16 are left of the region; ⌈34/2⌉ = 17 of chroma, 8 left of it.
        assert_eq!((luma.left, luma.width, luma.stride), (16, 16, 16));
        assert_eq!((cb.left, cb.width, cb.stride), (8, 8, 8));
        assert_eq!((luma.top, luma.height), (4, 13));
    }

    #[test]
    fn one_component_has_mcus_of_one_block() {
        let header = header(JpegColor::Grey, &[(2, 2)], false);
        let layout = Layout::new(&header, (17, 9), Scale::Full, EVERYTHING).unwrap();
        assert_eq!((layout.mcus_across, layout.rows.end), (3, 2));
        assert_eq!(layout.components[0].plane.width, 17);
    }
}
