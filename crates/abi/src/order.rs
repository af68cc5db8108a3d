//! What `tintype_plan` is told: the wanted thumbnail, the limits, and what is known of the bytes to come.

use tintype_core::{
    Border, Color, Dpr, Fit, FocalPoint, FormatChoice, Gravity, Input, Length, Limits, Orientation, Radius,
    Sides, Speed, Transform, Trim,
};

/// Words of an [`Order`].
pub const ORDER_WORDS: usize = 31;

/// The word for a number that is not given.
const NONE: u64 = u64::MAX;

/// The arguments of `Plan::new`, but for the header.
///
/// | word | what |
/// |---|---|
/// | 0, 1 | width and height of the box; all ones: not given |
/// | 2 | dpr in thousandths |
/// | 3 | fit: 0 scale-down, 1 contain, 2 cover, 3 crop, 4 aspect-crop, 5 pad, 6 squeeze |
/// | 4, 5 | gravity in ten-thousandths of width and height; all ones: auto |
/// | 6 | quality, 1 to 100; all ones: the format's own |
/// | 7 | format: 0 auto without WebP, 1 auto with it, 2 WebP, 3 JPEG, 4 baseline JPEG, 5 PNG |
/// | 8 | 1: a damaged source is an error |
/// | 9 to 13 | limits: source pixels, source bytes, header bytes, output side, memory |
/// | 14 | the source's bytes; all ones: unknown |
/// | 15 | 1: all bytes come in one push |
/// | 16 | the turn, as an EXIF orientation, 1 to 8 |
/// | 17 | trim: 0 none, 1 sides, 2 rectangle, 3 border |
/// | 18 to 21 | sides: top, right, bottom, left; rectangle: left, top, width, height (all ones: the rest); border: colour (all ones: the first pixel's), tolerance, pixels kept, 0 |
/// | 22 | background, all ones: the default |
/// | 23 | the border's colour |
/// | 24 to 27 | its widths: top, right, bottom, left |
/// | 28 | radius; all ones: as large as can be |
/// | 29 | 1: speed before margin |
/// | 30 | effort, 0 to 6; all ones: the default |
///
/// A length is its pixels, or 2³² and hundredths of a percent; a colour is red, green, blue and alpha from bit 31 down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// The wanted thumbnail.
    pub transform: Transform,
    /// What the host is willing to spend.
    pub limits: Limits,
    /// What is known of the bytes to come.
    pub input: Input,
}

impl Order {
    /// The order as words. A choice that this version has no number for is `None`.
    pub fn to_words(&self) -> Option<[u64; ORDER_WORDS]> {
        let Order { transform, limits, input } = self;
        let fit = FITS.iter().position(|fit| *fit == transform.fit)? as u64;
        let [gravity_x, gravity_y] = gravity_to_words(transform.gravity)?;
        let [trim, trim_0, trim_1, trim_2, trim_3] = trim_to_words(transform.trim)?;
        let Border { color: border_color, widths: Sides { top, right, bottom, left } } = transform.border;
        let radius = match transform.radius {
            Radius::Pixels(pixels) => pixels.into(),
            Radius::Max => NONE,
        };
        let fast = match transform.speed {
            Speed::Balanced => 0,
            Speed::Fast => 1,
            _ => return None,
        };
        let format = match transform.format {
            FormatChoice::Auto { webp } => u64::from(webp),
            FormatChoice::WebP => 2,
            FormatChoice::Jpeg => 3,
            FormatChoice::BaselineJpeg => 4,
            FormatChoice::Png => 5,
            _ => return None,
        };
        Some([
            transform.width.map_or(NONE, u64::from),
            transform.height.map_or(NONE, u64::from),
            transform.dpr.thousandths().into(),
            fit,
            gravity_x,
            gravity_y,
            transform.quality.map_or(NONE, u64::from),
            format,
            transform.strict.into(),
            limits.source_pixels,
            limits.source_bytes,
            limits.header_bytes,
            limits.output_side.into(),
            limits.memory,
            input.len.unwrap_or(NONE),
            input.contiguous.into(),
            transform.turn.exif().into(),
            trim,
            trim_0,
            trim_1,
            trim_2,
            trim_3,
            transform.background.map_or(NONE, color_to_word),
            color_to_word(border_color),
            top.into(),
            right.into(),
            bottom.into(),
            left.into(),
            radius,
            fast,
            transform.effort.map_or(NONE, u64::from),
        ])
    }

