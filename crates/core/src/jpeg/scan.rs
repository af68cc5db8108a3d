//! One scan: which components, in what order their units come (T.81, A.2), and how far it is.
//!
//! A unit is an MCU of a scan of several components, or a block of a scan of one.

use super::bits::Bits;
use super::layout::{Layout, MCU_BLOCKS, Range2};
use super::progressive::{self, Pass};
use super::sequential::{self, Block, Held, Ran, State};
use super::store::Store;

/// A component in a scan header (T.81, B.2.3).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ScanComponent {
    /// Its place in the frame header.
    pub(super) index: usize,
    /// `Tdj` and `Taj`: its tables.
    pub(super) dc_table: usize,
    pub(super) ac_table: usize,
}

/// A scan under way.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scan {
    pub(super) count: usize,
    components: [ScanComponent; 4],
    pub(super) pass: Pass,
    /// Units in a row.
    across: u32,
    /// The units whose samples are wanted.
    rows: Range2,
    columns: Range2,
    /// The next unit, counted row by row, and one more than the last that is needed.
    pub(super) unit: u32,
    pub(super) end: u32,
    pub(super) state: State,
    /// Units to come before the next restart marker; 0 where there are none.
    pub(super) interval_left: u32,
    /// The number that the next restart marker should have.
    pub(super) next_restart: u8,
}

/// A frame's memory.
pub(super) struct Memory<'w> {
    pub(super) store: &'w mut Store,
    /// All planes.
    pub(super) planes: &'w mut [u8],
    /// A progressive frame's coefficients.
    pub(super) coefficients: &'w mut [i16],
}

impl Scan {
    /// A scan of `components`. `whole`: all units up to the last wanted row are needed, not only wanted ones.
    pub(super) fn new(
        layout: &Layout,
        components: &[ScanComponent],
        pass: Pass,
        restart_interval: u32,
        whole: bool,
    ) -> Scan {
        let (mut across, mut rows, mut columns) = (layout.mcus_across, layout.rows, layout.columns);
        if let [only] = components {
            let component = &layout.components[only.index & 3];
            let scale = |range: Range2, factor: u32, all: u32| Range2 {
                start: range.start * factor,
                end: (range.end * factor).min(all),
            };
            across = component.blocks_across;
            rows = scale(rows, component.vertical, component.blocks_down);
            columns = scale(columns, component.horizontal, component.blocks_across);
        }
        let mut scan = Scan { count: components.len(), pass, across, rows, columns, ..Scan::default() };
        scan.components[..components.len()].copy_from_slice(components);
        scan.end = if whole { rows.end * across } else { (rows.end - 1) * across + columns.end };
        scan.interval_left = restart_interval;
        scan
    }

    /// The components of the scan.
    pub(super) fn components(&self) -> &[ScanComponent] {
        &self.components[..self.count]
    }

    /// Whether all needed units are behind us.
    pub(super) const fn is_complete(&self) -> bool {
        self.unit >= self.end
    }

    /// Decodes units until the scan's end, an interval's end, or the end of the bytes.
    pub(super) fn run(
        &mut self,
        layout: &Layout,
        quantizers: &[[i16; 64]; 4],
        progressive: bool,
        position: &mut usize,
        held: Held,
        restarts: bool,
        memory: &mut Memory<'_>,
    ) -> Ran {
        let Memory { store, planes, coefficients } = memory;
        let store: &Store = store;
        let (mut blocks, count) = self.blocks(layout, quantizers, store);
        let blocks = &mut blocks[..count];
        let mut bits = Bits::new(&store.window, *position);
        let mut ran = Ran::All;
        while !self.is_complete() && !(restarts && self.interval_left == 0) {
            let (row, column) = (self.unit / self.across, self.unit % self.across);
            // The next units that are all wanted, or all not.
            let (wanted, until) = if progressive {
                (true, self.across)
            } else if row < self.rows.start || column >= self.columns.end {
                (false, self.across)
            } else if column < self.columns.start {
                (false, self.columns.start)
            } else {
                (true, self.columns.end)
            };
            let mut units = (until - column).min(self.end - self.unit);
            if restarts {
                units = units.min(self.interval_left);
            }
            ran = if progressive {
                self.place(layout, blocks, row, column, true);
                self.run_progressive(&mut bits, held, blocks, units, coefficients)
            } else {
                if wanted {
                    self.place(layout, blocks, row, column, false);
                }
                let state = &mut self.state;
                let side = if wanted { layout.scale.block_side() } else { 0 };
                match side {
                    0 => sequential::run::<0>(&mut bits, held, state, blocks, units, planes),
                    1 => sequential::run::<1>(&mut bits, held, state, blocks, units, planes),
                    2 => sequential::run::<2>(&mut bits, held, state, blocks, units, planes),
                    4 => sequential::run::<4>(&mut bits, held, state, blocks, units, planes),
                    _ => sequential::run::<8>(&mut bits, held, state, blocks, units, planes),
                }
            };
            let done = match ran {
                Ran::All => units,
                Ran::Short(done) | Ran::CutOff(done) => done,
            };
            self.unit += done;
            if restarts {
                self.interval_left -= done;
            }
            if ran != Ran::All {
                break;
            }
        }
        *position = bits.position();
        ran
    }

