//! A source's chunks through one codec instance: download in, picture out.
//!
//! Memory in the instance: the source's first bytes until its header is read, then the plan's workspace, a block
//! for one piece of a chunk, and at the end the output.

use js_sys::Uint8Array;
use tintype_abi::{Order, Planned};
use tintype_core::{Input, Limits, Output, Transform};
use tintype_instance::{Block, Codec, Failure, Header};

use crate::denied::Denied;
use crate::pool::{self, Share};
use crate::settings::Settings;
use crate::source::Download;

/// Bytes of a chunk that are pushed at once.
const PIECE: u32 = 64 << 10;

/// A finished thumbnail.
#[derive(Debug)]
pub(crate) struct Picture {
    /// Its bytes.
    pub(crate) bytes: Uint8Array,
    /// What the core says of it.
    pub(crate) output: Output,
    /// Bytes of memory that the instance had at the end.
    pub(crate) memory: u64,
}

/// Makes the thumbnail. The download is stopped when no more of it is needed, and when this future is dropped.
pub(crate) async fn make(
    download: Download,
    len: Option<u64>,
    transform: &Transform,
    settings: &Settings,
) -> Result<Picture, Denied> {
    let codec = pool::take()?;
    let made = Work { codec: &codec, download, settings }.run(len, transform).await;
    match &made {
        // Its state is unknown: nobody gets it again.
        Err(Stop::Failed(Failure::Died(_))) => drop(codec),
        _ => pool::give(codec, settings.keep),
    }
    made.map_err(|stop| match stop {
        Stop::Failed(failure) => failure.into(),
        Stop::Denied(denied) => denied,
    })
}

/// Why the work ended early.
enum Stop {
    Failed(Failure),
    Denied(Denied),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failed(failure)
    }
}

impl From<Denied> for Stop {
    fn from(denied: Denied) -> Stop {
        Stop::Denied(denied)
    }
}

struct Work<'a> {
    codec: &'a Codec,
    download: Download,
    settings: &'a Settings,
}

/// The source's first bytes, in a block.
struct Start {
    block: Block,
    len: u32,
    /// They are the whole source.
    whole: bool,
}

impl Work<'_> {
    async fn run(mut self, len: Option<u64>, transform: &Transform) -> Result<Picture, Stop> {
        let limits = self.settings.limits;
        let start = self.header(&limits).await?;
        let input = Input { len, contiguous: false };
        let planned = self.codec.plan(&Order { transform: *transform, limits, input })?;
        let _share: Share = pool::reserve(planned.memory(), self.settings.memory)?;
        let workspace = self.codec.alloc(planned.workspace_len())?;
        let complete = self.codec.push(start.block, start.len, start.whole, workspace)?;
        self.codec.free(start.block)?;
        if !complete {
            self.body(workspace).await?;
        }
        let codec = self.codec;
        drop(self);
        Ok(finish(codec, workspace, planned)?)
    }

    /// Reads until the header is known.
    async fn header(&mut self, limits: &Limits) -> Result<Start, Stop> {
        let mut chunks: Vec<Uint8Array> = Vec::new();
        let (mut len, mut wanted) = (0_u64, 1);
        loop {
            let mut whole = false;
            while len < wanted && !whole {
                match self.download.next().await? {
                    Some(chunk) => {
                        len += u64::from(chunk.length());
                        chunks.push(chunk);
                    }
                    None => whole = true,
                }
            }
            let block = self.codec.alloc(len)?;
            let mut at = 0;
            for chunk in &chunks {
                self.codec.write(block, at, chunk)?;
                at += chunk.length();
            }
            let needed = match self.codec.probe(block, at, whole)? {
                Header::Known(_) => return Ok(Start { block, len: at, whole }),
                Header::Need(bytes) => bytes,
            };
            limits.check_header_bytes(needed).map_err(Failure::Core)?;
            self.codec.free(block)?;
            // Twice as many: a header of many small segments asks for each of them in turn.
            wanted = needed.max(len * 2).min(limits.header_bytes.max(needed));
        }
    }

    /// Pushes the rest, piece by piece.
    async fn body(&mut self, workspace: Block) -> Result<(), Stop> {
        let input = self.codec.alloc(PIECE.into())?;
        while let Some(chunk) = self.download.next().await? {
            let mut at = 0;
            while at < chunk.length() {
                let end = chunk.length().min(at + PIECE);
                self.codec.write(input, 0, &chunk.subarray(at, end))?;
                if self.codec.push(input, end - at, false, workspace)? {
                    return Ok(());
                }
                at = end;
            }
        }
        self.codec.push(input, 0, true, workspace)?;
        Ok(())
    }
}

fn finish(codec: &Codec, workspace: Block, planned: Planned) -> Result<Picture, Failure> {
    let block = codec.alloc(planned.max_output_len())?;
    loop {
        if let Some(output) = codec.finish(workspace, block)? {
            let bytes = codec.read(block, output.len);
            return Ok(Picture { bytes, output, memory: codec.memory() });
        }
    }
}
