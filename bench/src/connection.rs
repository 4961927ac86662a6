//! A kept connection with minimal HTTP, which leaves the machine to the measured program.

use std::io::{Error, Result};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream, UnixStream};

pub struct Connection {
    stream: Stream,
    request: Vec<u8>,
    /// Only the last response, since a client waits for a response before it sends again.
    response: Vec<u8>,
}

enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

/// A place where a service listens.
#[derive(Clone)]
pub enum Place {
    /// An address of this machine.
    Tcp(SocketAddr),
    Unix(PathBuf),
}

impl From<SocketAddr> for Place {
    fn from(address: SocketAddr) -> Self {
        Self::Tcp(address)
    }
}

#[derive(Clone, Copy, Default)]
pub struct Request<'a> {
    pub method: &'a str,
    /// The path with its query.
    pub path: &'a str,
    /// The secret of the caller.
    pub secret: Option<&'a str>,
    /// Media type and body.
    pub body: Option<(&'a str, &'a str)>,
    /// Whether a compressed response is accepted.
    pub gzip: bool,
}

pub struct Response<'a> {
    pub status: u16,
    /// The body, with chunk marks if it came in chunks.
    pub body: &'a [u8],
}

impl<'a> Request<'a> {
    pub fn get(path: &'a str, secret: Option<&'a str>) -> Self {
        Self { method: "GET", path, secret, ..Self::default() }
    }
}

impl Response<'_> {
    /// Returns an error that describes an unexpected response.
    pub fn unexpected(&self, path: &str) -> Error {
        let body = String::from_utf8_lossy(self.body);
        Error::other(format!("{path}: {} {body}", self.status))
    }
}

/// Connects from an address of this machine.
///
/// # Errors
/// If nothing listens there.
pub async fn connect(source: Ipv4Addr, address: SocketAddr) -> Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((source, 0).into())?;
    let stream = socket.connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

impl Connection {
    /// Connects.
    ///
    /// # Errors
    /// If nothing listens there.
    pub async fn open(place: impl Into<Place>) -> Result<Self> {
        Self::open_from(Ipv4Addr::LOCALHOST, place).await
    }

    /// Connects from this address of this machine, if the place has addresses. Each address of 127.0.0.0/8
    /// belongs to it.
    ///
    /// # Errors
    /// If nothing listens there.
    pub async fn open_from(source: Ipv4Addr, place: impl Into<Place>) -> Result<Self> {
        let stream = match place.into() {
            Place::Tcp(address) => Stream::Tcp(connect(source, address).await?),
            Place::Unix(path) => Stream::Unix(UnixStream::connect(path).await?),
        };
        Ok(Self { stream, request: Vec::new(), response: Vec::new() })
    }

    /// Sends a request, and waits for the whole response.
    ///
    /// # Errors
    /// If the connection breaks, or the response is not HTTP.
    pub async fn send(&mut self, request: Request<'_>) -> Result<Response<'_>> {
        self.write(request);
        match &mut self.stream {
            Stream::Tcp(stream) => stream.write_all(&self.request).await?,
            Stream::Unix(stream) => stream.write_all(&self.request).await?,
        }
        self.response.clear();
        loop {
            let read = match &mut self.stream {
                Stream::Tcp(stream) => stream.read_buf(&mut self.response).await?,
                Stream::Unix(stream) => stream.read_buf(&mut self.response).await?,
            };
            if read == 0 {
                return Err(Error::other("the connection was closed"));
            }
            if let Some((status, end)) = complete(&self.response)? {
                return Ok(Response { status, body: &self.response[end..] });
            }
        }
    }

    fn write(&mut self, Request { method, path, secret, body, gzip }: Request<'_>) {
        let out = &mut self.request;
        out.clear();
        for part in [method, " ", path, " HTTP/1.1\r\nHost: localhost\r\n"] {
            out.extend_from_slice(part.as_bytes());
        }
        if let Some(secret) = secret {
            for part in ["Authorization: Bearer ", secret, "\r\n"] {
                out.extend_from_slice(part.as_bytes());
            }
        }
        if gzip {
            out.extend_from_slice(b"Accept-Encoding: gzip\r\n");
        }
        if let Some((media_type, body)) = body {
            let length = body.len().to_string();
            for part in ["Content-Type: ", media_type, "\r\nContent-Length: ", &length, "\r\n\r\n", body] {
                out.extend_from_slice(part.as_bytes());
            }
        } else {
            out.extend_from_slice(b"\r\n");
        }
    }
}

/// Returns the status of a response and the start of its body, once all of it has arrived.
fn complete(bytes: &[u8]) -> Result<Option<(u16, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut response = httparse::Response::new(&mut headers);
    let head = match response.parse(bytes) {
        Ok(httparse::Status::Complete(head)) => head,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(error) => return Err(Error::other(error)),
    };
    let status = response.code.unwrap_or_default();
    let body = &bytes[head..];
    let header = |name: &str| {
        let found = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        found.and_then(|header| std::str::from_utf8(header.value).ok())
    };
    let is_complete = match header("content-length") {
        Some(length) => length.parse::<usize>().map_err(Error::other)? <= body.len(),
        None => {
            header("transfer-encoding").is_none() || body.ends_with(b"\r\n0\r\n\r\n") || body == b"0\r\n\r\n"
        }
    };
    Ok(is_complete.then_some((status, head)))
}
