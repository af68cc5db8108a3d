//! The options of a thumbnail: keys and values in, a [`Transform`] and the canonical keys and values out.

use std::collections::{BTreeMap, BTreeSet};

use tintype_core::{Dpr, Fit, FormatChoice, Gravity, Transform};

use crate::keys::{self, Availability};
use crate::values::{self, FITS, FORMATS};
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
    /// `gravity`, `g`: which part stays when `fit` crops.
    pub gravity: Gravity,
    /// `quality`, `q`: 1 to 100; `None` is each format's own default.
    pub quality: Option<u8>,
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
        let mut options = Options::default();
        for (name, value) in last {
            match keys::availability(name, value) {
                Availability::Read => options.set(name, value, max_side)?,
                Availability::NoEffect => {}
                Availability::NoKey => return Err(Refusal::not_available(name)),
                Availability::NoValue => return Err(Refusal::value_not_available(name, value)),
            }
        }
        options.check_device_pixels(max_side)?;
        options.reset_what_has_no_effect();
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
            quality: self.quality,
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

    /// What differs from the default, by short names in their order. No value needs percent-encoding.
    pub(crate) fn canonical_pairs(&self) -> BTreeMap<&'static str, String> {
        let default = Options::default();
        let mut pairs = BTreeMap::new();
        if self.dpr != default.dpr {
            pairs.insert("dpr", values::decimal_text(self.dpr.thousandths().into(), 3));
        }
        if self.format != default.format {
            pairs.extend(values::word_for(FORMATS, &self.format).map(|word| ("f", word.to_owned())));
        }
        if self.fit != default.fit {
            pairs.extend(values::word_for(FITS, &self.fit).map(|word| ("fit", word.to_owned())));
        }
        if self.gravity != default.gravity {
            pairs.insert("g", values::gravity_text(self.gravity));
        }
        pairs.extend(self.height.map(|height| ("h", height.to_string())));
        // Even a format's own default stays: with `f=auto` it sets the others' too.
        pairs.extend(self.quality.map(|quality| ("q", quality.to_string())));
        if self.strict {
            pairs.insert("strict", "1".to_owned());
        }
        pairs.extend(self.width.map(|width| ("w", width.to_string())));
        pairs
    }

    /// Reads the value of one key, given by its long name.
    fn set(&mut self, name: &'static str, value: &str, max_side: u32) -> Result<(), Refusal> {
        match name {
            "width" => self.width = Some(side(name, value, max_side)?),
            "height" => self.height = Some(side(name, value, max_side)?),
            "fit" => {
                let fault = values::not_one_of(FITS);
                self.fit = values::word(FITS, value).ok_or_else(|| Refusal::value(name, value, fault))?;
            }
            "gravity" => {
                let fault = "is not left, right, top, bottom, center, a corner such as top-left, or \
                             two fractions from 0 to 1 such as 0.5x0.25";
                self.gravity = values::gravity(value).ok_or_else(|| Refusal::value(name, value, fault))?;
            }
            "dpr" => {
                let dpr = values::decimal(value, 3).and_then(|value| value.try_into().ok());
                self.dpr = dpr
                    .and_then(Dpr::from_thousandths)
                    .ok_or_else(|| Refusal::value(name, value, "is not a number from 1 to 4"))?;
            }
            "quality" => {
                let fault = "is not a whole number from 1 to 100, low, medium-low, medium-high or high";
                let quality = values::quality(value).ok_or_else(|| Refusal::value(name, value, fault))?;
                self.quality = Some(quality);
            }
            "format" => {
                let fault = values::not_one_of(FORMATS);
                self.format =
                    values::word(FORMATS, value).ok_or_else(|| Refusal::value(name, value, fault))?;
            }
            "strict" if value == "1" => self.strict = true,
            "strict" => return Err(Refusal::value(name, value, "is not 1")),
            // A key whose line was removed from the table of what is to come, and nothing put here.
            _ => return Err(Refusal::not_available(name)),
        }
        Ok(())
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

    fn reset_what_has_no_effect(&mut self) {
        let default = Options::default();
        match (self.width, self.height) {
            // Without a box, nothing is fitted or multiplied.
            (None, None) => (self.fit, self.dpr) = (default.fit, default.dpr),
            (Some(_), Some(_)) => {}
            // A box with the picture's own aspect ratio: filling it and lying inside it are the same.
            _ if self.fit == Fit::Cover => self.fit = Fit::Contain,
            _ => {}
        }
        if self.fit != Fit::Cover {
            self.gravity = default.gravity;
        }
    }
}

impl Default for Options {
    /// The picture in its own size, in the format that suits the client.
    fn default() -> Options {
        let Transform { width, height, dpr, fit, gravity, quality, strict, .. } = Transform::default();
        Options { width, height, dpr, fit, gravity, quality, format: FormatOption::Auto, strict }
    }
}

fn side(name: &'static str, value: &str, max_side: u32) -> Result<u32, Refusal> {
    values::whole(value)
        .and_then(|side| u32::try_from(side).ok())
        .filter(|side| (1..=max_side).contains(side))
        .ok_or_else(|| Refusal::value(name, value, format!("is not a whole number from 1 to {max_side}")))
}

#[cfg(test)]
mod tests {
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
            gravity: Gravity { x: 0, y: Gravity::ONE },
            quality: Some(50),
            format: FormatChoice::Auto { webp: true },
            strict: false,
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
