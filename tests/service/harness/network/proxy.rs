//! A connection to a PostgreSQL server that can be cut and mended, frozen and thawed.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use postgres::config::Host;

/// A proxy that carries TCP connections to a server until it is cut.
pub(crate) struct Proxy {
    address: SocketAddr,
    is_cut: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<TcpStream>>>,
    frost: Arc<Frost>,
}

/// A freeze, during which nothing is carried and nothing breaks.
#[derive(Default)]
struct Frost {
    lasts: Mutex<bool>,
    ended: Condvar,
}

impl Proxy {
    /// Returns a proxy for the server that a `postgres://` URL names.
    pub(crate) fn to(url: &str) -> Self {
        let config: postgres::Config = url.parse().unwrap();
        let (host, port) =
            (config.get_hosts()[0].clone(), config.get_ports().first().copied().unwrap_or(5432));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let is_cut = Arc::new(AtomicBool::new(false));
        let open = Arc::new(Mutex::new(Vec::new()));
        let frost = Arc::new(Frost::default());
        let (seen_cut, seen_open, seen_frost) = (Arc::clone(&is_cut), Arc::clone(&open), Arc::clone(&frost));
        // Ends with the test process, while waiting for connections.
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let mut open = seen_open.lock().unwrap();
                if seen_cut.load(Ordering::SeqCst) {
                    continue;
                }
                open.push(client.try_clone().unwrap());
                match &host {
                    Host::Tcp(name) => {
                        let server = TcpStream::connect((name.as_str(), port)).unwrap();
                        carry(&client, server.try_clone().unwrap(), server, &seen_frost);
                    }
                    Host::Unix(directory) => {
                        let server = UnixStream::connect(directory.join(format!(".s.PGSQL.{port}"))).unwrap();
                        carry(&client, server.try_clone().unwrap(), server, &seen_frost);
                    }
                }
            }
        });
        Self { address, is_cut, open, frost }
    }

    /// Returns the URL with this proxy in place of the server.
    pub(crate) fn url(&self, url: &str) -> String {
        let (user, rest) = url.split_once('@').unwrap();
        let (_, name) = rest.split_once('/').unwrap();
        format!("{user}@{}/{name}", self.address())
    }

    /// Returns the host and the port.
    pub(crate) fn address(&self) -> String {
        self.address.to_string()
    }

    /// Ends every open and new connection.
    pub(crate) fn cut(&self) {
        self.is_cut.store(true, Ordering::SeqCst);
        for client in self.open.lock().unwrap().drain(..) {
            // It may have ended by itself.
            let _ = client.shutdown(Shutdown::Both);
        }
    }

    /// Lets connections through again.
    pub(crate) fn mend(&self) {
        self.is_cut.store(false, Ordering::SeqCst);
    }

    /// Carries nothing more for now.
    pub(crate) fn freeze(&self) {
        *self.frost.lasts.lock().unwrap() = true;
    }

    /// Carries everything buffered, and resumes.
    pub(crate) fn thaw(&self) {
        *self.frost.lasts.lock().unwrap() = false;
        self.frost.ended.notify_all();
    }
}

/// Copies both ways, each until its source ends.
fn carry(
    client: &TcpStream,
    server_in: impl Read + Send + 'static,
    server_out: impl Write + Send + 'static,
    frost: &Arc<Frost>,
) {
    let (client_in, client_out) = (client.try_clone().unwrap(), client.try_clone().unwrap());
    pipe(server_in, client_out.try_clone().unwrap(), frost, Some(client_out));
    pipe(client_in, server_out, frost, None);
}

fn pipe(
    mut from: impl Read + Send + 'static,
    mut to: impl Write + Send + 'static,
    frost: &Arc<Frost>,
    ends: Option<TcpStream>,
) {
    let frost = Arc::clone(frost);
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        // A failed copy ends like a complete one.
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            drop(frost.ended.wait_while(frost.lasts.lock().unwrap(), |lasts| *lasts).unwrap());
            if to.write_all(&bytes[..count]).is_err() {
                break;
            }
        }
        if let Some(client) = ends {
            let _ = client.shutdown(Shutdown::Both);
        }
    });
}
