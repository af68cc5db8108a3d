//! Every case of `cases/requests.json`: a target, and what it means or why it is refused.
//!
//! A case has a `name` and a `target`; optionally `accept` (the header), `keys` (signing keys) and `time`
//! (Unix time, else 0). It wants either `status` and `message`, or `canonical` and any of the other fields
//! below; `signed` is what signing the target again gives.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use serde_json::{Value, json};
use tintype_core::{Fit, FocalPoint, FormatChoice, Gravity};
use tintype_request::{Request, Rules, SigningKey, sign};

const CASES: &str = include_str!("../cases/requests.json");

#[test]
fn all_cases() {
    let cases: Vec<Value> = serde_json::from_str(CASES).unwrap();
    assert!(cases.len() > 90);
    let faults: Vec<String> = cases.iter().filter_map(|case| check(case).err()).collect();
    assert!(faults.is_empty(), "{} of {} cases:\n{}", faults.len(), cases.len(), faults.join("\n"));
}

fn check(case: &Value) -> Result<(), String> {
    let name = case["name"].as_str().unwrap();
    let target = case["target"].as_str().unwrap();
    let rules = rules(case);
    let parsed = Request::parse(target, case["accept"].as_str(), case["time"].as_u64().unwrap_or(0), &rules);
    for (field, wanted) in case["want"].as_object().unwrap() {
        let found = match &parsed {
            Err(refusal) => match field.as_str() {
                "status" => json!(refusal.status()),
                "message" => json!(refusal.to_string()),
                _ => json!(format!("refused: {refusal}")),
            },
            Ok(_) if field == "signed" => json!(sign(target, None, &rules.keys[0], &rules).unwrap()),
            Ok(request) => of_request(request, field),
        };
        if found != *wanted {
            return Err(format!("{name} ({target}): {field} is {found}, not {wanted}"));
        }
    }
    Ok(())
}

fn rules(case: &Value) -> Rules {
    let keys = case["keys"].as_array().map_or(&[][..], Vec::as_slice);
    let keys = keys.iter().map(|key| SigningKey::from_text(key.as_str().unwrap()).unwrap()).collect();
    Rules { keys, ..Rules::default() }
}

fn of_request(request: &Request, field: &str) -> Value {
    let transform = request.transform();
    match field {
        "canonical" => json!(request.canonical()),
        "cache_key" => json!(request.cache_key()),
        "ignored" => json!(request.ignored),
        "width" => json!(transform.width),
        "height" => json!(transform.height),
        "dpr" => json!(transform.dpr.thousandths()),
        "fit" => json!(match transform.fit {
            Fit::ScaleDown => "scale-down",
            Fit::Contain => "contain",
            Fit::Cover => "cover",
            Fit::Crop => "crop",
            Fit::AspectCrop => "aspect-crop",
            Fit::Pad => "pad",
            Fit::Squeeze => "squeeze",
            other => panic!("no name for {other:?}"),
        }),
        "gravity" => match transform.gravity {
            Gravity::Point(FocalPoint { x, y }) => json!([x, y]),
            other => json!(format!("{other:?}").to_lowercase()),
        },
        "quality" => json!(transform.quality),
        "format" => json!(match transform.format {
            FormatChoice::Auto { webp: true } => "auto-webp",
            FormatChoice::Auto { webp: false } => "auto-legacy",
            FormatChoice::WebP => "webp",
            FormatChoice::Jpeg => "jpeg",
            FormatChoice::BaselineJpeg => "baseline-jpeg",
            FormatChoice::Png => "png",
            other => panic!("no name for {other:?}"),
        }),
        "strict" => json!(transform.strict),
        _ => json!(format!("answered: {}", request.canonical())),
    }
}
