//! Addresses to open in a browser once the server listens.

use std::fs;
use std::path::Path;

/// Thumbnails of the sample pictures, one for each thing worth seeing.
const SAMPLES: [&str; 9] = [
    "landscape.jpg?w=800",
    "landscape-progressive.jpg?w=240&f=jpeg",
    "portrait.jpg?w=400&h=400&fit=cover&g=bottom",
    "graphic.png?w=300&dpr=2",
    "alpha.png?w=400",
    "palette.png?h=320&f=png",
    "cmyk.jpg?w=480",
    "orientation-6.jpg?w=150",
    "transparent.gif?w=180",
];

/// How many pictures of somebody's own folder are named.
const OWN: usize = 6;

/// Addresses of thumbnails of the samples.
pub(crate) fn of_samples(base: &str) -> Vec<String> {
    SAMPLES.iter().map(|target| format!("{base}/img/{target}")).collect()
}

/// Addresses of thumbnails of the first pictures in a folder, by name.
pub(crate) fn of_folder(base: &str, root: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(root)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| is_picture(name) && !name.starts_with('.'))
        .collect();
    names.sort_unstable();
    names.truncate(OWN);
    if names.is_empty() {
        names.push("PATH/OF/A/PICTURE.jpg".into());
    }
    names.iter().map(|name| format!("{base}/img/{}?w=240", encoded(name))).collect()
}

fn is_picture(name: &str) -> bool {
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| {
        ["jpg", "jpeg", "png", "webp", "gif"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    })
}

/// A name as it stands in a URL's path; `/` is kept.
fn encoded(name: &str) -> String {
    let one = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    name.bytes().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_encoded() {
        assert_eq!(encoded("a b/ü#1%.jpg"), "a%20b/%C3%BC%231%25.jpg");
    }

    #[test]
    fn pictures_are_told_by_their_ending() {
        assert!(is_picture("x.JPG") && is_picture("x.webp"));
        assert!(!is_picture("x.txt") && !is_picture("jpg"));
    }
}
