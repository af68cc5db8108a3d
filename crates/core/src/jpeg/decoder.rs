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

mod scans;

use super::layout::{Layout, Plane, Region, Scale};
use super::marker;
use super::render;
use super::scan::{GREY, Memory, Scan};
use super::segments::{Event, Segments};
use super::store::{Store, Tables};
use super::window::Window;
use crate::{Error, Format, JpegHeader, Progress, WORKSPACE_ALIGN};

/// Bytes of an unfinished segment below which more are waited for: an MCU rarely has more, and is begun again
/// when it turns out to.
const ENOUGH: usize = 2048;

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
    /// The coefficients are zero where nothing was decoded (progressive).
    cleared: bool,
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

impl Frame {
    /// The quantization table that a component names, if it is there.
    fn table(&self, component: usize) -> Option<[u16; 64]> {
        self.tables.get(usize::from(self.table_of[component])).copied().flatten()
    }
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
            cleared: false,
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
            Event::Item(code) => self.item(code, memory),
            Event::End(marker::SOS) => {
                // An empty segment has no item.
                if self.segments.item().is_empty() {
                    return self.fault("a scan header is too short", memory);
                }
                self.begin_scan(memory)
            }
            Event::Marker(_) | Event::End(_) => Ok(()),
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
