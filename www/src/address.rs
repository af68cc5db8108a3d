//! An address as the origin reads it.

use tintype_core::Transform;
use tintype_request::{Request, Rules};
use wasm_bindgen::prelude::*;

use crate::Trouble;

/// What the page asks with, here and at the origin: WebP is taken, as every browser that can run the page does.
const ACCEPT: &str = "image/webp,*/*";

/// An address that makes sense.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct Address(Request);

#[wasm_bindgen]
impl Address {
    /// Reads a request target, `/img/x.jpg?w=240`. The trouble names the option, the value and what is allowed.
    pub fn read(target: &str) -> Result<Address, Trouble> {
        Request::parse(target, Some(ACCEPT), 0, &Rules::default())
            .map(Address)
            .map_err(|refusal| Trouble::with_options(&refusal))
    }

    /// The one way to write it.
    #[wasm_bindgen(getter)]
    pub fn canonical(&self) -> String {
        self.0.canonical()
    }

    /// Keys that mean nothing.
    #[wasm_bindgen(getter)]
    pub fn ignored(&self) -> Vec<String> {
        self.0.ignored.clone()
    }

    /// The `Accept` header it was read with.
    #[wasm_bindgen(getter)]
    pub fn accept(&self) -> String {
        ACCEPT.to_owned()
    }
}

impl Address {
    pub(crate) fn transform(&self) -> Transform {
        self.0.transform()
    }
}
