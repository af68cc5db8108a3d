//! What a case is: the shape of `cases/http.json`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::Format;

/// A request, and what its answer must be.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What is claimed; unlike any other case's.
    pub name: String,
    /// The request's method.
    #[serde(default = "get")]
    pub method: String,
    /// The request's target as it goes over the wire.
    pub target: String,
    /// The request's headers. `{etag}` stands for the `ETag` of the answer to `etag_from`.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The name of an earlier case.
    #[serde(default)]
    pub etag_from: Option<String>,
    /// The only door this case is for; all of them where it is not stated.
    #[serde(default)]
    pub door: Option<Door>,
    /// What the answer must be.
    pub want: Want,
}

/// Who answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Door {
    /// The self-hosted server.
    Origin,
    /// The Worker.
    Edge,
}

/// What an answer must be.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Want {
    /// Its status.
    pub status: Status,
    /// Its headers; those not named may be anything.
    #[serde(default)]
    pub headers: BTreeMap<String, HeaderWant>,
    /// The picture in its body.
    #[serde(default)]
    pub picture: Option<PictureWant>,
    /// Its body as text.
    #[serde(default)]
    pub body: Option<Contains>,
    /// The body is the same, byte for byte, as in the answer to this earlier case.
    #[serde(default)]
    pub body_same_as: Option<String>,
    /// The headers, apart from those that tell a time, are the same as in the answer to this earlier case.
    #[serde(default)]
    pub headers_same_as: Option<String>,
    /// The `ETag` is the same as in the answer to this earlier case.
    #[serde(default)]
    pub etag_same_as: Option<String>,
    /// The `ETag` is another than in the answer to this earlier case.
    #[serde(default)]
    pub etag_differs_from: Option<String>,
}

/// One status, or several where each is a right answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Status {
    /// This one.
    Only(u16),
    /// Any of these.
    Any(Vec<u16>),
}

/// What a header must be.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum HeaderWant {
    /// Exactly this.
    Exact(String),
    /// Not there (`true`), or there with any value (`false`).
    Absent {
        /// Whether it must be absent.
        absent: bool,
    },
    /// There, with this in it.
    Contains(Contains),
}

/// A text with these pieces in it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contains {
    /// One piece, or several.
    pub contains: Pieces,
}

/// One text or several.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Pieces {
    /// One.
    One(String),
    /// Several, all of them wanted.
    All(Vec<String>),
}

impl Pieces {
    /// The pieces.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        match self {
            Pieces::One(piece) => std::slice::from_ref(piece),
            Pieces::All(pieces) => pieces,
        }
        .iter()
        .map(String::as_str)
    }
}

/// What a picture must be.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PictureWant {
    /// Its format, which `Content-Type` must tell too.
    pub format: Format,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
    /// Some of its pixels: x, y, red-green-blue or red-green-blue-alpha, tolerance of each sample.
    #[serde(default)]
    pub pixels: Vec<(u32, u32, Vec<u8>, u8)>,
}

fn get() -> String {
    "GET".into()
}
