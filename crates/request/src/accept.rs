//! What a client can show, told by its `Accept` header.

/// The best format a client takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AcceptClass {
    /// AVIF and WebP.
    Avif,
    /// WebP.
    WebP,
    /// Neither.
    Legacy,
}

impl AcceptClass {
    /// The class of an `Accept` header.
    pub fn from_header(_accept: Option<&str>) -> AcceptClass {
        todo!()
    }
}
