//! A page at `/`: a folder of static files, read once at the start.
//!
//! Requests look names up in a table, so that no request touches a disk and none leads out of the folder. Its
//! memory is the files' bytes, and again gzipped where that is smaller: at most [`MAX_BYTES`] and what they
//! shrink to. Pictures' own addresses are never looked up here, and no file may stand where they are.

use std::{collections::HashMap, fmt::Write as _, fs, io::Write as _, path::Path};

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use hyper::{
    HeaderMap, Method,
    header::{ACCEPT_ENCODING, IF_NONE_MATCH},
};
use sha2::{Digest as _, Sha256};
use tintype_request::{Head, Refusal, etag_matches};

use super::service::{Answer, combined, refuse, respond};

/// Bytes of all files together, and how many there may be: this is for a page, not for a site.
const MAX_BYTES: u64 = 64 << 20;
const MAX_FILES: usize = 1000;

/// What the origin answers itself.
const RESERVED: [&str; 3] = ["img", "cdn-cgi", "healthz"];

/// Nothing from elsewhere, nothing inline, nobody's frame. WebAssembly may be compiled, and a picture may be one
/// that the page itself holds.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
    img-src 'self' blob: data:; connect-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// The files, by the path they are asked for with.
#[derive(Debug)]
pub(crate) struct Page {
    files: HashMap<String, File>,
}

#[derive(Debug)]
struct File {
    media_type: &'static str,
    plain: Variant,
    /// Where it is smaller.
    gzipped: Option<Variant>,
}

#[derive(Debug)]
struct Variant {
    bytes: Bytes,
    etag: String,
}

impl Page {
    /// Reads a folder. The error says what is wrong with it.
    pub(crate) fn read(dir: &Path) -> Result<Page, String> {
        let mut page = Page { files: HashMap::new() };
        let mut left = MAX_BYTES;
        page.read_folder(dir, "/", &mut left)?;
        if !page.files.contains_key("/") {
            return Err("there is no index.html in it".to_owned());
        }
        Ok(page)
    }

    /// The answer, if the path is one of the page's.
    pub(crate) fn answer(&self, method: &Method, path: &str, headers: &HeaderMap) -> Option<Answer> {
        let file = self.files.get(path)?;
        if method != Method::GET && method != Method::HEAD {
            return Some(refuse(&Refusal::method_not_allowed(), None, method).0);
        }
        let gzip = combined(headers, &ACCEPT_ENCODING).is_some_and(|accepted| takes_gzip(&accepted));
        let gzipped = file.gzipped.as_ref().filter(|_| gzip);
        let variant = gzipped.unwrap_or(&file.plain);
        let known = combined(headers, &IF_NONE_MATCH);
        let unchanged = known.is_some_and(|known| etag_matches(&known, &variant.etag));
        let head = file.head(variant, gzipped.is_some(), unchanged);
        let body = if unchanged { Bytes::new() } else { variant.bytes.clone() };
        Some(respond(&head, body, method).0)
    }

    /// Adds what lies in a folder; `prefix` is its path, with a slash at the end.
    fn read_folder(&mut self, dir: &Path, prefix: &str, left: &mut u64) -> Result<(), String> {
        let at = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
        for entry in fs::read_dir(dir).map_err(|error| at(dir, error))? {
            let entry = entry.map_err(|error| at(dir, error))?;
            let path = entry.path();
            let name = entry.file_name().into_string().ok().filter(|name| is_plain(name));
            let Some(name) = name else {
                return Err(format!(
                    "{}: a name here may have letters, digits, -, _ and dots, none of them first",
                    path.display()
                ));
            };
            if prefix == "/" && RESERVED.contains(&name.as_str()) {
                return Err(format!("{}: /{name} is the server's own", path.display()));
            }
            let kind = entry.file_type().map_err(|error| at(&path, error))?;
            if kind.is_dir() {
                self.read_folder(&path, &format!("{prefix}{name}/"), left)?;
            } else if kind.is_file() {
                let len = entry.metadata().map_err(|error| at(&path, error))?.len();
                if len > *left || self.files.len() >= MAX_FILES {
                    return Err(format!(
                        "more than {MAX_FILES} files or {} MiB: a page is small",
                        MAX_BYTES >> 20
                    ));
                }
                let bytes = fs::read(&path).map_err(|error| at(&path, error))?;
                *left = left.saturating_sub(bytes.len() as u64);
                // The folder's own address is its index.
                let path = if name == "index.html" { prefix.to_owned() } else { format!("{prefix}{name}") };
                self.files.insert(path, File::new(&name, bytes));
            } else {
                return Err(format!("{}: neither a file nor a folder", path.display()));
            }
        }
        Ok(())
    }
}

