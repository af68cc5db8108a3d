//! The smallest EXIF block that tells an orientation.

/// A little-endian TIFF with one tag, as JPEG's APP1 (after `Exif\0\0`), PNG's eXIf and WebP's EXIF hold it.
pub(crate) fn orientation(value: u8) -> Vec<u8> {
    let mut tiff = b"II\x2a\0\x08\0\0\0".to_vec(); // byte order, 42, the first directory follows at once
    tiff.extend(1_u16.to_le_bytes()); // one entry
    tiff.extend(0x0112_u16.to_le_bytes()); // Orientation
    tiff.extend(3_u16.to_le_bytes()); // SHORT
    tiff.extend(1_u32.to_le_bytes()); // one value
    tiff.extend(u32::from(value).to_le_bytes()); // in place, padded to four bytes
    tiff.extend(0_u32.to_le_bytes()); // no further directory
    tiff
}
