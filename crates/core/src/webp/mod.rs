//! WebP (RFC 9649): read by `image-webp`, written here.

mod alpha;
mod bits;
mod decode;
mod encode;
mod header;
mod lossless;
pub mod lossy;
mod prefix;

pub(crate) use decode::{decode, heap_len, layout};
pub(crate) use encode::{Coding, Lossy, encode_lossless, encoder_heap_len, max_len};
pub(crate) use header::read_header;
