//! Pictures as the benches need them: decoded, resized and written by one library for each, the same for all.

use std::io::Cursor;

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use turbojpeg::{Compressor, Decompressor, PixelFormat, ScalingFactor, Subsamp};

use crate::Result;

/// 8-bit RGB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rgb {
    pub width: usize,
    pub height: usize,
    /// Three bytes for each pixel, rows without padding.
    pub pixels: Vec<u8>,
}

impl Rgb {
    /// Decodes a JPEG at `1 / reduction` of its size.
    pub(crate) fn from_jpeg(file: &[u8], reduction: usize) -> Result<Rgb> {
        let mut decompressor = Decompressor::new()?;
        let header = decompressor.read_header(file)?;
        let scale = ScalingFactor::new(1, reduction);
        decompressor.set_scaling_factor(scale)?;
        let (width, height) = (scale.scale(header.width), scale.scale(header.height));
        let mut pixels = vec![0; width * height * 3];
        let image = turbojpeg::Image {
            pixels: &mut *pixels,
            width,
            pitch: width * 3,
            height,
            format: PixelFormat::RGB,
        };
        decompressor.decompress(file, image)?;
        Ok(Rgb { width, height, pixels })
    }

    /// Decodes a JPEG or a WebP without alpha.
    pub(crate) fn decode(file: &[u8]) -> Result<Rgb> {
        if !file.starts_with(b"RIFF") {
            return Rgb::from_jpeg(file, 1);
        }
        let mut decoder = image_webp::WebPDecoder::new(Cursor::new(file))?;
        let (width, height) = decoder.dimensions();
        if decoder.has_alpha() {
            return Err("a thumbnail of a JPEG came with alpha".into());
        }
        let mut pixels = vec![0; decoder.output_buffer_size().ok_or("a WebP without a size")?];
        decoder.read_image(&mut pixels)?;
        Ok(Rgb { width: width as usize, height: height as usize, pixels })
    }

    /// The whole picture at another size, by Lanczos3.
    pub(crate) fn resized(&self, width: usize, height: usize) -> Result<Rgb> {
        if (width, height) == (self.width, self.height) {
            return Ok(self.clone());
        }
        self.resized_from(width, height, &ResizeOptions::new())
    }

    /// The middle of the picture that has the aspect ratio of this size, at this size.
    pub(crate) fn covering(&self, width: usize, height: usize) -> Result<Rgb> {
        self.resized_from(width, height, &ResizeOptions::new().fit_into_destination(None))
    }

    /// The height that goes with a width, as all contestants round it.
    pub(crate) fn height_for(&self, width: usize) -> usize {
        ((self.height * width * 2 + self.width) / (self.width * 2)).max(1)
    }

    /// Writes a JPEG with 4:2:0.
    pub(crate) fn to_jpeg(&self, quality: i32, progressive: bool) -> Result<Vec<u8>> {
        let mut compressor = Compressor::new()?;
        compressor.set_quality(quality)?;
        compressor.set_subsamp(Subsamp::Sub2x2)?;
        compressor.set_progressive(progressive)?;
        let Rgb { width, height, ref pixels } = *self;
        let image = turbojpeg::Image {
            pixels: pixels.as_slice(),
            width,
            pitch: width * 3,
            height,
            format: PixelFormat::RGB,
        };
        Ok(compressor.compress_to_vec(image)?)
    }

    fn resized_from(&self, width: usize, height: usize, options: &ResizeOptions) -> Result<Rgb> {
        let source = ImageRef::new(self.width as u32, self.height as u32, &self.pixels, PixelType::U8x3)?;
        let mut target = Image::new(width as u32, height as u32, PixelType::U8x3);
        let options = options.resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3));
        Resizer::new().resize(&source, &mut target, &options)?;
        Ok(Rgb { width, height, pixels: target.into_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_halves() -> Rgb {
        let row: Vec<u8> = (0..64).flat_map(|x| if x < 32 { [200, 40, 40] } else { [40, 40, 200] }).collect();
        Rgb { width: 64, height: 32, pixels: row.repeat(32) }
    }

    #[test]
    fn heights_follow_the_aspect_ratio() {
        let hd = Rgb { width: 1920, height: 1080, pixels: Vec::new() };
        assert_eq!((hd.height_for(240), hd.height_for(800), hd.height_for(1)), (135, 450, 1));
    }

    #[test]
    fn a_covering_picture_is_the_middle() {
        let square = two_halves().covering(16, 16).unwrap();
        let pixel = |x: usize| &square.pixels[(8 * 16 + x) * 3..][..3];
        assert_eq!((pixel(2), pixel(13)), (&[200, 40, 40][..], &[40, 40, 200][..]));
    }

    #[test]
    fn a_jpeg_comes_back_at_every_reduction() {
        for progressive in [false, true] {
            let file = two_halves().to_jpeg(90, progressive).unwrap();
            for reduction in [1, 2, 4, 8] {
                let back = Rgb::from_jpeg(&file, reduction).unwrap();
                assert_eq!((back.width, back.height), (64 / reduction, 32 / reduction));
                assert!(back.pixels[0] > 190 && back.pixels[2] < 60, "{:?}", &back.pixels[..3]);
            }
        }
    }
}
