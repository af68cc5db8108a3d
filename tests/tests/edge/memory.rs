//! Memory comes back: large instances are dropped, small ones used again.

use tintype_tests::edge::Codec;

use crate::support::{Worker, large_dir, number, sample_dir};

const KEPT: u64 = 8 << 20;

/// Instances whose memory the runtime may hold at the end. It gives memory back when it collects garbage, which is
/// its own to decide; what is not dropped never comes back.
const UNCOLLECTED: u64 = 20;

#[test]
fn a_hundred_large_requests_leave_memory_where_it_was() {
    let worker = Worker::start(large_dir(), Codec::Simd, &[]);
    let mut after_some = 0;
    let mut largest = 0;
    for round in 0..100 {
        let answer = worker.get(&format!("/img/large.jpg?w={}&f=jpeg", 800 - round));
        assert_eq!(answer.status, 200, "{}", answer.text());
        let memory = number(&answer, "x-wasm-memory");
        assert!(memory > KEPT && memory < 96 << 20, "{memory}");
        largest = largest.max(memory);
        assert_eq!(number(&answer, "x-wasm-instances"), round + 1, "each is dropped");
        if round == 20 {
            after_some = worker.runtime.usage().memory;
        }
    }
    let at_end = worker.runtime.usage().memory;
    println!("instances of up to {largest} bytes; workerd {after_some} bytes after 20, {at_end} after 100");
    assert!(at_end < UNCOLLECTED * largest, "{after_some} bytes after 20, {at_end} after 100");
}

#[test]
fn small_instances_are_used_again() {
    let worker = Worker::start(sample_dir(), Codec::Simd, &[]);
    for round in 0..20 {
        let answer = worker.get(&format!("/img/folder/nested.jpg?w={}&f=jpeg", 100 + round));
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert!(number(&answer, "x-wasm-memory") <= KEPT);
        assert_eq!(number(&answer, "x-wasm-instances"), 1);
    }
    // One that is refused leaves its instance well.
    assert_eq!(worker.get("/img/broken/page.jpg?w=96").status, 415);
    assert_eq!(worker.get("/img/broken/header-only.jpg?w=96").status, 422);
    assert_eq!(number(&worker.get("/img/pixel.png"), "x-wasm-instances"), 1);
}
