//! Eight 16-bit numbers in one register: SSE2, simd128, or plain code with the same results.
//!
//! For the one place where lanes are not blocks: 4×4 blocks that are coded one after the other.

pub(super) use imp::I16x8;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod imp {
    use safe_arch::{
        add_i16_m128i, bitxor_m128i, cmp_eq_mask_i8_m128i, m128i, move_mask_i8_m128i,
        mul_i16_keep_high_m128i, mul_i16_keep_low_m128i, mul_u16_keep_high_m128i, pack_i16_to_i8_m128i,
        pack_i16_to_u8_m128i, set_i64_m128i_s, set_splat_i16_m128i, shl_imm_u16_m128i, shr_imm_i16_m128i,
        shuffle_ai_f32_all_m128i, sub_i16_m128i, unpack_high_i16_m128i, unpack_high_i64_m128i,
        unpack_low_i8_m128i, unpack_low_i16_m128i, unpack_low_i64_m128i, zeroed_m128i,
    };

    /// Eight signed 16-bit numbers.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct I16x8(m128i);

    impl I16x8 {
        #[inline(always)]
        pub(crate) fn new(x: [i16; 8]) -> I16x8 {
            I16x8(bytemuck::must_cast(x))
        }

        #[inline(always)]
        pub(crate) fn to_array(self) -> [i16; 8] {
            bytemuck::must_cast(self.0)
        }

        #[inline(always)]
        pub(crate) fn from_bytes(x: [u8; 8]) -> I16x8 {
            I16x8(unpack_low_i8_m128i(set_i64_m128i_s(i64::from_ne_bytes(x)), zeroed_m128i()))
        }

        #[inline(always)]
        pub(crate) fn splat(x: i16) -> I16x8 {
            I16x8(set_splat_i16_m128i(x))
        }

        #[inline(always)]
        pub(crate) fn add(self, o: I16x8) -> I16x8 {
            I16x8(add_i16_m128i(self.0, o.0))
        }

        #[inline(always)]
        pub(crate) fn sub(self, o: I16x8) -> I16x8 {
            I16x8(sub_i16_m128i(self.0, o.0))
        }

        /// The low halves of the products.
        #[inline(always)]
        pub(crate) fn mul_low(self, o: I16x8) -> I16x8 {
            I16x8(mul_i16_keep_low_m128i(self.0, o.0))
        }

        /// The high halves of the products.
        #[inline(always)]
        pub(crate) fn mul_high(self, o: I16x8) -> I16x8 {
            I16x8(mul_i16_keep_high_m128i(self.0, o.0))
        }

        /// The high halves of the products of unsigned numbers.
        #[inline(always)]
        pub(crate) fn mul_high_unsigned(self, o: I16x8) -> I16x8 {
            I16x8(mul_u16_keep_high_m128i(self.0, o.0))
        }

        #[inline(always)]
        pub(crate) fn shift_left<const BITS: i32>(self) -> I16x8 {
            I16x8(shl_imm_u16_m128i::<BITS>(self.0))
        }

        #[inline(always)]
        pub(crate) fn shift_right<const BITS: i32>(self) -> I16x8 {
            I16x8(shr_imm_i16_m128i::<BITS>(self.0))
        }

        #[inline(always)]
        pub(crate) fn xor(self, o: I16x8) -> I16x8 {
            I16x8(bitxor_m128i(self.0, o.0))
        }

        /// a4 … a7 a0 … a3.
        #[inline(always)]
        pub(crate) fn swap_halves(self) -> I16x8 {
            I16x8(shuffle_ai_f32_all_m128i::<0b01_00_11_10>(self.0))
        }

        /// a0 … a3 b0 … b3.
        #[inline(always)]
        pub(crate) fn low_low(self, o: I16x8) -> I16x8 {
            I16x8(unpack_low_i64_m128i(self.0, o.0))
        }

        /// a4 … a7 b4 … b7.
        #[inline(always)]
        pub(crate) fn high_high(self, o: I16x8) -> I16x8 {
            I16x8(unpack_high_i64_m128i(self.0, o.0))
        }

        /// a0 b0 a1 b1 a2 b2 a3 b3.
        #[inline(always)]
        pub(crate) fn interleave_low(self, o: I16x8) -> I16x8 {
            I16x8(unpack_low_i16_m128i(self.0, o.0))
        }

        /// a4 b4 a5 b5 a6 b6 a7 b7.
        #[inline(always)]
        pub(crate) fn interleave_high(self, o: I16x8) -> I16x8 {
            I16x8(unpack_high_i16_m128i(self.0, o.0))
        }

        /// Both as bytes, within 0 to 255.
        #[inline(always)]
        pub(crate) fn to_bytes(self, o: I16x8) -> [u8; 16] {
            bytemuck::must_cast(pack_i16_to_u8_m128i(self.0, o.0))
        }

        /// Bit k: the k-th of both is not 0.
        #[inline(always)]
        pub(crate) fn nonzero(self, o: I16x8) -> u16 {
            let zeros = cmp_eq_mask_i8_m128i(pack_i16_to_i8_m128i(self.0, o.0), zeroed_m128i());
            !(move_mask_i8_m128i(zeros) as u16)
        }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod imp {
    use core::arch::wasm32::*;

    /// Eight signed 16-bit numbers.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct I16x8(v128);

    impl I16x8 {
        #[inline(always)]
        pub(crate) fn new(x: [i16; 8]) -> I16x8 {
            I16x8(bytemuck::must_cast(x))
        }

        #[inline(always)]
        pub(crate) fn to_array(self) -> [i16; 8] {
            bytemuck::must_cast(self.0)
        }

        #[inline(always)]
        pub(crate) fn from_bytes(x: [u8; 8]) -> I16x8 {
            I16x8(u16x8_extend_low_u8x16(u64x2(u64::from_ne_bytes(x), 0)))
        }

        #[inline(always)]
        pub(crate) fn splat(x: i16) -> I16x8 {
            I16x8(i16x8_splat(x))
        }

        #[inline(always)]
        pub(crate) fn add(self, o: I16x8) -> I16x8 {
            I16x8(i16x8_add(self.0, o.0))
        }

        #[inline(always)]
        pub(crate) fn sub(self, o: I16x8) -> I16x8 {
            I16x8(i16x8_sub(self.0, o.0))
        }

        /// The low halves of the products.
        #[inline(always)]
        pub(crate) fn mul_low(self, o: I16x8) -> I16x8 {
            I16x8(i16x8_mul(self.0, o.0))
        }

        /// The high halves of the products.
        #[inline(always)]
        pub(crate) fn mul_high(self, o: I16x8) -> I16x8 {
            let (low, high) = (i32x4_extmul_low_i16x8(self.0, o.0), i32x4_extmul_high_i16x8(self.0, o.0));
            I16x8(i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(low, high))
        }

        /// The high halves of the products of unsigned numbers.
        #[inline(always)]
        pub(crate) fn mul_high_unsigned(self, o: I16x8) -> I16x8 {
            let (low, high) = (u32x4_extmul_low_u16x8(self.0, o.0), u32x4_extmul_high_u16x8(self.0, o.0));
            I16x8(i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(low, high))
        }

        #[inline(always)]
        pub(crate) fn shift_left<const BITS: i32>(self) -> I16x8 {
            I16x8(i16x8_shl(self.0, BITS as u32))
        }

        #[inline(always)]
        pub(crate) fn shift_right<const BITS: i32>(self) -> I16x8 {
            I16x8(i16x8_shr(self.0, BITS as u32))
        }

        #[inline(always)]
        pub(crate) fn xor(self, o: I16x8) -> I16x8 {
            I16x8(v128_xor(self.0, o.0))
        }

        /// a4 … a7 a0 … a3.
        #[inline(always)]
        pub(crate) fn swap_halves(self) -> I16x8 {
            I16x8(i64x2_shuffle::<1, 0>(self.0, self.0))
        }

        /// a0 … a3 b0 … b3.
        #[inline(always)]
        pub(crate) fn low_low(self, o: I16x8) -> I16x8 {
            I16x8(i64x2_shuffle::<0, 2>(self.0, o.0))
        }

        /// a4 … a7 b4 … b7.
        #[inline(always)]
        pub(crate) fn high_high(self, o: I16x8) -> I16x8 {
            I16x8(i64x2_shuffle::<1, 3>(self.0, o.0))
        }

        /// a0 b0 a1 b1 a2 b2 a3 b3.
        #[inline(always)]
        pub(crate) fn interleave_low(self, o: I16x8) -> I16x8 {
            I16x8(i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(self.0, o.0))
        }

        /// a4 b4 a5 b5 a6 b6 a7 b7.
        #[inline(always)]
        pub(crate) fn interleave_high(self, o: I16x8) -> I16x8 {
            I16x8(i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(self.0, o.0))
        }

        /// Both as bytes, within 0 to 255.
        #[inline(always)]
        pub(crate) fn to_bytes(self, o: I16x8) -> [u8; 16] {
            bytemuck::must_cast(u8x16_narrow_i16x8(self.0, o.0))
        }

        /// Bit k: the k-th of both is not 0.
        #[inline(always)]
        pub(crate) fn nonzero(self, o: I16x8) -> u16 {
            let zeros = i8x16_eq(i8x16_narrow_i16x8(self.0, o.0), i8x16_splat(0));
            !i8x16_bitmask(zeros)
        }
    }
}

#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
use plain as imp;

/// The meaning of the operations, for targets without the registers and as the twin in tests.
#[cfg(any(
    test,
    not(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "wasm32", target_feature = "simd128")
    ))
))]
mod plain {
    use core::array::from_fn;

