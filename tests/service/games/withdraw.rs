//! Games that never start: left, removed by their owners, or expired.

use serde_json::json;

use crate::harness::{Client, Service, postgres, sqlite, with_entropy};

fn open_game(owner: &Client<'_>) -> String {
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open", "random"], "take": {"seat": 1}});
    let game = owner.post("/v1/games", wanted);
    assert_eq!(game.status, 201, "{}", game.text);
    format!("/v1/games/{}", game.json()["id"].as_str().unwrap())
}

fn remove(client: &Client<'_>, path: &str) -> u16 {
    let answer = client.send("DELETE", path, &[], "");
    if answer.status == 204 {
        assert_eq!(answer.text, "");
    }
    answer.status
}

#[test]
fn an_owner_removes_an_open_game_and_nobody_finds_it_any_more() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (owner, other) = (service.player(), service.player());
    let path = open_game(&owner);
    assert_eq!(other.put(&format!("{path}/seats/2"), json!({})).status, 201);
    // Its last seat was taken, so it stays.
    assert_eq!(owner.send("DELETE", &path, &[], "").problem(), "already_started");
    assert_eq!(owner.get(&path).json()["status"], "running");

    let path = open_game(&owner);
    assert_eq!(other.send("DELETE", &path, &[], "").problem(), "not_your_seat");
    assert_eq!(service.stranger().send("DELETE", &path, &[], "").problem(), "unauthenticated");
    assert_eq!(service.stranger().get(&path).status, 200);
    assert_eq!(remove(&owner, &path), 204);
    for client in [&owner, &other, &service.stranger()] {
        assert_eq!(client.get(&path).problem(), "game_not_found");
    }
    assert_eq!(owner.send("DELETE", &path, &[], "").problem(), "game_not_found");
    assert_eq!(other.put(&format!("{path}/seats/2"), json!({})).problem(), "game_not_found");
    let listed = service.stranger().get("/v1/games?status=open").json();
    assert_eq!(listed["games"], json!([]));
    assert_eq!(owner.get("/v1/me/games").json()["games"].as_array().unwrap().len(), 1);
}

#[test]
fn a_seat_is_left_before_the_start_and_taken_by_somebody_else() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (owner, other, third) = (service.player(), service.player(), service.player());
    let path = open_game(&owner);
    let seat = format!("{path}/seats/1");
    assert_eq!(other.send("DELETE", &seat, &[], "").problem(), "not_your_seat");
    assert_eq!(remove(&owner, &seat), 204);
    // Repeated, and for a free seat, it succeeds.
    assert_eq!((remove(&owner, &seat), remove(&owner, &format!("{path}/seats/2"))), (204, 204));
    let left = owner.get(&path).json();
    assert_eq!(
        left["seats"][0],
        json!({"seat": 1, "kind": "open", "player": null, "name": null, "entropy": null, "revision": null, "forced": "ask", "reserved_for": null})
    );
    assert_eq!(owner.get("/v1/me/games").json()["games"], json!([]));
    let entropy = "ab".repeat(32);
    let with_entropy = with_entropy(&other, &path, &entropy);
    assert_eq!(other.put(&seat, with_entropy).json()["seats"][0]["entropy"], entropy);
    assert_eq!(owner.send("DELETE", &seat, &[], "").problem(), "not_your_seat");
    assert_eq!(third.put(&format!("{path}/seats/2"), json!({})).json()["status"], "running");
    for player in [&other, &third] {
        let held = player.get(&path).json()["your_seat"].as_u64().unwrap();
        let refused = player.send("DELETE", &format!("{path}/seats/{held}"), &[], "");
        assert_eq!(refused.problem(), "already_started");
    }
    // A built-in player's seat cannot be left.
    assert_eq!(owner.send("DELETE", &format!("{path}/seats/3"), &[], "").problem(), "not_your_seat");
}

#[test]
fn a_game_that_is_removed_while_its_last_seat_is_taken_either_starts_or_goes() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (mut started, mut gone) = (0, 0);
    for _ in 0..24 {
        let (owner, other) = (service.player(), service.player());
        let path = open_game(&owner);
        let seat = format!("{path}/seats/2");
        let (removed, taken) = std::thread::scope(|scope| {
            let removed = scope.spawn(|| owner.send("DELETE", &path, &[], ""));
            let taken = scope.spawn(|| other.put(&seat, json!({})));
            (removed.join().unwrap(), taken.join().unwrap())
        });
        match (removed.status, taken.status) {
            (204, 404) => gone += 1,
            (409, 201) => started += 1,
            // It was taken first, and the game went before the start could be answered, which must never
            // happen.
            outcome => panic!("{}: {outcome:?} {} {}", backend.name(), removed.text, taken.text),
        }
        let expected = if removed.status == 204 { 404 } else { 200 };
        assert_eq!(service.stranger().get(&path).status, expected);
    }
    println!("{}: {started} started, {gone} gone", backend.name());
}

#[test]
fn a_game_that_another_process_removed_is_gone_for_this_one_too() {
    let Some(backend) = postgres() else { return };
    let (here, there) = (Service::start(&backend), Service::start(&backend));
    let owner = here.player();
    let path = open_game(&owner);
    let same = there.with_secret(owner.secret.as_ref().unwrap());
    assert_eq!(same.get(&path).status, 200);
    assert_eq!(remove(&owner, &path), 204);
    let other = there.player();
    assert_eq!(other.put(&format!("{path}/seats/2"), json!({})).problem(), "game_not_found");
    assert_eq!(same.send("DELETE", &format!("{path}/seats/1"), &[], "").problem(), "game_not_found");
    assert_eq!(same.send("DELETE", &path, &[], "").problem(), "game_not_found");
    assert_eq!(same.get(&path).problem(), "game_not_found");
}

#[test]
fn games_that_never_start_are_removed_when_their_time_is_over_and_others_stay() {
    let backend = sqlite();
    let service = Service::start_with(&backend, &["--open-game-ttl", "1s"]);
    let owner = service.player();
    let wanted = json!({"ruleset": "marrakesh/1", "seats": ["open", "random"], "take": {"seat": 1}});
    let started = owner.post("/v1/games", wanted).header("location").unwrap().to_owned();
    let wanted = json!({"ruleset": "marrakesh/1", "seats": ["open", "open"], "visibility": "private", "join_code": "x"});
    let private = owner.post("/v1/games", wanted).header("location").unwrap().to_owned();
    let public = open_game(&owner);
    for path in [&public, &private] {
        while owner.get(path).status == 200 {}
        assert_eq!(owner.get(path).problem(), "game_not_found");
    }
    assert_eq!(owner.get(&started).json()["status"], "running");
    let games = owner.get("/v1/me/games").json()["games"].as_array().unwrap().len();
    assert_eq!(games, 1);
}
