//! Requests whose rows another session of the database holds. Once it lets go, all of them learn their
//! outcome. If it does not, their answers are still true, and no other request waits.

use std::collections::{HashMap, HashSet};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use postgres::NoTls;
use serde_json::json;

use crate::databases::races::first;
use crate::harness::{Answer, Backend, Client, Service, backends, postgres, secret};

const ROUNDS: usize = 6;
/// So many that they cannot wait one after another.
const MANY: usize = 200;

/// A game and its players.
type Game<'a> = (String, Vec<Client<'a>>);

fn session(backend: &Backend) -> postgres::Client {
    postgres::Client::connect(&backend.url(), NoTls).unwrap()
}

/// Begins a transaction that holds these games.
fn hold<'a>(backend: &Backend, games: impl IntoIterator<Item = &'a String>) -> postgres::Client {
    let mut holder = session(backend);
    let games: Vec<String> = games.into_iter().map(|id| backend.id(id)).collect();
    let select = format!("BEGIN; SELECT FROM games WHERE id IN ({}) FOR UPDATE", games.join(", "));
    holder.batch_execute(&select).unwrap();
    holder
}

/// Checks that a request was refused because another session holds the game.
fn check_is_told_that_it_is_held(refused: &Answer) {
    let detail = refused.json()["detail"].clone();
    let told = json!("the game cannot be written right now. Try again");
    assert_eq!((refused.status, refused.problem().as_str(), detail), (503, "unavailable", told));
}

