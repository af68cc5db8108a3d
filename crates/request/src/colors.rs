//! Colours as CSS writes them (Color Module Level 4), and their one canonical text.

use tintype_core::Color;

/// Characters of the longest text that is read: `color(from …)` nests.
const MAX_CHARS: usize = 128;

/// Any CSS colour that says itself what it is: `#rgb`, `#rrggbbaa`, a name, `rgb()`, `hsl()`, `hwb()`, `lab()`, `oklch()` …
pub(crate) fn color(text: &str) -> Option<Color> {
    if text.len() > MAX_CHARS {
        return None;
    }
    let [red, green, blue, alpha] = csscolorparser::parse(text).ok()?.to_rgba8();
    Some(Color { red, green, blue, alpha })
}

/// `#rrggbb`, or `#rrggbbaa` where it is not opaque, as it stands in an address.
pub(crate) fn color_text(Color { red, green, blue, alpha }: Color) -> String {
    let text = format!("%23{red:02x}{green:02x}{blue:02x}");
    if alpha == 255 { text } else { format!("{text}{alpha:02x}") }
}

/// What a message says of a text that is none.
pub(crate) const NO_COLOR: &str = "is not a CSS colour such as #ff8800, orange or rgb(255 136 0 / 50%)";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_css_writes_is_read() {
        let orange = Color { red: 255, green: 165, blue: 0, alpha: 255 };
        for text in [
            "orange",
            "ORANGE",
            "#ffa500",
            "#FFA500",
            "#ffa500ff",
            "rgb(255,165,0)",
            "rgb(255 165 0)",
            " orange ",
        ] {
            assert_eq!(color(text), Some(orange), "{text}");
        }
        for (text, [red, green, blue, alpha]) in [
            ("#f80", [255, 136, 0, 255]),
            ("#f808", [255, 136, 0, 136]),
            ("rgba(1, 2, 3, 0.5)", [1, 2, 3, 128]),
            ("rgb(100% 0% 0% / 50%)", [255, 0, 0, 128]),
            ("hsl(120, 100%, 25%)", [0, 128, 0, 255]),
            ("hsl(0.5turn 100% 50%)", [0, 255, 255, 255]),
            ("hwb(0 0% 0%)", [255, 0, 0, 255]),
            ("oklab(1 0 0)", [255, 255, 255, 255]),
            ("transparent", [0, 0, 0, 0]),
            ("rgb(300 -5 0)", [255, 0, 0, 255]),
        ] {
            assert_eq!(color(text), Some(Color { red, green, blue, alpha }), "{text}");
        }
        for text in ["", "#", "#ff", "#ggg", "orangey", "rgb(1,2)", "currentcolor", "url(x)", "\u{0}", "rgb("]
        {
            assert_eq!(color(text), None, "{text}");
        }
    }

    #[test]
    fn long_and_nested_texts_are_refused() {
        assert_eq!(color(&format!("rgb(1,2,{}3)", " ".repeat(200))), None);
        let nested = "rgb(from ".repeat(10_000);
        assert_eq!(color(&nested), None);
    }

    #[test]
    fn the_canonical_text_is_read_as_the_same_colour() {
        for alpha in [0, 1, 128, 255] {
            let written = Color { red: 1, green: 171, blue: 240, alpha };
            let text = color_text(written);
            assert_eq!(color(&text.replace("%23", "#")), Some(written), "{text}");
        }
        assert_eq!(color_text(Color::WHITE), "%23ffffff");
    }
}
