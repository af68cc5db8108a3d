//! One way to run the decoder.

use tintype_core::jpeg::{Decoder, Plane, Region, Scale};
use tintype_core::{Details, Error, Header, JpegHeader, Probe, probe};

/// What a decode gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decoded {
    pub(crate) planes: Vec<(Plane, Vec<u8>)>,
    pub(crate) damage: Option<Error>,
    pub(crate) bytes_used: u64,
}

impl Decoded {
    /// A component's sample.
    pub(crate) fn sample(&self, component: usize, x: usize, y: usize) -> u8 {
        let (plane, samples) = &self.planes[component];
        samples[y * plane.width as usize + x]
    }
}

/// A region that holds everything.
pub(crate) const EVERYTHING: Region = Region { left: 0, top: 0, width: u32::MAX, height: u32::MAX };

/// The header of a file.
pub(crate) fn header(file: &[u8]) -> Result<(Header, JpegHeader), Error> {
    match probe(file, true)? {
        Probe::Ready(header) => match header.details {
            Details::Jpeg(jpeg) => Ok((header, jpeg)),
            other => panic!("not a JPEG but {other:?}"),
        },
        Probe::Need(_) => panic!("a whole file needs no more"),
    }
}

/// Decodes a file in one push.
pub(crate) fn whole(file: &[u8], scale: Scale) -> Result<Decoded, Error> {
    pieces(file, scale, EVERYTHING, || usize::MAX, 0x55)
}

/// Decodes a file pushed in pieces of the sizes that `size` gives, in a workspace that holds `fill`.
pub(crate) fn pieces(
    file: &[u8],
    scale: Scale,
    region: Region,
    mut size: impl FnMut() -> usize,
    fill: u8,
) -> Result<Decoded, Error> {
    let (header, jpeg) = header(file)?;
    let mut decoder = Decoder::new(&jpeg, (header.width, header.height), scale, region)?;
    let mut memory = vec![fill; decoder.workspace_len() + 64];
    let start = memory.as_ptr().align_offset(64);
    let workspace = &mut memory[start..][..decoder.workspace_len()];
    let mut rest = file;
    loop {
        let (piece, after) = rest.split_at(size().min(rest.len()));
        rest = after;
        let progress = decoder.push(piece, rest.is_empty(), workspace)?;
        assert!(progress.consumed == piece.len() || progress.complete);
        if progress.complete {
            break;
        }
        assert!(!rest.is_empty(), "the end was pushed and more is wanted");
    }
    while !decoder.render(workspace)? {}
    let count = jpeg.components().len();
    let all = decoder.planes();
    let planes = all[..count].iter().map(|plane| {
        let rows = workspace[plane.offset..].chunks(plane.stride).take(plane.height as usize);
        (
            Plane { offset: 0, stride: 0, ..*plane },
            rows.flat_map(|row| &row[..plane.width as usize]).copied().collect(),
        )
    });
    Ok(Decoded { planes: planes.collect(), damage: decoder.damage(), bytes_used: decoder.bytes_used() })
}
