//! Files that are damaged, hostile, or not what their name says.

use jpeg_encoder::ColorType;

use super::jpeg::{self, Options, frame_header};
use super::{noise, png, zeros};

/// Good files that broken ones are made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Material<'a> {
    pub(crate) jpeg: &'a [u8],
    pub(crate) progressive: &'a [u8],
    pub(crate) png: &'a [u8],
    pub(crate) gif: &'a [u8],
    pub(crate) webp: &'a [u8],
}

/// A broken file: its path, and how it is made.
pub(crate) type Entry = (&'static str, fn(Material<'_>) -> Vec<u8>);

/// All of them.
pub(crate) const ENTRIES: [Entry; 24] = [
    ("broken/truncated.jpg", |from| most_of(from.jpeg)),
    ("broken/truncated-progressive.jpg", |from| most_of(from.progressive)),
    ("broken/truncated.png", |from| most_of(from.png)),
    ("broken/truncated.gif", |from| most_of(from.gif)),
    ("broken/cut.webp", |from| most_of(from.webp)),
    ("broken/header-only.jpg", |from| from.jpeg[..100].to_vec()),
    ("broken/damaged.jpg", |from| overwritten(from.jpeg)),
    ("broken/no-eoi.jpg", |_| without_end(small_jpeg())),
    ("broken/tail.jpg", |_| [small_jpeg(), noise_bytes(3000, 1003)].concat()),
    ("broken/arithmetic.jpg", |_| patched(|frame| frame[1] = 0xc9)),
    ("broken/lossless.jpg", |_| patched(|frame| frame[1] = 0xc3)),
    // Extended sequential: the only process that allows 12 bits and still is Huffman-coded.
    ("broken/twelve-bit.jpg", |_| patched(|frame| (frame[1], frame[4]) = (0xc1, 12))),
    ("broken/lottapixel.jpg", |_| patched(|frame| frame[5..9].copy_from_slice(&[0xff, 0xdc, 0xff, 0xdc]))),
    ("broken/bad-crc.png", |from| bad_checksum(from.png)),
    ("broken/bomb.png", |_| bomb((60_000, 60_000), 4 << 20)),
    ("broken/deep-bomb.png", |_| bomb((9_000, 9_000), (1 + 9_000 * 3) * 9_000)),
    ("broken/bomb-text.png", |_| text_bomb()),
    ("broken/empty.jpg", |_| Vec::new()),
    ("broken/noise.jpg", |_| noise_bytes(20_000, 1001)),
    ("broken/page.jpg", |_| PAGE.into()),
    ("broken/text.png", |_| b"This is not a picture.\n".to_vec()),
    ("broken/vector.svg", |_| VECTOR.into()),
    ("broken/avif.jpg", |_| avif()),
    ("broken/picture.bmp", |_| bitmap()),
];

const PAGE: &str = "<!DOCTYPE html>\n<html lang=\"en\"><head><title>404 Not Found</title></head>\n\
    <body><h1>Not Found</h1><p>The page that a picture's address led to.</p></body></html>\n";
const VECTOR: &str = "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 30 20\">\
    <rect width=\"30\" height=\"20\" fill=\"#c8553d\"/></svg>\n";

/// The first 60 % of a file.
fn most_of(file: &[u8]) -> Vec<u8> {
    file[..file.len() * 6 / 10].to_vec()
}

/// 64 bytes in the middle of the scan replaced: no `FF`, so that no marker comes into being.
fn overwritten(file: &[u8]) -> Vec<u8> {
    let mut damaged = file.to_vec();
    let middle = damaged.len() / 2;
    for (i, byte) in damaged[middle..middle + 64].iter_mut().enumerate() {
        *byte = (noise::hash(i as i32, 0, 1005) % 255) as u8;
    }
    damaged
}

/// A picture of 48×32 pixels in about a kilobyte.
fn small_jpeg() -> Vec<u8> {
    let (width, height) = (48, 32);
    let pixels: Vec<u8> =
        (0..width * height).flat_map(|i| [(i % width * 5) as u8, (i / width * 8) as u8, 120]).collect();
    jpeg::encode(&pixels, (width, height), ColorType::Rgb, 80, Options::default())
}

/// The small JPEG with something changed in its frame header.
fn patched(change: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let mut file = small_jpeg();
    let frame = frame_header(&file);
    change(&mut file[frame..]);
    file
}

/// A JPEG without its last marker.
fn without_end(mut file: Vec<u8>) -> Vec<u8> {
    file.truncate(file.len() - 2);
    file
}

/// A PNG whose first IDAT's checksum is wrong.
fn bad_checksum(file: &[u8]) -> Vec<u8> {
    let mut bad = file.to_vec();
    let name = bad.windows(4).position(|window| window == b"IDAT").expect("every PNG has one");
    let length = u32::from_be_bytes([bad[name - 4], bad[name - 3], bad[name - 2], bad[name - 1]]);
    bad[name + 4 + length as usize] ^= 0x55;
    bad
}

/// A PNG that states this size in 8-bit RGB and holds `len` zeros of it.
fn bomb(size: (u32, u32), len: usize) -> Vec<u8> {
    png::assemble(&[
        (*b"IHDR", png::ihdr(size, 8, 2, false)),
        (*b"IDAT", zeros::zlib(len)),
        (*b"IEND", Vec::new()),
    ])
}

/// A picture of 16×16 pixels with a compressed comment of 200 MB.
fn text_bomb() -> Vec<u8> {
    let comment = [b"Comment\0\0".as_slice(), &zeros::zlib(200_000_000)].concat();
    png::assemble(&[
        (*b"IHDR", png::ihdr((16, 16), 8, 2, false)),
        (*b"zTXt", comment),
        (*b"IDAT", zeros::zlib((1 + 16 * 3) * 16)),
        (*b"IEND", Vec::new()),
    ])
}

fn noise_bytes(len: usize, seed: u32) -> Vec<u8> {
    (0..len).map(|i| noise::hash(i as i32, 7, seed) as u8).collect()
}

/// The first box of an AVIF file, and a little that is not its second.
fn avif() -> Vec<u8> {
    let mut file = 28_u32.to_be_bytes().to_vec();
    file.extend(b"ftypavif\0\0\0\0avifmif1miaf");
    file.extend(noise_bytes(500, 1002));
    file
}

/// A valid uncompressed bitmap, 16×16 in 24 bits: a picture, of a kind that is not read.
fn bitmap() -> Vec<u8> {
    let (side, header) = (16_u32, 54_u32);
    let body = side * side * 3;
    let mut file = b"BM".to_vec();
    for word in [header + body, 0, header, 40, side, side, 1 | 24 << 16, 0, body, 2835, 2835, 0, 0] {
        file.extend(word.to_le_bytes());
    }
    file.extend((0..body).map(|i| (i / 3 % side * 16) as u8));
    file
}
