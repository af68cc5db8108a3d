//! Reading a picture back, to judge it: any format, as 8-bit RGBA that is not premultiplied.

use std::fmt;
use std::io::Cursor;

use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use crate::Format;

/// A decoded picture as it is stored: an EXIF orientation is not applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The file's format.
    pub format: Format,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Whether the file has an alpha channel or a transparent colour, used or not.
    pub alpha: bool,
    rgba: Vec<[u8; 4]>,
}

impl Picture {
    /// Decodes a file; of a moving one, the first frame.
    pub fn decode(file: &[u8]) -> Result<Picture, DecodeError> {
        match Format::of(file).ok_or_else(|| DecodeError("none of the four formats".into()))? {
            Format::Jpeg => decode_jpeg(file),
            Format::Png => decode_png(file),
            Format::WebP => decode_webp(file),
            Format::Gif => decode_gif(file),
        }
    }

    /// The pixel at a place; `None` outside the picture.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let inside = x < self.width && y < self.height;
        inside.then(|| self.rgba[y as usize * self.width as usize + x as usize])
    }
}

/// Why a file is no picture: the decoder's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError(String);

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DecodeError {}

fn because(error: impl fmt::Debug) -> DecodeError {
    DecodeError(format!("{error:?}"))
}

fn decode_jpeg(file: &[u8]) -> Result<Picture, DecodeError> {
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(file), options);
    let samples = decoder.decode().map_err(because)?;
    let info = decoder.info().ok_or_else(|| DecodeError("no header".into()))?;
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    picture(Format::Jpeg, (width, height), false, &samples, 3)
}

fn decode_png(file: &[u8]) -> Result<Picture, DecodeError> {
    let mut decoder = png::Decoder::new(Cursor::new(file));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(because)?;
    let info = reader.info();
    let alpha = info.trns.is_some()
        || matches!(info.color_type, png::ColorType::Rgba | png::ColorType::GrayscaleAlpha);
    let size = (info.width, info.height);
    let mut samples = vec![0; reader.output_buffer_size().unwrap_or(0)];
    reader.next_frame(&mut samples).map_err(because)?;
    let channels = reader.output_color_type().0.samples();
    picture(Format::Png, size, alpha, &samples, channels)
}

fn decode_webp(file: &[u8]) -> Result<Picture, DecodeError> {
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(file)).map_err(because)?;
    let size = decoder.dimensions();
    let alpha = decoder.has_alpha();
    let mut samples = vec![0; decoder.output_buffer_size().unwrap_or(0)];
    if decoder.is_animated() {
        decoder.read_frame(&mut samples).map_err(because)?;
    } else {
        decoder.read_image(&mut samples).map_err(because)?;
    }
    picture(Format::WebP, size, alpha, &samples, if alpha { 4 } else { 3 })
}

fn decode_gif(file: &[u8]) -> Result<Picture, DecodeError> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(Cursor::new(file)).map_err(because)?;
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let frame = decoder.read_next_frame().map_err(because)?;
    let frame = frame.ok_or_else(|| DecodeError("a GIF without frames".into()))?;
    let mut screen = vec![0; width * height * 4];
    let row_len = usize::from(frame.width) * 4;
    for (row, samples) in frame.buffer.chunks(row_len).enumerate() {
        let start = ((usize::from(frame.top) + row) * width + usize::from(frame.left)) * 4;
        let target = screen.get_mut(start..start + row_len);
        target.ok_or_else(|| DecodeError("a frame beyond the screen".into()))?.copy_from_slice(samples);
    }
    let covers = usize::from(frame.width) == width && usize::from(frame.height) == height;
    let alpha = frame.transparent.is_some() || !covers;
    picture(Format::Gif, (width as u32, height as u32), alpha, &screen, 4)
}

/// Widens samples of 1 to 4 channels to RGBA.
fn picture(
    format: Format,
    (width, height): (u32, u32),
    alpha: bool,
    samples: &[u8],
    channels: usize,
) -> Result<Picture, DecodeError> {
    let rgba: Vec<[u8; 4]> = samples
        .chunks_exact(channels)
        .map(|pixel| match *pixel {
            [grey] => [grey, grey, grey, 255],
            [grey, alpha] => [grey, grey, grey, alpha],
            [r, g, b] => [r, g, b, 255],
            [r, g, b, alpha] => [r, g, b, alpha],
            _ => [0; 4],
        })
        .collect();
    if rgba.len() != width as usize * height as usize {
        return Err(DecodeError(format!("{} pixels where {width}×{height} are stated", rgba.len())));
    }
    Ok(Picture { format, width, height, alpha, rgba })
}
