//! The JPEG decoder against libjpeg-turbo's programs and against a slow twin.
//!
//! Files are made by `cjpeg` and `jpegtran`. At full size the judge is `djpeg -dct int -nosmooth` on files whose
//! components are R, G and B: with neither colour conversion nor smooth upsampling in it, each component's plane
//! can be read from its output. Where it refuses (ratios that are not whole), and at reduced sizes, the judge is
//! [`twin`]. A progressive file's is the sequential file that `jpegtran` makes of it.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on must say so")]

mod conformance;
mod damage;
mod decode;
mod hostile;
mod pushes;
mod regions;
mod tools;
mod twin;
