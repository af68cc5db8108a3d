//! One listener's connections: HTTP/1.1, and HTTP/2 without TLS for clients that begin with it.
//!
//! A connection that sends nothing costs a task and a descriptor, for a limited time.

use std::{
    io,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use hyper::{Request, body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto, graceful::GracefulShutdown},
};
use tokio::{
    net::{TcpListener, TcpStream},
    time::sleep,
};

use super::{patience::Patience, service::Answer};

/// For the first request's head.
const FIRST_HEAD: Duration = Duration::from_secs(10);

/// For each later one's, from the answer before: hyper counts being idle and reading a head as one. More than
/// the 60 s for which most proxies keep a connection, so that they close it and not we, just as they use it.
const NEXT_HEAD: Duration = Duration::from_secs(75);

/// For a client to take some bytes of its answer.
const WRITE: Duration = Duration::from_secs(30);

/// HTTP/2 clients that do not answer a ping within `PING_TIMEOUT` are gone.
const PING_INTERVAL: Duration = Duration::from_secs(30);
const PING_TIMEOUT: Duration = Duration::from_secs(10);

/// Requests at once on one HTTP/2 connection.
const STREAMS: u32 = 100;

/// After an error of `accept`, usually that no descriptor is free: time for some to become free.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Accepts connections until the future is dropped, and answers their requests with `answer`.
pub(super) async fn accept<A, F>(listener: TcpListener, open: &GracefulShutdown, answer: A)
where
    A: Fn(Request<Incoming>) -> F + Clone + Send + 'static,
    F: Future<Output = Answer> + Send + 'static,
{
    let builder = Arc::new(builder());
    loop {
        match listener.accept().await {
            Ok((stream, _peer)) => serve(stream, &builder, open, answer.clone()),
            // The client has gone already.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
            Err(error) => {
                eprintln!("tintype: cannot accept a connection: {error}");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

fn serve<A, F>(
    stream: TcpStream,
    builder: &Arc<auto::Builder<TokioExecutor>>,
    open: &GracefulShutdown,
    answer: A,
) where
    A: Fn(Request<Incoming>) -> F + Send + 'static,
    F: Future<Output = Answer> + Send + 'static,
{
    // An answer is written in one piece; waiting for more of it would only delay it.
    let _ = stream.set_nodelay(true);
    let began = Arc::new(AtomicBool::new(false));
    let service = service_fn({
        let began = Arc::clone(&began);
        move |request| {
            began.store(true, Relaxed);
            let answer = answer(request);
            async { Ok::<_, std::convert::Infallible>(answer.await) }
        }
    });
    let connection =
        builder.serve_connection(TokioIo::new(Patience::new(stream, WRITE)), service).into_owned();
    let connection = open.watch(connection);
    tokio::spawn(async move {
        let mut connection = pin!(connection);
        // hyper's own time limit begins only when it knows HTTP/1 from HTTP/2.
        tokio::select! {
            // Errors are the clients': broken requests, broken connections.
            _ = &mut connection => return,
            () = sleep(FIRST_HEAD) => {}
        }
        if began.load(Relaxed) {
            let _ = connection.await;
        }
    });
}

fn builder() -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(NEXT_HEAD);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .keep_alive_interval(PING_INTERVAL)
        .keep_alive_timeout(PING_TIMEOUT);
    builder
}
