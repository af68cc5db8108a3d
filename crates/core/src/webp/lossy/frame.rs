//! The VP8 frame's parts around the coefficients: its header and the modes (RFC 6386, 9 and 19.2).

use super::bool_coder::BoolCoder;
use super::decide::{CHROMA_TREE, LUMA_TREE, SUBBLOCK_TREE};
use super::macroblock::{CHROMA_MODE, Info, LUMA_MODE, SKIP, SUBBLOCK_MODES, SUBBLOCKS};
use super::predict::{DC, MODES};
use super::probabilities::{Probabilities, updates};
use super::tables::{CHROMA_MODE_PROBABILITIES, LUMA_MODE_PROBABILITIES, SUBBLOCK_MODE_PROBABILITIES};

/// Bytes of the frame tag, the start code and the size.
pub(super) const TAG: usize = 10;

/// The longest first partition: its length has 19 bits.
pub(super) const FIRST_PARTITION_MAX: usize = (1 << 19) - 1;

/// What the frame header says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) quantizer_index: u8,
    /// 0 to 63.
    pub(super) filter_level: u8,
    /// 0 to 7.
    pub(super) filter_sharpness: u8,
    /// Two token partitions rather than one.
    pub(super) two_partitions: bool,
    /// The probability that a macroblock is not skipped, where any is.
    pub(super) skip: Option<u8>,
}

/// The tag: a key frame of version 0, shown, with a first partition of `first` bytes.
pub(super) fn tag((width, height): (u32, u32), first: usize) -> [u8; TAG] {
    let bits = (first as u32) << 5 | 1 << 4;
    let [a, b, c, _] = bits.to_le_bytes();
    let [w0, w1] = (width as u16).to_le_bytes();
    let [h0, h1] = (height as u16).to_le_bytes();
    [a, b, c, 0x9d, 0x01, 0x2a, w0, w1, h0, h1]
}

/// Writes the header, which the first partition begins with.
pub(super) fn write_header(
    header: Header,
    probabilities: &Probabilities,
    coder: &mut BoolCoder,
    out: &mut [u8],
) {
    coder.put_literal(0, 1, out); // colour space
    coder.put_literal(0, 1, out); // values are clamped
    coder.put_literal(0, 1, out); // no segments
    coder.put_literal(0, 1, out); // the normal loop filter
    coder.put_literal(header.filter_level.into(), 6, out);
    coder.put_literal(header.filter_sharpness.into(), 3, out);
    coder.put_literal(0, 1, out); // the same for all macroblocks
    coder.put_literal(header.two_partitions.into(), 2, out);
    coder.put_literal(header.quantizer_index.into(), 7, out);
    coder.put_literal(0, 5, out); // and no other for DC, second order or chroma
    coder.put_literal(0, 1, out); // probabilities are this frame's alone
    for (chosen, default, update) in updates(probabilities) {
        coder.put(chosen != default, update, out);
        if chosen != default {
            coder.put_literal(chosen.into(), 8, out);
        }
    }
    coder.put_literal(header.skip.is_some().into(), 1, out);
    if let Some(probability) = header.skip {
        coder.put_literal(probability.into(), 8, out);
    }
}

/// Writes a macroblock's skip flag and modes. `above` and `left` are its neighbours, where it has them.
pub(super) fn write_modes(
    header: Header,
    info: &Info,
    above: Option<&Info>,
    left: Option<&Info>,
    coder: &mut BoolCoder,
    out: &mut [u8],
) {
    if let Some(probability) = header.skip {
        coder.put(info[SKIP] == 1, probability, out);
    }
    let mut put = |tree: &[(u8, bool)], probabilities: &[u8]| {
        for &(at, bit) in tree {
            coder.put(bit, probabilities[usize::from(at)], out);
        }
    };
    let mode = info[LUMA_MODE];
    put(LUMA_TREE[usize::from(mode.min(SUBBLOCKS))], &LUMA_MODE_PROBABILITIES);
    if mode == SUBBLOCKS {
        let of = |info: Option<&Info>, block: usize| info.map_or(DC, |info| info[SUBBLOCK_MODES + block]);
        for block in 0..16 {
            let above = if block < 4 { of(above, block + 12) } else { info[SUBBLOCK_MODES + block - 4] };
            let left = if block % 4 == 0 { of(left, block + 3) } else { info[SUBBLOCK_MODES + block - 1] };
            let probabilities =
                &SUBBLOCK_MODE_PROBABILITIES[usize::from(above) % MODES][usize::from(left) % MODES];
            put(SUBBLOCK_TREE[usize::from(info[SUBBLOCK_MODES + block]) % MODES], probabilities);
        }
    }
    put(CHROMA_TREE[usize::from(info[CHROMA_MODE] & 3)], &CHROMA_MODE_PROBABILITIES);
}
