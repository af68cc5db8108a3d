//! `tintype info`: a picture in, its header's facts out as JSON.

use serde_json::{Map, Value, json};
use tintype_core::{Details, Error, Header, Limits};

use super::{CommandError, print_line, read_source};
use crate::{cli::Info, picture};

/// Prints the facts as one JSON object.
pub(crate) fn run(arguments: &Info) -> Result<(), CommandError> {
    let limits = Limits::default();
    let source = read_source(&arguments.input, limits.source_bytes)?;
    let len = source.len() as u64;
    let header = picture::header(len, &limits, |wanted| Ok::<_, Error>(&source[..wanted as usize]))
        .map_err(|error| CommandError::at(&arguments.input, error))?;
    print_line(format_args!("{:#}", facts(&header, len)))
}

fn facts(header: &Header, file_bytes: u64) -> Value {
    let (width, height) = header.upright_size();
    let mut facts = Map::new();
    let mut add = |name: &str, value: Value| facts.insert(name.to_owned(), value);
    add("format", json!(header.format().to_string()));
    add("media_type", json!(header.format().media_type()));
    add("width", json!(width));
    add("height", json!(height));
    add("stored_width", json!(header.width));
    add("stored_height", json!(header.height));
    add("orientation", json!(header.orientation.exif()));
    add("alpha", json!(header.alpha));
    add("animated", json!(header.animated));
    add("icc_profile", json!(header.icc_profile));
    add("file_bytes", json!(file_bytes));
    if let Some((name, details)) = details(&header.details) {
        add(name, details);
    }
    Value::Object(facts)
}

fn details(details: &Details) -> Option<(&'static str, Value)> {
    match details {
        Details::Jpeg(jpeg) => {
            let sampling: Vec<String> = jpeg
                .components()
                .iter()
                .map(|factors| format!("{}x{}", factors.horizontal, factors.vertical))
                .collect();
            Some((
                "jpeg",
                json!({
                    "components": jpeg.components().len(),
                    "sampling": sampling,
                    "progressive": jpeg.progressive,
                    "interleaved": jpeg.interleaved,
                }),
            ))
        }
        Details::Png(png) => Some((
            "png",
            json!({
                "bit_depth": png.bit_depth,
                "color_type": png.color_type,
                "interlaced": png.interlaced,
            }),
        )),
        Details::WebP(webp) => Some((
            "webp",
            json!({ "file_bytes": webp.file_len, "kind": format!("{:?}", webp.kind).to_lowercase() }),
        )),
        Details::Gif(gif) => {
            Some(("gif", json!({ "covers_screen": gif.covers_screen, "interlaced": gif.interlaced })))
        }
        _ => None, // a format newer than this command
    }
}
