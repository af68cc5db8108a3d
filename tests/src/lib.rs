//! Sample pictures, the list of HTTP cases that every door must pass, and tests across the builds.

#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "what fails here is a mistake in this crate's own pictures or cases, and must be loud"
)]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::cast_lossless,
    clippy::cast_possible_wrap,
    clippy::many_single_char_names,
    reason = "painting goes to and fro between places (integers) and amounts of light (floats)"
)]

#[cfg(feature = "edge")]
pub mod edge;
mod format;
pub mod http_cases;
pub mod picture;
pub mod samples;

pub use format::Format;
