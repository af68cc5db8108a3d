//! The Cache API, which other requests for the same result meet in.
//!
//! Keyed by the request's cache key, so that every spelling of a request shares one entry. What is stored is the
//! answer to the canonical request; each client's answer is made anew from it, because what it says of the
//! address, its lifetime and ignored keys, is not part of the key.

use js_sys::Uint8Array;
use js_sys::futures::JsFuture;
use tintype_core::{Format, Output};
use tintype_request::{Head, Request, Rules};
use wasm_bindgen::{JsCast as _, JsValue};
use worker::Cache;

use crate::answer::respond;

/// What the cache knows of a request.
pub(crate) enum Lookup {
    /// The picture.
    Hit(Hit),
    /// Nothing; it can be stored there.
    Miss(Entry),
    /// There is no cache.
    None,
}

/// A stored picture.
pub(crate) struct Hit {
    pub(crate) etag: Option<String>,
    pub(crate) output: Output,
    pub(crate) bytes: Uint8Array,
    /// Seconds since it was stored, where the cache says so.
    pub(crate) age: Option<String>,
}

/// The place for a result.
pub(crate) struct Entry {
    key: String,
}

/// Looks a request up. `origin` is the scheme and host that it came to: some zones accept no other in keys.
pub(crate) async fn look_up(origin: &str, request: &Request) -> Lookup {
    let key = format!("{origin}{}", request.cache_key());
    match Cache::default().get(key.as_str(), false).await {
        Ok(Some(stored)) => match read(stored.into()).await {
            Some(hit) => Lookup::Hit(hit),
            None => Lookup::Miss(Entry { key }),
        },
        Ok(None) => Lookup::Miss(Entry { key }),
        Err(_) => Lookup::None,
    }
}

/// Stores a picture. A cache that does not take it is no reason to fail.
pub(crate) async fn store(
    entry: Entry,
    request: &Request,
    etag: &str,
    output: &Output,
    bytes: &Uint8Array,
    rules: &Rules,
) {
    // Without signature and expiry: the entry is for everybody whose own address is valid.
    let anybody = Rules { keys: Vec::new(), ..rules.clone() };
    let Ok(mut canonical) = Request::parse(&request.canonical(), None, 0, &anybody) else { return };
    canonical.accept = request.accept;
    let mut head = Head::picture(&canonical, etag, output, rules);
    // The key has what the answer varies by.
    head.headers.retain(|(name, _)| *name != "Vary");
    if let Ok(answer) = respond(&head, Some(bytes), false)
        && let Err(error) = Cache::default().put(entry.key, answer.into()).await
    {
        worker::console_warn!("tintype: the cache did not take a result: {error}");
    }
}

/// A stored answer's facts; `None` if something else lies under our key.
async fn read(stored: web_sys::Response) -> Option<Hit> {
    let headers = stored.headers();
    let header = |name: &str| headers.get(name).ok().flatten();
    let media_type = header("content-type")?;
    let format = [Format::Jpeg, Format::Png, Format::WebP]
        .into_iter()
        .find(|format| format.media_type() == media_type)?;
    let buffer: JsValue = JsFuture::from(stored.array_buffer().ok()?).await.ok()?;
    let bytes = Uint8Array::new(buffer.unchecked_ref::<js_sys::ArrayBuffer>());
    let output = Output {
        len: bytes.length() as usize,
        // Not stored: no answer says them.
        width: 0,
        height: 0,
        format,
        damaged: header("x-tintype-damaged").is_some(),
        bytes_used: 0,
    };
    Some(Hit { etag: header("etag"), output, bytes, age: header("age") })
}
