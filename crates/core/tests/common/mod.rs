//! What the tests of this crate share: the sample pictures, aligned memory, and a host in small.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on must say so")]
#![allow(dead_code, unreachable_pub, reason = "each test binary uses its part")]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tintype_core::{
    Error, Finish, FormatChoice, Header, Input, Limits, Output, Plan, Probe, Thumbnailer, Transform,
    WORKSPACE_ALIGN, probe,
};
use tintype_tests::samples::{Sample, write_all};

/// The folder of samples, and their list.
pub fn samples() -> (&'static Path, &'static [Sample]) {
    static SAMPLES: OnceLock<(PathBuf, Vec<Sample>)> = OnceLock::new();
    let (dir, samples) = SAMPLES.get_or_init(|| {
        // A folder of this process's own: test binaries run side by side.
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("samples-{}", std::process::id()));
        let samples = write_all(&dir).unwrap();
        (dir, samples)
    });
    (dir, samples)
}

/// A sample's bytes.
pub fn sample(path: &str) -> Vec<u8> {
    std::fs::read(samples().0.join(path)).unwrap()
}

/// 240 pixels wide in the format.
pub fn thumb(format: FormatChoice) -> Transform {
    Transform { width: Some(240), format, ..Transform::default() }
}

/// Every format that is written.
pub const FORMATS: [FormatChoice; 4] =
    [FormatChoice::WebP, FormatChoice::Jpeg, FormatChoice::BaselineJpeg, FormatChoice::Png];

/// Memory whose slices start on the workspace's boundary plus an offset.
pub struct Aligned {
    bytes: Vec<u8>,
    start: usize,
    len: usize,
}

impl Aligned {
    pub fn new(len: usize, offset: usize, fill: u8) -> Aligned {
        let bytes = vec![fill; len + 2 * WORKSPACE_ALIGN];
        let start = bytes.as_ptr().align_offset(WORKSPACE_ALIGN) + offset;
        Aligned { bytes, start, len }
    }

    pub fn bytes(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..self.start + self.len]
    }
}

/// The header of a whole file.
pub fn header(source: &[u8]) -> Result<Header, Error> {
    match probe(source, true)? {
        Probe::Ready(header) => Ok(header),
        Probe::Need(len) => panic!("asked for {len} bytes of a file of {}", source.len()),
    }
}

/// How a test feeds a thumbnailer.
#[derive(Clone, Copy, Debug)]
pub struct Feed {
    pub contiguous: bool,
    pub len_known: bool,
    /// The workspace's and the output's contents before.
    pub dirt: u8,
    /// The workspace is copied elsewhere before every call.
    pub moving: bool,
}

impl Feed {
    pub const WHOLE: Feed = Feed { contiguous: true, len_known: true, dirt: 0, moving: false };
    pub const PIECES: Feed = Feed { contiguous: false, len_known: true, dirt: 0, moving: false };
}

/// Makes a thumbnail of `source`, cut into the pieces that `cut` gives the lengths of.
pub fn make(
    source: &[u8],
    transform: &Transform,
    feed: Feed,
    mut cut: impl FnMut() -> usize,
) -> Result<(Vec<u8>, Output), Error> {
    let input = Input { len: feed.len_known.then_some(source.len() as u64), contiguous: feed.contiguous };
    let limits = Limits { source_bytes: 16 << 20, ..Limits::default() };
    let plan = Plan::new(&header(source)?, transform, &limits, input)?;
    let mut workspace = Aligned::new(plan.workspace_len(), 0, feed.dirt);
    let mut output = vec![feed.dirt; plan.max_output_len()];
    let mut thumbnailer = Thumbnailer::new(plan);
    let relocate = |workspace: &mut Aligned| {
        if feed.moving {
            let mut elsewhere = Aligned::new(plan.workspace_len(), 0, !feed.dirt);
            elsewhere.bytes().copy_from_slice(workspace.bytes());
            *workspace = elsewhere;
        }
    };
    let mut at = 0;
    loop {
        relocate(&mut workspace);
        let len = cut().min(source.len() - at);
        let end = at + len == source.len();
        let progress = thumbnailer.push(&source[at..at + len], end, workspace.bytes())?;
        at += progress.consumed;
        if progress.complete {
            break;
        }
        assert_eq!(progress.consumed, len, "a push that is not the last takes all");
    }
    loop {
        relocate(&mut workspace);
        if let Finish::Done(done) = thumbnailer.finish(workspace.bytes(), &mut output)? {
            output.truncate(done.len);
            return Ok((output, done));
        }
    }
}

/// As [`make`], the whole source in one push.
pub fn make_whole(source: &[u8], transform: &Transform) -> Result<(Vec<u8>, Output), Error> {
    make(source, transform, Feed::WHOLE, || usize::MAX)
}

/// A small deterministic generator (xorshift64*).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 11) as usize % bound.max(1)
    }
}
