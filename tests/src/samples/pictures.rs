//! The good samples: what each shows, and in which variety of its format.

use ::png::{BitDepth, ColorType as PngColor};
use jpeg_encoder::ColorType as JpegColor;

use super::canvas::{Canvas, hex};
use super::gif::Part;
use super::jpeg::Options;
use super::{Picture, gif, graphic, jpeg, landscape, market, png, webp};
use crate::Format;

/// The scenes that several samples show, painted once.
#[derive(Debug)]
pub(crate) struct Scenes {
    landscape: Canvas,
    landscape_half: Canvas,
    market: Canvas,
    chart: Canvas,
    lenses: Canvas,
    lenses_half: Canvas,
}

impl Scenes {
    /// Paints them all.
    pub(crate) fn paint() -> Scenes {
        Scenes {
            landscape: landscape::paint(1920, 1280),
            landscape_half: landscape::paint(960, 640),
            market: market::paint(1600, 2000),
            chart: graphic::chart(1200, 800),
            lenses: graphic::lenses(800, 600),
            lenses_half: graphic::lenses(400, 300),
        }
    }
}

/// A good sample: its path, what it shows, and how it is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) path: &'static str,
    pub(crate) picture: Picture,
    pub(crate) make: fn(&Scenes) -> Vec<u8>,
}

/// A row of the table below.
const fn entry(
    path: &'static str,
    format: Format,
    (width, height): (u32, u32),
    alpha: bool,
    make: fn(&Scenes) -> Vec<u8>,
) -> Entry {
    Entry { path, picture: Picture { format, width, height, alpha }, make }
}

const OPAQUE: bool = false;
const ALPHA: bool = true;

/// All of them.
#[rustfmt::skip] // one row a sample
pub(crate) const ENTRIES: [Entry; 36] = [
    entry("landscape.jpg", Format::Jpeg, LARGE, OPAQUE, |s| photo(&s.landscape, Options::default())),
    entry("landscape-progressive.jpg", Format::Jpeg, LARGE, OPAQUE, |s| {
        photo(&s.landscape, Options { progressive: true, ..Options::default() })
    }),
    entry("landscape-444.jpg", Format::Jpeg, LARGE, OPAQUE, |s| {
        photo(&s.landscape, Options { full_chroma: true, ..Options::default() })
    }),
    entry("portrait.jpg", Format::Jpeg, (1600, 2000), OPAQUE, |s| photo(&s.market, Options::default())),
    entry("grey.jpg", Format::Jpeg, HALF, OPAQUE, |s| {
        jpeg::encode(&s.landscape_half.grey8(), HALF, JpegColor::Luma, 88, Options::default())
    }),
    entry("cmyk.jpg", Format::Jpeg, HALF, OPAQUE, |s| four_inks(s, JpegColor::Cmyk)),
    entry("ycck.jpg", Format::Jpeg, HALF, OPAQUE, |s| four_inks(s, JpegColor::CmykAsYcck)),
    entry("orientation-1.jpg", Format::Jpeg, graphic::CARD, OPAQUE, |_| card(1)),
    entry("orientation-2.jpg", Format::Jpeg, graphic::CARD, OPAQUE, |_| card(2)),
    entry("orientation-3.jpg", Format::Jpeg, graphic::CARD, OPAQUE, |_| card(3)),
    entry("orientation-4.jpg", Format::Jpeg, graphic::CARD, OPAQUE, |_| card(4)),
    entry("orientation-5.jpg", Format::Jpeg, graphic::CARD, OPAQUE, |_| card(5)),
    entry("orientation-6.jpg", Format::Jpeg, graphic::CARD, OPAQUE, |_| card(6)),
    entry("orientation-7.jpg", Format::Jpeg, graphic::CARD, OPAQUE, |_| card(7)),
    entry("orientation-8.jpg", Format::Jpeg, graphic::CARD, OPAQUE, |_| card(8)),
    entry("graphic.png", Format::Png, CHART, OPAQUE, |s| {
        png::encode(&s.chart.rgb8(), CHART, PngColor::Rgb, BitDepth::Eight)
    }),
    entry("palette.png", Format::Png, (480, 640), ALPHA, |_| {
        let (palette, indices) = graphic::glass(480, 640);
        png::encode_palette(&indices, (480, 640), &palette)
    }),
    entry("alpha.png", Format::Png, (800, 600), ALPHA, |s| {
        png::encode(&s.lenses.rgba8(), (800, 600), PngColor::Rgba, BitDepth::Eight)
    }),
    entry("deep.png", Format::Png, HALF, OPAQUE, |s| {
        png::encode(&s.landscape_half.rgb16(), HALF, PngColor::Rgb, BitDepth::Sixteen)
    }),
    entry("deep-alpha.png", Format::Png, (400, 300), ALPHA, |s| {
        png::encode(&s.lenses_half.rgba16(), (400, 300), PngColor::Rgba, BitDepth::Sixteen)
    }),
    entry("grey-alpha.png", Format::Png, (400, 300), ALPHA, |s| {
        png::encode(&s.lenses_half.grey_alpha8(), (400, 300), PngColor::GrayscaleAlpha, BitDepth::Eight)
    }),
    entry("bits-1.png", Format::Png, (318, 398), OPAQUE, |_| {
        png::encode(&market::dithered(318, 398), (318, 398), PngColor::Grayscale, BitDepth::One)
    }),
    entry("interlaced.png", Format::Png, (400, 300), ALPHA, |s| {
        png::encode_interlaced(&s.lenses_half.rgba8(), (400, 300))
    }),
    entry("oriented.png", Format::Png, graphic::CARD, OPAQUE, |_| {
        let (width, height, rgb) = graphic::stored_card(6);
        png::encode_oriented(&rgb, (width, height), 6)
    }),
    entry("pixel.png", Format::Png, (1, 1), OPAQUE, |_| {
        png::encode(&[200, 80, 40], (1, 1), PngColor::Rgb, BitDepth::Eight)
    }),
    entry("photo.webp", Format::WebP, HALF, OPAQUE, |s| {
        webp::encode_lossy(&s.landscape_half.rgb8(), HALF, OPAQUE, 85.0)
    }),
    entry("graphic.webp", Format::WebP, CHART, OPAQUE, |s| webp::encode_lossless(&s.chart.rgb8(), CHART)),
    entry("alpha.webp", Format::WebP, (400, 300), ALPHA, |s| {
        webp::encode_lossy(&s.lenses_half.rgba8(), (400, 300), ALPHA, 85.0)
    }),
    entry("animation.webp", Format::WebP, MOVING, OPAQUE, |_| {
        let frames: Vec<_> = (0..3).map(|i| moving_frame(i).rgb8()).collect();
        webp::encode_animation(&frames, MOVING)
    }),
    entry("graphic.gif", Format::Gif, CHART, OPAQUE, |s| {
        let (palette, indices) = gif::quantized(&s.chart.rgb8());
        gif::encode((1200, 800), &palette, None, vec![whole(CHART, indices)])
    }),
    entry("transparent.gif", Format::Gif, (360, 480), ALPHA, |_| {
        let (palette, indices) = graphic::glass(360, 480);
        gif::encode((360, 480), &palette, Some(0), vec![whole((360, 480), indices)])
    }),
    entry("animation.gif", Format::Gif, MOVING, OPAQUE, |_| moving_gif()),
    entry("offset.gif", Format::Gif, (200, 150), ALPHA, |_| {
        let part = Part { left: 50, top: 40, width: 100, height: 75, indices: vec![1; 100 * 75] };
        gif::encode((200, 150), &[[0, 0, 0], [242, 140, 40]], Some(0), vec![part])
    }),
    entry("graphic.jpg", Format::Jpeg, CHART, OPAQUE, |s| {
        jpeg::encode(&s.chart.rgb8(), CHART, JpegColor::Rgb, 90, Options { full_chroma: true, ..Options::default() })
    }),
    entry("folder/nested.jpg", Format::Jpeg, (480, 320), OPAQUE, |_| {
        photo(&landscape::paint(480, 320), Options::default())
    }),
    entry("spaced name ü #100%.jpg", Format::Jpeg, graphic::CARD, OPAQUE, |_| card(1)),
];

