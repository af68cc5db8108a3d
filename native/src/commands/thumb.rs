//! `tintype thumb`: one source in, one thumbnail out.

use std::{
    fs::{self, Permissions},
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::Path,
};

use tintype_core::{Limits, Output};
use tintype_request::{AcceptClass, Options};

use super::{CommandError, read_source};
use crate::{
    cli::{self, Thumb},
    memory::{Pool, Settings},
    picture::{self, Failure, Picture},
};

/// Makes the thumbnail and writes it.
pub(crate) fn run(arguments: &Thumb) -> Result<(), CommandError> {
    // One picture on one's own machine: what fits into memory may be made.
    let limits = Limits { memory: u64::MAX, ..Limits::default() };
    let options = options(arguments, limits.output_side)?;
    let source = read_source(&arguments.input, limits.source_bytes)?;
    let picture =
        make(&source, &options, &limits).map_err(|error| CommandError::at(&arguments.input, error))?;
    warn(arguments, &picture.output);
    write(&arguments.output, &picture.bytes)
        .map_err(|error| CommandError::unwritten(&arguments.output, &error))
}

fn options(arguments: &Thumb, max_side: u32) -> Result<Options, CommandError> {
    let by_name = format_by_name(&arguments.output);
    let mut pairs = Vec::new();
    for (key, value) in [
        ("width", &arguments.width),
        ("height", &arguments.height),
        ("fit", &arguments.fit),
        ("gravity", &arguments.gravity),
        ("dpr", &arguments.dpr),
        ("trim", &arguments.trim),
        ("trim.left", &arguments.trim_left),
        ("trim.top", &arguments.trim_top),
        ("trim.width", &arguments.trim_width),
        ("trim.height", &arguments.trim_height),
        ("trim.border.color", &arguments.trim_border_color),
        ("trim.border.tolerance", &arguments.trim_border_tolerance),
        ("trim.border.keep", &arguments.trim_border_keep),
        ("flip", &arguments.flip),
        ("rotate", &arguments.rotate),
        ("background", &arguments.background),
        ("border.width", &arguments.border_width),
        ("border.color", &arguments.border_color),
        ("border.top", &arguments.border_top),
        ("border.right", &arguments.border_right),
        ("border.bottom", &arguments.border_bottom),
        ("border.left", &arguments.border_left),
        ("radius", &arguments.radius),
        ("speed", &arguments.speed),
        ("quality", &arguments.quality),
        ("effort", &arguments.effort),
        ("format", &arguments.format),
    ] {
        pairs.extend(value.as_deref().map(|value| (key, value)));
    }
    if arguments.strict {
        pairs.push(("strict", "1"));
    }
    if arguments.format.is_none() {
        let Some(format) = by_name else {
            return Err(CommandError::Usage(format!(
                "{}: the name does not end in .webp, .jpg, .jpeg or .png; say which format with -f",
                arguments.output.display()
            )));
        };
        pairs.push(("format", format));
    }
    let (options, _ignored) = Options::from_pairs(pairs, max_side)?;
    Ok(options)
}

/// The `format` option that a file name's ending stands for.
fn format_by_name(path: &Path) -> Option<&'static str> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "webp" => Some("webp"),
        "jpg" | "jpeg" => Some("jpeg"),
        "png" => Some("png"),
        _ => None,
    }
}

fn make(source: &[u8], options: &Options, limits: &Limits) -> Result<Picture, Failure> {
    let pool = Pool::new(Settings { idle_bytes: 0, ..Settings::default() });
    let len = source.len() as u64;
    let header =
        picture::header(len, limits, |wanted| Ok::<_, tintype_core::Error>(&source[..wanted as usize]))?;
    // `-f auto` without a client to ask: WebP, which everything shows today.
    let transform = options.transform(AcceptClass::WebP);
    let plan = picture::plan(&header, len, &transform, limits)?;
    picture::make(&plan, source, &pool, || false)
}

/// Damage is no failure unless `--strict`, but it should be known.
fn warn(arguments: &Thumb, output: &Output) {
    if output.damaged {
        eprintln!(
            "tintype: {}: the source is damaged; what could be read of it is shown",
            super::name(&arguments.input, "standard input")
        );
    }
}

/// Writes the file whole or not at all: readers see the old one or the new one.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if cli::is_standard(path) {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        return out.flush();
    }
    // A link to a file stays a link: the file it points to is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let replaced = fs::metadata(&path).ok();
    if replaced.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        return fs::write(&path, bytes); // a device or a pipe cannot be replaced; a folder is an error
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // Temporary files are the owner's alone; a result is as readable as any new file (the umask applies).
    let mut file = tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(folder)?;
    file.write_all(bytes)?;
    if let Some(metadata) = replaced {
        // Who may read the old one may read the new one, nobody else.
        file.as_file().set_permissions(metadata.permissions())?;
    }
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}
