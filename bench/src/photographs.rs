//! Named photographs from Debian's packages, prepared once: cut to a size, written as JPEG of quality 82 with 4:2:0,
//! baseline and progressive.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Result;
use crate::picture::Rgb;
use crate::setup::Setup;

mod debian;

/// Quality of the prepared JPEGs.
const QUALITY: i32 = 82;

/// Raised when the preparation changes: folders of an older one are left alone.
const VERSION: u32 = 1;

const HD: (usize, usize) = (1920, 1080);

/// A prepared photograph.
pub(crate) struct Photograph {
    /// Its name in the table, and its files'.
    pub name: String,
    pub width: usize,
    pub height: usize,
    /// The files.
    pub baseline: Vec<u8>,
    pub progressive: Vec<u8>,
    /// Where they are.
    pub baseline_path: PathBuf,
    pub progressive_path: PathBuf,
}

impl Photograph {
    /// Millions of pixels.
    pub(crate) fn megapixels(&self) -> f64 {
        (self.width * self.height) as f64 / 1e6
    }

    /// Both codings, with their names and paths.
    pub(crate) fn codings(&self) -> [(&'static str, &[u8], &Path); 2] {
        [
            ("baseline", &self.baseline, &self.baseline_path),
            ("progressive", &self.progressive, &self.progressive_path),
        ]
    }
}

/// Five photographs of 1920 × 1080; quick, a drawn one.
pub(crate) fn hd(setup: &Setup) -> Result<Vec<Photograph>> {
    if setup.quick {
        return Ok(vec![drawn(setup)?]);
    }
    debian::HD.iter().map(|source| photograph(setup, source.name, HD, || source.read(setup))).collect()
}

/// One of 12 and one of 20 megapixels; quick, none.
pub(crate) fn large(setup: &Setup) -> Result<Vec<Photograph>> {
    let sizes = if setup.quick { &[][..] } else { &[("12 MP", (4000, 3000)), ("20 MP", (5472, 3648))] };
    sizes.iter().map(|(name, size)| photograph(setup, name, *size, || debian::LARGE.read(setup))).collect()
}

/// The folder with the prepared files.
pub(crate) fn folder(setup: &Setup) -> PathBuf {
    setup.dir.join(format!("pictures-{VERSION}"))
}

/// A landscape that the tests' crate draws: nothing is fetched.
fn drawn(setup: &Setup) -> Result<Photograph> {
    photograph(setup, "drawn", HD, || {
        let file = setup.dir.join("drawn.jpg");
        let mut command = Command::new(&setup.samples);
        let command = command.arg("--photo").args([HD.0, HD.1].map(|n| n.to_string())).arg(&file);
        let status = command.stdout(Stdio::null()).status()?;
        if !status.success() {
            return Err(format!("{} failed", setup.samples.display()).into());
        }
        Ok(fs::read(file)?)
    })
}

/// Reads the prepared files, which are made of `source` where they are missing.
fn photograph(
    setup: &Setup,
    name: &str,
    (width, height): (usize, usize),
    source: impl FnOnce() -> Result<Vec<u8>>,
) -> Result<Photograph> {
    let folder = folder(setup);
    let file = name.replace(' ', "-").to_lowercase();
    let baseline_path = folder.join(format!("{file}.jpg"));
    let progressive_path = folder.join(format!("{file}-progressive.jpg"));
    // The progressive one is written last.
    if !progressive_path.is_file() {
        fs::create_dir_all(&folder)?;
        let picture = Rgb::from_jpeg(&source()?, 1)?.covering(width, height)?;
        fs::write(&baseline_path, picture.to_jpeg(QUALITY, false)?)?;
        fs::write(&progressive_path, picture.to_jpeg(QUALITY, true)?)?;
    }
    let (baseline, progressive) = (fs::read(&baseline_path)?, fs::read(&progressive_path)?);
    Ok(Photograph {
        name: name.into(),
        width,
        height,
        baseline,
        progressive,
        baseline_path,
        progressive_path,
    })
}
