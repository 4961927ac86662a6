//! Time charged to no player: while no process served, and when the machine's clock was set.

use super::{HOUR, beyond, clock, left, let_time_pass, on_the_clock};
use crate::harness::{Backend, Service, comes, sqlite};

/// Waits until a process has recorded that it serves.
fn wait_for_a_note(backend: &Backend) {
    assert!(comes(60, || backend.sabotage("UPDATE heartbeat SET at = at") == Ok(1)));
}

/// Makes everything in a database without a service so much older.
fn let_everything_age(backend: &Backend, milliseconds: u64) {
    backend.sabotage(&format!("UPDATE heartbeat SET at = at - {milliseconds}")).unwrap();
    let clocks = format!(
        "UPDATE games SET clock_since = clock_since - {milliseconds}, clock_until = clock_until - {milliseconds} \
         WHERE clock_since IS NOT NULL"
    );
    backend.sabotage(&clocks).unwrap();
}

#[test]
fn time_in_which_no_process_served_is_charged_to_nobody_however_the_last_one_ended() {
    let backend = sqlite();
    let mut secrets = Vec::new();
    let (short, long);
    {
        let service = Service::start(&backend);
        let (id, players) = on_the_clock(&service, 2, 60, 0);
        secrets.extend(players.iter().map(|player| player.secret.clone().unwrap()));
        short = id;
        let (id, players) = on_the_clock(&service, 2, 600, 0);
        secrets.extend(players.iter().map(|player| player.secret.clone().unwrap()));
        long = id;
        // This time was already used, and stays used.
        wait_for_a_note(&backend);
        let_time_pass(&backend, &long, 100_000);
        // Dropped, and so killed.
    }
    let_everything_age(&backend, HOUR);
    let service = Service::start(&backend);
    let first = service.with_secret(&secrets[0]);
    let moved = first.play(&short, 1, "N");
    assert_eq!(moved.status, 201, "{}", moved.text);
    assert!((50_000..=60_000).contains(&left(&moved.json()["clock"], 1)), "{}", moved.text);
    let third = service.with_secret(&secrets[2]);
    let moved = third.play(&long, 1, "N");
    assert!((490_000..=500_000).contains(&left(&moved.json()["clock"], 1)), "{}", moved.text);
    drop(service);

    // It ended before it recorded anything of this game.
    let_everything_age(&backend, HOUR);
    backend.sabotage("DELETE FROM heartbeat").unwrap();
    let service = Service::start(&backend);
    let before = left(&clock(&service.stranger(), &long), 1);
    let moved = service.with_secret(&secrets[2]).play(&long, 2, &rug(&service, &secrets[2], &long));
    assert_eq!(moved.status, 201, "{}", moved.text);
    assert!(before - left(&moved.json()["clock"], 1) < 10_000, "{}", moved.text);
    // No seat times out for the time since, only for time used from now on.
    let_time_pass(&backend, &short, 60_000);
    assert_eq!(beyond(&service.stranger(), &short, 1)["status"], "finished");
}

/// Returns the first legal move of a player.
fn rug(service: &Service, secret: &str, id: &str) -> String {
    let legal = service.with_secret(secret).get(&format!("/v1/games/{id}/legal-moves")).json();
    legal["moves"][0].as_str().unwrap().to_owned()
}

#[test]
fn while_another_process_serves_time_goes_on() {
    let backend = sqlite();
    let stays = Service::start(&backend);
    let (id, players) = on_the_clock(&stays, 2, 600, 0);
    wait_for_a_note(&backend);
    drop(Service::start(&backend));
    let_time_pass(&backend, &id, 100_000);
    let new = Service::start(&backend);
    let player = new.with_secret(players[0].secret.as_ref().unwrap());
    let moved = player.play(&id, 1, "N");
    assert!((490_000..=500_000).contains(&left(&moved.json()["clock"], 1)), "{}", moved.text);
}

#[test]
fn a_clock_of_the_machine_that_jumps_back_charges_nothing() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = on_the_clock(&service, 2, 600, 5);
    let_time_pass(&backend, &id, -(HOUR as i64));
    let moved = players[0].play(&id, 1, "N");
    assert_eq!(moved.status, 201, "{}", moved.text);
    assert_eq!(left(&moved.json()["clock"], 1), 605_000);
    let next = rug(&service, players[0].secret.as_ref().unwrap(), &id);
    let moved = players[0].play(&id, 2, &next);
    assert!((600_001..=610_000).contains(&left(&moved.json()["clock"], 1)), "{}", moved.text);
}
