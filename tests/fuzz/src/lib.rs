//! What the fuzz targets share: a JPEG decoded in pieces, as far as it goes.

use tintype_core::jpeg::{Decoder, Region, Scale};
use tintype_core::{Details, Error, Probe, probe};

/// The samples of a picture, its damage, and the bytes that were needed.
pub type Decoded = (Vec<Vec<u8>>, Option<Error>, u64);

/// Decodes `file`, pushed in pieces of the sizes that `size` gives. `None`: no JPEG, or one that costs more than a
/// fuzzer has time for.
pub fn decode(
    file: &[u8],
    scale: Scale,
    mut size: impl FnMut() -> usize,
    fill: u8,
) -> Option<Result<Decoded, Error>> {
    let header = match probe(file, true) {
        Ok(Probe::Ready(header)) => header,
        Ok(Probe::Need(_)) => panic!("a whole file needs no more"),
        Err(_) => return None,
    };
    let Details::Jpeg(jpeg) = header.details else { return None };
    if u64::from(header.width) * u64::from(header.height) > 1 << 18 {
        return None;
    }
    // A part of the picture for some files, all of it for others.
    let region = match file.len() % 3 {
        0 => Region { left: header.width / 3, top: header.height / 4, width: header.width / 3, height: 20 },
        _ => Region { left: 0, top: 0, width: header.width, height: header.height },
    };
    let mut decoder = Decoder::new(&jpeg, (header.width, header.height), scale, region).ok()?;
    let mut memory = vec![fill; decoder.workspace_len() + 64];
    let start = memory.as_ptr().align_offset(64);
    let workspace = &mut memory[start..][..decoder.workspace_len()];
    let mut rest = file;
    loop {
        let (piece, after) = rest.split_at(size().clamp(1, rest.len().max(1)).min(rest.len()));
        rest = after;
        match decoder.push(piece, rest.is_empty(), workspace) {
            Ok(progress) if progress.complete => break,
            Ok(_) => assert!(!rest.is_empty(), "the end was pushed and more is wanted"),
            Err(error) => return Some(Err(error)),
        }
    }
    loop {
        match decoder.render(workspace) {
            Ok(true) => break,
            Ok(false) => {}
            Err(error) => return Some(Err(error)),
        }
    }
    let planes = decoder.planes()[..jpeg.components().len()]
        .iter()
        .map(|plane| {
            let rows = workspace[plane.offset..].chunks(plane.stride).take(plane.height as usize);
            rows.flat_map(|row| &row[..plane.width as usize]).copied().collect()
        })
        .collect();
    Some(Ok((planes, decoder.damage(), decoder.bytes_used())))
}

/// The files in `seeds/`, one of each kind.
pub const SEEDS: [&[u8]; 8] = [
    include_bytes!("../seeds/420.jpg"),
    include_bytes!("../seeds/444-restarts.jpg"),
    include_bytes!("../seeds/cmyk-4x1.jpg"),
    include_bytes!("../seeds/grey.jpg"),
    include_bytes!("../seeds/optimized.jpg"),
    include_bytes!("../seeds/progressive.jpg"),
    include_bytes!("../seeds/progressive-restarts.jpg"),
    include_bytes!("../seeds/scans.jpg"),
];
