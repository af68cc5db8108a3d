//! How much a picture looks like another: SSIMULACRA2, 100 for the same and about 80 for what the eye cannot
//! tell apart at a distance.

use ssimulacra2::{ColorPrimaries, TransferCharacteristic, compute_frame_ssimulacra2};

use crate::Result;
use crate::picture::Rgb;

/// The score of `made` against `reference`, which has the same size.
pub(crate) fn score(reference: &Rgb, made: &Rgb) -> Result<f64> {
    if (reference.width, reference.height) != (made.width, made.height) {
        let (want, got) = ((reference.width, reference.height), (made.width, made.height));
        return Err(format!("a thumbnail has {got:?} pixels where {want:?} were asked for").into());
    }
    Ok(compute_frame_ssimulacra2(linear(reference)?, linear(made)?)?)
}

fn linear(picture: &Rgb) -> Result<ssimulacra2::Rgb> {
    let pixels = picture.pixels.as_chunks::<3>().0;
    let pixels = pixels.iter().map(|pixel| pixel.map(|sample| f32::from(sample) / 255.0)).collect();
    let (transfer, primaries) = (TransferCharacteristic::SRGB, ColorPrimaries::BT709);
    Ok(ssimulacra2::Rgb::new(pixels, picture.width, picture.height, transfer, primaries)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_is_100_and_damage_lowers_it() {
        let pixels: Vec<u8> = (0..64 * 64 * 3_u32).map(|n| (n / 7 % 200) as u8).collect();
        let picture = Rgb { width: 64, height: 64, pixels };
        assert!((score(&picture, &picture).unwrap() - 100.0).abs() < 1e-6);
        let mut damaged = picture.clone();
        for sample in damaged.pixels.iter_mut().step_by(5) {
            *sample ^= 0x18;
        }
        assert!(score(&picture, &damaged).unwrap() < 90.0);
        let smaller = picture.resized(32, 32).unwrap();
        assert!(score(&picture, &smaller).unwrap_err().to_string().contains("(32, 32)"));
    }
}
