//! A server that is not the service.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// The server's action after it has sent everything.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    Close,
    FallSilent,
}

/// A server that answers every request with the same bytes. Its open connections end with it.
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
        // Ends with the test process, while waiting for connections.
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                read_request(&client);
                // The client may hang up early.
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

/// Reads a request to its end, as closing a connection with unread data resets it.
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

/// Returns a response with a length.
pub(super) fn response(media_type: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n\r\n{body}")
}
