//! Clients that open a stream and never read it.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use super::SSE;
use crate::databases::races::at_once;
use crate::harness::{Service, Stream, sqlite};

/// How many clients read nothing.
const SILENT: usize = 30;
/// The bytes sent to each of them: more than the kernel buffers for an unread stream (4 MiB to send).
const FULL: usize = 7_000_000;
/// How many clients create games.
const CREATORS: usize = 8;
/// The most memory that a service may use for all of them: far less than if it kept all unsent bytes.
const MOST: usize = 40_000_000;

/// Returns the memory of a service in bytes.
fn memory(service: &mut Service) -> usize {
    let pages = fs::read_to_string(format!("/proc/{}/statm", service.process().id())).unwrap();
    pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

#[test]
fn streams_that_are_never_read_take_no_memory_and_hold_up_no_end_and_who_reads_at_last_is_told_everything() {
    let backend = sqlite();
    // Cached games would count.
    let mut service = Service::start_with(&backend, &["--cache", "0"]);
    let mut silent: Vec<Stream> = (0..SILENT).map(|_| service.stranger().stream("/v1/events", SSE)).collect();
    // The first one reads in the end, and quickly.
    silent[1..].iter().for_each(Stream::keep_little);
    let owner = service.player().secret.unwrap();
    let name = "\u{1F42A}".repeat(40);
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open", "open", "open"],
        "take": {"seat": 1, "name": name}});
    // By several at once, as a client that takes nothing for half a minute is disconnected.
    let create = |service: &Service, count: usize| {
        let some = |nth: usize| {
            let (owner, wanted) = (&owner, &wanted);
            move || {
                let owner = service.with_secret(owner);
                for _ in (nth..count).step_by(CREATORS) {
                    assert_eq!(owner.post("/v1/games", wanted.clone()).status, 201);
                }
            }
        };
        at_once((0..CREATORS).map(some).collect());
    };
    create(&service, 1);
    service.wait_for_feed(1);
    let entry = service.stranger().get("/v1/events?since=0&follow=false").text.len();
    let entries = 200 + FULL / entry;
    let before = memory(&mut service);
    create(&service, entries - 1);
    service.wait_for_feed(entries as u64);
    let grown = memory(&mut service).saturating_sub(before);
    println!("on {}: {entries} entries of {entry} bytes, {grown} bytes more", backend.name());
    assert!(grown < MOST, "{grown}");
    let mut last = 0;
    while last < entries as u64 {
        let told = silent[0].next().unwrap();
        let position = told.json["position"].as_u64().unwrap();
        match told.kind() {
            "game" => {
                assert_eq!(position, last + 1);
                last = position;
            }
            _ => assert_eq!(position, last),
        }
    }
    let process = service.process();
    let begun = Instant::now();
    assert!(Command::new("kill").args(["-TERM", &process.id().to_string()]).status().unwrap().success());
    assert!(process.wait().unwrap().success());
    assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
}
