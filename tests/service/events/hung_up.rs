//! Senders who hang up before what they sent is written. On PostgreSQL a look at the database tells of it within a second in any case; on SQLite
//! nothing else would.

use std::io::Write as _;
use std::iter;
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use serde_json::json;

use super::SSE;
use crate::harness::{Backend, Client, Service, Stream, backends, comes};

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
    for backend in backends() {
        let tell = |_| {
            // A new one: nobody else is connected.
            let service = Service::start_with(&backend, &["--metrics-listen", "127.0.0.1:0"]);
            let games: Vec<Game<'_>> =
                (0..MOVES).map(|_| service.game(2, json!({"two_player": "one-colour"}))).collect();
            let mut streams: Vec<_> =
                games.iter().map(|(game, _)| service.stranger().follow(game, "", SSE)).collect();
            streams.iter_mut().for_each(|stream| drop(stream.next_of("caught-up")));
            let is_noticed = play_and_hang_up(&backend, &service, &games);
            // Nobody reads it from the service, which tells of what it finds.
            let is_played =
                |game: &Game<'_>| backend.count(&format!("{PLAYED} {}", backend.id(&game.0))) == 1;
            let mut played = streams.iter_mut().zip(&games).filter(|(_, game)| is_played(game)).peekable();
            let is_any = played.peek().is_some();
            for (stream, _) in played {
                assert!(is_told_soon(stream), "on {} nothing is told", backend.name());
            }
            is_any && is_noticed
        };
        assert!((0..ATTEMPTS).any(tell), "on {} none was written", backend.name());
    }
}

/// What fills a connection that nobody reads from, 12 kB for each.
const LONG: &str = "GET /v1/problems HTTP/1.1\r\nHost: localhost\r\n\r\n";
const ANSWERED: &str = r#"assam_http_requests_total{method="GET",route="/v1/problems",status="200"}"#;
/// How many clients hang up, and by how many responses they differ in what is not yet sent to them then.
const HANG_UP: usize = 5;

/// Somebody who asks and reads nothing.
fn silent(service: &Service) -> TcpStream {
    let wire = TcpStream::connect(service.base().strip_prefix("http://").unwrap()).unwrap();
    socket2::SockRef::from(&wire).set_recv_buffer_size(4096).unwrap();
    wire
}

/// How many of these are answered to somebody who reads nothing.
fn room(service: &Service) -> usize {
    let (mut wire, before) = (silent(service), service.metric(ANSWERED));
    let mut answered = 0;
    while {
        wire.write_all(LONG.as_bytes()).unwrap();
        comes(1, || service.metric(ANSWERED) == before + f64::from(answered + 1))
    } {
        answered += 1;
    }
    answered as usize
}

/// Sends requests of clients who have read nothing of what came before, and have so little left to send to them that these are begun; and hangs up.
fn ask_and_hang_up(service: &Service, room: usize, requests: &[String]) -> Vec<TcpStream> {
    let mut wires: Vec<_> = requests.iter().map(|_| silent(service)).collect();
    let before = service.metric(ANSWERED);
    let mut answered = 0.0;
    for turn in 0..room {
        for (at, wire) in wires.iter_mut().enumerate() {
            if turn + at % HANG_UP < room {
                wire.write_all(LONG.as_bytes()).unwrap();
                answered += 1.0;
            }
        }
        if !comes(1, || service.metric(ANSWERED) == before + answered) {
            // One of them has no room any more.
            break;
        }
    }
    for (wire, request) in wires.iter_mut().zip(requests) {
        wire.write_all(request.as_bytes()).unwrap();
        wire.shutdown(Shutdown::Write).unwrap();
    }
    wires
}

#[test]
fn nobody_waits_for_clients_who_hang_up_before_they_have_read_what_came_before() {
    for backend in backends() {
        let service = Service::start_with(&backend, &["--metrics-listen", "127.0.0.1:0"]);
        assert_eq!(service.stranger().get("/v1/problems").status, 200);
        let room = room(&service);
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
        let readyz = iter::repeat_n("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n".to_owned(), HANG_UP);
        let requests: Vec<String> = moves.chain(readyz).collect();
        let hung_up = ask_and_hang_up(&service, room, &requests);
        for _ in 0..3 {
            assert_eq!(service.stranger().get("/readyz").status, 200, "on {}", backend.name());
            let (game, _) = &games[0];
            assert_eq!(service.stranger().get(&format!("/v1/games/{game}")).status, 200);
        }
        let is_played = |game: &Game<'_>| backend.count(&format!("{PLAYED} {}", backend.id(&game.0))) == 1;
        let played: Vec<_> = streams.iter_mut().zip(&games).filter(|(_, game)| is_played(game)).collect();
        println!("on {}: {} of {HANG_UP} moves, {room} responses of room", backend.name(), played.len());
        assert!(!played.is_empty(), "on {} none was written", backend.name());
        for (stream, _) in played {
            assert!(is_told_soon(stream), "on {} nothing is told", backend.name());
        }
        drop(hung_up);
    }
}
