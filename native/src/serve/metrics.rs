//! What the server counts, and its text form for Prometheus.

use std::{
    fmt::{self, Display, Write},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

use crate::{memory, serve::jobs};

/// Status codes are counted from 100 to 599.
const FIRST_STATUS: u16 = 100;
const STATUSES: usize = 500;

/// Counters of the requests for pictures. Every method takes a few atomic additions and no lock.
pub(crate) struct Metrics {
    by_status: [AtomicU64; STATUSES],
    abandoned: AtomicU64,
    panics: AtomicU64,
    micros: AtomicU64,
    body_bytes: AtomicU64,
}

impl Default for Metrics {
    fn default() -> Self {
        Metrics {
            by_status: [const { AtomicU64::new(0) }; STATUSES],
            abandoned: AtomicU64::new(0),
            panics: AtomicU64::new(0),
            micros: AtomicU64::new(0),
            body_bytes: AtomicU64::new(0),
        }
    }
}

impl Metrics {
    /// Begins a request. It counts as abandoned if it is dropped without an answer.
    pub(crate) fn begin(&self) -> InFlight<'_> {
        InFlight { metrics: self, begin: Instant::now(), answered: false }
    }

    /// File I/O or the reading of a header panicked; the CPU threads count their own.
    pub(crate) fn panicked(&self) {
        self.panics.fetch_add(1, Relaxed);
    }

    /// All numbers, in Prometheus's text format.
    pub(crate) fn render(&self, jobs: jobs::Stats, pool: memory::Stats) -> String {
        let mut page = Page::default();
        page.head("tintype_requests_total", "counter", "Requests answered, by status.");
        let mut answered = 0;
        for (status, count) in (FIRST_STATUS..).zip(&self.by_status) {
            let count = count.load(Relaxed);
            if count > 0 {
                answered += count;
                page.line(format_args!("tintype_requests_total{{status=\"{status}\"}}"), count);
            }
        }
        page.head(
            "tintype_request_duration_seconds",
            "summary",
            "Time from a request's head to its answer's.",
        );
        let seconds = Duration::from_micros(self.micros.load(Relaxed)).as_secs_f64();
        page.line("tintype_request_duration_seconds_sum", seconds);
        page.line("tintype_request_duration_seconds_count", answered);
        let abandoned = self.abandoned.load(Relaxed);
        page.counter("tintype_requests_abandoned_total", "Requests whose client left first.", abandoned);
        let body_bytes = self.body_bytes.load(Relaxed);
        page.counter("tintype_response_bytes_total", "Bytes of all answers' bodies.", body_bytes);

        page.gauge("tintype_jobs_queued", "Jobs waiting for a thread.", jobs.queued);
        page.gauge("tintype_jobs_running", "Jobs on a thread.", jobs.running);
        let panics = jobs.panics + self.panics.load(Relaxed);
        page.counter("tintype_panics_total", "Requests that panicked.", panics);

        page.counter("tintype_pool_hits_total", "Buffers used again.", pool.hits);
        page.counter("tintype_pool_misses_total", "Buffers newly made.", pool.misses);
        page.gauge("tintype_pool_bytes_out", "Bytes leased, spill files included.", pool.bytes_out);
        page.gauge("tintype_pool_bytes_idle", "Bytes kept for the next lease.", pool.bytes_idle);
        page.counter("tintype_spills_total", "Spill files made.", pool.spills);
        page.gauge("tintype_spills_mapped", "Spill files mapped.", pool.spills_mapped);
        page.0
    }
}

/// A request that has no answer yet.
pub(crate) struct InFlight<'a> {
    metrics: &'a Metrics,
    begin: Instant,
    answered: bool,
}

impl InFlight<'_> {
    /// The request is answered.
    pub(crate) fn answered(mut self, status: u16, body_bytes: u64) {
        self.answered = true;
        if let Some(count) = self.metrics.by_status.get(usize::from(status.saturating_sub(FIRST_STATUS))) {
            count.fetch_add(1, Relaxed);
        }
        self.metrics.micros.fetch_add(self.begin.elapsed().as_micros() as u64, Relaxed);
        self.metrics.body_bytes.fetch_add(body_bytes, Relaxed);
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        if !self.answered {
            self.metrics.abandoned.fetch_add(1, Relaxed);
        }
    }
}

/// Prometheus's text format, version 0.0.4. Writing to a `String` cannot fail.
#[derive(Default)]
struct Page(String);

impl Page {
    fn counter(&mut self, name: &str, help: &str, value: impl Display) {
        self.head(name, "counter", help);
        self.line(name, value);
    }

    fn gauge(&mut self, name: &str, help: &str, value: impl Display) {
        self.head(name, "gauge", help);
        self.line(name, value);
    }

    fn head(&mut self, name: &str, kind: &str, help: &str) {
        self.write(format_args!("# HELP {name} {help}\n# TYPE {name} {kind}\n"));
    }

    fn line(&mut self, name: impl Display, value: impl Display) {
        self.write(format_args!("{name} {value}\n"));
    }

    fn write(&mut self, text: fmt::Arguments<'_>) {
        let _ = self.0.write_fmt(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_status_or_as_abandoned() {
        let metrics = Metrics::default();
        metrics.begin().answered(200, 10);
        metrics.begin().answered(200, 20);
        metrics.begin().answered(404, 0);
        drop(metrics.begin());
        let page = metrics.render(jobs::Stats::default(), memory::Stats::default());
        for line in [
            "tintype_requests_total{status=\"200\"} 2",
            "tintype_requests_total{status=\"404\"} 1",
            "tintype_request_duration_seconds_count 3",
            "tintype_requests_abandoned_total 1",
            "tintype_response_bytes_total 30",
        ] {
            assert!(page.lines().any(|found| found == line), "{line} in\n{page}");
        }
    }
}
