//! The grammars of option values, read and written: numbers, words, places, lengths and turns.

use tintype_core::{Fit, FocalPoint, Gravity, Length, Orientation, Radius};

use crate::FormatOption;

/// The values of `fit`.
pub(crate) const FITS: &[(&str, Fit)] = &[
    ("scale-down", Fit::ScaleDown),
    ("contain", Fit::Contain),
    ("cover", Fit::Cover),
    ("crop", Fit::Crop),
    ("aspect-crop", Fit::AspectCrop),
    ("pad", Fit::Pad),
    ("squeeze", Fit::Squeeze),
];

/// The values of `flip`.
pub(crate) const FLIPS: &[(&str, Orientation)] = &[
    ("h", Orientation::FlippedHorizontally),
    ("v", Orientation::FlippedVertically),
    ("hv", Orientation::Rotated180),
];

/// The values of `rotate`: degrees clockwise.
pub(crate) const ROTATIONS: &[(&str, Orientation)] =
    &[("90", Orientation::Rotated90), ("180", Orientation::Rotated180), ("270", Orientation::Rotated270)];

/// The values of `format`.
pub(crate) const FORMATS: &[(&str, FormatOption)] = &[
    ("auto", FormatOption::Auto),
    ("webp", FormatOption::WebP),
    ("jpeg", FormatOption::Jpeg),
    ("baseline-jpeg", FormatOption::BaselineJpeg),
    ("png", FormatOption::Png),
];

/// The words for `quality`. Cloudflare does not publish its numbers; these put the default between the two
/// in the middle and the top where more bytes stop being visible.
const QUALITIES: &[(&str, u8)] = &[("low", 50), ("medium-low", 65), ("medium-high", 80), ("high", 90)];

/// The named places of `gravity`.
const PLACES: &[(&str, Gravity)] = &[
    ("left", place(0, MIDDLE)),
    ("right", place(FocalPoint::ONE, MIDDLE)),
    ("top", place(MIDDLE, 0)),
    ("bottom", place(MIDDLE, FocalPoint::ONE)),
    ("center", Gravity::CENTER),
    ("top-left", place(0, 0)),
    ("top-right", place(FocalPoint::ONE, 0)),
    ("bottom-left", place(0, FocalPoint::ONE)),
    ("bottom-right", place(FocalPoint::ONE, FocalPoint::ONE)),
    ("auto", Gravity::Auto),
];

const MIDDLE: u16 = FocalPoint::CENTER.x;

const fn place(x: u16, y: u16) -> Gravity {
    Gravity::Point(FocalPoint { x, y })
}

/// Pixels of the longest length on a source.
const MAX_LENGTH: u32 = 65_535;

/// The value of a word.
pub(crate) fn word<T: Copy>(words: &[(&str, T)], text: &str) -> Option<T> {
    words.iter().find(|(word, _)| *word == text).map(|&(_, value)| value)
}

/// The word for a value.
pub(crate) fn word_for<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> Option<&'static str> {
    words.iter().find(|(_, meant)| meant == value).map(|&(word, _)| word)
}

/// What a message says of a text that is none of the words.
pub(crate) fn not_one_of<T>(words: &[(&str, T)]) -> String {
    let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    format!("is not one of {}", words.join(", "))
}

