//! Services behind TLS, as every public one is.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::impostor::{Impostor, Then, read_request};
use super::{OVER, text};
use crate::harness::{Service, err, out, sqlite};

/// A proxy that terminates TLS for a service.
struct Terminator {
    port: u16,
    /// The certificate's file.
    certificate: String,
}

impl Terminator {
    fn before(service: &Service, folder: &Path) -> Self {
        Self::showing(service, folder, localhost())
    }

    fn showing(service: &Service, folder: &Path, certificate: CertificateParams) -> Self {
        let key = KeyPair::generate().unwrap();
        let made = certificate.self_signed(&key).unwrap();
        let certificate = text(&folder.join("certificate.pem"));
        fs::write(&certificate, made.pem()).unwrap();
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config =
            ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config = config.with_no_client_auth().with_single_cert(vec![made.der().clone()], key).unwrap();
        let (config, to) = (Arc::new(config), service.base().strip_prefix("http://").unwrap().to_owned());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        // Ends with the test process, while waiting for connections.
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let (config, to) = (Arc::clone(&config), to.clone());
                thread::spawn(move || {
                    let tls = StreamOwned::new(ServerConnection::new(config).unwrap(), client);
                    // A client that does not trust the certificate hangs up.
                    let _ = carry_one(tls, &to);
                });
            }
        });
        Self { port, certificate }
    }

    fn url(&self) -> String {
        format!("https://localhost:{}", self.port)
    }
}

fn localhost() -> CertificateParams {
    CertificateParams::new(["localhost".to_owned()]).unwrap()
}

/// Carries one request and its whole response.
fn carry_one(mut client: StreamOwned<ServerConnection, TcpStream>, to: &str) -> io::Result<()> {
    let mut request = Vec::new();
    let mut bytes = [0; 4096];
    let (head, length) = loop {
        let count = client.read(&mut bytes)?;
        if count == 0 {
            return Ok(());
        }
        request.extend_from_slice(&bytes[..count]);
        let Some(end) = request.windows(4).position(|end| end == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&request[..end]).to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
        break (end, end + 4 + length.unwrap_or(0));
    };
    while request.len() < length {
        let count = client.read(&mut bytes)?;
        request.extend_from_slice(&bytes[..count]);
    }
    let mut service = TcpStream::connect(to)?;
    service.write_all(&request[..head])?;
    service.write_all(b"\r\nConnection: close")?;
    service.write_all(&request[head..])?;
    io::copy(&mut service, &mut client)?;
    client.conn.send_close_notify();
    client.flush()?;
    client.sock.shutdown(Shutdown::Write)
}

/// Runs the program with only these variables.
fn run(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assam"));
    command.args(arguments).env_clear().envs(variables.iter().copied()).stdin(Stdio::null());
    command.output().unwrap()
}

#[test]
fn all_that_asks_a_service_does_so_over_tls_with_the_roots_that_are_named() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let folder = tempfile::tempdir().unwrap();
    let wire = Terminator::before(&service, folder.path());
    let trusting = [("SSL_CERT_FILE", wire.certificate.as_str())];
    let path = |name: &str| text(&folder.path().join(name));
    fs::write(path("game.mkn"), OVER).unwrap();
    let url = wire.url();
    let imported = run(&["import", &path("game.mkn"), "--url", &url], &trusting);
    let told = out(&imported);
    assert!(told.starts_with(&format!("{url}/games/")), "{told} {}", err(&imported));
    assert!(told.ends_with("1 record: 1 new, 0 known, 0 refused\n"), "{told}");
    let exported = run(&["export", "--url", &url], &trusting);
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!((words(&out(&exported)), err(&exported).as_str()), (words(OVER), "1 game\n"));
    let audited = run(&["audit", "--url", &url], &trusting);
    assert_eq!(audited.status.code(), Some(0), "{} {}", out(&audited), err(&audited));
    let key = service.stranger().get("/v1/keys").json()["keys"][0]["key"].as_str().unwrap().to_owned();
    let (w_key, state) = (path("w.key"), path("w.state"));
    let watched = run(
        &[
            "witness",
            "--key-file",
            &w_key,
            "--name",
            "example.org/w",
            "--url",
            &url,
            "--log-key",
            &key,
            "--state",
            &state,
        ],
        &trusting,
    );
    assert_eq!(watched.status.code(), Some(0), "{}", err(&watched));
    // Otherwise nothing vouches for it.
    check_says(&url, &[], "make the system trust its issuer, or set SSL_CERT_FILE to");
    fs::write(path("none.pem"), "").unwrap();
    let other = KeyPair::generate().unwrap();
    fs::write(path("other.pem"), localhost().self_signed(&other).unwrap().pem()).unwrap();
    for (name, why) in [
        ("none.pem", "it has no certificate in PEM"),
        ("missing.pem", "there is no such file"),
        ("", "it is a folder"),
        ("other.pem", "must contain the certificate of its issuer"),
    ] {
        let roots = path(name);
        check_says(&url, &[("SSL_CERT_FILE", &roots)], &format!("SSL_CERT_FILE is {roots}, "));
        check_says(&url, &[("SSL_CERT_FILE", &roots)], why);
    }
    check_says(&url, &[("SSL_CERT_DIR", "/nowhere")], "SSL_CERT_DIR is /nowhere, ");
    // Another name than the certificate's.
    let other = format!("https://127.0.0.1:{}", wire.port);
    check_says(&other, &trusting, "the host in --url must be a name in its certificate");
    // No TLS where the client expects it.
    let plain = service.base().replace("http://127.0.0.1", "https://localhost");
    check_says(&plain, &trusting, "try http://");
    // A certificate that has expired or is not valid yet.
    for (first, last, why) in [(1990, 2001, "must renew the certificate"), (4000, 4001, "clock")] {
        let mut certificate = localhost();
        certificate.not_before = date_time_ymd(first, 1, 1);
        certificate.not_after = date_time_ymd(last, 1, 1);
        let wire = Terminator::showing(&service, folder.path(), certificate);
        check_says(&wire.url(), &[("SSL_CERT_FILE", &wire.certificate)], why);
    }
}

