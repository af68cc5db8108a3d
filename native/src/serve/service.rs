//! A request's way: what it means, its source, its memory, its job, its answer.
//!
//! 1. Parse (the request crate); nothing is touched for a request that has no meaning.
//! 2. Open the source and read its facts; its `ETag` follows, and 304 is answered if the client has it.
//! 3. Reserve a place in the queue, or refuse at once.
//! 4. Read the header, plan, and wait for the memory that the plan states.
//! 5. Read the source and make the picture, on a CPU thread.
//! 6. Answer with the buffer the picture was made in.
//!
//! All of it is one future: when the client leaves or the time is up it is dropped, and the job stops.

use std::{
    sync::Arc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use bytes::Bytes;
use http_body_util::Full;
use hyper::{
    HeaderMap, Method, Request as HttpRequest, Response,
    header::{ACCEPT, CONTENT_LENGTH, HeaderName, HeaderValue, IF_NONE_MATCH},
};
use tintype_core::{Limits, Plan};
use tintype_request::{Head, Refusal, Request, Rules, etag_matches};
use tokio::task;

use super::{
    budget::{Budget, Share},
    denied::Denied,
    jobs::{Jobs, Panicked, Slot},
    metrics::Metrics,
};
use crate::{
    memory::{Lease, Pool},
    picture::{self, Picture},
    source::{Directory, SourceFile},
};

/// An answer. Its body is in memory when its head is sent.
pub(crate) type Answer = Response<Full<Bytes>>;

/// All that answering takes; shared by all connections.
pub(crate) struct Service {
    /// The pictures.
    pub directory: Directory,
    /// What the operator decides about requests.
    pub rules: Rules,
    /// What the operator decides about sources and results.
    pub limits: Limits,
    /// How long a request may take.
    pub timeout: Duration,
    /// The buffers.
    pub pool: Pool,
    /// The CPU threads.
    pub jobs: Jobs,
    /// The memory for all requests.
    pub budget: Budget,
    /// What is counted.
    pub metrics: Metrics,
}

impl Service {
    /// Answers any request.
    pub(crate) async fn answer<B>(self: Arc<Self>, http: HttpRequest<B>) -> Answer {
        if http.uri().path() == "/healthz" {
            return healthy(http.method());
        }
        let in_flight = self.metrics.begin();
        let (answer, len) = self.picture_or_refusal(&http).await;
        in_flight.answered(answer.status().as_u16(), len);
        answer
    }

    /// The answer, and the bytes of its body.
    async fn picture_or_refusal<B>(self: &Arc<Self>, http: &HttpRequest<B>) -> (Answer, u64) {
        if http.method() != Method::GET && http.method() != Method::HEAD {
            return refuse(&Refusal::method_not_allowed(), None, http.method());
        }
        let target = http.uri().path_and_query().map_or("/", |target| target.as_str());
        let accept = combined(http.headers(), &ACCEPT);
        let request = match Request::parse(target, accept.as_deref(), unix_time(), &self.rules) {
            Ok(request) => Arc::new(request),
            Err(refusal) => return refuse(&refusal, None, http.method()),
        };
        let known = combined(http.headers(), &IF_NONE_MATCH);
        let work = self.picture(&request, known);
        let denied = match tokio::time::timeout(self.timeout, work).await {
            Ok(Ok(Found::Unchanged { etag })) => {
                return respond(
                    &Head::not_modified(&request, &etag, &self.rules),
                    Bytes::new(),
                    http.method(),
                );
            }
            Ok(Ok(Found::Made(made))) => return self.send(&request, *made, http.method()),
            Ok(Err(denied)) => denied,
            Err(_elapsed) => Denied::timed_out(self.timeout),
        };
        denied.log(http.uri().path());
        refuse(&denied.refusal, Some(&request), http.method())
    }

    async fn picture(
        self: &Arc<Self>,
        request: &Arc<Request>,
        known: Option<String>,
    ) -> Result<Found, Denied> {
        let begin = Instant::now();
        let (service, wanted) = (Arc::clone(self), Arc::clone(request));
        let opened = self.blocking(move || service.open(&wanted, known.as_deref())).await?;
        let ready = match opened {
            Opened::Unchanged { etag } => return Ok(Found::Unchanged { etag }),
            Opened::Ready(ready) => ready,
        };
        let Ready { file, etag, plan, slot } = *ready;
        let share = self.budget.take(price(&plan, file.len(), &self.pool)).await;
        let waited = Instant::now();
        let pool = self.pool.clone();
        // The slot and the share go where the work goes: it counts until it ends, also when this future is
        // dropped before.
        let (source, slot, mut share) =
            self.blocking(move || Ok((file.read_all(&pool)?, slot, share))).await?;
        let read = Instant::now();
        let pool = self.pool.clone();
        let (picture, share, started) = self
            .jobs
            .run(slot, move |stop| {
                let started = Instant::now();
                let picture = picture::make(&plan, &source, &pool, stop);
                drop(source);
                if let Ok(picture) = &picture {
                    share.shrink_to(picture.bytes.capacity() as u64);
                }
                (picture, share, started)
            })
            .await?;
        let picture = picture?;
        let timing = format!(
            "open;dur={}, read;dur={}, queue;dur={}, decode;dur={}, resize;dur={}, encode;dur={}",
            millis(waited - begin),
            millis(read - waited),
            millis(started - read),
            millis(picture.times.decode),
            millis(picture.times.resize),
            millis(picture.times.encode),
        );
        Ok(Found::Made(Box::new(Made { picture, share, etag, timing })))
    }

    /// Steps 2 to 4: on a thread that may block.
    fn open(&self, request: &Request, known: Option<&str>) -> Result<Opened, Denied> {
        let file = self.directory.file(&request.source)?;
        let etag = request.etag(&file.validator());
        if known.is_some_and(|known| etag_matches(known, &etag)) {
            return Ok(Opened::Unchanged { etag });
        }
        let slot = self.jobs.reserve().ok_or_else(|| Denied::from(Refusal::overloaded(1)))?;
        let len = file.len();
        // The plan counts what it asks for itself; the source's own bytes come on top.
        let memory = self.limits.memory.min(self.budget.bytes().saturating_sub(len));
        let limits = Limits { memory, ..self.limits };
        let header = picture::header(len, &limits, |wanted| {
            file.read_start(wanted, &self.pool).map_err(Denied::from)
        })?;
        let plan = picture::plan(&header, len, &request.transform(), &limits)?;
        Ok(Opened::Ready(Box::new(Ready { file, etag, plan, slot })))
    }

    /// Runs file I/O on a thread that may block.
    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Denied> + Send + 'static,
    ) -> Result<T, Denied> {
        task::spawn_blocking(work).await.unwrap_or_else(|_| {
            self.metrics.panicked();
            Err(Panicked.into())
        })
    }

    fn send(&self, request: &Request, made: Made, method: &Method) -> (Answer, u64) {
        let mut head = Head::picture(request, &made.etag, &made.picture.output, &self.rules);
        head.headers.push(("Server-Timing", made.timing));
        respond(&head, Bytes::from_owner(Body { bytes: made.picture.bytes, _share: made.share }), method)
    }
}

