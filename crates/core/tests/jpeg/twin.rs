//! The slow twin: a sequential JPEG decoded bit by bit and transformed in f64 (T.81, annexes A, C and F).
//!
//! It knows files without damage only, of one scan.

use std::f64::consts::PI;

/// The zigzag order as a walk along diagonals.
fn zigzag() -> Vec<(usize, usize)> {
    let mut order: Vec<(usize, usize)> = (0..64).map(|n| (n / 8, n % 8)).collect();
    order.sort_by_key(|&(row, column)| {
        let diagonal = row + column;
        (diagonal, if diagonal % 2 == 0 { column } else { row })
    });
    order
}

/// A component: its sampling factors, its size in blocks, and its blocks' coefficients times their quantizers.
pub(crate) struct Component {
    pub(crate) factors: (usize, usize),
    across: usize,
    blocks: Vec<[f64; 64]>,
}

impl Component {
    /// Sample (x, y) at n/8 of the size: the n-point inverse DCT of the low n×n coefficients.
    pub(crate) fn sample(&self, n: usize, x: usize, y: usize) -> f64 {
        let block = &self.blocks[y / n * self.across + x / n];
        let mut sum = 0.0;
        for v in 0..n {
            for u in 0..n {
                sum += block[v * 8 + u] * basis(n, u, x % n) * basis(n, v, y % n);
            }
        }
        (sum * n as f64 / 8.0 + 128.0).clamp(0.0, 255.0)
    }
}

/// The orthonormal n-point DCT's basis.
fn basis(n: usize, frequency: usize, at: usize) -> f64 {
    let scale = if frequency == 0 { 1.0 } else { 2.0 };
    (scale / n as f64).sqrt() * ((2 * at + 1) as f64 * frequency as f64 * PI / (2 * n) as f64).cos()
}

/// The bits of a segment.
struct Bits<'f> {
    bytes: &'f [u8],
    at: usize,
    bit: u32,
}

impl Bits<'_> {
    fn bit(&mut self) -> i32 {
        let bit = self.bytes[self.at] >> (7 - self.bit) & 1;
        self.bit += 1;
        if self.bit == 8 {
            self.bit = 0;
            self.at += if self.bytes[self.at] == 0xff { 2 } else { 1 };
        }
        bit.into()
    }

    fn value(&mut self, size: u32) -> i32 {
        let value = (0..size).fold(0, |value, _| value * 2 + self.bit());
        if size > 0 && value < 1 << (size - 1) { value - (1 << size) + 1 } else { value }
    }

    fn symbol(&mut self, table: &[(u32, i32, u8)]) -> u8 {
        let (mut len, mut code) = (0, 0);
        loop {
            code = code * 2 + self.bit();
            len += 1;
            if let Some((_, _, symbol)) = table.iter().find(|entry| (entry.0, entry.1) == (len, code)) {
                return *symbol;
            }
        }
    }

    /// Past the padding and the restart marker.
    fn restart(&mut self) {
        if self.bit != 0 {
            self.at += if self.bytes[self.at] == 0xff { 2 } else { 1 };
            self.bit = 0;
        }
        assert_eq!(self.bytes[self.at], 0xff);
        self.at += 2;
    }
}

/// Decodes a file's components.
pub(crate) fn decode(file: &[u8]) -> Vec<Component> {
    let word = |at: usize| usize::from(file[at]) * 256 + usize::from(file[at + 1]);
    let mut quantizers = vec![[0.0; 64]; 4];
    let mut tables = vec![Vec::new(); 32];
    let (mut frame, mut interval, mut at) = (0, 0, 2);
    loop {
        let (marker, len, mut item) = (file[at + 1], word(at + 2), at + 4);
        let end = at + 2 + len;
        match marker {
            0xdb => {
                while item < end {
                    let wide = usize::from(file[item] >> 4);
                    for (k, (row, column)) in zigzag().into_iter().enumerate() {
                        let place = item + 1 + k * (1 + wide);
                        let value = if wide == 1 { word(place) } else { file[place].into() };
                        quantizers[usize::from(file[item] & 15)][row * 8 + column] = value as f64;
                    }
                    item += 1 + 64 * (1 + wide);
                }
            }
            0xc4 => {
                while item < end {
                    let mut symbols = item + 17;
                    let mut table = Vec::new();
                    let mut code = 0;
                    for len in 1..=16 {
                        for _ in 0..file[item + len] {
                            table.push((len as u32, code, file[symbols]));
                            code += 1;
                            symbols += 1;
                        }
                        code *= 2;
                    }
                    tables[usize::from(file[item])] = table;
                    item = symbols;
                }
            }
            0xc0 | 0xc1 => frame = item,
            0xdd => interval = word(item),
            0xda => break,
            _ => {}
        }
        at = end;
    }
    let (height, width, count) = (word(frame + 1), word(frame + 3), usize::from(file[frame + 5]));
    let factors = |n: usize| {
        let byte = file[frame + 7 + 3 * n];
        if count == 1 { (1, 1) } else { (usize::from(byte >> 4), usize::from(byte & 15)) }
    };
    let h_max = (0..count).map(|n| factors(n).0).max().unwrap();
    let v_max = (0..count).map(|n| factors(n).1).max().unwrap();
    let (mcus_across, mcus_down) = (width.div_ceil(8 * h_max), height.div_ceil(8 * v_max));
    let mut components: Vec<Component> = (0..count)
        .map(|n| {
            let across = mcus_across * factors(n).0;
            let blocks = vec![[0.0; 64]; across * mcus_down * factors(n).1];
            Component { factors: factors(n), across, blocks }
        })
        .collect();
    let mut bits = Bits { bytes: file, at: at + 2 + word(at + 2), bit: 0 };
    let mut predictions = [0; 4];
    for mcu in 0..mcus_across * mcus_down {
        if interval > 0 && mcu > 0 && mcu % interval == 0 {
            bits.restart();
            predictions = [0; 4];
        }
        for n in 0..count {
            let selectors = file[at + 6 + 2 * n];
            let (dc, ac) = (&tables[usize::from(selectors >> 4)], &tables[16 + usize::from(selectors & 15)]);
            let quantizers = &quantizers[usize::from(file[frame + 8 + 3 * n])];
            let (h, v) = factors(n);
            for block in 0..h * v {
                let (x, y) = (mcu % mcus_across * h + block % h, mcu / mcus_across * v + block / h);
                let size = bits.symbol(dc).into();
                predictions[n] += bits.value(size);
                let mut coefficients = [0.0; 64];
                coefficients[0] = f64::from(predictions[n]) * quantizers[0];
                let mut k = 1;
                while k < 64 {
                    let symbol = bits.symbol(ac);
                    match (symbol >> 4, symbol & 15) {
                        (15, 0) => k += 16,
                        (_, 0) => break,
                        (run, size) => {
                            k += usize::from(run);
                            let (row, column) = zigzag()[k];
                            let place = row * 8 + column;
                            coefficients[place] = f64::from(bits.value(size.into())) * quantizers[place];
                            k += 1;
                        }
                    }
                }
                let component = &mut components[n];
                component.blocks[y * component.across + x] = coefficients;
            }
        }
    }
    components
}
