//! The Worker in the runtime that Workers run on. `cargo xtask test edge` builds its modules and runs this.

mod cases;
mod crashes;
mod identity;
mod memory;
mod platform;
mod sources;
mod support;
