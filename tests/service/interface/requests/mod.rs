//! Requests that are malformed, too large, or sent to the wrong place.

mod bodies;
mod mistyped;
mod paths;
mod untyped;

use serde_json::json;

use crate::harness::{Client, Service};

/// Returns a game of two with a ply 1, on a service with SQLite.
fn scene(service: &Service) -> (String, Vec<Client<'_>>) {
    let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
    assert_eq!(players[0].play(&id, 1, "N").status, 201);
    (id, players)
}
