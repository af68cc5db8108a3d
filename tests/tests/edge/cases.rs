//! The cases that every build's server must pass, asked of the Worker.

use tintype_tests::edge::Codec;
use tintype_tests::http_cases::{self, Door};

use crate::support::{Worker, sample_dir};

#[test]
fn the_shared_cases() {
    let worker = Worker::start(sample_dir(), Codec::Simd, &[("MAX_SIDE", "8192"), ("DEBUG_HEADERS", "0")]);
    let report = http_cases::run_at(worker.runtime.address, Door::Edge);
    println!("{report}");
    assert!(report.is_ok(), "{report}");
    assert!(report.passed > 0);
}
