//! How much memory the service takes, however long it runs: the short form of `scripts/bench --only memory`.

use std::fs;

use serde_json::json;

use crate::harness::{Service, sqlite};

/// So many games there are before the memory is looked at, and so many more each time until it is looked at again.
const GAMES: u64 = 300;
/// How many bytes more it may have for each of the games between two looks.
const MORE: u64 = 2_500;
/// How often it is looked at: what is kept of every game makes it more each time; tables and pages of the database that fill,
/// and new threads, do so now and then.
const LOOKS: usize = 7;

/// How much memory a process has of its own, in bytes: without pages of files, which come and go as others use the machine.
fn own_memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() * 1024
}

/// Games with a move and everything that can be read of them.
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
