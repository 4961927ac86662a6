//! The `assam` program: its commands, its exit statuses, its life and its death.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::panic;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Service, assam, backends, err, out, sqlite, start};

#[test]
fn migrate_brings_a_database_up_to_date_and_can_be_repeated() {
    for backend in backends() {
        for _ in 0..2 {
            let migrated = assam(&["migrate", "--database", &backend.url()], "");
            assert_eq!(migrated.status.code(), Some(0), "{} {migrated:?}", backend.name());
        }
    }
}

#[test]
fn a_database_with_migrations_that_are_not_those_of_the_program_is_left_alone_and_says_why() {
    let history = "refinery_schema_history";
    let newer = "a newer program has updated it (its newest migration is 999";
    for (change, why, also_read) in [
        (
            format!(
                "INSERT INTO {history} SELECT 999, 'later', applied_on, checksum FROM {history} WHERE version = 1"
            ),
            newer,
            true,
        ),
        (format!("DELETE FROM {history} WHERE version = 2"), "it lacks migration V2__", false),
        (
            format!("UPDATE {history} SET checksum = '1' WHERE version = 2"),
            "its migration V2__lists differs from this program's",
            false,
        ),
        (format!("DELETE FROM {history} WHERE version > 3"), "run `assam migrate`", true),
    ] {
        for backend in backends() {
            drop(Service::start(&backend));
            backend.script(&change);
            let mut commands = vec![vec!["migrate"], vec!["serve"]];
            if also_read {
                commands = vec![vec!["serve", "--read-only"]];
                if why == newer {
                    commands.extend([vec!["migrate"], vec!["serve"]]);
                }
            }
            for command in commands {
                let refused = assam(&[&command[..], &["--database", &backend.url()]].concat(), "");
                assert_eq!(refused.status.code(), Some(1), "{} {refused:?}", backend.name());
                assert!(err(&refused).contains(why), "{command:?} {} {}", backend.name(), err(&refused));
            }
        }
    }
}

#[test]
fn a_database_that_cannot_be_used_ends_the_program_with_1_and_without_its_password() {
    for url in [
        "postgres://someone:hunter2@127.0.0.1:1/none",
        "mysql://someone:hunter2@localhost/none",
        "sqlite:/nowhere/hunter2/at/all.db",
        "sqlite:",
    ] {
        for command in ["migrate", "serve"] {
            let failed = assam(&[command, "--database", url], "");
            assert_eq!(failed.status.code(), Some(1), "{url} {failed:?}");
            let told = err(&failed);
            assert!(
                told.starts_with("assam: ") && (!told.contains("hunter2") || url.starts_with("sqlite")),
                "{told}"
            );
        }
    }
    let help = Command::new(env!("CARGO_BIN_EXE_assam"))
        .arg("--help")
        .env("ASSAM_DATABASE", "postgres://someone:hunter2@localhost/none")
        .output()
        .unwrap();
    assert!(help.status.success() && !out(&help).contains("hunter2"));
}

#[test]
fn a_database_that_cannot_be_used_is_told_with_its_file_or_with_what_is_wrong_in_its_url() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("text.db");
    fs::write(&text, "MKN/1 marrakech/1 seats=3\n".repeat(99)).unwrap();
    let [folder, text] = [folder.path(), &text].map(|path| path.display().to_string());
    let malformed = "is malformed: it must be postgres://USER:PASSWORD@HOST:PORT/DATABASE?OPTION=VALUE";
    for (url, why) in [
        (format!("sqlite:{folder}"), folder.as_str()),
        (format!("sqlite:{text}"), text.as_str()),
        ("postgres://someone:hunter2@localhost:99999/none".into(), "has an invalid value for `port`"),
        (
            "postgres://someone:hunter2@localhost/none?sslmode=hunter2".into(),
            "has an invalid value for `sslmode`",
        ),
        ("postgres://someone@localhost/none?hunter2=1".into(), malformed),
        ("postgres://someone:hunter2@/none".into(), "names no host"),
    ] {
        let failed = assam(&["migrate", "--database", &url], "");
        let told = err(&failed);
        assert!(failed.status.code() == Some(1) && told.contains(why), "{url}: {told}");
        assert!(!told.contains("hunter2"), "{told}");
    }
}

