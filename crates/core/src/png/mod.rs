//! PNG (W3C, third edition), through the `png` crate.

mod decode;
mod encode;
mod header;

pub(crate) use decode::{decode, heap_len, layout};
pub(crate) use encode::{encode, encoder_heap_len, max_len};
pub(crate) use header::read_header;
