//! Games on the clock: time left, lost on time, and time charged to no player.

mod flags;
mod pauses;
mod shown;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::harness::{Backend, Client, Service};

const HOUR: u64 = 3_600_000;

/// Returns a game of Marrakech for so many players with a clock of these seconds, ready to play.
fn on_the_clock(service: &Service, seats: usize, initial: u32, increment: u32) -> (String, Vec<Client<'_>>) {
    let clock = json!({"initial": initial, "increment": increment});
    service.seated(json!({"ruleset": "marrakech/1", "seats": vec!["open"; seats], "clock": clock}))
}

/// Returns the clock of a game.
fn clock(client: &Client<'_>, id: &str) -> Value {
    client.get(&format!("/v1/games/{id}")).json()["clock"].clone()
}

/// Returns the time left for a seat, in milliseconds.
fn left(clock: &Value, seat: usize) -> u64 {
    clock["remaining"][seat - 1].as_u64().unwrap()
}

/// Returns when a clock started, in milliseconds since 1970.
fn since(clock: &Value) -> u64 {
    let since: Timestamp = clock["since"].as_str().unwrap().parse().unwrap();
    since.as_millisecond() as u64
}

/// Makes the clock of a game run so much longer. A negative time acts as if the machine's clock had been set
/// back.
fn let_time_pass(backend: &Backend, id: &str, milliseconds: i64) {
    let sql = format!(
        "UPDATE games SET clock_since = clock_since - ({milliseconds}), clock_until = clock_until - ({milliseconds}), \
         revision = revision + 1 WHERE id = {}",
        backend.id(id)
    );
    assert_eq!(backend.sabotage(&sql), Ok(1));
}

/// Waits until a game is beyond a ply, and returns it.
fn beyond(client: &Client<'_>, id: &str, ply: u64) -> Value {
    let game = client.get(&format!("/v1/games/{id}?wait=60&since={ply}")).json();
    assert!(game["head"]["ply"].as_u64().unwrap() > ply, "{game}");
    game
}

/// Returns the words of a game.
fn words(client: &Client<'_>, id: &str) -> Vec<String> {
    let log =
        client.send("GET", &format!("/v1/games/{id}/log"), &[("Accept", "application/json")], "").json();
    log["words"].as_array().unwrap().iter().map(|word| word["word"].as_str().unwrap().to_owned()).collect()
}
