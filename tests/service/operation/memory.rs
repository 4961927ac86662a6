//! The memory of a long-running service: the short form of `scripts/bench --only memory`.

use std::fs;

use serde_json::json;

use crate::harness::{Service, sqlite};

/// The number of games before the first measurement, and between further ones.
const GAMES: u64 = 300;
/// The bytes that memory may grow for each game between two measurements.
const MORE: u64 = 2_500;
/// The number of measurements. Leaks grow at each of them, while database caches and new threads grow now and
/// then.
const LOOKS: usize = 7;

/// Returns the private memory of a process in bytes, without file pages, which depend on other processes.
fn own_memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() * 1024
}

/// Plays games with a move, and reads everything about them.
fn use_it(service: &Service, games: u64) {
    for _ in 0..games {
        let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
        assert_eq!(players[0].play(&id, 1, "N").status, 201);
        for part in ["", "/log", "/states/1", "/states/1.svg", "/score", "/legal-moves", "/proof"] {
            for encoding in ["identity", "gzip"] {
                let path = format!("/v1/games/{id}{part}");
                let answer = players[1].send("GET", &path, &[("Accept-Encoding", encoding)], "");
                assert_eq!(answer.status, 200);
            }
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_service_that_has_filled_its_cache_takes_no_more_memory_however_many_games_are_played() {
    let backend = sqlite();
    let mut service = Service::start_with(&backend, &["--cache", "1", "--workers", "1"]);
    let process = service.process().id();
    let mut sizes = Vec::new();
    let is_flat = (0..LOOKS).any(|_| {
        use_it(&service, GAMES);
        sizes.push(own_memory(process));
        matches!(sizes[..], [.., before, now] if now.saturating_sub(before) < MORE * GAMES)
    });
    println!("{}: {sizes:?} bytes", backend.name());
    assert!(is_flat, "{}: {sizes:?} bytes", backend.name());
}
