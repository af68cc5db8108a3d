//! Contestants measured in turn, so that what disturbs the machine disturbs all of them.
//!
//! criterion and divan measure one function to its end before the next: on a machine whose clock and neighbours
//! change within seconds, a ratio of two such results is a ratio of two moments. Here each round runs every
//! contestant once, beginning with another each time; the minimum over the rounds is each one's undisturbed
//! time, and the median says how much there was of disturbance.

use std::hint::black_box;
use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_gettime};
use nix::unistd::Pid;

use crate::Result;

/// One of those that do the same job.
pub(crate) struct Contestant<'a> {
    /// Its name in the table.
    pub name: String,
    run: Box<dyn FnMut() -> Result<Duration> + 'a>,
}

impl<'a> Contestant<'a> {
    /// Work in this thread, whose CPU time counts. What the job returns is not optimized away; what it reads
    /// it must take through [`black_box`] if the compiler could know it.
    pub(crate) fn here<T>(
        name: impl Into<String>,
        mut job: impl FnMut() -> Result<T> + 'a,
    ) -> Contestant<'a> {
        let run = move || {
            let before = thread_cpu()?;
            let made = job()?;
            let spent = thread_cpu()?.saturating_sub(before);
            black_box(made);
            Ok(spent)
        };
        Contestant { name: name.into(), run: Box::new(run) }
    }

    /// Work elsewhere: the job tells what it took.
    pub(crate) fn elsewhere(
        name: impl Into<String>,
        job: impl FnMut() -> Result<Duration> + 'a,
    ) -> Contestant<'a> {
        Contestant { name: name.into(), run: Box::new(job) }
    }
}

/// How long a race takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Rounds at least; one more before them is not counted.
    pub rounds: usize,
    /// Rounds at most.
    pub most: usize,
    /// Rounds are added until this much time has gone by.
    pub time: Duration,
}

impl Effort {
    /// To know that it works.
    pub(crate) const QUICK: Effort = Effort { rounds: 2, most: 2, time: Duration::ZERO };
    /// For numbers.
    pub(crate) const FULL: Effort = Effort { rounds: 7, most: 400, time: Duration::from_millis(1200) };
}

/// A contestant's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Timing {
    /// The best round.
    pub min: Duration,
    /// The middle of all rounds.
    pub median: Duration,
}

/// Runs all contestants in turn; their results in the contestants' order.
pub(crate) fn race(contestants: &mut [Contestant<'_>], effort: Effort) -> Result<Vec<Timing>> {
    let begin = Instant::now();
    let mut times = vec![Vec::new(); contestants.len()];
    for round in 0..=effort.most {
        for turn in 0..contestants.len() {
            let place = (turn + round) % contestants.len();
            let spent = (contestants[place].run)()?;
            // The first round fills caches, and the lazily made tables of some.
            if round > 0 {
                times[place].push(spent);
            }
        }
        if round >= effort.rounds && begin.elapsed() >= effort.time {
            break;
        }
    }
    Ok(times.into_iter().map(summary).collect())
}

/// CPU time of another process so far, of all its threads, in the kernel and out of it; in nanoseconds, where
/// `/proc` counts in hundredths of a second.
pub(crate) fn process_cpu(process: u32) -> Result<Duration> {
    let clock = ClockId::pid_cpu_clock_id(Pid::from_raw(i32::try_from(process)?))?;
    Ok(clock_gettime(clock)?.into())
}

/// CPU time of the calling thread so far.
fn thread_cpu() -> Result<Duration> {
    Ok(clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)?.into())
}

fn summary(mut times: Vec<Duration>) -> Timing {
    times.sort_unstable();
    let at = |place: usize| times.get(place).copied().unwrap_or_default();
    Timing { min: at(0), median: at(times.len() / 2) }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn every_round_has_everyone_and_the_first_is_not_counted() {
        let order = RefCell::new(String::new());
        let counted = |name: &'static str, times: [u64; 4]| {
            let (order, mut round) = (&order, 0);
            Contestant::elsewhere(name, move || {
                order.borrow_mut().push_str(name);
                round += 1;
                Ok(Duration::from_millis(times[round - 1]))
            })
        };
        let mut both = [counted("a", [1, 5, 3, 4]), counted("b", [100, 7, 9, 8])];
        let effort = Effort { rounds: 3, most: 3, time: Duration::ZERO };
        let timings = race(&mut both, effort).unwrap();
        assert_eq!(*order.borrow(), "abbaabba");
        let millis = |n| Duration::from_millis(n);
        assert_eq!(timings[0], Timing { min: millis(3), median: millis(4) });
        assert_eq!(timings[1], Timing { min: millis(7), median: millis(8) });
    }

    #[test]
    fn work_here_is_measured() {
        let mut busy = [Contestant::here("busy", || {
            let begin = thread_cpu()?;
            while thread_cpu()?.saturating_sub(begin) < Duration::from_millis(2) {}
            Ok(())
        })];
        assert!(race(&mut busy, Effort::QUICK).unwrap()[0].min >= Duration::from_millis(2));
    }

    #[test]
    fn another_process_is_measured() {
        let own = process_cpu(std::process::id()).unwrap();
        let begin = thread_cpu().unwrap();
        while thread_cpu().unwrap().saturating_sub(begin) < Duration::from_millis(2) {}
        let spent = process_cpu(std::process::id()).unwrap().saturating_sub(own);
        assert!(spent >= Duration::from_millis(2), "{spent:?}");
    }

    #[test]
    fn a_failure_ends_the_race() {
        let mut failing = [Contestant::elsewhere("failing", || Err("so".into()))];
        assert_eq!(race(&mut failing, Effort::QUICK).unwrap_err().to_string(), "so");
    }
}
