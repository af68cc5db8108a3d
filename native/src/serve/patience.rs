//! A stream that gives up on a peer who does not take what is written.
//!
//! A client that stops reading would keep its answer's buffer, and with it a share of the memory for all
//! requests, for as long as it likes. Slow clients are served: any byte taken starts the time anew.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep},
};

/// A stream whose writes fail after `limit` without progress.
pub(super) struct Patience<S> {
    stream: S,
    limit: Duration,
    /// Made by the first write that has to wait: most never do.
    timer: Option<Pin<Box<Sleep>>>,
    waiting: bool,
}

impl<S> Patience<S> {
    pub(super) fn new(stream: S, limit: Duration) -> Patience<S> {
        Patience { stream, limit, timer: None, waiting: false }
    }

    /// Passes on what a write came to; if it has to wait, for so long and no longer.
    fn bounded<T>(&mut self, cx: &mut Context<'_>, result: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.waiting = false;
            return result;
        }
        let limit = self.limit;
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(limit)));
        if !self.waiting {
            self.waiting = true;
            timer.as_mut().reset(Instant::now() + limit);
        }
        ready!(timer.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patience<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patience<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.bounded(cx, result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.bounded(cx, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_flush(cx);
        self.bounded(cx, result)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.bounded(cx, result)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    const LIMIT: Duration = Duration::from_millis(200);

    #[tokio::test]
    async fn a_peer_that_takes_nothing_is_given_up() {
        let (ours, _theirs) = duplex(16);
        let error = Patience::new(ours, LIMIT).write_all(&[0; 100]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_slow_peer_is_waited_for() {
        let (ours, mut theirs) = duplex(16);
        let begin = Instant::now();
        let reader = tokio::spawn(async move {
            let mut bytes = [0; 16];
            for _ in 0..10 {
                sleep(LIMIT / 4).await;
                theirs.read_exact(&mut bytes).await.unwrap();
            }
        });
        Patience::new(ours, LIMIT).write_all(&[0; 160]).await.unwrap();
        reader.await.unwrap();
        assert!(begin.elapsed() > 2 * LIMIT);
    }
}
