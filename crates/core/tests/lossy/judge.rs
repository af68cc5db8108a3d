//! What a decoder makes of a VP8 frame: libwebp's planes, and a reconstruction filtered after the specification.

use std::ptr;

/// Luma and chroma planes without padding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Planes {
    /// Width and height of luma; chroma has half of each, rounded up.
    pub(crate) size: (usize, usize),
    /// Y', Cb, Cr.
    pub(crate) planes: [Vec<u8>; 3],
}

/// A WebP's planes as libwebp decodes them; `None` if it does not.
pub(crate) fn decode_with_libwebp(file: &[u8]) -> Option<Planes> {
    let (mut width, mut height, mut stride, mut chroma_stride) = (0, 0, 0, 0);
    let (mut cb, mut cr) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: the pointer and length are a slice's; all others point to live variables of the types that are written.
    let luma = unsafe {
        libwebp_sys::WebPDecodeYUV(
            file.as_ptr(),
            file.len(),
            &raw mut width,
            &raw mut height,
            &raw mut cb,
            &raw mut cr,
            &raw mut stride,
            &raw mut chroma_stride,
        )
    };
    if luma.is_null() {
        return None;
    }
    let side = |len: i32| usize::try_from(len).unwrap();
    let (width, height) = (side(width), side(height));
    let copy = |from: *const u8, stride: i32, width: usize, height: usize| -> Vec<u8> {
        (0..height)
            .flat_map(|row| {
                // SAFETY: the decoder gave planes of these rows, `stride` bytes apart and at least `width` long.
                unsafe { std::slice::from_raw_parts(from.add(row * side(stride)), width) }.to_vec()
            })
            .collect()
    };
    let half = (width.div_ceil(2), height.div_ceil(2));
    let planes = [
        copy(luma, stride, width, height),
        copy(cb, chroma_stride, half.0, half.1),
        copy(cr, chroma_stride, half.0, half.1),
    ];
    // SAFETY: the decoder allocated all planes at once and gave the first one's address for this call.
    unsafe { libwebp_sys::WebPFree(luma.cast()) };
    Some(Planes { size: (width, height), planes })
}

/// A frame as its encoder reconstructs it, macroblock by macroblock, before the loop filter.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    size: (usize, usize),
    columns: usize,
    planes: [Vec<u8>; 3],
    inner_edges: Vec<bool>,
}

impl Frame {
    /// An empty frame of this width and height.
    pub(crate) fn new(size: (usize, usize)) -> Frame {
        let (columns, rows) = (size.0.div_ceil(16), size.1.div_ceil(16));
        let macroblocks = columns * rows;
        let planes = [256, 64, 64].map(|samples| vec![0; samples * macroblocks]);
        Frame { size, columns, planes, inner_edges: vec![false; macroblocks] }
    }

    /// Puts a macroblock's samples in place.
    pub(crate) fn put(
        &mut self,
        column: usize,
        row: usize,
        luma: &[[u8; 16]; 16],
        chroma: &[[[u8; 8]; 8]; 2],
        inner_edges: bool,
    ) {
        let width = self.columns * 16;
        for (line, samples) in luma.iter().enumerate() {
            self.planes[0][(row * 16 + line) * width + column * 16..][..16].copy_from_slice(samples);
        }
        for (plane, lines) in self.planes[1..].iter_mut().zip(chroma) {
            for (line, samples) in lines.iter().enumerate() {
                plane[(row * 8 + line) * width / 2 + column * 8..][..8].copy_from_slice(samples);
            }
        }
        self.inner_edges[row * self.columns + column] = inner_edges;
    }

    /// What a decoder shows: the normal loop filter (RFC 6386, 15.3) at this level, sharpness 0, and the picture cut out.
    pub(crate) fn shown(mut self, level: u8) -> Planes {
        if level > 0 {
            for at in 0..self.inner_edges.len() {
                self.filter(at % self.columns, at / self.columns, i32::from(level));
            }
        }
        let width = self.columns * 16;
        let half = (self.size.0.div_ceil(2), self.size.1.div_ceil(2));
        let cut = |plane: &[u8], stride: usize, (width, height): (usize, usize)| -> Vec<u8> {
            plane.chunks_exact(stride).take(height).flat_map(|row| row[..width].to_vec()).collect()
        };
        let [y, cb, cr] = &self.planes;
        let planes = [cut(y, width, self.size), cut(cb, width / 2, half), cut(cr, width / 2, half)];
        Planes { size: self.size, planes }
    }

    fn filter(&mut self, column: usize, row: usize, level: i32) {
        let inner = self.inner_edges[row * self.columns + column];
        for (plane, samples) in self.planes.iter_mut().enumerate() {
            let side = if plane == 0 { 16 } else { 8 };
            let stride = self.columns * side;
            let start = row * side * stride + column * side;
            let limits = [(level + 2) * 2 + level, level * 2 + level];
            for (step, along, has_edge) in [(1, stride, column > 0), (stride, 1, row > 0)] {
                for edge in (0..side).step_by(4) {
                    if if edge == 0 { !has_edge } else { !inner } {
                        continue;
                    }
                    for place in 0..side {
                        let at = start + edge * step + place * along;
                        filter_across(samples, at, step, level, limits[usize::from(edge > 0)], edge == 0);
                    }
                }
            }
        }
    }
}

/// Filters the samples on both sides of an edge: `at` is the first behind it.
fn filter_across(samples: &mut [u8], at: usize, step: usize, level: i32, limit: i32, outer: bool) {
    // p3 p2 p1 p0 | q0 q1 q2 q3
    let x: [i32; 8] = std::array::from_fn(|k| i32::from(samples[at + k * step - 4 * step]));
    let [_, p2, p1, p0, q0, q1, q2, _] = x;
    let smooth = x.windows(2).enumerate().all(|(k, pair)| k == 3 || (pair[0] - pair[1]).abs() <= level);
    if !smooth || (p0 - q0).abs() * 2 + (p1 - q1).abs() / 2 > limit {
        return;
    }
    let threshold = if level >= 40 { 2 } else { i32::from(level >= 15) };
    let sharp = (p1 - p0).abs() > threshold || (q1 - q0).abs() > threshold;
    let clamp = |x: i32| x.clamp(-128, 127);
    let mut put = |k: usize, x: i32| samples[at + k * step - 4 * step] = (clamp(x - 128) + 128) as u8;
    if outer && !sharp {
        let w = clamp(clamp(p1 - q1) + 3 * (q0 - p0));
        for (taps, (near, p), (far, q)) in
            [(27, (3, p0), (4, q0)), (18, (2, p1), (5, q1)), (9, (1, p2), (6, q2))]
        {
            let a = clamp((taps * w + 63) >> 7);
            put(near, p + a);
            put(far, q - a);
        }
        return;
    }
    let a = clamp(if outer || sharp { clamp(p1 - q1) } else { 0 } + 3 * (q0 - p0));
    let (up, down) = (clamp(a + 4) >> 3, clamp(a + 3) >> 3);
    put(4, q0 - up);
    put(3, p0 + down);
    if !sharp && !outer {
        let a = (up + 1) >> 1;
        put(5, q1 - a);
        put(2, p1 + a);
    }
}
