//! A JPEG decoded as its bytes arrive, at a reduced size, into planes in the caller's memory.
//!
//! In: the file from its first byte, in pieces of any size. Out: one plane of samples for each component, as
//! stored: not upsampled, not converted. Between calls a decoder keeps numbers only; tables, the bytes that are
//! being worked on (16 KB) and a progressive file's coefficients are in the workspace ([`super::layout`]).
//!
//! ```text
//! push → Segments (tables, headers) → Scan → Window → units … → Segments → … → complete → render
//! ```
//!
//! Damage: what was decoded stays, lost units are grey, and [`Decoder::damage`] tells of it. A restart marker
//! that is missing or out of turn is dealt with as libjpeg does ([`Decoder::restart`]).

use super::layout::{Layout, Plane, Region, Scale};
use super::marker;
use super::progressive::Pass;
use super::render;
use super::scan::{GREY, Memory, Scan, ScanComponent};
use super::segments::{Event, Segments};
use super::sequential::{Held, Ran};
use super::store::{Store, Tables};
use super::window::Window;
use crate::{Error, Format, JpegHeader, Progress, WORKSPACE_ALIGN};

/// Bytes of an unfinished segment below which more are waited for: an MCU rarely has more, and is begun again
/// when it turns out to.
const ENOUGH: usize = 2048;
/// Scans of a progressive file that are decoded; more are no picture but an attack.
const MOST_SCANS: u32 = 1000;

/// A decoder for one file.
///
/// ```
/// # use tintype_core::jpeg::{Decoder, Region, Scale};
/// # use tintype_core::{Details, Error, Probe, probe};
/// # fn decode(file: &[u8]) -> Result<(), Error> {
/// let Probe::Ready(header) = probe(file, true)? else { unreachable!("the whole file was given") };
/// let Details::Jpeg(jpeg) = header.details else { panic!("not a JPEG") };
/// let everything = Region { left: 0, top: 0, width: header.width, height: header.height };
/// let mut decoder = Decoder::new(&jpeg, (header.width, header.height), Scale::Quarter, everything)?;
/// // In real life the caller's own memory, on a 64-byte boundary.
/// let mut memory = vec![0; decoder.workspace_len() + 64];
/// let aligned = memory.as_ptr().align_offset(64);
/// let workspace = &mut memory[aligned..];
/// for piece in file.chunks(4096) {
///     if decoder.push(piece, false, workspace)?.complete {
///         break;
///     }
/// }
/// decoder.push(&[], true, workspace)?;
/// while !decoder.render(workspace)? {}
/// let luma = decoder.planes()[0];
/// let first_row = &workspace[luma.offset..][..luma.width as usize];
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Decoder {
    layout: Layout,
    frame: Frame,
    stage: Stage,
    segments: Segments,
    window: Window,
    scan: Scan,
    dc_tables: Tables,
    ac_tables: Tables,
    restart_interval: u16,
    /// Bytes of the file taken.
    taken: u64,
    /// Bytes of the file that were needed, once that is known.
    used: u64,
    damage: Option<Error>,
    /// Something was decoded.
    any: bool,
    scans: u32,
    /// The next component and row of blocks to be rendered.
    rendered: (usize, u32),
}

/// What the file says of the frame and its tables.
#[derive(Clone, Debug)]
struct Frame {
    header: JpegHeader,
    size: (u32, u32),
    seen: bool,
    /// `Ci` and `Tqi`.
    ids: [u8; 4],
    table_of: [u8; 4],
    /// Quantization tables as they were read, in zigzag order.
    tables: [Option<[u16; 64]>; 4],
    /// Each component's, in the order its inverse DCT takes, since its first scan.
    quantizers: [[i16; 64]; 4],
    /// Components that had a scan.
    started: [bool; 4],
    /// The bit to which each coefficient is known (progressive): 0 is all of it.
    low_bits: [[u8; 64]; 4],
}

/// A coefficient of which nothing is known.
const UNKNOWN: u8 = 255;

#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Nothing was pushed.
    New,
    /// Between scans.
    Segments,
    /// Inside a scan.
    Scan,
    /// Waiting for the marker at which an interval is to go on; what comes before it is dropped.
    Resume,
    /// Nothing more is needed.
    Complete,
    Failed(Error),
}

/// Bytes of workspace that such a [`Decoder`] needs.
pub(crate) fn workspace_len(header: &JpegHeader, size: (u32, u32), scale: Scale, region: Region) -> u64 {
    match Layout::new(header, size, scale, region) {
        Ok(layout) => layout.len() as u64,
        Err(Error::TooLarge { needed, .. }) => needed,
        Err(_) => u64::MAX,
    }
}

