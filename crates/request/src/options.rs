//! The options of a thumbnail: keys and values in, a [`Transform`] and the canonical keys and values out.

use std::collections::{BTreeMap, BTreeSet};

use tintype_core::{
    Border, Color, Dpr, Fit, FormatChoice, Gravity, Orientation, Radius, Speed, Transform, Trim,
};

use crate::canonical::{self, Pairs};
use crate::keys::{self, Availability};
use crate::reading::Reading;
use crate::values;
use crate::{AcceptClass, Refusal};

/// What a thumbnail shall be like. Sizes are CSS pixels of the upright picture.
///
/// [`Options::from_pairs`] sets what would have no effect back to its default, so that two requests for
/// the same picture are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// `width`, `w`: of the box; `None` follows from the height.
    pub width: Option<u32>,
    /// `height`, `h`: of the box; `None` follows from the width.
    pub height: Option<u32>,
    /// `dpr`: device pixels per CSS pixel.
    pub dpr: Dpr,
    /// `fit`: how the picture is laid into the box.
    pub fit: Fit,
    /// `gravity`, `g`: which part stays when `fit` crops, and where the picture lies when it pads.
    pub gravity: Gravity,
    /// `trim` and `trim.…`: what is cut off first.
    pub trim: Trim,
    /// `flip` and `rotate`: how the fitted picture is turned.
    pub turn: Orientation,
    /// `background`: under what is transparent, and around what is padded.
    pub background: Option<Color>,
    /// `border.…`: stripes around the picture.
    pub border: Border,
    /// `radius`: how corners are rounded.
    pub radius: Radius,
    /// `speed`: how much larger than the result the source is read.
    pub speed: Speed,
    /// `quality`, `q`: 1 to 100; `None` is each format's own default.
    pub quality: Option<u8>,
    /// `effort`: 0 to 6, bytes of a lossy WebP for time; `None` is the default.
    pub effort: Option<u8>,
    /// `format`, `f`.
    pub format: FormatOption,
    /// `strict`: a damaged source is an error rather than a best effort.
    pub strict: bool,
}

/// The wanted format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatOption {
    /// By what the client takes and whether the picture has alpha.
    #[default]
    Auto,
    /// WebP.
    WebP,
    /// Progressive JPEG.
    Jpeg,
    /// Baseline JPEG.
    BaselineJpeg,
    /// PNG.
    Png,
}

impl Options {
    /// Reads decoded keys and values; the longer side may have `max_side` device pixels.
    ///
    /// The last value of a key counts, whether given by its name or its alias. Also returns the keys that
    /// mean nothing, sorted, each once; `exp` and `sig` are among them, because they belong to an address.
    pub fn from_pairs<'a>(
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
        max_side: u32,
    ) -> Result<(Options, Vec<String>), Refusal> {
        let mut last = BTreeMap::new();
        let mut ignored = BTreeSet::new();
        for (key, value) in pairs {
            match keys::long_name(key).filter(|name| keys::of_address(name).is_none()) {
                Some(name) => drop(last.insert(name, value)),
                None => drop(ignored.insert(key)),
            }
        }
        let mut reading = Reading::new(max_side);
        for (name, value) in last {
            match keys::availability(name, value) {
                Availability::Read => reading.set(name, value)?,
                Availability::NoEffect => {}
                Availability::NoKey => return Err(Refusal::not_available(name)),
                Availability::NoValue => return Err(Refusal::value_not_available(name, value)),
            }
        }
        let mut options = reading.done()?;
        options.check_device_pixels(max_side)?;
        canonical::reset_what_has_no_effect(&mut options);
        let ignored = ignored.into_iter().filter(|key| !key.is_empty()).map(str::to_owned).collect();
        Ok((options, ignored))
    }

    /// What the core shall do for a client of this class.
    pub fn transform(&self, accept: AcceptClass) -> Transform {
        Transform {
            width: self.width,
            height: self.height,
            dpr: self.dpr,
            fit: self.fit,
            gravity: self.gravity,
            trim: self.trim,
            turn: self.turn,
            background: self.background,
            border: self.border,
            radius: self.radius,
            speed: self.speed,
            quality: self.quality,
            effort: self.effort,
            format: match self.format {
                FormatOption::Auto => FormatChoice::Auto { webp: accept.takes_webp() },
                FormatOption::WebP => FormatChoice::WebP,
                FormatOption::Jpeg => FormatChoice::Jpeg,
                FormatOption::BaselineJpeg => FormatChoice::BaselineJpeg,
                FormatOption::Png => FormatChoice::Png,
            },
            strict: self.strict,
        }
    }

    /// What differs from the default, by short names in their order, as it stands in an address.
    pub(crate) fn canonical_pairs(&self) -> Pairs {
        canonical::pairs(self)
    }

    fn check_device_pixels(&self, max_side: u32) -> Result<(), Refusal> {
        for (name, side) in [("width", self.width), ("height", self.height)] {
            let Some(side) = side else { continue };
            let thousandths = u32::from(self.dpr.thousandths());
            let pixels = (u64::from(side) * u64::from(thousandths) + 500) / 1000;
            if pixels > u64::from(max_side) {
                let dpr = values::decimal_text(thousandths, 3);
                let fault = format!("at dpr {dpr} is {pixels} pixels, more than the limit of {max_side}");
                return Err(Refusal::value(name, &side.to_string(), fault));
            }
        }
        Ok(())
    }
}

