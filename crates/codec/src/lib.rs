//! The core as one small WebAssembly module with plain numeric exports: no bindings, no imports.
//!
//! The same file serves the Worker and the page. An instance makes one thumbnail at a time; hosts that want
//! more make more instances. What goes wrong inside one, a trap or memory that cannot be had, costs that
//! instance only.
//!
//! A host calls, in this order (see `exports.rs`; `tintype_abi` describes the blocks of words):
//!
//! 1. `tintype_alloc` for a block, and writes the source's first bytes into it
//! 2. `tintype_probe` until it says `Done`
//! 3. `tintype_plan` with an order; it tells the sizes of the workspace and the output buffer
//! 4. `tintype_alloc` for both of them
//! 5. `tintype_push` with the source's bytes until it says `Done`
//! 6. `tintype_finish` until it says `Done`; the thumbnail stands at the output buffer's start
//! 7. `tintype_reset`: the instance is as new, but for the size of its memory, which never shrinks
//!
//! Memory: a few kilobytes, the blocks that the host asked for, and what libraries allocate on the way
//! (bounded by the plan). The largest of them decides how large an instance stays.

mod blocks;
#[cfg(feature = "crash")]
mod crash;
pub mod exports;
mod session;
