//! Inherited sockets, as from systemd, which outlive a service process.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::harness::KEY;

/// A process that ends with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    /// Returns the first line of output, which has the address, or an empty line if it ends before.
    fn first_line(&mut self) -> String {
        let mut line = String::new();
        BufReader::new(self.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        line
    }
}

/// Starts the program with one inherited socket as file descriptor 3, as in `sd_listen_fds(3)`.
fn start(socket: impl Into<OwnedFd>, directory: &TempDir) -> Process {
    let child = Command::new("sh")
        .args([
            "-c",
            r#"exec "$0" "$@" 3<&0 0</dev/null"#,
            env!("CARGO_BIN_EXE_assam"),
            "serve",
            "--database",
        ])
        .arg(format!("sqlite:{}", directory.path().join("assam.db").display()))
        .env_clear()
        .env("ASSAM_KEYS", KEY)
        .env("LISTEN_FDS", "1")
        .stdin(socket.into())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    Process(child.unwrap())
}

fn ask(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(b"GET /v1/games HTTP/1.1\r\nHost: assam.example\r\nConnection: close\r\n\r\n").unwrap();
    stream
}

fn answer(mut stream: TcpStream) -> String {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn whoever_comes_between_two_processes_on_a_socket_that_outlives_them_waits_and_is_answered() {
    let directory = tempfile::tempdir().unwrap();
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let mut one = start(socket.try_clone().unwrap(), &directory);
    assert!(one.first_line().contains(&format!("http://{address} ")), "it says where the socket is");
    assert!(answer(ask(address)).starts_with("HTTP/1.1 200 "));
    assert!(Command::new("kill").arg(one.0.id().to_string()).status().unwrap().success());
    assert!(one.0.wait().unwrap().success());
    let waiting: Vec<_> = (0..100).map(|_| ask(address)).collect();
    let _other = start(socket, &directory);
    for stream in waiting {
        assert!(answer(stream).starts_with("HTTP/1.1 200 "));
    }
}

#[test]
fn what_is_given_and_is_no_socket_on_which_it_can_listen_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let file = std::fs::File::open(directory.path()).unwrap();
    let mut refused = start(file, &directory);
    assert_eq!(refused.first_line(), "");
    assert!(!refused.0.wait().unwrap().success());
    let mut told = String::new();
    refused.0.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert!(told.contains("cannot listen on inherited socket 1: "), "{told}");
}
