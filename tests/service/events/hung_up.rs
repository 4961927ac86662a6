//! Senders who hang up before what they sent is written. On PostgreSQL a look at the database tells of it within a second in any case; on SQLite
//! nothing else would.

use std::iter;
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
