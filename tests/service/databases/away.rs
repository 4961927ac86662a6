//! The service while its database is away or hangs.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::databases::races::at_once;
use crate::harness::{Backend, Proxy, Service, backends, comes, postgres};

/// Returns a database that can be disconnected.
fn postgres_on_a_wire() -> Option<(Backend, Proxy)> {
    let backend = postgres()?;
    let wire = Proxy::to(&backend.url());
    Some((backend, wire))
}

#[test]
fn without_its_database_the_service_says_try_again_and_it_goes_on_where_it_was_when_it_is_back() {
    let Some((backend, wire)) = postgres_on_a_wire() else { return };
    let service = Service::start_on(&wire.url(&backend.url()));
    let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
    let ready = service.stranger().get("/readyz");
    assert_eq!((ready.status, &ready.json()["status"]), (200, &json!("ok")));
    wire.cut();
    for path in ["/readyz", "/v1/games", &format!("/v1/games/{id}"), &format!("/v1/games/{id}/log")] {
        let away = service.stranger().get(path);
        assert_eq!((away.problem().as_str(), away.status), ("unavailable", 503), "{path}");
        assert_eq!(away.header("retry-after"), Some("1"));
        let detail = away.json()["detail"].as_str().unwrap().to_owned();
        assert_eq!(detail, "the database is not responding. Try again");
    }
    assert_eq!(players[0].play(&id, 1, "N").problem(), "unavailable");
    assert_eq!(service.stranger().get("/livez").status, 200, "the process is well");
    let written = service.stranger().get(&format!("/v1/games/{id}/states/0"));
    assert_eq!(written.status, 200, "what is written does not change");
    wire.mend();
    assert_eq!(service.stranger().get("/readyz").status, 200);
    assert_eq!(players[0].play(&id, 1, "N").status, 201);
}

#[test]
fn a_database_that_hangs_is_waited_for_once_and_the_service_goes_on_as_soon_as_it_answers() {
    let Some((backend, wire)) = postgres_on_a_wire() else { return };
    let service = Service::start_on(&wire.url(&backend.url()));
    let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
    let stranger = service.stranger();
    wire.freeze();
    let begun = Instant::now();
    assert_eq!(players[0].play(&id, 1, "N").problem(), "unavailable");
    // The limit is a second, but the machine may be busy with other tests.
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    // One more attempt takes a tenth of a second. After that it is known to be lost, and no request waits.
    let begun = Instant::now();
    for _ in 0..25 {
        assert_eq!(stranger.get("/v1/games").problem(), "unavailable");
        assert_eq!(stranger.get(&format!("/v1/games/{id}")).problem(), "unavailable");
        assert_eq!(players[0].play(&id, 1, "N").problem(), "unavailable");
        assert_eq!(stranger.get("/readyz").problem(), "unavailable");
        assert_eq!(stranger.get("/livez").status, 200);
    }
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    wire.thaw();
    assert!(comes(3, || stranger.get("/readyz").status == 200));
    // The pending move may have arrived.
    assert!(matches!(players[0].play(&id, 1, "N").status, 200 | 201));
    assert_eq!(stranger.get("/v1/games").status, 200);
}

#[test]
fn where_one_of_two_servers_hangs_the_service_goes_on_and_starts_with_the_other_one() {
    let Some((backend, first)) = postgres_on_a_wire() else { return };
    let second = Proxy::to(&backend.url());
    let url = first.url(&backend.url()).replacen(
        &first.address(),
        &format!("{},{}", first.address(), second.address()),
        1,
    );
    let service = Service::start_on(&url);
    let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
    let stranger = service.stranger();
    assert_eq!(players[0].play(&id, 1, "N").status, 201);
    for hanging in [&first, &second] {
        hanging.freeze();
        // Two changes at once take both writing sessions.
        let rename = |name: &'static str| {
            let (player, seat) = (&players[0], format!("/v1/games/{id}/seats/1"));
            move || player.patch(&seat, json!({"name": name})).status
        };
        let renamed = at_once(vec![rename("Ann"), rename("Zoë")]);
        // All of it within twenty seconds.
        let begun = Instant::now();
        let wait = |what: &str, is_done: &dyn Fn() -> bool| {
            let left = 20_u64.saturating_sub(begun.elapsed().as_secs());
            assert!(comes(left, is_done), "{what}: {renamed:?}");
        };
        wait("ready", &|| stranger.get("/readyz").status == 200);
        wait("listed", &|| stranger.get("/v1/games").status == 200);
        wait("named", &|| {
            players[0].patch(&format!("/v1/games/{id}/seats/1"), json!({"name": "Zoë"})).status == 200
        });
        wait("created", &|| {
            service
                .player()
                .post("/v1/games", json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}))
                .status
                == 201
        });
        // Any number of silent hosts, tried before good ones.
        let [silent, good] =
            if std::ptr::eq(hanging, &first) { [&first, &second] } else { [&second, &first] };
        let hosts = [silent, silent, silent, good].map(Proxy::address).join(",");
        let anew = Service::start_on(&first.url(&backend.url()).replacen(&first.address(), &hosts, 1));
        assert_eq!(anew.stranger().get(&format!("/v1/games/{id}")).status, 200);
        hanging.thaw();
        assert_eq!(stranger.get("/readyz").status, 200);
    }
}

#[test]
fn a_change_that_takes_too_long_is_refused_and_not_written_later() {
    for backend in backends() {
        let service = Service::start(&backend);
        let player = service.player();
        let key = format!("{:032x}", rand::random::<u128>());
        let headers = [("Idempotency-Key", key.as_str())];
        let create = || {
            player.send("POST", "/v1/games", &headers, r#"{"ruleset":"marrakech/1","seats":["open","open"]}"#)
        };
        let refused = backend.while_slow(create);
        assert_eq!(refused.problem(), "unavailable");
        assert_eq!(create().status, 201, "it is not there yet, on {}", backend.name());
    }
}

/// Returns how often the thread of this name has worked.
#[cfg(target_os = "linux")]
fn turns_of(thread: &str, process: u32) -> u64 {
    use std::{fs, path::PathBuf};

    let threads = fs::read_dir(format!("/proc/{process}/task")).unwrap();
    let mut folders = threads.map(|folder| folder.unwrap().path());
    let is_named = |folder: &PathBuf| {
        fs::read_to_string(folder.join("comm")).is_ok_and(|name| name.trim_end() == thread)
    };
    let told = fs::read_to_string(folders.find(is_named).unwrap().join("schedstat")).unwrap();
    told.split_ascii_whitespace().nth(2).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn no_list_waits_for_the_thread_of_exports_though_that_was_the_first_to_ask_a_database_that_is_back() {
    const LISTS: u64 = 50;
    let Some(backend) = postgres() else { return };
    let mut service = Service::start(&backend);
    let process = service.process().id();
    let stranger = service.stranger();
    backend.end_sessions();
    assert!(comes(10, || stranger.get("/v1/export/count").status == 200));
    let before = turns_of("background", process);
    for limit in 1..=LISTS {
        assert_eq!(stranger.get(&format!("/v1/games?limit={limit}")).status, 200);
    }
    let after = turns_of("background", process);
    assert!(after - before < LISTS / 2, "it has worked {} times meanwhile", after - before);
}
