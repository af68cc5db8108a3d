//! Buffers that are used again.
//!
//! A [`Pool`] hands out [`Lease`]s and takes their memory back when they are dropped. Buffers come in size
//! classes, powers of two and the halves between (8192, 12288, 16384, … bytes), so that a lease wastes a
//! third of its buffer at most and pictures of similar sizes share buffers. Idle buffers are kept up to
//! [`Settings::idle_bytes`] in total; what comes back beyond that takes the place of other sizes, or is freed.
//! A lease above [`Settings::spill_threshold`] is a memory-mapped file (see [`super::spill`]) and is never kept.
//!
//! Every buffer is an anonymous mapping of its own: freed, it is the system's again at once. From the
//! allocator, aligned buffers of changing sizes left holes that it never used again (glibc 2.36 grew to nine
//! times the memory in use). A new one reads as zeros and is not touched before its user touches it; a used
//! one comes back with its old bytes.

use std::{
    fmt,
    ops::{Deref, DerefMut},
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
};

use memmap2::MmapMut;

use super::{MemoryError, spill::Spill};

/// The smallest class, log2. It and the half above it are whole pages, and so are all others.
const SMALLEST: u32 = 13;

/// Two classes for each power of two up to half the address space, which no allocation can exceed.
const CLASSES: usize = 2 * (usize::BITS - SMALLEST - 1) as usize + 1;

/// How a pool behaves.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Bytes of idle buffers that are kept.
    pub idle_bytes: usize,
    /// Leases above this many bytes are spill files.
    pub spill_threshold: usize,
    /// Where spill files lie.
    pub spill_dir: PathBuf,
}

impl Default for Settings {
    /// 16 MiB idle: a few workers' workspaces for usual photographs. 5 MiB in memory. The system's
    /// temporary directory.
    fn default() -> Self {
        Settings { idle_bytes: 16 << 20, spill_threshold: 5 << 20, spill_dir: std::env::temp_dir() }
    }
}

/// A pool of buffers; clones share it.
#[derive(Clone)]
pub(crate) struct Pool {
    shared: Arc<Shared>,
}

impl Pool {
    /// An empty pool.
    pub(crate) fn new(settings: Settings) -> Pool {
        Pool { shared: Arc::new(Shared { settings, idle: Mutex::default(), counters: Counters::default() }) }
    }

    /// Makes and drops a small spill file, so that an unusable directory is noticed at the start and not by
    /// the first large picture.
    pub(crate) fn check_spill_dir(&self) -> Result<(), MemoryError> {
        self.shared.spill(1).map(drop)
    }

    /// A buffer of `len` bytes, whatever they hold.
    pub(crate) fn lease(&self, len: usize) -> Result<Lease, MemoryError> {
        let buffer = if len > self.shared.settings.spill_threshold {
            self.shared.counters.spills.fetch_add(1, Relaxed);
            Buffer::Spill(self.shared.spill(len)?)
        } else {
            Buffer::Pooled(self.shared.pooled(len)?)
        };
        let lease = Lease { buffer, len, shared: Arc::clone(&self.shared) };
        lease.shared.counters.bytes_out.fetch_add(lease.capacity(), Relaxed);
        if matches!(lease.buffer, Buffer::Spill(_)) {
            lease.shared.counters.spills_mapped.fetch_add(1, Relaxed);
        }
        Ok(lease)
    }

    /// Bytes that a lease of `len` bytes takes: the whole of its buffer.
    pub(crate) fn footprint(&self, len: usize) -> usize {
        let spilled = len > self.shared.settings.spill_threshold || isize::try_from(len).is_err();
        if spilled { len } else { class_bytes(class_of(len)) }
    }

    /// The pool's numbers now.
    pub(crate) fn stats(&self) -> Stats {
        let counters = &self.shared.counters;
        Stats {
            hits: counters.hits.load(Relaxed),
            misses: counters.misses.load(Relaxed),
            spills: counters.spills.load(Relaxed),
            spills_mapped: counters.spills_mapped.load(Relaxed),
            bytes_out: counters.bytes_out.load(Relaxed),
            bytes_idle: self.shared.idle().bytes,
        }
    }
}

/// A pool's numbers, for the operator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stats {
    /// Leases that used an idle buffer.
    pub hits: u64,
    /// Leases that needed a new buffer.
    pub misses: u64,
    /// Leases that were spill files.
    pub spills: u64,
    /// Spill files mapped now.
    pub spills_mapped: usize,
    /// Bytes of all buffers and spill files that are leased now.
    pub bytes_out: usize,
    /// Bytes of all idle buffers now.
    pub bytes_idle: usize,
}

/// Exclusive use of some memory, given back on drop.
pub(crate) struct Lease {
    buffer: Buffer,
    len: usize,
    shared: Arc<Shared>,
}

impl Lease {
    /// Keeps the first `len` bytes visible; the memory stays leased as a whole.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Bytes of the memory that is leased, which may be more than are visible.
    pub(crate) fn capacity(&self) -> usize {
        match &self.buffer {
            Buffer::Pooled(map) => map.len(),
            Buffer::Spill(spill) => spill.len(),
            Buffer::Gone => 0,
        }
    }
}