    /// Eight signed 16-bit numbers.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct I16x8([i16; 8]);

    impl I16x8 {
        #[inline(always)]
        fn map2(self, o: I16x8, f: impl Fn(i16, i16) -> i16) -> I16x8 {
            I16x8(from_fn(|at| f(self.0[at], o.0[at])))
        }

        #[inline(always)]
        fn pick(self, o: I16x8, places: [usize; 8]) -> I16x8 {
            I16x8(places.map(|place| if place < 8 { self.0[place] } else { o.0[place - 8] }))
        }

        #[inline(always)]
        pub(crate) fn new(x: [i16; 8]) -> I16x8 {
            I16x8(x)
        }

        #[inline(always)]
        pub(crate) fn to_array(self) -> [i16; 8] {
            self.0
        }

        #[inline(always)]
        pub(crate) fn from_bytes(x: [u8; 8]) -> I16x8 {
            I16x8(x.map(i16::from))
        }

        #[inline(always)]
        pub(crate) fn splat(x: i16) -> I16x8 {
            I16x8([x; 8])
        }

        #[inline(always)]
        pub(crate) fn add(self, o: I16x8) -> I16x8 {
            self.map2(o, i16::wrapping_add)
        }

        #[inline(always)]
        pub(crate) fn sub(self, o: I16x8) -> I16x8 {
            self.map2(o, i16::wrapping_sub)
        }