/// A whole number: decimal digits and nothing else.
pub(crate) fn whole(text: &str) -> Option<u64> {
    // `parse` alone would take a sign.
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// A number such as `2`, `1.5` or `.25`, in units of 10^-`places`. Digits beyond them round half up.
pub(crate) fn decimal(text: &str, places: u32) -> Option<u32> {
    let (integer, fraction) = match text.split_once('.') {
        Some((integer, fraction)) if !fraction.is_empty() => (integer, fraction),
        Some(_) => return None,
        None if text.is_empty() => return None,
        None => (text, ""),
    };
    if !integer.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut value = if integer.is_empty() { 0 } else { integer.parse::<u32>().ok()? };
    let mut digits = fraction.bytes().map(|byte| u32::from(byte - b'0'));
    for _ in 0..places {
        value = value.checked_mul(10)?.checked_add(digits.next().unwrap_or(0))?;
    }
    value.checked_add(u32::from(digits.next().unwrap_or(0) >= 5))
}

/// The shortest text that [`decimal`] reads as `value`.
pub(crate) fn decimal_text(value: u32, places: u32) -> String {
    let one = 10_u32.pow(places);
    let fraction = format!("{:0width$}", value % one, width = places as usize);
    match fraction.trim_end_matches('0') {
        "" => (value / one).to_string(),
        digits => format!("{}.{digits}", value / one),
    }
}

/// 1 to 100, or a word.
pub(crate) fn quality(text: &str) -> Option<u8> {
    word(QUALITIES, text).or_else(|| whole(text).filter(|value| (1..=100).contains(value))?.try_into().ok())
}

/// A named place, or fractions of width and height as `XxY` or `X,Y`, kept to four decimals.
pub(crate) fn gravity(text: &str) -> Option<Gravity> {
    word(PLACES, text).or_else(|| {
        let (x, y) = text.split_once(['x', ','])?;
        Some(place(fraction(x)?, fraction(y)?))
    })
}

/// A gravity's name, or `XxY` where it has none.
pub(crate) fn gravity_text(gravity: Gravity) -> Option<String> {
    let fractions = || match gravity {
        Gravity::Point(FocalPoint { x, y }) => {
            Some(format!("{}x{}", decimal_text(x.into(), 4), decimal_text(y.into(), 4)))
        }
        _ => None,
    };
    word_for(PLACES, &gravity).map(str::to_owned).or_else(fractions)
}

/// Whole pixels, or a percentage with up to two decimals. Nothing is zero pixels.
pub(crate) fn length(text: &str) -> Option<Length> {
    let length = match text.strip_suffix('%') {
        Some(percent) => {
            let hundredths = decimal(percent, 2)?.try_into().ok();
            Length::Percent(hundredths.filter(|&hundredths| hundredths <= Length::WHOLE)?)
        }
        None => Length::Pixels(u32::try_from(whole(text)?).ok().filter(|&pixels| pixels <= MAX_LENGTH)?),
    };
    Some(if length == Length::Percent(0) { Length::ZERO } else { length })
}

/// The text that [`length`] reads, as it stands in an address.
pub(crate) fn length_text(length: Length) -> String {
    match length {
        Length::Pixels(pixels) => pixels.to_string(),
        Length::Percent(hundredths) => format!("{}%25", decimal_text(hundredths.into(), 2)),
    }
}

/// Four lengths, `top;right;bottom;left`.
pub(crate) fn four_lengths(text: &str) -> Option<[Length; 4]> {
    let lengths: Option<Vec<Length>> = text.split(';').map(length).collect();
    lengths?.try_into().ok()
}

/// Whole pixels up to `most`, or `max`.
pub(crate) fn radius(text: &str, most: u32) -> Option<Radius> {
    if text == "max" { Some(Radius::Max) } else { pixels(text, most).map(Radius::Pixels) }
}

/// Whole pixels, 0 up to `most`.
pub(crate) fn pixels(text: &str, most: u32) -> Option<u32> {
    u32::try_from(whole(text)?).ok().filter(|&pixels| pixels <= most)
}

/// `flip` and `rotate` of a turn, the fewest that make it.
pub(crate) fn turn_texts(turn: Orientation) -> (Option<&'static str>, Option<&'static str>) {
    let mirrored = || Orientation::FlippedHorizontally.then(turn); // undone: what is left is a rotation
    match turn {
        Orientation::FlippedHorizontally | Orientation::FlippedVertically => (word_for(FLIPS, &turn), None),
        Orientation::Transposed | Orientation::Transversed => (Some("h"), word_for(ROTATIONS, &mirrored())),
        _ => (None, word_for(ROTATIONS, &turn)),
    }
}

fn fraction(text: &str) -> Option<u16> {
    decimal(text, 4)?.try_into().ok().filter(|&value| value <= FocalPoint::ONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_digits_only() {
        assert_eq!(whole("0240"), Some(240));
        for text in ["", "+1", "-1", "1.0", " 1", "1e3", "٣", "18446744073709551616"] {
            assert_eq!(whole(text), None, "{text}");
        }
    }

    #[test]
    fn decimals_round_half_up() {
        assert_eq!(decimal("1.2344", 3), Some(1234));
        assert_eq!(decimal("1.2345", 3), Some(1235));
        assert_eq!(decimal("1.23449999", 3), Some(1234));
        assert_eq!(decimal("0.9996", 3), Some(1000));
        assert_eq!(decimal(".5", 3), Some(500));
        assert_eq!(decimal("2", 3), Some(2000));
        for text in ["", ".", "1.", "1.2.3", "-1", "1e1", "0x1", "99999999999", "4294967.296"] {
            assert_eq!(decimal(text, 3), None, "{text}");
        }
    }

    #[test]
    fn decimals_are_written_as_read() {
        for value in 0..=12_000 {
            assert_eq!(decimal(&decimal_text(value, 4), 4), Some(value));
        }
        assert_eq!(decimal_text(1500, 3), "1.5");
        assert_eq!(decimal_text(2000, 3), "2");
        assert_eq!(decimal_text(25, 4), "0.0025");
    }

    #[test]
    fn gravity_has_one_text() {
        assert_eq!(gravity("0,1"), gravity("bottom-left"));
        assert_eq!(gravity("0x.5").and_then(gravity_text).as_deref(), Some("left"));
        assert_eq!(gravity("0.25x0.12345").and_then(gravity_text).as_deref(), Some("0.25x0.1235"));
        for text in ["", "x", "0.5", "0.5x", "0.5x1.1", "0.5x0.5x0.5", "-0x0", "Left"] {
            assert_eq!(gravity(text), None, "{text}");
        }
    }

    #[test]
    fn lengths_are_pixels_or_percent() {
        assert_eq!(length("12"), Some(Length::Pixels(12)));
        assert_eq!(length("12.345%"), Some(Length::Percent(1235)));
        assert_eq!((length("0%"), length("100%")), (Some(Length::ZERO), Some(Length::Percent(10_000))));
        for text in ["", "%", "-1", "1.5", "65536", "100.01%", "5 %", "5%%", "1e1%"] {
            assert_eq!(length(text), None, "{text}");
        }
        for length_ in [Length::ZERO, Length::Pixels(65_535), Length::Percent(1), Length::Percent(3333)] {
            assert_eq!(length(&length_text(length_).replace("%25", "%")), Some(length_));
        }
        assert!(four_lengths("1;2%;0;4").is_some());
        for text in ["1;2;3", "1;2;3;4;5", "1,2,3,4", ";;;", "1;2;3;x"] {
            assert_eq!(four_lengths(text), None, "{text}");
        }
    }

    /// Of the sixteen ways to say one of eight turns, each has one text, which says it.
    #[test]
    fn turns_have_one_text() {
        for turn in Orientation::ALL {
            let (flip, rotate) = turn_texts(turn);
            let part = |words: &[(&str, Orientation)], text: Option<&str>| {
                text.map_or(Orientation::Upright, |text| word(words, text).unwrap())
            };
            assert_eq!(part(FLIPS, flip).then(part(ROTATIONS, rotate)), turn, "{flip:?} {rotate:?}");
        }
        assert_eq!(turn_texts(Orientation::Rotated180), (None, Some("180")));
    }
}
