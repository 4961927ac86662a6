//! PostgreSQL without triggers, like some engines that speak its protocol.

use serde_json::{Value, json};

use crate::databases::races::{at_once, first};
use crate::games::playthrough::play_to_the_end;
use crate::harness::{NO_TRIGGER_FIRES, Service, assam, out, postgres};

#[test]
fn games_are_played_to_their_end_where_no_trigger_fires() {
    let Some(backend) = postgres() else { return };
    let url = backend.url() + NO_TRIGGER_FIRES;
    let [one, other] = [Service::start_on(&url), Service::start_on(&url)];
    for ruleset in ["marrakech/1", "marrakesh/1"] {
        let (id, players) = one.table(ruleset, &["open", "open"], json!({}));
        play_to_the_end(&id, &players, &json!(ruleset));
        assert_eq!(other.stranger().get(&format!("/v1/games/{id}")).json()["status"], "finished");
    }
    let audited = assam(&["audit", "--database", &backend.url()], "");
    assert!(audited.status.success(), "{}", out(&audited));
}

#[test]
fn a_ply_has_one_winner_and_the_id_of_a_removed_game_is_spent_where_no_trigger_fires() {
    let Some(backend) = postgres() else { return };
    let url = backend.url() + NO_TRIGGER_FIRES;
    let [one, other] = [Service::start_on(&url), Service::start_on(&url)];
    let (id, players) = one.game(2, json!({}));
    let there = other.with_secret(players[0].secret.as_ref().unwrap());
    let words = ["N", "E"];
    let sent = [&players[0], &there].into_iter().zip(words);
    let answers =
        at_once(sent.map(|(client, word)| || (word.to_owned(), client.play(&id, 1, word))).collect());
    let ((_, won), lost) = first(answers);
    assert_eq!(lost[0].problem(), "ply_taken", "{}", won.text);

    let owner = one.player();
    let key = format!("{:032x}", rand::random::<u128>());
    let create = || {
        let headers = [("Idempotency-Key", key.as_str()), ("Content-Type", "application/json")];
        let body = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
        owner.send("POST", "/v1/games", &headers, body.to_string())
    };
    let id: Value = create().json()["id"].clone();
    assert_eq!(owner.send("DELETE", &format!("/v1/games/{}", id.as_str().unwrap()), &[], "").status, 204);
    assert_eq!(create().problem(), "idempotency_mismatch");
}
