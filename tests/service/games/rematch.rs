//! Rematches: the same table with the seats rotated by one, created once, and reserved for its players.

use std::collections::BTreeSet;
use std::thread;

use serde_json::{Value, json};

use crate::harness::{Answer, Client, Drand, Service, assam, out, secret, sqlite, with_entropy};

fn game(client: &Client<'_>, id: &str) -> Value {
    client.get(&format!("/v1/games/{id}")).json()
}

fn id_of(client: &Client<'_>) -> Value {
    client.get("/v1/me").json()["player"].clone()
}

fn ask(client: &Client<'_>, id: &str) -> Answer {
    client.send("POST", &format!("/v1/games/{id}/rematch"), &[], "")
}

/// Requests a rematch, and returns its id.
fn rematch(client: &Client<'_>, id: &str, status: u16) -> String {
    let answer = ask(client, id);
    assert_eq!(answer.status, status, "{}", answer.text);
    let again = answer.json();
    assert_eq!(again["rematch_of"], id);
    let again = again["id"].as_str().unwrap().to_owned();
    assert_eq!(answer.header("location"), Some(format!("/v1/games/{again}").as_str()));
    again
}

/// Takes a seat with entropy after the commitment is known.
fn take(client: &Client<'_>, id: &str, seat: usize) -> Answer {
    let path = format!("/v1/games/{id}");
    client.put(&format!("{path}/seats/{seat}"), with_entropy(client, &path, &secret()))
}

/// Ends a game by letting all but one seat resign.
fn end(players: &[Client<'_>], id: &str) {
    for player in &players[1..] {
        let Some(ply) = game(player, id)["head"]["ply"].as_u64() else { panic!("{id} has not started") };
        if player.secret.is_some() && game(player, id)["result"].is_null() {
            assert_eq!(player.play(id, ply + 1, "!resign").status, 201);
        }
    }
}

#[test]
fn a_rematch_is_the_same_table_with_the_seats_turned_and_kept_for_those_who_played() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let wanted = json!({
        "ruleset": "marrakech/1", "seats": ["open", "open", "random", "open"], "options": {"cover": "any"},
        "visibility": "unlisted", "patience_hours": 7, "clock": {"initial": 6000, "increment": 2}, "rated": false,
    });
    let (id, players) = service.seated(wanted);
    assert_eq!(ask(&players[0], &id).problem(), "not_finished");
    for (ply, player) in (1..).zip([&players[0], &players[1], &players[3]]) {
        let ply = game(player, &id)["head"]["ply"].as_u64().map_or(ply, |ply| ply + 1);
        assert_eq!(player.play(&id, ply, "!resign").status, 201);
    }
    let before = game(&players[0], &id);
    assert_eq!((&before["status"], &before["rematch"]), (&json!("finished"), &json!(null)));
    assert_eq!(ask(&service.player(), &id).problem(), "not_your_seat");
    assert_eq!(ask(&service.stranger(), &id).problem(), "unauthenticated");

    let again = rematch(&players[1], &id, 201);
    // All players get the same rematch, however often they ask, and the two games link to each other.
    for player in [&players[0], &players[1], &players[3]] {
        assert_eq!(rematch(player, &id, 200), again);
    }
    assert_eq!(game(&service.stranger(), &id)["rematch"], json!(again));
    let new = game(&players[0], &again);
    for same in ["ruleset", "setup", "options", "visibility", "rated", "patience_hours"] {
        assert_eq!(new[same], before[same], "{same}");
    }
    assert_eq!(
        new["clock"],
        json!({"initial": 6000, "increment": 2, "remaining": [6_000_000, 6_000_000, 6_000_000, 6_000_000], "since": null})
    );
    assert_ne!(new["commitment"], before["commitment"]);
    let seats: Vec<_> = new["seats"]
        .as_array()
        .unwrap()
        .iter()
        .map(|seat| (seat["kind"].clone(), seat["reserved_for"].clone()))
        .collect();
    let open = |client| (json!("open"), id_of(client));
    assert_eq!(
        seats,
        [open(&players[1]), (json!("random"), json!(null)), open(&players[3]), open(&players[0])]
    );

    // The seats are reserved, each for one player.
    for (other, seat) in [(&service.player(), 1), (&players[0], 1), (&players[1], 3)] {
        assert_eq!(take(other, &again, seat).problem(), "seat_taken");
    }
    assert_eq!(take(&players[1], &again, 1).status, 201);
    // After leaving, a seat stays reserved.
    assert_eq!(players[1].send("DELETE", &format!("/v1/games/{again}/seats/1"), &[], "").status, 204);
    assert_eq!(take(&service.player(), &again, 1).problem(), "seat_taken");
    assert_eq!(take(&players[1], &again, 1).status, 201);
    assert_eq!(take(&players[3], &again, 3).status, 201);
    assert_eq!(game(&players[0], &again)["status"], "open");
    let started = take(&players[0], &again, 4).json();
    assert_eq!(
        (&started["status"], &started["seat_on_turn"], &started["your_seat"]),
        (&json!("running"), &json!(1), &json!(4))
    );
    assert_eq!(players[1].play(&again, 1, "N").status, 201);
    // All of its chance can be checked as in any game.
    for (ply, player) in (2..).zip([&players[0], &players[1], &players[3]]) {
        let ply = game(player, &again)["head"]["ply"].as_u64().map_or(ply, |ply| ply + 1);
        assert_eq!(player.play(&again, ply, "!resign").status, 201);
    }
    let proof = players[0].get(&format!("/v1/games/{again}/proof")).text;
    let verified = assam(&["verify", "-"], &proof);
    assert_eq!(verified.status.code(), Some(0), "{}", out(&verified));
    // And so on.
    let third = rematch(&players[3], &again, 201);
    assert_eq!(game(&players[3], &third)["seats"][1]["reserved_for"], id_of(&players[3]));
}

