//! A lossy WebP encoder: VP8 key frames (RFC 6386) made for thumbnails.

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
