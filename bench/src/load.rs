//! A client of HTTP/1.1 and a load of several: enough for servers on this machine.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crate::Result;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// One connection, kept open.
pub(crate) struct Connection {
    reader: BufReader<TcpStream>,
    address: SocketAddr,
}

impl Connection {
    /// Connects.
    pub(crate) fn open(address: SocketAddr) -> Result<Connection> {
        let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(Connection { reader: BufReader::new(stream), address })
    }

    /// Gets a target's body; any status but 200 is an error.
    pub(crate) fn get(&mut self, target: &str) -> Result<Vec<u8>> {
        let address = self.address;
        let request = format!("GET {target} HTTP/1.1\r\nHost: {address}\r\nAccept: image/webp,*/*\r\n\r\n");
        self.reader.get_mut().write_all(request.as_bytes())?;
        let (status, body) = read_answer(&mut self.reader)?;
        if status != 200 {
            let text = String::from_utf8_lossy(&body).chars().take(200).collect::<String>();
            return Err(format!("http://{address}{target}: {status} {text}").into());
        }
        Ok(body)
    }
}

/// Answers in the time, and the time itself until the last of them.
pub(crate) struct Load {
    pub answers: u64,
    pub took: Duration,
}

/// Keeps `connections` busy for a while, each beginning at another of the targets.
pub(crate) fn load(
    address: SocketAddr,
    targets: &[String],
    connections: usize,
    time: Duration,
) -> Result<Load> {
    let begin = Instant::now();
    let counts: Vec<std::result::Result<u64, String>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..connections)
            .map(|place| {
                scope.spawn(move || {
                    let one = || -> Result<u64> {
                        let mut connection = Connection::open(address)?;
                        let mut answers = 0;
                        for target in targets.iter().cycle().skip(place) {
                            if begin.elapsed() >= time {
                                break;
                            }
                            connection.get(target)?;
                            answers += 1;
                        }
                        Ok(answers)
                    };
                    one().map_err(|error| error.to_string())
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err("a client panicked".into())))
            .collect()
    });
    let mut answers = 0;
    for count in counts {
        answers += count?;
    }
    Ok(Load { answers, took: begin.elapsed() })
}

fn read_answer(reader: &mut impl BufRead) -> Result<(u16, Vec<u8>)> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| format!("no answer of HTTP: {line:?}"))?;
    let (mut len, mut chunked) = (None, false);
    loop {
        line.clear();
        if reader.read_line(&mut line)? <= 2 {
            break;
        }
        let (name, value) = line.split_once(':').unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => len = Some(value.trim().parse()?),
            "transfer-encoding" => chunked = value.trim().eq_ignore_ascii_case("chunked"),
            _ => (),
        }
    }
    if chunked {
        return Ok((status, read_chunks(reader)?));
    }
    let mut body = vec![0; len.ok_or("an answer without its length")?];
    reader.read_exact(&mut body)?;
    Ok((status, body))
}

fn read_chunks(reader: &mut impl BufRead) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    let mut line = String::new();
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        let len = usize::from_str_radix(line.trim().split(';').next().unwrap_or_default(), 16)?;
        let start = body.len();
        body.resize(start + len, 0);
        reader.read_exact(&mut body[start..])?;
        reader.read_exact(&mut [0; 2])?;
        if len == 0 {
            return Ok(body);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_come_with_a_length_or_in_chunks() {
        let mut counted = &b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"[..];
        assert_eq!(read_answer(&mut counted).unwrap(), (200, b"hello".to_vec()));
        let mut chunked =
            &b"HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"[..];
        assert_eq!(read_answer(&mut chunked).unwrap(), (404, b"abcde".to_vec()));
        assert!(chunked.is_empty());
        assert!(read_answer(&mut &b"HTTP/1.1 200 OK\r\n\r\n"[..]).is_err());
    }
}
