//! The codec module from its host's side: an instance and its calls, for hosts in JavaScript.
//!
//! The Worker (`edge`) and the page (`www`) each have their own way to the compiled module; from there on they
//! share this. The numbers that cross are `tintype_abi`'s, what the module does with them `tintype_codec`'s.

#![cfg(target_arch = "wasm32")]
#![forbid(unsafe_code)]

mod codec;

pub use codec::{Block, Codec, Failure, Header, INSTANCE_BYTES, text_of};
