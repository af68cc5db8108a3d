//! Photographs in packages of Debian, fetched with apt and unpacked without being installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::setup::Setup;

/// A photograph in a package.
pub(super) struct Source {
    /// Its name in the table.
    pub name: &'static str,
    package: &'static str,
    path: &'static str,
}

/// What is prepared at 1080p.
pub(super) const HD: [Source; 5] = [
    Source { name: "rain-drops", package: "mate-backgrounds", path: "backgrounds/mate/nature/RainDrops.jpg" },
    Source { name: "two-wings", package: "mate-backgrounds", path: "backgrounds/mate/nature/TwoWings.jpg" },
    Source { name: "forest", package: WALLPAPERS, path: "wallpapers/Path/contents/images/2560x1600.jpg" },
    Source {
        name: "boats",
        package: WALLPAPERS,
        path: "wallpapers/EveningGlow/contents/images/2560x1600.jpg",
    },
    Source { name: "leaf", package: WALLPAPERS, path: "wallpapers/FallenLeaf/contents/images/2560x1600.jpg" },
];

const WALLPAPERS: &str = "plasma-workspace-wallpapers";

/// What is prepared at 12 and 20 megapixels: 6028 × 3391 pixels.
pub(super) const LARGE: Source = Source {
    name: "nuthatch",
    package: "lomiri-wallpapers-20.04",
    path: "backgrounds/Kleiber_by_Lukas_Baubkus.jpg",
};

impl Source {
    /// The file, whose package is fetched first if it is not there.
    pub(super) fn read(&self, setup: &Setup) -> Result<Vec<u8>> {
        let dir = setup.dir.join("debian").join(self.package);
        let file = dir.join("files/usr/share").join(self.path);
        if !file.is_file() {
            fs::create_dir_all(&dir)?;
            fetch(self.package, &dir)?;
        }
        Ok(fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?)
    }
}

fn fetch(package: &str, dir: &Path) -> Result<()> {
    eprintln!("fetching Debian's {package}");
    run(Command::new("apt-get").args(["download", "--quiet", package]).current_dir(dir))?;
    let files: Vec<PathBuf> =
        fs::read_dir(dir)?.map(|entry| entry.map(|entry| entry.path())).collect::<std::io::Result<_>>()?;
    let archive = files.iter().find(|file| file.extension().is_some_and(|extension| extension == "deb"));
    let archive = archive.ok_or_else(|| format!("apt-get downloaded nothing for {package}"))?;
    run(Command::new("dpkg-deb").arg("--extract").arg(archive).arg(dir.join("files")))
}

fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().display().to_string();
    let wanted =
        "the photographs come from Debian's packages, which need apt-get (its lists up to date) and dpkg-deb";
    let status = command.status().map_err(|error| format!("{name}: {error}; {wanted}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} failed: {status}; {wanted}").into()) }
}
