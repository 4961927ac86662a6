//! Proxies between clients and service, and between service and PostgreSQL.

use std::collections::HashMap;
use std::io::{Error, Read as _, Result, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;

use crate::clients::client::pause;
use crate::clients::http::Framing;
use crate::field::pipe::{Fate, Gate, Wire};

/// The percentage of changing requests that are sent twice.
const TWICE: u64 = 5;
/// The longest delay of the second one, in milliseconds.
const LATER: u64 = 40;
/// The timeout for its answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// The percentage of stale answers, if those are planted.
const STALE: u64 = 30;
/// The settings that make PostgreSQL commit before or after it answers, of equal length.
const COMMITS: (&[u8], &[u8]) = (b"synchronous_commit=on", b"synchronous_commit=no");

/// A proxy in front of a service process.
pub struct ClientProxy {
    /// The address for clients.
    pub address: SocketAddr,
    /// The gate that connections pass through.
    pub gate: Arc<Gate>,
}

struct Front {
    gate: Arc<Gate>,
    service: SocketAddr,
    /// Past answers by path, if stale reads are planted.
    kept: Option<Mutex<HashMap<String, Vec<u8>>>>,
}

impl ClientProxy {
    /// Starts a proxy. With `is_stale`, it answers some reads of games with earlier answers.
    ///
    /// # Errors
    /// If it cannot listen.
    pub fn start(service: SocketAddr, gate: Gate, is_stale: bool) -> Result<Self> {
        let gate = Arc::new(gate);
        let kept = is_stale.then(Mutex::default);
        let front = Arc::new(Front { gate: Arc::clone(&gate), service, kept });
        let address = listen(move |client| {
            let front = Arc::clone(&front);
            thread::spawn(move || front.serve(client));
        })?;
        Ok(Self { address, gate })
    }
}

/// Starts a proxy between service and PostgreSQL, and returns its address. With `is_early`, the server
/// answers before a commit is on disk.
///
/// # Errors
/// If it cannot listen.
pub fn database_proxy(socket: PathBuf, gate: Arc<Gate>, is_early: bool) -> Result<SocketAddr> {
    listen(move |client| {
        let (gate, socket) = (Arc::clone(&gate), socket.clone());
        thread::spawn(move || {
            // After any end, the service finds its connection cut.
            let _ = database(client, &socket, &gate, is_early);
        });
    })
}

fn listen(accept: impl Fn(TcpStream) + Send + 'static) -> Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // Small messages are not coalesced.
            if stream.set_nodelay(true).is_ok() {
                accept(stream);
            }
        }
    });
    Ok(address)
}

fn database(client: TcpStream, socket: &PathBuf, gate: &Arc<Gate>, is_early: bool) -> Result<()> {
    let client = Arc::new(Wire::Tcp(client));
    let server = Arc::new(Wire::Unix(UnixStream::connect(socket)?));
    let (up, down) = (gate.admit(&client), gate.admit(&server));
    // The first message has the options of the session.
    let mut first = vec![0; 8192];
    let count = client.read(&mut first)?;
    first.truncate(count);
    if is_early && let Some(at) = first.windows(COMMITS.0.len()).position(|found| found == COMMITS.0) {
        first[at..at + COMMITS.1.len()].copy_from_slice(COMMITS.1);
    }
    server.write_all(&first)?;
    let (to, from, gate_too) = (Arc::clone(&client), Arc::clone(&server), Arc::clone(gate));
    thread::spawn(move || gate_too.pump(&from, &to, down));
    gate.pump(&client, &server, up);
    Ok(())
}

impl Front {
    fn serve(&self, client: TcpStream) {
        let client = Arc::new(Wire::Tcp(client));
        // After any end, the client finds its connection cut.
        let _ = self.pass(&client);
        client.shut();
    }

    fn pass(&self, client: &Arc<Wire>) -> Result<()> {
        let service = TcpStream::connect(self.service)?;
        service.set_nodelay(true)?;
        let service = Arc::new(Wire::Tcp(service));
        let (mut up, down) = (self.gate.admit(client), self.gate.admit(&service));
        let (to, from, gate) = (Arc::clone(client), Arc::clone(&service), Arc::clone(&self.gate));
        thread::spawn(move || gate.pump(&from, &to, down));
        let passed = self.pass_requests(client, &service, &mut up);
        service.shut();
        passed
    }

    fn pass_requests(&self, client: &Wire, service: &Wire, up: &mut Fate) -> Result<()> {
        let mut bytes = Vec::new();
        let mut more = [0; 16 * 1024];
        loop {
            while let Some((whole, read)) = request(&bytes)? {
                let request: Vec<u8> = bytes.drain(..whole).collect();
                let plain =
                    read.filter(|path| !path.contains("/events") && path.len() == "/v1/games/".len() + 32);
                if let (Some(path), Some(kept)) = (plain, &self.kept) {
                    client.write_all(&self.answer(&path, &request, kept)?)?;
                    continue;
                }
                if request.starts_with(b"P") && self.gate.happens(TWICE) {
                    self.send_again(request.clone());
                }
                if !self.gate.pass(&request, service, up) {
                    return Ok(());
                }
            }
            match client.read(&mut more)? {
                0 => return Ok(()),
                count => bytes.extend_from_slice(&more[..count]),
            }
        }
    }

    /// Sends a request once more on a separate connection, and drops the answer.
    fn send_again(&self, request: Vec<u8>) {
        let (service, later) = (self.service, Duration::from_millis(self.gate.draw(LATER)));
        thread::spawn(move || {
            pause(later);
            // The service may be down.
            let Ok(mut service) = TcpStream::connect(service) else { return };
            if service.set_read_timeout(Some(PATIENCE)).is_ok() && service.write_all(&request).is_ok() {
                let _ = service.read(&mut [0; 4096]);
            }
        });
    }

    /// Answers a read, sometimes with an earlier answer.
    fn answer(&self, path: &str, request: &[u8], kept: &Mutex<HashMap<String, Vec<u8>>>) -> Result<Vec<u8>> {
        let old = kept.lock().get(path).cloned();
        if let Some(old) = old
            && self.gate.happens(STALE)
        {
            return Ok(old);
        }
        let mut service = TcpStream::connect(self.service)?;
        service.write_all(request)?;
        let (mut bytes, mut more) = (Vec::new(), [0; 16 * 1024]);
        loop {
            let count = service.read(&mut more)?;
            bytes.extend_from_slice(&more[..count]);
            let framing = Framing::of_response(&bytes)?;
            if framing.is_some_and(|framing| bytes.len() >= framing.head + framing.length.unwrap_or(0)) {
                break;
            }
            if count == 0 {
                return Err(Error::other("the service ended the connection"));
            }
        }
        kept.lock().insert(path.to_owned(), bytes.clone());
        Ok(bytes)
    }
}

/// Returns the length of a complete request, and its path if it is a read.
fn request(bytes: &[u8]) -> Result<Option<(usize, Option<String>)>> {
    let Some((framing, read)) = Framing::of_request(bytes)? else { return Ok(None) };
    let whole = framing.head + framing.length.unwrap_or(0);
    Ok((bytes.len() >= whole).then_some((whole, read)))
}