/// What a request leads to, if it is not refused.
enum Found {
    Unchanged { etag: String },
    Made(Box<Made>),
}

struct Made {
    picture: Picture,
    share: Share,
    etag: String,
    timing: String,
}

enum Opened {
    Unchanged { etag: String },
    Ready(Box<Ready>),
}

struct Ready {
    file: SourceFile,
    etag: String,
    plan: Plan,
    slot: Slot,
}

/// A finished picture on its way to the client; its buffer and its share of the budget are given back when
/// hyper has sent or dropped it.
struct Body {
    bytes: Lease,
    _share: Share,
}

impl AsRef<[u8]> for Body {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Bytes of memory a request takes while it is worked on: three leases, and what libraries allocate.
fn price(plan: &Plan, source_len: u64, pool: &Pool) -> u64 {
    let source = usize::try_from(source_len).unwrap_or(usize::MAX);
    [plan.workspace_len(), plan.max_output_len(), source]
        .into_iter()
        .map(|len| pool.footprint(len))
        .chain([plan.heap_len()])
        .fold(0, |sum, len| sum.saturating_add(len as u64))
}

pub(super) fn refuse(refusal: &Refusal, request: Option<&Request>, method: &Method) -> (Answer, u64) {
    respond(&Head::refusal(refusal, request), Bytes::from(format!("{refusal}\n")), method)
}

pub(super) fn healthy(method: &Method) -> Answer {
    let headers = vec![("Content-Type", "text/plain".to_owned()), ("Cache-Control", "no-store".to_owned())];
    if method == Method::GET || method == Method::HEAD {
        respond(&Head { status: 200, headers }, Bytes::from_static(b"ok"), method).0
    } else {
        refuse(&Refusal::method_not_allowed(), None, method).0
    }
}

/// The answer for hyper, and the bytes of its body. HEAD's answer has the length that GET's would have, and
/// no body.
pub(super) fn respond(head: &Head, body: Bytes, method: &Method) -> (Answer, u64) {
    let len = body.len();
    let is_head = method == Method::HEAD;
    let mut answer = Response::new(Full::new(if is_head { Bytes::new() } else { body }));
    if let Ok(status) = hyper::StatusCode::from_u16(head.status) {
        *answer.status_mut() = status;
    }
    let headers = answer.headers_mut();
    for (name, value) in &head.headers {
        // The request crate promises names and values that fit; one that did not would be left out.
        if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value))
        {
            headers.append(name, value);
        }
    }
    if is_head && head.status != 304 {
        headers.insert(CONTENT_LENGTH, HeaderValue::from(len));
    }
    (answer, if is_head { 0 } else { len as u64 })
}

/// A header's value; several fields count as one list (RFC 9110, 5.3).
fn combined(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let values: Vec<&str> = headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
    if values.is_empty() { None } else { Some(values.join(", ")) }
}

fn unix_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// For `Server-Timing`: milliseconds with three places.
fn millis(duration: Duration) -> String {
    format!("{:.3}", duration.as_secs_f64() * 1e3)
}
