//! The picture to be coded, and a row of macroblocks of it as studio-range `Y'CbCr` 4:2:0.
//!
//! Beyond the right and bottom edges the last samples are repeated, before chroma is averaged.

/// One plane of samples.
#[derive(Clone, Copy, Debug)]
pub struct Plane<'a> {
    /// Rows from the top, each `stride` bytes after the one before.
    pub samples: &'a [u8],
    /// At least the plane's width.
    pub stride: usize,
}

/// What values stand for black and white.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// JPEG's: luma and chroma from 0 to 255.
    Full,
    /// VP8's: luma from 16 to 235, chroma from 16 to 240 (ITU-R BT.601).
    Studio,
}

/// The pixels to be coded, row by row from the top.
#[derive(Clone, Copy, Debug)]
pub enum Picture<'a> {
    /// BT.601 planes; chroma has half the size in both directions, rounded up.
    Planes {
        /// Y'.
        y: Plane<'a>,
        /// Cb.
        cb: Plane<'a>,
        /// Cr.
        cr: Plane<'a>,
        /// The range of all three.
        range: Range,
    },
    /// Grey samples, full range, no padding between rows.
    Grey(&'a [u8]),
    /// Red, green, blue; no padding between rows.
    Rgb(&'a [u8]),
    /// Red, green, blue and straight alpha; no padding between rows. Only colour is coded here; what is transparent
    /// weighs nothing in chroma and takes its surroundings' luma.
    Rgba(&'a [u8]),
}

impl Picture<'_> {
    /// Whether it holds as many samples as a picture of this size has.
    pub(super) fn holds(&self, (width, height): (u32, u32)) -> bool {
        let (width, height) = (width as usize, height as usize);
        let plane = |plane: &Plane<'_>, width: usize, height: usize| {
            plane.stride >= width
                && (height - 1).checked_mul(plane.stride).and_then(|rows| rows.checked_add(width))
                    <= Some(plane.samples.len())
        };
        let pixels = width * height;
        match self {
            Picture::Planes { y, cb, cr, .. } => {
                let (half_width, half_height) = (width.div_ceil(2), height.div_ceil(2));
                plane(y, width, height)
                    && plane(cb, half_width, half_height)
                    && plane(cr, half_width, half_height)
            }
            Picture::Grey(samples) => samples.len() >= pixels,
            Picture::Rgb(samples) => samples.len() / 3 >= pixels,
            Picture::Rgba(samples) => samples.len() / 4 >= pixels,
        }
    }
}

/// A row of macroblocks: 16 rows of luma, 8 of each chroma plane, all padded to whole macroblocks.
pub(super) struct Strip<'a> {
    pub(super) y: &'a mut [u8],
    pub(super) cb: &'a mut [u8],
    pub(super) cr: &'a mut [u8],
}

/// Bytes of a strip for so many macroblocks: 384 each.
pub(super) const STRIP: usize = 16 * 16 + 2 * 8 * 8;

/// Full-range luma to studio range: 16 + 219/255 · y, rounded.
#[inline(always)]
const fn studio_luma(y: u8) -> u8 {
    ((y as u32 * 56284 + (16 << 16) + 32768) >> 16) as u8
}

/// Full-range chroma to studio range: 128 + 224/255 · (c − 128), rounded.
#[inline(always)]
const fn studio_chroma(c: u8) -> u8 {
    ((c as i32 * 57569 + (128 << 16) - 128 * 57569 + 32768) >> 16) as u8
}

/// BT.601 luma in studio range, rounded.
#[inline(always)]
const fn luma(r: u8, g: u8, b: u8) -> u8 {
    ((16839 * r as u32 + 33059 * g as u32 + 6420 * b as u32 + (16 << 16) + 32768) >> 16) as u8
}

