//! The operator's listener: health and metrics, never a picture.

use bytes::Bytes;
use hyper::{Method, Request};
use tintype_request::{Head, Refusal};

use super::service::{Answer, Service, healthy, refuse, respond};

/// Answers any request of the operator.
pub(super) fn answer<B>(service: &Service, http: &Request<B>) -> Answer {
    let method = http.method();
    match http.uri().path() {
        "/healthz" => healthy(method),
        "/metrics" if method == Method::GET || method == Method::HEAD => {
            let page = service.metrics.render(service.jobs.stats(), service.pool.stats());
            let headers = vec![
                ("Content-Type", "text/plain; version=0.0.4; charset=utf-8".to_owned()),
                ("Cache-Control", "no-store".to_owned()),
            ];
            respond(&Head { status: 200, headers }, Bytes::from(page), method).0
        }
        "/metrics" => refuse(&Refusal::method_not_allowed(), None, method).0,
        _ => refuse(&Refusal::unsupported_route(), None, method).0,
    }
}