impl File {
    fn new(name: &str, bytes: Vec<u8>) -> File {
        let (media_type, shrinks) = kind(name);
        let gzipped = shrinks.then(|| gzip(&bytes)).filter(|gzipped| gzipped.len() < bytes.len());
        File { media_type, plain: Variant::new(bytes), gzipped: gzipped.map(Variant::new) }
    }

    /// Every use asks whether the file is still the same: a page of which half is yesterday's does not work.
    fn head(&self, variant: &Variant, gzipped: bool, unchanged: bool) -> Head {
        let mut headers = vec![
            ("ETag", variant.etag.clone()),
            ("Cache-Control", "no-cache".to_owned()),
            ("Content-Security-Policy", POLICY.to_owned()),
            ("Cross-Origin-Opener-Policy", "same-origin".to_owned()),
            ("Cross-Origin-Resource-Policy", "same-origin".to_owned()),
            ("Referrer-Policy", "no-referrer".to_owned()),
            ("X-Content-Type-Options", "nosniff".to_owned()),
        ];
        if self.gzipped.is_some() {
            headers.push(("Vary", "Accept-Encoding".to_owned()));
        }
        if unchanged {
            return Head { status: 304, headers };
        }
        headers.push(("Content-Type", self.media_type.to_owned()));
        if gzipped {
            headers.push(("Content-Encoding", "gzip".to_owned()));
        }
        Head { status: 200, headers }
    }
}

impl Variant {
    /// Its bytes alone make its `ETag`, so that each encoding has its own and all machines have the same.
    fn new(bytes: Vec<u8>) -> Variant {
        let mut etag = "\"".to_owned();
        for byte in Sha256::digest(&bytes).iter().take(16) {
            // Writing to a string cannot fail.
            let _ = write!(etag, "{byte:02x}");
        }
        etag.push('"');
        Variant { bytes: bytes.into(), etag }
    }
}

/// Names that stand in a path as they are.
fn is_plain(name: &str) -> bool {
    !name.starts_with('.') && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// A file's media type by its ending, and whether gzip is worth a try.
fn kind(name: &str) -> (&'static str, bool) {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => ("text/html; charset=utf-8", true),
        "css" => ("text/css; charset=utf-8", true),
        "js" => ("text/javascript; charset=utf-8", true),
        "json" => ("application/json", true),
        "txt" => ("text/plain; charset=utf-8", true),
        "svg" => ("image/svg+xml", true),
        "wasm" => ("application/wasm", true),
        "jpg" | "jpeg" => ("image/jpeg", false),
        "png" => ("image/png", false),
        "webp" => ("image/webp", false),
        "gif" => ("image/gif", false),
        "ico" => ("image/x-icon", false),
        _ => ("application/octet-stream", false),
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail; were it to, the file would go out as it is.
    encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_else(|_| bytes.to_vec())
}

/// Whether an `Accept-Encoding` names gzip (or anything) with a weight above 0.
fn takes_gzip(accepted: &str) -> bool {
    let weight = |name: &str| {
        accepted.split(',').find_map(|coding| {
            let mut parts = coding.split(';').map(str::trim);
            parts.next().filter(|coding| coding.eq_ignore_ascii_case(name))?;
            let weight = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
            Some(weight.map_or(1.0, |text| text.parse::<f32>().unwrap_or(0.0)))
        })
    };
    weight("gzip").or_else(|| weight("*")).is_some_and(|weight| weight > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        for accepted in ["gzip", "br, GZIP;q=0.5", "*", "deflate, *;q=0.1", "gzip ; q=1.0"] {
            assert!(takes_gzip(accepted), "{accepted}");
        }
        for accepted in ["", "br", "gzip;q=0", "gzip;q=0.000, *", "gzip;q=x", "gzipped", "*;q=0"] {
            assert!(!takes_gzip(accepted), "{accepted}");
        }
    }

    #[test]
    fn names_are_plain() {
        assert!(is_plain("index_bg-2.wasm"));
        for name in [".", "..", ".hidden", "a b", "a%20", "ü.js", "a/b"] {
            assert!(!is_plain(name), "{name}");
        }
    }
}
