//! Why there is no thumbnail, for the visitor.

use tintype_core::Error;
use tintype_instance::Failure;
use tintype_request::Refusal;
use wasm_bindgen::prelude::*;

/// Who must act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Options,
    Picture,
    Died,
}

/// Why there is no thumbnail; JavaScript gets it as an exception.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct Trouble {
    kind: Kind,
    text: String,
}

#[wasm_bindgen]
impl Trouble {
    /// `options` (the address is wrong), `picture` (the source is) or `died` (the codec, with its instance).
    #[wasm_bindgen(getter)]
    pub fn kind(&self) -> String {
        let word = match self.kind {
            Kind::Options => "options",
            Kind::Picture => "picture",
            Kind::Died => "died",
        };
        word.to_owned()
    }

    /// One sentence, in the words of the code that refused.
    #[wasm_bindgen(getter)]
    pub fn text(&self) -> String {
        self.text.clone()
    }
}

impl Trouble {
    pub(crate) fn with_options(refusal: &Refusal) -> Trouble {
        Trouble { kind: Kind::Options, text: refusal.to_string() }
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        Trouble { kind: Kind::Picture, text: error.to_string() }
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Trouble {
        match failure {
            Failure::Core(error) => error.into(),
            Failure::NoMemory(bytes) => Trouble {
                kind: Kind::Picture,
                text: format!(
                    "this picture needs {bytes} bytes at once, and the browser has no room for them"
                ),
            },
            Failure::Died(how) => Trouble { kind: Kind::Died, text: how },
        }
    }
}
