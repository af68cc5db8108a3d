//! What a call's report says when it is not refused.

use tintype_core::{Header, Output, Plan};

use crate::{format_from_word, format_to_word};

/// Words of the report.
pub const REPORT_WORDS: usize = 8;

/// What `tintype_probe` found.
///
/// | word | what |
/// |---|---|
/// | 0 | format: 1 JPEG, 2 PNG, 3 WebP, 4 GIF |
/// | 1, 2 | width and height as stored |
/// | 3 | orientation, EXIF's 1 to 8 |
/// | 4 | 1: there may be transparent pixels |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probed(pub [u64; 5]);

impl Probed {
    /// The facts of a header.
    pub fn of(header: &Header) -> Probed {
        Probed([
            format_to_word(Some(header.format())),
            header.width.into(),
            header.height.into(),
            header.orientation.exif().into(),
            header.alpha.into(),
        ])
    }
}

/// What `tintype_plan` decided: the memory that the host must supply, in bytes, and what will come out.
///
/// | word | what |
/// |---|---|
/// | 0 | workspace |
/// | 1 | upper bound of what libraries allocate by themselves |
/// | 2 | output buffer |
/// | 3 | format, as in [`Probed`] |
/// | 4, 5 | width and height |
/// | 6 | 1: the source's own bytes would be a right answer |
/// | 7 | 1: width and height are exact; 0: they are upper bounds |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned(pub [u64; 8]);

impl Planned {
    /// The facts of a plan.
    pub fn of(plan: &Plan) -> Planned {
        let output = plan.output();
        Planned([
            plan.workspace_len() as u64,
            plan.heap_len() as u64,
            plan.max_output_len() as u64,
            format_to_word(Some(output.format)),
            output.width.into(),
            output.height.into(),
            plan.may_return_source().into(),
            output.exact.into(),
        ])
    }

    /// From a report's words.
    pub const fn from_words(words: &[u64; REPORT_WORDS]) -> Planned {
        Planned(*words)
    }

    /// Bytes of the workspace.
    pub const fn workspace_len(&self) -> u64 {
        self.0[0]
    }

    /// Bytes of the output buffer.
    pub const fn max_output_len(&self) -> u64 {
        self.0[2]
    }

    /// All memory the work takes: workspace, libraries' heap and output.
    pub const fn memory(&self) -> u64 {
        self.0[0].saturating_add(self.0[1]).saturating_add(self.0[2])
    }
}

/// A finished thumbnail's facts: length, width, height, format as in [`Probed`], 1 if damaged, bytes of source
/// that were needed.
pub fn output_to_words(output: &Output) -> [u64; 6] {
    [
        output.len as u64,
        output.width.into(),
        output.height.into(),
        format_to_word(Some(output.format)),
        output.damaged.into(),
        output.bytes_used,
    ]
}

/// The facts in a report after `tintype_finish`; `None` if there are none.
pub fn output_from_words(words: &[u64; REPORT_WORDS]) -> Option<Output> {
    Some(Output {
        len: words[0].try_into().ok()?,
        width: words[1].try_into().ok()?,
        height: words[2].try_into().ok()?,
        format: format_from_word(words[3])?,
        damaged: words[4] != 0,
        bytes_used: words[5],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_core::Format;

    #[test]
    fn an_output_comes_back() {
        let output =
            Output { len: 7, width: 1, height: 2, format: Format::WebP, damaged: true, bytes_used: 1 << 40 };
        let mut words = [0; REPORT_WORDS];
        words[..6].copy_from_slice(&output_to_words(&output));
        assert_eq!(output_from_words(&words), Some(output));
        words[3] = 0;
        assert_eq!(output_from_words(&words), None);
    }
}
