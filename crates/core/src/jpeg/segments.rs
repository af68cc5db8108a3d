//! Marker segments outside the entropy-coded data (T.81, B.1.1.4), byte by byte as they arrive.
//!
//! Bytes that belong to no segment are stepped over, as browsers do; so are the segments that do not matter. Of
//! the others one item at a time is gathered: a table, a frame header, a scan header.

use super::marker;

/// The longest item: a Huffman table, 1 + 16 + 256 bytes.
const LONGEST_ITEM: usize = 273;

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A marker that stands alone.
    Marker(u8),
    /// An item of this marker's segment is complete: see [`Segments::item`].
    Item(u8),
    /// The segment is over.
    End(u8),
    /// A segment ends inside an item, or its length or an item's is impossible.
    Broken(u8),
}

/// Where in the sequence of segments the reading stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segments {
    state: State,
    item: [u8; LONGEST_ITEM],
    item_len: usize,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// Before a marker; `after_ff`: an 0xFF came last.
    Between { after_ff: bool },
    /// After a marker; its length's first byte may be known.
    Length { code: u8, high: Option<u8> },
    /// `left` bytes of the segment are to come.
    Inside { code: u8, left: u32 },
}

impl Segments {
    /// Before a marker.
    pub(super) const fn new() -> Segments {
        Segments { state: State::Between { after_ff: false }, item: [0; LONGEST_ITEM], item_len: 0 }
    }

    /// Goes on between segments, after an 0xFF or not.
    pub(super) fn between(&mut self, after_ff: bool) {
        self.state = State::Between { after_ff };
    }

    /// Goes on after a marker that has a segment.
    pub(super) fn after_marker(&mut self, code: u8) {
        self.state = State::Length { code, high: None };
    }

    /// The bytes of the item that is complete.
    pub(super) fn item(&self) -> &[u8] {
        &self.item[..self.item_len]
    }

    /// Reads `input` from `at` on, up to the next event; `None`: it is used up.
    pub(super) fn next(&mut self, input: &[u8], at: &mut usize) -> Option<Event> {
        loop {
            match self.state {
                State::Between { after_ff: false } => {
                    let rest = input.get(*at..)?;
                    let found = rest.iter().position(|&byte| byte == 0xff);
                    *at += found.map_or(rest.len(), |place| place + 1);
                    found?;
                    self.between(true);
                }
                State::Between { after_ff: true } => {
                    let code = *input.get(*at)?;
                    *at += 1;
                    match code {
                        0xff => {}
                        0 => self.between(false),
                        code if marker::stands_alone(code) => {
                            self.between(false);
                            return Some(Event::Marker(code));
                        }
                        code => self.after_marker(code),
                    }
                }
                State::Length { code, high: None } => {
                    let high = *input.get(*at)?;
                    *at += 1;
                    self.state = State::Length { code, high: Some(high) };
                }
                State::Length { code, high: Some(high) } => {
                    let low = *input.get(*at)?;
                    *at += 1;
                    let len = u16::from_be_bytes([high, low]);
                    self.item_len = 0;
                    let Some(left) = len.checked_sub(2) else {
                        self.between(false);
                        return Some(Event::Broken(code));
                    };
                    self.state = State::Inside { code, left: left.into() };
                }
                State::Inside { code, left: 0 } => {
                    self.between(false);
                    let whole = self.item_len == 0 || self.needed(code) == Some(0);
                    return Some(if whole { Event::End(code) } else { Event::Broken(code) });
                }
                State::Inside { code, left } => {
                    // The item before this was the caller's until now.
                    if self.needed(code) == Some(0) && is_list(code) {
                        self.item_len = 0;
                    }
                    let available = input.len() - *at;
                    if available == 0 {
                        return None;
                    }
                    let wanted = match self.needed(code) {
                        Some(0) | None => left as usize, // nothing more: step over
                        Some(needed) => needed.min(left as usize),
                    };
                    let gathers = !matches!(self.needed(code), Some(0) | None);
                    let taken = wanted.min(available);
                    if gathers {
                        let place = self.item.get_mut(self.item_len..self.item_len + taken);
                        let Some(place) = place else {
                            self.between(false);
                            return Some(Event::Broken(code));
                        };
                        place.copy_from_slice(&input[*at..*at + taken]);
                        self.item_len += taken;
                    }
                    *at += taken;
                    self.state = State::Inside { code, left: left - taken as u32 };
                    if gathers && self.needed(code) == Some(0) {
                        return Some(Event::Item(code));
                    }
                }
            }
        }
    }

