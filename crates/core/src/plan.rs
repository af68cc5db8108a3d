//! STUB
use crate::{Error, Format, Header, Limits, Transform};

/// What a host knows of the bytes to come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// Bytes of the whole source, if known (`Content-Length`, a file's size).
    pub len: Option<u64>,
    /// All bytes come in one push. The source is then decoded where it lies instead of being collected in
    /// the workspace first; the result is the same.
    pub contiguous: bool,
}

/// What a request costs, for admission control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// 8×8 blocks to be entropy-decoded (JPEG).
    pub blocks: u64,
    /// Rows of the source to be resized.
    pub rows: u64,
    /// Samples of the source to be resized, and of the result to be encoded.
    pub samples: u64,
}

/// Format and size of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputBound {
    /// The result's format.
    pub format: Format,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// A thumbnail decided: its geometry and its memory.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    output: OutputBound,
}

#[allow(missing_docs, unused)]
impl Plan {
    pub fn new(header: &Header, transform: &Transform, limits: &Limits, input: Input) -> Result<Plan, Error> {
        todo!()
    }
    pub fn workspace_len(&self) -> usize {
        todo!()
    }
    pub fn heap_len(&self) -> usize {
        todo!()
    }
    pub fn max_output_len(&self) -> usize {
        todo!()
    }
    pub fn cost(&self) -> Cost {
        todo!()
    }
    pub fn output(&self) -> OutputBound {
        self.output
    }
    pub fn may_return_source(&self) -> bool {
        todo!()
    }
}