/// Sends requests at once while a statement holds their rows, and lets go when a change waits in each of so
/// many processes, in addition to the others.
fn while_held(
    backend: &Backend,
    holds: &str,
    processes: usize,
    senders: &[Client<'_>],
    send: impl Fn(&Client<'_>) -> Answer + Sync,
) -> Vec<(String, Answer)> {
    let [mut holder, mut watcher] = [(); 2].map(|()| session(backend));
    holder.batch_execute(&format!("BEGIN; {holds}")).unwrap();
    let send = &send;
    thread::scope(|scope| {
        let sent: Vec<_> = senders.iter().map(|sender| scope.spawn(move || send(sender))).collect();
        // Each change is tried with the others, and then repeatedly alone. A new session may be seen waiting
        // before it is seen to have sent anything, as its wait is read later than the rest of its row.
        let trying = "SELECT pid, query_start FROM pg_stat_activity WHERE query_start IS NOT NULL \
             AND application_name = current_setting('application_name') AND pid <> pg_backend_pid() \
             AND (wait_event_type = 'Lock' OR query LIKE '%SKIP LOCKED%')";
        let mut tries: HashMap<i32, HashSet<SystemTime>> = HashMap::new();
        while !sent.iter().all(|sent| sent.is_finished()) {
            for row in watcher.query(trying, &[]).unwrap() {
                tries.entry(row.get(0)).or_default().insert(row.get(1));
            }
            if tries.values().filter(|starts| starts.len() > 1).count() >= processes {
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

/// Sends requests that are all refused because another session holds their rows, while a free game is
/// written.
fn check_a_free_game_goes_on((id, players): &Game<'_>, refused: Vec<impl Fn() -> Answer + Send>) {
    thread::scope(|scope| {
        let refused: Vec<_> = refused.into_iter().map(|send| scope.spawn(send)).collect();
        let mut slowest = Duration::ZERO;
        while !refused.iter().all(|refused| refused.is_finished()) {
            let begun = Instant::now();
            let renamed = players[0].patch(&format!("/v1/games/{id}/seats/1"), json!({"name": "Zoë"}));
            assert_eq!(renamed.status, 200);
            slowest = slowest.max(begun.elapsed());
        }
        // Waits one after another would take four seconds.
        assert!(slowest < Duration::from_secs(2), "{slowest:?}");
        refused.into_iter().for_each(|refused| check_is_told_that_it_is_held(&refused.join().unwrap()));
    });
}

#[test]
fn however_many_games_are_held_a_free_one_is_written_and_nothing_that_was_refused_is_written_later() {
    let Some(backend) = postgres() else { return };
    let service = Service::start(&backend);
    let games: Vec<_> = (0..MANY).map(|_| service.game(2, json!({"two_player": "one-colour"}))).collect();
    let free = service.game(2, json!({"two_player": "one-colour"}));
    let mut holder = hold(&backend, games.iter().map(|(id, _)| id));
    let play = |(id, players): &Game<'_>| players[0].play(id, 1, "N");
    check_a_free_game_goes_on(&free, games.iter().map(|game| move || play(game)).collect());
    let under_way = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' \
         AND application_name = current_setting('application_name')";
    let under_way: i64 = session(&backend).query_one(under_way, &[]).unwrap().get(0);
    assert_eq!(under_way, 0, "changes are on their way though everybody is answered");
    holder.batch_execute("ROLLBACK").unwrap();
    for game in &games {
        assert_eq!(play(game).status, 201, "it is not there yet");
    }
}

#[test]
fn of_two_processes_that_wait_for_one_held_game_neither_writes_what_it_refused() {
    let Some(backend) = postgres() else { return };
    let [one, other] = [Service::start(&backend), Service::start(&backend)];
    let (id, players) = one.game(2, json!({"two_player": "one-colour"}));
    let there = other.with_secret(players[0].secret.as_ref().unwrap());
    for _ in 0..ROUNDS {
        let mut holder = hold(&backend, [&id]);
        let refused = thread::scope(|scope| {
            let sent = [&players[0], &there].map(|client| scope.spawn(|| client.play(&id, 1, "N")));
            sent.map(|sent| sent.join().unwrap())
        });
        refused.iter().for_each(check_is_told_that_it_is_held);
        holder.batch_execute("ROLLBACK").unwrap();
    }
    assert_eq!(players[0].play(&id, 1, "N").status, 201, "it is not there yet");
}

#[test]
fn while_the_lists_of_players_are_held_games_go_on_that_are_not_entered_there() {
    let Some(backend) = postgres() else { return };
    let service = Service::start(&backend);
    let free = service.game(2, json!({"two_player": "one-colour"}));
    let mut holder = session(&backend);
    let body = json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "take": {"seat": 1}});
    let create = || service.player().post("/v1/games", body.clone());
    holder.batch_execute("BEGIN; LOCK TABLE player_games IN SHARE MODE").unwrap();
    check_a_free_game_goes_on(&free, vec![create; MANY]);
    holder.batch_execute("ROLLBACK").unwrap();
    let games = service.stranger().get("/v1/games").json();
    assert_eq!(games["games"].as_array().unwrap().len(), 1, "none that was refused is there");
}

#[test]
fn while_what_the_service_does_by_itself_is_held_up_pages_of_games_are_not() {
    let Some(backend) = postgres() else { return };
    let service = Service::start(&backend);
    let stranger = service.stranger();
    let mut holder = session(&backend);
    holder
        .batch_execute("BEGIN; LOCK TABLE feed_head, tallies, log_head, heartbeat IN EXCLUSIVE MODE")
        .unwrap();
    let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
    assert_eq!(players[0].play(&id, 1, "!resign").status, 201);
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' \
         AND application_name = current_setting('application_name')";
    let mut watcher = session(&backend);
    while watcher.query_one(waiting, &[]).unwrap().get::<_, i64>(0) == 0 {}
    for _ in 0..MANY {
        for path in ["/v1/games", "/v1/scores?ruleset=marrakech/1"] {
            let page = stranger.get(path);
            assert_eq!(page.status, 200, "{}", page.text);
        }
    }
    assert!(watcher.query_one(waiting, &[]).unwrap().get::<_, i64>(0) > 0, "nothing is held up any more");
    holder.batch_execute("ROLLBACK").unwrap();
}

#[test]
fn where_a_process_hangs_in_the_middle_of_what_it_does_by_itself_another_one_goes_on_with_that() {
    let Some(backend) = postgres() else { return };
    let hung = Service::start(&backend);
    let [mut holder, mut watcher] = [(); 2].map(|()| session(&backend));
    holder.batch_execute("BEGIN; LOCK TABLE feed_head, log_head IN EXCLUSIVE MODE").unwrap();
    let (id, players) = hung.game(2, json!({"two_player": "one-colour"}));
    assert_eq!(players[0].play(&id, 1, "!resign").status, 201);
    let waiting = "SELECT count(DISTINCT relation) FROM pg_locks WHERE NOT granted \
         AND relation IN ('feed_head'::regclass, 'log_head'::regclass)";
    let mut is_in_the_middle_of_both = || watcher.query_one(waiting, &[]).unwrap().get::<_, i64>(0) == 2;
    // It gives up after a second and retries.
    while !is_in_the_middle_of_both() {}
    assert!(hung.signal("STOP"));
    while !is_in_the_middle_of_both() {
        assert!(hung.signal("CONT"));
        while !is_in_the_middle_of_both() {}
        assert!(hung.signal("STOP"));
    }
    holder.batch_execute("ROLLBACK").unwrap();
    let service = Service::start(&backend);
    service.wait_for_feed(4);
    service.wait_for_log();
}

#[test]
fn changes_of_one_game_that_meet_while_another_process_holds_the_database_are_answered_together() {
    for backend in backends().into_iter().filter(|backend| matches!(backend, Backend::Sqlite(_))) {
        let service = Service::start(&backend);
        let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
        let rename = || players[0].patch(&format!("/v1/games/{id}/seats/1"), json!({"name": "Zoë"}));
        let begun = Instant::now();
        backend.while_slow(|| {
            thread::scope(|scope| {
                let refused: Vec<_> = (0..12).map(|_| scope.spawn(rename)).collect();
                for refused in refused {
                    assert_eq!(refused.join().unwrap().problem(), "unavailable");
                }
            });
        });
        // One wait for the database takes two seconds, and a late request waits once more.
        assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    }
}
