//! JPEG (ITU-T T.81).
//!
//! | step | where |
//! |---|---|
//! | header, for the plan | `header.rs` |
//! | the public face, damage, restarts | `decoder.rs` |
//! | where everything lies | `layout.rs`, `store.rs` |
//! | segments, scans, bytes, bits | `segments.rs`, `scan.rs`, `window.rs`, `bits.rs` |
//! | Huffman tables | `huffman.rs` |
//! | blocks of sequential and progressive scans | `sequential.rs`, `progressive.rs` |
//! | inverse DCTs | `idct.rs` on `lanes.rs`; `render.rs` for stored coefficients |
//! | planes to pixels | `color.rs` |
//! | writing | `encode.rs` |

mod bits;
mod color;
mod decoder;
mod encode;
mod header;
mod huffman;
mod idct;
mod lanes;
mod layout;
mod marker;
mod progressive;
mod render;
mod scan;
mod segments;
mod sequential;
mod store;
mod window;
mod zigzag;

pub use decoder::Decoder;
pub use layout::{Plane, Region, Scale};

pub(crate) use color::to_pixels;
pub(crate) use decoder::workspace_len;
pub(crate) use encode::{encode, encoder_heap_len, max_len};
pub(crate) use header::read_header;