impl Decoder {
    /// A decoder of the file that `header` and `size` (as stored) were read from. Of its samples those of
    /// `region` are wanted, which is cut to the picture; MCUs around it are kept whole.
    ///
    /// # Errors
    /// `TooLarge` when the workspace would not fit this platform's address space.
    pub fn new(
        header: &JpegHeader,
        size: (u32, u32),
        scale: Scale,
        region: Region,
    ) -> Result<Decoder, Error> {
        Ok(Decoder {
            layout: Layout::new(header, size, scale, region)?,
            frame: Frame {
                header: *header,
                size,
                seen: false,
                ids: [0; 4],
                table_of: [0; 4],
                tables: [None; 4],
                quantizers: [[0; 64]; 4],
                started: [false; 4],
                low_bits: [[UNKNOWN; 64]; 4],
            },
            stage: Stage::New,
            segments: Segments::new(),
            window: Window::default(),
            scan: Scan::default(),
            dc_tables: Tables::default(),
            ac_tables: Tables::default(),
            restart_interval: 0,
            taken: 0,
            used: 0,
            damage: None,
            any: false,
            scans: 0,
            rendered: (0, 0),
        })
    }

    /// Exact bytes of workspace that every call must be given.
    pub const fn workspace_len(&self) -> usize {
        self.layout.len()
    }

    /// The header it was made from.
    pub const fn header(&self) -> &JpegHeader {
        &self.frame.header
    }

    /// One plane for each component, in the order of the frame header. What they hold is the picture once
    /// [`Decoder::render`] said so.
    pub fn planes(&self) -> [Plane; 4] {
        self.layout.components.map(|component| component.plane)
    }

    /// The first damage that was met: samples are missing or wrong, but some are right.
    pub const fn damage(&self) -> Option<Error> {
        self.damage
    }

    /// Bytes of the file that were needed, once it is complete.
    pub const fn bytes_used(&self) -> u64 {
        self.used
    }

    /// Takes the next bytes of the file; `end`: they are its last. The work is proportional to their number, but
    /// for the first ones of a progressive file's first scan, where its coefficients are cleared.
    ///
    /// # Errors
    /// `Malformed`, `Truncated` and `Unsupported` where nothing could be decoded; they stay.
    /// `BufferTooSmall`, `Misaligned` and `OutOfOrder` for the caller's mistakes.
    pub fn push(&mut self, input: &[u8], end: bool, workspace: &mut [u8]) -> Result<Progress, Error> {
        let mut memory = split(&self.layout, workspace)?;
        match self.stage {
            Stage::Failed(error) => return Err(error),
            Stage::New => {
                self.dc_tables = memory.store.start();
                self.ac_tables = self.dc_tables;
                self.stage = Stage::Segments;
            }
            _ => {}
        }
        let before = self.taken;
        match self.advance(input, end, &mut memory) {
            Ok(()) => {}
            Err(error) => {
                self.stage = Stage::Failed(error);
                return Err(error);
            }
        }
        let complete = matches!(self.stage, Stage::Complete);
        let mut consumed = (self.taken - before) as usize;
        if complete {
            consumed = consumed.min(self.used.saturating_sub(before) as usize);
        }
        Ok(Progress { consumed, complete })
    }

    /// Makes planes of a progressive file's coefficients, one row of blocks a call; `true`: the planes are the
    /// picture. Does nothing for other files.
    ///
    /// # Errors
    /// `OutOfOrder` before the file is complete; those of [`Decoder::push`].
    pub fn render(&mut self, workspace: &mut [u8]) -> Result<bool, Error> {
        let memory = split(&self.layout, workspace)?;
        match self.stage {
            Stage::Complete => {}
            Stage::Failed(error) => return Err(error),
            _ => return Err(Error::OutOfOrder { what: "render before the file was complete" }),
        }
        let (n, row) = self.rendered;
        if !self.frame.header.progressive || n >= self.layout.count {
            return Ok(true);
        }
        let layout = &self.layout;
        let component = &layout.components[n];
        let first_row = layout.rows.start * component.vertical;
        let end_row = (layout.rows.end * component.vertical).min(component.blocks_down);
        let columns = layout.columns.start * component.horizontal
            ..(layout.columns.end * component.horizontal).min(component.blocks_across);
        let row = row.max(first_row);
        let place = render::Place { component, row, first_row, columns, planes: layout.planes.range().start };
        let quantizers = &self.frame.quantizers[n];
        match layout.scale {
            Scale::Eighth => render::row::<1>(&place, quantizers, memory.coefficients, memory.planes),
            Scale::Quarter => render::row::<2>(&place, quantizers, memory.coefficients, memory.planes),
            Scale::Half => render::row::<4>(&place, quantizers, memory.coefficients, memory.planes),
            Scale::Full => render::row::<8>(&place, quantizers, memory.coefficients, memory.planes),
        }
        self.rendered = if row + 1 < end_row { (n, row + 1) } else { (n + 1, 0) };
        Ok(self.rendered.0 >= self.layout.count)
    }

