//! The bytes of an entropy-coded segment on their way from the source to the bit reader: the zero that is
//! stuffed after each 0xFF (T.81, B.1.1.5) is taken out, and the marker that ends the segment is found.
//!
//! Memory: [`WINDOW`] bytes, of which [`FILL`] take data. The rest is for a unit that reads beyond the end before
//! it is noticed: at most 10 blocks × 64 symbols × 31 bits = 2,480 bytes.

/// Bytes of the window, a power of two.
pub(super) const WINDOW: usize = 1 << 14;
/// Bytes after it that a load may touch.
pub(super) const READ_AHEAD: usize = 8;
/// Bytes of it that take data.
pub(super) const FILL: usize = WINDOW - PADDING;
/// Bytes that a unit may read beyond the data.
const PADDING: usize = 2560;

/// Where the window stands; its bytes are in the workspace.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Window {
    /// Bytes in it.
    len: usize,
    /// Bits of them that were consumed.
    pub(super) position: usize,
    /// The byte before the next of the source was 0xFF.
    after_ff: bool,
    /// The marker that ends the segment, once it was met.
    pub(super) marker: Option<u8>,
    /// The source's byte from which the window's first came.
    offset: u64,
}

impl Window {
    /// A window for a segment whose first byte is the source's byte `offset`.
    pub(super) const fn new(offset: u64) -> Window {
        Window { len: 0, position: 0, after_ff: false, marker: None, offset }
    }

    /// Takes bytes from `input`, as many as there is room for, up to and including a marker. How many it took.
    pub(super) fn fill(&mut self, bytes: &mut [u8; WINDOW + READ_AHEAD], input: &[u8]) -> usize {
        if self.marker.is_some() {
            return 0;
        }
        self.compact(bytes);
        let mut at = 0;
        while at < input.len() && self.len + 16 <= FILL {
            if !self.after_ff
                && let Some(chunk) = input[at..].first_chunk::<16>()
            {
                // Copied whole; what follows an 0xFF is written over.
                bytes[self.len..self.len + 16].copy_from_slice(chunk);
                if !holds_ff(chunk) {
                    self.len += 16;
                    at += 16;
                    continue;
                }
                let plain = before_ff(chunk);
                self.len += plain;
                at += plain;
                if input.get(at + 1) == Some(&0) {
                    bytes[self.len] = 0xff;
                    self.len += 1;
                    at += 2;
                    continue;
                }
            }
            // A marker, or what is left of the input.
            let end = input.len().min(at + 16);
            while at < end {
                let byte = input[at];
                at += 1;
                match (self.after_ff, byte) {
                    (_, 0xff) => self.after_ff = true,
                    (false, _) => {
                        bytes[self.len] = byte;
                        self.len += 1;
                    }
                    (true, 0) => {
                        self.after_ff = false;
                        bytes[self.len] = 0xff;
                        self.len += 1;
                    }
                    (true, code) => {
                        self.after_ff = false;
                        self.marker = Some(code);
                        self.pad(bytes);
                        return at;
                    }
                }
            }
        }
        at
    }

    /// Zeros after the last byte: what a unit that is cut off reads on, as every decoder has it.
    pub(super) fn pad(&self, bytes: &mut [u8; WINDOW + READ_AHEAD]) {
        bytes[self.len..self.len + PADDING + READ_AHEAD].fill(0);
    }

    /// Bits in the window, consumed or not.
    pub(super) const fn bits(&self) -> usize {
        self.len * 8
    }

    /// Whole bytes that were not consumed.
    pub(super) const fn unread(&self) -> usize {
        (self.bits() - self.position) / 8
    }

    /// Whether the source's last byte so far was an 0xFF whose meaning the next tells.
    pub(super) const fn after_ff(&self) -> bool {
        self.after_ff
    }

    /// The source's byte after the last that was consumed: the same however the source was cut.
    pub(super) fn source_position(&self, bytes: &[u8; WINDOW + READ_AHEAD]) -> u64 {
        self.source_position_of(bytes, self.position)
    }

    /// The source's byte after the one that holds the window's bit before `position`.
    pub(super) fn source_position_of(&self, bytes: &[u8; WINDOW + READ_AHEAD], position: usize) -> u64 {
        let consumed = position.div_ceil(8).min(self.len);
        self.offset + source_len(&bytes[..consumed])
    }