    /// The order that these words are; `None` if they are none.
    pub fn from_words(words: &[u64; ORDER_WORDS]) -> Option<Order> {
        let width = |word: u64| u32::try_from(word).ok();
        let transform = Transform {
            width: side(words[0])?,
            height: side(words[1])?,
            dpr: Dpr::from_thousandths(words[2].try_into().ok()?)?,
            fit: *FITS.get(usize::try_from(words[3]).ok()?)?,
            gravity: gravity_from_words([words[4], words[5]])?,
            turn: Orientation::from_exif(words[16].try_into().ok()?)?,
            trim: trim_from_words([words[17], words[18], words[19], words[20], words[21]])?,
            background: optional(words[22], color_from_word)?,
            border: Border {
                color: color_from_word(words[23])?,
                widths: Sides {
                    top: width(words[24])?,
                    right: width(words[25])?,
                    bottom: width(words[26])?,
                    left: width(words[27])?,
                },
            },
            radius: optional(words[28], width)?.map_or(Radius::Max, Radius::Pixels),
            speed: if flag(words[29])? { Speed::Fast } else { Speed::Balanced },
            quality: match words[6] {
                NONE => None,
                word => Some(u8::try_from(word).ok().filter(|quality| (1..=100).contains(quality))?),
            },
            effort: match words[30] {
                NONE => None,
                word => Some(u8::try_from(word).ok().filter(|effort| *effort <= 6)?),
            },
            format: match words[7] {
                0 => FormatChoice::Auto { webp: false },
                1 => FormatChoice::Auto { webp: true },
                2 => FormatChoice::WebP,
                3 => FormatChoice::Jpeg,
                4 => FormatChoice::BaselineJpeg,
                5 => FormatChoice::Png,
                _ => return None,
            },
            strict: flag(words[8])?,
        };
        let limits = Limits {
            source_pixels: words[9],
            source_bytes: words[10],
            header_bytes: words[11],
            output_side: words[12].try_into().ok()?,
            memory: words[13],
        };
        let len = Some(words[14]).filter(|len| *len != NONE);
        Some(Order { transform, limits, input: Input { len, contiguous: flag(words[15])? } })
    }
}

/// The fits, each at the place of its number.
const FITS: [Fit; 7] =
    [Fit::ScaleDown, Fit::Contain, Fit::Cover, Fit::Crop, Fit::AspectCrop, Fit::Pad, Fit::Squeeze];

fn gravity_to_words(gravity: Gravity) -> Option<[u64; 2]> {
    match gravity {
        Gravity::Point(FocalPoint { x, y }) => Some([x.into(), y.into()]),
        Gravity::Auto => Some([NONE; 2]),
        _ => None,
    }
}

fn gravity_from_words(words: [u64; 2]) -> Option<Gravity> {
    if words == [NONE; 2] {
        return Some(Gravity::Auto);
    }
    let part = |word: u64| u16::try_from(word).ok().filter(|part| *part <= FocalPoint::ONE);
    Some(Gravity::Point(FocalPoint { x: part(words[0])?, y: part(words[1])? }))
}

fn trim_to_words(trim: Trim) -> Option<[u64; 5]> {
    let length_or_none = |length: Option<Length>| length.map_or(NONE, length_to_word);
    match trim {
        Trim::None => Some([0; 5]),
        Trim::Sides(Sides { top, right, bottom, left }) => {
            let [top, right, bottom, left] = [top, right, bottom, left].map(length_to_word);
            Some([1, top, right, bottom, left])
        }
        Trim::Rectangle { left, top, width, height } => Some([
            2,
            length_to_word(left),
            length_to_word(top),
            length_or_none(width),
            length_or_none(height),
        ]),
        Trim::Border { color, tolerance, keep } => {
            Some([3, color.map_or(NONE, color_to_word), tolerance.into(), keep.into(), 0])
        }
        _ => None,
    }
}

fn trim_from_words([kind, a, b, c, d]: [u64; 5]) -> Option<Trim> {
    match kind {
        0 => Some(Trim::None),
        1 => Some(Trim::Sides(Sides {
            top: length_from_word(a)?,
            right: length_from_word(b)?,
            bottom: length_from_word(c)?,
            left: length_from_word(d)?,
        })),
        2 => Some(Trim::Rectangle {
            left: length_from_word(a)?,
            top: length_from_word(b)?,
            width: optional(c, length_from_word)?,
            height: optional(d, length_from_word)?,
        }),
        3 => Some(Trim::Border {
            color: optional(a, color_from_word)?,
            tolerance: b.try_into().ok()?,
            keep: c.try_into().ok()?,
        }),
        _ => None,
    }
}

const PERCENT: u64 = 1 << 32;

fn length_to_word(length: Length) -> u64 {
    match length {
        Length::Pixels(pixels) => pixels.into(),
        Length::Percent(hundredths) => PERCENT + u64::from(hundredths),
    }
}

fn length_from_word(word: u64) -> Option<Length> {
    if word < PERCENT {
        return u32::try_from(word).ok().map(Length::Pixels);
    }
    let hundredths = u16::try_from(word - PERCENT).ok();
    hundredths.filter(|hundredths| *hundredths <= Length::WHOLE).map(Length::Percent)
}

