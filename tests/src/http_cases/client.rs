//! A small HTTP/1.1 client that sends exactly what it is told: one request a connection.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

/// How long to wait for a server that says nothing.
const PATIENCE: Duration = Duration::from_secs(30);

/// A request.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The method.
    pub method: &'a str,
    /// The target, sent as it is.
    pub target: &'a str,
    /// Headers beside `Host` and `Connection`.
    pub headers: &'a [(&'a str, String)],
}

/// An answer, complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// Names in lower case, values without white space around.
    pub headers: Vec<(String, String)>,
    /// The body, without any transfer coding.
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum ClientError {
    /// The connection failed.
    Io(io::Error),
    /// What came is not HTTP, or not all of it.
    Protocol(&'static str),
}

/// Asks, and waits for the whole answer.
pub fn ask(address: SocketAddr, ask: &Ask<'_>) -> Result<Answer, ClientError> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut request =
        format!("{} {} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n", ask.method, ask.target);
    for (name, value) in ask.headers {
        request.extend([name, ": ", value, "\r\n"]);
    }
    if matches!(ask.method, "POST" | "PUT" | "PATCH") {
        request.push_str("Content-Length: 0\r\n");
    }
    request.push_str("\r\n");
    stream.write_all(request.as_bytes())?;
    let mut bytes = Vec::new();
    // The server closes after its answer. It may do so with a reset if it did not read all of a request.
    if let Err(error) = read_answer(&mut stream, &mut bytes, ask.method == "HEAD")
        && (bytes.is_empty() || error.kind() != io::ErrorKind::ConnectionReset)
    {
        return Err(error.into());
    }
    parse(&bytes, ask.method == "HEAD")
}

/// Reads until the server closes, so that nothing it says too much is missed. A server that keeps connections
/// open whatever it is asked is told, after its whole answer, that nothing else will come.
fn read_answer(stream: &mut TcpStream, bytes: &mut Vec<u8>, head_only: bool) -> io::Result<()> {
    let mut buffer = [0; 16 << 10];
    let mut told = false;
    loop {
        let read = stream.read(&mut buffer)?;
        if read == 0 {
            return Ok(());
        }
        bytes.extend_from_slice(&buffer[..read]);
        if !told && parse(bytes, head_only).is_ok_and(|answer| answer.is_delimited(head_only)) {
            told = true;
            // A server that has closed already needs not be told.
            let _ = stream.shutdown(Shutdown::Write);
        }
    }
}

impl Answer {
    /// The first header of this name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// The body as text, or how long it is where it is none.
    pub fn text(&self) -> String {
        match str::from_utf8(&self.body) {
            Ok(text) => text.trim_end().to_owned(),
            Err(_) => format!("{} bytes", self.body.len()),
        }
    }

    /// Whether the answer itself says where it ends.
    fn is_delimited(&self, head_only: bool) -> bool {
        let bodiless = head_only || self.status == 304 || self.status == 204;
        bodiless || self.header("transfer-encoding").is_some() || self.header("content-length").is_some()
    }

    /// The headers that do not tell a time, sorted.
    pub(crate) fn lasting_headers(&self) -> Vec<(&str, &str)> {
        const PASSING: [&str; 4] = ["date", "age", "server-timing", "connection"];
        let pairs = self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let mut lasting: Vec<_> = pairs.filter(|(name, _)| !PASSING.contains(name)).collect();
        lasting.sort_unstable();
        lasting
    }
}

fn parse(bytes: &[u8], head_only: bool) -> Result<Answer, ClientError> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
    let end = end.ok_or(ClientError::Protocol("the connection ended before the answer's headers did"))?;
    let head =
        str::from_utf8(&bytes[..end]).map_err(|_| ClientError::Protocol("headers that are not text"))?;
    let mut lines = head.split("\r\n");
    let status = lines
        .next()
        .and_then(|line| line.strip_prefix("HTTP/1.1 "))
        .and_then(|line| line.get(..3)?.parse().ok())
        .ok_or(ClientError::Protocol("a first line that is not HTTP/1.1's"))?;
    let headers = lines
        .map(|line| {
            line.split_once(':').map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        })
        .collect::<Option<Vec<_>>>()
        .ok_or(ClientError::Protocol("a header without a colon"))?;
    let mut answer = Answer { status, headers, body: Vec::new() };
    let rest = &bytes[end + 4..];
    answer.body = if head_only || status == 304 || status == 204 {
        if !rest.is_empty() {
            return Err(ClientError::Protocol("a body where none is allowed"));
        }
        Vec::new()
    } else if answer.header("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked"))
    {
        unchunked(rest)?
    } else if let Some(length) = answer.header("content-length") {
        if length.parse() != Ok(rest.len()) {
            return Err(ClientError::Protocol("a body that is not as long as Content-Length says"));
        }
        rest.to_vec()
    } else {
        rest.to_vec()
    };
    Ok(answer)
}

/// Takes the chunked transfer coding off (RFC 9112, 7.1).
fn unchunked(mut rest: &[u8]) -> Result<Vec<u8>, ClientError> {
    const CUT: ClientError = ClientError::Protocol("a chunked body that is cut short or malformed");
    let mut body = Vec::new();
    loop {
        let line_end = rest.windows(2).position(|window| window == b"\r\n").ok_or(CUT)?;
        let line = str::from_utf8(&rest[..line_end]).map_err(|_| CUT)?;
        let digits = line.split(';').next().unwrap_or_default().trim();
        let length = usize::from_str_radix(digits, 16).map_err(|_| CUT)?;
        rest = &rest[line_end + 2..];
        if length == 0 {
            return Ok(body); // trailers, if any, tell nothing that is checked
        }
        body.extend_from_slice(rest.get(..length).ok_or(CUT)?);
        rest = rest.get(length..).and_then(|rest| rest.strip_prefix(b"\r\n")).ok_or(CUT)?;
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientError::Io(error) => write!(f, "the connection failed: {error}"),
            ClientError::Protocol(what) => write!(f, "the server answered with {what}"),
        }
    }
}

impl std::error::Error for ClientError {}

impl From<io::Error> for ClientError {
    fn from(error: io::Error) -> ClientError {
        ClientError::Io(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body_of(answer: &str) -> Result<String, String> {
        let parsed = parse(answer.as_bytes(), false).map_err(|error| error.to_string())?;
        Ok(parsed.text())
    }

    #[test]
    fn reads_bodies_of_each_kind() {
        let stated = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc";
        let chunked =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nab\r\n1\r\nc\r\n0\r\n\r\n";
        let closed = "HTTP/1.1 200 OK\r\n\r\nabc";
        for answer in [stated, chunked, closed] {
            assert_eq!(body_of(answer).as_deref(), Ok("abc"), "{answer}");
        }
    }

    #[test]
    fn refuses_what_is_cut_short() {
        for answer in [
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabc",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
            "HTTP/1.1 304 Not Modified\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\n",
            "nonsense",
        ] {
            assert!(body_of(answer).is_err(), "{answer}");
        }
    }

    #[test]
    fn an_answer_to_head_has_no_body() {
        let head = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n";
        assert!(parse(head, true).is_ok());
        assert!(parse(head, false).is_err());
    }
}
