//! Requests that meet while another session of PostgreSQL holds what they would write: once it lets go, all of them are told
//! what became of it.

use std::thread;

use postgres::NoTls;
use serde_json::json;

use crate::harness::{Answer, Backend, Client, Service, postgres, secret};
use crate::races::first;

const ROUNDS: usize = 6;

/// Sends requests at once while a statement holds what they would write, and lets go when a change waits in each of so many
/// processes beside the others.
fn while_held(
    backend: &Backend,
    holds: &str,
    processes: i64,
    senders: &[Client<'_>],
    send: impl Fn(&Client<'_>) -> Answer + Sync,
) -> Vec<(String, Answer)> {
    let [mut holder, mut watcher] =
        [(); 2].map(|()| postgres::Client::connect(&backend.url(), NoTls).unwrap());
    holder.batch_execute(&format!("BEGIN; {holds}")).unwrap();
    let send = &send;
    thread::scope(|scope| {
        let sent: Vec<_> = senders.iter().map(|sender| scope.spawn(move || send(sender))).collect();
        // The session that writes for everybody waits 20 ms at most; one that waits longer is that of a held game.
        let waiting = "SELECT count(*) FROM pg_stat_activity \
             WHERE application_name = current_setting('application_name') AND wait_event_type = 'Lock' \
             AND clock_timestamp() - query_start > interval '100 ms'";
        while !sent.iter().all(|sent| sent.is_finished()) {
            if watcher.query_one(waiting, &[]).unwrap().get::<_, i64>(0) >= processes {
                break;
            }
        }
        holder.batch_execute("ROLLBACK").unwrap();
        sent.into_iter().map(|sent| (String::new(), sent.join().unwrap())).collect()
    })
}

#[test]
fn a_creation_that_was_held_up_and_its_repetitions_are_all_answered_with_the_one_game() {
    let Some(backend) = postgres() else { return };
    let [one, other] = [Service::start(&backend), Service::start(&backend)];
    for round in 0..ROUNDS {
        let secret = secret();
        let (here, there) = (one.with_secret(&secret), other.with_secret(&secret));
        let (senders, processes) = match round % 2 {
            0 => (vec![here.clone(), here], 1),
            _ => (vec![here.clone(), here.clone(), here, there.clone(), there], 2),
        };
        let key = format!("{:032x}", rand::random::<u128>());
        let body = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}).to_string();
        let create = |client: &Client<'_>| {
            let headers = [("Idempotency-Key", key.as_str()), ("Content-Type", "application/json")];
            client.send("POST", "/v1/games", &headers, &body)
        };
        let lock = "LOCK TABLE games IN SHARE ROW EXCLUSIVE MODE";
        let ((_, made), others) = first(while_held(&backend, lock, processes, &senders, create));
        for again in others {
            assert_eq!((again.status, &again.text), (200, &made.text), "{round}");
        }
    }
    let games = one.stranger().get("/v1/games").json();
    assert_eq!(games["games"].as_array().unwrap().len(), ROUNDS, "each is created once");
}

#[test]
fn a_move_that_was_held_up_and_its_repetitions_are_all_told_the_same_words() {
    let Some(backend) = postgres() else { return };
    let [one, other] = [Service::start(&backend), Service::start(&backend)];
    for round in 0..ROUNDS {
        let (id, players) = one.game(2, json!({"two_player": "one-colour"}));
        let (here, there) = (&players[0], other.with_secret(players[0].secret.as_ref().unwrap()));
        let (senders, processes) = match round % 2 {
            0 => (vec![here.clone(), here.clone()], 1),
            _ => (vec![here.clone(), here.clone(), here.clone(), there.clone(), there], 2),
        };
        let hold = format!("SELECT FROM games WHERE id = {} FOR UPDATE", backend.id(&id));
        let play = |client: &Client<'_>| client.play(&id, 1, "N");
        let ((_, written), others) = first(while_held(&backend, &hold, processes, &senders, play));
        for again in others {
            assert_eq!((again.status, &again.text), (200, &written.text), "{round}");
        }
        assert_eq!(here.get(&format!("/v1/games/{id}")).json()["head"], written.json()["head"]);
    }
}
