//! A replaced secret is worthless in every process.

use serde_json::json;

use crate::harness::{Client, Service, secret, sqlite};

fn replace(client: &Client<'_>, game: &str, seat: u8) -> String {
    let new = secret();
    let path = format!("/v1/games/{game}/seats/{seat}/secret");
    assert_eq!(client.put(&path, json!({"secret": new})).status, 204);
    new
}

fn created(client: &Client<'_>, wanted: serde_json::Value) -> String {
    let game = client.post("/v1/games", wanted);
    assert_eq!(game.status, 201, "{}", game.text);
    game.json()["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_replaced_secret_writes_nothing_through_another_process_that_had_the_game_in_memory() {
    let backend = sqlite();
    let (here, there) = (Service::start(&backend), Service::start(&backend));
    for (word, ply) in [("N", 1), ("!resign", 1), ("!abort", 1)] {
        let owner = here.player();
        let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "random"], "take": {"seat": 1}});
        let id = created(&owner, wanted);
        let thief = there.with_secret(owner.secret.as_ref().unwrap());
        let state = format!("/v1/games/{id}/states/0");
        assert_eq!(thief.get(&state).status, 200);
        let holder = there.with_secret(&replace(&owner, &id, 1));
        let refused = thief.play(&id, ply, word);
        assert_eq!(refused.problem(), "not_your_seat", "{word} {}", backend.name());
        assert_eq!(thief.put(&format!("/v1/games/{id}/seats/1"), json!({})).problem(), "seat_taken");
        // Nothing was written, and the new one plays on.
        assert_eq!(holder.get(&format!("/v1/games/{id}")).json()["head"]["ply"], 0);
        assert_eq!(holder.play(&id, ply, word).status, 201, "{word}");
    }
}

#[test]
fn a_replaced_secret_sees_nothing_of_a_private_game_through_another_process() {
    let backend = sqlite();
    let (here, there) = (Service::start(&backend), Service::start(&backend));
    let owner = here.player();
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "random"], "take": {"seat": 1}, "visibility": "private", "join_code": "x"});
    let id = created(&owner, wanted);
    assert_eq!(owner.play(&id, 1, "N").status, 201);
    let thief = there.with_secret(owner.secret.as_ref().unwrap());
    let of_game: Vec<String> = there.readable(&id).into_iter().filter(|path| path.contains(&id)).collect();
    for path in &of_game {
        assert_eq!(thief.get(path).status, 200, "{path}");
    }
    let holder = there.with_secret(&replace(&owner, &id, 1));
    for path in &of_game {
        assert_eq!(thief.get(path).problem(), "game_not_found", "{path} {}", backend.name());
        assert_eq!(holder.get(path).status, 200, "{path}");
    }
}

#[test]
fn a_replaced_secret_learns_nothing_of_a_private_game_from_what_another_process_refuses() {
    const TEXT: &str = "text/plain";
    const JSON: &str = "application/json";
    let backend = sqlite();
    let (here, there) = (Service::start(&backend), Service::start(&backend));
    for (method, path, kind, body) in [
        ("PUT", "/moves/1", TEXT, "zz??"),
        ("PUT", "/moves/1", TEXT, "N"),
        ("PUT", "/moves/0", TEXT, "N"),
        ("PUT", "/moves/1", JSON, "{}"),
        ("PATCH", "/seats/1", JSON, "{}"),
        ("PUT", "/seats/1", JSON, "[]"),
        ("PUT", "/seats/1/secret", JSON, r#"{"secret": "0"}"#),
        ("DELETE", "/seats/1", JSON, ""),
        ("DELETE", "", JSON, ""),
        ("PUT", "/beacon", JSON, "{}"),
    ] {
        let owner = here.player();
        let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "random"], "take": {"seat": 1}, "visibility": "private", "join_code": "x"});
        let game = format!("/v1/games/{}", created(&owner, wanted));
        let thief = there.with_secret(owner.secret.as_ref().unwrap());
        assert_eq!(thief.get(&game).status, 200, "it is kept in memory");
        replace(&owner, game.rsplit('/').next().unwrap(), 1);
        let refused = thief.send(method, &format!("{game}{path}"), &[("content-type", kind)], body);
        assert_eq!(refused.problem(), "game_not_found", "{method} {path} {body} {}", backend.name());
    }
}

#[test]
fn who_replaced_the_secret_that_owns_a_game_keeps_it_also_without_a_seat() {
    let backend = sqlite();
    let service = Service::start(&backend);
    for visibility in [json!({}), json!({"visibility": "private", "join_code": "x"})] {
        let old = service.player();
        let mut wanted =
            json!({"ruleset": "marrakech/1", "seats": ["open", "open", "open"], "take": {"seat": 2}});
        wanted.as_object_mut().unwrap().extend(visibility.as_object().unwrap().clone());
        let id = created(&old, wanted);
        let path = format!("/v1/games/{id}");
        let owner = service.with_secret(&replace(&old, &id, 2));
        assert_eq!(owner.send("DELETE", &format!("{path}/seats/2"), &[], "").status, 204);
        // The old one can take a seat as a new player, replaces itself there, and owns nothing.
        let taken = old.put(&format!("{path}/seats/1"), json!({"join_code": "x"}));
        if taken.status == 201 {
            let thief = service.with_secret(&replace(&old, &id, 1));
            assert_eq!(thief.send("DELETE", &path, &[], "").problem(), "not_your_seat");
        }
        assert_ne!(old.send("DELETE", &path, &[], "").status, 204, "{}", backend.name());
        assert_eq!(owner.get(&path).status, 200);
        assert_eq!(owner.send("DELETE", &path, &[], "").status, 204);
    }
}

#[test]
fn a_creation_that_is_repeated_with_a_replaced_secret_shows_nothing() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let owner = service.player();
    let key = secret();
    let headers = [("Content-Type", "application/json"), ("Idempotency-Key", &key[..40])];
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "take": {"seat": 1}, "visibility": "private", "join_code": "x"}).to_string();
    let game = owner.send("POST", "/v1/games", &headers, &wanted).json();
    assert_eq!(owner.send("POST", "/v1/games", &headers, &wanted).status, 200);
    replace(&owner, game["id"].as_str().unwrap(), 1);
    let refused = owner.send("POST", "/v1/games", &headers, &wanted);
    assert_eq!(refused.problem(), "idempotency_mismatch", "{}", backend.name());
}

#[test]
fn a_game_that_ended_elsewhere_before_a_secret_is_replaced_is_listed_as_over_for_the_new_one() {
    let backend = sqlite();
    let (here, there) = (Service::start(&backend), Service::start(&backend));
    let owner = here.player();
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "random"], "take": {"seat": 1}});
    let id = created(&owner, wanted);
    let elsewhere = there.with_secret(owner.secret.as_ref().unwrap());
    // The other process has cached the running game.
    assert_eq!(elsewhere.get(&format!("/v1/games/{id}/states/0")).status, 200);
    assert_eq!(owner.play(&id, 1, "!resign").status, 201);
    let holder = here.with_secret(&replace(&elsewhere, &id, 1));
    for (status, count) in [("open", 0), ("running", 0), ("finished", 1), ("aborted", 0)] {
        let listed = holder.get(&format!("/v1/me/games?status={status}"));
        assert_eq!(listed.json()["games"].as_array().unwrap().len(), count, "{status} {}", backend.name());
    }
}
