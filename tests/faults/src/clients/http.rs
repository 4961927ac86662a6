//! Minimal blocking HTTP for clients, so that a connection can be cut anywhere.

use std::io::{Error, ErrorKind, Read as _, Result, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Timeout for connecting.
const CONNECT: Duration = Duration::from_secs(2);
/// Maximum number of headers of a response.
const HEADERS: usize = 32;

/// A request of a client.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The method.
    pub method: &'static str,
    /// The path with its query.
    pub path: String,
    /// The secret of the caller.
    pub secret: Option<String>,
    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
    /// A JSON body, empty if there is none.
    pub body: String,
}

impl Request {
    fn bytes(&self) -> Vec<u8> {
        let mut out = format!("{} {} HTTP/1.1\r\nHost: localhost\r\n", self.method, self.path);
        if let Some(secret) = &self.secret {
            out += &format!("Authorization: Bearer {secret}\r\n");
        }
        for (name, value) in &self.headers {
            out += &format!("{name}: {value}\r\n");
        }
        if !self.body.is_empty() {
            out += &format!("Content-Type: application/json\r\nContent-Length: {}\r\n", self.body.len());
        }
        format!("{out}\r\n{}", self.body).into_bytes()
    }
}

/// A complete response.
#[derive(Debug)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// Whether it has a `Retry-After`.
    pub has_retry_after: bool,
    /// The body.
    pub body: Vec<u8>,
}

/// How the head of a message delimits the bytes after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Framing {
    /// The length of the head.
    pub(crate) head: usize,
    /// The length of the body, `None` if it is chunked.
    pub(crate) length: Option<usize>,
    status: u16,
    has_retry_after: bool,
}

impl Framing {
    /// Reads the head of a response. Returns `None` if it is incomplete.
    pub(crate) fn of_response(bytes: &[u8]) -> Result<Option<Self>> {
        let mut headers = [httparse::EMPTY_HEADER; HEADERS];
        let mut response = httparse::Response::new(&mut headers);
        let httparse::Status::Complete(head) = response.parse(bytes).map_err(Error::other)? else {
            return Ok(None);
        };
        let is_chunked = header(response.headers, "transfer-encoding").is_some();
        let length = header(response.headers, "content-length").map(str::parse).transpose();
        let length = length.map_err(Error::other)?.or((!is_chunked).then_some(0));
        let has_retry_after = header(response.headers, "retry-after").is_some();
        Ok(Some(Self { head, length, status: response.code.unwrap_or_default(), has_retry_after }))
    }

    /// Reads the head of a request, and its path if it is a GET. Returns `None` if it is incomplete.
    pub(crate) fn of_request(bytes: &[u8]) -> Result<Option<(Self, Option<String>)>> {
        let mut headers = [httparse::EMPTY_HEADER; HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        let httparse::Status::Complete(head) = request.parse(bytes).map_err(Error::other)? else {
            return Ok(None);
        };
        let length = header(request.headers, "content-length").map(str::parse).transpose();
        let length = Some(length.map_err(Error::other)?.unwrap_or(0));
        let read = (request.method == Some("GET")).then(|| request.path.unwrap_or_default().to_owned());
        Ok(Some((Self { head, length, status: 0, has_retry_after: false }, read)))
    }
}

fn header<'a>(headers: &[httparse::Header<'a>], name: &str) -> Option<&'a str> {
    let found = headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
    std::str::from_utf8(found.value).ok()
}

/// A persistent connection.
pub struct Connection {
    stream: TcpStream,
    bytes: Vec<u8>,
}

impl Connection {
    /// Connects. Reads time out after `patience`.
    ///
    /// # Errors
    /// If nothing listens at the address.
    pub fn open(address: SocketAddr, patience: Duration) -> Result<Self> {
        let stream = TcpStream::connect_timeout(&address, CONNECT)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(patience))?;
        stream.set_write_timeout(Some(patience))?;
        Ok(Self { stream, bytes: Vec::new() })
    }

    fn fill(&mut self) -> Result<()> {
        let mut more = [0; 16 * 1024];
        match self.stream.read(&mut more)? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            count => {
                self.bytes.extend_from_slice(&more[..count]);
                Ok(())
            }
        }
    }

    fn begin(&mut self, request: &Request) -> Result<Framing> {
        self.bytes.clear();
        self.stream.write_all(&request.bytes())?;
        loop {
            self.fill()?;
            if let Some(framing) = Framing::of_response(&self.bytes)? {
                return Ok(framing);
            }
        }
    }

    /// Sends a request and waits for the whole response.
    ///
    /// # Errors
    /// If the connection breaks first or the response times out.
    pub fn send(&mut self, request: &Request) -> Result<Response> {
        let Framing { head, length, status, has_retry_after } = self.begin(request)?;
        let length = length.ok_or_else(|| Error::other("a response in chunks"))?;
        while self.bytes.len() < head + length {
            self.fill()?;
        }
        let body = self.bytes[head..head + length].to_vec();
        Ok(Response { status, has_retry_after, body })
    }

    /// Sends a request for a stream of lines, each with the timeout `glance`.
    ///
    /// # Errors
    /// If the connection breaks before the stream begins.
    pub fn follow(mut self, request: &Request, glance: Duration) -> Result<(u16, Lines)> {
        let Framing { head, length, status, .. } = self.begin(request)?;
        self.stream.set_read_timeout(Some(glance))?;
        self.bytes.drain(..head);
        Ok((status, Lines { connection: self, text: Vec::new(), is_chunked: length.is_none() }))
    }
}

/// The lines of a chunked stream.
pub struct Lines {
    connection: Connection,
    text: Vec<u8>,
    is_chunked: bool,
}

impl Lines {
    /// Waits for the next line. Returns `None` on a timeout.
    ///
    /// # Errors
    /// If the stream has ended.
    pub fn next_line(&mut self) -> Result<Option<String>> {
        loop {
            if let Some(end) = self.text.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.text.drain(..=end).collect();
                return String::from_utf8(line).map(Some).map_err(Error::other);
            }
            if !self.is_chunked {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            if self.take_chunk()? {
                continue;
            }
            match self.connection.fill() {
                Ok(()) => {}
                Err(error) if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()) => {
                    return Ok(None);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Takes a whole chunk from the received bytes. Returns whether there was one.
    fn take_chunk(&mut self) -> Result<bool> {
        let bytes = &mut self.connection.bytes;
        let Some(end) = bytes.windows(2).position(|pair| pair == b"\r\n") else { return Ok(false) };
        let size = std::str::from_utf8(&bytes[..end]).map_err(Error::other)?;
        let size = usize::from_str_radix(size, 16).map_err(Error::other)?;
        if size == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let begin = end + 2;
        if bytes.len() < begin + size + 2 {
            return Ok(false);
        }
        self.text.extend_from_slice(&bytes[begin..begin + size]);
        bytes.drain(..begin + size + 2);
        Ok(true)
    }
}
