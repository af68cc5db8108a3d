//! PNG (W3C, third edition), through the `png` crate.

mod decode;
mod encode;
mod header;

pub(crate) use decode::{decode, decode_reduced, heap_len, layout, reduced_len};
pub(crate) use encode::{encode, encoder_heap_len, max_len};
pub(crate) use header::read_header;