fn color_to_word(Color { red, green, blue, alpha }: Color) -> u64 {
    u32::from_be_bytes([red, green, blue, alpha]).into()
}

fn color_from_word(word: u64) -> Option<Color> {
    let [red, green, blue, alpha] = u32::try_from(word).ok()?.to_be_bytes();
    Some(Color { red, green, blue, alpha })
}

/// A side of the box, if given. The outer `None` is a word that is no side.
#[expect(clippy::option_option, reason = "the outer is the error, the inner the value")]
fn side(word: u64) -> Option<Option<u32>> {
    optional(word, |word| u32::try_from(word).ok())
}

/// What a word is, if it is given. The outer `None` is a word that is none.
#[expect(clippy::option_option, reason = "the outer is the error, the inner the value")]
fn optional<T>(word: u64, read: impl Fn(u64) -> Option<T>) -> Option<Option<T>> {
    if word == NONE { Some(None) } else { read(word).map(Some) }
}

fn flag(word: u64) -> Option<bool> {
    match word {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order() -> Order {
        Order {
            transform: Transform {
                width: Some(240),
                height: None,
                dpr: Dpr::from_thousandths(1500).unwrap(),
                fit: Fit::Cover,
                gravity: Gravity::Point(FocalPoint { x: 0, y: FocalPoint::ONE }),
                trim: Trim::Sides(Sides {
                    top: Length::Pixels(1),
                    right: Length::Percent(10_000),
                    bottom: Length::Pixels(u32::MAX),
                    left: Length::ZERO,
                }),
                turn: Orientation::Transversed,
                background: Some(Color { red: 1, green: 2, blue: 3, alpha: 4 }),
                border: Border {
                    color: Color::WHITE,
                    widths: Sides { top: 1, right: 2, bottom: 3, left: u32::MAX },
                },
                radius: Radius::Pixels(7),
                speed: Speed::Fast,
                quality: Some(77),
                effort: Some(6),
                format: FormatChoice::Auto { webp: true },
                strict: true,
            },
            limits: Limits { memory: 5 << 32, ..Limits::default() },
            input: Input { len: None, contiguous: false },
        }
    }

    #[test]
    fn what_was_written_is_read() {
        let plain = Order {
            transform: Transform::default(),
            limits: Limits::default(),
            input: Input { len: Some(9), contiguous: true },
        };
        for order in [order(), plain] {
            assert_eq!(Order::from_words(&order.to_words().unwrap()), Some(order));
        }
        let of = |transform| Order { transform, ..order() };
        let plain = order().transform;
        for format in [FormatChoice::WebP, FormatChoice::Jpeg, FormatChoice::BaselineJpeg, FormatChoice::Png]
        {
            for fit in FITS {
                let order = of(Transform { format, fit, ..Transform::default() });
                assert_eq!(Order::from_words(&order.to_words().unwrap()), Some(order));
            }
        }
        let (left, top) = (Length::Pixels(3), Length::Percent(1));
        for order in [
            of(Transform { gravity: Gravity::Auto, ..plain }),
            of(Transform { background: None, radius: Radius::Max, speed: Speed::Balanced, ..plain }),
            of(Transform { trim: Trim::Rectangle { left, top, width: Some(top), height: None }, ..plain }),
            of(Transform { trim: Trim::Border { color: None, tolerance: 255, keep: 9 }, ..plain }),
            of(Transform {
                trim: Trim::Border { color: Some(Color::BLACK), tolerance: 0, keep: 0 },
                ..plain
            }),
        ] {
            assert_eq!(Order::from_words(&order.to_words().unwrap()), Some(order));
        }
        for turn in Orientation::ALL {
            let order = of(Transform { turn, ..plain });
            assert_eq!(Order::from_words(&order.to_words().unwrap()), Some(order));
        }
    }

    #[test]
    fn words_that_mean_nothing_are_no_order() {
        let good = order().to_words().unwrap();
        for (place, bad) in [
            (0, 1 << 32),
            (2, 999),
            (3, 7),
            (4, 10_001),
            (4, u64::MAX), // auto is both
            (6, 0),
            (6, 101),
            (7, 6),
            (8, 2),
            (12, 1 << 32),
            (15, 2),
            (16, 0),
            (16, 9),
            (17, 4),
            (18, (1 << 32) + 10_001),
            (22, 1 << 32),
            (23, u64::MAX),
            (27, 1 << 32),
            (28, 1 << 32),
            (29, 2),
        ] {
            let mut words = good;
            words[place] = bad;
            assert_eq!(Order::from_words(&words), None, "{bad} at {place}");
        }
    }
}
