//! A source's path.

use std::fmt;

/// A checked path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourcePath(String);

impl SourcePath {
    /// The decoded segments.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }
}

impl fmt::Display for SourcePath {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        todo!()
    }
}
