//! Ending without losing a request.
//!
//! The first SIGTERM or SIGINT: listening ends, idle connections are closed, requests in flight are answered,
//! for at most the drain's time. The second: the process ends at once.

use std::{io, process, time::Duration};

use hyper_util::server::graceful::GracefulShutdown;
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    time::timeout,
};

/// The two signals.
pub(super) struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    /// From now on they do not end the process by themselves.
    pub(super) fn listen() -> io::Result<Signals> {
        Ok(Signals {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Waits for the next of either; gives its number.
    pub(super) async fn next(&mut self) -> i32 {
        tokio::select! {
            _ = self.terminate.recv() => SignalKind::terminate().as_raw_value(),
            _ = self.interrupt.recv() => SignalKind::interrupt().as_raw_value(),
        }
    }
}

/// Waits until all open connections have ended, `limit` is over, or there is a second signal.
pub(super) async fn drain(open: GracefulShutdown, limit: Duration, signals: &mut Signals) {
    let left = open.count();
    tokio::select! {
        done = timeout(limit, open.shutdown()) => {
            if done.is_err() {
                eprintln!("tintype: ending with connections open after {} s of drain", limit.as_secs());
            }
        }
        signal = signals.next() => {
            eprintln!("tintype: ending at once, {left} connections were open at the first signal");
            process::exit(128 + signal); // as a shell reports a process that a signal ended
        }
    }
}