        /// The low halves of the products.
        #[inline(always)]
        pub(crate) fn mul_low(self, o: I16x8) -> I16x8 {
            self.map2(o, i16::wrapping_mul)
        }

        /// The high halves of the products.
        #[inline(always)]
        pub(crate) fn mul_high(self, o: I16x8) -> I16x8 {
            self.map2(o, |a, b| ((i32::from(a) * i32::from(b)) >> 16) as i16)
        }

        /// The high halves of the products of unsigned numbers.
        #[inline(always)]
        pub(crate) fn mul_high_unsigned(self, o: I16x8) -> I16x8 {
            self.map2(o, |a, b| ((u32::from(a.cast_unsigned()) * u32::from(b.cast_unsigned())) >> 16) as i16)
        }

        #[inline(always)]
        pub(crate) fn shift_left<const BITS: i32>(self) -> I16x8 {
            I16x8(self.0.map(|x| x << BITS))
        }

        #[inline(always)]
        pub(crate) fn shift_right<const BITS: i32>(self) -> I16x8 {
            I16x8(self.0.map(|x| x >> BITS))
        }

        #[inline(always)]
        pub(crate) fn xor(self, o: I16x8) -> I16x8 {
            self.map2(o, |a, b| a ^ b)
        }

        /// a4 … a7 a0 … a3.
        #[inline(always)]
        pub(crate) fn swap_halves(self) -> I16x8 {
            self.pick(self, [4, 5, 6, 7, 0, 1, 2, 3])
        }