impl Default for Options {
    /// The picture in its own size, in the format that suits the client.
    fn default() -> Options {
        let Transform { width, height, dpr, fit, gravity, trim, turn, .. } = Transform::DEFAULT;
        let Transform { background, border, radius, speed, quality, effort, strict, .. } = Transform::DEFAULT;
        Options {
            width,
            height,
            dpr,
            fit,
            gravity,
            trim,
            turn,
            background,
            border,
            radius,
            speed,
            quality,
            effort,
            format: FormatOption::Auto,
            strict,
        }
    }
}

#[cfg(test)]
mod tests {
    use tintype_core::{FocalPoint, Length, Sides};

    use super::*;

    #[test]
    fn transforms() {
        let pairs =
            [("w", "240"), ("h", "100"), ("fit", "cover"), ("g", "0x1"), ("dpr", "1.5"), ("q", "low")];
        let (options, ignored) = Options::from_pairs(pairs, 8192).unwrap();
        assert!(ignored.is_empty());
        let expected = Transform {
            width: Some(240),
            height: Some(100),
            dpr: Dpr::from_thousandths(1500).unwrap(),
            fit: Fit::Cover,
            gravity: Gravity::Point(FocalPoint { x: 0, y: FocalPoint::ONE }),
            quality: Some(50),
            format: FormatChoice::Auto { webp: true },
            ..Transform::DEFAULT
        };
        assert_eq!(options.transform(AcceptClass::WebP), expected);
        assert_eq!(options.transform(AcceptClass::Avif), expected);
        let legacy = Transform { format: FormatChoice::Auto { webp: false }, ..expected };
        assert_eq!(options.transform(AcceptClass::Legacy), legacy);
    }

    #[test]
    fn every_readable_key_is_read() {
        let pairs = [("strict", "1"), ("f", "png"), ("h", "7"), ("exp", "1"), ("sig", "x"), ("", "")];
        let (options, ignored) = Options::from_pairs(pairs, 8192).unwrap();
        assert_eq!(ignored, ["exp", "sig"]);
        assert!(options.strict);
        assert_eq!((options.format, options.height), (FormatOption::Png, Some(7)));
    }

    /// What several keys say together.
    #[test]
    fn parts_are_put_together() {
        let read = |pairs: &[(&str, &str)]| Options::from_pairs(pairs.iter().copied(), 8192).unwrap().0;
        let options = read(&[("border.width", "3"), ("border.left", "0"), ("border.color", "#0f08")]);
        assert_eq!(options.border.widths, Sides { top: 3, right: 3, bottom: 3, left: 0 });
        assert_eq!(options.border.color, Color { red: 0, green: 255, blue: 0, alpha: 136 });
        let options = read(&[("trim.top", "5"), ("trim.width", "50%")]);
        let (left, width) = (Length::ZERO, Some(Length::Percent(5000)));
        assert_eq!(options.trim, Trim::Rectangle { left, top: Length::Pixels(5), width, height: None });
        let options = read(&[("trim.border.keep", "2"), ("trim.border.color", "white")]);
        let color = Some(Color::WHITE);
        assert_eq!(options.trim, Trim::Border { color, tolerance: Trim::TOLERANCE, keep: 2 });
        assert_eq!(read(&[("flip", "h"), ("rotate", "90")]).turn, Orientation::Transversed);
    }

    #[test]
    fn the_limit_is_in_device_pixels() {
        let read = |dpr| Options::from_pairs([("w", "4000"), ("dpr", dpr)], 8192);
        assert!(read("2.048").is_ok());
        assert_eq!(
            read("2.049").unwrap_err().to_string(),
            "width: \"4000\" at dpr 2.049 is 8196 pixels, more than the limit of 8192"
        );
        assert!(Options::from_pairs([("w", "4294967295"), ("dpr", "4")], u32::MAX).is_err());
    }
}
