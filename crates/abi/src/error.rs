//! The core's errors as words and, where they have one, a text.

use tintype_core::{Error, Limit};

use crate::{format_from_word, format_to_word};

/// Words of an error.
pub const ERROR_WORDS: usize = 4;

/// An error as words, and its text (empty where it has none).
///
/// | word 0 | 1 | 2 | 3 |
/// |---|---|---|---|
/// | 1 malformed | format | byte | |
/// | 2 truncated | format, or 0 | | |
/// | 3 unsupported | format, or 0 | | |
/// | 4 too large | limit: 1 source pixels, 2 source bytes, 3 header bytes, 4 output side, 5 memory | needed | allowed |
/// | 5 not encodable | format | | |
/// | 6 buffer too small | needed | given | |
/// | 7 misaligned | | | |
/// | 8 out of order | | | |
/// | 9 nothing left | width | height | |
/// | 0 one that this version does not know | | | |
pub fn error_to_words(error: Error) -> ([u64; ERROR_WORDS], &'static str) {
    let format = |format| format_to_word(Some(format));
    match error {
        Error::Malformed { format: of, offset, what } => ([1, format(of), offset, 0], what),
        Error::Truncated { format } => ([2, format_to_word(format), 0, 0], ""),
        Error::Unsupported { format, what } => ([3, format_to_word(format), 0, 0], what),
        Error::TooLarge { limit, needed, allowed } => ([4, limit_to_word(limit), needed, allowed], ""),
        Error::NotEncodable { format: of } => ([5, format(of), 0, 0], ""),
        Error::BufferTooSmall { needed, given } => ([6, needed as u64, given as u64, 0], ""),
        Error::Misaligned => ([7, 0, 0, 0], ""),
        Error::OutOfOrder { what } => ([8, 0, 0, 0], what),
        Error::NothingLeft { width, height } => ([9, width.into(), height.into(), 0], ""),
        _ => ([0; ERROR_WORDS], ""),
    }
}

/// The error that these words and this text are; `None` if they are none.
pub fn error_from_words(words: [u64; ERROR_WORDS], what: &'static str) -> Option<Error> {
    let [kind, a, b, c] = words;
    Some(match kind {
        1 => Error::Malformed { format: format_from_word(a)?, offset: b, what },
        2 => Error::Truncated { format: format_from_word(a) },
        3 => Error::Unsupported { format: format_from_word(a), what },
        4 => {
            let limit = LIMITS.into_iter().find(|limit| limit_to_word(*limit) == a)?;
            Error::TooLarge { limit, needed: b, allowed: c }
        }
        5 => Error::NotEncodable { format: format_from_word(a)? },
        6 => Error::BufferTooSmall { needed: a.try_into().ok()?, given: b.try_into().ok()? },
        7 => Error::Misaligned,
        8 => Error::OutOfOrder { what },
        9 => Error::NothingLeft { width: a.try_into().ok()?, height: b.try_into().ok()? },
        _ => return None,
    })
}

const LIMITS: [Limit; 5] =
    [Limit::SourcePixels, Limit::SourceBytes, Limit::HeaderBytes, Limit::OutputSide, Limit::Memory];

const fn limit_to_word(limit: Limit) -> u64 {
    match limit {
        Limit::SourcePixels => 1,
        Limit::SourceBytes => 2,
        Limit::HeaderBytes => 3,
        Limit::OutputSide => 4,
        Limit::Memory => 5,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_core::Format;

    #[test]
    fn every_error_comes_back() {
        let what = "a reason";
        let errors = [
            Error::Malformed { format: Format::Gif, offset: 1 << 40, what },
            Error::Truncated { format: Some(Format::Png) },
            Error::Truncated { format: None },
            Error::Unsupported { format: Some(Format::WebP), what },
            Error::Unsupported { format: None, what },
            Error::NotEncodable { format: Format::Jpeg },
            Error::BufferTooSmall { needed: 9, given: 8 },
            Error::Misaligned,
            Error::OutOfOrder { what },
            Error::NothingLeft { width: u32::MAX, height: 1 },
        ];
        let limits = LIMITS.map(|limit| Error::TooLarge { limit, needed: 2, allowed: 1 });
        for error in errors.into_iter().chain(limits) {
            let (words, text) = error_to_words(error);
            assert_eq!(error_from_words(words, text), Some(error));
        }
        assert_eq!(error_from_words([0; ERROR_WORDS], ""), None);
        assert_eq!(error_from_words([4, 9, 0, 0], ""), None);
    }
}
