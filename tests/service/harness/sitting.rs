//! People who sit down.

use serde_json::{Value, json};

use super::Client;

/// Each player takes the seat of their place in the list, with the body for its number; strangers take none.
pub(crate) fn sit(id: &str, players: &[Client<'_>], mut body: impl FnMut(usize) -> Value) {
    for (number, player) in (1..).zip(players).filter(|(_, player)| player.secret.is_some()) {
        let mut body = body(number);
        if body.get("entropy").is_some() {
            body = with_entropy(player, &format!("/v1/games/{id}"), body["entropy"].as_str().unwrap());
        }
        let taken = player.put(&format!("/v1/games/{id}/seats/{number}"), body);
        assert_eq!(taken.status, 201, "{}", taken.text);
    }
}

/// A body that takes a seat with entropy, and with the commitment and the seats that the game at this path shows.
pub(crate) fn with_entropy(player: &Client<'_>, path: &str, entropy: &str) -> Value {
    let game = player.get(path).json();
    json!({"entropy": entropy, "commitment": game["commitment"], "seats_digest": game["seats_digest"]})
}
