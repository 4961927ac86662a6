//! A wire to a Postgres server that can be cut and mended.

use std::io::{Read, Write, copy};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use postgres::config::Host;

/// Carries TCP connections to a server, until it is cut.
pub(crate) struct Proxy {
    address: SocketAddr,
    is_cut: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Proxy {
    /// A wire to the server that a `postgres://` URL names.
    pub(crate) fn to(url: &str) -> Self {
        let config: postgres::Config = url.parse().unwrap();
        let (host, port) =
            (config.get_hosts()[0].clone(), config.get_ports().first().copied().unwrap_or(5432));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let is_cut = Arc::new(AtomicBool::new(false));
        let open = Arc::new(Mutex::new(Vec::new()));
        let (seen_cut, seen_open) = (Arc::clone(&is_cut), Arc::clone(&open));
        // Ends with the test process: it waits for connections that nobody makes any more.
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
                        carry(&client, server.try_clone().unwrap(), server);
                    }
                    Host::Unix(directory) => {
                        let server = UnixStream::connect(directory.join(format!(".s.PGSQL.{port}"))).unwrap();
                        carry(&client, server.try_clone().unwrap(), server);
                    }
                }
            }
        });
        Self { address, is_cut, open }
    }

    /// The URL with this wire in place of the server.
    pub(crate) fn url(&self, url: &str) -> String {
        let (user, rest) = url.split_once('@').unwrap();
        let (_, name) = rest.split_once('/').unwrap();
        format!("{user}@{}/{name}", self.address)
    }

    /// Ends every connection, and every new one at once.
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
}

/// Copies both ways, each until its source ends.
fn carry(client: &TcpStream, server_in: impl Read + Send + 'static, server_out: impl Write + Send + 'static) {
    let (client_in, client_out) = (client.try_clone().unwrap(), client.try_clone().unwrap());
    pipe(server_in, client_out.try_clone().unwrap(), Some(client_out));
    pipe(client_in, server_out, None);
}

fn pipe(mut from: impl Read + Send + 'static, mut to: impl Write + Send + 'static, ends: Option<TcpStream>) {
    thread::spawn(move || {
        // A copy that fails has ended like one that is done.
        let _ = copy(&mut from, &mut to);
        if let Some(client) = ends {
            let _ = client.shutdown(Shutdown::Both);
        }
    });
}
