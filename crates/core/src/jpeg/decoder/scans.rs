//! A decoder inside its scans: begun by a header, cut into intervals by restart markers, ended by any other marker.
//!
//! In: the current item of [`Decoder::segments`], then what the window holds. Out: samples or coefficients, the scan's
//! damage noted, and the stage to go on with.

use super::super::layout::{MCU_BLOCKS, Scale};
use super::super::marker;
use super::super::progressive::Pass;
use super::super::render;
use super::super::scan::{Memory, Scan, ScanComponent};
use super::super::segments::Event;
use super::super::sequential::{Held, Ran, State};
use super::super::store::Store;
use super::super::window::Window;
use super::{Decoder, Stage};
use crate::{Error, Format};

/// Scans of a progressive file that are decoded; more are no picture but an attack.
const MOST_SCANS: u32 = 1000;

impl Decoder {
    /// Starts the scan whose header is the current item.
    pub(super) fn begin_scan(&mut self, memory: &mut Memory<'_>) -> Result<(), Error> {
        if !self.frame.seen {
            return self.fault("its first scan comes before its frame header", memory);
        }
        let mut item = [0; 12];
        let read = self.segments.item();
        let count = usize::from(read[0]);
        if !(1..=4).contains(&count) {
            return self.fault("a scan header has not 1 to 4 components", memory);
        }
        item[..4 + 2 * count].copy_from_slice(read);
        let mut components = [ScanComponent::default(); 4];
        let mut taken = [false; 4];
        for n in 0..count {
            let (id, tables) = (item[1 + 2 * n], item[2 + 2 * n]);
            // A wrong name stands for the component at its place.
            let named = (0..self.layout.count).find(|&index| self.frame.ids[index] == id && !taken[index]);
            let in_place = (count == self.layout.count).then_some(n);
            let Some(index) = named.or(in_place).filter(|&index| !taken[index]) else {
                return self.fault("a scan names a component that the frame does not have", memory);
            };
            taken[index] = true;
            components[n] =
                ScanComponent { index, dc_table: (tables >> 4).into(), ac_table: (tables & 15).into() };
        }
        let components = &components[..count];
        let [first, last, approximation] = [item[1 + 2 * count], item[2 + 2 * count], item[3 + 2 * count]];
        let progressive = self.frame.header.progressive;
        let pass = if progressive {
            Pass { first, last, high: approximation >> 4, low: approximation & 15 }
        } else {
            // Some cameras write nonsense here; a sequential scan always is all of it.
            Pass { first: 0, last: 63, high: 0, low: 0 }
        };
        self.scans += 1;
        let blocks: u32 = components
            .iter()
            .map(|c| self.layout.components[c.index].horizontal * self.layout.components[c.index].vertical)
            .sum();
        let refused = if progressive && !pass.is_valid(count) {
            Some("a scan's spectral selection or successive approximation is not allowed")
        } else if !progressive && components.iter().any(|c| self.frame.started[c.index]) {
            Some("a component has two scans")
        } else if self.scans > MOST_SCANS {
            Some("it has more than 1,000 scans")
        } else if count > 1 && blocks > MCU_BLOCKS as u32 {
            Some("a scan's MCUs have more than ten blocks")
        } else {
            None
        };
        if let Some(what) = refused {
            // The scan is passed over.
            self.note(self.malformed(what));
            if !self.any && !progressive {
                return Err(self.malformed(what));
            }
            self.segments.between(false);
            return Ok(());
        }

        for component in components {
            let index = component.index;
            let (dc, ac) = needed_tables(pass, progressive);
            if !self.frame.started[index] && self.frame.table(index).is_none() {
                return self.fault("a quantization table is missing", memory);
            }
            if (dc && !self.dc_tables.has(component.dc_table))
                || (ac && !self.ac_tables.has(component.ac_table))
            {
                return self.fault("a Huffman table is missing", memory);
            }
        }
        // Nothing is wrong with any of them: only now do they count as decoded.
        for component in components {
            let index = component.index;
            if !core::mem::replace(&mut self.frame.started[index], true)
                && let Some(table) = self.frame.table(index)
            {
                self.frame.quantizers[index] = render::quantizers(self.layout.scale.block_side(), &table);
            }
        }
        if progressive && !core::mem::replace(&mut self.cleared, true) {
            memory.coefficients.fill(0);
        }
        self.scan = Scan::new(&self.layout, components, pass, self.restart_interval.into(), progressive);
        self.window = Window::new(self.taken);
        self.stage = Stage::Scan;
        Ok(())
    }

