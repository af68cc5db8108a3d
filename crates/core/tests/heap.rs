//! What the libraries allocate stays under `Plan::heap_len`, for every sample and every format.
//!
//! A counting allocator measures it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on must say so")]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use common::{Aligned, FORMATS, header, sample, samples, thumb};
use tintype_core::{
    Border, Finish, Fit, Gravity, Input, Limits, Plan, Radius, Sides, Speed, Thumbnailer, Transform, Trim,
};

struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed to the system's allocator unchanged; counting touches no memory of its own.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        PEAK.fetch_max(LIVE.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise, passed on.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most that one thumbnail allocated beyond what stood before it, and what its plan stated.
fn measure(source: &[u8], transform: &Transform) -> Option<(usize, usize)> {
    let input = Input { len: Some(source.len() as u64), contiguous: true };
    let plan = Plan::new(&header(source).ok()?, transform, &Limits::default(), input).ok()?;
    let mut workspace = Aligned::new(plan.workspace_len(), 0, 0);
    let mut output = vec![0; plan.max_output_len()];
    let before = LIVE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let mut thumbnailer = Thumbnailer::new(plan);
    if thumbnailer.push(source, true, workspace.bytes()).is_ok() {
        while let Ok(Finish::More) = thumbnailer.finish(workspace.bytes(), &mut output) {}
    }
    Some((PEAK.load(Relaxed) - before, plan.heap_len()))
}

// One test, so that no other thread allocates meanwhile.
#[test]
fn heap_stays_within_the_plan() {
    let mut over = Vec::new();
    let mut any_near = false;
    for file in samples().1 {
        let source = sample(file.path);
        let found = Trim::Border { color: None, tolerance: 9, keep: 0 };
        let side = Some(200);
        let extras = |format| Transform {
            height: side,
            fit: Fit::Pad,
            border: Border { widths: Sides { top: 40, ..Sides::default() }, ..Border::NONE },
            radius: Radius::Max,
            speed: Speed::Fast,
            ..thumb(format)
        };
        let sizes = [
            FORMATS.map(thumb),
            FORMATS.map(|format| Transform { format, ..Transform::default() }),
            FORMATS.map(|format| Transform { width: Some(700), ..thumb(format) }),
            FORMATS.map(|format| Transform { trim: found, gravity: Gravity::Auto, ..extras(format) }),
            FORMATS.map(extras),
        ];
        for transform in sizes.into_iter().flatten() {
            if let Some((used, stated)) = measure(&source, &transform) {
                any_near |= used * 2 > stated;
                if used > stated {
                    let (width, format) = (transform.width, transform.format);
                    over.push(format!("{}: {used} of {stated} ({width:?}, {format:?})", file.path));
                }
            }
        }
    }
    assert!(over.is_empty(), "over what the plan stated: {over:#?}");
    assert!(any_near, "the bounds are idle: no thumbnail used half of its own");
}
