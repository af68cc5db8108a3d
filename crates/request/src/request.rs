//! One request: a target and an `Accept` header in, its source, its options and their canonical text out.

use std::fmt::Write as _;

use tintype_core::Transform;

use crate::signature::Seal;
use crate::{
    AcceptClass, FormatOption, Options, Refusal, SigningKey, SourcePath, Validator, etag, keys, query,
};

/// What an operator decides about requests.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Each request must carry a signature by one of these keys; with none, signatures are not looked at.
    pub keys: Vec<SigningKey>,
    /// The longer side a result may have, in device pixels.
    pub max_side: u32,
    /// How long an answer may be kept, in seconds.
    pub max_age: u32,
}

impl Default for Rules {
    /// No keys, 8192 pixels, a day.
    fn default() -> Rules {
        Rules { keys: Vec::new(), max_side: 8192, max_age: 86_400 }
    }
}

/// A request for a picture that the rules allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Which source.
    pub source: SourcePath,
    /// What to make of it.
    pub options: Options,
    /// What the client takes.
    pub accept: AcceptClass,
    /// Keys that mean nothing: not in the canonical text, named in the answer. Sorted, each once.
    pub ignored: Vec<String>,
    /// How long the address is still valid, where it says so.
    pub(crate) seconds_left: Option<u64>,
}

impl Request {
    /// Reads a request target in origin form: path and query, as in HTTP/1.1's first line.
    ///
    /// Two routes mean the same. `/img/{path}?k=v&k=v` is the canonical one.
    /// `/cdn-cgi/image/{k=v,k=v}/{path}` lets a site move here without touching its pages; there a query
    /// belongs to the source's own address, so that of its keys only `exp` and `sig` are read.
    pub fn parse(
        target: &str,
        accept: Option<&str>,
        unix_time: u64,
        rules: &Rules,
    ) -> Result<Request, Refusal> {
        let (mut request, seal) = Request::read(target, accept, rules)?;
        seal.check(&request, unix_time, rules)?;
        request.seconds_left = seal.expires.map(|expires| expires.saturating_sub(unix_time));
        Ok(request)
    }

    /// What the core shall do.
    pub fn transform(&self) -> Transform {
        self.options.transform(self.accept)
    }

    /// Whether the answer depends on `Accept`.
    pub fn negotiated(&self) -> bool {
        self.options.format == FormatOption::Auto
    }

    /// The one text for this source and these options, itself a target: `/img/a%20b.jpg?h=100&w=240`.
    pub fn canonical(&self) -> String {
        self.canonical_text(None)
    }

    /// One text for each result: the canonical text, and the [`AcceptClass`] if it matters. As `accept` is
    /// not an option, no other request's canonical text is the same.
    pub fn cache_key(&self) -> String {
        let mut text = self.canonical();
        if let Some(class) = self.negotiated_class() {
            text.push(if text.contains('?') { '&' } else { '?' });
            text.push_str("accept=");
            text.push_str(class.name());
        }
        text
    }

    /// The result's strong `ETag`, quotes included.
    pub fn etag(&self, validator: &Validator<'_>) -> String {
        etag::etag(validator, &self.canonical(), self.negotiated_class())
    }

    /// Reads a target without judging its signature.
    pub(crate) fn read(
        target: &str,
        accept: Option<&str>,
        rules: &Rules,
    ) -> Result<(Request, Seal), Refusal> {
        if target.contains('#') {
            return Err(Refusal::fragment());
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let (source, mut pairs, foreign) = if let Some(source) = path.strip_prefix("/img/") {
            (source, query::form_pairs(query, keys::long_name)?, Vec::new())
        } else if let Some(rest) = path.strip_prefix("/cdn-cgi/image/") {
            let (list, source) = rest.split_once('/').ok_or_else(Refusal::unsupported_route)?;
            let pairs = query::form_pairs(query, keys::of_address)?;
            let (seal, foreign) = pairs.into_iter().partition(|(key, _)| keys::of_address(key).is_some());
            (source, [query::list_pairs(list)?, seal].concat(), foreign)
        } else {
            return Err(Refusal::unsupported_route());
        };
        let source = SourcePath::read(source)?;
        let seal = Seal::take(&mut pairs)?;
        let pairs = pairs.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        let (options, mut ignored) = Options::from_pairs(pairs, rules.max_side)?;
        ignored.extend(foreign.into_iter().map(|(key, _): query::Pair| key).filter(|key| !key.is_empty()));
        ignored.sort_unstable();
        ignored.dedup();
        let accept = AcceptClass::from_header(accept);
        Ok((Request { source, options, accept, ignored, seconds_left: None }, seal))
    }

    /// The canonical text with `exp`: what is signed.
    pub(crate) fn canonical_text(&self, expires: Option<u64>) -> String {
        let mut pairs = self.options.canonical_pairs();
        pairs.extend(expires.map(|expires| ("exp", expires.to_string())));
        let mut text = format!("/img/{}", self.source);
        for (at, (key, value)) in pairs.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = write!(text, "{}{key}={value}", if at == 0 { '?' } else { '&' });
        }
        text
    }

    fn negotiated_class(&self) -> Option<AcceptClass> {
        self.negotiated().then_some(self.accept)
    }
}
