//! One source made into one thumbnail, in leased memory: what `tintype thumb` and the server share.
//!
//! [`plan`] decides from the source's first bytes; [`make`] does the work. Memory: the plan's workspace and
//! output as leases, beside the source that the caller holds.

use std::{
    fmt,
    time::{Duration, Instant},
};

use tintype_core::{Error, Finish, Header, Input, Limits, Output, Plan, Probe, Thumbnailer, Transform};

use crate::memory::{Lease, MemoryError, Pool};

/// Bytes read at first: enough for the headers of most photographs, EXIF thumbnail included.
const FIRST_BYTES: u64 = 64 << 10;

/// A finished thumbnail.
#[derive(Debug)]
pub(crate) struct Picture {
    /// Its bytes, no more and no less.
    pub bytes: Lease,
    /// What the core says of it.
    pub output: Output,
    /// How long it took.
    pub times: Times,
}

/// The time of each stage, told apart as the core's interface does: pushing a whole source decodes it, the last
/// step of `finish` encodes, the steps before resize.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Times {
    /// Source bytes to pixels.
    pub decode: Duration,
    /// Pixels to fewer pixels.
    pub resize: Duration,
    /// Those to the result's bytes.
    pub encode: Duration,
}

/// Why there is no thumbnail.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The source or the request, or a bug: as the core says.
    Core(Error),
    /// The operator, or the load.
    Memory(MemoryError),
    /// Nobody waits for the result any more.
    Stopped,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Core(error)
    }
}

impl From<MemoryError> for Failure {
    fn from(error: MemoryError) -> Failure {
        Failure::Memory(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Core(error) => error.fmt(f),
            Failure::Memory(error) => error.fmt(f),
            Failure::Stopped => f.write_str("stopped: nobody waits for the result any more"),
        }
    }
}

impl std::error::Error for Failure {}

/// Reads the header of a source of `len` bytes, with as few of them as it takes. `start` gives the first
/// so many bytes.
pub(crate) fn header<B, E>(
    len: u64,
    limits: &Limits,
    mut start: impl FnMut(u64) -> Result<B, E>,
) -> Result<Header, E>
where
    B: AsRef<[u8]>,
    E: From<Error>,
{
    let mut wanted = FIRST_BYTES;
    loop {
        let bytes = start(wanted.min(len))?;
        let bytes = bytes.as_ref();
        match tintype_core::probe(bytes, bytes.len() as u64 >= len)? {
            Probe::Ready(header) => return Ok(header),
            Probe::Need(needed) => {
                limits.check_header_bytes(needed)?;
                // Twice as many: a header of many small segments asks for each of them in turn.
                wanted = needed.max(wanted * 2).min(limits.header_bytes.max(needed));
            }
        }
    }
}

/// Decides what to do with a source of `len` bytes that will be pushed whole.
pub(crate) fn plan(header: &Header, len: u64, transform: &Transform, limits: &Limits) -> Result<Plan, Error> {
    Plan::new(header, transform, limits, Input { len: Some(len), contiguous: true })
}

/// Makes the thumbnail. `stop` is asked between the steps; when it says so the work ends.
pub(crate) fn make(
    plan: &Plan,
    source: &[u8],
    pool: &Pool,
    stop: impl Fn() -> bool,
) -> Result<Picture, Failure> {
    let mut times = Times::default();
    let mut workspace = pool.lease(plan.workspace_len())?;
    let mut bytes = pool.lease(plan.max_output_len())?;
    let mut thumbnailer = Thumbnailer::new(*plan);
    let mut begin = Instant::now();
    if stop() {
        return Err(Failure::Stopped);
    }
    thumbnailer.push(source, true, &mut workspace)?;
    times.decode = lap(&mut begin);
    loop {
        if stop() {
            return Err(Failure::Stopped);
        }
        match thumbnailer.finish(&mut workspace, &mut bytes)? {
            Finish::More => times.resize += lap(&mut begin),
            Finish::Done(output) => {
                times.encode = lap(&mut begin);
                bytes.truncate(output.len);
                return Ok(Picture { bytes, output, times });
            }
        }
    }
}

/// The time since `begin`, which becomes now.
fn lap(begin: &mut Instant) -> Duration {
    let now = Instant::now();
    now.duration_since(std::mem::replace(begin, now))
}
