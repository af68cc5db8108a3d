//! One large buffer in a temporary file without a name, mapped into memory.
//!
//! The kernel may write a spill's pages out when memory is short, which it cannot do with the heap's. The file
//! has no name from the start (`O_TMPFILE`) or loses it at once, so nothing is left behind whatever becomes of
//! the process. Address space and disk: the length, rounded up to whole pages. It is given back on drop.

use std::{
    fs::File,
    io::{self, Write},
    ops::{Deref, DerefMut},
    path::Path,
};

use memmap2::MmapMut;
use rustix::fs::{FallocateFlags, fallocate};

/// A mapped temporary file. Starts on a page boundary, reads as zeros at first.
#[derive(Debug)]
pub(super) struct Spill {
    map: MmapMut,
}

impl Spill {
    /// A spill of `len` bytes (1 or more) in `dir`, with every block of it allocated.
    pub(super) fn new(dir: &Path, len: usize) -> io::Result<Spill> {
        let file = tempfile::tempfile_in(dir)?;
        allocate(&file, len as u64)?;
        Ok(Spill { map: map(&file)? })
    }
}

impl Deref for Spill {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map
    }
}

impl DerefMut for Spill {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.map
    }
}

/// Gives the file its length and its blocks, so that a full disk is an error here. A sparse file would
/// accept the mapping, and a write to a page without a block would kill the process with `SIGBUS`.
fn allocate(file: &File, len: u64) -> io::Result<()> {
    match fallocate(file, FallocateFlags::empty(), 0, len) {
        Ok(()) => Ok(()),
        // Some file systems (NFS before 4.2, some FUSE ones) cannot allocate ahead. Writing zeros does the
        // same on all that do not compress; it is slower, and only they pay for it.
        Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS) => write_zeros(file, len),
        Err(errno) => Err(errno.into()),
    }
}

fn write_zeros(mut file: &File, len: u64) -> io::Result<()> {
    static ZEROS: [u8; 64 << 10] = [0; 64 << 10];
    let mut left = len;
    while left > 0 {
        let chunk = left.min(ZEROS.len() as u64) as usize;
        file.write_all(&ZEROS[..chunk])?;
        left -= chunk as u64;
    }
    Ok(())
}

#[expect(unsafe_code, reason = "a mapping can change under us only if its file can; this one has no name")]
fn map(file: &File) -> io::Result<MmapMut> {
    // SAFETY: a map is unsound if somebody else changes or truncates its file. This file was made by
    // `tempfile_in` for us alone, has no name by which another process could open it, is not handed to
    // child processes (`O_CLOEXEC`), and its descriptor is closed when `Spill::new` returns.
    unsafe { MmapMut::map_mut(file) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_is_written_and_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let mut spill = Spill::new(dir.path(), 1_000_000).unwrap();
        assert_eq!(spill.len(), 1_000_000);
        assert!(spill.iter().all(|&byte| byte == 0));
        spill[999_999] = 7;
        assert_eq!(spill[999_999], 7);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "a spill has no name");
    }

    #[test]
    fn writing_zeros_gives_the_same_length_as_allocating() {
        let file = tempfile::tempfile().unwrap();
        write_zeros(&file, 200_001).unwrap();
        assert_eq!(file.metadata().unwrap().len(), 200_001);
    }

    #[test]
    fn a_missing_directory_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let error = Spill::new(&dir.path().join("gone"), 1).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn more_than_the_disk_has_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        assert!(Spill::new(dir.path(), 1 << 60).is_err());
    }
}
