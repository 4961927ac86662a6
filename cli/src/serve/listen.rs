//! The sockets on which `assam serve` listens.

use std::fmt::Display;
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};

use assam_api::http::Listeners;

use crate::process::environment::named;
use crate::process::output::Failure;

/// Listens for clients on the sockets that the process was given, or else at each of these places; and for metrics where there is a place.
///
/// # Errors
/// Where that is not possible, with the place.
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

/// Returns the sockets that somebody else has opened, if there are any, as systemd does for a `.socket` (`sd_listen_fds(3)`). They outlive the process: whoever connects while
/// another one starts waits for it, and is not refused.
#[cfg(unix)]
fn given() -> Result<Option<Listeners>, Failure> {
    let mut given = listenfd::ListenFd::from_env();
    if given.len() == 0 {
        return Ok(None);
    }
    let mut listeners = Listeners::default();
    for n in 0..given.len() {
        let at =
            |error: io::Error| format!("cannot listen on socket {} of those that were given: {error}", n + 1);
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

/// Returns what is told when it serves: where, a line for each place.
///
/// # Errors
/// Where a socket does not say where it is.
pub fn told(listeners: &Listeners) -> io::Result<String> {
    let mut told = String::new();
    // The addresses of one name follow one another, and have one port: the first stands for all.
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

/// What stands before the path of a Unix socket.
const UNIX: &str = "unix:";

/// How many connections may wait to be accepted, as far as the system allows. After a restart all clients connect at once: where no more may
/// wait, the system drops what they send, and they try again a second later.
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

/// Says of what form a place must be.
fn wrong(why: impl Display) -> io::Error {
    let why = format!(
        "{why}: write an address or a name, and a port, as in 127.0.0.1:8080, or unix: and a path, as in unix:/run/assam.sock"
    );
    io::Error::new(io::ErrorKind::InvalidInput, why)
}

/// Listens on every address that a name has, such as `localhost`, which has one of IPv4 and one of IPv6; all with the same
/// port. Addresses that this machine has not are left out, unless there is no other.
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

/// Listens on a Unix socket. One that nobody listens on was left by a process that is gone, and is replaced.
#[cfg(unix)]
fn socket(path: &str) -> io::Result<std::os::unix::net::UnixListener> {
    use std::os::unix::net::{UnixListener, UnixStream};

    let explained = |error| assam_store::file_access::explained(std::path::Path::new(path), error);
    let listener = match UnixListener::bind(path) {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && !is_socket(path) => {
            Err(io::Error::new(error.kind(), "it is there, and no socket"))
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
