//! Eight 16-bit numbers in one register: the few operations that the inverse DCTs are written in, by the
//! instructions that every x86-64 and every WebAssembly with `simd128` has, and plainly elsewhere.

#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(target_arch = "x86_64")]
pub(super) use sse2::Vector;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) use simd128::Vector;

#[cfg(any(test, not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))))]
pub(super) mod plain;
#[cfg(not(any(target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128"))))]
pub(super) use plain::Plain as Vector;

/// Eight lanes of i16, or four of i32. All arithmetic wraps.
pub(super) trait Lanes: Copy {
    fn load(lanes: &[i16; 8]) -> Self;
    fn store_bytes(self) -> [[u8; 8]; 2];
    /// i16: sum.
    fn add(self, other: Self) -> Self;
    /// i16: the product's low half.
    fn mul(self, other: Self) -> Self;
    /// a0 b0 a1 b1 a2 b2 a3 b3.
    fn zip_low(self, other: Self) -> Self;
    /// a4 b4 a5 b5 a6 b6 a7 b7.
    fn zip_high(self, other: Self) -> Self;
    /// a0 a1 b0 b1 a2 a3 b2 b3.
    fn zip_pairs_low(self, other: Self) -> Self;
    /// a4 a5 b4 b5 a6 a7 b6 b7.
    fn zip_pairs_high(self, other: Self) -> Self;
    /// a0 a1 a2 a3 b0 b1 b2 b3.
    fn join_low(self, other: Self) -> Self;
    /// a4 a5 a6 a7 b4 b5 b6 b7.
    fn join_high(self, other: Self) -> Self;
    /// i32: a0·x + a1·y, a2·x + a3·y, …
    fn dot(self, x: i16, y: i16) -> Self;
    /// i32: sum.
    fn add_wide(self, other: Self) -> Self;
    /// i32: difference.
    fn sub_wide(self, other: Self) -> Self;
    /// i32: (a + 2^(N − 1)) >> N of `self` then `high`, as i16, saturated.
    fn round<const N: i32>(self, high: Self) -> Self;
    /// i16 + 128 of `self` then `high`, as u8, saturated; see [`Lanes::store_bytes`].
    fn samples(self, high: Self) -> Self;
    /// u8: a0 b0 a1 b1 …, the low eight of each.
    fn zip_bytes_low(self, other: Self) -> Self;
    /// u8: a8 b8 a9 b9 …, the high eight of each.
    fn zip_bytes_high(self, other: Self) -> Self;
}