/// Checks that a service cannot be reached, and that the error has the reason and a way out.
fn check_says(url: &str, variables: &[(&str, &str)], why: &str) {
    let refused = run(&["export", "--url", url], variables);
    assert_eq!((refused.status.code(), out(&refused).as_str()), (Some(2), ""), "{url} {variables:?}");
    let said = err(&refused);
    assert!(said.contains(why) && said.lines().count() == 1, "{url} {variables:?}: {said}");
}

/// Starts a proxy for tunnels (RFC 9110, 9.3.6) that counts them.
fn connecting() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    // Ends with the test process, while waiting for connections.
    thread::spawn(move || {
        for mut client in listener.incoming().map_while(Result::ok) {
            let request = read_request(&client);
            let target = request.strip_prefix("CONNECT ").unwrap().split(' ').next().unwrap().to_owned();
            counted.fetch_add(1, Ordering::SeqCst);
            let server = TcpStream::connect(target).unwrap();
            client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
            for (mut from, mut to) in
                [(client.try_clone().unwrap(), server.try_clone().unwrap()), (server, client)]
            {
                thread::spawn(move || {
                    // A failed copy ends like a complete one.
                    let _ = io::copy(&mut from, &mut to);
                    let _ = to.shutdown(Shutdown::Write);
                });
            }
        }
    });
    (url, count)
}

#[test]
fn the_proxy_of_the_environment_is_asked_for_what_it_is_named_for() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let folder = tempfile::tempdir().unwrap();
    let wire = Terminator::before(&service, folder.path());
    let (proxy, count) = connecting();
    let proxy = proxy.as_str();
    let roots = ("SSL_CERT_FILE", wire.certificate.as_str());
    let nowhere = "http://127.0.0.1:9";
    for (variables, url, is_asked) in [
        (&[("HTTPS_PROXY", proxy)][..], &wire.url(), true),
        (&[("https_proxy", proxy), ("HTTP_PROXY", nowhere), ("ALL_PROXY", nowhere)], &wire.url(), true),
        (&[("ALL_PROXY", proxy), ("HTTPS_PROXY", "")], &wire.url(), true),
        (&[("HTTPS_PROXY", nowhere), ("NO_PROXY", "example.org, localhost")], &wire.url(), false),
        (&[("HTTPS_PROXY", nowhere), ("http_proxy", "")], &service.base().to_owned(), false),
        (&[("http_proxy", nowhere), ("HTTP_PROXY", nowhere)], &wire.url(), false),
    ] {
        let before = count.load(Ordering::SeqCst);
        let exported = run(&["export", "--url", url], &[variables, &[roots]].concat());
        assert_eq!(exported.status.code(), Some(0), "{variables:?}: {}", err(&exported));
        assert_eq!(count.load(Ordering::SeqCst) > before, is_asked, "{variables:?}");
    }
    // One that refuses, and one that does not exist.
    let forbidden = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n";
    let refusing = Impostor::answering(forbidden, Then::Close).base.replace("//", "//me:secret@");
    for proxy in [refusing.as_str(), "http://me:secret@127.0.0.1:9"] {
        for name in ["HTTPS_PROXY", "ALL_PROXY"] {
            check_says(&wire.url(), &[(name, proxy), roots], &format!("through the proxy in {name}: "));
            let refused = run(&["export", "--url", &wire.url()], &[(name, proxy), roots]);
            assert!(!err(&refused).contains("secret"), "{}", err(&refused));
        }
    }
    for wrong in
        ["socks5://me:secret@127.0.0.1:9", "http://", "ftp://me:secret@127.0.0.1", "http://127.0.0.1:99999"]
    {
        let refused = run(&["export", "--url", &wire.url()], &[("HTTPS_PROXY", wrong)]);
        assert_eq!((refused.status.code(), out(&refused).as_str()), (Some(1), ""), "{wrong}");
        assert!(
            err(&refused).contains("HTTPS_PROXY is not a proxy") && !err(&refused).contains("secret"),
            "{}",
            err(&refused)
        );
    }
}
