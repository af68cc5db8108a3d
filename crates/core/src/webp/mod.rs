//! WebP (RFC 9649): read and losslessly written by `image-webp`, lossily written by libwebp.

mod decode;
mod encode;
mod header;

pub(crate) use decode::{decode, heap_len, layout};
pub(crate) use encode::{Coding, encode, encoder_heap_len, max_len};
pub(crate) use header::read_header;
