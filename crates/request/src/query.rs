//! Text into keys and values: a query string, and the comma-separated list in a path.
//!
//! Values of known keys must be well encoded. A key that means nothing here is passed on as it stands where
//! it cannot be decoded: it will only be named as ignored.

use std::borrow::Cow;

use crate::percent::{self, Broken};
use crate::{Refusal, keys};

/// A decoded key and value.
pub(crate) type Pair = (String, String);

/// The long name of a key, if it means something.
type NameOf = fn(&str) -> Option<&'static str>;

/// The pairs of a query string, read as HTML forms write it: `&` between pairs, `+` for a space, a pair
/// without `=` is a key with an empty value. `name` tells the keys that mean something.
pub(crate) fn form_pairs(query: &str, name: NameOf) -> Result<Vec<Pair>, Refusal> {
    items(query, '&')
        .map(|item| pair(item.split_once('=').unwrap_or((item, "")), name, form_decode))
        .collect()
}

/// The pairs of an option list in a path: `,` between pairs (`%2C` within one), `+` is a plus sign. An item
/// without `=` is an error, because it is most likely what follows an unencoded comma in a value.
pub(crate) fn list_pairs(list: &str) -> Result<Vec<Pair>, Refusal> {
    items(list, ',')
        .map(|item| {
            let parts = item.split_once('=').ok_or_else(|| Refusal::list_item(item))?;
            pair(parts, keys::long_name, path_decode)
        })
        .collect()
}

/// Empty items, as between `&&` or after a trailing comma, are none.
fn items(text: &str, separator: char) -> impl Iterator<Item = &str> {
    text.split(separator).filter(|item| !item.is_empty())
}

fn pair(
    (key, value): (&str, &str),
    name: NameOf,
    decode: fn(&str) -> Result<String, Broken>,
) -> Result<Pair, Refusal> {
    let key = decode(key).unwrap_or_else(|Broken| key.to_owned());
    let value = match (decode(value), name(&key)) {
        (Ok(value), _) => value,
        (Err(Broken), None) => value.to_owned(),
        (Err(Broken), Some(name)) => {
            return Err(Refusal::value(name, value, "is not valid percent-encoding"));
        }
    };
    Ok((key, value))
}

fn form_decode(text: &str) -> Result<String, Broken> {
    path_decode(&text.replace('+', " "))
}

/// What is no UTF-8 becomes U+FFFD, which no grammar of a value takes.
fn path_decode(text: &str) -> Result<String, Broken> {
    percent::decode(text).map(|bytes| match String::from_utf8_lossy(&bytes) {
        Cow::Borrowed(text) => text.to_owned(),
        Cow::Owned(text) => text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        let pairs = form_pairs("&w=2%340&&a+b=c+d%2B=&flag&%ZZ=%&=x", keys::long_name).unwrap();
        let expected = [("w", "240"), ("a b", "c d+="), ("flag", ""), ("%ZZ", "%"), ("", "x")].map(owned);
        assert_eq!(pairs, expected);
    }

    #[test]
    fn lists() {
        let pairs = list_pairs("w=240,g=0%2C1,v=a+b,").unwrap();
        assert_eq!(pairs, [("w", "240"), ("g", "0,1"), ("v", "a+b")].map(owned));
        let refusal = list_pairs("g=0,1").unwrap_err();
        assert_eq!(refusal.to_string(), "options: \"1\" is not key=value");
    }

    fn owned((key, value): (&str, &str)) -> Pair {
        (key.to_owned(), value.to_owned())
    }
}
