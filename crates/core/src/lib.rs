//! Bytes of a picture in, bytes of a thumbnail out.
//!
//! The core does no I/O and owns no large memory. A host reads the first bytes of a source and calls
//! [`probe`]; makes a [`Plan`] from the [`Header`], the wanted [`Transform`] and its [`Limits`]; supplies as
//! much memory as the plan states; hands the source's bytes to [`Thumbnailer::push`] as they arrive; and
//! calls [`Thumbnailer::finish`] until the thumbnail stands in its output buffer.
//!
//! ```
//! # #[cfg(feature = "std")] {
//! # use tintype_core::{probe, thumbnail, Format, FormatChoice, Probe, Transform};
//! # let wide = Transform { format: FormatChoice::Png, ..Transform::default() };
//! # let source = thumbnail(include_bytes!("../testdata/one-pixel.png"), &wide).unwrap();
//! let transform = Transform { width: Some(240), format: FormatChoice::Jpeg, ..Transform::default() };
//! let bytes = thumbnail(&source, &transform)?;
//! let Probe::Ready(header) = probe(&bytes, true)? else { unreachable!("the whole file was given") };
//! assert_eq!((header.format(), header.width), (Format::Jpeg, 1));
//! # }
//! # Ok::<(), tintype_core::Error>(())
//! ```
//!
//! How the source was cut into pushes never changes the result, nor does what the workspace held before.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod blend;
mod borders;
mod bytes;
mod convenience;
mod corners;
mod decode;
mod encode;
mod error;
mod exif;
mod finish;
mod format;
mod geometry;
#[cfg(feature = "std")]
mod gif;
mod header;
pub mod jpeg;
mod limits;
mod pixels;
mod plan;
mod planar;
#[cfg(feature = "std")]
mod png;
mod probe;
mod resample;
mod saliency;
mod settle;
mod shrink;
mod sink;
mod sniff;
mod thumbnailer;
mod transform;
#[cfg(feature = "std")]
pub mod webp;

pub use convenience::thumbnail;
pub use error::{Error, Limit};
pub use format::Format;
pub use header::{
    Details, GifHeader, Header, JpegColor, JpegHeader, Orientation, PngHeader, Sampling, WebPHeader, WebPKind,
};
pub use limits::Limits;
pub use plan::{Cost, Input, OutputBound, Plan, WORKSPACE_ALIGN};
pub use probe::{Probe, probe};
pub use thumbnailer::{Finish, Output, Progress, Thumbnailer};
pub use transform::{
    Border, Color, Dpr, Fit, FocalPoint, FormatChoice, Gravity, Length, Radius, Sides, Speed, Transform, Trim,
};

/// Changes whenever the same request on the same source may give other bytes; part of every `ETag`.
pub const OUTPUT_VERSION: u32 = 4;
