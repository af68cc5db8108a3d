//! Instances that die on demand, for tests of the hosts that must survive it. In no build that is shipped.
//!
//! A plan with quality [`PANIC`] panics in the next push, in the middle of the work; one with quality [`EXHAUST`]
//! takes memory until there is no more.

use std::cell::Cell;

const PANIC: u8 = 13;
const EXHAUST: u8 = 14;

thread_local! {
    static ORDERED: Cell<Option<u8>> = const { Cell::new(None) };
}

/// Notes a plan's quality.
pub(crate) fn order(quality: Option<u8>) {
    ORDERED.set(quality);
}

/// Dies if the plan says so.
pub(crate) fn now() {
    match ORDERED.take() {
        Some(PANIC) => panic!("this plan asked for it"),
        Some(EXHAUST) => {
            let mut taken = Vec::new();
            loop {
                taken.push(std::hint::black_box(vec![1_u8; 1 << 20]));
            }
        }
        _ => (),
    }
}
