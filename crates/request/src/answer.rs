//! Everything an answer says besides its body, so that every host answers alike.

use tintype_core::Output;

use crate::{Refusal, Request, Rules, percent};

/// The seconds a picture made of a damaged source may be kept: the source may be whole the next time.
const DAMAGED_MAX_AGE: u32 = 60;

/// Names of ignored keys in an answer, and characters of each, encoded.
const IGNORED_KEYS: usize = 8;
const IGNORED_KEY_CHARS: usize = 32;

/// Characters of a source's name in the name of its download.
const FILE_NAME_CHARS: usize = 80;

/// An answer's status and headers. A `HEAD` request has the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The HTTP status.
    pub status: u16,
    /// Names and values, each name once. The values are visible ASCII and spaces.
    pub headers: Vec<(&'static str, String)>,
}

impl Head {
    /// 200: the picture follows.
    ///
    /// A damaged picture has no `ETag`: what a broken download gave must not be confirmed by a 304 once
    /// its short lifetime is over.
    pub fn picture(request: &Request, etag: &str, output: &Output, rules: &Rules) -> Head {
        let max_age = if output.damaged { rules.max_age.min(DAMAGED_MAX_AGE) } else { rules.max_age };
        let mut headers = vec![
            ("Content-Type", output.format.media_type().to_owned()),
            ("Content-Length", output.len.to_string()),
            ("Content-Disposition", disposition(request.source.stem(), output.format.extension())),
            ("Cache-Control", cache_control(request, max_age)),
        ];
        if output.damaged {
            headers.push(("X-Tintype-Damaged", "1".to_owned()));
        } else {
            headers.push(("ETag", etag.to_owned()));
        }
        if !request.ignored.is_empty() {
            headers.push(("X-Tintype-Ignored", ignored(&request.ignored)));
        }
        headers.push(no_sniffing());
        headers.extend(vary(request));
        Head { status: 200, headers }
    }

    /// 304: the client's copy is still right.
    pub fn not_modified(request: &Request, etag: &str, rules: &Rules) -> Head {
        let mut headers =
            vec![("ETag", etag.to_owned()), ("Cache-Control", cache_control(request, rules.max_age))];
        headers.extend(vary(request));
        Head { status: 304, headers }
    }

    /// 4xx and 5xx: the refusal's sentence follows. `request` is given where the target could be read.
    pub fn refusal(refusal: &Refusal, request: Option<&Request>) -> Head {
        let mut headers = vec![
            ("Content-Type", "text/plain; charset=utf-8".to_owned()),
            ("Cache-Control", "no-store".to_owned()),
            no_sniffing(),
        ];
        if refusal.status() == 405 {
            headers.push(("Allow", "GET, HEAD".to_owned()));
        }
        headers.extend(refusal.retry_after().map(|seconds| ("Retry-After", seconds.to_string())));
        headers.extend(request.and_then(vary));
        Head { status: refusal.status(), headers }
    }
}

fn no_sniffing() -> (&'static str, String) {
    ("X-Content-Type-Options", "nosniff".to_owned())
}

fn vary(request: &Request) -> Option<(&'static str, String)> {
    request.negotiated().then(|| ("Vary", "Accept".to_owned()))
}

/// No cache may serve an address longer than it is valid.
fn cache_control(request: &Request, max_age: u32) -> String {
    let seconds = request.seconds_left.map_or(max_age.into(), |left| left.min(max_age.into()));
    format!("public, max-age={seconds}")
}

/// The ignored keys, percent-encoded, few and short enough for a header.
fn ignored(keys: &[String]) -> String {
    let start = |key: &String| percent::encode(key).to_string().chars().take(IGNORED_KEY_CHARS).collect();
    let mut names: Vec<String> = keys.iter().take(IGNORED_KEYS).map(start).collect();
    if keys.len() > IGNORED_KEYS {
        names.push(format!("and {} more", keys.len() - IGNORED_KEYS));
    }
    names.join(", ")
}

/// The name of a saved file: without it, browsers save `photo.jpg?w=240` with a WebP in it as `photo.jpg`.
fn disposition(stem: &str, extension: &str) -> String {
    let stem: String = stem.chars().take(FILE_NAME_CHARS).collect();
    let plain: String = stem.chars().map(|char| if is_plain(char) { char } else { '_' }).collect();
    let mut text = format!("inline; filename=\"{plain}.{extension}\"");
    if plain != stem {
        // RFC 8187: what knows this form prefers it.
        text.push_str("; filename*=UTF-8''");
        text.push_str(&percent::encode(&format!("{stem}.{extension}")).to_string());
    }
    text
}

