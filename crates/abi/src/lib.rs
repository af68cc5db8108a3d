//! The numbers that cross the codec module's boundary, read and written in one place for both sides.
//!
//! The module's calls take and give plain numbers. What is larger lies in the module's memory as blocks of
//! little-endian `u64` words: the host writes an [`Order`] before `tintype_plan`; the module writes its
//! report, of [`REPORT_WORDS`] words, before each call returns. What the report holds follows from the call and
//! its [`Status`]:
//!
//! | call | status | words |
//! |---|---|---|
//! | `tintype_probe` | `More` | 0: bytes needed from the source's start |
//! | | `Done` | [`Probed`] |
//! | `tintype_plan` | `Done` | [`Planned`] |
//! | `tintype_push` | `More`, `Done` | 0: bytes consumed; `Done`: no further byte is needed |
//! | `tintype_finish` | `Done` | an `Output`, see [`output_to_words`] |
//! | any | `Refused` | 0 to 3: the core's error, see [`error_to_words`]; 4 and 5: where its text lies, and how long it is |
//! | any | `Misused` | nothing: the host's bug, such as a block that was never allocated |
//!
//! No heap, no I/O.

#![no_std]
#![forbid(unsafe_code)]

mod error;
mod order;
mod report;

pub use error::{ERROR_WORDS, error_from_words, error_to_words};
pub use order::{ORDER_WORDS, Order};
pub use report::{Planned, Probed, REPORT_WORDS, output_from_words, output_to_words};

/// Changes with the calls or their blocks; `tintype_abi` gives the module's.
pub const VERSION: u32 = 2;

/// Bytes of a word.
pub const WORD_BYTES: usize = 8;

/// What a call came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Status {
    /// It is done: the header is read, the plan made, the source complete, the thumbnail finished.
    Done = 0,
    /// Call again: with more bytes, or for the next stage.
    More = 1,
    /// The core refused: its error is in the report.
    Refused = 2,
    /// The host called wrongly. Nothing was changed.
    Misused = 3,
}

impl Status {
    /// The status with this number.
    pub const fn from_number(number: u32) -> Option<Status> {
        match number {
            0 => Some(Status::Done),
            1 => Some(Status::More),
            2 => Some(Status::Refused),
            3 => Some(Status::Misused),
            _ => None,
        }
    }
}

/// The word for a format; 0 is none of them.
fn format_to_word(format: Option<tintype_core::Format>) -> u64 {
    use tintype_core::Format;
    match format {
        Some(Format::Jpeg) => 1,
        Some(Format::Png) => 2,
        Some(Format::WebP) => 3,
        Some(Format::Gif) => 4,
        _ => 0,
    }
}

fn format_from_word(word: u64) -> Option<tintype_core::Format> {
    use tintype_core::Format;
    [Format::Jpeg, Format::Png, Format::WebP, Format::Gif]
        .into_iter()
        .find(|format| format_to_word(Some(*format)) == word)
}
