//! A full disk: what is refused, what is kept, and how the service notices that there is room again.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::{Client, Service, comes, postgres, soon, sqlite};

/// Limits the size of every file that a process writes, which any user may do, as if each file had a disk of
/// this size.
fn limit(process: u32, bytes: &str) {
    let process = process.to_string();
    // Only the soft limit, so that it can be raised again.
    let fsize = format!("--fsize={bytes}:unlimited");
    let set = Command::new("prlimit").args(["--pid", &process, &fsize]).output().unwrap();
    assert!(set.status.success(), "{set:?}");
}

/// Plays a game of Marrakech as long as moves are written. Returns those, and the answer to the first one
/// refused.
fn play_until_refused(id: &str, players: &[Client<'_>], ply: &mut u64) -> (Vec<(u64, Value)>, String) {
    let mut written = Vec::new();
    loop {
        let due = players[0].get(&format!("/v1/games/{id}/legal-moves")).json();
        let Some(seat) = due["seat"].as_u64() else { return (written, "over".to_owned()) };
        let decision = due["moves"][0].as_str().unwrap().to_owned();
        let answer = players[seat as usize - 1].play(id, *ply, &decision);
        if answer.status != 201 {
            return (written, answer.problem());
        }
        written.push((*ply, answer.json()["words"][0].clone()));
        *ply += 1;
    }
}

fn wait_for(service: &Service, status: u16) -> String {
    let ready = soon(10, || {
        let ready = service.stranger().get("/readyz");
        (ready.status == status).then_some(ready.text)
    });
    ready.unwrap_or_else(|| panic!("/readyz does not answer with {status}"))
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_full_disk_moves_are_refused_nothing_is_lost_and_the_service_finds_out_by_itself_that_there_is_room() {
    let backend = sqlite();
    let mut service = Service::start_with(&backend, &["--metrics-listen", "127.0.0.1:0"]);
    let process = service.process().id();
    let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
    let writable = |service: &Service| service.metrics().contains("assam_database_writable 1\n");
    assert!(writable(&service));
    assert_eq!(service.stranger().get("/readyz").status, 200);
    let mut ply = 1;
    // Room for some moves in the write-ahead log, beyond what startup has written.
    let log = backend.url().strip_prefix("sqlite:").unwrap().to_owned() + "-wal";
    limit(process, &(fs::metadata(log).unwrap().len() + 130_000).to_string());
    let (written, refused) = play_until_refused(&id, &players, &mut ply);
    assert!(written.len() > 3, "{written:?}");
    assert_eq!(refused, "unavailable");
    let ready = service.stranger().get("/readyz");
    assert_eq!((ready.status, ready.problem().as_str()), (503, "cannot_write"));
    assert_eq!(ready.header("retry-after"), Some("1"));
    assert!(!writable(&service));
    // Reads still work, and everything acknowledged is there.
    for (ply, word) in &written {
        assert_eq!(&service.stranger().get(&format!("/v1/games/{id}/moves/{ply}")).json()["word"], word);
    }
    let head = service.stranger().get(&format!("/v1/games/{id}")).json()["head"]["ply"].clone();
    assert_eq!(head, ply - 1, "nothing was written that was refused");
    // No client writes now.
    limit(process, "unlimited");
    wait_for(&service, 200);
    assert!(writable(&service));
    let (more, _) = play_until_refused(&id, &players, &mut ply);
    assert!(!more.is_empty());
}

#[test]
fn a_postgres_with_a_full_disk_makes_the_service_unready_until_it_can_write_again() {
    let Some(backend) = postgres() else { return };
    let service = Service::start(&backend);
    let wanted =
        || service.player().post("/v1/games", json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}));
    assert_eq!(wanted().status, 201);
    backend.while_full(|| {
        assert_eq!(wanted().problem(), "unavailable");
        // It retries each second, and finds that it still cannot write.
        assert!(!comes(3, || service.stranger().get("/readyz").problem() != "cannot_write"));
    });
    wait_for(&service, 200);
    assert_eq!(wanted().status, 201);
    assert!(backend.sabotage("DELETE FROM records").is_ok_and(|rows| rows == 0), "the trial left nothing");
}
