//! A proxy that serves the service only below a path, like nginx with
//! `location /assam/ { proxy_pass http://..../; }`.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

const PATH: &str = "/assam";

/// A service below a path.
pub(crate) struct BelowPath {
    address: SocketAddr,
    outside: Arc<Mutex<Vec<String>>>,
}

impl BelowPath {
    /// Puts the service at `http://HOST:PORT` below a path.
    pub(crate) fn of(base: &str) -> Self {
        let service = base.strip_prefix("http://").unwrap().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let outside = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&outside);
        // Ends with the test process, while waiting for connections.
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let (service, seen) = (service.clone(), Arc::clone(&seen));
                // A broken connection ends like a complete one.
                thread::spawn(move || drop(pass_on(client, &service, &seen)));
            }
        });
        Self { address, outside }
    }

    /// `http://127.0.0.1:PORT/assam`.
    pub(crate) fn base(&self) -> String {
        format!("http://{}{PATH}", self.address)
    }

    /// Returns requests outside the path.
    pub(crate) fn outside(&self) -> Vec<String> {
        self.outside.lock().unwrap().clone()
    }
}

/// Forwards the requests of a connection, without the path.
fn pass_on(mut client: TcpStream, service: &str, outside: &Mutex<Vec<String>>) -> io::Result<()> {
    let mut server = TcpStream::connect(service)?;
    let (mut answers, mut back) = (server.try_clone()?, client.try_clone()?);
    thread::spawn(move || {
        let _ = io::copy(&mut answers, &mut back);
        let _ = back.shutdown(Shutdown::Both);
    });
    let mut requests = BufReader::new(client.try_clone()?);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if requests.read_line(&mut head)? == 0 {
                return server.shutdown(Shutdown::Both);
            }
        }
        let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
        let Some(inside) = path.strip_prefix(PATH).filter(|inside| inside.starts_with('/')) else {
            outside.lock().unwrap().push(path);
            client.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")?;
            return client.shutdown(Shutdown::Both);
        };
        server.write_all(head.replacen(&path, inside, 1).as_bytes())?;
        let length = head.to_lowercase();
        let length =
            length.split("content-length: ").nth(1).and_then(|rest| rest.split('\r').next()?.parse().ok());
        io::copy(&mut (&mut requests).take(length.unwrap_or(0)), &mut server)?;
    }
}