#[test]
fn many_who_ask_several_processes_at_once_get_the_same_rematch() {
    let backend = sqlite();
    let processes = [Service::start(&backend), Service::start(&backend)];
    for _ in 0..4 {
        let (id, players) = processes[0].game(4, json!({}));
        end(&players, &id);
        let secrets: Vec<String> = players.iter().map(|player| player.secret.clone().unwrap()).collect();
        let answers: Vec<(u16, String)> = thread::scope(|scope| {
            let asked: Vec<_> = (0..8)
                .map(|n| {
                    let client = processes[n % 2].with_secret(&secrets[n / 2]);
                    let id = &id;
                    scope.spawn(move || {
                        let answer = ask(&client, id);
                        (answer.status, answer.json()["id"].as_str().unwrap().to_owned())
                    })
                })
                .collect();
            asked.into_iter().map(|asked| asked.join().unwrap()).collect()
        });
        let ids: BTreeSet<&String> = answers.iter().map(|(_, id)| id).collect();
        assert_eq!(ids.len(), 1, "{answers:?}");
        assert_eq!(answers.iter().filter(|(status, _)| *status == 201).count(), 1, "{answers:?}");
        let open = processes[1].stranger().get("/v1/games?status=open&limit=100").json();
        let of_it = open["games"].as_array().unwrap().iter().filter(|game| game["rematch_of"] == id.as_str());
        assert_eq!(of_it.count(), 1);
    }
    // Reserved seats are open to no other player.
    let open = processes[0].stranger().get("/v1/games?status=open&open_seats=1,2,3,4").json();
    assert_eq!(open["games"], json!([]));
}

#[test]
fn a_private_rematch_needs_no_join_code_and_is_seen_by_nobody_else() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let [owner, guest] = [service.player(), service.player()];
    let wanted = json!({"ruleset": "marrakesh/1", "seats": ["open", "open"], "visibility": "private", "join_code": "rosewater"});
    let id = owner.post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
    for (seat, player) in (1..).zip([&owner, &guest]) {
        let taken = player.put(&format!("/v1/games/{id}/seats/{seat}"), json!({"join_code": "rosewater"}));
        assert_eq!(taken.status, 201);
    }
    let ply = game(&owner, &id)["head"]["ply"].as_u64().unwrap() + 1;
    assert_eq!(guest.play(&id, ply, "!resign").status, 201);
    assert_eq!(ask(&service.player(), &id).problem(), "game_not_found");
    let again = rematch(&guest, &id, 201);
    for outsider in [service.stranger(), service.player()] {
        assert_eq!(outsider.get(&format!("/v1/games/{again}")).problem(), "game_not_found");
    }
    let code = json!({"join_code": "rosewater"});
    assert_eq!(service.player().put(&format!("/v1/games/{again}/seats/1"), code).problem(), "game_not_found");
    assert_eq!(take(&guest, &again, 1).status, 201);
    assert_eq!(take(&owner, &again, 2).json()["status"], "running");
}

