//! Keys and values one by one into options: what several keys say together is put together at the end.

use tintype_core::{Border, Color, Dpr, Length, Orientation, Sides, Speed, Trim};

use crate::colors::{self, NO_COLOR};
use crate::values::{self, FITS, FLIPS, FORMATS, ROTATIONS};
use crate::{Options, Refusal};

/// Options being read.
pub(crate) struct Reading {
    options: Options,
    /// The longest side, in device pixels; no width in CSS pixels is larger.
    max_side: u32,
    flip: Orientation,
    rotation: Orientation,
    trim: TrimParts,
    border: BorderParts,
}

/// What says how much is cut off, by key.
#[derive(Default)]
struct TrimParts {
    /// `trim`: four sides, or `border`.
    whole: Option<Trim>,
    left: Option<Length>,
    top: Option<Length>,
    width: Option<Length>,
    height: Option<Length>,
    color: Option<Color>,
    tolerance: Option<u8>,
    keep: Option<u32>,
    /// The last key read of a rectangle, and of a border, with its value.
    rectangle_key: Option<(&'static str, String)>,
    border_key: Option<(&'static str, String)>,
}

#[derive(Default)]
struct BorderParts {
    color: Option<Color>,
    width: Option<u32>,
    sides: Sides<Option<u32>>,
}

const NO_LENGTH: &str = "is not a whole number of pixels from 0 to 65535 or a percentage up to 100%";

impl Reading {
    pub(crate) fn new(max_side: u32) -> Reading {
        Reading {
            options: Options::default(),
            max_side,
            flip: Orientation::Upright,
            rotation: Orientation::Upright,
            trim: TrimParts::default(),
            border: BorderParts::default(),
        }
    }

    /// Reads the value of one key, given by its long name.
    pub(crate) fn set(&mut self, name: &'static str, value: &str) -> Result<(), Refusal> {
        let bad = |fault: String| Refusal::value(name, value, fault);
        match name {
            "width" => self.options.width = Some(side(name, value, self.max_side)?),
            "height" => self.options.height = Some(side(name, value, self.max_side)?),
            "fit" => {
                let fit = values::word(FITS, value);
                self.options.fit = fit.ok_or_else(|| bad(values::not_one_of(FITS)))?;
            }
            "gravity" => {
                let fault = "is not left, right, top, bottom, center, a corner such as top-left, auto, or \
                             two fractions from 0 to 1 such as 0.5x0.25";
                self.options.gravity = values::gravity(value).ok_or_else(|| bad(fault.to_owned()))?;
            }
            "dpr" => {
                let dpr = values::decimal(value, 3).and_then(|value| value.try_into().ok());
                let dpr = dpr.and_then(Dpr::from_thousandths);
                self.options.dpr = dpr.ok_or_else(|| bad("is not a number from 1 to 4".to_owned()))?;
            }
            "quality" => {
                let fault = "is not a whole number from 1 to 100, low, medium-low, medium-high or high";
                let quality = values::quality(value).ok_or_else(|| bad(fault.to_owned()))?;
                self.options.quality = Some(quality);
            }
            "effort" => {
                let effort = values::pixels(value, 6).and_then(|value| value.try_into().ok());
                let fault = "is not a whole number from 0 to 6";
                self.options.effort = Some(effort.ok_or_else(|| bad(fault.to_owned()))?);
            }
            "format" => {
                let format = values::word(FORMATS, value);
                self.options.format = format.ok_or_else(|| bad(values::not_one_of(FORMATS)))?;
            }
            "flip" => {
                self.flip = values::word(FLIPS, value).ok_or_else(|| bad(values::not_one_of(FLIPS)))?;
            }
            "rotate" => {
                let rotation = values::word(ROTATIONS, value);
                self.rotation = rotation.ok_or_else(|| bad(values::not_one_of(ROTATIONS)))?;
            }
            "background" => self.options.background = Some(color(name, value)?),
            "radius" => {
                let radius = values::radius(value, self.max_side);
                let fault = || bad(format!("is not max or a whole number from 0 to {}", self.max_side));
                self.options.radius = radius.ok_or_else(fault)?;
            }
            "speed" if value == "fast" => self.options.speed = Speed::Fast,
            "speed" => return Err(bad("is not fast".to_owned())),
            "strict" if value == "1" => self.options.strict = true,
            "strict" => return Err(bad("is not 1".to_owned())),
            _ if name.starts_with("trim") => self.trim.set(name, value)?,
            _ if name.starts_with("border") => self.border.set(name, value, self.max_side)?,
            // A key whose line was removed from the table of what is to come, and nothing put here.
            _ => return Err(Refusal::not_available(name)),
        }
        Ok(())
    }

    /// The options, as they were said.
    pub(crate) fn done(self) -> Result<Options, Refusal> {
        let Reading { options, flip, rotation, trim, border, .. } = self;
        Ok(Options { turn: flip.then(rotation), trim: trim.done()?, border: border.done(), ..options })
    }
}

impl TrimParts {
    fn set(&mut self, name: &'static str, value: &str) -> Result<(), Refusal> {
        let length = || values::length(value).ok_or_else(|| Refusal::value(name, value, NO_LENGTH));
        match name {
            "trim" => self.whole = Some(trim(value)?),
            "trim.left" => self.left = Some(length()?),
            "trim.top" => self.top = Some(length()?),
            "trim.width" => self.width = Some(not_nothing(name, value, length()?)?),
            "trim.height" => self.height = Some(not_nothing(name, value, length()?)?),
            "trim.border.color" => self.color = Some(color(name, value)?),
            "trim.border.tolerance" => {
                let tolerance = values::pixels(value, u8::MAX.into()).and_then(|value| value.try_into().ok());
                let fault = "is not a whole number from 0 to 255";
                self.tolerance = Some(tolerance.ok_or_else(|| Refusal::value(name, value, fault))?);
            }
            "trim.border.keep" => {
                let fault = "is not a whole number of pixels from 0 to 65535";
                let keep = values::pixels(value, u16::MAX.into());
                self.keep = Some(keep.ok_or_else(|| Refusal::value(name, value, fault))?);
            }
            _ => return Err(Refusal::not_available(name)),
        }
        let said = Some((name, value.to_owned()));
        match name {
            "trim" => {}
            _ if name.starts_with("trim.border") => self.border_key = said,
            _ => self.rectangle_key = said,
        }
        Ok(())
    }

    /// Sides, a rectangle or a border's name: two of them contradict each other.
    fn done(self) -> Result<Trim, Refusal> {
        let clash = |(name, value): (&'static str, String), other: &str| {
            Err(Refusal::value(name, &value, format!("cannot stand beside {other}")))
        };
        let border_trim = Trim::Border {
            color: self.color,
            tolerance: self.tolerance.unwrap_or(Trim::TOLERANCE),
            keep: self.keep.unwrap_or(0),
        };
        match (self.whole, self.rectangle_key, self.border_key) {
            (Some(Trim::Border { .. }), Some(key), _) => clash(key, "trim=border"),
            (Some(Trim::Border { .. }), None, _) | (None, None, Some(_)) => Ok(border_trim),
            (Some(_), Some(key), _) => clash(key, "trim"),
            (Some(_), None, Some(key)) => clash(key, "trim with four sides"),
            (None, Some(_), Some(key)) => clash(key, "a rectangle to trim to"),
            (Some(sides), None, None) => Ok(sides),
            (None, Some(_), None) => Ok(Trim::Rectangle {
                left: self.left.unwrap_or(Length::ZERO),
                top: self.top.unwrap_or(Length::ZERO),
                width: self.width,
                height: self.height,
            }),
            (None, None, None) => Ok(Trim::None),
        }
    }
}

impl BorderParts {
    fn set(&mut self, name: &'static str, value: &str, max_side: u32) -> Result<(), Refusal> {
        let width = || {
            let fault = || format!("is not a whole number from 0 to {max_side}");
            values::pixels(value, max_side).ok_or_else(|| Refusal::value(name, value, fault()))
        };
        match name {
            "border.color" => self.color = Some(color(name, value)?),
            "border.width" => self.width = Some(width()?),
            "border.top" => self.sides.top = Some(width()?),
            "border.right" => self.sides.right = Some(width()?),
            "border.bottom" => self.sides.bottom = Some(width()?),
            "border.left" => self.sides.left = Some(width()?),
            _ => return Err(Refusal::not_available(name)),
        }
        Ok(())
    }

    /// A side's own width counts before the common one.
    fn done(self) -> Border {
        let common = self.width.unwrap_or(0);
        let Sides { top, right, bottom, left } = self.sides;
        let width = |side: Option<u32>| side.unwrap_or(common);
        let widths = Sides { top: width(top), right: width(right), bottom: width(bottom), left: width(left) };
        Border { color: self.color.unwrap_or(Border::NONE.color), widths }
    }
}

fn trim(value: &str) -> Result<Trim, Refusal> {
    if value == "border" {
        return Ok(Trim::Border { color: None, tolerance: Trim::TOLERANCE, keep: 0 });
    }
    let fault = "is not border or top;right;bottom;left, each in pixels or percent";
    let lengths = values::four_lengths(value).ok_or_else(|| Refusal::value("trim", value, fault))?;
    let [top, right, bottom, left] = lengths;
    Ok(Trim::Sides(Sides { top, right, bottom, left }))
}

fn not_nothing(name: &'static str, value: &str, length: Length) -> Result<Length, Refusal> {
    let fault = "is nothing; at least a pixel must stay";
    if length == Length::ZERO { Err(Refusal::value(name, value, fault)) } else { Ok(length) }
}

fn color(name: &'static str, value: &str) -> Result<Color, Refusal> {
    colors::color(value).ok_or_else(|| Refusal::value(name, value, NO_COLOR))
}

fn side(name: &'static str, value: &str, max_side: u32) -> Result<u32, Refusal> {
    values::pixels(value, max_side)
        .filter(|side| *side >= 1)
        .ok_or_else(|| Refusal::value(name, value, format!("is not a whole number from 1 to {max_side}")))
}