        /// a0 … a3 b0 … b3.
        #[inline(always)]
        pub(crate) fn low_low(self, o: I16x8) -> I16x8 {
            self.pick(o, [0, 1, 2, 3, 8, 9, 10, 11])
        }

        /// a4 … a7 b4 … b7.
        #[inline(always)]
        pub(crate) fn high_high(self, o: I16x8) -> I16x8 {
            self.pick(o, [4, 5, 6, 7, 12, 13, 14, 15])
        }

        /// a0 b0 a1 b1 a2 b2 a3 b3.
        #[inline(always)]
        pub(crate) fn interleave_low(self, o: I16x8) -> I16x8 {
            self.pick(o, [0, 8, 1, 9, 2, 10, 3, 11])
        }

        /// a4 b4 a5 b5 a6 b6 a7 b7.
        #[inline(always)]
        pub(crate) fn interleave_high(self, o: I16x8) -> I16x8 {
            self.pick(o, [4, 12, 5, 13, 6, 14, 7, 15])
        }

        /// Both as bytes, within 0 to 255.
        #[inline(always)]
        pub(crate) fn to_bytes(self, o: I16x8) -> [u8; 16] {
            from_fn(|at| if at < 8 { self.0[at] } else { o.0[at - 8] }.clamp(0, 255) as u8)
        }

        /// Bit k: the k-th of both is not 0.
        #[inline(always)]
        pub(crate) fn nonzero(self, o: I16x8) -> u16 {
            (0..16).map(|at| u16::from((if at < 8 { self.0[at] } else { o.0[at - 8] }) != 0) << at).sum()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{imp, plain};

    /// Every operation on extreme and random numbers, in registers and in plain code.
    #[test]
    fn registers_equal_plain_code() {
        let mut state = 1_u32;
        let extremes = [0, 1, -1, i16::MAX, i16::MIN, 255, 256, -256];
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if state >> 29 == 0 { extremes[(state >> 8) as usize % 8] } else { (state >> 12) as i16 }
        };
        for _ in 0..2_000 {
            let a: [i16; 8] = core::array::from_fn(|_| next());
            let b: [i16; 8] = core::array::from_fn(|_| next());
            macro_rules! equal {
                ($($op:ident),*) => {$(
                    let fast = imp::I16x8::new(a).$op(imp::I16x8::new(b)).to_array();
                    let slow = plain::I16x8::new(a).$op(plain::I16x8::new(b)).to_array();
                    assert_eq!(fast, slow, "{} of {a:?} and {b:?}", stringify!($op));
                )*};
            }
            equal!(add, sub, mul_low, mul_high, mul_high_unsigned, xor);
            equal!(low_low, high_high, interleave_low, interleave_high);
            let (fast, slow) = (imp::I16x8::new(a), plain::I16x8::new(a));
            let (other_fast, other_slow) = (imp::I16x8::new(b), plain::I16x8::new(b));
            assert_eq!(fast.swap_halves().to_array(), slow.swap_halves().to_array());
            assert_eq!(fast.shift_left::<3>().to_array(), slow.shift_left::<3>().to_array());
            assert_eq!(fast.shift_right::<4>().to_array(), slow.shift_right::<4>().to_array());
            assert_eq!(fast.to_bytes(other_fast), slow.to_bytes(other_slow));
            assert_eq!(fast.nonzero(other_fast), slow.nonzero(other_slow));
            let bytes = fast.to_bytes(other_fast);
            let half: [u8; 8] = bytes[..8].try_into().unwrap();
            assert_eq!(imp::I16x8::from_bytes(half).to_array(), plain::I16x8::from_bytes(half).to_array());
            assert_eq!(imp::I16x8::splat(a[0]).to_array(), plain::I16x8::splat(a[0]).to_array());
        }
    }
}
