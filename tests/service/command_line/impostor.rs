//! A server that is no service.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What it does once it has sent everything.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    Close,
    FallSilent,
}

/// Answers every request with the same bytes. What is open ends with it.
pub(super) struct Impostor {
    pub(super) base: String,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Impostor {
    pub(super) fn answering(answer: impl Into<Vec<u8>>, then: Then) -> Self {
        let answer = answer.into();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let open = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&open);
        // Ends with the test process: it waits for connections that nobody makes any more.
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                read_request(&client);
                // Whoever has seen enough hangs up.
                let _ = (&client).write_all(&answer);
                if then == Then::FallSilent {
                    kept.lock().unwrap().push(client);
                }
            }
        });
        Self { base, open }
    }
}

impl Drop for Impostor {
    fn drop(&mut self) {
        self.open.lock().unwrap().clear();
    }
}

/// Reads a request to its end: a connection that is closed with something unread is reset.
pub(super) fn read_request(client: &TcpStream) -> String {
    let mut reader = BufReader::new(client);
    let mut head = String::new();
    while reader.read_line(&mut head).is_ok_and(|count| count > 2) {}
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    });
    let mut body = vec![0; length.unwrap_or(0)];
    let _ = reader.read_exact(&mut body);
    head + &String::from_utf8_lossy(&body)
}

/// A response with a length.
pub(super) fn response(media_type: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n\r\n{body}")
}
