//! Telling a file's kind by its first bytes, never by its name.

use crate::{Error, Format};

/// Bytes that tell every kind known here.
pub(crate) const SNIFF_LEN: usize = 64;

/// The format of a file that starts with `head` ([`SNIFF_LEN`] bytes, or the whole file if that is shorter).
///
/// # Errors
/// `Truncated` for an empty file; `Unsupported` for everything else, saying what it looks like.
pub(crate) fn sniff(head: &[u8]) -> Result<Format, Error> {
    if head.is_empty() {
        return Err(Error::Truncated { format: None });
    }
    let webp = head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP");
    let formats: [(bool, Format); 4] = [
        (head.starts_with(&[0xff, 0xd8, 0xff]), Format::Jpeg),
        (head.starts_with(b"\x89PNG\r\n\x1a\n"), Format::Png),
        (webp, Format::WebP),
        (head.starts_with(b"GIF87a") || head.starts_with(b"GIF89a"), Format::Gif),
    ];
    match formats.iter().find(|(is, _)| *is) {
        Some(&(_, format)) => Ok(format),
        None => Err(Error::Unsupported { format: None, what: describe(head) }),
    }
}

/// What a file that is none of ours looks like, as a noun phrase.
fn describe(head: &[u8]) -> &'static str {
    const SIGNATURES: &[(&[u8], &str)] = &[
        (b"BM", "a BMP picture"),
        (b"II*\0", "a TIFF picture"),
        (b"MM\0*", "a TIFF picture"),
        (b"\0\0\x01\0", "an ICO picture"),
        (b"qoif", "a QOI picture"),
        (b"8BPS", "a Photoshop document"),
        (b"\xff\x0a", "a JPEG XL picture"),
        (b"\0\0\0\x0cJXL ", "a JPEG XL picture"),
        (b"\0\0\0\x0cjP  ", "a JPEG 2000 picture"),
        (b"%PDF", "a PDF document"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1f\x8b", "a gzip archive"),
    ];
    if let Some((_, what)) = SIGNATURES.iter().find(|(signature, _)| head.starts_with(signature)) {
        return what;
    }
    if head.get(4..8) == Some(b"ftyp") {
        return match head.get(8..12) {
            Some(b"avif" | b"avis") => "an AVIF picture",
            Some(b"heic" | b"heix" | b"mif1" | b"msf1") => "a HEIF picture",
            _ => "a video",
        };
    }
    describe_text(head)
}

/// The markup languages, plain text, or nothing known.
fn describe_text(head: &[u8]) -> &'static str {
    const HTML: &[&[u8]] = &[b"<!doctype html", b"<html", b"<head", b"<body", b"<script", b"<title"];
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let starts = |tag: &[u8]| text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    if HTML.iter().any(|tag| starts(tag)) {
        "an HTML page"
    } else if starts(b"<svg") || (starts(b"<?xml") && text.windows(4).any(|w| w == b"<svg")) {
        "an SVG drawing"
    } else if starts(b"<?xml") {
        "an XML document"
    } else if head.iter().all(|&byte| byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r')) {
        "a text file"
    } else {
        "of no known kind"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours() {
        assert_eq!(sniff(b"\xff\xd8\xff\xe0"), Ok(Format::Jpeg));
        assert_eq!(sniff(b"\x89PNG\r\n\x1a\n\0\0\0\x0d"), Ok(Format::Png));
        assert_eq!(sniff(b"RIFF\x10\0\0\0WEBPVP8 "), Ok(Format::WebP));
        assert_eq!(sniff(b"GIF89a"), Ok(Format::Gif));
    }

    #[test]
    fn others_are_named() {
        let cases: &[(&[u8], &str)] = &[
            (b"\xef\xbb\xbf \n<!DOCTYPE HTML><title>", "an HTML page"),
            (b"<?xml version=\"1.0\"?><svg xmlns=", "an SVG drawing"),
            (b"<?xml version=\"1.0\"?><rss>", "an XML document"),
            (b"\0\0\0\x1cftypavif", "an AVIF picture"),
            (b"\0\0\0\x1cftypheic", "a HEIF picture"),
            (b"\0\0\0\x1cftypmp42", "a video"),
            (b"RIFF\x10\0\0\0WAVEfmt ", "of no known kind"),
            (b"hello, world", "a text file"),
            (b"\0", "of no known kind"),
        ];
        for &(head, what) in cases {
            assert_eq!(sniff(head), Err(Error::Unsupported { format: None, what }));
        }
        assert_eq!(sniff(b""), Err(Error::Truncated { format: None }));
    }
}
