//! Any bytes: a picture or an error, and nothing out of bounds.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_core::jpeg::Scale;

fuzz_target!(|bytes: &[u8]| {
    let scale = Scale::ALL[bytes.len() % 4];
    let _ = tintype_fuzz::decode(bytes, scale, || usize::MAX, 0);
});
