//! The commands that end by themselves, and how any command fails.

pub(crate) mod info;
pub(crate) mod sign;
pub(crate) mod thumb;

use std::{
    fmt,
    io::{self, Read, Write},
    path::Path,
    process::ExitCode,
};

use tintype_request::Refusal;

use crate::cli;

/// Why a command failed: one sentence for the person who typed it.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// What was typed has no meaning: exit code 2, as for clap's own errors.
    Usage(String),
    /// It could not be done: exit code 1.
    Failed(String),
}

impl CommandError {
    /// A failure to do something with a named file, or with the standard input where it stands for one.
    pub(crate) fn at(path: &Path, cause: impl fmt::Display) -> CommandError {
        CommandError::Failed(format!("{}: {cause}", name(path, "standard input")))
    }

    /// A failure to write a named file, or the standard output where it stands for one.
    fn unwritten(path: &Path, cause: &io::Error) -> CommandError {
        CommandError::Failed(format!("{}: cannot be written: {cause}", name(path, "standard output")))
    }

    /// What the process returns.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            CommandError::Usage(_) => ExitCode::from(2),
            CommandError::Failed(_) => ExitCode::FAILURE,
        }
    }
}

impl From<Refusal> for CommandError {
    fn from(refusal: Refusal) -> CommandError {
        CommandError::Usage(refusal.to_string())
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Usage(sentence) | CommandError::Failed(sentence) => f.write_str(sentence),
        }
    }
}

/// All bytes of a file, or of the standard input. More than `limit` is an error.
fn read_source(path: &Path, limit: u64) -> Result<Vec<u8>, CommandError> {
    let mut bytes = Vec::new();
    let read = if cli::is_standard(path) {
        io::stdin().lock().take(limit + 1).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| CommandError::at(path, error))?;
    if bytes.len() as u64 > limit {
        return Err(CommandError::at(path, format!("the source is over the limit of {limit} bytes")));
    }
    Ok(bytes)
}

/// Prints a line; a standard output that is full or closed is a failure like any other.
fn print_line(line: impl fmt::Display) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")
        .and_then(|()| out.flush())
        .map_err(|error| CommandError::unwritten(Path::new("-"), &error))
}

fn name(path: &Path, standard: &str) -> String {
    if cli::is_standard(path) { standard.to_owned() } else { path.display().to_string() }
}
