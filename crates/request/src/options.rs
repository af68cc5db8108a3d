//! The options of a thumbnail.

use crate::{AcceptClass, Refusal};
use tintype_core::{Dpr, Fit, Gravity, Transform};

/// The wanted format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FormatOption {
    /// By the client's `Accept`.
    #[default]
    Auto,
    /// WebP.
    WebP,
    /// Progressive JPEG.
    Jpeg,
    /// Baseline JPEG.
    BaselineJpeg,
    /// PNG.
    Png,
}

/// The options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// `width`.
    pub width: Option<u32>,
    /// `height`.
    pub height: Option<u32>,
    /// `dpr`.
    pub dpr: Dpr,
    /// `fit`.
    pub fit: Fit,
    /// `gravity`.
    pub gravity: Gravity,
    /// `quality`.
    pub quality: Option<u8>,
    /// `format`.
    pub format: FormatOption,
    /// `strict`.
    pub strict: bool,
}

impl Options {
    /// From keys and decoded values.
    pub fn from_pairs<'a>(
        _pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
        _max_side: u32,
    ) -> Result<(Options, Vec<String>), Refusal> {
        todo!()
    }
    /// For the core.
    pub fn transform(&self, _accept: AcceptClass) -> Transform {
        todo!()
    }
}
