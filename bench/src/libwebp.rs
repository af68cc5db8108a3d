//! libwebp as its own callers call it: planes in, any method.

use std::slice;

use libwebp_sys::{
    WebPConfig, WebPEncode, WebPMemoryWrite, WebPMemoryWriter, WebPMemoryWriterClear, WebPMemoryWriterInit,
    WebPPicture, WebPPictureFree, WebPPictureImportRGB,
};

use crate::Result;
use crate::picture::Rgb;

/// A picture as VP8 has it: BT.601 in studio range, chroma of half the width and height, rounded up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Planes {
    pub width: usize,
    pub height: usize,
    pub y: Vec<u8>,
    pub u: Vec<u8>,
    pub v: Vec<u8>,
}

impl Planes {
    /// Width and height of the chroma planes.
    pub(crate) fn chroma_size(&self) -> (usize, usize) {
        (self.width.div_ceil(2), self.height.div_ceil(2))
    }
}

/// Converts a picture, as libwebp does it.
pub(crate) fn planes(source: &Rgb) -> Result<Planes> {
    let mut picture = WebPPicture::new().map_err(|()| "libwebp is of another version than its bindings")?;
    picture.use_argb = 0;
    (picture.width, picture.height) = (c_int(source.width)?, c_int(source.height)?);
    let stride = c_int(source.width * 3)?;
    assert_eq!(source.pixels.len(), source.width * source.height * 3);
    // SAFETY: the picture is initialized, and the pixels have height rows of stride bytes, by the assertion.
    let imported = unsafe { WebPPictureImportRGB(&raw mut picture, source.pixels.as_ptr(), stride) };
    if imported == 0 {
        return Err("libwebp cannot take this picture".into());
    }
    let copy = |plane: *const u8, stride: i32, width: usize, height: usize| -> Vec<u8> {
        let stride = stride.unsigned_abs() as usize;
        let rows = (0..height).map(|row| {
            // SAFETY: the import allocated this plane with at least height rows of stride ≥ width bytes.
            unsafe { slice::from_raw_parts(plane.add(row * stride), width) }
        });
        rows.flatten().copied().collect()
    };
    let mut planes =
        Planes { width: source.width, height: source.height, y: Vec::new(), u: Vec::new(), v: Vec::new() };
    let (width, height) = planes.chroma_size();
    planes.y = copy(picture.y, picture.y_stride, planes.width, planes.height);
    planes.u = copy(picture.u, picture.uv_stride, width, height);
    planes.v = copy(picture.v, picture.uv_stride, width, height);
    // SAFETY: frees what the import allocated; the picture is not used again.
    unsafe { WebPPictureFree(&raw mut picture) };
    Ok(planes)
}

/// Encodes with one thread and the defaults of everything but `quality` (0 to 100) and `method` (0, fastest, to 6).
pub(crate) fn encode(planes: &Planes, quality: f32, method: i32) -> Result<Vec<u8>> {
    let version = || "libwebp is of another version than its bindings";
    let mut config = WebPConfig::new().map_err(|()| version())?;
    (config.quality, config.method) = (quality, method);
    let mut picture = WebPPicture::new().map_err(|()| version())?;
    picture.use_argb = 0;
    (picture.width, picture.height) = (c_int(planes.width)?, c_int(planes.height)?);
    let (width, height) = planes.chroma_size();
    (picture.y_stride, picture.uv_stride) = (c_int(planes.width)?, c_int(width)?);
    assert_eq!(planes.y.len(), planes.width * planes.height);
    assert_eq!((planes.u.len(), planes.v.len()), (width * height, width * height));
    // libwebp writes into the planes only to clear what alpha hides, and there is none.
    picture.y = planes.y.as_ptr().cast_mut();
    picture.u = planes.u.as_ptr().cast_mut();
    picture.v = planes.v.as_ptr().cast_mut();

    let mut writer = WebPMemoryWriter { mem: std::ptr::null_mut(), size: 0, max_size: 0, pad: [0] };
    // SAFETY: the writer is a plain struct of ours.
    unsafe { WebPMemoryWriterInit(&raw mut writer) };
    picture.writer = Some(WebPMemoryWrite);
    picture.custom_ptr = (&raw mut writer).cast();
    // SAFETY: config and picture are initialized; the planes have the lengths that the sizes and strides say, by
    // the assertions, and outlive the call, as does the writer.
    let encoded = unsafe { WebPEncode(&raw const config, &raw mut picture) };
    let file = if writer.mem.is_null() {
        Vec::new()
    } else {
        // SAFETY: the writer holds size bytes at mem.
        unsafe { slice::from_raw_parts(writer.mem, writer.size) }.to_vec()
    };
    // SAFETY: frees the writer's memory, which was copied, and is not used again.
    unsafe { WebPMemoryWriterClear(&raw mut writer) };
    if encoded == 0 {
        return Err(format!("libwebp: {:?}", picture.error_code).into());
    }
    Ok(file)
}

fn c_int(value: usize) -> Result<i32> {
    Ok(i32::try_from(value)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality;

    #[test]
    fn planes_and_files_are_the_picture() {
        let pixels = (0..37 * 29_u32).flat_map(|n| [(n % 37 * 6) as u8, (n / 37 * 8) as u8, 90]).collect();
        let picture = Rgb { width: 37, height: 29, pixels };
        let planes = planes(&picture).unwrap();
        assert_eq!((planes.y.len(), planes.u.len(), planes.v.len()), (37 * 29, 19 * 15, 19 * 15));
        for method in [0, 2, 4] {
            let file = encode(&planes, 90.0, method).unwrap();
            let back = Rgb::decode(&file).unwrap();
            assert!(quality::score(&picture, &back).unwrap() > 70.0, "method {method}");
        }
    }

    #[test]
    fn a_grey_is_studio_range() {
        let white = planes(&Rgb { width: 2, height: 2, pixels: vec![255; 12] }).unwrap();
        assert_eq!((white.y[0], white.u[0], white.v[0]), (235, 128, 128));
    }
}
