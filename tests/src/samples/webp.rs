//! Writing WebP samples: lossy and moving ones with libwebp, lossless ones with `image-webp`.

use image_webp::{ColorType, WebPEncoder};
use webp::{AnimEncoder, AnimFrame, Encoder, PixelLayout, WebPConfig};

/// Lossy, from 8-bit RGB or RGBA.
pub(crate) fn encode_lossy(pixels: &[u8], size: (u32, u32), alpha: bool, quality: f32) -> Vec<u8> {
    let layout = if alpha { PixelLayout::Rgba } else { PixelLayout::Rgb };
    Encoder::new(pixels, layout, size.0, size.1).encode(quality).to_vec()
}

/// Lossless, from 8-bit RGB.
pub(crate) fn encode_lossless(rgb: &[u8], size: (u32, u32)) -> Vec<u8> {
    let mut file = Vec::new();
    WebPEncoder::new(&mut file)
        .encode(rgb, size.0, size.1, ColorType::Rgb8)
        .expect("writing to memory does not fail");
    file
}

/// Moving, from frames of 8-bit RGB shown for half a second each.
pub(crate) fn encode_animation(frames: &[Vec<u8>], size: (u32, u32)) -> Vec<u8> {
    let mut config = WebPConfig::new().expect("the library has the version it was compiled as");
    config.lossless = 1;
    let mut encoder = AnimEncoder::new(size.0, size.1, &config);
    for (place, frame) in frames.iter().enumerate() {
        encoder.add_frame(AnimFrame::from_rgb(frame, size.0, size.1, place as i32 * 500));
    }
    encoder.encode().to_vec()
}
