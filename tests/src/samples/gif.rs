//! Writing GIF samples.

use std::borrow::Cow;
use std::collections::HashMap;

use gif::{Encoder, Frame, Repeat};

/// One frame: its place on the screen, its size, palette indices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    pub(crate) left: u16,
    pub(crate) top: u16,
    pub(crate) width: u16,
    pub(crate) height: u16,
    pub(crate) indices: Vec<u8>,
}

/// Encodes frames that share a palette, each shown for half a second.
pub(crate) fn encode(
    screen: (u16, u16),
    palette: &[[u8; 3]],
    transparent: Option<u8>,
    frames: Vec<Part>,
) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, screen.0, screen.1, &palette.concat())
        .expect("a palette of at most 256 colours");
    if frames.len() > 1 {
        encoder.set_repeat(Repeat::Infinite).expect("writing to memory does not fail");
    }
    for part in frames {
        let frame = Frame {
            delay: 50,
            transparent,
            top: part.top,
            left: part.left,
            width: part.width,
            height: part.height,
            buffer: Cow::Owned(part.indices),
            ..Frame::default()
        };
        encoder.write_frame(&frame).expect("writing to memory does not fail");
    }
    drop(encoder); // writes the trailer
    file
}

/// The 256 most frequent colours of 8-bit RGB pixels, and for every pixel the index of the nearest.
pub(crate) fn quantized(rgb: &[u8]) -> (Vec<[u8; 3]>, Vec<u8>) {
    let (pixels, _) = rgb.as_chunks::<3>();
    let mut counts = HashMap::new();
    for pixel in pixels {
        *counts.entry(*pixel).or_insert(0_u32) += 1;
    }
    let mut palette: Vec<[u8; 3]> = counts.keys().copied().collect();
    palette.sort_by_key(|color| (std::cmp::Reverse(counts[color]), *color));
    palette.truncate(256);
    let nearest: HashMap<[u8; 3], u8> =
        counts.into_keys().map(|color| (color, nearest_index(&palette, color))).collect();
    let indices = pixels.iter().map(|pixel| nearest[pixel]).collect();
    (palette, indices)
}

fn nearest_index(palette: &[[u8; 3]], color: [u8; 3]) -> u8 {
    let distance = |entry: &[u8; 3]| -> u32 {
        entry.iter().zip(color).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    let best = palette.iter().enumerate().min_by_key(|(_, entry)| distance(entry));
    best.map_or(0, |(index, _)| index as u8)
}
