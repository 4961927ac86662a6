//! An operator's proxy that holds back every request that takes a seat with entropy, and changes it.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::Value;

use crate::harness::Service;

/// Changes a response to the request that was sent.
type Tell<'a> = &'a (dyn Fn(&Value, &mut Value) + Sync);

/// An operator with two processes of the service: one that shows games, and one that has not seen them, for
/// requests that take seats.
pub(super) struct Chooser<'a> {
    pub(super) looked_at: &'a Service,
    pub(super) sat_down_at: &'a Service,
    /// Changes the body of a request that takes a seat of the game with this path.
    pub(super) change: &'a (dyn Fn(&str, &Value) -> Value + Sync),
    /// The secret that the changed request carries.
    pub(super) secret: Option<&'a str>,
    /// Changes the response. `None` returns it unchanged.
    pub(super) tell: Option<Tell<'a>>,
}

impl Chooser<'_> {
    /// Runs `act` with the address of a proxy before the service.
    pub(super) fn between<T>(&self, act: impl FnOnce(&str) -> T) -> T {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                for client in listener.incoming().map_while(Result::ok) {
                    if is_over.load(Ordering::SeqCst) {
                        break;
                    }
                    // A disconnected client needs no response.
                    scope.spawn(|| drop(self.carry(client)));
                }
            });
            let done = act(&format!("http://{address}"));
            is_over.store(true, Ordering::SeqCst);
            TcpStream::connect(address).unwrap();
            done
        })
    }

    /// Carries one request and its response.
    fn carry(&self, mut client: TcpStream) -> io::Result<()> {
        let mut from = BufReader::new(client.try_clone()?);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if from.read_line(&mut head)? == 0 {
                return Ok(());
            }
        }
        let lines: Vec<(&str, &str)> = head.lines().filter_map(|line| line.split_once(": ")).collect();
        let length = lines.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
        let mut body = vec![0; length.map_or(0, |(_, length)| length.parse().unwrap())];
        from.read_exact(&mut body)?;
        let sent: Value = serde_json::from_slice(&body).unwrap_or_default();
        let target = head.split(' ').nth(1).unwrap().to_owned();
        let game = target.split_once("/seats/").map(|(game, _)| game);
        let game = game.filter(|_| head.starts_with("PUT ") && sent["entropy"].is_string());
        let service = if game.is_some() { self.sat_down_at } else { self.looked_at };
        if let Some(game) = game {
            body = (self.change)(game, &sent).to_string().into_bytes();
        }
        let server = service.base().trim_start_matches("http://");
        let own = ["host", "connection", "content-length", "accept-encoding"];
        let kept = lines.iter().filter(|(name, _)| !own.contains(&name.to_ascii_lowercase().as_str()));
        let mut kept: String = kept.map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        if let (Some(secret), Some((_, own))) =
            (self.secret.filter(|_| game.is_some()), kept.split_once("Bearer "))
        {
            kept = kept.replace(&own[..64], secret);
        }
        let (first, length) = (head.lines().next().unwrap(), body.len());
        let mut to = TcpStream::connect(server)?;
        write!(
            to,
            "{first}\r\nHost: {server}\r\nConnection: close\r\nContent-Length: {length}\r\n{kept}\r\n"
        )?;
        to.write_all(&body)?;
        let Some(tell) = self.tell.filter(|_| game.is_some()) else {
            return io::copy(&mut to, &mut client).map(drop);
        };
        let mut response = String::new();
        to.read_to_string(&mut response)?;
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        let mut told: Value = serde_json::from_str(body).unwrap();
        tell(&sent, &mut told);
        let (first, told) = (head.lines().next().unwrap(), told.to_string());
        let length = told.len();
        let head = format!(
            "{first}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}"
        );
        write!(client, "{head}\r\n\r\n{told}")
    }
}
