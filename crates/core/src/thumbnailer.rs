//! STUB
use crate::{Error, Format, Plan};
use alloc::vec::Vec;

/// What [`Thumbnailer::push`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes taken from the input; the rest must be pushed again. All of them, unless `complete`.
    pub consumed: usize,
    /// No further byte is needed: stop the download and call [`Thumbnailer::finish`].
    pub complete: bool,
}

/// What [`Thumbnailer::finish`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// One stage is done; call again.
    More,
    /// The thumbnail stands at the start of the output buffer.
    Done(Output),
}

/// A finished thumbnail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// Bytes of the output buffer it takes.
    pub len: usize,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Its format.
    pub format: Format,
    /// Whether part of the source could not be decoded.
    pub damaged: bool,
    /// Bytes of the source that were needed.
    pub bytes_used: u64,
}

/// The alignment a workspace's first byte must have.
pub const WORKSPACE_ALIGN: usize = 64;

/// One thumbnail being made.
#[derive(Debug)]
pub struct Thumbnailer {
    plan: Plan,
}

#[allow(missing_docs, unused)]
impl Thumbnailer {
    pub fn new(plan: Plan) -> Thumbnailer {
        Thumbnailer { plan }
    }
    pub fn push(&mut self, input: &[u8], end: bool, workspace: &mut [u8]) -> Result<Progress, Error> {
        todo!()
    }
    pub fn finish(&mut self, workspace: &mut [u8], output: &mut [u8]) -> Result<Finish, Error> {
        todo!()
    }
}
/// Answer of [`probe`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// Call again with at least so many bytes from the source's start.
    Need(u64),
    /// The header.
    Ready(crate::Header),
}
/// Reads a source's header from its first bytes. `end`: `input` is the whole source, so that the answer is never `Need`.
#[allow(unused)]
pub fn probe(input: &[u8], end: bool) -> Result<Probe, Error> {
    todo!()
}
/// whole
#[allow(unused)]
pub fn thumbnail(source: &[u8], transform: &crate::Transform) -> Result<Vec<u8>, Error> {
    todo!()
}
