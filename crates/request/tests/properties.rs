//! What holds for every target, tried on many: made of the grammar's own pieces, of arbitrary bytes, and of
//! both.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use tintype_request::{AcceptClass, Request, Rules, SigningKey, Validator, sign};

/// Targets of each kind.
const ROUNDS: usize = 20_000;

/// Pieces whose concatenations are often targets, and often nearly.
const PIECES: &[&str] = &[
    "/img/",
    "/cdn-cgi/image/",
    "/",
    "//",
    "a.jpg",
    "ü b",
    "%20",
    "%2F",
    "%2e",
    "%00",
    "%5C",
    "%",
    "%Z",
    "%FF",
    "..",
    ".",
    "\\",
    "#",
    "?",
    "&",
    "=",
    ",",
    ";",
    "+",
    "x",
    "w=",
    "width=",
    "h=",
    "height=",
    "fit=",
    "cover",
    "contain",
    "scale-down",
    "crop",
    "g=",
    "gravity=",
    "left",
    "bottom-right",
    "0.25x0.75",
    "1,0",
    "auto",
    "dpr=",
    "1.5",
    "2",
    "2.62549",
    "q=",
    "quality=",
    "high",
    "80",
    "f=",
    "format=",
    "webp",
    "png",
    "jpeg",
    "strict=",
    "1",
    "exp=",
    "99",
    "sig=",
    "metadata=",
    "none",
    "rotate=",
    "90",
    "flip=",
    "hv",
    "trim=",
    "trim.left=",
    "trim.width=",
    "border",
    "10%25",
    "1;2;3;4",
    "border.width=",
    "border.color=",
    "background=",
    "red",
    "%23f80",
    "rgb(",
    "radius=",
    "max",
    "speed=fast",
    "effort=",
    "v=3",
    "utm_source",
    "240",
    "00",
    "8192",
    "9999999999",
    "\u{0}",
    "\u{fffd}",
    "\u{202e}",
    "😀",
];

/// Whole options, so that long valid targets come up.
const OPTIONS: &[&str] = &[
    "w=240",
    "width=0240",
    "w=8192",
    "h=100",
    "height=7",
    "fit=cover",
    "fit=contain",
    "fit=scale-down",
    "g=left",
    "g=0.1x.2",
    "gravity=0.123456,1",
    "g=center",
    "dpr=2",
    "dpr=1.25",
    "dpr=1",
    "q=80",
    "q=low",
    "quality=100",
    "f=auto",
    "format=png",
    "f=baseline-jpeg",
    "strict=1",
    "fit=crop",
    "fit=aspect-crop",
    "fit=pad",
    "fit=squeeze",
    "g=auto",
    "rotate=90",
    "rotate=180",
    "flip=h",
    "flip=v",
    "flip=hv",
    "trim=1;2%25;0;33.33%25",
    "trim=border",
    "trim.border.keep=3",
    "trim.left=4",
    "trim.width=50%25",
    "background=%23F808",
    "background=white",
    "border.width=3",
    "border.left=0",
    "border.color=red",
    "radius=7",
    "radius=max",
    "speed=fast",
    "metadata=none",
    "v=3",
    "exp=5000000000",
    "sig=abc",
];

#[test]
fn nothing_panics() {
    let mut random = Random(1);
    let rules = [Rules::default(), signing_rules()];
    for round in 0..ROUNDS {
        let target = match round % 3 {
            0 => String::from_utf8_lossy(&random.bytes(60)).into_owned(),
            1 => random.join(PIECES, 12, ""),
            _ => format!("/img/{}", random.join(PIECES, 12, "")),
        };
        let accept = String::from_utf8_lossy(&random.bytes(20)).into_owned();
        for rules in &rules {
            match Request::parse(&target, Some(&accept), 50, rules) {
                Ok(request) => check(&request),
                Err(refusal) => {
                    assert!([400, 403, 404].contains(&refusal.status()), "{target}: {refusal}");
                    assert!(refusal.to_string().len() < 1_000, "{refusal}");
                }
            }
        }
    }
}

