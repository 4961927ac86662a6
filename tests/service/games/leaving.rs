//! Leaving the table over HTTP: resigning, aborting, claiming a seat out.

use serde_json::{Value, json};

use crate::harness::{Backend, Client, Service, sit, sqlite};

fn head(client: &Client<'_>, id: &str) -> Value {
    client.get(&format!("/v1/games/{id}")).json()["head"].clone()
}

#[test]
fn a_seat_resigns_for_itself_by_either_word_and_the_last_one_in_wins() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.game(3, json!({}));
    assert_eq!(players[1].play(&id, 1, "!resign3").problem(), "not_your_seat");
    assert_eq!(players[1].play(&id, 1, "!resign4").problem(), "not_your_seat");
    let gone = players[1].play(&id, 1, "!resign");
    assert_eq!((gone.status, &gone.json()["words"]), (201, &json!(["!resign2"])));
    for word in ["!resign", "!resign2"] {
        assert_eq!(players[1].play(&id, 1, word).text, gone.text, "the same decision");
        let twice = players[1].play(&id, 2, word);
        assert_eq!(
            (twice.problem().as_str(), &twice.json()["rule"]),
            ("illegal_move", &json!("marrakech.seat.out"))
        );
    }
    assert_eq!(players[0].play(&id, 2, "!resign1").status, 201);
    let game = players[2].get(&format!("/v1/games/{id}")).json();
    assert_eq!((&game["status"], &game["result"]["scores"]), (&json!("finished"), &json!([0, 0, 30])));
    assert_eq!(game["result"]["ranking"], json!([[3], [1], [2]]), "who left last stands before");
}

#[test]
fn the_owner_aborts_a_game_before_its_first_ply_and_nobody_else_and_not_later() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let owner = service.player();
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
    let new = || owner.post("/v1/games", wanted.clone()).json()["id"].as_str().unwrap().to_owned();
    let start = |id: &str| {
        let players = [service.player(), service.player()];
        sit(id, &players, |_| json!({}));
        players
    };
    let id = new();
    assert_eq!(owner.play(&id, 1, "!abort").problem(), "not_started");
    let players = start(&id);
    for other in [&players[0], &service.player()] {
        assert_eq!(other.play(&id, 1, "!abort").problem(), "not_your_seat");
    }
    let aborted = owner.play(&id, 1, "!abort");
    assert_eq!((aborted.status, &aborted.json()["words"]), (201, &json!(["!abort"])));
    assert_eq!(
        (owner.play(&id, 1, "!abort").status, owner.play(&id, 2, "!abort").problem().as_str()),
        (200, "game_over")
    );
    let game = owner.get(&format!("/v1/games/{id}")).json();
    assert_eq!((&game["status"], &game["result"]["ranking"]), (&json!("aborted"), &json!(null)));
    let log = owner.get(&format!("/v1/games/{id}/log")).text;
    assert!(log.ends_with("!abort\n= -\n"), "{log}");

    let id = new();
    let players = start(&id);
    assert_eq!(players[0].play(&id, 1, "N").status, 201);
    let late = owner.play(&id, 2, "!abort");
    assert_eq!(
        (late.problem().as_str(), &late.json()["rule"]),
        ("illegal_move", &json!("table.abort.after-first-ply"))
    );
    assert_eq!(head(&owner, &id)["ply"], 1);

    let unowned =
        service.stranger().post("/v1/games", wanted.clone()).json()["id"].as_str().unwrap().to_owned();
    let players = start(&unowned);
    assert_eq!(players[0].play(&unowned, 1, "!abort").problem(), "not_your_seat", "a game without an owner");
}

/// Makes the last event of a game so much older.
fn let_time_pass(backend: &Backend, id: &str, milliseconds: u64) {
    let sql = format!(
        "UPDATE games SET started_at = started_at - {milliseconds}, revision = revision + 1 WHERE id = {}",
        backend.id(id)
    );
    assert_eq!(backend.sabotage(&sql), Ok(1));
}

/// Returns a game for three whose seats have two hours per move.
fn patient_for_two_hours(service: &Service) -> (String, Vec<Client<'_>>) {
    service.seated(json!({"ruleset": "marrakech/1", "seats": ["open", "open", "open"], "patience_hours": 2}))
}

#[test]
fn who_leaves_out_of_turn_gives_the_seat_on_turn_no_more_time() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = patient_for_two_hours(&service);
    let_time_pass(&backend, &id, 2 * 3_600_000);
    assert_eq!(players[2].play(&id, 1, "!resign").status, 201);
    let claimed = players[1].play(&id, 2, "!timeout1");
    assert_eq!(claimed.status, 201, "{}", claimed.text);
}

#[test]
fn a_seat_that_used_up_the_patience_of_its_game_is_claimed_out_by_another_and_not_before() {
    const HOUR: u64 = 3_600_000;
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = patient_for_two_hours(&service);
    let refused = |player: &Client<'_>, ply: u64, word: &str, rule: &str| {
        let answer = player.play(&id, ply, word);
        assert_eq!(
            (answer.problem().as_str(), &answer.json()["rule"]),
            ("illegal_move", &json!(rule)),
            "{word}"
        );
        answer.json()["detail"].as_str().unwrap().to_owned()
    };
    let early = refused(&players[1], 1, "!timeout1", "table.timeout.too-early");
    let until = early.strip_prefix("seat 1 has time until ").unwrap();
    let started = players[0].get(&format!("/v1/games/{id}")).json()["started_at"].clone();
    let started: jiff::Timestamp = started.as_str().unwrap().parse().unwrap();
    assert_eq!(until.parse::<jiff::Timestamp>().unwrap().duration_since(started).as_hours(), 2);
    let_time_pass(&backend, &id, HOUR);
    refused(&players[1], 1, "!timeout1", "table.timeout.too-early");
    let_time_pass(&backend, &id, HOUR);
    refused(&players[1], 1, "!timeout2", "table.timeout.own-seat");
    refused(&players[1], 1, "!timeout3", "table.timeout.not-on-turn");
    refused(&players[1], 1, "!timeout4", "table.timeout.not-on-turn");
    refused(&players[0], 1, "!timeout1", "table.timeout.own-seat");
    assert_eq!(service.player().play(&id, 1, "!timeout1").problem(), "not_your_seat");
    // Late, but not claimed: the seat may still move, and then has its full time again.
    assert_eq!(players[0].play(&id, 1, "N").status, 201);
    refused(&players[1], 2, "!timeout1", "table.timeout.too-early");
    let_time_pass(&backend, &id, 2 * HOUR);
    let claimed = players[1].play(&id, 2, "!timeout1");
    assert_eq!((claimed.status, &claimed.json()["words"]), (201, &json!(["!timeout1"])));
    // Any other seat that claims the same gets the same answer.
    for claimant in [&players[1], &players[2]] {
        assert_eq!(
            (claimant.play(&id, 2, "!timeout1").status, claimant.play(&id, 2, "!timeout1").text),
            (200, claimed.text.clone())
        );
    }
    assert_eq!(players[0].play(&id, 2, "!timeout1").problem(), "ply_taken");
    assert_eq!(players[0].get(&format!("/v1/games/{id}")).json()["state"]["seats"][0]["out"], 1);

    let (id, players) = service.game(2, json!({}));
    let_time_pass(&backend, &id, 9000 * HOUR);
    let refused = players[1].play(&id, 1, "!timeout1");
    assert_eq!(
        (refused.problem().as_str(), &refused.json()["rule"]),
        ("illegal_move", &json!("table.timeout.no-patience"))
    );
}
