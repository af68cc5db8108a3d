//! Connections, and what answers say beside their pictures.

use std::{
    io::{Read, Write},
    thread,
    time::{Duration, Instant},
};

use tintype_tests::http_cases::{Ask, ask};

use crate::support::{Server, connect, read_answer, sample_dir, send};

#[test]
fn the_server_times_are_real() {
    let server = Server::start(sample_dir(), &[]);
    let answer = server.get("/img/landscape.jpg?w=64");
    let timing = answer.header("server-timing").unwrap();
    let times: Vec<(&str, f64)> = timing
        .split(", ")
        .map(|entry| entry.split_once(";dur=").map(|(name, time)| (name, time.parse().unwrap())).unwrap())
        .collect();
    let names: Vec<_> = times.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["open", "read", "queue", "decode", "resize", "encode"]);
    assert!(times.iter().all(|(_, time)| *time >= 0.0) && times[3].1 > 0.1, "{timing}");
}

#[test]
fn connections_are_kept_and_pipelined() {
    let server = Server::start(sample_dir(), &[]);
    let mut stream = connect(server.address);
    for target in ["/img/portrait.jpg?w=32", "/img/gone.jpg?w=32", "/img/portrait.jpg?w=0", "/healthz"] {
        send(&mut stream, "GET", target);
    }
    for status in ["200", "404", "400", "200"] {
        let (head, body) = read_answer(&mut stream);
        assert!(head.starts_with(&format!("http/1.1 {status}")) && !body.is_empty(), "{head}");
    }
    write!(stream, "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    assert_eq!(read_answer(&mut stream).1, b"ok");
    assert_eq!(stream.read(&mut [0]).unwrap(), 0);
}

#[test]
fn slow_and_silent_clients_hold_nobody_up() {
    let server = Server::start(sample_dir(), &["--threads", "1"]);
    let _silent: Vec<_> = (0..50).map(|_| connect(server.address)).collect();
    let mut slow = connect(server.address);
    let answer = thread::spawn(move || {
        for byte in b"GET /img/portrait.jpg?w=32 HTTP/1.1\r\nHost: x\r\n\r\n" {
            slow.write_all(&[*byte]).unwrap();
            thread::sleep(Duration::from_millis(5));
        }
        read_answer(&mut slow).0
    });
    assert_eq!(server.get("/img/landscape.jpg?w=64").status, 200);
    assert!(answer.join().unwrap().starts_with("http/1.1 200"));
    // Nor those that do not read their answers.
    let _unread: Vec<_> = (0..20)
        .map(|_| {
            let mut stream = connect(server.address);
            send(&mut stream, "GET", "/img/landscape.jpg?w=900&f=png");
            stream
        })
        .collect();
    assert_eq!(server.get("/img/landscape.jpg?w=64").status, 200);
}

#[test]
fn a_client_that_sends_no_request_is_sent_away() {
    let server = Server::start(sample_dir(), &[]);
    let waiting = [&b""[..], b"PRI * HT", b"GET /img/"].map(|start| {
        let mut stream = connect(server.address);
        stream.write_all(start).unwrap();
        thread::spawn(move || {
            let begin = Instant::now();
            stream.read_to_end(&mut Vec::new()).unwrap();
            begin.elapsed()
        })
    });
    for waited in waiting.map(|thread| thread.join().unwrap()) {
        assert!(waited < Duration::from_secs(15), "{waited:?}");
    }
}

#[test]
fn http_2_without_tls() {
    let server = Server::start(sample_dir(), &[]);
    let mut stream = connect(server.address);
    // The preface and an empty SETTINGS frame; the server answers with its own SETTINGS (type 4).
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").unwrap();
    let mut frame = [0; 9];
    stream.read_exact(&mut frame).unwrap();
    assert_eq!(frame[3], 4);
}

#[test]
fn head_is_get_without_the_body() {
    let server = Server::start(sample_dir(), &[]);
    for target in ["/img/portrait.jpg?w=32", "/img/gone.jpg?w=32", "/healthz"] {
        let [get, head] =
            ["GET", "HEAD"].map(|method| ask(server.address, &Ask { method, target, headers: &[] }).unwrap());
        assert!(head.body.is_empty() && !get.body.is_empty());
        assert_eq!((head.status, head.header("content-length")), (get.status, get.header("content-length")));
        assert_eq!(
            (head.header("etag"), head.header("content-type")),
            (get.header("etag"), get.header("content-type"))
        );
    }
}

#[test]
fn the_operators_listener_has_metrics_and_no_pictures() {
    let server = Server::start(sample_dir(), &["--admin", "127.0.0.1:0"]);
    assert_eq!(server.admin_get("/healthz").text(), "ok");
    assert_eq!(server.admin_get("/img/portrait.jpg?w=32").status, 404);
    assert_eq!(server.get("/metrics").status, 404);
    for _ in 0..3 {
        assert_eq!(server.get("/img/portrait.jpg?w=32").status, 200);
    }
    let page = server.admin_get("/metrics");
    assert_eq!(page.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    assert_eq!(server.metric("tintype_requests_total{status=\"200\"}"), 3);
    assert_eq!(server.metric("tintype_requests_total{status=\"404\"}"), 1);
    assert_eq!(server.metric("tintype_request_duration_seconds_count"), 4);
    let seconds = server.metric_text("tintype_request_duration_seconds_sum").unwrap();
    assert!(seconds.parse::<f64>().unwrap() > 0.0, "{seconds}");
    assert!(server.metric("tintype_pool_hits_total") > 0);
    // A thread says that it is done just after its answer went out.
    server.wait_for("tintype_jobs_running", |running| running == 0);
    let post = ask(server.admin.unwrap(), &Ask { method: "POST", target: "/metrics", headers: &[] }).unwrap();
    assert_eq!(post.status, 405);
}