impl Deref for Lease {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.buffer {
            Buffer::Pooled(map) => &map[..self.len],
            Buffer::Spill(spill) => &spill[..self.len],
            Buffer::Gone => &[],
        }
    }
}

impl DerefMut for Lease {
    fn deref_mut(&mut self) -> &mut [u8] {
        match &mut self.buffer {
            Buffer::Pooled(map) => &mut map[..self.len],
            Buffer::Spill(spill) => &mut spill[..self.len],
            Buffer::Gone => &mut [],
        }
    }
}

impl AsRef<[u8]> for Lease {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl fmt::Debug for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lease({} of {} bytes)", self.len, self.capacity())
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let counters = &self.shared.counters;
        counters.bytes_out.fetch_sub(self.capacity(), Relaxed);
        match std::mem::replace(&mut self.buffer, Buffer::Gone) {
            Buffer::Pooled(map) => self.shared.give_back(map),
            Buffer::Spill(_) => {
                counters.spills_mapped.fetch_sub(1, Relaxed);
            }
            Buffer::Gone => {}
        }
    }
}

enum Buffer {
    Pooled(MmapMut),
    Spill(Spill),
    /// Given back: only while the lease is being dropped.
    Gone,
}

struct Shared {
    settings: Settings,
    idle: Mutex<Idle>,
    counters: Counters,
}

#[derive(Default)]
struct Counters {
    hits: AtomicU64,
    misses: AtomicU64,
    spills: AtomicU64,
    spills_mapped: AtomicUsize,
    bytes_out: AtomicUsize,
}

/// Buffers nobody uses, the last used of each class last.
struct Idle {
    classes: [Vec<MmapMut>; CLASSES],
    bytes: usize,
}

impl Default for Idle {
    fn default() -> Self {
        Idle { classes: [const { Vec::new() }; CLASSES], bytes: 0 }
    }
}

impl Idle {
    fn take(&mut self, class: usize) -> Option<MmapMut> {
        let map = self.classes[class].pop()?;
        self.bytes -= map.len();
        Some(map)
    }

    /// A buffer of the class that holds most, other than `class`.
    fn evict_for(&mut self, class: usize) -> Option<MmapMut> {
        let held = |other: &usize| self.classes[*other].len() * class_bytes(*other);
        let fullest = (0..CLASSES).filter(|other| *other != class && held(other) > 0).max_by_key(held)?;
        self.take(fullest)
    }
}

impl Shared {
    fn pooled(&self, len: usize) -> Result<MmapMut, MemoryError> {
        let exhausted = || MemoryError::Exhausted { len };
        if len > isize::MAX as usize {
            return Err(exhausted());
        }
        let class = class_of(len);
        if let Some(map) = self.idle().take(class) {
            self.counters.hits.fetch_add(1, Relaxed);
            return Ok(map);
        }
        self.counters.misses.fetch_add(1, Relaxed);
        MmapMut::map_anon(class_bytes(class)).map_err(|_| exhausted())
    }

    fn spill(&self, len: usize) -> Result<Spill, MemoryError> {
        let dir = &self.settings.spill_dir;
        Spill::new(dir, len).map_err(|cause| MemoryError::Spill { dir: dir.clone(), len, cause })
    }

