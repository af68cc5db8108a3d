//! The list of HTTP cases that every door must pass (`cases/http.json`), and its runner.
//!
//! A door is a server over the folder that [`crate::samples::write_all`] fills: the origin, the edge. A case is
//! a request and what its answer must be; beside it, the rules in `invariants.rs` hold for every answer.
//! Targets go over the wire as they are written, which no HTTP library would do for `/img/../x`, so the
//! client is our own.

use std::collections::HashMap;
use std::fmt;
use std::net::SocketAddr;

mod case;
mod check;
mod client;
mod invariants;

pub use case::{Case, Door, HeaderWant, PictureWant, Status, Want};
pub use client::{Answer, Ask, ClientError, ask};

/// What came of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Cases whose answers were as wanted.
    pub passed: usize,
    /// Cases that are for another door.
    pub skipped: usize,
    /// The others.
    pub failures: Vec<Failure>,
}

/// A case whose answer was not as wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The case's name.
    pub case: String,
    /// What was asked, on one line.
    pub request: String,
    /// What was wanted and what came instead, one sentence each.
    pub problems: Vec<String>,
}

/// The cases in `cases/http.json`.
pub fn list() -> Vec<Case> {
    serde_json::from_str(include_str!("../cases/http.json")).expect("the list of cases is well-formed")
}

/// Asks everything of the origin that listens at `address`.
pub fn run(address: SocketAddr) -> Report {
    run_at(address, Door::Origin)
}

/// Asks everything of the server that listens at `address`.
pub fn run_at(address: SocketAddr, door: Door) -> Report {
    run_cases(address, door, &list())
}

/// Asks the `cases` for this door.
pub fn run_cases(address: SocketAddr, door: Door, cases: &[Case]) -> Report {
    let mut report = Report::default();
    let mut answers = HashMap::new();
    for case in cases {
        if case.door.is_some_and(|only| only != door) {
            report.skipped += 1;
            continue;
        }
        let problems = match send(address, case, &answers) {
            Ok(answer) => {
                let mut problems = check::problems(&case.want, &answer, &answers);
                problems.extend(invariants::broken(case, &answer));
                answers.insert(case.name.as_str(), answer);
                problems
            }
            Err(problem) => vec![problem],
        };
        if problems.is_empty() {
            report.passed += 1;
        } else {
            let request = format!("{} {}", case.method, case.target);
            report.failures.push(Failure { case: case.name.clone(), request, problems });
        }
    }
    report
}

/// Answers that came so far, by their cases' names.
type Answers<'a> = HashMap<&'a str, Answer>;

fn send(address: SocketAddr, case: &Case, answers: &Answers<'_>) -> Result<Answer, String> {
    let etag = match &case.etag_from {
        Some(name) => {
            let earlier = answers.get(name.as_str()).ok_or(format!("no earlier answer to {name:?}"))?;
            earlier.header("etag").ok_or(format!("the answer to {name:?} had no ETag"))?
        }
        None => "",
    };
    let headers: Vec<(&str, String)> =
        case.headers.iter().map(|(name, value)| (name.as_str(), value.replace("{etag}", etag))).collect();
    ask(address, &Ask { method: &case.method, target: &case.target, headers: &headers })
        .map_err(|error| error.to_string())
}

impl Report {
    /// Whether every case passed.
    pub fn is_ok(&self) -> bool {
        self.failures.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for failure in &self.failures {
            writeln!(f, "{}\n    {}", failure.case, failure.request)?;
            for problem in &failure.problems {
                writeln!(f, "    - {problem}")?;
            }
        }
        let (passed, failed, skipped) = (self.passed, self.failures.len(), self.skipped);
        write!(f, "HTTP cases: {passed} passed, {failed} failed, {skipped} for another door")
    }
}