/// The README has its test command after the one that starts the service.
#[test]
fn the_tests_pass_while_a_service_has_the_default_port_and_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_assam"));
    program.env_clear().current_dir(folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut service = program.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(service.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let others = panic::catch_unwind(|| {
        a_database_that_cannot_be_used_ends_the_program_with_1_and_without_its_password();
        a_database_with_migrations_that_are_not_those_of_the_program_is_left_alone_and_says_why();
    });
    service.kill().unwrap();
    let ended = service.wait_with_output().unwrap();
    if line.is_empty() {
        // Another service already has the port.
        assert!(err(&ended).contains("cannot listen on 127.0.0.1:8080: "), "{ended:?}");
    } else {
        assert!(line.starts_with("Assam listens on http://127.0.0.1:8080 "), "{line}");
        assert!(folder.path().join("assam.db").exists());
    }
    assert!(others.is_ok());
}

#[test]
fn a_command_that_only_uses_a_database_makes_no_file_where_there_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("none.db").display());
    let id = "0f8fad5bd9cb469fa165708f67d64b2a";
    for command in [
        &["abort", id][..],
        &["abort", "--running"],
        &["audit"],
        &["backup", "-"],
        &["doctor"],
        &["export"],
        &["key", "list"],
        &["ratings"],
        &["remove", id, "--reason", "a wrong name"],
        &["serve", "--read-only"],
    ] {
        let failed = assam(&[command, &["--database", &url]].concat(), "");
        assert!(matches!(failed.status.code(), Some(1 | 2)), "{command:?} {failed:?}");
        assert!(err(&failed).contains("there is no database"), "{command:?} {}", err(&failed));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{command:?}");
    }
}

#[test]
fn an_acknowledged_move_is_still_there_after_the_program_was_killed() {
    for backend in backends() {
        let service = Service::start(&backend);
        let (id, players) = service.game(3, json!({}));
        let secrets: Vec<String> = players.iter().map(|player| player.secret.clone().unwrap()).collect();
        let written = players[0].play(&id, 1, "N");
        assert_eq!(written.status, 201);
        assert_eq!(written.header("location"), Some(format!("/v1/games/{id}/moves/1").as_str()));
        drop(players);
        drop(service);

        let service = Service::start(&backend);
        let again = service.with_secret(&secrets[0]).play(&id, 1, "N");
        assert_eq!((again.status, again.text), (200, written.text), "{}", backend.name());
        assert_eq!(service.with_secret(&secrets[0]).play(&id, 1, "E").problem(), "ply_taken");
        let seat =
            service.with_secret(&secrets[2]).get(&format!("/v1/games/{id}")).json()["your_seat"].clone();
        assert_eq!(seat, 3);
    }
}

