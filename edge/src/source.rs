//! Where pictures come from: an R2 bucket, or an HTTP origin.
//!
//! A request's path enters; the source's validator and length leave, and its body as a [`Download`] that is
//! read chunk by chunk and stopped when dropped.

use js_sys::futures::JsFuture;
use js_sys::{Reflect, Uint8Array};
use tintype_instance::text_of;
use tintype_request::{Refusal, SourcePath, Validator};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{
    AbortController, ReadableStream, ReadableStreamDefaultReader, RequestInit, Response, WorkerGlobalScope,
};
use worker::{Env, ResponseBody};

use crate::denied::Denied;
use crate::settings::Settings;

/// The binding of the bucket.
const BUCKET: &str = "SOURCE_BUCKET";

/// An open source, of whose body nothing was read yet.
#[derive(Debug)]
pub(crate) struct Source {
    /// What tells this version of it from another; without one there is no `ETag`.
    pub(crate) version: Option<Version>,
    /// Its bytes, if known.
    pub(crate) len: Option<u64>,
    /// Its body.
    pub(crate) download: Download,
}

/// A validator that owns its text.
#[derive(Debug)]
pub(crate) enum Version {
    ETag(String),
    Modified { unix_time: u64, len: u64 },
}

impl Version {
    pub(crate) fn validator(&self) -> Validator<'_> {
        match self {
            Version::ETag(etag) => Validator::ETag(etag),
            &Version::Modified { unix_time, len } => Validator::Modified { unix_time, len },
        }
    }
}

/// Opens the source at `path`: in the bucket where one is bound, else at the configured origin.
pub(crate) async fn open(env: &Env, settings: &Settings, path: &SourcePath) -> Result<Source, Denied> {
    if let Ok(bucket) = env.bucket(BUCKET) {
        from_bucket(&bucket, path).await
    } else if let Some(base) = &settings.base {
        from_origin(&format!("{base}/{path}")).await
    } else {
        let cause = "neither SOURCE_BUCKET nor SOURCE_BASE is configured";
        Err(Denied::because(Refusal::internal(), cause))
    }
}

async fn from_bucket(bucket: &worker::Bucket, path: &SourcePath) -> Result<Source, Denied> {
    let failed = |error: worker::Error| Denied::source(format!("R2: {error}"));
    let key = path.segments().collect::<Vec<_>>().join("/");
    let object = bucket.get(key).execute().await.map_err(failed)?.ok_or_else(Refusal::no_such_source)?;
    let body = object.body().ok_or_else(|| Denied::source("R2: an object without a body"))?;
    let ResponseBody::Stream(stream) = body.response_body().map_err(failed)? else {
        return Err(Denied::source("R2: a body that is no stream"));
    };
    Ok(Source {
        version: Some(Version::ETag(object.http_etag())),
        len: Some(object.size()),
        download: Download::new(Some(stream), None)?,
    })
}

async fn from_origin(url: &str) -> Result<Source, Denied> {
    let failed = |error: JsValue| Denied::source(text_of(&error));
    let abort = AbortOnDrop(Some(AbortController::new().map_err(failed)?));
    let init = RequestInit::new();
    init.set_signal(abort.0.as_ref().map(AbortController::signal).as_ref());
    let global: WorkerGlobalScope = js_sys::global().unchecked_into();
    let answer = JsFuture::from(global.fetch_with_str_and_init(url, &init)).await.map_err(failed)?;
    let answer: Response = answer.unchecked_into();
    match answer.status() {
        200 => (),
        // An origin that hides what may not be read says 401 or 403 of it; the client need not know which.
        401 | 403 | 404 | 410 => return Err(Refusal::no_such_source().into()),
        504 => return Err(Denied::because(Refusal::timed_out(), "the origin answered 504")),
        status => return Err(Denied::source(format!("the origin answered {status}"))),
    }
    let headers = answer.headers();
    let header = |name: &str| headers.get(name).ok().flatten();
    // The length of a coded body says nothing of the picture's.
    let coded = header("content-encoding").is_some_and(|coding| !coding.eq_ignore_ascii_case("identity"));
    let len = header("content-length").and_then(|len| len.parse().ok()).filter(|_| !coded);
    let modified = header("last-modified").and_then(|date| unix_time(&date));
    let version = match (header("etag"), modified, len) {
        (Some(etag), _, _) => Some(Version::ETag(etag)),
        (None, Some(unix_time), Some(len)) => Some(Version::Modified { unix_time, len }),
        _ => None,
    };
    Ok(Source { version, len, download: Download::new(answer.body(), Some(abort))? })
}

/// Whole seconds of JavaScript's milliseconds since 1970.
#[expect(clippy::cast_sign_loss, reason = "earlier times count as 1970")]
pub(crate) fn seconds(millis: f64) -> u64 {
    (millis / 1000.0) as u64
}

/// Seconds since 1970 of an HTTP date.
fn unix_time(date: &str) -> Option<u64> {
    let millis = js_sys::Date::parse(date);
    (!millis.is_nan()).then(|| seconds(millis))
}

/// A body, read chunk by chunk. Dropping it stops the transfer.
#[derive(Debug)]
pub(crate) struct Download {
    reader: Option<ReadableStreamDefaultReader>,
    _abort: Option<AbortOnDrop>,
}

impl Download {
    fn new(stream: Option<ReadableStream>, abort: Option<AbortOnDrop>) -> Result<Download, Denied> {
        let reader = stream.map(|stream| ReadableStreamDefaultReader::new(&stream)).transpose();
        let reader = reader.map_err(|error| Denied::source(text_of(&error)))?;
        Ok(Download { reader, _abort: abort })
    }

    /// The next chunk; `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Uint8Array>, Denied> {
        let failed = |error: JsValue| Denied::source(format!("the transfer broke: {}", text_of(&error)));
        let Some(reader) = &self.reader else { return Ok(None) };
        let result = JsFuture::from(reader.read()).await.map_err(failed)?;
        if Reflect::get(&result, &"done".into()).map_err(failed)?.is_truthy() {
            self.reader = None;
            return Ok(None);
        }
        Ok(Some(Reflect::get(&result, &"value".into()).map_err(failed)?.unchecked_into()))
    }
}

impl Drop for Download {
    fn drop(&mut self) {
        if let Some(reader) = self.reader.take() {
            // Nobody waits for it, nor cares how it goes: the request is answered without.
            worker::wasm_bindgen_futures::spawn_local(async move {
                let _ = JsFuture::from(reader.cancel()).await;
            });
        }
    }
}

/// Stops a fetch that was not read to its end.
#[derive(Debug)]
struct AbortOnDrop(Option<AbortController>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        if let Some(controller) = &self.0 {
            controller.abort();
        }
    }
}
