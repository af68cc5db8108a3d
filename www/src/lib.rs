//! The demo page's glue, called by `static/worker.js`: what an address means, and its thumbnail.
//!
//! Both are the origin's own code: `tintype_request` reads the address, the codec module makes the picture. This
//! module holds no picture; the source and the thumbnail pass through it as JavaScript's bytes.

#![cfg(target_arch = "wasm32")]
#![forbid(unsafe_code)]

mod address;
mod maker;
mod trouble;

use std::fmt::Write as _;

use js_sys::Uint8Array;
use sha2::{Digest as _, Sha256};
use wasm_bindgen::prelude::*;

pub use address::Address;
pub use maker::{Maker, Picture};
pub use trouble::Trouble;

/// The values of `fit`, the default first.
#[wasm_bindgen]
pub fn fits() -> Vec<String> {
    tintype_request::fit_words().map(str::to_owned).collect()
}

/// The values of `format`, the default first.
#[wasm_bindgen]
pub fn formats() -> Vec<String> {
    tintype_request::format_words().map(str::to_owned).collect()
}

/// SHA-256 in hexadecimal. The browser's own is there on https and localhost only.
#[wasm_bindgen]
pub fn sha256(bytes: &Uint8Array) -> String {
    Sha256::digest(bytes.to_vec()).iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
