//! The sockets on which `assam serve` listens.

use std::fmt::Display;
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};

use assam_api::http::Listeners;

use crate::process::environment::named;
use crate::process::output::Failure;

/// Listens for clients on the sockets that the process was given, or else at each of these places, and for
/// metrics if there is a place.
///
/// # Errors
/// If that is not possible, with the place.
pub fn listeners(clients: &[String], metrics: Option<&str>) -> Result<Listeners, Failure> {
    let mut listeners = match given()? {
        Some(given) => given,
        None => opened(clients)?,
    };
    if let Some(place) = metrics {
        let named_by = || named("--metrics-listen", "ASSAM_METRICS_LISTEN");
        listeners.metrics = tcp(place).map_err(|error| at(place, &error, named_by))?;
    }
    Ok(listeners)
}

/// Returns the sockets that the parent process opened, if any, as systemd does for a `.socket`
/// (`sd_listen_fds(3)`). They outlive this process, so clients that connect during a restart wait instead of
/// being refused.
#[cfg(unix)]
fn given() -> Result<Option<Listeners>, Failure> {
    let mut given = listenfd::ListenFd::from_env();
    if given.len() == 0 {
        return Ok(None);
    }
    let mut listeners = Listeners::default();
    for n in 0..given.len() {
        let at = |error: io::Error| format!("cannot listen on inherited socket {}: {error}", n + 1);
        match given.take_tcp_listener(n) {
            Ok(listener) => listeners.clients.extend(listener),
            Err(_) => listeners.sockets.extend(given.take_unix_listener(n).map_err(at)?),
        }
    }
    Ok(Some(listeners))
}

#[cfg(not(unix))]
fn given() -> Result<Option<Listeners>, Failure> {
    Ok(None)
}

fn opened(places: &[String]) -> Result<Listeners, Failure> {
    let mut listeners = Listeners::default();
    for place in places {
        let named_by = || named("--listen", "ASSAM_LISTEN");
        add(&mut listeners, place).map_err(|error| at(place, &error, named_by))?;
    }
    Ok(listeners)
}

fn at(place: &str, error: &io::Error, named_by: impl FnOnce() -> &'static str) -> String {
    match error.kind() == io::ErrorKind::InvalidInput {
        true => format!("{} has {place}: {error}", named_by()),
        false => format!("cannot listen on {place}: {error}"),
    }
}

/// Returns the lines that the service prints at startup, one for each place.
///
/// # Errors
/// If the address of a socket is not known.
pub fn told(listeners: &Listeners) -> io::Result<String> {
    let mut told = String::new();
    // The addresses of one name are consecutive and share a port, so only the first is printed.
    let mut last_port = None;
    for listener in &listeners.clients {
        let at = listener.local_addr()?;
        if last_port.replace(at.port()) != Some(at.port()) {
            told += &format!("Assam listens on http://{at}  (open it in a browser)\n");
        }
    }
    #[cfg(unix)]
    for socket in &listeners.sockets {
        let at = socket.local_addr()?;
        let path = at.as_pathname().unwrap_or(std::path::Path::new(""));
        told += &format!("Assam listens on {UNIX}{}\n", crate::process::input::printable(path));
    }
    if let Some(at) = listeners.metrics.first().map(TcpListener::local_addr).transpose()? {
        told += &format!("Metrics are at http://{at}/metrics\n");
    }
    Ok(told)
}

/// The prefix of the path of a Unix socket.
const UNIX: &str = "unix:";

/// Connections that may wait to be accepted, as far as the system allows. After a restart, all clients
/// connect at once. Without room, the system drops their packets, and they try again a second later.
const BACKLOG: i32 = 4096;

fn add(listeners: &mut Listeners, place: &str) -> io::Result<()> {
    match place.strip_prefix(UNIX) {
        #[cfg(unix)]
        Some("") => return Err(wrong("no path")),
        #[cfg(unix)]
        Some(path) => {
            listeners.sockets.push(socket(path)?);
        }
        #[cfg(not(unix))]
        Some(_) => return Err(io::Error::other("this system has no Unix sockets")),
        None => listeners.clients.extend(tcp(place)?),
    }
    Ok(())
}

/// Returns the error for a malformed place.
fn wrong(why: impl Display) -> io::Error {
    let why = format!(
        "{why}: write an address or a name with a port, such as 127.0.0.1:8080, or unix: and a path, such as unix:/run/assam.sock"
    );
    io::Error::new(io::ErrorKind::InvalidInput, why)
}

/// Listens on every address of a name, all with the same port: `localhost`, for example, has an IPv4 and an
/// IPv6 address. Leaves out addresses that this machine does not have, unless there is no other.
fn tcp(name: &str) -> io::Result<Vec<TcpListener>> {
    let (mut listeners, mut missing) = (Vec::new(), None);
    let mut port = None;
    let mut addresses: Vec<SocketAddr> = name.to_socket_addrs().map_err(wrong)?.collect();
    addresses.sort_by_key(SocketAddr::is_ipv6);
    addresses.dedup();
    for mut address in addresses {
        address.set_port(port.unwrap_or(address.port()));
        match TcpListener::bind(address) {
            Ok(listener) => {
                rustix::net::listen(&listener, BACKLOG)?;
                port = Some(listener.local_addr()?.port());
                listeners.push(listener);
            }
            Err(error) if error.kind() == io::ErrorKind::AddrNotAvailable => missing = Some(error),
            Err(error) => return Err(error),
        }
    }
    match missing {
        Some(error) if listeners.is_empty() => Err(error),
        _ => Ok(listeners),
    }
}

#[cfg(unix)]
fn is_socket(path: &str) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    std::fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket())
}

/// Listens on a Unix socket. Replaces one that a dead process left behind.
#[cfg(unix)]
fn socket(path: &str) -> io::Result<std::os::unix::net::UnixListener> {
    use std::os::unix::net::{UnixListener, UnixStream};

    let explained = |error| assam_store::file_access::explained(std::path::Path::new(path), error);
    let listener = match UnixListener::bind(path) {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && !is_socket(path) => {
            Err(io::Error::new(error.kind(), "it exists, and is not a socket"))
        }
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => match UnixStream::connect(path) {
            Err(refused) if refused.kind() == io::ErrorKind::ConnectionRefused => {
                std::fs::remove_file(path).map_err(explained)?;
                UnixListener::bind(path)
            }
            Ok(_) | Err(_) => Err(error),
        },
        bound => bound,
    };
    let listener = listener.map_err(explained)?;
    rustix::net::listen(&listener, BACKLOG)?;
    Ok(listener)
}
