//! A picture averaged over boxes of d×d pixels: how a format that is decoded at its full size is read at 1/d.
//!
//! In: interleaved pixels, premultiplied if they have alpha. Out: ⌈w/d⌉×⌈h/d⌉ of them, rounded half up; the last
//! boxes of a row or column average what there is. No memory of its own: a whole picture is shrunk in place, beside one
//! row of the result.

use crate::pixels::PixelLayout;

/// Bytes of the buffer in which [`in_place`] shrinks a picture of `size`.
pub(crate) const fn in_place_len(layout: PixelLayout, size: (u32, u32), denominator: u32) -> u64 {
    layout.len(size) + layout.len((size.0.div_ceil(denominator), 1))
}

/// Shrinks the picture at the start of `buffer`, which is [`in_place_len`] long.
pub(crate) fn in_place(buffer: &mut [u8], layout: PixelLayout, size: (u32, u32), denominator: u32) {
    let d = denominator as usize;
    let row_len = size.0 as usize * layout.channels();
    let out_len = size.0.div_ceil(denominator) as usize * layout.channels();
    let height = size.1 as usize;
    let (pixels, spare) = buffer.split_at_mut(row_len * height);
    // The first row of boxes lies under its own result. The n-th below it begins past its own: that one ends at
    // (n + 1)·⌈w/d⌉ pixels, which is at most n·d·w, because ⌈w/d⌉ ≤ w and n + 1 ≤ n·d for n ≥ 1 and d ≥ 2.
    let first = height.min(d);
    strip(&pixels[..row_len * first], layout, row_len, d, &mut spare[..out_len]);
    pixels[..out_len].copy_from_slice(&spare[..out_len]);
    for (row, top) in (d..height).step_by(d).enumerate() {
        let rows = d.min(height - top);
        let (done, rest) = pixels.split_at_mut(top * row_len);
        strip(&rest[..rows * row_len], layout, row_len, d, &mut done[(row + 1) * out_len..][..out_len]);
    }
}

/// Averages up to d whole rows into one row of boxes.
pub(crate) fn strip(rows: &[u8], layout: PixelLayout, row_len: usize, d: usize, out: &mut [u8]) {
    match layout {
        PixelLayout::Grey => boxes::<1>(rows, row_len, d, out),
        PixelLayout::Rgb => boxes::<3>(rows, row_len, d, out),
        PixelLayout::Rgba => boxes::<4>(rows, row_len, d, out),
    }
}

fn boxes<const N: usize>(rows: &[u8], row_len: usize, d: usize, out: &mut [u8]) {
    let (out, _) = out.as_chunks_mut::<N>();
    let width = row_len / N;
    for (column, pixel) in out.iter_mut().enumerate() {
        let (left, right) = (column * d, (column * d + d).min(width));
        let mut sums = [0_u32; N];
        for row in rows.chunks_exact(row_len) {
            let (row, _) = row[left * N..right * N].as_chunks::<N>();
            for sample in row {
                for (sum, sample) in sums.iter_mut().zip(sample) {
                    *sum += u32::from(*sample);
                }
            }
        }
        // A box of at least one pixel: d and the picture are.
        let count = ((right - left) * (rows.len() / row_len)).max(1) as u32;
        *pixel = sums.map(|sum| ((sum + count / 2) / count) as u8);
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// The slow twin: each box gathered from the whole picture, its mean rounded as a fraction.
    fn gathered(pixels: &[u8], channels: usize, (width, height): (usize, usize), d: usize) -> Vec<u8> {
        let mut out = Vec::new();
        for top in (0..height).step_by(d) {
            for left in (0..width).step_by(d) {
                for channel in 0..channels {
                    let places = (top..height.min(top + d))
                        .flat_map(|y| (left..width.min(left + d)).map(move |x| (x, y)));
                    let samples: Vec<u32> =
                        places.map(|(x, y)| pixels[(y * width + x) * channels + channel].into()).collect();
                    let (sum, count) = (samples.iter().sum::<u32>(), samples.len() as u32);
                    out.push(((2 * sum + count) / (2 * count)) as u8);
                }
            }
        }
        out
    }

    #[test]
    fn equals_boxes_gathered_one_by_one() {
        for layout in [PixelLayout::Grey, PixelLayout::Rgb, PixelLayout::Rgba] {
            let channels = layout.channels();
            for size in
                (1..20).flat_map(|w| (1..20).map(move |h| (w, h))).chain([(64, 3), (3, 64), (127, 41)])
            {
                let len = layout.len(size) as usize;
                let pixels: Vec<u8> =
                    (0..len as u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
                for d in [2, 4, 8] {
                    let mut buffer = pixels.clone();
                    buffer.resize(in_place_len(layout, size, d) as usize, 0x5a);
                    in_place(&mut buffer, layout, size, d);
                    let want = gathered(&pixels, channels, (size.0 as usize, size.1 as usize), d as usize);
                    assert_eq!(buffer[..want.len()], want, "{layout:?} {size:?} at 1/{d}");
                }
            }
        }
    }
}
