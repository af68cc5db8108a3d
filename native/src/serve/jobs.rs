//! CPU work: a fixed set of threads, fed by a bounded queue.
//!
//! A caller first [`reserve`](Jobs::reserve)s a slot, which fails at once when as many jobs are running and
//! waiting as may be, and then [`run`](Jobs::run)s its job in it. The job's `stop` tells it when nobody waits
//! any more: the caller's future was dropped because the client left or the time was up. A job that panics
//! costs its own result only.

use std::{
    collections::VecDeque,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
    thread,
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// The threads and their queue. Dropping it ends the threads once the queue is empty.
pub(crate) struct Jobs {
    shared: Arc<Shared>,
    slots: Arc<Semaphore>,
}

impl Jobs {
    /// Starts `threads` threads; `waiting` jobs may wait for them.
    pub(crate) fn start(threads: usize, waiting: usize) -> io::Result<Jobs> {
        let jobs =
            Jobs { shared: Arc::default(), slots: Arc::new(Semaphore::new(threads.saturating_add(waiting))) };
        for number in 0..threads {
            let shared = Arc::clone(&jobs.shared);
            thread::Builder::new().name(format!("cpu-{number}")).spawn(move || shared.work())?;
        }
        Ok(jobs)
    }

    /// A place in the queue; `None` if it is full.
    pub(crate) fn reserve(&self) -> Option<Slot> {
        Arc::clone(&self.slots).try_acquire_owned().ok().map(|permit| Slot { _permit: permit })
    }

    /// Runs `work` on one of the threads. `work` gets a function that says whether to stop; what it returns
    /// after that goes nowhere. If this future is dropped before the work began, it never begins.
    pub(crate) async fn run<T, W>(&self, slot: Slot, work: W) -> Result<T, Panicked>
    where
        T: Send + 'static,
        W: FnOnce(&dyn Fn() -> bool) -> T + Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        let shared = Arc::clone(&self.shared);
        self.shared.push(Box::new(move || {
            if sender.is_closed() {
                return;
            }
            // What the work shares with others, the pool and counters, holds no invariant across a panic.
            let result = catch_unwind(AssertUnwindSafe(|| work(&|| sender.is_closed())));
            if result.is_err() {
                shared.panics.fetch_add(1, Relaxed);
            }
            // Before the answer: who has it may ask again at once.
            drop(slot);
            let _ = sender.send(result.map_err(|_| Panicked));
        }));
        // The sender can only be lost in a panic of the closure itself; its result is the same.
        receiver.await.unwrap_or(Err(Panicked))
    }

    /// The queue's numbers now.
    pub(crate) fn stats(&self) -> Stats {
        Stats {
            queued: self.shared.queue().waiting.len(),
            running: self.shared.running.load(Relaxed),
            panics: self.shared.panics.load(Relaxed),
        }
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.shared.queue().closed = true;
        self.shared.arrived.notify_all();
    }
}

/// A place in the queue.
pub(crate) struct Slot {
    _permit: OwnedSemaphorePermit,
}

/// The job panicked; the panic's message is on the standard error already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Panicked;

/// A queue's numbers, for the operator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stats {
    /// Jobs waiting for a thread.
    pub queued: usize,
    /// Jobs on a thread.
    pub running: usize,
    /// Jobs that panicked since the start.
    pub panics: u64,
}

type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    arrived: Condvar,
    running: AtomicUsize,
    panics: AtomicU64,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Job>,
    closed: bool,
}

impl Shared {
    fn push(&self, job: Job) {
        self.queue().waiting.push_back(job);
        self.arrived.notify_one();
    }

    /// A thread's life.
    fn work(&self) {
        while let Some(job) = self.next() {
            self.running.fetch_add(1, Relaxed);
            job();
            self.running.fetch_sub(1, Relaxed);
        }
    }

    fn next(&self) -> Option<Job> {
        let mut queue = self.queue();
        loop {
            if let Some(job) = queue.waiting.pop_front() {
                return Some(job);
            }
            if queue.closed {
                return None;
            }
            queue = self.arrived.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // No code that can panic runs under this lock.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{atomic::AtomicBool, mpsc},
        time::Duration,
    };

    use super::*;

    #[tokio::test]
    async fn a_full_queue_refuses_at_once() {
        let jobs = Jobs::start(1, 1).unwrap();
        let (first, second) = (jobs.reserve().unwrap(), jobs.reserve().unwrap());
        assert!(jobs.reserve().is_none());
        assert_eq!(jobs.run(first, |_| 1).await, Ok(1));
        let third = jobs.reserve().unwrap();
        assert_eq!((jobs.run(second, |_| 2).await, jobs.run(third, |_| 3).await), (Ok(2), Ok(3)));
    }

    #[tokio::test]
    async fn a_panic_costs_one_result() {
        let jobs = Jobs::start(1, 0).unwrap();
        let result: Result<(), _> = jobs.run(jobs.reserve().unwrap(), |_| panic!("on purpose")).await;
        assert_eq!((result, jobs.stats().panics), (Err(Panicked), 1));
        assert_eq!(jobs.run(jobs.reserve().unwrap(), |_| 5).await, Ok(5));
    }

    #[tokio::test]
    async fn a_job_nobody_waits_for_stops_or_never_begins() {
        let jobs = Arc::new(Jobs::start(1, 1).unwrap());
        let (began, has_begun) = mpsc::channel();
        let (stopped, has_stopped) = mpsc::channel();
        let slot = jobs.reserve().unwrap();
        let first = tokio::spawn({
            let jobs = Arc::clone(&jobs);
            async move {
                let work = move |stop: &dyn Fn() -> bool| {
                    began.send(()).unwrap();
                    while !stop() {
                        thread::sleep(Duration::from_millis(1));
                    }
                    stopped.send(()).unwrap();
                };
                jobs.run(slot, work).await
            }
        });
        tokio::task::spawn_blocking(move || has_begun.recv().unwrap()).await.unwrap();
        let ran = Arc::new(AtomicBool::new(false));
        let second = tokio::spawn({
            let (jobs, ran) = (Arc::clone(&jobs), Arc::clone(&ran));
            let slot = jobs.reserve().unwrap();
            async move { jobs.run(slot, move |_| ran.store(true, Relaxed)).await }
        });
        while jobs.stats().queued == 0 {
            tokio::task::yield_now().await;
        }
        second.abort();
        let _ = second.await;
        first.abort();
        tokio::task::spawn_blocking(move || has_stopped.recv().unwrap()).await.unwrap();
        while jobs.reserve().is_none() || jobs.stats().queued > 0 {
            tokio::task::yield_now().await;
        }
        assert!(!ran.load(Relaxed));
    }
}
