//! [`Lanes`] without vector instructions: for other platforms, and the twin that the others are tested against.

use super::Lanes;

/// Sixteen bytes, read as whatever the operation works on; lane 0 is the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::jpeg) struct Plain([u8; 16]);

// In tests beside the instructions, where all of it inlined would take the compiler minutes.
impl Plain {
    #[cfg_attr(test, inline(never))]
    fn narrow(self) -> [i16; 8] {
        core::array::from_fn(|n| i16::from_le_bytes([self.0[2 * n], self.0[2 * n + 1]]))
    }

    #[cfg_attr(test, inline(never))]
    fn wide(self) -> [i32; 4] {
        core::array::from_fn(|n| i32::from_le_bytes(core::array::from_fn(|byte| self.0[4 * n + byte])))
    }

    #[cfg_attr(test, inline(never))]
    fn of_narrow(lanes: [i16; 8]) -> Plain {
        Plain(core::array::from_fn(|n| lanes[n / 2].to_le_bytes()[n % 2]))
    }

    #[cfg_attr(test, inline(never))]
    fn of_wide(lanes: [i32; 4]) -> Plain {
        Plain(core::array::from_fn(|n| lanes[n / 4].to_le_bytes()[n % 4]))
    }

    /// Groups of `size` bytes of both in turn, from byte `from` on.
    #[cfg_attr(test, inline(never))]
    fn zip(self, other: Plain, size: usize, from: usize) -> Plain {
        Plain(core::array::from_fn(|n| {
            let source = if (n / size).is_multiple_of(2) { self.0 } else { other.0 };
            source[from + n / (2 * size) * size + n % size]
        }))
    }
}

impl Lanes for Plain {
    fn load(lanes: &[i16; 8]) -> Self {
        Plain::of_narrow(*lanes)
    }

    fn store_bytes(self) -> [[u8; 8]; 2] {
        [core::array::from_fn(|n| self.0[n]), core::array::from_fn(|n| self.0[8 + n])]
    }

    fn add(self, other: Self) -> Self {
        let (a, b) = (self.narrow(), other.narrow());
        Plain::of_narrow(core::array::from_fn(|n| a[n].wrapping_add(b[n])))
    }

    fn mul(self, other: Self) -> Self {
        let (a, b) = (self.narrow(), other.narrow());
        Plain::of_narrow(core::array::from_fn(|n| a[n].wrapping_mul(b[n])))
    }

    fn zip_low(self, other: Self) -> Self {
        self.zip(other, 2, 0)
    }

    fn zip_high(self, other: Self) -> Self {
        self.zip(other, 2, 8)
    }

    fn zip_pairs_low(self, other: Self) -> Self {
        self.zip(other, 4, 0)
    }

    fn zip_pairs_high(self, other: Self) -> Self {
        self.zip(other, 4, 8)
    }

    fn join_low(self, other: Self) -> Self {
        self.zip(other, 8, 0)
    }

    fn join_high(self, other: Self) -> Self {
        self.zip(other, 8, 8)
    }

    fn dot(self, x: i16, y: i16) -> Self {
        let a = self.narrow();
        Plain::of_wide(core::array::from_fn(|n| {
            let (first, second) =
                (i32::from(a[2 * n]) * i32::from(x), i32::from(a[2 * n + 1]) * i32::from(y));
            first.wrapping_add(second)
        }))
    }

    fn add_wide(self, other: Self) -> Self {
        let (a, b) = (self.wide(), other.wide());
        Plain::of_wide(core::array::from_fn(|n| a[n].wrapping_add(b[n])))
    }

    fn sub_wide(self, other: Self) -> Self {
        let (a, b) = (self.wide(), other.wide());
        Plain::of_wide(core::array::from_fn(|n| a[n].wrapping_sub(b[n])))
    }

    fn round<const N: i32>(self, high: Self) -> Self {
        let (a, b) = (self.wide(), high.wide());
        Plain::of_narrow(core::array::from_fn(|n| {
            let lane = if n < 4 { a[n] } else { b[n - 4] };
            let rounded = lane.wrapping_add(1 << (N - 1)) >> N;
            rounded.clamp(i16::MIN.into(), i16::MAX.into()) as i16
        }))
    }

    fn samples(self, high: Self) -> Self {
        let (a, b) = (self.narrow(), high.narrow());
        Plain(core::array::from_fn(|n| {
            let lane = if n < 8 { a[n] } else { b[n - 8] };
            (i32::from(lane) + 128).clamp(0, 255) as u8
        }))
    }

    fn zip_bytes_low(self, other: Self) -> Self {
        self.zip(other, 1, 0)
    }

    fn zip_bytes_high(self, other: Self) -> Self {
        self.zip(other, 1, 8)
    }
}
