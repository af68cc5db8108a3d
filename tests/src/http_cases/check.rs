//! Comparing an answer with what a case wants.

use super::case::{Contains, HeaderWant, PictureWant, Status, Want};
use super::{Answer, Answers};
use crate::picture::Picture;

/// Everything about the answer that is not as wanted.
pub(crate) fn problems(want: &Want, answer: &Answer, answers: &Answers<'_>) -> Vec<String> {
    let mut problems = Vec::new();
    if !status_is(&want.status, answer.status) {
        let said = answer.text();
        problems.push(format!("status: want {}, got {} ({said})", status_text(&want.status), answer.status));
        return problems; // all the rest would only follow from this
    }
    for (name, wanted) in &want.headers {
        problems.extend(header_problem(name, wanted, answer.header(name)));
    }
    if let Some(Contains { contains }) = &want.body {
        let text = answer.text();
        problems.extend(
            contains
                .iter()
                .filter(|piece| !text.contains(piece))
                .map(|piece| format!("body: want {piece:?} in it, got {text:?}")),
        );
    }
    if let Some(wanted) = &want.picture {
        match Picture::decode(&answer.body) {
            Ok(picture) => problems.extend(picture_problems(wanted, &picture)),
            Err(error) => problems.push(format!("picture: it cannot be decoded: {error}")),
        }
        problems.extend(header_problem(
            "Content-Type",
            &HeaderWant::Exact(wanted.format.media_type().into()),
            answer.header("content-type"),
        ));
    }
    problems.extend(comparisons(want, answer, answers));
    problems
}

/// What must be the same as, or differ from, an earlier answer.
fn comparisons(want: &Want, answer: &Answer, answers: &Answers<'_>) -> Vec<String> {
    let mut problems = Vec::new();
    let mut against = |name: &Option<String>, differs: &dyn Fn(&Answer) -> Option<String>| {
        let Some(name) = name else { return };
        match answers.get(name.as_str()) {
            Some(earlier) => {
                problems.extend(differs(earlier).map(|how| format!("compared with {name:?}: {how}")));
            }
            None => problems.push(format!("no earlier answer to {name:?} to compare with")),
        }
    };
    against(&want.body_same_as, &|earlier| {
        let (wanted, got) = (earlier.body.len(), answer.body.len());
        (earlier.body != answer.body).then(|| format!("body: {got} bytes that differ from its {wanted}"))
    });
    against(&want.headers_same_as, &|earlier| {
        let (wanted, got) = (earlier.lasting_headers(), answer.lasting_headers());
        (wanted != got).then(|| format!("headers: want {wanted:?}, got {got:?}"))
    });
    let etags = |earlier: &Answer| {
        let of = |answer: &Answer| answer.header("etag").map(String::from);
        (of(earlier), of(answer))
    };
    against(&want.etag_same_as, &|earlier| {
        let (wanted, got) = etags(earlier);
        (wanted != got).then(|| format!("ETag: want {wanted:?}, got {got:?}"))
    });
    against(&want.etag_differs_from, &|earlier| {
        let (other, got) = etags(earlier);
        (other == got).then(|| format!("ETag: want another than {other:?}"))
    });
    problems
}

fn status_is(wanted: &Status, got: u16) -> bool {
    match wanted {
        Status::Only(status) => *status == got,
        Status::Any(statuses) => statuses.contains(&got),
    }
}

fn status_text(wanted: &Status) -> String {
    match wanted {
        Status::Only(status) => status.to_string(),
        Status::Any(statuses) => format!("one of {statuses:?}"),
    }
}

fn header_problem(name: &str, wanted: &HeaderWant, got: Option<&str>) -> Option<String> {
    match (wanted, got) {
        (HeaderWant::Exact(value), Some(got)) if value == got => None,
        (HeaderWant::Exact(value), _) => Some(format!("{name}: want {value:?}, got {got:?}")),
        (HeaderWant::Absent { absent: true }, Some(got)) => Some(format!("{name}: want none, got {got:?}")),
        (HeaderWant::Absent { absent: false }, None) => Some(format!("{name}: want one, got none")),
        (HeaderWant::Absent { .. }, _) => None,
        (HeaderWant::Contains(Contains { contains }), got) => contains
            .iter()
            .find(|piece| !got.is_some_and(|got| got.contains(piece)))
            .map(|piece| format!("{name}: want {piece:?} in it, got {got:?}")),
    }
}

fn picture_problems(wanted: &PictureWant, picture: &Picture) -> Vec<String> {
    let mut problems = Vec::new();
    if picture.format != wanted.format {
        problems.push(format!("picture: want {:?}, got {:?}", wanted.format, picture.format));
    }
    if (picture.width, picture.height) != (wanted.width, wanted.height) {
        let (width, height) = (wanted.width, wanted.height);
        problems.push(format!("picture: want {width}×{height}, got {}×{}", picture.width, picture.height));
        return problems; // the places of pixels mean nothing in a picture of another size
    }
    for (x, y, color, tolerance) in &wanted.pixels {
        match picture.pixel(*x, *y) {
            Some(pixel) if matches(color, pixel, *tolerance) => (),
            got => problems.push(format!("pixel ({x}, {y}): want {color:?} ±{tolerance}, got {got:?}")),
        }
    }
    problems
}

/// Three samples want an opaque pixel; of four with alpha 0 only the alpha counts.
fn matches(wanted: &[u8], got: [u8; 4], tolerance: u8) -> bool {
    let near = |(a, b): (&u8, &u8)| a.abs_diff(*b) <= tolerance;
    match wanted {
        [_, _, _] => got[3] == 255 && wanted.iter().zip(&got).all(near),
        [_, _, _, 0] => got[3] <= tolerance,
        _ => wanted.len() == 4 && wanted.iter().zip(&got).all(near),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transparent_pixels_have_no_color() {
        assert!(matches(&[9, 9, 9, 0], [255, 0, 77, 2], 2));
        assert!(!matches(&[9, 9, 9, 0], [9, 9, 9, 3], 2));
    }

    #[test]
    fn three_samples_want_an_opaque_pixel() {
        assert!(matches(&[10, 20, 30], [12, 18, 30, 255], 2));
        assert!(!matches(&[10, 20, 30], [12, 18, 30, 254], 2));
        assert!(!matches(&[10, 20, 30], [13, 18, 30, 255], 2));
    }

    #[test]
    fn headers_are_compared_as_wanted() {
        let contains = |piece: &str| {
            HeaderWant::Contains(Contains { contains: super::super::case::Pieces::One(piece.into()) })
        };
        assert_eq!(header_problem("A", &contains("b"), Some("abc")), None);
        assert!(header_problem("A", &contains("x"), Some("abc")).is_some());
        assert!(header_problem("A", &contains("x"), None).is_some());
        assert_eq!(header_problem("A", &HeaderWant::Absent { absent: true }, None), None);
        assert!(header_problem("A", &HeaderWant::Absent { absent: true }, Some("")).is_some());
        assert!(header_problem("A", &HeaderWant::Exact("a".into()), Some("b")).is_some());
    }
}