    /// Inside a scan, with what the window holds.
    pub(super) fn scan_on(&mut self, ended: bool, memory: &mut Memory<'_>) -> Result<(), Error> {
        if matches!(self.stage, Stage::Resume) {
            self.window.position = self.window.bits();
            return if ended { self.restart(memory) } else { Ok(()) };
        }
        let restarts = self.restart_interval != 0;
        let held = Held { bits: self.window.bits(), ended };
        let ran = if held.bits == 0 {
            // A segment without a byte in it: its tables are not worth building.
            Ran::CutOff(0)
        } else {
            self.build_tables(memory.store);
            let before = self.scan.unit;
            let position = &mut self.window.position;
            let frame = &self.frame;
            let ran = self.scan.run(
                &self.layout,
                &frame.quantizers,
                frame.header.progressive,
                position,
                held,
                restarts,
                memory,
            );
            self.any |= self.scan.unit > before;
            ran
        };
        if let Some(bit) = self.scan.state.fault {
            self.scan.state.fault = Some(0);
            if self.damage.is_none() {
                let offset = self.window.source_position_of(&memory.store.window, bit);
                let what = "its picture data is damaged";
                self.note(Error::Malformed { format: Format::Jpeg, offset, what });
            }
        }
        match ran {
            Ran::Short(_) => Ok(()),
            Ran::CutOff(_) => {
                self.window.position = self.window.bits();
                self.note(self.cut_off());
                let lost = if restarts { self.scan.interval_left } else { u32::MAX };
                self.lose(lost, memory);
                self.restart(memory)
            }
            Ran::All if self.scan.is_complete() => self.end_scan(memory),
            Ran::All => {
                // The interval's units are all there. Its last bits and the marker come now.
                if self.window.unread() > 0 {
                    self.note(self.malformed("a restart marker is missing"));
                }
                self.window.position = self.window.bits();
                if ended {
                    return self.restart(memory);
                }
                self.stage = Stage::Resume;
                Ok(())
            }
        }
    }

    /// Goes on at the marker that ended an interval, or at the end of the file.
    ///
    /// As libjpeg has it (T.81 leaves it open): a marker one or two ahead of the expected one means that so many
    /// intervals are lost; one or two behind, that it came twice, and data is dropped up to the next; any other
    /// number is taken for the expected one.
    fn restart(&mut self, memory: &mut Memory<'_>) -> Result<(), Error> {
        let number = match self.window.marker {
            Some(code) if self.restart_interval != 0 => marker::restart_number(code),
            _ => None,
        };
        let stray = matches!(self.window.marker, Some(code) if code < marker::SOF0);
        let Some(number) = number else {
            if stray && self.restart_interval != 0 {
                self.note(self.malformed("a marker that does not belong into a scan"));
                self.window = Window::new(self.taken);
                self.stage = Stage::Resume;
                return Ok(());
            }
            if !self.scan.is_complete() {
                self.note(self.cut_off());
                self.lose(u32::MAX, memory);
            }
            return self.end_scan(memory);
        };
        loop {
            if self.scan.is_complete() {
                return self.end_scan(memory);
            }
            let ahead = number.wrapping_sub(self.scan.next_restart) & 7;
            if ahead != 0 {
                self.note(self.malformed("a restart marker is out of turn"));
            }
            if ahead >= 6 {
                self.window = Window::new(self.taken);
                self.stage = Stage::Resume;
                return Ok(());
            }
            self.scan.next_restart = (self.scan.next_restart + 1) & 7;
            self.scan.interval_left = self.restart_interval.into();
            self.scan.state = State::default();
            if !matches!(ahead, 1 | 2) {
                self.window = Window::new(self.taken);
                self.stage = Stage::Scan;
                return Ok(());
            }
            self.lose(self.restart_interval.into(), memory);
        }
    }

    /// The next units are lost.
    fn lose(&mut self, units: u32, memory: &mut Memory<'_>) {
        let progressive = self.frame.header.progressive;
        self.scan.lose(&self.layout, progressive, units, memory.planes);
        self.scan.interval_left = 0;
    }

    /// The scan is over: goes on to what comes after it.
    fn end_scan(&mut self, memory: &mut Memory<'_>) -> Result<(), Error> {
        let progressive = self.frame.header.progressive;
        let pass = self.scan.pass;
        if progressive {
            for component in self.scan.components() {
                let known = &mut self.frame.low_bits[component.index];
                known[usize::from(pass.first)..=usize::from(pass.last)].fill(pass.low);
            }
        }
        let all = (0..self.layout.count)
            .all(|n| if progressive { self.frame.low_bits[n] == [0; 64] } else { self.frame.started[n] });
        if all && self.any {
            let used = self.window.source_position(&memory.store.window);
            return self.complete(used, memory);
        }
        self.stage = Stage::Segments;
        match self.window.marker {
            Some(code) if marker::stands_alone(code) => {
                self.segments.between(false);
                self.event(Event::Marker(code), memory)
            }
            Some(code) => {
                self.segments.after_marker(code);
                Ok(())
            }
            None => {
                self.segments.between(self.window.after_ff());
                Ok(())
            }
        }
    }

    fn build_tables(&mut self, store: &mut Store) {
        let progressive = self.frame.header.progressive;
        let (dc, ac) = needed_tables(self.scan.pass, progressive);
        let with_values = !progressive && self.layout.scale != Scale::Eighth;
        for component in self.scan.components() {
            let (n, m) = (component.dc_table & 3, component.ac_table & 3);
            if dc && self.dc_tables.must_build(n) {
                store.dc[n].build(&store.dc_lists[n]);
            }
            if ac && self.ac_tables.must_build(m) {
                store.ac[m].build(&store.ac_lists[m], !progressive, with_values);
            }
        }
    }

    /// Why a segment was too short.
    const fn cut_off(&self) -> Error {
        match self.window.marker {
            Some(_) => self.malformed("a scan ends before its last block"),
            None => Error::Truncated { format: Some(Format::Jpeg) },
        }
    }
}

/// Whether a scan reads DC and AC tables.
const fn needed_tables(pass: Pass, progressive: bool) -> (bool, bool) {
    if progressive { (pass.is_dc() && !pass.refines(), !pass.is_dc()) } else { (true, true) }
}