    fn advance(&mut self, input: &[u8], end: bool, memory: &mut Memory<'_>) -> Result<(), Error> {
        let start = self.taken;
        let mut at = 0;
        loop {
            let more = match self.stage {
                Stage::Segments => {
                    let event = self.segments.next(input, &mut at);
                    self.taken = start + at as u64;
                    match event {
                        Some(event) => {
                            self.event(event, memory)?;
                            true
                        }
                        None => false,
                    }
                }
                Stage::Scan | Stage::Resume => {
                    at += self.window.fill(&mut memory.store.window, &input[at..]);
                    self.taken = start + at as u64;
                    let ended = self.window.marker.is_some() || (end && at == input.len());
                    if !ended && self.window.unread() < ENOUGH && matches!(self.stage, Stage::Scan) {
                        false
                    } else {
                        if ended && self.window.marker.is_none() {
                            self.window.pad(&mut memory.store.window);
                        }
                        self.scan_on(ended, memory)?;
                        // Only bytes, or what was not yet looked at, carry it further.
                        at < input.len() || ended
                    }
                }
                Stage::New | Stage::Complete | Stage::Failed(_) => return Ok(()),
            };
            if !more {
                if end {
                    self.end_of_file(memory)?;
                }
                return Ok(());
            }
        }
    }

    /// Between scans: an item, a marker, an end of segment.
    fn event(&mut self, event: Event, memory: &mut Memory<'_>) -> Result<(), Error> {
        match event {
            Event::Marker(marker::EOI) => self.complete(self.taken, memory),
            Event::Marker(_) | Event::End(marker::DQT | marker::DHT | marker::DRI) => Ok(()),
            Event::Item(code) => self.item(code, memory),
            Event::End(marker::SOS) => {
                // An empty segment has no item.
                if self.segments.item().is_empty() {
                    return self.fault("a scan header is too short", memory);
                }
                self.begin_scan(memory)
            }
            Event::End(_) => Ok(()),
            Event::Broken(marker::DQT) => self.fault("a quantization table is too short", memory),
            Event::Broken(marker::DHT) => self.fault("a Huffman table is too short or too long", memory),
            Event::Broken(marker::SOS) => self.fault("a scan header is too short", memory),
            Event::Broken(_) => self.fault("a segment is too short", memory),
        }
    }

    fn item(&mut self, code: u8, memory: &mut Memory<'_>) -> Result<(), Error> {
        let item = self.segments.item();
        match code {
            marker::DQT => {
                let (wide, n) = (item[0] >> 4 != 0, usize::from(item[0] & 15));
                let Some(table) = self.frame.tables.get_mut(n) else {
                    return self.fault("a quantization table's number is not 0 to 3", memory);
                };
                let table = table.insert([0; 64]);
                for (n, quantizer) in table.iter_mut().enumerate() {
                    *quantizer = if wide {
                        u16::from_be_bytes([item[1 + 2 * n], item[2 + 2 * n]])
                    } else {
                        item[1 + n].into()
                    };
                }
            }
            marker::DHT => {
                let (class, n) = (item[0] >> 4, usize::from(item[0] & 15));
                let (lists, tables) = match class {
                    0 => (&mut memory.store.dc_lists, &mut self.dc_tables),
                    1 => (&mut memory.store.ac_lists, &mut self.ac_tables),
                    _ => return self.fault("a Huffman table's class is not 0 or 1", memory),
                };
                let Some(lists) = lists.get_mut(n) else {
                    return self.fault("a Huffman table's number is not 0 to 3", memory);
                };
                lists.counts.copy_from_slice(&item[1..17]);
                lists.symbols = [0; 256];
                lists.symbols[..item.len() - 17].copy_from_slice(&item[17..]);
                tables.replace(n);
                if !lists.are_valid() {
                    return self.fault("a Huffman table has more codes than there are, or none", memory);
                }
            }
            marker::DRI => self.restart_interval = u16::from_be_bytes([item[0], item[1]]),
            marker::SOF0..=marker::SOF2 => return self.frame_header(code, memory),
            _ => {}
        }
        Ok(())
    }

