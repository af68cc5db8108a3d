//! JPEG to pixels, whole and reduced.

use std::hint::black_box;

use tintype_core::jpeg::{Decoder, Region, Scale};
use tintype_core::{Details, Probe, WORKSPACE_ALIGN, probe};
use turbojpeg::{Decompressor, PixelFormat, ScalingFactor, Subsamp, YuvImage, yuv_pixels_len};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use crate::Result;
use crate::harness::{Contestant, race};
use crate::photographs::{Photograph, hd, large};
use crate::report::Measurement;
use crate::setup::Setup;

/// All photographs, both codings, four scales.
pub(crate) fn run(setup: &Setup) -> Result<Vec<Measurement>> {
    let photographs: Vec<Photograph> = hd(setup)?.into_iter().chain(large(setup)?).collect();
    let mut measurements = Vec::new();
    for coding in 0..2 {
        for reduction in [1, 2, 4, 8] {
            for photograph in &photographs {
                let (name, file, _) = photograph.codings()[coding];
                let mut contestants = contestants(file, (photograph.width, photograph.height), reduction)?;
                let timings = race(&mut contestants, setup.effort())?;
                for (contestant, timing) in contestants.iter().zip(timings) {
                    let case = format!("{name} 1/{reduction}");
                    let measurement = Measurement::new(&case, &contestant.name, &photograph.name);
                    measurements.push(measurement.timed(timing, photograph.megapixels()));
                }
            }
        }
    }
    Ok(measurements)
}

fn contestants(
    file: &[u8],
    (width, height): (usize, usize),
    reduction: usize,
) -> Result<Vec<Contestant<'_>>> {
    let scale = ScalingFactor::new(1, reduction);
    let (width, height) = (scale.scale(width), scale.scale(height));
    let mut contestants = vec![tintype(file, reduction)?, turbojpeg_rgb(file, (width, height), scale)?];
    if reduction == 1 {
        contestants.push(zune(file, width * height * 3));
    }
    contestants.push(turbojpeg_planes(file, (width, height), scale)?);
    Ok(contestants)
}

/// Our planes, from one push; tables, window and planes in memory that is there already.
fn tintype(file: &[u8], reduction: usize) -> Result<Contestant<'_>> {
    let Probe::Ready(header) = probe(file, true)? else { return Err("a file cut short".into()) };
    let Details::Jpeg(jpeg) = header.details else { return Err("not a JPEG".into()) };
    let scale = match reduction {
        1 => Scale::Full,
        2 => Scale::Half,
        4 => Scale::Quarter,
        _ => Scale::Eighth,
    };
    let size = (header.width, header.height);
    let region = Region { left: 0, top: 0, width: size.0, height: size.1 };
    let len = Decoder::new(&jpeg, size, scale, region)?.workspace_len();
    let mut memory = vec![0; len + WORKSPACE_ALIGN];
    let start = memory.as_ptr().align_offset(WORKSPACE_ALIGN);
    Ok(Contestant::here("tintype", move || {
        let workspace = &mut memory[start..][..len];
        let mut decoder = Decoder::new(&jpeg, size, scale, region)?;
        decoder.push(black_box(file), true, workspace)?;
        while !decoder.render(workspace)? {}
        Ok(workspace[len - 1])
    }))
}

fn turbojpeg_rgb(
    file: &[u8],
    (width, height): (usize, usize),
    scale: ScalingFactor,
) -> Result<Contestant<'_>> {
    let mut decompressor = Decompressor::new()?;
    decompressor.set_scaling_factor(scale)?;
    let mut pixels = vec![0; width * height * 3];
    Ok(Contestant::here("turbojpeg", move || {
        let image = turbojpeg::Image {
            pixels: &mut *pixels,
            width,
            pitch: width * 3,
            height,
            format: PixelFormat::RGB,
        };
        decompressor.decompress(black_box(file), image)?;
        Ok(pixels[pixels.len() / 2])
    }))
}

/// What a resize of planes would start from: no upsampling and no conversion of colours.
fn turbojpeg_planes(
    file: &[u8],
    (width, height): (usize, usize),
    scale: ScalingFactor,
) -> Result<Contestant<'_>> {
    let mut decompressor = Decompressor::new()?;
    decompressor.set_scaling_factor(scale)?;
    let subsamp = Subsamp::Sub2x2;
    let mut pixels = vec![0; yuv_pixels_len(width, 1, height, subsamp)?];
    Ok(Contestant::here("turbojpeg, planes", move || {
        let image = YuvImage { pixels: &mut *pixels, width, align: 1, height, subsamp };
        decompressor.decompress_to_yuv(black_box(file), image)?;
        Ok(pixels[pixels.len() / 2])
    }))
}

fn zune(file: &[u8], len: usize) -> Contestant<'_> {
    let mut pixels = vec![0; len];
    Contestant::here("zune-jpeg", move || {
        let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGB);
        let mut decoder = JpegDecoder::new_with_options(ZCursor::new(black_box(file)), options);
        decoder.decode_into(&mut pixels).map_err(|error| format!("zune-jpeg: {error:?}"))?;
        Ok(pixels[pixels.len() / 2])
    })
}
