//! A JPEG's planes on their way to the scaled picture: each component is scaled by itself, from its own plane to the
//! thumbnail's size, and the colours are converted there, where there are few pixels.
//!
//! ```text
//! B: decoder's workspace ──► A: components, scaled ──► B: pixels, scaled ──► A: finished
//! ```
//!
//! In: a decoder and its workspace. Out: interleaved pixels, grey or RGB. Where borders are to be found or the crop
//! follows what is seen, the whole picture's pixels stand behind the decoder's workspace, at the scale it was read.

use crate::geometry::{Crop, Geometry, LoadScale, Rect};
use crate::jpeg::{self, Decoder, Region, Scale};
use crate::pixels::PixelLayout;
use crate::resample;
use crate::{Error, Header, JpegColor, JpegHeader, Sampling, WORKSPACE_ALIGN};

/// Samples on each side of a sample that the resize's filter may read, beyond its lobes.
const SLACK: f64 = 2.0;

/// The layout that the components become.
pub(crate) const fn layout(jpeg: &JpegHeader) -> PixelLayout {
    match jpeg.color {
        JpegColor::Grey => PixelLayout::Grey,
        _ => PixelLayout::Rgb,
    }
}

/// What is to be decoded of a JPEG, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading<'h> {
    pub(crate) header: &'h Header,
    pub(crate) jpeg: &'h JpegHeader,
    pub(crate) scale: LoadScale,
    pub(crate) geometry: &'h Geometry,
    /// Only pixels tell the crop: all of them are wanted.
    pub(crate) settles: bool,
}

impl Reading<'_> {
    /// The decoder.
    pub(crate) fn decoder(&self) -> Result<Decoder, Error> {
        Decoder::new(self.jpeg, self.size(), decoder_scale(self.scale), self.region())
    }

    /// Bytes of region B that the decoder needs, and behind it the pixels that tell the crop.
    pub(crate) fn workspace_len(&self) -> u64 {
        let decoder = jpeg::workspace_len(self.jpeg, self.size(), decoder_scale(self.scale), self.region());
        if !self.settles {
            return decoder;
        }
        let pixels = layout(self.jpeg).len(self.scale.picture(self.size()).size);
        decoder.next_multiple_of(WORKSPACE_ALIGN as u64).saturating_add(pixels)
    }

    /// Upper bound of what scaling any of the planes allocates.
    pub(crate) fn heap_len(&self) -> u64 {
        // A plane's rows are padded to whole MCUs.
        let max = self.jpeg.max_sampling();
        let (width, height) = self.scale.picture(self.size()).size;
        let padded = width.saturating_add(8 * u32::from(max.horizontal));
        resample::heap_len((padded, height), self.geometry.scaled, PixelLayout::Grey)
    }

    fn size(&self) -> (u32, u32) {
        (self.header.width, self.header.height)
    }

    /// The crop, and as much around it as the filter reads: three lobes, each of one sample or as many as become one.
    #[expect(clippy::cast_sign_loss, reason = "cut to the picture")]
    fn region(&self) -> Region {
        let Geometry { window, crop, scaled, .. } = *self.geometry;
        if self.settles {
            return Region { left: 0, top: 0, width: self.header.width, height: self.header.height };
        }
        let max = self.jpeg.max_sampling();
        let reach = |start: f64, len: f64, to: u32, most: u8, first: u32, side: u32| {
            // Pixels that the coarsest component's sample stands for.
            let sample = f64::from(self.scale.denominator()) * f64::from(most);
            let margin = resample::LOBES as f64 * (len / f64::from(to)).max(sample) + SLACK * sample;
            let from = libm::floor(start - margin).max(f64::from(first));
            let until = libm::ceil(start + len + margin).min(f64::from(first) + f64::from(side));
            (from as u32, (until - from).max(1.0) as u32)
        };
        let (left, width) = reach(crop.left, crop.width, scaled.0, max.horizontal, window.left, window.width);
        let (top, height) = reach(crop.top, crop.height, scaled.1, max.vertical, window.top, window.height);
        Region { left, top, width, height }
    }
}

