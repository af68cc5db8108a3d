//! The server's own behaviour: load, faults, signals, connections. What pictures and refusals look like is in
//! the shared cases (`http.rs`).

#[path = "../support/mod.rs"]
mod support;

mod connections;
mod files;
mod load;
mod page;
