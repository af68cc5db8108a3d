//! What holds for every answer, whatever its case wants.

use super::{Answer, Case};

/// The rules that this answer breaks.
pub(crate) fn broken(case: &Case, answer: &Answer) -> Vec<String> {
    let mut problems = Vec::new();
    let mut rule = |holds: bool, text: &str| {
        if !holds {
            problems.push(text.to_owned());
        }
    };
    let is = |name, value: &str| answer.header(name) == Some(value);
    match answer.status {
        200 => {
            let length = answer.header("content-length").and_then(|text| text.parse::<usize>().ok());
            let of_picture = case.target.starts_with("/img/");
            rule(length.is_some(), "a 200 states its Content-Length");
            // What a broken download gave must not be confirmed by a 304 later.
            let damaged = answer.header("x-tintype-damaged").is_some();
            rule(
                !of_picture || answer.header("etag").is_some() != damaged,
                "a picture has an ETag, unless it is damaged",
            );
            rule(
                !of_picture || is("x-content-type-options", "nosniff"),
                "a picture is served as what it is: nosniff",
            );
            let body_fits = case.method == "HEAD" || length.is_none_or(|length| length == answer.body.len());
            rule(body_fits, "the body is as long as Content-Length says");
        }
        304 => rule(answer.header("etag").is_some(), "a 304 repeats the ETag"),
        400.. => {
            rule(is("content-type", "text/plain; charset=utf-8"), "an error is text/plain; charset=utf-8");
            rule(is("cache-control", "no-store"), "an error has Cache-Control: no-store");
            rule(is("x-content-type-options", "nosniff"), "an error is served as what it is: nosniff");
            rule(answer.header("etag").is_none(), "an error has no ETag");
            rule(case.method == "HEAD" || !answer.body.is_empty(), "an error says what is wrong");
        }
        _ => (),
    }
    problems
}
