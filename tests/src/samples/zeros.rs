//! Zlib streams of nothing but zeros, as short as deflate makes them: what decompression bombs are made of.

use miniz_oxide::DataFormat;
use miniz_oxide::deflate::CompressionLevel;
use miniz_oxide::deflate::core::{CompressorOxide, TDEFLFlush, compress};

/// A valid zlib stream (RFC 1950) that inflates to `len` zeros, at a thousandth of the size.
///
/// A megabyte is compressed once and its blocks are repeated: they refer to nothing but zeros before them.
pub(crate) fn zlib(len: usize) -> Vec<u8> {
    const PIECE: usize = 1 << 20;
    let piece = blocks(PIECE);
    let mut stream = vec![0x78, 0x9c];
    for _ in 0..len / PIECE {
        stream.extend_from_slice(&piece);
    }
    stream.extend(blocks(len % PIECE));
    stream.extend([0x01, 0x00, 0x00, 0xff, 0xff]); // the final block, stored, empty
    // Adler-32 over zeros: its low half stays 1, which its high half adds up once a byte.
    let adler = ((len % 65_521) as u32) << 16 | 1;
    stream.extend(adler.to_be_bytes());
    stream
}

/// Deflate blocks, none of them final, that end on a byte's boundary.
fn blocks(len: usize) -> Vec<u8> {
    let input = vec![0; len];
    let mut output = vec![0; len / 500 + 1024];
    let mut compressor =
        CompressorOxide::with_format_and_level(DataFormat::Raw, CompressionLevel::BestCompression);
    let (_, consumed, written) = compress(&mut compressor, &input, &mut output, TDEFLFlush::Sync);
    assert_eq!(consumed, len, "the output buffer has room for the worst ratio zeros give");
    output.truncate(written);
    output
}

#[cfg(test)]
mod tests {
    use super::zlib;

    #[test]
    fn inflates_to_zeros() {
        for len in [0, 1, 70_000, (3 << 20) + 17] {
            let zeros = miniz_oxide::inflate::decompress_to_vec_zlib(&zlib(len)).unwrap();
            assert_eq!(zeros, vec![0; len]);
        }
    }
}
