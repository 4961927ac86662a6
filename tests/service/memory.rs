//! How much memory the service takes, however long it runs: the short form of `scripts/bench --only memory`.

use std::fs;

use serde_json::json;

use crate::harness::{Service, backends};

/// So many games there are before the memory is looked at, and twice as many more until it is looked at again.
const GAMES: u64 = 300;
/// How many bytes more it may have then for each of the games: a new thread or a fuller table takes a megabyte once, which is
/// a third of that. What is kept of a game with its responses is twice as much.
const MORE: u64 = 5 * 1024;

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
    for backend in backends() {
        let mut service = Service::start_with(&backend, &["--cache", "1", "--workers", "1"]);
        use_it(&service, GAMES);
        let process = service.process().id();
        let before = own_memory(process);
        use_it(&service, 2 * GAMES);
        let more = own_memory(process).saturating_sub(before) / (2 * GAMES);
        println!("{}: {more} bytes more for each game", backend.name());
        assert!(more < MORE, "{}: {more} bytes more for each game", backend.name());
    }
}
