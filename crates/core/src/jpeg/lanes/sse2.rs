//! [`Lanes`] by SSE2, which every x86-64 has, through `safe_arch`: its functions are the instructions, without
//! the word unsafe.

use safe_arch as arch;

use super::Lanes;

/// A register.
#[derive(Clone, Copy)]
pub(in crate::jpeg) struct Vector(arch::m128i);

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
        Vector(arch::add_i16_m128i(self.0, other.0))
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Vector(arch::mul_i16_keep_low_m128i(self.0, other.0))
    }

    #[inline(always)]
    fn zip_low(self, other: Self) -> Self {
        Vector(arch::unpack_low_i16_m128i(self.0, other.0))
    }

    #[inline(always)]
    fn zip_high(self, other: Self) -> Self {
        Vector(arch::unpack_high_i16_m128i(self.0, other.0))
    }

    #[inline(always)]
    fn zip_pairs_low(self, other: Self) -> Self {
        Vector(arch::unpack_low_i32_m128i(self.0, other.0))
    }

    #[inline(always)]
    fn zip_pairs_high(self, other: Self) -> Self {
        Vector(arch::unpack_high_i32_m128i(self.0, other.0))
    }

    #[inline(always)]
    fn join_low(self, other: Self) -> Self {
        Vector(arch::unpack_low_i64_m128i(self.0, other.0))
    }

    #[inline(always)]
    fn join_high(self, other: Self) -> Self {
        Vector(arch::unpack_high_i64_m128i(self.0, other.0))
    }

    #[inline(always)]
    fn dot(self, x: i16, y: i16) -> Self {
        Vector(arch::mul_i16_horizontal_add_m128i(self.0, arch::m128i::from([x, y, x, y, x, y, x, y])))
    }

    #[inline(always)]
    fn add_wide(self, other: Self) -> Self {
        Vector(arch::add_i32_m128i(self.0, other.0))
    }

    #[inline(always)]
    fn sub_wide(self, other: Self) -> Self {
        Vector(arch::sub_i32_m128i(self.0, other.0))
    }

    #[inline(always)]
    fn round<const N: i32>(self, high: Self) -> Self {
        let half = arch::set_splat_i32_m128i(1 << (N - 1));
        let shift = |v: Self| arch::shr_imm_i32_m128i::<N>(arch::add_i32_m128i(v.0, half));
        Vector(arch::pack_i32_to_i16_m128i(shift(self), shift(high)))
    }

    #[inline(always)]
    fn samples(self, high: Self) -> Self {
        // Saturated to −128 … 127 first: a sum with 128 might wrap.
        let signed = arch::pack_i16_to_i8_m128i(self.0, high.0);
        Vector(arch::bitxor_m128i(signed, arch::set_splat_i8_m128i(-128)))
    }

    #[inline(always)]
    fn zip_bytes_low(self, other: Self) -> Self {
        Vector(arch::unpack_low_i8_m128i(self.0, other.0))
    }

    #[inline(always)]
    fn zip_bytes_high(self, other: Self) -> Self {
        Vector(arch::unpack_high_i8_m128i(self.0, other.0))
    }
}
