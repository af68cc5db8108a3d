//! The module's exports. Addresses and lengths are in bytes; what a call says is a [`Status`]'s number.
//!
//! Each name is exported unmangled, which Rust calls unsafe because two equal names would link to one. All of
//! ours begin with `tintype_` and stand in this file. Nothing else here is unsafe: the host's addresses are
//! looked up, never followed.

use std::cell::RefCell;

use tintype_abi::{Status, VERSION};

use crate::session::{Misuse, Session, Span};

thread_local! {
    /// An instance's only session. In a module there is one thread; tests have one on each of theirs.
    static SESSION: RefCell<Session> = RefCell::new(Session::new());
}

/// The version of these calls.
#[unsafe(no_mangle)]
pub extern "C" fn tintype_abi() -> u32 {
    VERSION
}

/// The address of a new block of `len` zeroed bytes, on a 64-byte boundary; 0 where memory is out.
#[unsafe(no_mangle)]
pub extern "C" fn tintype_alloc(len: usize) -> usize {
    SESSION.with_borrow_mut(|session| session.blocks.alloc(len)).unwrap_or(0)
}

/// Gives the block at this address back: `Done`, or `Misused` if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn tintype_free(block: usize) -> u32 {
    let freed = SESSION.with_borrow_mut(|session| session.blocks.free(block));
    (if freed { Status::Done } else { Status::Misused }) as u32
}

/// The address of the report, the same for as long as the instance lives.
#[unsafe(no_mangle)]
pub extern "C" fn tintype_report() -> usize {
    SESSION.with_borrow(Session::report)
}

/// Forgets the thumbnail and gives all blocks back.
#[unsafe(no_mangle)]
pub extern "C" fn tintype_reset() {
    SESSION.with_borrow_mut(Session::reset);
}

/// Reads the header from the source's first `len` bytes; `end` is 1 if they are all of it.
#[unsafe(no_mangle)]
pub extern "C" fn tintype_probe(input: usize, len: usize, end: u32) -> u32 {
    call(|session| session.probe(Span(input, len), end != 0))
}

/// Decides how the order at this address is carried out on the source that was probed.
#[unsafe(no_mangle)]
pub extern "C" fn tintype_plan(order: usize) -> u32 {
    call(|session| session.plan(order))
}

/// Takes the source's next `len` bytes; `end` is 1 if they are the last. The input may be any part of a block
/// other than the workspace's.
#[unsafe(no_mangle)]
pub extern "C" fn tintype_push(
    input: usize,
    len: usize,
    end: u32,
    workspace: usize,
    workspace_len: usize,
) -> u32 {
    call(|session| session.push(Span(input, len), end != 0, Span(workspace, workspace_len)))
}

/// Runs the next stage; after the last one the thumbnail stands at the output buffer's start.
#[unsafe(no_mangle)]
pub extern "C" fn tintype_finish(
    workspace: usize,
    workspace_len: usize,
    output: usize,
    output_len: usize,
) -> u32 {
    call(|session| session.finish(Span(workspace, workspace_len), Span(output, output_len)))
}

fn call(run: impl FnOnce(&mut Session) -> Result<Status, Misuse>) -> u32 {
    SESSION.with_borrow_mut(|session| run(session).unwrap_or(Status::Misused)) as u32
}
