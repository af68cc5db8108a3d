//! GIF (89a), read by the `gif` crate: the first frame.

mod decode;
mod header;

pub(crate) use decode::{decode, heap_len, layout};
pub(crate) use header::read_header;
