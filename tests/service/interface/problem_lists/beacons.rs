//! Problems of requests about beacons.

use serde_json::json;

use super::{Body, Caused, NOBODY, json_with, running};
use crate::harness::{Drand, Service};

/// Sends rounds that no game accepts, and requests refused while a game waits for its beacon.
pub(super) fn beacons(service: &Service, caused: &mut Caused) {
    let (game, [owner, guest], round) = service.waiting_for_beacon();
    let deliver = |game: &str| format!("{game}/beacon");
    let open = json_with(&json!({"beacon": Drand::of_tests().name()}));
    let Body::Json(open) = open else { unreachable!() };
    let open = owner.post("/v1/games", open).header("location").unwrap().to_owned();
    let (plain, _) = running(service);
    for (client, path, code) in [
        (&service.with_secret("0"), &game, "unauthenticated"),
        (&owner, &format!("/v1/games/{NOBODY}"), "game_not_found"),
        (&owner, &format!("/v1/games/{plain}"), "beacon_not_found"),
        (&owner, &open, "not_started"),
    ] {
        assert_eq!(caused.ask(client, "PUT", &deliver(path), &Body::Json(round.clone())), code);
    }
    let wrong = Body::Json(Drand::with_key(8).round(round["round"].as_u64().unwrap()));
    assert_eq!(caused.ask(&owner, "PUT", &deliver(&game), &wrong), "beacon_refused");
    for path in [&game, &format!("{game}/seats/1")] {
        assert_eq!(caused.ask(&owner, "DELETE", path, &Body::None), "waiting_for_beacon");
    }
    let moves = format!("{game}/moves/1");
    assert_eq!(caused.ask(&guest, "PUT", &moves, &Body::Json(json!({"move": "N"}))), "not_started");
}
