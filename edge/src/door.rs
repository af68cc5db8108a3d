//! The fetch event: a request in, its answer out, whatever happens.

use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::{Either, select};
use js_sys::Uint8Array;
use tintype_core::Output;
use tintype_request::{Head, Refusal, Request, etag_matches};
use wasm_bindgen::JsValue;
use worker::{Context, Delay, Env, event};

use crate::answer::{refuse, respond};
use crate::cache::{self, Hit, Lookup};
use crate::denied::Denied;
use crate::settings::Settings;
use crate::{picture, pool, source};

/// Answers a request.
#[event(fetch)]
async fn fetch(
    http: web_sys::Request,
    env: Env,
    context: Context,
) -> Result<web_sys::Response, worker::Error> {
    let is_head = http.method() == "HEAD";
    if http.method() != "GET" && !is_head {
        return Ok(refuse(&Refusal::method_not_allowed(), None, is_head)?);
    }
    let settings = match Settings::of(&env) {
        Ok(settings) => settings,
        Err(cause) => {
            worker::console_error!("tintype: {cause}");
            return Ok(refuse(&Refusal::internal(), None, is_head)?);
        }
    };
    let url = http.url();
    let (origin, target) = split(&url);
    let header = |name: &str| http.headers().get(name).ok().flatten();
    let request = Request::parse(target, header("accept").as_deref(), unix_time(), &settings.rules);
    let request = match request {
        Ok(request) => request,
        Err(refusal) => return Ok(refuse(&refusal, None, is_head)?),
    };
    let door =
        Door { env, context, settings, request: Rc::new(request), known: header("if-none-match"), is_head };
    Ok(door.answer(origin, target).await?)
}

/// Everything about one request.
struct Door {
    env: Env,
    context: Context,
    settings: Rc<Settings>,
    request: Rc<Request>,
    /// The `ETag`s that the client has.
    known: Option<String>,
    is_head: bool,
}

/// What a request leads to, if it is not refused.
enum Found {
    Unchanged { etag: String },
    Stored(Hit),
    Made { etag: Option<String>, output: Output, bytes: Uint8Array, memory: u64 },
}

impl Door {
    async fn answer(&self, origin: &str, target: &str) -> Result<web_sys::Response, JsValue> {
        let limit = Delay::from(Duration::from_millis(self.settings.timeout.into()));
        let found = match select(pin!(self.find(origin)), pin!(limit)).await {
            Either::Left((found, _)) => found,
            Either::Right(((), _)) => {
                let cause = format!("not done after {} ms", self.settings.timeout);
                Err(Denied::because(Refusal::timed_out(), cause))
            }
        };
        let answer = match found {
            Ok(Found::Unchanged { etag }) => {
                let head = Head::not_modified(&self.request, &etag, &self.settings.rules);
                respond(&head, None, self.is_head)?
            }
            Ok(Found::Stored(hit)) => {
                let mut head = self.head(hit.etag.as_deref(), &hit.output);
                head.headers.extend(hit.age.map(|age| ("Age", age)));
                respond(&head, Some(&hit.bytes), self.is_head)?
            }
            Ok(Found::Made { etag, output, bytes, memory }) => {
                let mut head = self.head(etag.as_deref(), &output);
                if self.settings.debug {
                    head.headers.push(("X-Wasm-Memory", memory.to_string()));
                }
                respond(&head, Some(&bytes), self.is_head)?
            }
            Err(denied) => {
                denied.log(target);
                refuse(&denied.refusal, Some(&self.request), self.is_head)?
            }
        };
        if self.settings.debug {
            answer.headers().set("X-Wasm-Instances", &pool::made().to_string())?;
        }
        Ok(answer)
    }

    async fn find(&self, origin: &str) -> Result<Found, Denied> {
        let entry = match cache::look_up(origin, &self.request).await {
            Lookup::Hit(hit) => {
                return Ok(match hit.etag {
                    Some(etag) if self.client_has(&etag) => Found::Unchanged { etag },
                    _ => Found::Stored(hit),
                });
            }
            Lookup::Miss(entry) => Some(entry),
            Lookup::None => None,
        };
        let source = source::open(&self.env, &self.settings, &self.request.source).await?;
        let etag = source.version.map(|version| self.request.etag(&version.validator()));
        if let Some(etag) = etag.as_ref().filter(|etag| self.client_has(etag)) {
            return Ok(Found::Unchanged { etag: etag.clone() });
        }
        let transform = self.request.transform();
        let picture = picture::make(source.download, source.len, &transform, &self.settings).await?;
        let picture::Picture { bytes, output, memory } = picture;
        // Without a validator nobody can tell whether what is stored is still right.
        if let (Some(entry), Some(etag)) = (entry, &etag) {
            let (request, settings) = (Rc::clone(&self.request), Rc::clone(&self.settings));
            let (etag, bytes) = (etag.clone(), bytes.clone());
            self.context.wait_until(async move {
                cache::store(entry, &request, &etag, &output, &bytes, &settings.rules).await;
            });
        }
        Ok(Found::Made { etag, output, bytes, memory })
    }

    fn client_has(&self, etag: &str) -> bool {
        self.known.as_deref().is_some_and(|known| etag_matches(known, etag))
    }

    fn head(&self, etag: Option<&str>, output: &Output) -> Head {
        let mut head = Head::picture(&self.request, etag.unwrap_or_default(), output, &self.settings.rules);
        if etag.is_none() {
            head.headers.retain(|(name, _)| *name != "ETag");
        }
        head
    }
}

/// A URL's scheme and host, and its path and query as the client wrote them: the `url` crate would resolve `..`,
/// which is the request crate's to refuse.
fn split(url: &str) -> (&str, &str) {
    let host = url.find("://").map_or(0, |at| at + 3);
    let path = url[host..].find(['/', '?', '#']).map_or(url.len(), |at| host + at);
    let (origin, target) = url.split_at(path);
    (origin, if target.is_empty() { "/" } else { target })
}

fn unix_time() -> u64 {
    source::seconds(js_sys::Date::now())
}
