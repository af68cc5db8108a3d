//! Pictures in a folder.
//!
//! The folder is opened once, at the start: where it is a symbolic link, pointing that elsewhere later
//! has no effect. Every path is resolved beneath it by the kernel (`openat2`, `RESOLVE_BENEATH`, through cap-std), so that
//! neither `..` nor a symbolic link leads out of it. Only regular files are served. Files are read, not mapped:
//! a mapped file that somebody truncates would kill the process.

use std::{
    io,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use cap_std::{
    ambient_authority,
    fs::{Dir, OpenOptions, OpenOptionsExt},
};
use rustix::{fs::OFlags, io::Errno};
use tintype_request::{SourcePath, Validator};

use super::SourceError;
use crate::memory::{Lease, Pool};

/// A folder of pictures.
#[derive(Debug)]
pub(crate) struct Directory {
    root: Dir,
}

impl Directory {
    /// Opens the folder that is the root of all paths.
    pub(crate) fn open(root: &Path) -> io::Result<Directory> {
        Ok(Directory { root: Dir::open_ambient_dir(root, ambient_authority())? })
    }

    /// Opens the regular file at `path` and reads its facts, but none of its bytes.
    pub(crate) fn file(&self, path: &SourcePath) -> Result<SourceFile, SourceError> {
        self.file_at(&path.segments().collect::<PathBuf>())
    }

    fn file_at(&self, path: &Path) -> Result<SourceFile, SourceError> {
        let mut options = OpenOptions::new();
        // Opening a FIFO without O_NONBLOCK waits for a writer, for ever. On regular files it does nothing.
        options.read(true).custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
        let file = self.root.open_with(path, &options).map_err(open_error)?.into_std();
        let facts = Facts::of(&file)?;
        if facts.regular { Ok(SourceFile { file, facts }) } else { Err(SourceError::NotFound) }
    }
}

/// An open regular file.
#[derive(Debug)]
pub(crate) struct SourceFile {
    file: std::fs::File,
    facts: Facts,
}

impl SourceFile {
    /// The file's length when it was opened, in bytes.
    pub(crate) fn len(&self) -> u64 {
        self.facts.len
    }

    /// What tells this version of the file from another.
    pub(crate) fn validator(&self) -> Validator<'static> {
        Validator::Modified { unix_time: self.facts.modified.0, len: self.facts.len }
    }

    /// The first `len` bytes, or all where there are fewer.
    pub(crate) fn read_start(&self, len: u64, pool: &Pool) -> Result<Lease, SourceError> {
        let mut lease = pool.lease(len.min(self.facts.len) as usize)?;
        self.fill(&mut lease)?;
        Ok(lease)
    }

    /// All bytes. An error if the file is not now what it was when it was opened: the validator would
    /// stand for other bytes.
    pub(crate) fn read_all(&self, pool: &Pool) -> Result<Lease, SourceError> {
        let lease = self.read_start(self.facts.len, pool)?;
        if Facts::of(&self.file)? == self.facts { Ok(lease) } else { Err(SourceError::Changed) }
    }

    fn fill(&self, bytes: &mut [u8]) -> Result<(), SourceError> {
        self.file.read_exact_at(bytes, 0).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => SourceError::Changed,
            _ => SourceError::Unreadable(error),
        })
    }
}

/// What `fstat` tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Facts {
    regular: bool,
    len: u64,
    /// Last change: seconds and nanoseconds since 1970; earlier ones count as 1970.
    modified: (u64, u32),
}

impl Facts {
    fn of(file: &std::fs::File) -> Result<Facts, SourceError> {
        let metadata = file.metadata().map_err(SourceError::Unreadable)?;
        let since_1970 = metadata
            .modified()
            .ok()
            .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
            .unwrap_or_default();
        Ok(Facts {
            regular: metadata.is_file(),
            len: metadata.len(),
            modified: (since_1970.as_secs(), since_1970.subsec_nanos()),
        })
    }
}

/// A path that leads nowhere, out of the root or to what may not be read is no source; the client need not
/// know which. All else is the operator's.
fn open_error(error: io::Error) -> SourceError {
    if error.kind() == io::ErrorKind::NotFound {
        return SourceError::NotFound;
    }
    match Errno::from_io_error(&error) {
        Some(
            Errno::NOENT
            | Errno::ACCESS
            | Errno::PERM
            | Errno::NOTDIR
            | Errno::ISDIR
            | Errno::LOOP
            | Errno::XDEV // out of the root
            | Errno::NAMETOOLONG
            | Errno::INVAL
            | Errno::NXIO, // a socket, or a device without a driver
        )
        // cap-std itself refuses a path that escapes or holds a NUL, without an error of the system.
        | None => SourceError::NotFound,
        Some(_) => SourceError::Unreadable(error),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;
    use crate::memory::Settings;

    fn root() -> (tempfile::TempDir, Directory) {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("root")).unwrap();
        fs::write(dir.path().join("secret"), "secret").unwrap();
        fs::write(dir.path().join("root/a"), "picture").unwrap();
        let directory = Directory::open(&dir.path().join("root")).unwrap();
        (dir, directory)
    }

    #[test]
    fn a_file_is_read_as_it_is() {
        let (_dir, directory) = root();
        let file = directory.file_at(Path::new("a")).unwrap();
        let pool = Pool::new(Settings::default());
        assert_eq!(&file.read_all(&pool).unwrap()[..], b"picture");
        assert_eq!(&file.read_start(3, &pool).unwrap()[..], b"pic");
        assert_eq!(&file.read_start(300, &pool).unwrap()[..], b"picture");
        assert!(matches!(file.validator(), Validator::Modified { len: 7, unix_time: 1_500_000_000.. }));
    }

    #[test]
    fn nothing_outside_the_root_and_nothing_but_files() {
        let (dir, directory) = root();
        let inside = dir.path().join("root");
        symlink("../secret", inside.join("out")).unwrap();
        symlink(dir.path().join("secret"), inside.join("absolute")).unwrap();
        symlink("loop", inside.join("loop")).unwrap();
        symlink("a", inside.join("fine")).unwrap();
        fs::create_dir(inside.join("folder")).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            inside.join("fifo"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(inside.join("socket")).unwrap();
        let long = "x".repeat(300);
        for path in [
            "gone",
            "../secret",
            "folder/../../secret",
            "/etc/hostname",
            "out",
            "absolute",
            "loop",
            "folder",
            "fifo",
            "socket",
            "a/b",
            "a\0b",
            "",
            ".",
            &long,
        ] {
            let found = directory.file_at(Path::new(path));
            assert!(matches!(found, Err(SourceError::NotFound)), "{path}: {found:?}");
        }
        assert!(directory.file_at(Path::new("fine")).is_ok(), "a link within the root");
    }

    #[test]
    fn a_file_changed_after_its_opening_is_noticed() {
        let (dir, directory) = root();
        let pool = Pool::new(Settings::default());
        for change in ["pic", "another picture"] {
            let file = directory.file_at(Path::new("a")).unwrap();
            fs::write(dir.path().join("root/a"), change).unwrap();
            assert!(matches!(file.read_all(&pool), Err(SourceError::Changed)), "{change}");
        }
        let file = directory.file_at(Path::new("a")).unwrap();
        fs::write(dir.path().join("root/b"), "new").unwrap();
        fs::rename(dir.path().join("root/b"), dir.path().join("root/a")).unwrap();
        assert_eq!(&file.read_all(&pool).unwrap()[..], b"another picture", "a replaced file stays whole");
    }
}