/// Safe between quotes, and in file names everywhere.
fn is_plain(char: char) -> bool {
    char.is_ascii_alphanumeric() || " -_.()+,@".contains(char)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tintype_core::Format;

    const WEBP: Output =
        Output { len: 1234, width: 240, height: 160, format: Format::WebP, damaged: false, bytes_used: 9 };

    fn request(target: &str) -> Request {
        Request::parse(target, Some("image/webp"), 1_000, &Rules::default()).unwrap()
    }

    fn header<'a>(head: &'a Head, name: &str) -> Option<&'a str> {
        let mut values = head.headers.iter().filter(|(key, _)| *key == name);
        let value = values.next().map(|(_, value)| value.as_str());
        assert!(values.next().is_none(), "{name} twice");
        value
    }

    #[test]
    fn pictures() {
        let head = Head::picture(&request("/img/a/b.jpg?w=240"), "\"tag\"", &WEBP, &Rules::default());
        assert_eq!(head.status, 200);
        for (name, value) in [
            ("Content-Type", Some("image/webp")),
            ("Content-Length", Some("1234")),
            ("Content-Disposition", Some("inline; filename=\"b.webp\"")),
            ("ETag", Some("\"tag\"")),
            ("Cache-Control", Some("public, max-age=86400")),
            ("Vary", Some("Accept")),
            ("X-Content-Type-Options", Some("nosniff")),
            ("X-Tintype-Ignored", None),
            ("X-Tintype-Damaged", None),
        ] {
            assert_eq!(header(&head, name), value, "{name}");
        }
        let fixed = Head::picture(&request("/img/b.jpg?f=webp"), "\"tag\"", &WEBP, &Rules::default());
        assert_eq!(header(&fixed, "Vary"), None);
    }

    #[test]
    fn damaged_pictures_are_short_lived_and_never_confirmed() {
        let damaged = Output { damaged: true, ..WEBP };
        let request = request("/img/b.jpg");
        let head = Head::picture(&request, "\"tag\"", &damaged, &Rules::default());
        assert_eq!(header(&head, "X-Tintype-Damaged"), Some("1"));
        assert_eq!(header(&head, "Cache-Control"), Some("public, max-age=60"));
        assert_eq!(header(&head, "ETag"), None);
        let brief = Rules { max_age: 5, ..Rules::default() };
        let head = Head::picture(&request, "\"tag\"", &damaged, &brief);
        assert_eq!(header(&head, "Cache-Control"), Some("public, max-age=5"));
    }

    #[test]
    fn nothing_outlives_its_address() {
        let brief = request("/img/b.jpg?exp=1030");
        let rules = Rules::default();
        let head = Head::picture(&brief, "\"tag\"", &WEBP, &rules);
        assert_eq!(header(&head, "Cache-Control"), Some("public, max-age=30"));
        let head = Head::not_modified(&brief, "\"tag\"", &rules);
        assert_eq!(header(&head, "Cache-Control"), Some("public, max-age=30"));
        let lasting = request("/img/b.jpg?exp=9000000000");
        let head = Head::not_modified(&lasting, "\"tag\"", &rules);
        assert_eq!(header(&head, "Cache-Control"), Some("public, max-age=86400"));
    }

    #[test]
    fn ignored_keys_are_named_safely() {
        let head = |target: &str| Head::picture(&request(target), "\"tag\"", &WEBP, &Rules::default());
        let of = |target: &str| header(&head(target), "X-Tintype-Ignored").map(str::to_owned);
        assert_eq!(of("/img/b.jpg?v=3&utm_source=x&v=4").as_deref(), Some("utm_source, v"));
        assert_eq!(of("/img/b.jpg?a%0D%0AX:%20=1").as_deref(), Some("a%0D%0AX%3A%20"));
        let many: Vec<String> = (0..20).map(|n| format!("k{n:02}{}=1", "ü".repeat(99))).collect();
        let named = of(&format!("/img/b.jpg?{}", many.join("&"))).unwrap();
        assert!(named.ends_with(", and 12 more"), "{named}");
        assert!(named.len() < 300 && named.is_ascii());
    }

    #[test]
    fn file_names() {
        assert_eq!(disposition("a b", "jpg"), "inline; filename=\"a b.jpg\"");
        assert_eq!(
            disposition("a\"ü\\\n;", "png"),
            "inline; filename=\"a_____.png\"; filename*=UTF-8''a%22%C3%BC%5C%0A%3B.png"
        );
        assert!(disposition(&"ü".repeat(500), "png").len() < 700);
    }

    #[test]
    fn not_modified() {
        let head = Head::not_modified(&request("/img/b.jpg"), "\"tag\"", &Rules::default());
        let expected = [
            ("ETag", "\"tag\"".to_owned()),
            ("Cache-Control", "public, max-age=86400".to_owned()),
            ("Vary", "Accept".to_owned()),
        ];
        assert_eq!((head.status, &head.headers[..]), (304, &expected[..]));
    }

    #[test]
    fn refusals() {
        let head = Head::refusal(&Refusal::method_not_allowed(), None);
        assert_eq!((head.status, header(&head, "Allow")), (405, Some("GET, HEAD")));
        assert_eq!(header(&head, "Content-Type"), Some("text/plain; charset=utf-8"));
        assert_eq!(header(&head, "Cache-Control"), Some("no-store"));
        assert_eq!(header(&head, "X-Content-Type-Options"), Some("nosniff"));
        assert_eq!(header(&head, "Vary"), None);

        let head = Head::refusal(&Refusal::overloaded(2), Some(&request("/img/b.jpg")));
        assert_eq!((head.status, header(&head, "Retry-After")), (503, Some("2")));
        assert_eq!((header(&head, "Vary"), header(&head, "Allow")), (Some("Accept"), None));
    }
}
