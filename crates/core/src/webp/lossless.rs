//! A lossless WebP (VP8L, RFC 9649, 3): pixels in, the file out.
//!
//! The method is that of `image-webp` 0.2.4 (MIT or Apache-2.0), to the bit but for one thing: there, lengths
//! of prefix codes that must be shortened are given out in an order that differs between 32-bit and 64-bit
//! machines, and so did the files. Green subtracted, prediction from above (in the first row from the left), runs
//! of equal pixels, one prefix code for each channel.
//!
//! Memory: four bytes for each pixel, and the file.

use alloc::vec::Vec;

use super::bits::Bits;
use super::prefix::Code;
use crate::pixels::PixelLayout;
use crate::sink::Sink;

/// Symbols of the green code: its values, and 24 prefixes of lengths of runs.
pub(crate) const GREEN: usize = 256 + 24;

/// Symbols of the other codes.
const OTHERS: usize = 256;

/// The most equal pixels after one that are written as a run.
pub(crate) const RUN: usize = 4096;

/// Writes the file.
pub(crate) fn encode(pixels: &[u8], (width, height): (u32, u32), layout: PixelLayout, sink: &mut Sink<'_>) {
    let mut bits = Bits::default();
    bits.write(0x2f, 8); // the signature
    bits.write(u64::from(width) - 1, 14);
    bits.write(u64::from(height) - 1, 14);
    bits.write((layout == PixelLayout::Rgba).into(), 1);
    bits.write(0, 3); // the version
    bits.write(0b101, 3); // a transform: subtract green
    bits.write(0b11_1001, 6); // a transform: predictors, in the largest blocks
    bits.write(0, 1); // whose picture has no colour cache
    Code::write_single(2, &mut bits); // each is "from above"
    for _ in 0..4 {
        Code::write_single(0, &mut bits);
    }
    bits.write(0, 3); // no more transforms, no colour cache, one group of codes

    let residuals = residuals(pixels, width as usize, layout);
    let (residuals, _) = residuals.as_chunks::<4>();
    let [green, red, blue, alpha] = codes(residuals, &mut bits);
    Code::write_single(1, &mut bits); // distances: always the pixel before
    for_each_run(residuals, |[r, g, b, a], run| {
        for (code, symbol) in [(&green, g), (&red, r), (&blue, b), (&alpha, a)] {
            code.write(symbol.into(), &mut bits);
        }
        if let Some((symbol, extra, extra_bits)) = length_prefix(run) {
            green.write(symbol, &mut bits);
            bits.write(extra, extra_bits);
        }
    });
    write_file(&bits.finish(), sink);
}

/// Each pixel as red, green, blue and alpha, less what is predicted.
fn residuals(pixels: &[u8], width: usize, layout: PixelLayout) -> Vec<u8> {
    let mut rgba: Vec<u8> = match layout {
        PixelLayout::Grey => pixels.iter().flat_map(|&grey| [grey, grey, grey, 255]).collect(),
        PixelLayout::Rgb => {
            let (pixels, _) = pixels.as_chunks::<3>();
            pixels.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect()
        }
        PixelLayout::Rgba => pixels.to_vec(),
    };
    for pixel in rgba.chunks_exact_mut(4) {
        pixel[0] = pixel[0].wrapping_sub(pixel[1]);
        pixel[2] = pixel[2].wrapping_sub(pixel[1]);
    }
    // From the end, so that what predicts is still there.
    let row = width * 4;
    for start in (row..rgba.len()).step_by(row).rev() {
        let (above, here) = rgba[start - row..start + row].split_at_mut(row);
        for (sample, above) in here.iter_mut().zip(above) {
            *sample = sample.wrapping_sub(*above);
        }
    }
    for at in (4..row).rev() {
        rgba[at] = rgba[at].wrapping_sub(rgba[at - 4]);
    }
    rgba[3] = rgba[3].wrapping_sub(255); // the first pixel is predicted as opaque black
    rgba
}

