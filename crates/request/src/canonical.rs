//! Options into their one text: what would have no effect is set back to its default, what can be said in several
//! ways is said in one.

use std::collections::BTreeMap;

use tintype_core::{Border, Fit, Gravity, Length, Radius, Sides, Speed, Transform, Trim};

use crate::colors::color_text;
use crate::values::{self, FITS, FORMATS};
use crate::{FormatOption, Options};

/// Keys and values as they stand in an address, by short names in their order.
pub(crate) type Pairs = BTreeMap<&'static str, String>;

/// Sets back what has no effect, so that two requests for the same picture are equal.
pub(crate) fn reset_what_has_no_effect(options: &mut Options) {
    let default = Options::default();
    options.trim = plain_trim(options.trim);
    options.border = if options.border.widths == Sides::default() { default.border } else { options.border };
    // What is transparent throughout is the default.
    options.background = options.background.filter(|color| color.alpha > 0);
    let has_box = options.width.is_some() || options.height.is_some();
    options.fit = match (options.fit, options.width, options.height) {
        // Without a box, nothing is fitted.
        (_, None, None) => default.fit,
        (fit, Some(_), Some(_)) => fit,
        // A box of the picture's own shape: filling it and lying inside it are the same.
        (Fit::Cover | Fit::Pad | Fit::Squeeze, ..) => Fit::Contain,
        (Fit::Crop | Fit::AspectCrop, ..) => Fit::ScaleDown,
        (fit, ..) => fit,
    };
    options.gravity = match (options.fit, options.gravity) {
        // What is padded is not cropped, so there is nothing to look for.
        (Fit::Pad, Gravity::Auto) => default.gravity,
        (Fit::Cover | Fit::Crop | Fit::AspectCrop | Fit::Pad, gravity) => gravity,
        _ => default.gravity,
    };
    // Only a lossy WebP can be made with more or less of it; the default is what all are made with.
    let lossy_webp =
        matches!(options.format, FormatOption::Auto | FormatOption::WebP) && options.quality != Some(100);
    options.effort = options.effort.filter(|&effort| lossy_webp && effort != Transform::DEFAULT_EFFORT);
    if !has_box {
        options.speed = default.speed;
    }
    if !has_box && !has_pixels(options) {
        options.dpr = default.dpr;
    }
}

/// Whether anything besides the box is given in pixels, for `dpr` to multiply.
fn has_pixels(options: &Options) -> bool {
    let is_pixels = |length: &Length| matches!(length, Length::Pixels(1..));
    let trimmed = match options.trim {
        Trim::Sides(Sides { top, right, bottom, left }) => [top, right, bottom, left].iter().any(is_pixels),
        Trim::Rectangle { left, top, width, height } => {
            [Some(left), Some(top), width, height].iter().flatten().any(is_pixels)
        }
        Trim::Border { keep, .. } => keep > 0,
        _ => false,
    };
    trimmed || options.border != Border::NONE || matches!(options.radius, Radius::Pixels(1..))
}

/// A rectangle that reaches to the right and bottom edges is said by its sides; nothing is not said.
fn plain_trim(trim: Trim) -> Trim {
    let sides = match trim {
        Trim::Sides(sides) => sides,
        Trim::Rectangle { left, top, width: None, height: None } => {
            Sides { top, left, right: Length::ZERO, bottom: Length::ZERO }
        }
        trim => return trim,
    };
    let nothing = Sides { top: Length::ZERO, right: Length::ZERO, bottom: Length::ZERO, left: Length::ZERO };
    if sides == nothing { Trim::None } else { Trim::Sides(sides) }
}

/// What differs from the default.
pub(crate) fn pairs(options: &Options) -> Pairs {
    let default = Options::default();
    let mut pairs = Pairs::new();
    pairs.extend(options.background.map(|color| ("background", color_text(color))));
    border_pairs(options.border, &mut pairs);
    if options.dpr != default.dpr {
        pairs.insert("dpr", values::decimal_text(options.dpr.thousandths().into(), 3));
    }
    pairs.extend(options.effort.map(|effort| ("effort", effort.to_string())));
    if options.format != default.format {
        pairs.extend(values::word_for(FORMATS, &options.format).map(|word| ("f", word.to_owned())));
    }
    if options.fit != default.fit {
        pairs.extend(values::word_for(FITS, &options.fit).map(|word| ("fit", word.to_owned())));
    }
    if options.gravity != default.gravity {
        pairs.extend(values::gravity_text(options.gravity).map(|text| ("g", text)));
    }
    pairs.extend(options.height.map(|height| ("h", height.to_string())));
    // Even a format's own default stays: with `f=auto` it sets the others' too.
    pairs.extend(options.quality.map(|quality| ("q", quality.to_string())));
    match options.radius {
        Radius::NONE => {}
        Radius::Pixels(radius) => drop(pairs.insert("radius", radius.to_string())),
        Radius::Max => drop(pairs.insert("radius", "max".to_owned())),
    }
    if options.speed == Speed::Fast {
        pairs.insert("speed", "fast".to_owned());
    }
    if options.strict {
        pairs.insert("strict", "1".to_owned());
    }
    trim_pairs(options.trim, &mut pairs);
    let (flip, rotate) = values::turn_texts(options.turn);
    pairs.extend(flip.map(|flip| ("flip", flip.to_owned())));
    pairs.extend(rotate.map(|rotate| ("rotate", rotate.to_owned())));
    pairs.extend(options.width.map(|width| ("w", width.to_string())));
    pairs
}

fn border_pairs(border: Border, pairs: &mut Pairs) {
    if border == Border::NONE {
        return;
    }
    let Sides { top, right, bottom, left } = border.widths;
    if border.color != Border::NONE.color {
        pairs.insert("border.color", color_text(border.color));
    }
    if [right, bottom, left] == [top; 3] {
        pairs.insert("border.width", top.to_string());
        return;
    }
    for (key, width) in
        [("border.top", top), ("border.right", right), ("border.bottom", bottom), ("border.left", left)]
    {
        if width > 0 {
            pairs.insert(key, width.to_string());
        }
    }
}

fn trim_pairs(trim: Trim, pairs: &mut Pairs) {
    match trim {
        Trim::Sides(Sides { top, right, bottom, left }) => {
            let texts = [top, right, bottom, left].map(values::length_text);
            pairs.insert("trim", texts.join(";"));
        }
        Trim::Rectangle { left, top, width, height } => {
            let some = |length: Length| Some(length).filter(|length| *length != Length::ZERO);
            for (key, length) in [
                ("trim.left", some(left)),
                ("trim.top", some(top)),
                ("trim.width", width),
                ("trim.height", height),
            ] {
                pairs.extend(length.map(|length| (key, values::length_text(length))));
            }
        }
        Trim::Border { color, tolerance, keep } => {
            pairs.insert("trim", "border".to_owned());
            pairs.extend(color.map(|color| ("trim.border.color", color_text(color))));
            if tolerance != Trim::TOLERANCE {
                pairs.insert("trim.border.tolerance", tolerance.to_string());
            }
            if keep > 0 {
                pairs.insert("trim.border.keep", keep.to_string());
            }
        }
        _ => {}
    }
}
