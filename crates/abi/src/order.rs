//! What `tintype_plan` is told: the wanted thumbnail, the limits, and what is known of the bytes to come.

use tintype_core::{Dpr, Fit, FormatChoice, Gravity, Input, Limits, Transform};

/// Words of an [`Order`].
pub const ORDER_WORDS: usize = 16;

/// The word for a number that is not given.
const NONE: u64 = u64::MAX;

/// The arguments of `Plan::new`, but for the header.
///
/// | word | what |
/// |---|---|
/// | 0, 1 | width and height of the box; all ones: not given |
/// | 2 | dpr in thousandths |
/// | 3 | fit: 0 scale-down, 1 contain, 2 cover |
/// | 4, 5 | gravity in ten-thousandths of width and height |
/// | 6 | quality, 1 to 100; all ones: the format's own |
/// | 7 | format: 0 auto without WebP, 1 auto with it, 2 WebP, 3 JPEG, 4 baseline JPEG, 5 PNG |
/// | 8 | 1: a damaged source is an error |
/// | 9 to 13 | limits: source pixels, source bytes, header bytes, output side, memory |
/// | 14 | the source's bytes; all ones: unknown |
/// | 15 | 1: all bytes come in one push |
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
        let fit = match transform.fit {
            Fit::ScaleDown => 0,
            Fit::Contain => 1,
            Fit::Cover => 2,
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
            transform.gravity.x.into(),
            transform.gravity.y.into(),
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
        ])
    }

    /// The order that these words are; `None` if they are none.
    pub fn from_words(words: &[u64; ORDER_WORDS]) -> Option<Order> {
        let gravity = |word: u64| u16::try_from(word).ok().filter(|part| *part <= Gravity::ONE);
        let transform = Transform {
            width: side(words[0])?,
            height: side(words[1])?,
            dpr: Dpr::from_thousandths(words[2].try_into().ok()?)?,
            fit: match words[3] {
                0 => Fit::ScaleDown,
                1 => Fit::Contain,
                2 => Fit::Cover,
                _ => return None,
            },
            gravity: Gravity { x: gravity(words[4])?, y: gravity(words[5])? },
            quality: match words[6] {
                NONE => None,
                word => Some(u8::try_from(word).ok().filter(|quality| (1..=100).contains(quality))?),
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

/// A side of the box, if given. The outer `None` is a word that is no side.
#[expect(clippy::option_option, reason = "the outer is the error, the inner the value")]
fn side(word: u64) -> Option<Option<u32>> {
    if word == NONE { Some(None) } else { u32::try_from(word).ok().map(Some) }
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
                gravity: Gravity { x: 0, y: Gravity::ONE },
                quality: Some(77),
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
        for format in [FormatChoice::WebP, FormatChoice::Jpeg, FormatChoice::BaselineJpeg, FormatChoice::Png]
        {
            for fit in [Fit::ScaleDown, Fit::Contain, Fit::Cover] {
                let order = Order { transform: Transform { format, fit, ..Transform::default() }, ..order() };
                assert_eq!(Order::from_words(&order.to_words().unwrap()), Some(order));
            }
        }
    }

    #[test]
    fn words_that_mean_nothing_are_no_order() {
        let good = order().to_words().unwrap();
        for (place, bad) in [
            (0, 1 << 32),
            (2, 999),
            (3, 3),
            (4, 10_001),
            (6, 0),
            (6, 101),
            (7, 6),
            (8, 2),
            (12, 1 << 32),
            (15, 2),
        ] {
            let mut words = good;
            words[place] = bad;
            assert_eq!(Order::from_words(&words), None, "{bad} at {place}");
        }
    }
}