/// Bytes of region A that the scaled components take.
pub(crate) fn components_len(jpeg: &JpegHeader, scaled: (u32, u32)) -> u64 {
    jpeg.color.components() as u64 * PixelLayout::Grey.len(scaled)
}

const fn decoder_scale(scale: LoadScale) -> Scale {
    match scale.denominator() {
        1 => Scale::Full,
        2 => Scale::Half,
        4 => Scale::Quarter,
        _ => Scale::Eighth,
    }
}

/// The whole picture's pixels, behind the decoder's workspace in `b`, each from the samples nearest to it.
pub(crate) fn pixels<'b>(decoder: &Decoder, size: (u32, u32), b: &'b mut [u8]) -> &'b [u8] {
    let jpeg = decoder.header();
    let (samples, pixels) = b.split_at_mut(decoder.workspace_len().next_multiple_of(WORKSPACE_ALIGN));
    let pixels = &mut pixels[..layout(jpeg).len(size) as usize];
    let max = jpeg.max_sampling();
    let channels = layout(jpeg).channels();
    let planes = decoder.planes();
    for (y, row) in pixels.chunks_exact_mut(size.0 as usize * channels).enumerate() {
        for (x, pixel) in row.chunks_exact_mut(channels).enumerate() {
            let mut place = [&[0][..]; 4];
            for ((place, plane), factors) in place.iter_mut().zip(&planes).zip(jpeg.components()) {
                let x = x * usize::from(factors.horizontal) / usize::from(max.horizontal);
                let y = y * usize::from(factors.vertical) / usize::from(max.vertical);
                let at = plane.offset + y.min(plane.height as usize - 1) * plane.stride;
                *place = &samples[at + x.min(plane.width as usize - 1)..][..1];
            }
            jpeg::to_pixels(jpeg.color, place, pixel);
        }
    }
    pixels
}

/// Scales each component into `a`, one plane after another.
pub(crate) fn scale(
    decoder: &Decoder,
    stored: (u32, u32),
    scale: LoadScale,
    geometry: &Geometry,
    b: &[u8],
    a: &mut [u8],
) -> Result<(), Error> {
    let jpeg = decoder.header();
    let max = jpeg.max_sampling();
    let len = PixelLayout::Grey.len(geometry.scaled) as usize;
    let targets = a.chunks_exact_mut(len.max(1));
    for ((plane, factors), target) in decoder.planes().iter().zip(jpeg.components()).zip(targets) {
        // Sampling factors of a single component mean nothing.
        let factors = if jpeg.components().len() == 1 { max } else { *factors };
        let whole = scale.plane(stored, Sampling { ..factors }, max);
        let (crop, window) = (whole.crop(geometry.crop), whole.samples(geometry.window));
        // In the plane, which is a part of the whole component.
        let start = |at: u32, first: u32| at.max(first) - first;
        let end = |at: u32, first: u32, side: u32| at.saturating_sub(first).min(side);
        let (left, top) = (start(window.left, plane.left), start(window.top, plane.top));
        let right = end(window.left + window.width, plane.left, plane.width);
        let bottom = end(window.top + window.height, plane.top, plane.height);
        let window =
            Rect { left, top, width: right.saturating_sub(left), height: bottom.saturating_sub(top) };
        let crop =
            Crop { left: crop.left - f64::from(plane.left), top: crop.top - f64::from(plane.top), ..crop };
        let rows = plane.stride * plane.height as usize;
        let samples = &b[plane.offset..plane.offset + rows];
        let size = (plane.stride as u32, plane.height);
        resample::resample(PixelLayout::Grey, samples, size, window, crop, target, geometry.scaled)?;
    }
    Ok(())
}

/// The scaled components in `a` as pixels in `b`.
pub(crate) fn convert(color: JpegColor, scaled: (u32, u32), a: &[u8], b: &mut [u8]) {
    let len = PixelLayout::Grey.len(scaled) as usize;
    let mut planes = [&[][..]; 4];
    for (plane, samples) in planes.iter_mut().zip(a.chunks_exact(len.max(1))).take(color.components()) {
        *plane = samples;
    }
    let channels = if color == JpegColor::Grey { 1 } else { 3 };
    jpeg::to_pixels(color, planes, &mut b[..len * channels]);
}
