//! Concurrent requests: one wins, nothing is lost, and all answers are true.

use std::collections::BTreeSet;
use std::sync::Barrier;
use std::thread;

use serde_json::{Value, json};

use crate::harness::{Answer, Client, Service, backends, postgres};

const ROUNDS: usize = 200;

/// Runs tasks at the same moment, each on a separate thread.
pub(crate) fn at_once<T: Send, F: FnOnce() -> T + Send>(tasks: Vec<F>) -> Vec<T> {
    let barrier = Barrier::new(tasks.len());
    let barrier = &barrier;
    thread::scope(|scope| {
        let run = |task: F| {
            scope.spawn(move || {
                barrier.wait();
                task()
            })
        };
        let threads: Vec<_> = tasks.into_iter().map(run).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// A game that goes on, replaced by a new one when it is over.
struct Play<'a> {
    service: &'a Service,
    id: String,
    players: Vec<Client<'a>>,
    /// Every ply as its writer saw it: seat, decision, answer.
    written: Vec<(usize, String, Answer)>,
}

/// The options of the seat on turn at the next ply.
struct Turn {
    seat: usize,
    ply: u64,
    moves: Vec<String>,
}

impl<'a> Play<'a> {
    fn new(service: &'a Service) -> Self {
        let (id, players) = service.game(2, json!({"two_player": "one-colour", "start_dirhams": 99}));
        Self { service, id, players, written: Vec::new() }
    }

    /// Returns the next turn with a choice.
    fn turn(&mut self) -> Turn {
        let legal = self.players[0].get(&format!("/v1/games/{}/legal-moves", self.id)).json();
        let moves: Vec<String> = serde_json::from_value(legal["moves"].clone()).unwrap();
        let Some(seat) = legal["seat"].as_u64() else {
            self.check_log();
            *self = Self::new(self.service);
            return self.turn();
        };
        let turn = Turn { seat: seat as usize - 1, ply: legal["ply"].as_u64().unwrap(), moves };
        assert!(turn.moves.len() > 1);
        turn
    }

    fn keep(&mut self, turn: &Turn, decision: &str, answer: Answer) {
        self.written.push((turn.seat, decision.to_owned(), answer));
    }

    /// Checks that the log agrees with the answers to its writers, and that repeated requests get the same
    /// answers.
    fn check_log(&self) {
        let path = format!("/v1/games/{}", self.id);
        let json = [("Accept", "application/json")];
        let log = self.players[0].send("GET", &format!("{path}/log"), &json, "").json();
        let words = log["words"].as_array().unwrap();
        assert_eq!(words.len(), self.written.len());
        for (ply, (word, (seat, decision, told))) in (1..).zip(words.iter().zip(&self.written)) {
            assert_eq!(told.json()["words"], json!([word["word"]]));
            let again = self.players[*seat].play(&self.id, ply, decision);
            assert_eq!((again.status, &again.text), (200, &told.text));
            assert_eq!(again.header("etag"), told.header("etag"));
        }
        let head = self.players[0].get(&path).json()["head"].clone();
        assert_eq!(self.written.last().unwrap().2.json()["head"], head);
    }
}

/// Returns the winner by the answers, and the answers to the others.
pub(crate) fn first(answers: Vec<(String, Answer)>) -> ((String, Answer), Vec<Answer>) {
    let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(|(_, answer)| answer.status == 201);
    assert_eq!(won.len(), 1, "exactly one writes: {won:?} {lost:?}");
    (won.into_iter().next().unwrap(), lost.into_iter().map(|(_, answer)| answer).collect())
}

#[test]
fn of_two_different_moves_of_one_seat_at_one_ply_one_is_written_and_the_other_told_that_the_ply_is_taken() {
    for backend in backends() {
        let service = Service::start(&backend);
        let mut play = Play::new(&service);
        for _ in 0..ROUNDS {
            let turn = play.turn();
            let (id, player) = (&play.id, &play.players[turn.seat]);
            let send = |decision: &String| (decision.clone(), player.play(id, turn.ply, decision));
            let answers = at_once(turn.moves[..2].iter().map(|decision| || send(decision)).collect());
            let ((decision, won), lost) = first(answers);
            assert_eq!(
                (lost[0].problem().as_str(), lost[0].json()["ply"].as_u64()),
                ("ply_taken", Some(turn.ply))
            );
            assert_eq!(lost[0].json()["head"], won.json()["head"], "{}", backend.name());
            play.keep(&turn, &decision, won);
        }
        play.check_log();
    }
}

#[test]
fn of_two_equal_moves_one_is_written_and_the_other_told_the_same_words() {
    for backend in backends() {
        let service = Service::start(&backend);
        let mut play = Play::new(&service);
        for _ in 0..ROUNDS {
            let turn = play.turn();
            let (id, player, decision) = (&play.id, &play.players[turn.seat], &turn.moves[0]);
            let send = || (decision.clone(), player.play(id, turn.ply, decision));
            let ((decision, won), others) = first(at_once(vec![send, send]));
            assert_eq!((others[0].status, &others[0].text), (200, &won.text), "{}", backend.name());
            play.keep(&turn, &decision, won);
        }
        play.check_log();
    }
}

#[test]
fn a_game_whose_last_seats_are_wanted_by_too_many_starts_once_with_one_holder_a_seat() {
    for backend in backends() {
        let service = Service::start(&backend);
        let clients: Vec<Client<'_>> = (0..5).map(|_| service.player()).collect();
        let (early, late) = clients.split_first().unwrap();
        for round in 0..ROUNDS {
            // With a die at ply 0, or without a ply 0.
            let has_word = round % 2 == 0;
            let options = if has_word { json!({"orientation": "end"}) } else { json!({}) };
            let wanted = json!({"ruleset": "marrakech/1", "seats": vec!["open"; 4], "options": options});
            let id = early.post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
            let path = format!("/v1/games/{id}");
            assert_eq!(early.put(&format!("{path}/seats/1"), json!({})).status, 201);
            // Four players want the three open seats, each beginning elsewhere. Those already seated set a
            // name.
            let sit = |n: usize| {
                (0..3).map(|k| 2 + (n + k) % 3).find(|seat| {
                    let taken = late[n].put(&format!("{path}/seats/{seat}"), json!({}));
                    assert!(taken.status == 201 || taken.problem() == "seat_taken", "{}", taken.text);
                    taken.status == 201
                })
            };
            let name = || {
                assert_eq!(early.patch(&format!("{path}/seats/1"), json!({"name": "Early"})).status, 200);
                None
            };
            let (sit, name) = (&sit, &name);
            let mut tasks: Vec<Box<dyn FnOnce() -> Option<usize> + Send>> = vec![Box::new(name)];
            tasks.extend(
                (0..4).map(|n| Box::new(move || sit(n)) as Box<dyn FnOnce() -> Option<usize> + Send>),
            );
            let seated = at_once(tasks);
            assert_eq!(seated.iter().flatten().collect::<BTreeSet<_>>(), BTreeSet::from([&2, &3, &4]));

            let game = early.get(&path).json();
            assert_eq!((&game["status"], &game["head"]["ply"]), (&json!("running"), &json!(0)));
            assert_eq!(game["seats"][0]["name"], "Early");
            assert!(game["started_at"].is_string());
            for (client, seat) in late.iter().zip(&seated[1..]) {
                assert_eq!(client.get(&path).json()["your_seat"], json!(seat));
            }
            let players: BTreeSet<String> =
                game["seats"].as_array().unwrap().iter().map(|seat| seat["player"].to_string()).collect();
            assert_eq!(players.len(), 4, "{}", backend.name());
            let start = early.get(&format!("{path}/moves/0"));
            let log = early.send("GET", &format!("{path}/log"), &[("Accept", "application/json")], "").json();
            if has_word {
                assert_eq!(start.json()["head"], game["head"]);
                assert_eq!(log["words"].as_array().unwrap().len(), 1, "ply 0 is written once");
            } else {
                assert_eq!((start.problem().as_str(), &log["words"]), ("ply_not_found", &json!([])));
            }
            assert_eq!(early.get(&format!("{path}/states/0")).json()["head"], game["head"]);
        }
    }
}

#[test]
fn a_secret_that_takes_two_seats_at_once_gets_one() {
    for backend in backends() {
        let service = Service::start(&backend);
        let player = service.player();
        for _ in 0..ROUNDS {
            let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
            let id = player.post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
            let take = |seat: u8| player.put(&format!("/v1/games/{id}/seats/{seat}"), json!({}));
            let answers = at_once(vec![1, 2].into_iter().map(|seat| move || take(seat)).collect::<Vec<_>>());
            let mut codes: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
            codes.sort_unstable();
            assert_eq!(codes, [201, 409], "{}", backend.name());
            assert_eq!(player.get(&format!("/v1/games/{id}")).json()["status"], "open");
        }
    }
}

#[test]
fn a_request_to_create_a_game_sent_twice_at_once_creates_one() {
    for backend in backends() {
        let service = Service::start(&backend);
        let player = service.player();
        for _ in 0..ROUNDS {
            let key = format!("{:032x}", rand::random::<u128>());
            let headers = [("Idempotency-Key", key.as_str())];
            let body = r#"{"ruleset":"marrakech/1","seats":["open","open"]}"#;
            let create = || (String::new(), player.send("POST", "/v1/games", &headers, body));
            let ((_, won), others) = first(at_once(vec![create, create]));
            assert_eq!((others[0].status, &others[0].text), (200, &won.text), "{}", backend.name());
        }
    }
}

#[test]
fn names_that_change_while_the_game_goes_on_cost_neither_a_move_nor_a_name() {
    for backend in backends() {
        let service = Service::start(&backend);
        let mut play = Play::new(&service);
        let (id, players) = (play.id.clone(), play.players.clone());
        let rename = |seat: usize| {
            for n in 0..ROUNDS / 2 {
                let name = json!({"name": format!("Name {n}")});
                let renamed =
                    players[seat].patch(&format!("/v1/games/{id}/seats/{}", seat + 1), name.clone());
                assert_eq!((renamed.status, &renamed.json()["seats"][seat]["name"]), (200, &name["name"]));
            }
        };
        let rename = &rename;
        let mut go_on = || {
            for _ in 0..50 {
                let turn = play.turn();
                let written = play.players[turn.seat].play(&play.id, turn.ply, &turn.moves[0]);
                assert_eq!(written.status, 201, "{}", written.text);
                play.keep(&turn, &turn.moves[0], written);
            }
        };
        let tasks: Vec<Box<dyn FnOnce() + Send>> =
            vec![Box::new(move || rename(0)), Box::new(move || rename(1)), Box::new(&mut go_on)];
        at_once(tasks);
        play.check_log();
        let game = players[0].get(&format!("/v1/games/{id}")).json();
        for seat in 0..2 {
            assert_eq!(game["seats"][seat]["name"], format!("Name {}", ROUNDS / 2 - 1));
        }
        assert_eq!(game["head"]["ply"], 50);
    }
}

#[test]
fn two_processes_on_one_postgres_see_each_other_s_moves_at_once_and_write_a_ply_once() {
    let Some(backend) = postgres() else { return };
    let services = [Service::start(&backend), Service::start(&backend)];
    let mut play = Play::new(&services[0]);
    for round in 0..ROUNDS {
        let turn = play.turn();
        let (id, ply) = (play.id.clone(), turn.ply);
        let at = |n: usize| services[n].with_secret(play.players[turn.seat].secret.as_ref().unwrap());
        let (here, there) = (at(round % 2), at(1 - round % 2));
        let (decision, won) = if round % 4 < 2 {
            let decision = turn.moves[0].clone();
            let won = here.play(&id, ply, &decision);
            assert_eq!(won.status, 201, "{}", won.text);
            (decision, won)
        } else {
            let moves = [turn.moves[0].clone(), turn.moves[round % turn.moves.len()].clone()];
            let is_same = moves[0] == moves[1];
            let send = |client: &Client<'_>, decision: String| {
                let answer = client.play(&id, ply, &decision);
                (decision, answer)
            };
            let [one, other] = moves;
            let (send, here, there) = (&send, &here, &there);
            let tasks: Vec<Box<dyn FnOnce() -> (String, Answer) + Send>> =
                vec![Box::new(move || send(here, one)), Box::new(move || send(there, other))];
            let ((decision, won), lost) = first(at_once(tasks));
            assert_eq!(lost[0].status, if is_same { 200 } else { 409 });
            (decision, won)
        };
        // The other process shows it.
        for seen in [
            there.get(&format!("/v1/games/{id}/moves/{ply}")),
            here.get(&format!("/v1/games/{id}/moves/{ply}")),
        ] {
            assert_eq!(seen.json()["word"], won.json()["words"][0]);
        }
        let head: Value = there.get(&format!("/v1/games/{id}")).json()["head"].clone();
        assert_eq!(head, won.json()["head"]);
        play.keep(&turn, &decision, won);
    }
    play.check_log();
}

#[test]
fn a_seat_that_is_renamed_is_answered_with_the_game_as_it_stands_though_another_process_moved_it() {
    let Some(backend) = postgres() else { return };
    let services = [Service::start(&backend), Service::start(&backend)];
    let (id, players) = services[0].game(2, json!({"two_player": "one-colour"}));
    assert_eq!(players[0].play(&id, 1, "N").status, 201);
    let there = |seat: usize| services[1].with_secret(players[seat].secret.as_ref().unwrap());
    let turn = there(0).get(&format!("/v1/games/{id}/legal-moves")).json();
    let seat = turn["seat"].as_u64().unwrap() as usize - 1;
    let moved = there(seat).play(&id, 2, turn["moves"][0].as_str().unwrap());
    assert_eq!(moved.status, 201);
    let renamed = players[0].patch(&format!("/v1/games/{id}/seats/1"), json!({"name": "Zoë"}));
    assert_eq!(renamed.json()["head"], moved.json()["head"]);
    assert_eq!(renamed.text, players[0].get(&format!("/v1/games/{id}")).text);
}

#[test]
fn whatever_was_acknowledged_is_there_when_the_process_is_killed_at_once() {
    for backend in backends() {
        let mut service = Service::start(&backend);
        let mut written = Vec::new();
        let id = {
            let mut play = Play::new(&service);
            for _ in 0..20 {
                let turn = play.turn();
                let player = &play.players[turn.seat];
                let answer = player.play(&play.id, turn.ply, &turn.moves[0]);
                assert_eq!(answer.status, 201);
                written.push((player.secret.clone().unwrap(), turn.moves[0].clone(), answer.text));
            }
            play.id
        };
        service.process().kill().unwrap();
        let other = Service::start(&backend);
        for (ply, (secret, decision, told)) in (1..).zip(&written) {
            let again = other.with_secret(secret).play(&id, ply, decision);
            assert_eq!((again.status, &again.text), (200, told), "{}", backend.name());
        }
    }
}

#[test]
fn games_that_another_session_holds_make_no_other_game_wait_however_many_they_are() {
    // Only PostgreSQL can hold a row.
    let Some(backend) = postgres() else { return };
    let service = Service::start(&backend);
    let held: Vec<_> = (0..8).map(|_| service.game(2, json!({"two_player": "one-colour"}))).collect();
    let (free, players) = service.game(2, json!({"two_player": "one-colour"}));
    let mut other = postgres::Client::connect(&backend.url(), postgres::NoTls).unwrap();
    let mut hold = other.transaction().unwrap();
    for (id, _) in &held {
        hold.execute(&format!("SELECT FROM games WHERE id = {} FOR UPDATE", backend.id(id)), &[]).unwrap();
    }
    thread::scope(|scope| {
        let play = |(id, owners): &(String, Vec<Client<'_>>)| owners[0].play(id, 1, "N").problem();
        let waiting: Vec<_> = held.iter().map(|game| scope.spawn(move || play(game))).collect();
        let mut written = 0;
        while !waiting.iter().all(|waiting| waiting.is_finished()) {
            let turn = players[0].get(&format!("/v1/games/{free}/legal-moves")).json();
            let Some(seat) = turn["seat"].as_u64() else { break };
            let (ply, chosen) =
                (turn["ply"].as_u64().unwrap(), turn["moves"][0].as_str().unwrap().to_owned());
            assert_eq!(players[seat as usize - 1].play(&free, ply, &chosen).status, 201);
            written += 1;
        }
        assert!(written > 10, "{written} moves of another game meanwhile");
        for waiting in waiting {
            assert_eq!(waiting.join().unwrap(), "unavailable");
        }
    });
    hold.rollback().unwrap();
    for (id, owners) in &held {
        assert_eq!(owners[0].play(id, 1, "N").status, 201, "what was refused is not there");
    }
}
