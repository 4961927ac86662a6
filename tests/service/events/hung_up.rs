//! Clients who hang up: senders before what they sent is written, of which nothing but the writer tells on SQLite (on PostgreSQL a look at the
//! database does within a second), and those who have not read what came before, whose last request is not looked after any more.

use std::io::Write as _;
use std::iter;
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use serde_json::json;

use super::SSE;
use crate::harness::{Backend, Client, Service, Stream, comes, sqlite};

/// How often it is tried: on a machine so busy that moves are refused, there is nothing to tell.
const ATTEMPTS: usize = 10;
/// How many moves are sent at most until one waits.
const MOVES: usize = 5;
const PLAYED: &str = "SELECT count(*) FROM games WHERE ply = 1 AND id =";

type Game<'a> = (String, Vec<Client<'a>>);

/// Sends moves of games while somebody else holds the first of them, hangs up when the service has begun with them, and lets them be written then.
/// Returns once it is clear what became of them; false where the service did not notice in time that they hung up.
fn play_and_hang_up(backend: &Backend, service: &Service, games: &[Game<'_>]) -> bool {
    let waiting = || service.metric("assam_queue_length") + service.metric("assam_held_changes");
    let connections = || service.metric("assam_http_connections");
    let others = connections();
    let is_noticed = backend.while_held(&games[0].0, || {
        let mut senders = Vec::new();
        for (game, players) in games {
            let path = format!("/v1/games/{game}/moves/1");
            senders.push(players[0].put_unanswered(&path, &json!({"move": "N"})));
            // Those that come together may be written together; who comes later waits.
            let sent = Instant::now();
            while waiting() == 0.0 && sent.elapsed() < Duration::from_millis(100) {}
            if waiting() > 0.0 {
                break;
            }
        }
        let all = others + senders.len() as f64;
        comes(10, || connections() == all) && {
            // One that only closes may still read.
            for sender in &senders {
                socket2::SockRef::from(sender).set_linger(Some(Duration::ZERO)).unwrap();
            }
            drop(senders);
            comes(10, || connections() == others)
        }
    });
    assert!(comes(10, || waiting() == 0.0), "they wait for good");
    // What came before it is decided.
    let open = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
    assert_eq!(service.player().post("/v1/games", open).status, 201);
    is_noticed
}

/// Whether a word is told while at most one heartbeat is.
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
        // A new service, to which no other client is connected.
        let service = Service::start_with(&backend, &["--metrics-listen", "127.0.0.1:0"]);
        let games: Vec<Game<'_>> =
            (0..MOVES).map(|_| service.game(2, json!({"two_player": "one-colour"}))).collect();
        let mut streams: Vec<_> =
            games.iter().map(|(game, _)| service.stranger().follow(game, "", SSE)).collect();
        streams.iter_mut().for_each(|stream| drop(stream.next_of("caught-up")));
        let is_noticed = play_and_hang_up(&backend, &service, &games);
        // The test reads the database itself, because a read through the service would notify followers.
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

/// What fills a connection that nobody reads from, 12 kB for each.
const LONG: &str = "GET /v1/problems HTTP/1.1\r\nHost: localhost\r\n\r\n";
const ANSWERED: &str = r#"assam_http_requests_total{method="GET",route="/v1/problems",status="200"}"#;
const CONNECTIONS: &str = "assam_http_connections";
/// How many clients hang up with each request, and by how many responses they differ in what is not yet sent to them then.
const HANG_UP: usize = 5;

/// After how long the system gives up a client who takes nothing.
const GIVEN_UP: Duration = Duration::from_secs(30);

/// Connections of some who ask and read nothing.
fn silent(service: &Service, count: usize) -> Vec<TcpStream> {
    let connect = |_| {
        let wire = TcpStream::connect(service.base().strip_prefix("http://").unwrap()).unwrap();
        socket2::SockRef::from(&wire).set_recv_buffer_size(4096).unwrap();
        wire
    };
    (0..count).map(connect).collect()
}

/// Lets those ask once more of whom this is said, and returns whether all are answered. Where that takes long, the system may have hung up on some.
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

/// Fills connections, each until there is room for fewer responses than [`HANG_UP`].
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
        // Where all connections are full already, no move is looked at, and there is nothing to tell.
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
        // Those to whom everything was sent are gone; the streams are still there.
        let left = service.metric(CONNECTIONS);
        drop(wires);
        comes(10, || service.metric(CONNECTIONS) < left)
    };
    assert!((0..ATTEMPTS).any(hang_up), "on {} all hung up too early or in time", backend.name());
}