    fn give_back(&self, map: MmapMut) {
        let (class, bytes, cap) = (class_of(map.len()), map.len(), self.settings.idle_bytes);
        let mut evicted = Vec::new();
        let mut idle = self.idle();
        // Sizes that were wanted once must not keep out those that are wanted now.
        while bytes <= cap && idle.bytes + bytes > cap {
            match idle.evict_for(class) {
                Some(other) => evicted.push(other),
                None => break,
            }
        }
        if idle.bytes + bytes <= cap {
            idle.bytes += bytes;
            idle.classes[class].push(map);
        } else {
            evicted.push(map);
        }
        drop(idle); // unmapping may take a while
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        // A panic between two lines that hold this lock would leave `bytes` a little off, no more.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The class of the smallest buffers that hold `len` bytes: even classes `2 * n` have `4096 << n` bytes, odd
/// ones half as much again.
fn class_of(len: usize) -> usize {
    let len = len.max(1 << SMALLEST);
    let power = (len - 1).ilog2(); // len is in (2^power, 2^(power+1)], or exactly the smallest class
    if len == 1 << SMALLEST {
        0
    } else if len <= 3 << (power - 1) {
        2 * (power - SMALLEST) as usize + 1
    } else {
        2 * (power + 1 - SMALLEST) as usize
    }
}

fn class_bytes(class: usize) -> usize {
    let power = SMALLEST as usize + class / 2;
    if class.is_multiple_of(2) { 1 << power } else { 3 << (power - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(idle_bytes: usize) -> Pool {
        Pool::new(Settings { idle_bytes, spill_threshold: 100_000, ..Settings::default() })
    }

    #[test]
    fn classes_are_the_smallest_that_hold() {
        for (len, bytes) in
            [(0, 8192), (1, 8192), (8192, 8192), (8193, 12_288), (12_288, 12_288), (12_289, 16_384)]
        {
            assert_eq!(class_bytes(class_of(len)), bytes, "{len}");
        }
        for len in [16_384, 16_385, 24_576, 24_577, 1 << 20, (1 << 20) + 1, 3 << 20, 5 << 20] {
            let class = class_of(len);
            assert!(class_bytes(class) >= len && class_bytes(class - 1) < len, "{len}");
        }
        assert_eq!(class_of(isize::MAX as usize), CLASSES - 1);
    }

    #[test]
    fn an_impossible_length_is_an_error() {
        let pool = Pool::new(Settings { spill_threshold: usize::MAX, ..Settings::default() });
        for len in [usize::MAX, isize::MAX as usize] {
            assert!(matches!(pool.lease(len), Err(MemoryError::Exhausted { .. })));
        }
    }

    #[test]
    fn leases_are_aligned_and_as_long_as_asked() {
        let pool = pool(1 << 20);
        for len in [0, 1, 63, 4097, 70_000, 100_000, 100_001, 3_000_000] {
            let mut lease = pool.lease(len).unwrap();
            assert_eq!(lease.len(), len);
            assert_eq!(lease.as_ptr().addr() % tintype_core::WORKSPACE_ALIGN, 0, "{len}");
            lease.fill(7);
        }
    }

    #[test]
    fn a_dropped_buffer_is_used_again() {
        let pool = pool(1 << 20);
        let first = pool.lease(5000).unwrap();
        let address = first.as_ptr().addr();
        assert_eq!(pool.stats(), Stats { misses: 1, bytes_out: 8192, ..Stats::default() });
        drop(first);
        assert_eq!(pool.stats(), Stats { misses: 1, bytes_idle: 8192, ..Stats::default() });
        let second = pool.lease(6000).unwrap();
        assert_eq!(second.as_ptr().addr(), address);
        assert_eq!(pool.stats(), Stats { hits: 1, misses: 1, bytes_out: 8192, ..Stats::default() });
    }

    #[test]
    fn idle_bytes_have_a_cap() {
        let pool = pool(20_000);
        let leases = [pool.lease(8192).unwrap(), pool.lease(8192).unwrap(), pool.lease(8192).unwrap()];
        drop(leases);
        assert_eq!(pool.stats().bytes_idle, 16_384);
        drop(pool.lease(50_000).unwrap());
        assert_eq!(pool.stats().bytes_idle, 16_384, "one that alone is over the cap takes nobody's place");
    }

    #[test]
    fn what_comes_back_takes_the_place_of_other_sizes() {
        let pool = pool(50_000);
        drop([pool.lease(8192).unwrap(), pool.lease(8192).unwrap(), pool.lease(12_288).unwrap()]);
        assert_eq!(pool.stats().bytes_idle, 28_672);
        drop(pool.lease(32_768).unwrap());
        // First one of the two small ones, their class being the fullest, then the one of 12,288.
        assert_eq!(pool.stats().bytes_idle, 32_768 + 8192);
        let hits = pool.stats().hits;
        drop(pool.lease(30_000).unwrap());
        assert_eq!(pool.stats().hits, hits + 1);
    }

    #[test]
    fn a_footprint_is_the_whole_buffer() {
        let pool = pool(1 << 20);
        for len in [0, 5000, 8193, 99_999, 100_000, 100_001, 3_000_000] {
            assert_eq!(pool.footprint(len), pool.lease(len).unwrap().capacity(), "{len}");
        }
    }

    #[test]
    fn a_large_lease_is_a_spill_and_is_given_back() {
        let pool = pool(1 << 20);
        let mut lease = pool.lease(100_001).unwrap();
        lease.fill(3);
        assert_eq!((pool.stats().spills_mapped, pool.stats().bytes_out), (1, 100_001));
        drop(lease);
        assert_eq!(pool.stats(), Stats { spills: 1, ..Stats::default() });
    }

    #[test]
    fn a_missing_spill_directory_is_an_error_that_names_it() {
        let dir = tempfile::tempdir().unwrap().path().join("gone");
        let pool = Pool::new(Settings { spill_dir: dir.clone(), spill_threshold: 10, ..Settings::default() });
        let message = pool.lease(11).unwrap_err().to_string();
        assert!(message.contains(&dir.display().to_string()), "{message}");
        assert!(pool.check_spill_dir().is_err());
        assert!(pool.lease(10).is_ok());
        assert_eq!((pool.stats().spills_mapped, pool.stats().bytes_out), (0, 0));
    }

    #[test]
    fn a_lease_can_become_a_body_and_comes_back() {
        let pool = pool(1 << 20);
        let mut lease = pool.lease(5000).unwrap();
        lease[..3].copy_from_slice(b"abc");
        lease.truncate(3);
        let address = lease.as_ptr();
        let body = bytes::Bytes::from_owner(lease);
        assert_eq!((&body[..], body.as_ptr()), (&b"abc"[..], address));
        assert_eq!(pool.stats().bytes_idle, 0);
        std::thread::spawn(move || drop(body)).join().unwrap();
        assert_eq!(pool.stats().bytes_idle, 8192);
    }
}
