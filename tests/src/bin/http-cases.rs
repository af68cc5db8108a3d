//! `http-cases ADDRESS`: asks the origin at an address everything in `cases/http.json`. The origin must serve
//! the folder that `samples DIR` fills.

use std::process::ExitCode;

use tintype_tests::http_cases;

fn main() -> ExitCode {
    let Some(address) = std::env::args().nth(1).and_then(|text| text.parse().ok()) else {
        eprintln!("usage: http-cases ADDRESS, such as 127.0.0.1:8080");
        return ExitCode::from(2);
    };
    let report = http_cases::run(address);
    println!("{report}");
    if report.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
