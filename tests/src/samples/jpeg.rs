//! Writing JPEG samples.

use jpeg_encoder::{ChromaSubsamplingMethod, ColorType, Encoder, SamplingFactor};

use super::exif;

/// How a sample differs from a plain baseline file with 4:2:0.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Options {
    pub(crate) progressive: bool,
    /// No chroma subsampling.
    pub(crate) full_chroma: bool,
    /// The EXIF orientation to write; 0 writes no EXIF.
    pub(crate) orientation: u8,
}

/// Encodes samples in the layout `color` names.
pub(crate) fn encode(
    samples: &[u8],
    size: (u32, u32),
    color: ColorType,
    quality: u8,
    options: Options,
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, quality);
    encoder.set_progressive(options.progressive);
    encoder.set_chroma_subsampling_method(ChromaSubsamplingMethod::Average);
    encoder.set_sampling_factor(if options.full_chroma {
        SamplingFactor::R_4_4_4
    } else {
        SamplingFactor::R_4_2_0
    });
    if options.orientation != 0 {
        encoder
            .add_exif_metadata(&exif::orientation(options.orientation))
            .expect("a few bytes fit a segment");
    }
    encoder.encode(samples, size.0 as u16, size.1 as u16, color).expect("writing to memory does not fail");
    bytes
}

/// Where the frame header's marker (`FF C0` and the like) starts; the frame's precision, height and width are
/// its bytes 4, 5–6 and 7–8.
pub(crate) fn frame_header(file: &[u8]) -> usize {
    let mut at = 2;
    while !(0xc0..=0xc2).contains(&file[at + 1]) {
        at += 2 + usize::from(u16::from_be_bytes([file[at + 2], file[at + 3]]));
    }
    at
}
