//! An origin of sources: a folder over HTTP, with headers that give the same validator as the folder itself,
//! and with paths that fail in the ways origins do.
//!
//! | path | answer |
//! |---|---|
//! | `/status-503/…` | that status |
//! | `/silent/…` | none |
//! | `/stuck/PATH` | the file's head and half of it, and then nothing |
//! | `/cut/PATH` | the file's head and half of it, and the connection ends |
//! | `/unsized/PATH` | the file without a `Content-Length`, in chunks |
//! | `/tagged/PATH` | the file with an `ETag` of `"tag"` |

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, UNIX_EPOCH};
use std::{fs, thread};

use super::date::http_date;

/// Bytes written at once, so that a client that goes away is noticed soon.
const PIECE: usize = 16 << 10;

/// How long what hangs goes on hanging.
const HANG: Duration = Duration::from_secs(20);

/// A running server. It ends with the process.
#[derive(Clone, Debug)]
pub struct Files {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    root: PathBuf,
    /// Requests and body bytes of each path so far.
    sent: Mutex<HashMap<String, (u64, u64)>>,
}

impl Files {
    /// Serves a folder on a free port.
    pub fn serve(root: PathBuf) -> io::Result<Files> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let files = Files {
            address: listener.local_addr()?,
            shared: Arc::new(Shared { root, sent: Mutex::default() }),
        };
        let shared = Arc::clone(&files.shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                // A client that went away is no news.
                thread::spawn(move || drop(shared.answer(stream)));
            }
        });
        Ok(files)
    }

    /// The server's address, as the start of an URL.
    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Requests for a path so far, and the bytes of their bodies that were taken.
    pub fn sent(&self, path: &str) -> (u64, u64) {
        self.shared.sent().get(path).copied().unwrap_or_default()
    }
}

impl Shared {
    fn sent(&self) -> std::sync::MutexGuard<'_, HashMap<String, (u64, u64)>> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, mut stream: TcpStream) -> io::Result<()> {
        let mut reader = BufReader::new(stream.try_clone()?);
        let (mut line, mut first) = (String::new(), String::new());
        while reader.read_line(&mut line)? > 2 {
            if first.is_empty() {
                first.clone_from(&line);
            }
            line.clear();
        }
        let path = decoded(first.split(' ').nth(1).unwrap_or("/"));
        self.sent().entry(path.clone()).or_default().0 += 1;
        let (how, rest) = path.trim_start_matches('/').split_once('/').unwrap_or_default();
        if let Some(status) = how.strip_prefix("status-") {
            return write!(stream, "HTTP/1.1 {status} So\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
        if how == "silent" {
            thread::sleep(HANG);
            return Ok(());
        }
        let special = matches!(how, "stuck" | "cut" | "unsized" | "tagged");
        self.file(&mut stream, &path, if special { rest } else { path.trim_start_matches('/') }, how)
    }

    fn file(&self, stream: &mut TcpStream, path: &str, name: &str, how: &str) -> io::Result<()> {
        let file = self.root.join(name);
        // As the origin: a folder is no source.
        let Some(metadata) = fs::metadata(&file).ok().filter(fs::Metadata::is_file) else {
            return stream.write_all(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        };
        let body = fs::read(&file)?;
        let modified = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let modified = http_date(modified);
        let chunked = how == "unsized";
        let len = if chunked {
            "Transfer-Encoding: chunked".to_owned()
        } else {
            format!("Content-Length: {}", body.len())
        };
        let tag = if how == "tagged" { "ETag: \"tag\"\r\n" } else { "" };
        write!(
            stream,
            "HTTP/1.1 200 OK\r\n{len}\r\nLast-Modified: {modified}\r\n{tag}Connection: close\r\n\r\n"
        )?;
        let half = matches!(how, "stuck" | "cut");
        let end = if half { body.len() / 2 } else { body.len() };
        for piece in body[..end].chunks(PIECE) {
            if chunked {
                write!(stream, "{:x}\r\n", piece.len())?;
            }
            stream.write_all(piece)?;
            if chunked {
                stream.write_all(b"\r\n")?;
            }
            self.sent().entry(path.to_owned()).or_default().1 += piece.len() as u64;
        }
        if chunked {
            stream.write_all(b"0\r\n\r\n")?;
        }
        if how == "stuck" {
            thread::sleep(HANG);
        }
        Ok(())
    }
}

/// A path without its percent-encoding; what is no UTF-8 is not found later.
fn decoded(path: &str) -> String {
    let mut parts = path.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let digits = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match digits {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend_from_slice(&part.as_bytes()[2..]);
            }
            None => bytes.extend([b"%", part.as_bytes()].concat()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
