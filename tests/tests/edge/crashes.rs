//! A codec instance that dies takes its own request with it, and nothing else.

#![allow(clippy::unwrap_used, reason = "a broken test must be loud")]

use std::thread;

use tintype_tests::edge::Codec;
use tintype_tests::http_cases::Answer;

use crate::support::{Worker, get, number, sample_dir};

/// Requests at once.
const AT_ONCE: usize = 8;

const GOOD: &str = "/img/landscape.jpg?w=240&f=jpeg&q=80";

#[test]
fn a_trap_costs_one_request() {
    one_dies("/img/landscape.jpg?w=240&f=jpeg&q=13");
}

#[test]
fn memory_that_runs_out_costs_one_request() {
    one_dies("/img/landscape.jpg?w=240&f=jpeg&q=14");
}

/// Sends eight requests at once, several times, of which one makes its instance die.
fn one_dies(deadly: &str) {
    // Enough for eight at once, all with the source's pixels.
    let memory = [("MEMORY_BYTES", "120000000")];
    let worker = Worker::start(sample_dir(), Codec::Crash, &memory);
    let wanted = worker.get(GOOD);
    assert_eq!(wanted.status, 200, "{}", wanted.text());
    for victim in [0, 3, 7] {
        let answers: Vec<Answer> = thread::scope(|scope| {
            let ask = |place| {
                let target = if place == victim { deadly } else { GOOD };
                scope.spawn(|| get(worker.runtime.address, target))
            };
            let asked: Vec<_> = (0..AT_ONCE).map(ask).collect();
            asked.into_iter().map(|answer| answer.join().unwrap()).collect()
        });
        for (place, answer) in answers.iter().enumerate() {
            if place == victim {
                assert_eq!(answer.status, 500, "{}", answer.text());
                assert_eq!(answer.header("cache-control"), Some("no-store"));
            } else {
                assert_eq!((answer.status, &answer.body), (200, &wanted.body), "{}", answer.text());
            }
        }
        assert_eq!(worker.get(GOOD).body, wanted.body, "the next one is made");
    }
    // The dead ones were not used again: each death cost a new instance.
    let (before, answer) = (number(&worker.get(GOOD), "x-wasm-instances"), worker.get(deadly));
    assert_eq!(answer.status, 500);
    assert_eq!(worker.get(GOOD).body, wanted.body);
    for _ in 0..AT_ONCE {
        worker.get(deadly);
    }
    let after = number(&worker.get(GOOD), "x-wasm-instances");
    assert!(after > before, "{before} instances before, {after} after");
}
