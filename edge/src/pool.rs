//! The isolate's codec instances, and the memory that all requests in work may take.
//!
//! An instance comes back only when its request ended in order. One that died, or whose request was given up, is
//! dropped; so is one that has grown large, which is the only way WebAssembly gives memory back.

use std::cell::RefCell;

use js_sys::WebAssembly::Module;
use tintype_instance::{Codec, Failure};
use tintype_request::Refusal;
use wasm_bindgen::prelude::*;

use crate::denied::Denied;

#[wasm_bindgen(raw_module = "./codec.js")]
extern "C" {
    /// The codec's compiled module.
    fn codec() -> Module;
}

/// Instances kept for later. More are made where more are needed at once.
const IDLE: usize = 4;

thread_local! {
    static POOL: RefCell<Pool> = const { RefCell::new(Pool { idle: Vec::new(), made: 0, in_work: 0 }) };
}

struct Pool {
    idle: Vec<Codec>,
    /// Instances made since the isolate started.
    made: u64,
    /// Bytes that requests in work have reserved.
    in_work: u64,
}

/// An instance from the pool, or a new one.
pub(crate) fn take() -> Result<Codec, Failure> {
    if let Some(codec) = POOL.with_borrow_mut(|pool| pool.idle.pop()) {
        return Ok(codec);
    }
    let codec = Codec::new(&codec())?;
    POOL.with_borrow_mut(|pool| pool.made += 1);
    Ok(codec)
}

/// Gives an instance back after a request that ended in order. One with more than `keep` bytes is dropped.
pub(crate) fn give(codec: Codec, keep: u64) {
    if codec.memory() <= keep && codec.reset().is_ok() {
        POOL.with_borrow_mut(|pool| {
            if pool.idle.len() < IDLE {
                pool.idle.push(codec);
            }
        });
    }
}

/// Instances made since the isolate started.
pub(crate) fn made() -> u64 {
    POOL.with_borrow(|pool| pool.made)
}

/// Memory reserved for a request, given back on drop.
#[derive(Debug)]
pub(crate) struct Share(u64);

/// Reserves memory, of `total` bytes for all. Requests cannot wait for one another here, so one that finds no
/// room is told to come again. Idle instances make room first.
pub(crate) fn reserve(bytes: u64, total: u64) -> Result<Share, Denied> {
    POOL.with_borrow_mut(|pool| {
        let free = total.saturating_sub(pool.in_work);
        if bytes > free {
            return Err(Refusal::overloaded(1).into());
        }
        let mut idle: u64 = pool.idle.iter().map(Codec::memory).sum();
        while idle > free - bytes
            && let Some(codec) = pool.idle.pop()
        {
            idle -= codec.memory();
        }
        pool.in_work += bytes;
        Ok(Share(bytes))
    })
}

impl Drop for Share {
    fn drop(&mut self) {
        POOL.with_borrow_mut(|pool| pool.in_work -= self.0);
    }
}