    /// Moves what was not consumed to the window's start.
    fn compact(&mut self, bytes: &mut [u8; WINDOW + READ_AHEAD]) {
        let gone = self.position / 8;
        // Rarely, so that what is moved is little beside what was read.
        if gone < FILL / 2 && self.len + 16 <= FILL {
            return;
        }
        self.offset += source_len(&bytes[..gone]);
        bytes.copy_within(gone..self.len, 0);
        self.len -= gone;
        self.position -= gone * 8;
    }
}

/// How many bytes of source these were, with the zeros that were stuffed into them.
fn source_len(bytes: &[u8]) -> u64 {
    bytes.len() as u64 + bytes.iter().map(|&byte| u64::from(byte == 0xff)).sum::<u64>()
}

/// Whether any byte is 0xFF.
#[inline(always)]
fn holds_ff(chunk: &[u8; 16]) -> bool {
    let (halves, _) = chunk.as_chunks::<8>();
    (first_ff(halves[0]) | first_ff(halves[1])) != 0
}

/// How many bytes come before the first 0xFF.
#[inline(always)]
fn before_ff(chunk: &[u8; 16]) -> usize {
    let (halves, _) = chunk.as_chunks::<8>();
    match first_ff(halves[0]) {
        0 => 8 + first_ff(halves[1]).trailing_zeros() as usize / 8,
        found => found.trailing_zeros() as usize / 8,
    }
}

/// The lowest bit that is set is the top bit of the first 0xFF; 0 if there is none.
#[inline(always)]
fn first_ff(bytes: [u8; 8]) -> u64 {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    // Of the inverted bytes the first that is zero is the first to borrow.
    let inverted = !u64::from_le_bytes(bytes);
    inverted.wrapping_sub(ONES) & !inverted & (ONES << 7)
}

#[cfg(test)]
#[expect(clippy::large_stack_arrays, reason = "a test's thread has room for a window")]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// Bytes, their markers and stuffing by the rule, one at a time.
    fn unstuffed(source: &[u8]) -> (Vec<u8>, Option<u8>, usize) {
        let mut out = Vec::new();
        let mut at = 0;
        while at < source.len() {
            if source[at] != 0xff {
                out.push(source[at]);
                at += 1;
                continue;
            }
            while source.get(at) == Some(&0xff) {
                at += 1;
            }
            match source.get(at) {
                Some(0) => out.push(0xff),
                Some(code) => return (out, Some(*code), at + 1),
                None => {}
            }
            at += 1;
        }
        (out, None, source.len())
    }

    #[test]
    fn equals_the_rule_however_it_is_cut() {
        let mut source: Vec<u8> =
            (0..3000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        for n in (0..2900).filter(|n| source[*n] == 0xff).collect::<Vec<_>>() {
            source[n + 1] = if n % 5 == 0 { 0xff } else { 0 };
        }
        for at in [5, 16, 31, 700] {
            source[at] = 0xff;
            source[at + 1] = 0;
        }
        source[2000] = 0xff;
        source[2001] = 0xff;
        source[2002] = 0xd3;
        let (want, marker, taken) = unstuffed(&source);
        assert!(marker.is_some());
        for size in [1, 2, 3, 15, 16, 17, 100, 4000] {
            let mut bytes = [0xaa; WINDOW + READ_AHEAD];
            let mut window = Window::new(10);
            let mut all = 0;
            for piece in source.chunks(size) {
                all += window.fill(&mut bytes, piece);
            }
            assert_eq!((window.marker, all), (marker, taken), "pieces of {size}");
            assert_eq!(&bytes[..window.len], &want[..]);
            assert!(bytes[window.len..][..PADDING].iter().all(|&byte| byte == 0), "zeros after the end");
        }
    }

    #[test]
    fn full_windows_take_no_more_and_move_on() {
        let source: Vec<u8> = (0..100_000_u32).map(|n| (n % 255) as u8).collect();
        let mut bytes = [0; WINDOW + READ_AHEAD];
        let mut window = Window::new(0);
        let (mut at, mut read) = (0, 0);
        while read < source.len() {
            at += window.fill(&mut bytes, &source[at..]);
            assert!(window.len + 16 > FILL || at == source.len());
            let unread = window.unread();
            assert!(unread > 0);
            let step = unread.min(5000);
            let start = window.position / 8;
            assert_eq!(&bytes[start..start + step], &source[read..read + step]);
            window.position += step * 8;
            read += step;
            assert_eq!(window.source_position(&bytes), read as u64);
        }
    }
}
