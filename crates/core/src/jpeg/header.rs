//! A JPEG's markers up to its first scan (T.81, B.2).

use super::marker;
use crate::bytes::{Prefix, Stop};
use crate::{Details, Header, JpegColor, JpegHeader, Orientation, Sampling, exif};

/// The frame header, and what the application segments before the first scan say of it.
pub(crate) fn read_header(file: Prefix<'_>) -> Result<Header, Stop> {
    let mut at = 2; // past SOI
    let mut frame: Option<Frame> = None;
    let mut orientation = Orientation::Upright;
    let mut icc_profile = false;
    let mut jfif = false;
    let mut adobe_transform = None;
    loop {
        let (marker, segment) = next_marker(file, at)?;
        let payload = segment + 2;
        match marker {
            marker::TEM | marker::RST0..=marker::SOI => {
                at = segment; // no length follows
                continue;
            }
            marker::EOI => return Err(file.malformed(segment, "it ends before its first scan")),
            _ => {}
        }
        let len = usize::from(file.u16_be(segment)?);
        let Some(payload_len) = len.checked_sub(2) else {
            return Err(file.malformed(segment, "a segment's length is less than 2"));
        };
        match marker {
            marker::SOS => {
                let Some(frame) = frame else {
                    return Err(file.malformed(segment, "its first scan comes before its frame header"));
                };
                let interleaved = file.u8(payload)? == frame.components;
                return Ok(Header {
                    width: frame.width,
                    height: frame.height,
                    orientation,
                    alpha: false,
                    icc_profile,
                    animated: false,
                    header_len: segment as u64,
                    details: Details::Jpeg(JpegHeader {
                        color: frame.color(jfif, adobe_transform),
                        sampling: frame.sampling,
                        progressive: frame.progressive,
                        interleaved,
                    }),
                });
            }
            marker::DAC => return Err(file.unsupported("arithmetic coding")),
            marker::DHT | marker::JPG => {}
            marker::SOF0..=marker::SOF15 => {
                if frame.is_some() {
                    return Err(file.malformed(segment, "it has two frame headers"));
                }
                frame = Some(Frame::read(file, marker, payload, payload_len)?);
            }
            marker::APP0 => jfif |= file.slice(payload, payload_len)?.starts_with(b"JFIF\0"),
            marker::APP1 => {
                let payload = file.slice(payload, payload_len)?;
                if let Some(tiff) = payload.strip_prefix(b"Exif\0\0")
                    && orientation == Orientation::Upright
                {
                    orientation = exif::orientation(tiff);
                }
            }
            marker::APP2 => {
                icc_profile |= file.slice(payload, payload_len)?.starts_with(b"ICC_PROFILE\0");
            }
            marker::APP14 => {
                let payload = file.slice(payload, payload_len)?;
                if payload.starts_with(b"Adobe") {
                    adobe_transform = payload.get(11).copied();
                }
            }
            _ => {}
        }
        at = segment + len;
    }
}

/// The next marker at or after `at`, and the position after it. Fill bytes and stray bytes between segments
/// are stepped over, as browsers do.
fn next_marker(file: Prefix<'_>, mut at: usize) -> Result<(u8, usize), Stop> {
    loop {
        if file.u8(at)? == 0xff && !matches!(file.u8(at + 1)?, 0x00 | 0xff) {
            return Ok((file.u8(at + 1)?, at + 2));
        }
        at += 1;
    }
}

/// A frame header (T.81, B.2.2).
struct Frame {
    width: u32,
    height: u32,
    components: u8,
    ids: [u8; 4],
    sampling: [Sampling; 4],
    progressive: bool,
}

impl Frame {
    fn read(file: Prefix<'_>, marker: u8, at: usize, len: usize) -> Result<Frame, Stop> {
        let progressive = match marker {
            marker::SOF0 | marker::SOF1 => false,
            marker::SOF2 => true,
            0xc3 => return Err(file.unsupported("lossless coding")),
            0xc5..=0xc7 => return Err(file.unsupported("hierarchical coding")),
            _ => return Err(file.unsupported("arithmetic coding")),
        };
        let [precision, h1, h0, w1, w0, components] = file.array(at)?;
        let height = u32::from(u16::from_be_bytes([h1, h0]));
        let width = u32::from(u16::from_be_bytes([w1, w0]));
        match precision {
            8 => {}
            12 => return Err(file.unsupported("samples of 12 bits")),
            _ => return Err(file.unsupported("samples of other than 8 or 12 bits")),
        }
        if width == 0 {
            return Err(file.malformed(at + 3, "it is 0 pixels wide"));
        }
        if height == 0 {
            return Err(file.unsupported("a height given after the picture (DNL)"));
        }
        if !matches!(components, 1 | 3 | 4) {
            return Err(file.unsupported("a number of components other than 1, 3 and 4"));
        }
        if len < 6 + 3 * usize::from(components) {
            return Err(file.malformed(at, "its frame header is too short"));
        }
        let mut ids = [0; 4];
        let mut sampling = [Sampling { horizontal: 1, vertical: 1 }; 4];
        for n in 0..usize::from(components) {
            let [id, factors, _quantization_table] = file.array(at + 6 + 3 * n)?;
            let factors = Sampling { horizontal: factors >> 4, vertical: factors & 15 };
            if !(1..=4).contains(&factors.horizontal) || !(1..=4).contains(&factors.vertical) {
                return Err(file.malformed(at + 7 + 3 * n, "a sampling factor is not 1 to 4"));
            }
            ids[n] = id;
            sampling[n] = factors;
        }
        Ok(Frame { width, height, components, ids, sampling, progressive })
    }

    /// The colour space, as libjpeg and with it browsers tell it: what JFIF implies (T.871, 6.1), else what the
    /// Adobe segment says, else what the names of components mean. Four components are inverted inks even where
    /// no Adobe segment says so.
    fn color(&self, jfif: bool, adobe_transform: Option<u8>) -> JpegColor {
        match (self.components, adobe_transform) {
            (1, _) => JpegColor::Grey,
            (3, _) if jfif => JpegColor::YCbCr,
            (3, Some(0)) => JpegColor::Rgb,
            (3, None) if self.ids[..3] == *b"RGB" => JpegColor::Rgb,
            (3, _) => JpegColor::YCbCr,
            (_, None | Some(0)) => JpegColor::Cmyk,
            (_, Some(_)) => JpegColor::Ycck,
        }
    }
}
