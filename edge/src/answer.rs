//! Answers for the runtime: a head and a body in, a `Response` out.

use js_sys::Uint8Array;
use tintype_request::{Head, Refusal, Request};
use wasm_bindgen::JsValue;
use web_sys::{Headers, Response, ResponseInit};

/// The answer with this head. `HEAD`'s answer has the length that `GET`'s would have, and no body.
pub(crate) fn respond(head: &Head, body: Option<&Uint8Array>, is_head: bool) -> Result<Response, JsValue> {
    let headers = Headers::new()?;
    for (name, value) in &head.headers {
        headers.set(name, value)?;
    }
    let body = body.filter(|_| head.status != 304);
    if let Some(body) = body {
        headers.set("Content-Length", &body.length().to_string())?;
    }
    let init = ResponseInit::new();
    init.set_status(head.status);
    init.set_headers(&headers);
    Response::new_with_opt_buffer_source_and_init(body.filter(|_| !is_head).map(AsRef::as_ref), &init)
}

/// The answer to a request that is refused. `request` is given where the target could be read.
pub(crate) fn refuse(
    refusal: &Refusal,
    request: Option<&Request>,
    is_head: bool,
) -> Result<Response, JsValue> {
    let text = format!("{refusal}\n");
    let body = Uint8Array::from(text.as_bytes());
    respond(&Head::refusal(refusal, request), Some(&body), is_head)
}
