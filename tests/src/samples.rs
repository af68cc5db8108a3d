//! Sample pictures: drawn by this crate, so that the repository holds none and every machine has the same.
//!
//! [`write_all`] fills a folder with good pictures of every kind that is read, and `broken/` with files that
//! are damaged, hostile or not what their name says. The tests rely on the names; the demo shows the pictures.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, io};

use crate::Format;
use broken::Material;
use pictures::Scenes;

mod broken;
mod canvas;
mod exif;
mod gif;
mod graphic;
mod jpeg;
mod landscape;
mod market;
mod noise;
mod pictures;
mod png;
mod webp;
mod zeros;

/// Changes with every change of a sample's bytes: a folder that another version filled is filled again.
const VERSION: &str = "tintype samples 1\n";
const MARKER: &str = ".samples-version";

/// One file of the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Its path in the folder, with `/` between names.
    pub path: &'static str,
    /// What it shows; `None` for all that is in `broken/`.
    pub picture: Option<Picture>,
}

/// A good sample's facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The file's format.
    pub format: Format,
    /// Width of the upright picture.
    pub width: u32,
    /// Height of the upright picture.
    pub height: u32,
    /// Whether the file has an alpha channel or a transparent colour.
    pub alpha: bool,
}

/// Fills `dir` with the samples, unless it has them already, and lists them.
pub fn write_all(dir: &Path) -> io::Result<Vec<Sample>> {
    let marker = dir.join(MARKER);
    if fs::read_to_string(&marker).is_ok_and(|version| version == VERSION) {
        return Ok(list());
    }
    let scenes = Scenes::paint();
    let good = produce(&pictures::ENTRIES, |entry| (entry.make)(&scenes));
    drop(scenes);
    let made = |path| {
        let place = pictures::ENTRIES.iter().position(|entry| entry.path == path);
        good[place.expect("a good sample of this name")].as_slice()
    };
    let material = Material {
        jpeg: made("landscape.jpg"),
        progressive: made("landscape-progressive.jpg"),
        png: made("graphic.png"),
        gif: made("graphic.gif"),
        webp: made("photo.webp"),
    };
    let broken = produce(&broken::ENTRIES, |entry| (entry.1)(material));
    for (sample, bytes) in list().iter().zip(good.iter().chain(&broken)) {
        let path = dir.join(sample.path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, bytes)?;
    }
    // Last, so that an interrupted run leaves a folder that the next one completes.
    fs::write(marker, VERSION)?;
    Ok(list())
}

/// All samples, without writing them.
pub fn list() -> Vec<Sample> {
    let good =
        pictures::ENTRIES.iter().map(|entry| Sample { path: entry.path, picture: Some(entry.picture) });
    let broken = broken::ENTRIES.iter().map(|entry| Sample { path: entry.0, picture: None });
    good.chain(broken).collect()
}

/// A baseline JPEG with 4:2:0 of any size, for measurements and for tests of memory.
pub fn large_jpeg(width: u32, height: u32) -> Vec<u8> {
    pictures::photo(&landscape::paint(width, height), jpeg::Options::default())
}

/// Makes every entry's bytes, in the entries' order, on all processors.
fn produce<T: Sync>(entries: &[T], make: impl Fn(&T) -> Vec<u8> + Sync) -> Vec<Vec<u8>> {
    let next = AtomicUsize::new(0);
    let made: Vec<OnceLock<Vec<u8>>> = entries.iter().map(|_| OnceLock::new()).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(place) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).filter(|i| *i < entries.len())
                {
                    made[place].get_or_init(|| make(&entries[place]));
                }
            });
        }
    });
    made.into_iter().map(|bytes| bytes.into_inner().unwrap_or_default()).collect()
}