    /// How many more bytes the item needs, as far as those that are there tell; `None`: the segment has no items
    /// that matter.
    fn needed(&self, code: u8) -> Option<usize> {
        let item = self.item();
        let first = item.first().copied();
        let len = match (code, first) {
            (marker::DQT | marker::DHT | marker::SOS, None) => 1,
            (marker::DQT, Some(first)) => 1 + 64 * (1 + usize::from(first >> 4 != 0)),
            (marker::DHT, _) if item.len() < 17 => 17,
            (marker::DHT, _) => 17 + item[1..17].iter().map(|&count| usize::from(count)).sum::<usize>(),
            (marker::SOS, Some(components)) => 4 + 2 * usize::from(components),
            (marker::DRI, _) => 2,
            (marker::SOF0..=marker::SOF2, _) if item.len() < 6 => 6,
            (marker::SOF0..=marker::SOF2, _) => 6 + 3 * usize::from(item[5]),
            _ => return None,
        };
        Some(len.saturating_sub(item.len()))
    }
}

/// Whether the segment is a list of such items.
const fn is_list(code: u8) -> bool {
    matches!(code, marker::DQT | marker::DHT)
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;

    /// All events of `source`, cut into pieces, with their items.
    fn events(source: &[u8], piece: usize) -> Vec<(Event, Vec<u8>)> {
        let mut segments = Segments::new();
        let mut out = Vec::new();
        for input in source.chunks(piece) {
            let mut at = 0;
            while let Some(event) = segments.next(input, &mut at) {
                out.push((event, segments.item().to_vec()));
            }
            assert_eq!(at, input.len());
        }
        out
    }

    #[test]
    fn items_one_by_one_however_they_are_cut() {
        let mut source = vec![0xff, 0xd8, 1, 2, 0xff, 0xff, 0xe0, 0, 5, 0xff, 0xd9, 7];
        let (quick, wide) = ([&[0][..], &[3; 64]].concat(), [&[0x11][..], &[4; 128]].concat());
        source.extend([0xff, 0xdb, 0, 2 + 65 + 129]);
        source.extend(&quick);
        source.extend(&wide);
        source.extend([0xff, 0xdd, 0, 4, 1, 2, 0xff, 0xd9]);
        let want = vec![
            (Event::Marker(0xd8), vec![]),
            (Event::End(0xe0), vec![]),
            (Event::Item(0xdb), quick),
            (Event::Item(0xdb), wide.clone()),
            (Event::End(0xdb), wide),
            (Event::Item(0xdd), vec![1, 2]),
            (Event::End(0xdd), vec![1, 2]),
            (Event::Marker(0xd9), vec![1, 2]),
        ];
        for piece in [1, 2, 3, 7, 1000] {
            assert_eq!(events(&source, piece), want, "pieces of {piece}");
        }
    }

    #[test]
    fn broken_segments_are_told() {
        let last = |source: &[u8]| events(source, 1000).last().unwrap().0;
        assert_eq!(last(&[0xff, 0xe0, 0, 1]), Event::Broken(0xe0));
        assert_eq!(last(&[0xff, 0xdb, 0, 4, 0, 1]), Event::Broken(0xdb));
        // 16 × 255 symbols.
        let huge = [&[0xff, 0xc4, 0x40, 0][..], &[0], &[255; 16], &[0; 500]].concat();
        assert_eq!(last(&huge), Event::Broken(0xc4));
    }
}