const LARGE: (u32, u32) = (1920, 1280);
const HALF: (u32, u32) = (960, 640);
const CHART: (u32, u32) = (1200, 800);
const MOVING: (u32, u32) = (240, 160);

pub(crate) fn photo(scene: &Canvas, options: Options) -> Vec<u8> {
    jpeg::encode(&scene.rgb8(), (scene.width, scene.height), JpegColor::Rgb, 88, options)
}

fn four_inks(scenes: &Scenes, color: JpegColor) -> Vec<u8> {
    // Subsampling would halve the inks too: printers' files do not.
    let options = Options { full_chroma: true, ..Options::default() };
    jpeg::encode(&scenes.landscape_half.cmyk8(), HALF, color, 92, options)
}

fn card(orientation: u8) -> Vec<u8> {
    let (width, height, rgb) = graphic::stored_card(orientation);
    let options = Options { full_chroma: true, orientation, ..Options::default() };
    jpeg::encode(&rgb, (width, height), JpegColor::Rgb, 92, options)
}

/// A white ball that crosses a red, a green and a blue field.
fn moving_frame(place: u8) -> Canvas {
    let field = [0x00dc_2828, 0x0028_aa3c, 0x0028_46d2][usize::from(place)];
    let mut canvas = Canvas::filled(MOVING.0, MOVING.1, hex(field));
    canvas.disc((60.0 + 60.0 * f32::from(place), 80.0), 28.0, 1.0, [1.0; 3], 1.0);
    canvas
}

fn moving_gif() -> Vec<u8> {
    let all: Vec<u8> = (0..3).flat_map(|place| moving_frame(place).rgb8()).collect();
    let (palette, indices) = gif::quantized(&all);
    let frames = indices.chunks(indices.len() / 3).map(|part| whole(MOVING, part.to_vec())).collect();
    gif::encode((240, 160), &palette, None, frames)
}

fn whole((width, height): (u32, u32), indices: Vec<u8>) -> Part {
    Part { left: 0, top: 0, width: width as u16, height: height as u16, indices }
}
