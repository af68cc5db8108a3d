//! The ALPH chunk's data (RFC 9649, 2.7.1.2): the alpha plane, filtered, as the green channel of a VP8L stream.
//!
//! Memory: two planes and the chunk.

use alloc::vec::Vec;

use super::bits::Bits;
use super::lossless::{GREEN, RUN, length_prefix};
use super::prefix::Code;

/// Upper bound of [`encode`]'s result: codes over 280 symbols cost at most a little more than the samples.
pub(crate) const fn max_len((width, height): (u32, u32)) -> u64 {
    let pixels = width as u64 * height as u64;
    pixels + pixels / 4 + 4096
}

/// The chunk's data of RGBA pixels.
pub(crate) fn encode(rgba: &[u8], width: usize) -> Vec<u8> {
    let (pixels, _) = rgba.as_chunks::<4>();
    let plane: Vec<u8> = pixels.iter().map(|pixel| pixel[3]).collect();
    let mut best: Option<Vec<u8>> = None;
    let mut filtered = Vec::with_capacity(plane.len());
    // The filter whose residuals are least spread; then the stream itself decides between it and none.
    let scores = [1, 2, 3].map(|filter| {
        filter_plane(&plane, width, filter, &mut filtered);
        (spread(&filtered), filter)
    });
    let filter = scores.iter().min().map_or(0, |&(_, filter)| filter);
    for filter in [0, filter] {
        filter_plane(&plane, width, filter, &mut filtered);
        let stream = stream(&filtered, width);
        if best.as_ref().is_none_or(|best| stream.len() + 1 < best.len()) {
            let mut chunk = Vec::with_capacity(stream.len() + 1);
            chunk.push(filter << 2 | 1); // this filter, VP8L
            chunk.extend_from_slice(&stream);
            best = Some(chunk);
        }
    }
    best.unwrap_or_default()
}

/// Σ of the residuals' distances from 0.
fn spread(residuals: &[u8]) -> u64 {
    residuals.iter().map(|&residual| u64::from(residual.cast_signed().unsigned_abs())).sum()
}

/// Differences to the left (1), above (2), or left + above − above left (3); 0 copies.
fn filter_plane(plane: &[u8], width: usize, filter: u8, out: &mut Vec<u8>) {
    out.clear();
    if filter == 0 {
        out.extend_from_slice(plane);
        return;
    }
    out.extend(plane.iter().enumerate().map(|(at, &sample)| {
        let left = |at: usize| plane[at - 1];
        let predicted = match (at >= width, !at.is_multiple_of(width)) {
            (false, false) => 0,
            // The first row has nothing above, the first column nothing to the left.
            (false, true) => left(at),
            (true, false) => plane[at - width],
            (true, true) => match filter {
                1 => left(at),
                2 => plane[at - width],
                _ => {
                    let gradient =
                        i16::from(left(at)) + i16::from(plane[at - width]) - i16::from(plane[at - width - 1]);
                    u8::try_from(gradient.max(0)).unwrap_or(u8::MAX)
                }
            },
        };
        sample.wrapping_sub(predicted)
    }));
}

/// A piece of the stream: a sample, and how many after it repeat the samples before (`false`) or above (`true`).
fn for_each_piece(samples: &[u8], width: usize, mut each: impl FnMut(u8, usize, bool)) {
    let same = |at: usize, back: usize| {
        if back > at {
            return 0;
        }
        let most = RUN.min(samples.len() - at);
        (0..most).take_while(|&run| samples[at + run] == samples[at + run - back]).count()
    };
    let mut at = 0;
    while at < samples.len() {
        let sample = samples[at];
        at += 1;
        let (before, above) = (same(at, 1), same(at, width));
        let run = before.max(above);
        // A run costs about as much as three samples.
        let run = if run < 4 { 0 } else { run };
        each(sample, run, above > before);
        at += run;
    }
}

/// The image stream without its header (RFC 9649, 3.8): no transforms, no colour cache, one group of codes.
fn stream(samples: &[u8], width: usize) -> Vec<u8> {
    let mut green = [0; GREEN];
    let mut distances = [0_u32; 2];
    for_each_piece(samples, width, |sample, run, above| {
        green[usize::from(sample)] += 1;
        if let Some((symbol, ..)) = length_prefix(run) {
            green[symbol] += 1;
            distances[usize::from(!above)] += 1;
        }
    });
    let mut bits = Bits::default();
    bits.write(0, 3);
    let code = Code::of_channel(&green, &mut bits);
    for _ in 0..3 {
        Code::write_single(0, &mut bits);
    }
    // Distance code 1 is the sample above, 2 the one before (3.6.2.2); their prefixes are 0 and 1.
    let both = distances[0] > 0 && distances[1] > 0;
    if both {
        bits.write(0b11, 2); // a simple code of two symbols,
        bits.write(0, 1); // the first in one bit
        bits.write(0, 1);
        bits.write(1, 8);
    } else {
        Code::write_single(u8::from(distances[1] > 0), &mut bits);
    }
    for_each_piece(samples, width, |sample, run, above| {
        code.write(sample.into(), &mut bits);
        if let Some((symbol, extra, extra_bits)) = length_prefix(run) {
            code.write(symbol, &mut bits);
            bits.write(extra, extra_bits);
            if both {
                bits.write((!above).into(), 1);
            }
        }
    });
    bits.finish()
}
