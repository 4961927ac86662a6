//! Seats out of time: another seat or the service claims it, and moves sent in time come first.

use std::thread;

use jiff::Timestamp;
use serde_json::json;

use super::{HOUR, beyond, clock, left, let_time_pass, on_the_clock, since, words};
use crate::harness::{Backend, Service, comes, sqlite};

/// Waits until so many milliseconds after 1970.
fn until(moment: u64) {
    assert!(comes(60, || Timestamp::now().as_millisecond() as u64 >= moment));
}

#[test]
fn a_seat_that_has_no_time_left_cannot_move_and_is_claimed_out_at_once_and_not_before() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = on_the_clock(&service, 3, 600, 5);
    let early = players[1].play(&id, 1, "!timeout1");
    assert_eq!(
        (early.problem().as_str(), &early.json()["rule"]),
        ("illegal_move", &json!("table.timeout.too-early"))
    );
    let runs = clock(&players[0], &id);
    let until =
        early.json()["detail"].as_str().unwrap().strip_prefix("seat 1 has time until ").unwrap().to_owned();
    let until: Timestamp = until.parse().unwrap();
    assert_eq!(until.as_millisecond() as u64, since(&runs) + 600_000);

    let_time_pass(&backend, &id, 600_000);
    let late = players[0].play(&id, 1, "N");
    assert_eq!(
        (late.problem().as_str(), &late.json()["rule"]),
        ("illegal_move", &json!("table.clock.out-of-time"))
    );
    // If the service was first, it is the same word.
    let claimed = players[1].play(&id, 1, "!timeout1");
    assert!([200, 201].contains(&claimed.status), "{}", claimed.text);
    assert_eq!(claimed.json()["words"], json!(["!timeout1"]));
    let after = clock(&players[0], &id);
    assert_eq!((left(&after, 1), left(&after, 2), left(&after, 3)), (0, 600_000, 600_000));
    assert_eq!(players[2].play(&id, 1, "!timeout1").status, 200);
    // The others play on.
    assert_eq!(players[1].play(&id, 2, "N").status, 201);
}

#[test]
fn the_service_itself_times_out_one_seat_after_another_until_the_game_is_over() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = on_the_clock(&service, 3, 1, 0);
    let game = beyond(&players[0], &id, 0);
    assert_eq!((&game["seat_on_turn"], left(&game["clock"], 1)), (&json!(2), 0));
    let game = beyond(&players[0], &id, 1);
    assert_eq!((&game["status"], &game["seat_on_turn"]), (&json!("finished"), &json!(null)));
    assert_eq!(
        game["clock"],
        json!({"initial": 1, "increment": 0, "remaining": [0, 0, 1000], "since": null})
    );
    assert_eq!(game["result"]["ranking"], json!([[3], [2], [1]]));
    assert_eq!(words(&players[0], &id), ["!timeout1", "!timeout2"]);

    let cards = json!({"ruleset": "marrakesh/1", "seats": ["open", "open"], "clock": {"initial": 1}});
    let (id, players) = service.seated(cards);
    let first = players[0].get(&format!("/v1/games/{id}")).json();
    let (seat, ply) = (first["seat_on_turn"].as_u64().unwrap(), first["head"]["ply"].as_u64().unwrap());
    let game = beyond(&players[0], &id, ply);
    assert_eq!(game["status"], "finished");
    assert_eq!(words(&players[1], &id).last().unwrap(), &format!("!timeout{seat}"));
}

#[test]
fn a_move_that_came_in_time_is_written_after_the_time_is_over_and_no_claim_is_before_it() {
    let backend = sqlite();
    let service = Service::start(&backend);
    // On a busy machine, the move may come too late.
    let is_written = (0..5).any(|_| is_written_after_the_time_is_over(&backend, &service));
    assert!(is_written, "{}", backend.name());
}

/// Sends a move just before the time of its seat is over, and has it written just after that. Returns whether
/// it was written.
fn is_written_after_the_time_is_over(backend: &Backend, service: &Service) -> bool {
    let (id, players) = on_the_clock(service, 2, 2, 0);
    let flag = since(&clock(&players[0], &id)) + 2000;
    until(flag - 450);
    let (moved, claimed, waits) = thread::scope(|scope| {
        let (moved, claimed, waits) = backend.while_held(&id, || {
            let moved = scope.spawn(|| players[0].play(&id, 1, "N"));
            until(flag + 10);
            let claimed = scope.spawn(|| players[1].play(&id, 1, "!timeout1"));
            until(flag + 60);
            let waits = !moved.is_finished();
            (moved, claimed, waits)
        });
        (moved.join().unwrap(), claimed.join().unwrap(), waits)
    });
    if moved.status != 201 {
        assert!(moved.status < 500, "{}", moved.text);
        return false;
    }
    assert!(waits, "{}", backend.name());
    assert!(claimed.problem() == "ply_taken", "{}", claimed.text);
    let after = clock(&players[0], &id);
    assert!((1..=450).contains(&left(&after, 1)), "{after}");
    // Time spent in the database does not count for the next ply either.
    assert!(since(&after) > flag, "{after}");
    true
}

#[test]
fn patience_and_clock_each_hold_and_what_runs_out_first_counts() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let wanted = |initial: u32| {
        json!({
            "ruleset": "marrakech/1", "seats": ["open", "open"], "patience_hours": 2,
            "clock": {"initial": initial, "increment": 0},
        })
    };
    let (id, players) = service.seated(wanted(600_000));
    let sql = format!(
        "UPDATE games SET started_at = started_at - {}, revision = revision + 1 WHERE id = {}",
        2 * HOUR,
        backend.id(&id)
    );
    assert_eq!(backend.sabotage(&sql), Ok(1));
    // Only other seats may be patient: the seat may move, and the service does nothing.
    let claimed = players[1].play(&id, 1, "!timeout1");
    assert_eq!(claimed.status, 201, "{}", claimed.text);

    let (id, players) = service.seated(wanted(60));
    let early = players[1].play(&id, 1, "!timeout1");
    assert_eq!(early.json()["rule"], "table.timeout.too-early");
    let_time_pass(&backend, &id, 60_000);
    assert_eq!(beyond(&players[0], &id, 0)["status"], "finished");
}

#[test]
fn who_leaves_out_of_turn_gives_the_seat_on_turn_no_more_time() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = on_the_clock(&service, 3, 600, 5);
    let_time_pass(&backend, &id, 400_000);
    assert_eq!(players[2].play(&id, 1, "!resign").status, 201);
    let after = clock(&players[0], &id);
    assert!((190_000..=200_000).contains(&left(&after, 1)), "{after}");
    // A seat out of time may still resign.
    let_time_pass(&backend, &id, 200_000);
    let left = players[0].play(&id, 2, "!resign");
    assert!(left.status == 201 || left.problem() == "ply_taken", "{}", left.text);
    assert_eq!(players[0].get(&format!("/v1/games/{id}")).json()["status"], "finished");
}

#[test]
fn several_processes_time_a_seat_out_once() {
    let backend = sqlite();
    let processes = [Service::start(&backend), Service::start(&backend)];
    let games: Vec<_> = (0..12).map(|n| (n % 2, on_the_clock(&processes[n % 2], 2, 1, 0))).collect();
    for (n, (id, _)) in &games {
        let other = processes[1 - n].stranger();
        assert_eq!(beyond(&other, id, 0)["status"], "finished");
        let words = words(&other, id);
        assert_eq!(words.iter().filter(|word| *word == "!timeout1").count(), 1, "{words:?}");
    }
}
