//! Commits by a distributed PostgreSQL on only some of its servers. Citus warns of them if a server is lost
//! between the two phases of a commit.

use serde_json::json;

use crate::harness::{AS_IF_DISTRIBUTED, Service, postgres, sit};

/// Makes further commits of games give this warning.
fn warn(message: &str) -> String {
    format!(
        "CREATE OR REPLACE FUNCTION be_half_committed() RETURNS trigger LANGUAGE plpgsql AS \
         'BEGIN RAISE WARNING ''{message}''; RETURN NULL; END'; \
         DROP TRIGGER IF EXISTS be_half_committed ON games; \
         CREATE CONSTRAINT TRIGGER be_half_committed AFTER INSERT OR UPDATE ON games DEFERRABLE INITIALLY DEFERRED \
         FOR EACH ROW EXECUTE FUNCTION be_half_committed()"
    )
}

#[test]
fn a_word_is_acknowledged_only_once_every_server_has_committed_it() {
    let Some(backend) = postgres() else { return };
    let service = Service::start(&backend);
    let (id, players) = service.game(2, json!({}));
    backend.script(&warn("something else"));
    assert_eq!(players[0].play(&id, 1, "N").status, 201);
    backend.script(&warn("failed to commit transaction on 127.0.0.1:5433"));
    let due = players[0].get(&format!("/v1/games/{id}/legal-moves")).json();
    let (ply, decision) = (due["ply"].as_u64().unwrap(), due["moves"][0].as_str().unwrap().to_owned());
    let refused = players[0].play(&id, ply, &decision);
    assert_eq!((refused.status, refused.problem().as_str()), (503, "unavailable"), "{}", refused.text);
    assert!(refused.header("Retry-After").is_some());
    let new =
        service.player().post("/v1/games", json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}));
    assert_eq!(new.status, 503, "{}", new.text);
    backend.script("DROP FUNCTION be_half_committed CASCADE");
    // Here it was written.
    let repeated = players[0].play(&id, ply, &decision);
    assert_eq!(repeated.status, 200, "{}", repeated.text);
    assert_eq!(repeated.json()["ply"], ply);
}

#[test]
fn whoever_follows_their_own_games_is_told_of_a_start_that_was_not_acknowledged_once_it_shows() {
    let Some(backend) = postgres() else { return };
    let (here, there) = (Service::start(&backend), Service::start(&backend));
    let (player, other) = (here.player(), here.player());
    let new = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
    let id = player.post("/v1/games", new).json()["id"].as_str().unwrap().to_owned();
    sit(&id, std::slice::from_ref(&player), |_| json!({}));
    let secret = player.secret.as_deref().unwrap();
    let mut streams = [&here, &there]
        .map(|service| service.with_secret(secret).stream("/v1/me/events", "application/x-ndjson"));
    for stream in &mut streams {
        assert_eq!(stream.next().unwrap().kind(), "caught-up");
    }
    backend.script(&warn("failed to commit transaction on 127.0.0.1:5433"));
    let refused = other.put(&format!("/v1/games/{id}/seats/2"), json!({}));
    assert_eq!(refused.status, 503, "{}", refused.text);
    for stream in &mut streams {
        // Before a heartbeat: followers need not wait until the lists are read again.
        let told = stream.next().unwrap();
        assert_eq!((told.kind(), told.json["game"]["id"].as_str()), ("turn", Some(id.as_str())));
    }
    backend.script("DROP FUNCTION be_half_committed CASCADE");
}

#[test]
fn whoever_follows_their_own_games_is_told_of_one_that_is_listed_before_its_server_shows_that_it_runs() {
    let Some(backend) = postgres() else { return };
    drop(Service::start(&backend));
    backend.script(AS_IF_DISTRIBUTED);
    let service = Service::start(&backend);
    let (id, players) = service.game(2, json!({}));
    let game = backend.id(&id);
    backend.script(&format!(
        "CREATE TABLE whole AS SELECT * FROM games WHERE id = {game}; SET session_replication_role = replica; \
         UPDATE games SET revision = 0, status = 0, started_at = NULL, ply = NULL, head = NULL, log = '' WHERE id = {game}"
    ));
    let mut stream = players[0].stream("/v1/me/events", "application/x-ndjson");
    assert_eq!(stream.next().unwrap().kind(), "caught-up");
    backend.script(&format!(
        "SET session_replication_role = replica; DELETE FROM games WHERE id = {game}; \
         INSERT INTO games SELECT * FROM whole"
    ));
    let told = stream.next().unwrap();
    assert_eq!((told.kind(), told.json["game"]["id"].as_str()), ("turn", Some(id.as_str())));
}
