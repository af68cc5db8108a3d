//! `tintype serve`: a folder's thumbnails over HTTP.
//!
//! Threads: up to four for connections (tokio's), some more that block on files when there is need, and a
//! fixed set for decoding and encoding. Memory: the budget for requests, the pool's idle buffers, and a few
//! kilobytes a connection.

mod admin;
mod budget;
mod connection;
mod denied;
mod drain;
mod jobs;
mod metrics;
mod page;
mod patience;
mod service;

use std::{
    future,
    io::{self, Write},
    net::SocketAddr,
    sync::Arc,
    thread,
    time::Duration,
};

use hyper_util::server::graceful::GracefulShutdown;
use tintype_core::Limits;
use tintype_request::{Rules, SigningKey};
use tokio::net::TcpListener;

use self::{budget::Budget, drain::Signals, jobs::Jobs, metrics::Metrics, page::Page, service::Service};
use crate::{
    cli::Serve,
    commands::CommandError,
    memory::{Pool, Settings},
    source::Directory,
};

/// Threads for connections: they only move bytes and wait.
const MAX_IO_THREADS: usize = 4;

/// Threads that block on files. Reads from a disk queue there anyway.
const MAX_FILE_THREADS: usize = 32;

/// Serves until a signal ends it.
pub(crate) fn run(arguments: &Serve) -> Result<(), CommandError> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let service = Arc::new(service(arguments, cores)?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores.min(MAX_IO_THREADS))
        .max_blocking_threads(MAX_FILE_THREADS)
        .thread_name("io")
        .enable_all()
        .build()
        .map_err(|error| CommandError::Failed(format!("cannot start threads: {error}")))?;
    let result = runtime.block_on(listen(arguments, service));
    // After the drain's limit nothing is waited for, neither a slow disk.
    runtime.shutdown_background();
    result
}

async fn listen(arguments: &Serve, service: Arc<Service>) -> Result<(), CommandError> {
    let mut signals = Signals::listen()
        .map_err(|error| CommandError::Failed(format!("cannot listen for signals: {error}")))?;
    let pictures = bind(arguments.listen).await?;
    let admin = match arguments.admin {
        Some(address) => Some(bind(address).await?),
        None => None,
    };
    announce("listening on", &pictures);
    if let Some(listener) = admin {
        announce("admin on", &listener);
        let service = Arc::clone(&service);
        // Answers also during the drain; ends with the process.
        tokio::spawn(async move {
            let answer = move |http| future::ready(admin::answer(&service, &http));
            connection::accept(listener, &GracefulShutdown::new(), answer).await;
        });
    }
    let open = GracefulShutdown::new();
    let answer = move |http| Arc::clone(&service).answer(http);
    tokio::select! {
        () = connection::accept(pictures, &open, answer) => {}
        _ = signals.next() => {}
    }
    drain::drain(open, Duration::from_secs(arguments.drain_timeout.into()), &mut signals).await;
    Ok(())
}

async fn bind(address: SocketAddr) -> Result<TcpListener, CommandError> {
    TcpListener::bind(address)
        .await
        .map_err(|error| CommandError::Failed(format!("cannot listen on {address}: {error}")))
}

/// Prints the address that scripts wait for: the real one where a free port was asked for.
fn announce(what: &str, listener: &TcpListener) {
    if let Ok(address) = listener.local_addr() {
        // A reader that has gone is no reason not to serve.
        let _ = writeln!(io::stdout(), "{what} http://{address}");
    }
}

fn service(arguments: &Serve, cores: usize) -> Result<Service, CommandError> {
    let directory =
        Directory::open(&arguments.root).map_err(|error| CommandError::at(&arguments.root, error))?;
    let page = match &arguments.page {
        Some(dir) => Some(Page::read(dir).map_err(|error| CommandError::at(dir, error))?),
        None => None,
    };
    let mut keys = Vec::new();
    for text in &arguments.keys {
        keys.push(SigningKey::from_text(text).map_err(|error| CommandError::Usage(error.to_string()))?);
    }
    let mut settings = Settings { spill_threshold: arguments.spill_threshold, ..Settings::default() };
    if let Some(dir) = &arguments.spill_dir {
        settings.spill_dir.clone_from(dir);
    }
    let pool = Pool::new(settings);
    pool.check_spill_dir().map_err(|error| CommandError::Failed(error.to_string()))?;
    let threads = arguments.threads.map_or(cores, usize::from);
    let jobs = Jobs::start(threads, arguments.queue.into())
        .map_err(|error| CommandError::Failed(format!("cannot start {threads} threads: {error}")))?;
    Ok(Service {
        directory,
        page,
        rules: Rules { keys, max_side: arguments.max_side, max_age: arguments.max_age },
        limits: Limits {
            source_pixels: arguments.max_source_pixels,
            source_bytes: arguments.max_source_bytes,
            output_side: arguments.max_side,
            memory: arguments.memory,
            ..Limits::default()
        },
        timeout: Duration::from_secs(arguments.timeout.into()),
        pool,
        jobs,
        budget: Budget::new(arguments.memory),
        metrics: Metrics::default(),
    })
}
