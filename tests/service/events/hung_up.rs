//! Clients that hang up. Some hang up before their changes are written: on SQLite only the writer notices, on
//! PostgreSQL polling the database does within a second. Others have unread responses, and their last request
//! is dropped.

use std::io::Write as _;
use std::iter;
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use serde_json::json;

use super::SSE;
use crate::harness::{Backend, Client, Service, Stream, comes, sqlite};

/// Maximum attempts: on a machine so busy that moves are refused, nothing can be checked.
const ATTEMPTS: usize = 10;
/// Maximum number of moves to send until one waits.
const MOVES: usize = 5;
const PLAYED: &str = "SELECT count(*) FROM games WHERE ply = 1 AND id =";

type Game<'a> = (String, Vec<Client<'a>>);

/// Sends moves of games while another session holds the first one, hangs up once the service has begun with
/// them, and then lets them be written. Returns once their outcome is clear, with false if the service did
/// not notice in time that the clients hung up.
fn play_and_hang_up(backend: &Backend, service: &Service, games: &[Game<'_>]) -> bool {
    let waiting = || service.metric("assam_queue_length") + service.metric("assam_held_changes");
    let connections = || service.metric("assam_http_connections");
    let others = connections();
    let is_noticed = backend.while_held(&games[0].0, || {
        let mut senders = Vec::new();
        for (game, players) in games {
            let path = format!("/v1/games/{game}/moves/1");
            senders.push(players[0].put_unanswered(&path, &json!({"move": "N"})));
            // Changes that arrive together may be written together, while later ones wait.
            let sent = Instant::now();
            while waiting() == 0.0 && sent.elapsed() < Duration::from_millis(100) {}
            if waiting() > 0.0 {
                break;
            }
        }
        let all = others + senders.len() as f64;
        comes(10, || connections() == all) && {
            // A client that closes only one side may still read.
            for sender in &senders {
                socket2::SockRef::from(sender).set_linger(Some(Duration::ZERO)).unwrap();
            }
            drop(senders);
            comes(10, || connections() == others)
        }
    });
    assert!(comes(10, || waiting() == 0.0), "they wait for good");
    // Changes sent earlier are decided.
    let open = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
    assert_eq!(service.player().post("/v1/games", open).status, 201);
    is_noticed
}

/// Returns whether a word is sent before the second heartbeat.
fn is_told_soon(stream: &mut Stream) -> bool {
    let mut kinds = iter::from_fn(|| stream.next()).map(|told| told.kind().to_owned());
    let mut heartbeats = 0;
    kinds.find(|kind| {
        heartbeats += usize::from(kind == "heartbeat");
        kind == "word" || heartbeats == 2
    }) == Some("word".to_owned())
}

#[test]
fn followers_are_told_of_a_move_whose_sender_hung_up_before_it_was_written() {
    let backend = sqlite();
    let tell = |_| {
        // A new service without other clients.
        let service = Service::start_with(&backend, &["--metrics-listen", "127.0.0.1:0"]);
        let games: Vec<Game<'_>> =
            (0..MOVES).map(|_| service.game(2, json!({"two_player": "one-colour"}))).collect();
        let mut streams: Vec<_> =
            games.iter().map(|(game, _)| service.stranger().follow(game, "", SSE)).collect();
        streams.iter_mut().for_each(|stream| drop(stream.next_of("caught-up")));
        let is_noticed = play_and_hang_up(&backend, &service, &games);
        // The test reads the database itself, as reading through the service would notify followers.
        let is_played = |game: &Game<'_>| backend.count(&format!("{PLAYED} {}", backend.id(&game.0))) == 1;
        let mut played = streams.iter_mut().zip(&games).filter(|(_, game)| is_played(game)).peekable();
        let is_any = played.peek().is_some();
        for (stream, _) in played {
            assert!(is_told_soon(stream), "on {} nothing is told", backend.name());
        }
        is_any && is_noticed
    };
    assert!((0..ATTEMPTS).any(tell), "on {} none was written", backend.name());
}

/// A request that fills a connection without a reader by 12 kB.
const LONG: &str = "GET /v1/problems HTTP/1.1\r\nHost: localhost\r\n\r\n";
const ANSWERED: &str = r#"assam_http_requests_total{method="GET",route="/v1/problems",status="200"}"#;
const CONNECTIONS: &str = "assam_http_connections";
/// How many clients hang up with each request, and by how many responses their unsent data differs.
const HANG_UP: usize = 5;

/// The time until the system gives up on a client that takes nothing.
const GIVEN_UP: Duration = Duration::from_secs(30);

/// Returns connections of clients that send requests and read nothing.
fn silent(service: &Service, count: usize) -> Vec<TcpStream> {
    let connect = |_| {
        let wire = TcpStream::connect(service.base().strip_prefix("http://").unwrap()).unwrap();
        socket2::SockRef::from(&wire).set_recv_buffer_size(4096).unwrap();
        wire
    };
    (0..count).map(connect).collect()
}

/// Lets the clients selected by `asks` send one more request, and returns whether all are answered. If that
/// takes long, the system may have hung up on some.
fn ask(service: &Service, wires: &mut [TcpStream], asks: impl Fn(usize) -> bool) -> bool {
    let before = service.metric(ANSWERED);
    let mut asked = 0.0;
    for (at, wire) in wires.iter_mut().enumerate() {
        if asks(at) && wire.write_all(LONG.as_bytes()).is_ok() {
            asked += 1.0;
        }
    }
    comes(1, || service.metric(ANSWERED) >= before + asked)
}

/// Fills connections until each has room for fewer responses than [`HANG_UP`].
fn fill(service: &Service, wires: &mut [TcpStream]) {
    let mut first = silent(service, 1);
    let room = (0..).take_while(|_| ask(service, &mut first, |_| true)).count();
    // One of them may have less room.
    let _ = (0..room).all(|turn| ask(service, wires, |at| turn + at % HANG_UP < room));
}

#[test]
fn nobody_waits_for_clients_who_hang_up_before_they_have_read_what_came_before() {
    let backend = sqlite();
    let service = Service::start_with(&backend, &["--metrics-listen", "127.0.0.1:0"]);
    assert_eq!(service.stranger().get("/v1/problems").status, 200);
    let hang_up = |_| {
        let mut wires = silent(&service, 2 * HANG_UP);
        fill(&service, &mut wires);
        let games: Vec<Game<'_>> =
            (0..HANG_UP).map(|_| service.game(2, json!({"two_player": "one-colour"}))).collect();
        let mut streams: Vec<_> =
            games.iter().map(|(game, _)| service.stranger().follow(game, "", SSE)).collect();
        streams.iter_mut().for_each(|stream| drop(stream.next_of("caught-up")));
        let body = json!({"move": "N"}).to_string();
        let moves = games.iter().map(|(game, players)| {
            format!(
                "PUT /v1/games/{game}/moves/1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
                 Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                players[0].secret.as_ref().unwrap(),
                body.len()
            )
        });
        let readyz = iter::repeat_n("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n".into(), HANG_UP);
        for (wire, request) in wires.iter_mut().zip(moves.chain(readyz)) {
            let _ = wire.write_all(request.as_bytes()).and_then(|()| wire.shutdown(Shutdown::Write));
        }
        let is_played = |game: &Game<'_>| backend.count(&format!("{PLAYED} {}", backend.id(&game.0))) == 1;
        // If all connections are already full, no move is processed, and nothing can be checked.
        if !comes(5, || games.iter().any(is_played)) {
            return false;
        }
        let written = Instant::now();
        for _ in 0..3 {
            assert_eq!(service.stranger().get("/readyz").status, 200, "on {}", backend.name());
            assert_eq!(service.stranger().get(&format!("/v1/games/{}", games[0].0)).status, 200);
        }
        let played = streams.iter_mut().zip(&games).filter(|(_, game)| is_played(game));
        for (stream, _) in played {
            let is_told = is_told_soon(stream) && written.elapsed() < GIVEN_UP / 2;
            assert!(is_told, "on {} nothing is told in time", backend.name());
        }
        // Clients with nothing unsent are gone, while the streams remain.
        let left = service.metric(CONNECTIONS);
        drop(wires);
        comes(10, || service.metric(CONNECTIONS) < left)
    };
    assert!((0..ATTEMPTS).any(hang_up), "on {} all hung up too early or in time", backend.name());
}
