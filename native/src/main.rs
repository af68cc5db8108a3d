//! Tintype's origin server and command line.

#![deny(unsafe_code)]

mod cli;
mod commands;
mod memory;
mod picture;
mod serve;
mod size;
mod source;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let result = match cli::Cli::parse().command {
        cli::Command::Serve(arguments) => serve::run(&arguments),
        cli::Command::Thumb(arguments) => commands::thumb::run(&arguments),
        cli::Command::Info(arguments) => commands::info::run(&arguments),
        cli::Command::Sign(arguments) => commands::sign::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("tintype: {failure}");
            failure.exit_code()
        }
    }
}
