//! Streams of events, read message by message and cut off anywhere.

use std::io::{BufRead as _, BufReader, ErrorKind, Read, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use serde_json::Value;

use super::answer::HOST;
use super::service::Client;

/// How long a test waits for a message. A heartbeat comes earlier.
const PATIENCE: Duration = Duration::from_secs(60);

/// A message of a stream, as it came.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    /// Its id, as a browser would keep it, if any.
    pub(crate) id: Option<String>,
    /// The milliseconds to wait before reconnecting, if given.
    pub(crate) retry: Option<u64>,
    /// The message itself, null in an event that only has a `retry`.
    pub(crate) json: Value,
}

impl Told {
    pub(crate) fn kind(&self) -> &str {
        // In a stream of several games, it is next to its game.
        self.json.get("message").unwrap_or(&self.json)["type"].as_str().unwrap_or("")
    }
}

/// A stream that is being read.
pub(crate) struct Stream {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    form: &'static str,
    body: BufReader<Body>,
}

/// A chunked body, up to its end or its cut.
struct Body {
    wire: BufReader<TcpStream>,
    is_chunked: bool,
    /// The rest of a chunk.
    left: usize,
    /// Cuts the connection after so many bytes of the body.
    cut: usize,
    is_over: bool,
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.is_over {
            return Ok(0);
        }
        if self.is_chunked && self.left == 0 {
            let mut line = String::new();
            self.wire.read_line(&mut line)?;
            // The stream of a killed service ends in the middle.
            let Ok(size) = usize::from_str_radix(line.trim(), 16) else {
                self.is_over = true;
                return Ok(0);
            };
            self.left = size;
            if size == 0 {
                self.is_over = true;
                return Ok(0);
            }
        }
        let most = if self.is_chunked { self.left } else { buffer.len() };
        let most = most.min(buffer.len()).min(self.cut);
        let count = if most == 0 { 0 } else { self.wire.read(&mut buffer[..most])? };
        self.left = self.left.saturating_sub(count);
        self.cut -= count;
        if self.is_chunked && self.left == 0 && count > 0 {
            self.wire.read_line(&mut String::new())?;
        }
        if count == 0 {
            self.is_over = true;
            // It may have ended by itself.
            let _ = self.wire.get_ref().shutdown(Shutdown::Both);
        }
        Ok(count)
    }
}

impl Client<'_> {
    /// Follows a game. `rest` follows its path, such as `?since=3`. The form is a media type.
    pub(crate) fn follow(&self, game: &str, rest: &str, form: &'static str) -> Stream {
        self.follow_with(game, rest, &[("Accept", form)], usize::MAX)
    }

    /// The same with these headers, cut off after so many bytes.
    pub(crate) fn follow_with(
        &self,
        game: &str,
        rest: &str,
        headers: &[(&str, &'static str)],
        cut: usize,
    ) -> Stream {
        let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, *value)).collect();
        Stream::open(self, &format!("/v1/games/{game}/events{rest}"), &headers, cut).unwrap()
    }

    /// Opens a stream that is not of one game. The path may include a query.
    pub(crate) fn stream(&self, path: &str, form: &'static str) -> Stream {
        Stream::open(self, path, &[("Accept", form)], usize::MAX).unwrap()
    }

    /// The same, cut off after so many bytes. Returns `None` if the service is gone.
    pub(crate) fn try_follow(
        &self,
        game: &str,
        rest: &str,
        form: &'static str,
        cut: usize,
    ) -> Option<Stream> {
        let path = format!("/v1/games/{game}/events{rest}");
        Stream::open(self, &path, &[("Accept", form)], cut).filter(|stream| stream.status == 200)
    }

    /// The same after a message, like a reconnecting browser.
    pub(crate) fn follow_after(&self, game: &str, id: &str, form: &'static str, cut: usize) -> Stream {
        let path = format!("/v1/games/{game}/events?since=0");
        Stream::open(self, &path, &[("Accept", form), ("Last-Event-ID", id)], cut).unwrap()
    }
}