/// The codes of green, red, blue and alpha, written as they are made.
fn codes(residuals: &[[u8; 4]], bits: &mut Bits) -> [Code; 4] {
    let mut green = [0; GREEN];
    let mut others = [[0; OTHERS]; 3];
    for_each_run(residuals, |[r, g, b, a], run| {
        green[usize::from(g)] += 1;
        for (counts, symbol) in others.iter_mut().zip([r, b, a]) {
            counts[usize::from(symbol)] += 1;
        }
        if let Some((symbol, ..)) = length_prefix(run) {
            green[symbol] += 1;
        }
    });
    let [red, blue, alpha] = &others;
    [&green[..], red, blue, alpha].map(|counts| Code::of_channel(counts, bits))
}

/// Each pixel that is not part of a run, and how many equal ones follow it.
fn for_each_run(pixels: &[[u8; 4]], mut each: impl FnMut([u8; 4], usize)) {
    let mut rest = pixels;
    while let [pixel, after @ ..] = rest {
        let run = after.iter().take(RUN).take_while(|next| *next == pixel).count();
        each(*pixel, run);
        rest = &after[run..];
    }
}

/// The symbol of a run's length in the green code, its extra bits and their number (RFC 9649, 5.2.2).
pub(crate) fn length_prefix(run: usize) -> Option<(usize, u64, u8)> {
    let value = run.checked_sub(1)?;
    if value < 4 {
        return Some((256 + value, 0, 0));
    }
    let highest = value.ilog2() as usize;
    let extra_bits = highest - 1;
    let symbol = 2 * highest + ((value >> extra_bits) & 1);
    Some((256 + symbol, (value & ((1 << extra_bits) - 1)) as u64, extra_bits as u8))
}

/// The RIFF file around a frame.
fn write_file(frame: &[u8], sink: &mut Sink<'_>) {
    let padding = frame.len() % 2;
    sink.write(b"RIFF");
    sink.write(&((frame.len() + padding + 12) as u32).to_le_bytes());
    sink.write(b"WEBPVP8L");
    sink.write(&(frame.len() as u32).to_le_bytes());
    sink.write(frame);
    sink.write(&[0][..padding]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use image_webp::{ColorType, WebPDecoder, WebPEncoder};
    use std::io::Cursor;

    fn encoded(pixels: &[u8], size: (u32, u32), layout: PixelLayout) -> Vec<u8> {
        let mut buffer = vec![0; pixels.len() * 8 + 4096];
        let mut sink = Sink::new(&mut buffer);
        encode(pixels, size, layout, &mut sink);
        let len = sink.finish(crate::Format::WebP).unwrap();
        buffer.truncate(len);
        buffer
    }

    /// Numbers without a pattern, from 0 to `below`.
    fn noise(len: usize, below: u32) -> Vec<u8> {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 16) % below) as u8
        };
        (0..len).map(|_| next()).collect()
    }

    #[test]
    fn files_are_those_of_image_webp() {
        // Codes that need no shortening, where the two must agree.
        for (layout, color, samples) in [
            (PixelLayout::Grey, ColorType::L8, 1),
            (PixelLayout::Rgb, ColorType::Rgb8, 3),
            (PixelLayout::Rgba, ColorType::Rgba8, 4),
        ] {
            for (size, below) in [((1, 1), 256), ((3, 5), 2), ((90, 100), 4), ((64, 64), 256), ((200, 50), 1)]
            {
                let pixels = noise((size.0 * size.1) as usize * samples, below);
                let mut theirs = Vec::new();
                WebPEncoder::new(&mut theirs).encode(&pixels, size.0, size.1, color).unwrap();
                assert_eq!(encoded(&pixels, size, layout), theirs, "{layout:?} {size:?} {below}");
            }
        }
    }

    #[test]
    fn codes_that_are_shortened_are_read_back() {
        // Each value half as often as the one before, which makes the deepest trees.
        let (width, height) = (512, 512);
        let noise = noise(width * height * 2, 256);
        let (pairs, _) = noise.as_chunks::<2>();
        let pixels: Vec<u8> =
            pairs.iter().map(|pair| u16::from_le_bytes(*pair).trailing_zeros() as u8 * 11).collect();
        let file = encoded(&pixels, (width as u32, height as u32), PixelLayout::Grey);
        let mut decoder = WebPDecoder::new(Cursor::new(file)).unwrap();
        let mut back = vec![0; decoder.output_buffer_size().unwrap()];
        decoder.read_image(&mut back).unwrap();
        let grey: Vec<u8> = back.chunks_exact(3).map(|pixel| pixel[1]).collect();
        assert!(grey == pixels);
    }
}
