//! More work than fits, and the end of the process.

use std::{
    io::Read,
    net::{Shutdown, TcpStream},
    thread,
    time::{Duration, Instant},
};

use rustix::process::Signal;

use crate::support::{SLOW, Server, connect, get, read_answer, sample_dir, send};

#[test]
fn sigterm_answers_what_is_in_flight_and_ends() {
    let server = Server::start(sample_dir(), &["--threads", "1", "--admin", "127.0.0.1:0"]);
    let mut idle = connect(server.address);
    send(&mut idle, "GET", "/healthz");
    assert!(read_answer(&mut idle).0.starts_with("http/1.1 200"));
    let mut in_flight: Vec<_> = (0..4)
        .map(|_| {
            let mut stream = connect(server.address);
            send(&mut stream, "GET", SLOW);
            stream
        })
        .collect();
    server.wait_for("tintype_jobs_running", |running| running == 1);
    server.wait_for("tintype_jobs_queued", |queued| queued == 3);
    server.signal(Signal::TERM);
    assert_eq!(idle.read(&mut [0]).unwrap(), 0, "an idle connection is closed");
    let bodies: Vec<_> = in_flight
        .iter_mut()
        .map(|stream| {
            let (head, body) = read_answer(stream);
            assert!(head.starts_with("http/1.1 200"), "{head}");
            body
        })
        .collect();
    assert!(bodies.iter().all(|body| *body == bodies[0] && body.starts_with(b"RIFF")));
    let address = server.address;
    let (code, errors) = server.end();
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert!(TcpStream::connect(address).is_err(), "nobody listens any more");
}

#[test]
fn a_second_signal_ends_at_once_and_the_drain_has_a_limit() {
    for (arguments, signals) in [(&[][..], 2), (&["--drain-timeout", "0"][..], 1)] {
        let more = [&["--threads", "1", "--admin", "127.0.0.1:0"], arguments].concat();
        let server = Server::start(sample_dir(), &more);
        // Its answer is never read, and too large for the socket's buffers: its connection stays open.
        let mut stuck = connect(server.address);
        for _ in 0..50 {
            send(&mut stuck, "GET", "/img/landscape.jpg?w=1600&fit=contain&f=png");
        }
        server.wait_for("tintype_response_bytes_total", |bytes| bytes > 0);
        thread::sleep(Duration::from_millis(100));
        server.signal(Signal::INT);
        if signals == 2 {
            thread::sleep(Duration::from_millis(300));
            server.signal(Signal::INT);
        }
        let (code, errors) = server.end();
        assert_eq!(code, Some(if signals == 2 { 130 } else { 0 }), "{errors}");
        assert!(errors.contains("ending"), "{errors}");
    }
}

#[test]
fn a_full_queue_refuses_at_once() {
    let server = Server::start(sample_dir(), &["--threads", "1", "--queue", "1", "--admin", "127.0.0.1:0"]);
    let address = server.address;
    let working: Vec<_> = (0..2).map(|_| thread::spawn(move || get(address, SLOW).status)).collect();
    server.wait_for("tintype_jobs_queued", |queued| queued == 1);
    let begin = Instant::now();
    let answer = server.get("/img/portrait.jpg?w=64");
    let took = begin.elapsed();
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("1")));
    assert!(took < Duration::from_millis(500), "{took:?}");
    // What needs no thread is still answered.
    assert_eq!(server.get("/healthz").text(), "ok");
    assert_eq!(server.get("/img/gone.jpg?w=64").status, 404);
    let statuses: Vec<_> = working.into_iter().map(|request| request.join().unwrap()).collect();
    assert_eq!(statuses, [200, 200]);
    assert_eq!(server.get("/img/portrait.jpg?w=64").status, 200);
    assert_eq!(server.metric("tintype_requests_total{status=\"503\"}"), 1);
}

#[test]
fn a_request_over_the_time_limit_is_told_so_and_its_work_stops() {
    let more = ["--threads", "1", "--timeout", "1", "--queue", "9", "--admin", "127.0.0.1:0"];
    let server = Server::start(sample_dir(), &more);
    let address = server.address;
    // So many that the last ones cannot be done within the second.
    let asked: Vec<_> = (0..10)
        .map(|_| thread::spawn(move || get(address, "/img/landscape.jpg?w=6000&fit=contain&f=webp").status))
        .collect();
    let statuses: Vec<_> = asked.into_iter().map(|request| request.join().unwrap()).collect();
    assert!(
        statuses.contains(&504) && statuses.iter().all(|status| [200, 504].contains(status)),
        "{statuses:?}"
    );
    server.wait_for("tintype_jobs_running", |running| running == 0);
    assert_eq!(server.get("/img/portrait.jpg?w=64").status, 200);
    server.signal(Signal::TERM);
    let (code, errors) = server.end();
    assert_eq!(code, Some(0));
    assert!(errors.lines().all(|line| line.starts_with("tintype: 504 /img/landscape.jpg: ")), "{errors}");
    assert_eq!(errors.lines().count(), statuses.iter().filter(|status| **status == 504).count());
}

#[test]
fn a_client_that_leaves_takes_its_job_with_it() {
    let server = Server::start(sample_dir(), &["--threads", "1", "--admin", "127.0.0.1:0"]);
    let leaving: Vec<_> = (0..6)
        .map(|_| {
            let mut stream = connect(server.address);
            send(&mut stream, "GET", SLOW);
            stream
        })
        .collect();
    server.wait_for("tintype_jobs_queued", |queued| queued == 5);
    for stream in leaving {
        stream.shutdown(Shutdown::Both).unwrap();
    }
    server.wait_for("tintype_requests_abandoned_total", |abandoned| abandoned == 6);
    server.wait_for("tintype_jobs_running", |running| running == 0);
    server.wait_for("tintype_jobs_queued", |queued| queued == 0);
    // Each request leased its header and its source, each job that began a workspace and an output: the one on
    // the thread, and perhaps a second before the server knew.
    let leases: u64 = ["pool_hits_total", "pool_misses_total", "spills_total"]
        .map(|name| server.metric(&format!("tintype_{name}")))
        .iter()
        .sum();
    assert!(leases <= 6 * 2 + 2 * 2, "{leases} leases");
    assert_eq!(server.get("/img/portrait.jpg?w=64").status, 200);
    server.wait_for("tintype_pool_bytes_out", |bytes| bytes == 0);
}

#[test]
fn memory_has_a_budget() {
    let more = ["--memory", "40MiB", "--threads", "2", "--admin", "127.0.0.1:0"];
    let server = Server::start(sample_dir(), &more);
    let address = server.address;
    let answer = server.get("/img/landscape.jpg?w=6000&fit=contain&f=png");
    assert_eq!((answer.status, answer.header("retry-after")), (413, None), "more than all of it");
    let asked: Vec<_> = (0..8)
        .map(|_| thread::spawn(move || get(address, "/img/landscape.jpg?w=800&f=webp").status))
        .collect();
    assert!(asked.into_iter().all(|request| request.join().unwrap() == 200), "they wait for each other");
    server.wait_for("tintype_pool_bytes_out", |bytes| bytes == 0);
}
