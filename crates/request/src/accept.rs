//! What a client can show, told by its `Accept` header.

/// The formats a client takes, as far as answers differ by them. A class, never the header's text, is part
/// of cache keys and `ETag`s: there are three of them, and thousands of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AcceptClass {
    /// AVIF, and WebP where a picture cannot be had as AVIF.
    Avif,
    /// WebP.
    WebP,
    /// Neither: JPEG and PNG.
    Legacy,
}

impl AcceptClass {
    /// The class of an `Accept` header; several headers are one with commas between them.
    ///
    /// Only the explicit names count. `*/*` and `image/*` do not: clients that cannot show WebP send
    /// them too. A weight of 0, or one that cannot be read, means no. AVIF without WebP is
    /// [`AcceptClass::Legacy`], because an answer to [`AcceptClass::Avif`] may be WebP.
    pub fn from_header(accept: Option<&str>) -> AcceptClass {
        let (mut avif, mut webp) = (false, false);
        for range in accept.unwrap_or_default().split(',') {
            let mut parts = range.split(';').map(str::trim);
            let name = parts.next().unwrap_or_default();
            if name.eq_ignore_ascii_case("image/avif") {
                avif |= wanted(parts);
            } else if name.eq_ignore_ascii_case("image/webp") {
                webp |= wanted(parts);
            }
        }
        match (avif, webp) {
            (true, true) => AcceptClass::Avif,
            (false, true) => AcceptClass::WebP,
            (_, false) => AcceptClass::Legacy,
        }
    }

    /// Whether WebP may be sent.
    pub const fn takes_webp(self) -> bool {
        matches!(self, AcceptClass::Avif | AcceptClass::WebP)
    }

    /// The class in cache keys and `ETag`s.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            AcceptClass::Avif => "avif",
            AcceptClass::WebP => "webp",
            AcceptClass::Legacy => "legacy",
        }
    }
}

/// Whether a media range's parameters leave it a weight above 0.
fn wanted<'a>(mut parameters: impl Iterator<Item = &'a str>) -> bool {
    let weight = parameters.find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim_end().eq_ignore_ascii_case("q").then(|| value.trim_start())
    });
    // RFC 9110, 12.4.2: 0 or 1 with up to three decimals. How many there are does not matter here.
    weight.is_none_or(|weight| {
        let (integer, fraction) = weight.split_once('.').unwrap_or((weight, ""));
        match integer {
            "0" => fraction.bytes().all(|byte| byte.is_ascii_digit()) && fraction.bytes().any(|b| b != b'0'),
            "1" => fraction.bytes().all(|byte| byte == b'0'),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::AcceptClass::{self, Avif, Legacy, WebP};

    #[test]
    fn classes() {
        let cases = [
            ("image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", Avif), // Chrome
            ("image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5", Avif), // Firefox
            ("image/webp,image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5", WebP),
            ("image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5", Legacy),
            ("*/*", Legacy),
            ("image/*", Legacy),
            ("", Legacy),
            (",;,=", Legacy),
            ("IMAGE/WebP", WebP),
            (" image/webp ; q=0.5 ", WebP),
            ("image/webp;q=0", Legacy),
            ("image/webp;Q=0.000", Legacy),
            ("image/webp; q = 0", Legacy),
            ("image/webp;q=0.001", WebP),
            ("image/webp;q=1.000", WebP),
            ("image/webp;q=1.001", Legacy),
            ("image/webp;q=", Legacy),
            ("image/webp;q=high", Legacy),
            ("image/webp;q=-1", Legacy),
            ("image/webp;level=0;q=0.3", WebP),
            ("image/webp;level=0", WebP),
            ("image/webp;level=1;q=0", Legacy),
            ("image/webp2", Legacy),
            ("image/avif", Legacy),
            ("image/avif,image/webp;q=0", Legacy),
            ("image/avif;q=0,image/webp", WebP),
            ("image/avif;q=0.1,image/webp;q=0.9", Avif),
        ];
        for (accept, class) in cases {
            assert_eq!(AcceptClass::from_header(Some(accept)), class, "{accept}");
        }
        assert_eq!(AcceptClass::from_header(None), Legacy);
    }
}