    fn run_progressive(
        &mut self,
        bits: &mut Bits<'_>,
        held: Held,
        blocks: &mut [Block<'_>],
        units: u32,
        coefficients: &mut [i16],
    ) -> Ran {
        let pass = self.pass;
        if pass.is_dc() {
            progressive::run_dc(bits, held, &mut self.state, blocks, units, pass, coefficients)
        } else {
            let (codes, at) = (&blocks[0].ac.codes, blocks[0].at);
            progressive::run_ac(bits, held, &mut self.state, codes, at, units, pass, coefficients)
        }
    }

    /// The blocks of a unit, not yet placed.
    fn blocks<'t>(
        &self,
        layout: &Layout,
        quantizers: &'t [[i16; 64]; 4],
        store: &'t Store,
    ) -> ([Block<'t>; MCU_BLOCKS], usize) {
        let block = |n: usize| {
            let component = self.components[n & 3];
            Block {
                dc: &store.dc[component.dc_table & 3],
                ac: &store.ac[component.ac_table & 3],
                quantizers: &quantizers[component.index & 3],
                prediction: n,
                at: 0,
                step: 0,
                stride: layout.components[component.index & 3].plane.stride,
            }
        };
        let mut blocks = [block(0); MCU_BLOCKS];
        let mut count = 0;
        for (n, component) in self.components().iter().enumerate() {
            let (h, v) = self.factors(layout, component);
            for _ in 0..h * v {
                if let Some(place) = blocks.get_mut(count) {
                    *place = block(n);
                    count += 1;
                }
            }
        }
        (blocks, count)
    }

    /// Blocks of a component in a unit, across and down.
    fn factors(&self, layout: &Layout, component: &ScanComponent) -> (u32, u32) {
        let component = &layout.components[component.index & 3];
        if self.count == 1 { (1, 1) } else { (component.horizontal, component.vertical) }
    }

    /// Sets each block's place for the unit at `row` and `column`: in the planes, or among the coefficients.
    fn place(&self, layout: &Layout, blocks: &mut [Block<'_>], row: u32, column: u32, stored: bool) {
        let side = layout.scale.block_side() as usize;
        let mut blocks = blocks.iter_mut();
        for component in self.components() {
            let (h, v) = self.factors(layout, component);
            let component = &layout.components[component.index & 3];
            for down in 0..v {
                for across in 0..h {
                    let Some(block) = blocks.next() else { return };
                    if stored {
                        let n = (row * v + down) as usize * component.stored_across as usize
                            + (column * h + across) as usize;
                        block.at = component.coefficients + 64 * n;
                        block.step = 64 * h as usize;
                    } else {
                        let plane = component.plane;
                        let (x, y) = ((column * h + across) as usize, (row * v + down) as usize);
                        let start = plane.offset - layout.planes.range().start;
                        block.at = start + (y * side - plane.top as usize) * plane.stride + x * side
                            - plane.left as usize;
                        block.step = h as usize * side;
                    }
                }
            }
        }
    }

    /// Fills the wanted samples of the next `units` units with grey, and counts them as done.
    pub(super) fn lose(&mut self, layout: &Layout, progressive: bool, units: u32, planes: &mut [u8]) {
        let end = self.end.min(self.unit.saturating_add(units));
        if progressive {
            // Coefficients that never came are zero, which is the same grey.
            self.unit = end;
            return;
        }
        let side = layout.scale.block_side() as usize;
        while self.unit < end {
            let (row, column) = (self.unit / self.across, self.unit % self.across);
            let until = end.min(self.unit - column + self.across);
            let columns = column.max(self.columns.start)..(column + until - self.unit).min(self.columns.end);
            self.unit = until;
            if row < self.rows.start || columns.is_empty() {
                continue;
            }
            for component in self.components() {
                let (h, v) = self.factors(layout, component);
                let plane = layout.components[component.index & 3].plane;
                let start = plane.offset - layout.planes.range().start;
                let left = (columns.start * h) as usize * side - plane.left as usize;
                let width = columns.len() * h as usize * side;
                let top = (row * v) as usize * side - plane.top as usize;
                for y in top..top + v as usize * side {
                    let at = start + y * plane.stride + left;
                    if let Some(samples) = planes.get_mut(at..at + width) {
                        samples.fill(GREY);
                    }
                }
            }
        }
    }
}

/// A sample of a block without coefficients.
pub(super) const GREY: u8 = 128;