#[test]
fn a_rematch_that_is_removed_makes_room_for_another_and_its_id_is_never_used_again() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.game(2, json!({}));
    end(&players, &id);
    let mut known = BTreeSet::new();
    for _ in 0..3 {
        let again = rematch(&players[0], &id, 201);
        assert_eq!(
            players[1].send("DELETE", &format!("/v1/games/{again}"), &[], "").problem(),
            "not_your_seat"
        );
        assert_eq!(players[0].send("DELETE", &format!("/v1/games/{again}"), &[], "").status, 204);
        assert!(known.insert(again));
    }
    // As if a process had ended before it linked the rematch, which was then removed. Its id would be derived
    // again.
    let again = rematch(&players[1], &id, 201);
    assert_eq!(players[1].send("DELETE", &format!("/v1/games/{again}"), &[], "").status, 204);
    let back =
        format!("UPDATE games SET rematch = NULL, revision = revision - 1 WHERE id = {}", backend.id(&id));
    assert_eq!(backend.sabotage(&back), Ok(1));
    let service = Service::start(&backend);
    let player = service.with_secret(players[0].secret.as_ref().unwrap());
    let last = rematch(&player, &id, 201);
    assert!(last != again && !known.contains(&last));
    assert_eq!(game(&player, &id)["rematch"], json!(last));
}

#[test]
fn a_seat_is_kept_for_the_secret_that_holds_it_and_a_beacon_goes_along() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (path, players, round) = service.waiting_for_beacon();
    assert_eq!(players[0].put(&format!("{path}/beacon"), round).status, 200);
    let id = path.rsplit('/').next().unwrap();
    let (old, new) = (&players[1], service.player());
    let replaced = old.put(&format!("{path}/seats/2/secret"), json!({"secret": new.secret}));
    assert_eq!(replaced.status, 204, "{}", replaced.text);
    let before = game(&new, id);
    assert_eq!(new.play(id, before["head"]["ply"].as_u64().unwrap() + 1, "!resign").status, 201);
    assert_eq!(ask(old, id).problem(), "not_your_seat");
    let again = rematch(&players[0], id, 201);
    let open = game(&new, &again);
    assert_eq!(
        (&open["beacon"]["chain"], &open["beacon"]["round"]),
        (&before["beacon"]["chain"], &json!(null))
    );
    // Under the player's public id.
    assert_eq!(open["seats"][0]["reserved_for"], before["seats"][1]["player"]);
    assert_eq!(take(old, &again, 1).problem(), "seat_taken");
    assert_eq!(take(&new, &again, 1).status, 201);
    assert_eq!(take(&players[0], &again, 2).status, 201);
    let round = Drand::of_tests().round(game(&new, &again)["beacon"]["round"].as_u64().unwrap());
    assert_eq!(new.put(&format!("/v1/games/{again}/beacon"), round).json()["status"], "running");
}

#[test]
fn games_that_were_aborted_have_rematches_and_imported_ones_have_none() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.game(2, json!({}));
    assert_eq!(players[0].play(&id, 1, "!abort").status, 201);
    rematch(&players[1], &id, 201);
    let importer = service.player();
    let over = "MKN/1 marrakech/1 seats=3\n\n!resign1 !resign2 = 0 0 30\n";
    let imported = importer.post_text("/v1/imports", over).json()["id"].as_str().unwrap().to_owned();
    assert_eq!(ask(&importer, &imported).problem(), "not_your_seat");
}

#[test]
fn a_rematch_that_was_taken_down_makes_room_for_another() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.game(2, json!({}));
    end(&players, &id);
    let again = rematch(&players[0], &id, 201);
    for (seat, player) in [(1, &players[1]), (2, &players[0])] {
        assert_eq!(take(player, &again, seat).status, 201);
    }
    assert!(backend.take_down(&again, "it was abusive").status.success());
    while players[0].get(&format!("/v1/games/{again}")).status != 410 {}
    let third = rematch(&players[1], &id, 201);
    assert_ne!(third, again);
    assert_eq!(rematch(&players[0], &id, 200), third);
}

#[test]
fn a_seat_that_is_kept_goes_along_with_a_secret_that_is_replaced() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "visibility": "private", "join_code": "rosewater"});
    let (owner, guest, new) = (service.player(), service.player(), service.player());
    let id = owner.post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
    for (seat, player) in (1..).zip([&owner, &guest]) {
        let path = format!("/v1/games/{id}/seats/{seat}");
        assert_eq!(player.put(&path, json!({"join_code": "rosewater"})).status, 201);
    }
    assert_eq!(guest.play(&id, 1, "!resign").status, 201);
    // The player who requests the rematch owns it, and could remove it.
    let again = rematch(&guest, &id, 201);
    let path = format!("/v1/games/{id}/seats/2/secret");
    for _ in 0..2 {
        let replaced = guest.put(&path, json!({"secret": new.secret}));
        assert!(matches!(replaced.status, 204 | 404), "{}", replaced.text);
    }
    let page = format!("/v1/games/{again}");
    assert_eq!(guest.get(&page).problem(), "game_not_found");
    assert_eq!(guest.send("DELETE", &page, &[], "").problem(), "game_not_found");
    assert_eq!(take(&new, &again, 1).status, 201);
    assert_eq!(take(&owner, &again, 2).json()["status"], "running");
}
