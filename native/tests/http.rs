//! The cases that every build's server must pass, asked of the origin.

mod support;

use support::{Server, sample_dir};
use tintype_tests::http_cases;

#[test]
fn the_shared_cases() {
    let server = Server::start(sample_dir(), &[]);
    let report = http_cases::run(server.address);
    assert!(report.is_ok(), "{report}");
    assert!(report.passed > 0, "{report}");
}
