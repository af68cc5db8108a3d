//! EXIF's orientation tag, the only one that changes a thumbnail (CIPA DC-008, 4.6.4 A).

use crate::Orientation;

/// The orientation in a TIFF structure, as EXIF segments and chunks hold it (without JPEG's `Exif\0\0`).
///
/// Whatever is missing or broken means "upright": a picture is never refused over its metadata.
pub(crate) fn orientation(tiff: &[u8]) -> Orientation {
    read(tiff).and_then(Orientation::from_exif).unwrap_or_default()
}

/// The value of tag 0x0112 in the first image file directory, if it is one SHORT.
fn read(tiff: &[u8]) -> Option<u16> {
    const ORIENTATION: u16 = 0x0112;
    const SHORT: u16 = 3;
    const ENTRY_LEN: usize = 12; // tag, type, count, value

    let big_endian = match tiff.get(..4)? {
        b"II*\0" => false,
        b"MM\0*" => true,
        _ => return None,
    };
    let u16_at = |at: usize| {
        let bytes = tiff.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    };
    let directory = {
        let bytes = tiff.get(4..8)?.try_into().ok()?;
        (if big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }) as usize
    };
    let entries = usize::from(u16_at(directory)?);
    (0..entries)
        .map_while(|n| directory.checked_add(2 + n * ENTRY_LEN))
        .find(|&entry| u16_at(entry) == Some(ORIENTATION) && u16_at(entry + 2) == Some(SHORT))
        .and_then(|entry| u16_at(entry + 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One IFD entry: orientation, SHORT, count 1.
    const LITTLE: &[u8] = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0";
    const BIG: &[u8] = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08\0\0";

    #[test]
    fn both_byte_orders() {
        assert_eq!(orientation(LITTLE), Orientation::Rotated90);
        assert_eq!(orientation(BIG), Orientation::Rotated270);
    }

    #[test]
    fn broken_means_upright() {
        for cut in 0..20 {
            assert_eq!(orientation(&LITTLE[..cut.min(18)]), Orientation::Upright);
        }
        let mut value_nine = LITTLE.to_vec();
        value_nine[18] = 9;
        assert_eq!(orientation(&value_nine), Orientation::Upright);
        let mut far_directory = LITTLE.to_vec();
        far_directory[4..8].copy_from_slice(&[0xff; 4]);
        assert_eq!(orientation(&far_directory), Orientation::Upright);
    }
}