    /// Takes component ids and table numbers from the frame header; the rest is known.
    fn frame_header(&mut self, code: u8, memory: &mut Memory<'_>) -> Result<(), Error> {
        if self.frame.seen {
            return self.fault("it has two frame headers", memory);
        }
        let item = self.segments.item();
        let header = &self.frame.header;
        let size = |at: usize| u32::from(u16::from_be_bytes([item[at], item[at + 1]]));
        let same = header.progressive == (code == marker::SOF2)
            && self.frame.size == (size(3), size(1))
            && usize::from(item[5]) == self.layout.count
            && header.components().iter().zip(item[6..].chunks_exact(3)).all(|(sampling, component)| {
                (sampling.horizontal, sampling.vertical) == (component[1] >> 4, component[1] & 15)
            });
        if !same {
            return Err(Error::OutOfOrder { what: "the bytes are not those that the header was read from" });
        }
        for (n, component) in item[6..].chunks_exact(3).take(4).enumerate() {
            self.frame.ids[n] = component[0];
            self.frame.table_of[n] = component[2];
        }
        self.frame.seen = true;
        Ok(())
    }

    /// Starts the scan whose header is the current item.
    fn begin_scan(&mut self, memory: &mut Memory<'_>) -> Result<(), Error> {
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
        } else if count > 1 && blocks > super::layout::MCU_BLOCKS as u32 {
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
            if !core::mem::replace(&mut self.frame.started[index], true) {
                let table = self.frame.tables.get(usize::from(self.frame.table_of[index])).copied().flatten();
                let Some(table) = table else {
                    return self.fault("a quantization table is missing", memory);
                };
                let side = self.layout.scale.block_side();
                self.frame.quantizers[index] = render::quantizers(side, &table);
            }
            let (dc, ac) = needed_tables(pass, progressive);
            if (dc && !self.dc_tables.has(component.dc_table))
                || (ac && !self.ac_tables.has(component.ac_table))
            {
                return self.fault("a Huffman table is missing", memory);
            }
        }
        if progressive && self.scans == 1 {
            memory.coefficients.fill(0);
        }
        self.scan = Scan::new(&self.layout, components, pass, self.restart_interval.into(), progressive);
        self.window = Window::new(self.taken);
        self.stage = Stage::Scan;
        Ok(())
    }

    /// Inside a scan, with what the window holds.
    fn scan_on(&mut self, ended: bool, memory: &mut Memory<'_>) -> Result<(), Error> {
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
            self.scan.state = Default::default();
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

    /// The file's last byte was read.
    fn end_of_file(&mut self, memory: &mut Memory<'_>) -> Result<(), Error> {
        if matches!(self.stage, Stage::Complete) {
            return Ok(());
        }
        let truncated = Error::Truncated { format: Some(Format::Jpeg) };
        if !self.any {
            return Err(truncated);
        }
        self.note(truncated);
        self.complete(self.taken, memory)
    }

    /// Nothing more is needed: fills what never came.
    fn complete(&mut self, used: u64, memory: &mut Memory<'_>) -> Result<(), Error> {
        if !self.any {
            return Err(self.damage.unwrap_or_else(|| self.malformed("it ends before its first scan")));
        }
        for n in 0..self.layout.count {
            if self.frame.started[n] {
                continue;
            }
            self.note(self.malformed("a component is missing"));
            let plane = self.layout.components[n].plane;
            let start = plane.offset - self.layout.planes.range().start;
            let len = plane.stride * plane.height as usize;
            if let Some(samples) = memory.planes.get_mut(start..start + len) {
                samples.fill(GREY);
            }
        }
        self.used = used;
        self.stage = Stage::Complete;
        Ok(())
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

    /// Something outside the picture data is wrong: the end of the picture if there is one, an error if not.
    fn fault(&mut self, what: &'static str, memory: &mut Memory<'_>) -> Result<(), Error> {
        let error = self.malformed(what);
        if !self.any {
            return Err(error);
        }
        self.note(error);
        self.complete(self.taken, memory)
    }

    fn note(&mut self, error: Error) {
        self.damage.get_or_insert(error);
    }

    const fn malformed(&self, what: &'static str) -> Error {
        Error::Malformed { format: Format::Jpeg, offset: self.taken, what }
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

/// The workspace's parts.
fn split<'w>(layout: &Layout, workspace: &'w mut [u8]) -> Result<Memory<'w>, Error> {
    let (needed, given) = (layout.len(), workspace.len());
    if given < needed {
        return Err(Error::BufferTooSmall { needed, given });
    }
    if !workspace.as_ptr().addr().is_multiple_of(WORKSPACE_ALIGN) {
        return Err(Error::Misaligned);
    }
    let (planes, coefficients) = (layout.planes.range(), layout.coefficients.range());
    let (head, tail) = workspace[..needed].split_at_mut(coefficients.start);
    let (store, rest) = head.split_at_mut(size_of::<Store>());
    let planes = &mut rest[planes.start - size_of::<Store>()..planes.end - size_of::<Store>()];
    match (bytemuck::try_from_bytes_mut(store), bytemuck::try_cast_slice_mut(tail)) {
        (Ok(store), Ok(coefficients)) => Ok(Memory { store, planes, coefficients }),
        _ => Err(Error::Misaligned),
    }
}