/// BT.601 chroma in studio range of colours summed to `4 · 255` at most, rounded: Cb and Cr.
#[inline(always)]
const fn chroma([r, g, b]: [i32; 3]) -> (u8, u8) {
    let cb = (-9719 * r - 19081 * g + 28800 * b + (128 << 18) + (1 << 17)) >> 18;
    let cr = (28800 * r - 24116 * g - 4684 * b + (128 << 18) + (1 << 17)) >> 18;
    // 28800 · 4 · 255 / 2^18 is 112: within 16 to 240.
    (cb as u8, cr as u8)
}

impl Strip<'_> {
    /// Fills the strip with macroblock row `row` of a picture.
    #[inline(always)]
    pub(super) fn fill(&mut self, picture: &Picture<'_>, (width, height): (u32, u32), row: usize) {
        let (width, height) = (width as usize, height as usize);
        match *picture {
            Picture::Planes { y, cb, cr, range } => {
                let half = (width.div_ceil(2), height.div_ceil(2));
                copy(y, (width, height), row * 16, 16, self.y);
                copy(cb, half, row * 8, 8, self.cb);
                copy(cr, half, row * 8, 8, self.cr);
                if range == Range::Full {
                    self.y.iter_mut().for_each(|y| *y = studio_luma(*y));
                    self.cb.iter_mut().for_each(|cb| *cb = studio_chroma(*cb));
                    self.cr.iter_mut().for_each(|cr| *cr = studio_chroma(*cr));
                }
            }
            Picture::Grey(samples) => {
                copy(Plane { samples, stride: width }, (width, height), row * 16, 16, self.y);
                self.y.iter_mut().for_each(|y| *y = studio_luma(*y));
                self.cb.fill(128);
                self.cr.fill(128);
            }
            Picture::Rgb(samples) => self.fill_colour::<3>(samples, (width, height), row),
            Picture::Rgba(samples) => {
                self.fill_colour::<4>(samples, (width, height), row);
                self.fill_transparent(samples, (width, height), row);
            }
        }
    }

    #[inline(always)]
    fn fill_colour<const N: usize>(&mut self, samples: &[u8], (width, height): (usize, usize), row: usize) {
        let padded = self.y.len() / 16;
        let (pixels, _) = samples.as_chunks::<N>();
        for pair in 0..8 {
            let line = |of: usize| {
                let y = (row * 16 + pair * 2 + of).min(height - 1);
                &pixels[y * width..][..width]
            };
            let lines = [line(0), line(1)];
            let (above, below) = self.y[pair * 2 * padded..][..2 * padded].split_at_mut(padded);
            for (out, line) in [above, below].into_iter().zip(lines) {
                for (out, pixel) in out.iter_mut().zip(line) {
                    *out = luma(pixel[0], pixel[1], pixel[2]);
                }
                let last = out[width - 1];
                out[width..].fill(last);
            }
            let half = padded / 2;
            let cb = &mut self.cb[pair * half..][..half];
            let cr = &mut self.cr[pair * half..][..half];
            let (tops, _) = lines[0].as_chunks::<2>();
            let (bottoms, _) = lines[1].as_chunks::<2>();
            for (((cb, cr), top), bottom) in cb.iter_mut().zip(&mut *cr).zip(tops).zip(bottoms) {
                (*cb, *cr) = chroma(core::array::from_fn(|of| {
                    let x = |pixel: &[u8; N]| i32::from(pixel[of]);
                    x(&top[0]) + x(&top[1]) + x(&bottom[0]) + x(&bottom[1])
                }));
            }
            if width % 2 == 1 {
                let (top, bottom) = (lines[0][width - 1], lines[1][width - 1]);
                let at = width / 2;
                (cb[at], cr[at]) =
                    chroma(core::array::from_fn(|of| 2 * (i32::from(top[of]) + i32::from(bottom[of]))));
            }
            let used = width.div_ceil(2);
            for plane in [cb, cr] {
                let last = plane[used - 1];
                plane[used..].fill(last);
            }
        }
    }

    /// Does again what transparent pixels take part in: chroma weighted by alpha, luma and chroma that cannot be
    /// seen from what was seen last to the left.
    fn fill_transparent(&mut self, samples: &[u8], (width, height): (usize, usize), row: usize) {
        let padded = self.y.len() / 16;
        let half = padded / 2;
        let (pixels, _) = samples.as_chunks::<4>();
        let pixel = |x: usize, y: usize| &pixels[y.min(height - 1) * width + x.min(width - 1)];
        for block in 0..padded / 16 {
            let seen = (0..16).flat_map(|y| (0..16).map(move |x| (x, y)));
            let visible = |&(x, y): &(usize, usize)| pixel(block * 16 + x, row * 16 + y)[3] != 0;
            let (mut sum, mut count) = (0_u32, 0_u32);
            let (mut sums, mut pairs) = ([0_u32; 2], 0_u32);
            for (x, y) in seen.clone().filter(visible) {
                sum += u32::from(self.y[y * padded + block * 16 + x]);
                count += 1;
            }
            if count == 256 && seen.clone().all(|(x, y)| pixel(block * 16 + x, row * 16 + y)[3] == 255) {
                continue;
            }
            for y in 0..8 {
                for x in 0..8 {
                    let four = [(0, 0), (1, 0), (0, 1), (1, 1)]
                        .map(|(dx, dy)| pixel(block * 16 + 2 * x + dx, row * 16 + 2 * y + dy));
                    let alpha: u32 = four.iter().map(|pixel| u32::from(pixel[3])).sum();
                    let at = y * half + block * 8 + x;
                    if alpha != 0 {
                        let weighted = core::array::from_fn(|of| {
                            let sum: u32 =
                                four.iter().map(|pixel| u32::from(pixel[of]) * u32::from(pixel[3])).sum();
                            ((sum * 4 + alpha / 2) / alpha).cast_signed()
                        });
                        (self.cb[at], self.cr[at]) = chroma(weighted);
                        sums[0] += u32::from(self.cb[at]);
                        sums[1] += u32::from(self.cr[at]);
                        pairs += 1;
                    }
                }
            }
            // The mean of what is seen here, else the sample to the left, which makes prediction exact.
            let mean = |sum: u32, count: u32, left: Option<u8>| {
                (sum + count / 2).checked_div(count).map_or(left.unwrap_or(128), |mean| mean as u8)
            };
            let before = |plane: &[u8], at: usize| at.checked_sub(1).map(|at| plane[at]);
            let y_fill = mean(sum, count, (block > 0).then(|| before(self.y, block * 16)).flatten());
            let cb_fill = mean(sums[0], pairs, (block > 0).then(|| before(self.cb, block * 8)).flatten());
            let cr_fill = mean(sums[1], pairs, (block > 0).then(|| before(self.cr, block * 8)).flatten());
            for (x, y) in seen.filter(|at| !visible(at)) {
                self.y[y * padded + block * 16 + x] = y_fill;
            }
            for y in 0..8 {
                for x in 0..8 {
                    let hidden = [(0, 0), (1, 0), (0, 1), (1, 1)]
                        .iter()
                        .all(|&(dx, dy)| pixel(block * 16 + 2 * x + dx, row * 16 + 2 * y + dy)[3] == 0);
                    if hidden {
                        self.cb[y * half + block * 8 + x] = cb_fill;
                        self.cr[y * half + block * 8 + x] = cr_fill;
                    }
                }
            }
        }
    }
}

/// Copies `rows` rows from row `first` on, repeating the last sample and the last row.
#[inline(always)]
fn copy(plane: Plane<'_>, (width, height): (usize, usize), first: usize, rows: usize, out: &mut [u8]) {
    let padded = out.len() / rows;
    for (row, out) in out.chunks_exact_mut(padded).enumerate() {
        let from = (first + row).min(height - 1) * plane.stride;
        let samples = &plane.samples[from..from + width];
        out[..width].copy_from_slice(samples);
        out[width..].fill(samples[width - 1]);
    }
}
