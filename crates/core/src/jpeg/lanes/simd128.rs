//! [`Lanes`] by WebAssembly's `simd128`.

use core::arch::wasm32 as arch;

use super::Lanes;

/// A register.
#[derive(Clone, Copy)]
pub(in crate::jpeg) struct Vector(arch::v128);

impl Lanes for Vector {
    #[inline(always)]
    fn load(lanes: &[i16; 8]) -> Self {
        Vector(bytemuck::cast(*lanes))
    }

    #[inline(always)]
    fn store_bytes(self) -> [[u8; 8]; 2] {
        bytemuck::cast(self.0)
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Vector(arch::i16x8_add(self.0, other.0))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Vector(arch::i16x8_mul(self.0, other.0))
    }

    #[inline(always)]
    fn zip_low(self, other: Self) -> Self {
        Vector(arch::i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(self.0, other.0))
    }

    #[inline(always)]
    fn zip_high(self, other: Self) -> Self {
        Vector(arch::i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(self.0, other.0))
    }

    #[inline(always)]
    fn zip_pairs_low(self, other: Self) -> Self {
        Vector(arch::i32x4_shuffle::<0, 4, 1, 5>(self.0, other.0))
    }

    #[inline(always)]
    fn zip_pairs_high(self, other: Self) -> Self {
        Vector(arch::i32x4_shuffle::<2, 6, 3, 7>(self.0, other.0))
    }

    #[inline(always)]
    fn join_low(self, other: Self) -> Self {
        Vector(arch::i64x2_shuffle::<0, 2>(self.0, other.0))
    }

    #[inline(always)]
    fn join_high(self, other: Self) -> Self {
        Vector(arch::i64x2_shuffle::<1, 3>(self.0, other.0))
    }

    #[inline(always)]
    fn dot(self, x: i16, y: i16) -> Self {
        Vector(arch::i32x4_dot_i16x8(self.0, arch::i16x8(x, y, x, y, x, y, x, y)))
    }

    #[inline(always)]
    fn add_wide(self, other: Self) -> Self {
        Vector(arch::i32x4_add(self.0, other.0))
    }

    #[inline(always)]
    fn sub_wide(self, other: Self) -> Self {
        Vector(arch::i32x4_sub(self.0, other.0))
    }

    #[inline(always)]
    fn round<const N: i32>(self, high: Self) -> Self {
        let half = arch::i32x4_splat(1 << (N - 1));
        let shift = |v: Self| arch::i32x4_shr(arch::i32x4_add(v.0, half), N as u32);
        Vector(arch::i16x8_narrow_i32x4(shift(self), shift(high)))
    }

    #[inline(always)]
    fn samples(self, high: Self) -> Self {
        let signed = arch::i8x16_narrow_i16x8(self.0, high.0);
        Vector(arch::v128_xor(signed, arch::i8x16_splat(-128)))
    }

    #[inline(always)]
    fn zip_bytes_low(self, other: Self) -> Self {
        Vector(arch::i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(self.0, other.0))
    }

    #[inline(always)]
    fn zip_bytes_high(self, other: Self) -> Self {
        Vector(arch::i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(
            self.0, other.0,
        ))
    }
}
