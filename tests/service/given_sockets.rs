//! Sockets that somebody else has opened, as systemd does: they outlive a process of the service.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::harness::KEY;

/// Starts the program with one socket that it is given: its file descriptor 3, as `sd_listen_fds(3)` says.
fn start(socket: impl Into<OwnedFd>, directory: &TempDir) -> Child {
    Command::new("sh")
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
        .spawn()
        .unwrap()
}

fn first_line(child: &mut Child) -> String {
    BufReader::new(child.stdout.take().unwrap()).lines().next().unwrap().unwrap()
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
    assert!(first_line(&mut one).contains(&format!("http://{address} ")), "it says where the socket is");
    assert!(answer(ask(address)).starts_with("HTTP/1.1 200 "));
    assert!(Command::new("kill").arg(one.id().to_string()).status().unwrap().success());
    assert!(one.wait().unwrap().success());
    let waiting: Vec<_> = (0..100).map(|_| ask(address)).collect();
    let mut other = start(socket, &directory);
    for stream in waiting {
        assert!(answer(stream).starts_with("HTTP/1.1 200 "));
    }
    other.kill().unwrap();
    other.wait().unwrap();
}

#[test]
fn what_is_given_and_is_no_socket_on_which_it_can_listen_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let file = std::fs::File::open(directory.path()).unwrap();
    let refused = start(file, &directory).wait_with_output().unwrap();
    assert!(!refused.status.success());
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(told.contains("cannot listen on socket 1 of those that were given: "), "{told}");
}