impl Stream {
    /// Lets the kernel buffer little while nothing is read.
    pub(crate) fn keep_little(&self) {
        socket2::SockRef::from(self.body.get_ref().wire.get_ref()).set_recv_buffer_size(4096).unwrap();
    }

    /// Opens a stream. Returns `None` if nothing answers.
    pub(crate) fn open(
        client: &Client<'_>,
        path: &str,
        headers: &[(&str, &str)],
        cut: usize,
    ) -> Option<Self> {
        let mut wire = TcpStream::connect(client.service().base().strip_prefix("http://").unwrap()).ok()?;
        wire.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut head = format!("GET {path} HTTP/1.1\r\nHost: {HOST}\r\n");
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        if let Some(secret) = &client.secret {
            head += &format!("Authorization: Bearer {secret}\r\n");
        }
        wire.write_all(format!("{head}\r\n").as_bytes()).ok()?;
        let mut wire = BufReader::new(wire);
        let mut line = String::new();
        wire.read_line(&mut line).ok()?;
        let status = line.split(' ').nth(1)?.parse().unwrap();
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            wire.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        let has = |name: &str, value: &str| headers.iter().any(|(n, v)| n == name && v == value);
        let is_chunked = has("transfer-encoding", "chunked");
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let cut = cut.min(length.map_or(usize::MAX, |(_, length)| length.parse().unwrap()));
        let form = if has("content-type", "text/event-stream") { "text/event-stream" } else { "lines" };
        let body = Body { wire, is_chunked, left: 0, cut, is_over: status == 204 };
        Some(Self { status, headers, form, body: BufReader::new(body) })
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Reads a line. Returns `None` if the stream ended before it did.
    fn line(&mut self) -> Option<String> {
        let mut line = Vec::new();
        match self.body.read_until(b'\n', &mut line) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::ConnectionReset => return None,
            Err(error) => panic!("nothing comes: {error}"),
        }
        (line.pop() == Some(b'\n')).then(|| String::from_utf8(line).unwrap())
    }

    /// Returns the next message, or `None` at the end.
    pub(crate) fn next(&mut self) -> Option<Told> {
        let mut told = Told { id: None, retry: None, json: Value::Null };
        if self.form == "lines" {
            told.json = serde_json::from_str(&self.line()?).unwrap();
            if let Some(cursor) = told.json["cursor"].as_str() {
                told.id = Some(cursor.to_owned());
                return Some(told);
            }
            let head = match told.kind() {
                "snapshot" => &told.json["game"]["head"],
                "word" | "over" => &told.json["head"],
                _ => return Some(told),
            };
            let over = if told.kind() == "over" { ".over" } else { "" };
            let hash = head["hash"].as_str();
            told.id = Some(hash.map(|hash| format!("{}.{hash}{over}", head["ply"])).unwrap_or_default());
            return Some(told);
        }
        loop {
            let line = self.line()?;
            if line.is_empty() {
                return Some(told);
            }
            match line.split_once(": ").unwrap_or((line.trim_end_matches(':'), "")) {
                ("id", id) => told.id = Some(id.to_owned()),
                ("retry", retry) => told.retry = Some(retry.parse().unwrap()),
                ("data", data) => told.json = serde_json::from_str(data).unwrap(),
                (field, _) => panic!("{field}"),
            }
        }
    }

    /// Returns the next message of a kind, skipping all others.
    pub(crate) fn next_of(&mut self, kind: &str) -> Told {
        loop {
            let told = self.next().unwrap_or_else(|| panic!("the stream ends without {kind}"));
            if told.kind() == kind {
                return told;
            }
        }
    }

    /// Returns all messages to the end.
    pub(crate) fn rest(mut self) -> Vec<Told> {
        let mut all = Vec::new();
        while let Some(told) = self.next() {
            all.push(told);
        }
        all
    }
}
