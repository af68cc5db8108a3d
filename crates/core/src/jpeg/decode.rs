//! A whole JPEG into interleaved pixels, by `zune-jpeg`.
//!
//! In: the file. Out: grey or RGB at full size, in the caller's memory. Memory: rows of coefficients for a
//! sequential file; two bytes for every sample of the padded planes for a progressive one or one whose first
//! scan does not hold all components ([`heap_len`]).

use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

use crate::pixels::{Decoded, PixelLayout, fill_undecoded, malformed};
use crate::{Error, Format, Header, JpegColor, JpegHeader};

/// The layout [`decode`] writes.
pub(crate) const fn layout(jpeg: &JpegHeader) -> PixelLayout {
    match jpeg.color {
        JpegColor::Grey => PixelLayout::Grey,
        _ => PixelLayout::Rgb,
    }
}

/// Upper bound of what the library allocates.
pub(crate) fn heap_len(header: &Header, jpeg: &JpegHeader) -> u64 {
    let max = jpeg.max_sampling();
    let (h_max, v_max) = (u64::from(max.horizontal), u64::from(max.vertical));
    let (mcus_x, mcus_y) = jpeg.mcus(header.width, header.height);
    let whole_planes = jpeg.progressive || !jpeg.interleaved;

    let mut len = 0;
    for component in jpeg.components() {
        let (h, v) = (u64::from(component.horizontal), u64::from(component.vertical));
        let stride = mcus_x * 8 * h;
        let upsampling = (h_max / h).max(1) * (v_max / v).max(1);
        // i16: a row of MCUs, the rows kept and made for upsampling, and its scratch.
        len += 2 * stride * (8 * v + 2 * v + v * upsampling + 16 * upsampling);
        if whole_planes {
            len += 2 * stride * mcus_y * 8 * v;
        }
    }
    let widest = mcus_x * 8 * h_max;
    len += 2 * widest * 8; // the upsampler's scratch
    // Metadata segments are copied, some put together again; then Huffman tables.
    len + 3 * header.header_len + (64 << 10)
}

/// Decodes the whole file into `pixels`, which holds exactly width × height pixels of [`layout`].
///
/// A file that strict decoding rejects is decoded once more leniently, as browsers do: what the scan gives
/// up to the damage, and grey after it. The library cannot tell a missing end marker from a missing last row:
/// both count as damage.
pub(crate) fn decode(jpeg: &JpegHeader, source: &[u8], pixels: &mut [u8]) -> Result<Decoded, Error> {
    match run(jpeg, source, pixels, true) {
        Ok(()) => Ok(Decoded::WHOLE),
        Err(error) => {
            let error = translate(&error);
            if matches!(error, Error::Unsupported { .. }) {
                return Err(error);
            }
            fill_undecoded(layout(jpeg), pixels);
            // What the second run says is known: it can only be the damage that the first one found.
            let _ = run(jpeg, source, pixels, false);
            if nothing_decoded(jpeg, pixels) { Err(error) } else { Ok(Decoded::damaged(error)) }
        }
    }
}

fn run(jpeg: &JpegHeader, source: &[u8], pixels: &mut [u8], strict: bool) -> Result<(), DecodeErrors> {
    let color = match layout(jpeg) {
        PixelLayout::Grey => ColorSpace::Luma,
        _ => ColorSpace::RGB,
    };
    let side = Format::Jpeg.max_side() as usize;
    let lenient = DecoderOptions::default()
        .set_max_width(side)
        .set_max_height(side)
        .set_strict_mode(false)
        .jpeg_set_out_colorspace(color);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(source), lenient);
    // Oddities between segments are no damage to the picture: strictness begins with the scan.
    decoder.decode_headers()?;
    decoder.set_options(lenient.set_strict_mode(strict));
    decoder.decode_into(pixels)
}

/// Whether every sample is what coefficients of zero decode to: there was no row to keep.
fn nothing_decoded(jpeg: &JpegHeader, pixels: &[u8]) -> bool {
    let four_inks = jpeg.color.components() == 4;
    pixels.iter().all(|&sample| sample == 128 || (four_inks && sample == 64))
}

fn translate(error: &DecodeErrors) -> Error {
    let what = match error {
        DecodeErrors::ExhaustedData | DecodeErrors::IoErrors(_) => {
            return Error::Truncated { format: Some(Format::Jpeg) };
        }
        DecodeErrors::Unsupported(_) => {
            return Error::Unsupported { format: Some(Format::Jpeg), what: "a coding process of its own" };
        }
        DecodeErrors::HuffmanDecode(_) => "a Huffman code or table is wrong",
        DecodeErrors::DqtError(_) => "a quantization table is wrong or missing",
        DecodeErrors::SosError(_) => "a scan header is wrong",
        DecodeErrors::SofError(_) | DecodeErrors::ZeroError => "its frame header is wrong",
        DecodeErrors::FormatStatic(what) => what,
        _ => "its picture data is damaged",
    };
    malformed(Format::Jpeg, what)
}
