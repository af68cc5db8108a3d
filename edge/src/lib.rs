//! The Cloudflare Worker: a request's way from its URL to its answer, around instances of the codec module.
//!
//! 1. Parse (the request crate); nothing is touched for a request that has no meaning.
//! 2. Look into the cache (`cache.rs`).
//! 3. Open the source, an R2 bucket or an HTTP origin, and read its facts (`source.rs`); the `ETag` follows, and 304
//!    is answered if the client has it, before a byte of the body is read.
//! 4. Push the body's chunks into an instance of the codec as they arrive, and stop the download when no more
//!    is needed (`picture.rs`).
//! 5. Answer, and store the answer for others.
//!
//! Memory: this module holds no picture. Chunks go from JavaScript's memory to the codec instance's, the result
//! back; what both take together is bounded by `pool.rs`.

#![cfg(target_arch = "wasm32")]

mod answer;
mod cache;
mod denied;
mod door;
mod picture;
mod pool;
mod settings;
mod source;