#[cfg(unix)]
#[test]
fn the_file_of_the_embedded_store_can_be_read_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("assam.db");
    let migrated = assam(&["migrate", "--database", &format!("sqlite:{}", file.display())], "");
    assert_eq!(migrated.status.code(), Some(0));
    assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn sigterm_ends_the_program_gracefully_with_0() {
    for backend in backends() {
        let mut service = Service::start(&backend);
        assert_eq!(service.stranger().get("/livez").status, 200);
        let process = service.process();
        let sent = Command::new("kill").args(["-TERM", &process.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(process.wait().unwrap().code(), Some(0), "{}", backend.name());
    }
}

#[test]
fn bodies_and_requests_that_never_come_do_not_keep_the_program_from_ending() {
    for backend in backends() {
        let mut service = Service::start(&backend);
        let address = service.base().strip_prefix("http://").unwrap().to_owned();
        let begun = |head: &str| {
            let mut stream = TcpStream::connect(&address).unwrap();
            stream.write_all(head.as_bytes()).unwrap();
            stream
        };
        let held: Vec<TcpStream> = (0..8)
            .flat_map(|_| {
                let body = "Host: a\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\nMKN";
                [
                    "POST /v1/validate HTTP/1.1\r\n",
                    "POST /v1/imports/bulk HTTP/1.1\r\n",
                    "POST /v1/games HTTP/1.1\r\n",
                ]
                .map(|line| begun(&format!("{line}{body}")))
                .into_iter()
                .chain([begun("GET /livez HTTP/1.1\r\nHost:"), begun("")])
            })
            .collect();
        assert_eq!(service.stranger().get("/livez").status, 200);
        let process = service.process();
        let began = Instant::now();
        let sent = Command::new("kill").args(["-TERM", &process.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(process.wait().unwrap().code(), Some(0), "{}", backend.name());
        // It waits for them for four seconds, not the twenty that a body may take.
        assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
        drop(held);
    }
}

#[test]
fn a_name_is_listened_on_at_each_of_its_addresses() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", folder.path().join("games.db").display());
    let serve = ["serve", "--listen", "localhost:0", "--database", &database];
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_assam")).args(serve).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let port: u16 = line.split(' ').find_map(|word| word.rsplit_once(':')?.1.parse().ok()).unwrap();
    let connected: Vec<_> = ("localhost", port).to_socket_addrs().unwrap().map(TcpStream::connect).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    let refused = connected.iter().flat_map(|tried| tried.as_ref().err());
    // A machine may name an IPv6 address that it does not have.
    assert!(
        refused.clone().all(|error| error.kind() == std::io::ErrorKind::AddrNotAvailable),
        "{connected:?}"
    );
    assert!(refused.count() < connected.len(), "{connected:?}");
}

#[cfg(unix)]
#[test]
fn a_unix_socket_is_listened_on_beside_an_address_and_replaced_where_its_process_is_gone() {
    use std::os::unix::net::UnixStream;

    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", folder.path().join("games.db").display());
    let socket = folder.path().join("assam.sock");
    let listen = format!("unix:{}", socket.display());
    let both = format!("127.0.0.1:0 {listen}");
    let serve = || {
        let mut program = Command::new(env!("CARGO_BIN_EXE_assam"));
        program.args(["serve", "--database", &database, "--rate", "reads=1/h"]).env("ASSAM_LISTEN", &both);
        program.stdout(Stdio::piped()).stderr(Stdio::piped());
        program
    };
    let status = |headers: &str| {
        let mut stream = UnixStream::connect(&socket).unwrap();
        let request = format!("GET /v1/games HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{headers}\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().to_owned()
    };
    for _ in 0..2 {
        let mut child = serve().spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let told: Vec<String> = lines.take(2).map(Result::unwrap).collect();
        assert!(told[0].starts_with("Assam listens on http://127.0.0.1:"), "{told:?}");
        assert_eq!(told[1], format!("Assam listens on {listen}"));
        // Processes that can open the socket are proxies. Clients are those that they name, and their own
        // requests are not counted.
        let of = |client: &str| status(&format!("X-Forwarded-For: {client}\r\n"));
        assert_eq!([(); 5].map(|()| status("")), ["200"; 5]);
        assert_eq!(
            [(); 5].map(|()| of("192.0.2.1")),
            ["200", "200", "200", "200", "429"],
            "four times a secret's"
        );
        // Another process cannot take it away.
        let second = serve().output().unwrap();
        let why = String::from_utf8(second.stderr).unwrap();
        assert!(!second.status.success() && why.contains(&format!("cannot listen on {listen}: ")), "{why}");
        assert_eq!(status(""), "200");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn hundreds_of_clients_that_connect_at_once_wait_for_the_service_and_none_is_dropped() {
    // The queue is as long as the system allows.
    let allowed = fs::read_to_string("/proc/sys/net/core/somaxconn").unwrap();
    let clients = allowed.trim().parse::<usize>().unwrap().min(500);
    let backend = sqlite();
    let service = Service::start(&backend);
    let address = service.base().strip_prefix("http://").unwrap().parse().unwrap();
    // It accepts nothing, as during startup.
    assert!(service.signal("STOP"));
    // A dropped client retries a second later.
    let connect = |_| TcpStream::connect_timeout(&address, Duration::from_millis(900));
    let connected: Result<Vec<_>, _> = (0..clients).map(connect).collect();
    assert!(service.signal("CONT"));
    assert!(connected.is_ok(), "{connected:?}");
    drop(connected);
    assert_eq!(service.stranger().get("/livez").status, 200);
}

#[test]
fn a_request_that_cannot_be_read_is_no_error_of_the_service() {
    for backend in backends() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let service = Service::start_logging(&backend, "info", &log);
        let mut stream = TcpStream::connect(service.base().strip_prefix("http://").unwrap()).unwrap();
        stream.write_all(b"GET /livez HTTP/1.1\r\nHo st: a\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
        assert!(!fs::read_to_string(&log).unwrap().contains("ERROR"));
    }
}

#[cfg(unix)]
#[test]
fn sigterm_right_after_the_line_that_says_where_the_service_listens_ends_it_as_later() {
    let backend = sqlite();
    for _ in 0..5 {
        let mut service = start(&["serve", "--listen", "127.0.0.1:0", "--database", &backend.url()]);
        let end = format!("read -r line; kill -TERM {}", service.id());
        let reader =
            Command::new("sh").args(["-c", &end]).stdin(service.stdout.take().unwrap()).status().unwrap();
        assert!(reader.success());
        assert_eq!(service.wait().unwrap().code(), Some(0));
    }
}
