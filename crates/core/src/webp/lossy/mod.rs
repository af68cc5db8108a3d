//! A lossy WebP encoder: VP8 key frames (RFC 6386) made for thumbnails.
//!
//! In: planar `Y'CbCr` 4:2:0, RGB, RGBA or grey pixels ([`Picture`]). Out: a frame, the data of a "VP8 " chunk.
//! Memory: the caller's alone, [`Encoder::scratch_len`] and [`Encoder::max_output_len`]; no heap. Integers only: the
//! same bytes on every machine. [`Encoder::step`] does some rows of macroblocks a call.
//!
//! Modes are chosen by Hadamard sums and bits, coefficients quantized with a dead zone, probabilities measured on the
//! picture; two token partitions are written at once, which a processor does faster than one after the other.
#![allow(
    clippy::needless_range_loop,
    clippy::inline_always,
    clippy::cast_possible_wrap,
    clippy::cast_lossless,
    clippy::cast_sign_loss,
    reason = "loops over lanes by index, in functions inlined into their callers, are what the compiler makes vector \
              code of; sums and samples go to and fro between 8, 16 and 32 bits, and are clamped where they become samples"
)]

mod block;
mod bool_coder;
mod cost;
mod decide;
mod encoder;
mod frame;
mod lanes;
mod macroblock;
mod picture;
mod predict;
mod probabilities;
mod quantizer;
mod settings;
mod tables;
mod tokens;
mod transform;

pub use encoder::{Encoder, Observer, Step};
pub use picture::{Picture, Plane, Range};
pub use settings::{MAX_SIDE, Settings};
