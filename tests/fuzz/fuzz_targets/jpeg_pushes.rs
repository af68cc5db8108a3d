//! Any file, cut in any way, gives what it gives in one push.
//!
//! The input's first byte says how many bytes of sizes follow; the rest is the file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tintype_core::jpeg::Scale;

fuzz_target!(|bytes: &[u8]| {
    let Some((&count, rest)) = bytes.split_first() else { return };
    let (sizes, file) = rest.split_at(rest.len().min(usize::from(count) % 32));
    let scale = Scale::ALL[usize::from(count) / 32 % 4];
    let whole = tintype_fuzz::decode(file, scale, || usize::MAX, 0);
    let mut sizes = sizes.iter().copied().chain([1]).cycle();
    let cut = tintype_fuzz::decode(file, scale, || usize::from(sizes.next().unwrap_or(1)), 0xff);
    assert_eq!(whole, cut);
});