#[test]
fn canonical_texts_are_their_own() {
    let mut random = Random(2);
    let mut valid = 0;
    for _ in 0..ROUNDS {
        let path = random.join(&["a", "B.jpg", "/c", "%20", "ü", "+", "%25", "%3f"], 5, "");
        let target = format!("/img/p{path}?{}", random.join(OPTIONS, 8, "&"));
        if let Ok(request) = Request::parse(&target, Some("image/webp"), 50, &Rules::default()) {
            valid += 1;
            check(&request);
            // Neither order nor route nor what is ignored matters.
            let (path, query) = target.split_once('?').unwrap();
            let path = path.strip_prefix("/img").unwrap();
            let list = query.replace("0.123456,1", "0.123456%2C1").replace('&', ",");
            let moved = format!("/cdn-cgi/image/zoo=1,{list},a=b{path}?utm=c");
            let moved = Request::parse(&moved, None, 50, &Rules::default()).unwrap();
            assert_eq!(moved.canonical(), request.canonical(), "{target}");
            assert_eq!(moved.options, request.options, "{target}");
        }
    }
    assert!(valid > ROUNDS / 3, "{valid}");
}

#[test]
fn what_is_signed_is_served_until_something_changes() {
    let mut random = Random(3);
    let rules = signing_rules();
    for _ in 0..ROUNDS / 10 {
        let target = format!("/img/p.jpg?{}", random.join(OPTIONS, 6, "&"));
        let Ok(signed) = sign(&target, Some(60), &rules.keys[1], &rules) else { continue };
        let request = Request::parse(&signed, None, 60, &rules).unwrap();
        check(&request);
        assert_eq!(Request::parse(&signed, None, 61, &rules).unwrap_err().status(), 403);
        // Signing it again, by itself, changes nothing.
        assert_eq!(sign(&signed, None, &rules.keys[1], &rules).unwrap(), signed);

        let at = random.below(signed.len());
        let other = ["0", "a", "&"][random.below(3)];
        let changed = format!("{}{other}{}", &signed[..at], &signed[at + 1..]);
        if let Ok(changed) = Request::parse(&changed, None, 60, &rules) {
            assert_eq!(changed.canonical(), request.canonical(), "{signed}");
        }
    }
}

/// What holds for every request.
fn check(request: &Request) {
    let canonical = request.canonical();
    let again = Request::parse(&canonical, None, 0, &Rules::default()).unwrap();
    assert_eq!(again.canonical(), canonical);
    assert_eq!((&again.source, &again.options), (&request.source, &request.options), "{canonical}");
    assert!(again.ignored.is_empty());
    assert!(canonical.bytes().all(|byte| byte.is_ascii_graphic()), "{canonical}");
    for segment in request.source.segments() {
        assert!(!segment.is_empty() && !segment.starts_with('.'), "{canonical}");
        assert!(!segment.contains(['/', '\\', '\0']), "{canonical}");
    }
    // Equal cache keys, equal work, equal tags; and the class counts exactly when it is negotiated.
    for accept in [AcceptClass::Avif, AcceptClass::WebP, AcceptClass::Legacy] {
        let mut other = again.clone();
        other.accept = accept;
        let same = accept == request.accept || !request.negotiated();
        let validator = Validator::ETag("v");
        assert_eq!(other.cache_key() == request.cache_key(), same, "{canonical}");
        assert_eq!(other.etag(&validator) == request.etag(&validator), same, "{canonical}");
        if same {
            assert_eq!(other.transform(), request.transform(), "{canonical}");
        }
    }
}

fn signing_rules() -> Rules {
    let keys = ["first", "second"].map(|text| SigningKey::from_text(text).unwrap());
    Rules { keys: keys.into(), ..Rules::default() }
}

/// Sebastiano Vigna's `SplitMix64`: the same numbers on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }

    fn bytes(&mut self, max_len: usize) -> Vec<u8> {
        let len = self.below(max_len + 1);
        (0..len).map(|_| self.next().to_le_bytes()[0]).collect()
    }

    fn join(&mut self, pieces: &[&str], max_len: usize, separator: &str) -> String {
        let len = self.below(max_len + 1);
        (0..len).map(|_| pieces[self.below(pieces.len())]).collect::<Vec<_>>().join(separator)
    }
}
