//! Which keys and values there are, and which of them this version does not act on.
//!
//! A key that means something must never be ignored, or the answer would be the wrong picture. So this
//! file also knows the keys of the whole grammar that are still to come.

use Later::{Except, Only};

/// Long names and aliases of the keys that are read.
const KEYS: &[(&str, &str)] = &[
    ("width", "w"),
    ("height", "h"),
    ("fit", "fit"),
    ("gravity", "g"),
    ("dpr", "dpr"),
    ("quality", "q"),
    ("format", "f"),
    ("effort", "effort"),
    ("background", "background"),
    ("border.bottom", "border.bottom"),
    ("border.color", "border.color"),
    ("border.left", "border.left"),
    ("border.right", "border.right"),
    ("border.top", "border.top"),
    ("border.width", "border.width"),
    ("flip", "flip"),
    ("radius", "radius"),
    ("rotate", "rotate"),
    ("speed", "speed"),
    ("trim", "trim"),
    ("trim.border.color", "trim.border.color"),
    ("trim.border.keep", "trim.border.keep"),
    ("trim.border.tolerance", "trim.border.tolerance"),
    ("trim.height", "trim.height"),
    ("trim.left", "trim.left"),
    ("trim.top", "trim.top"),
    ("trim.width", "trim.width"),
    ("strict", "strict"),
    ("exp", "exp"),
    ("sig", "sig"),
];

/// Which values of a key are not available.
enum Later {
    /// All but these, which say what is done anyway.
    Except(&'static [&'static str]),
    /// These; the key is one of [`KEYS`], whose grammar decides about others.
    Only(&'static [&'static str]),
}

/// What is to come. Whoever makes an option work removes its line here.
const LATER: &[(&str, Later)] = &[
    ("width", Only(&["auto"])),
    ("height", Only(&["auto"])),
    ("fit", Only(&["scale-up"])),
    ("gravity", Only(&["face"])),
    ("format", Only(&["avif", "json", "thumbhash", "blurhash", "original"])),
    ("anim", Except(&["false"])), // the first frame is what everyone gets
    ("blur", Except(&[])),
    ("border", Except(&[])),
    ("brightness", Except(&["1"])),
    ("color", Except(&[])),
    ("compression", Except(&[])),
    ("contrast", Except(&["1"])),
    ("exact", Except(&[])),
    ("gamma", Except(&["1"])),
    ("linear", Except(&[])),
    ("lqip", Except(&[])),
    ("max_bytes", Except(&[])),
    ("metadata", Except(&["none"])),
    ("onerror", Except(&[])),
    ("page", Except(&[])),
    ("preset", Except(&[])),
    ("saturation", Except(&["1"])),
    ("segment", Except(&[])),
    ("sharpen", Except(&["0"])),
    ("slow-connection-quality", Except(&[])),
    ("trim.border", Except(&[])),
    ("upscale", Except(&["interpolate"])),
    ("zoom", Except(&[])),
];

/// Aliases among the keys to come.
const LATER_ALIASES: &[(&str, &str)] = &[("slow-connection-quality", "scq")];

/// What this version makes of a known key and a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Availability {
    /// The key has a grammar: read the value.
    Read,
    /// The value says what is done anyway.
    NoEffect,
    /// The key is not available, whatever the value (but for those without effect).
    NoKey,
    /// The key is available, this value of it is not.
    NoValue,
}

/// The long name of a key or alias; `None` for a key that means nothing here.
pub(crate) fn long_name(key: &str) -> Option<&'static str> {
    let aliased = KEYS.iter().chain(LATER_ALIASES).find(|(long, alias)| *long == key || *alias == key);
    aliased.map(|&(long, _)| long).or_else(|| LATER.iter().map(|&(long, _)| long).find(|long| *long == key))
}

/// The long name of a key that says whether an address is valid, not what its picture is.
pub(crate) fn of_address(key: &str) -> Option<&'static str> {
    long_name(key).filter(|name| matches!(*name, "exp" | "sig"))
}

/// What to do with a value of the key with this long name.
pub(crate) fn availability(long_name: &str, value: &str) -> Availability {
    match LATER.iter().find(|(key, _)| *key == long_name) {
        Some((_, Only(values))) if values.contains(&value) => Availability::NoValue,
        Some((_, Except(values))) if values.contains(&value) => Availability::NoEffect,
        // Where some value is accepted, the key as such is, and the message should blame the value.
        Some((_, Except(values))) if !values.is_empty() => Availability::NoValue,
        Some((_, Except(_))) => Availability::NoKey,
        Some((_, Only(_))) | None => Availability::Read,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_is_listed_once() {
        let mut names = Vec::new();
        for (long, alias) in KEYS.iter().chain(LATER_ALIASES) {
            names.push(*long);
            if alias != long {
                names.push(*alias);
            }
        }
        for (key, later) in LATER {
            let read = KEYS.iter().any(|(long, _)| long == key);
            assert_eq!(read, matches!(later, Only(_)), "{key}");
            if !read && LATER_ALIASES.iter().all(|(long, _)| long != key) {
                names.push(*key);
            }
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn keys_to_come_are_known() {
        assert_eq!(long_name("scq"), Some("slow-connection-quality"));
        assert_eq!(availability("blur", "5"), Availability::NoKey);
        assert_eq!(availability("metadata", "none"), Availability::NoEffect);
        assert_eq!(availability("metadata", "keep"), Availability::NoValue);
        assert_eq!(availability("fit", "scale-up"), Availability::NoValue);
        assert_eq!(availability("fit", "cover"), Availability::Read);
        assert_eq!(availability("width", "1"), Availability::Read);
        assert_eq!((long_name("w"), long_name("W")), (Some("width"), None));
    }
}
