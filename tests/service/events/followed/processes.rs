//! Followers of one process while another one writes.

use std::time::{Duration, Instant};

use serde_json::json;

use super::Fold;
use crate::dice::Dice;
use crate::events::{LINES, SSE, open_game, play_on, tables};
use crate::harness::{Service, backends, postgres, sit};

#[test]
fn what_one_process_writes_is_told_by_every_other_one() {
    for (number, backend) in (1..).zip(backends()) {
        for wanted in tables() {
            let (here, there) = (Service::start(&backend), Service::start(&backend));
            let mut dice = Dice::new(number);
            let (game, players) = open_game(&here, wanted);
            let clients: Vec<_> = players
                .iter()
                .filter_map(|player| player.secret.as_deref())
                .map(|secret| there.with_secret(secret))
                .chain([there.stranger()])
                .collect();
            let mut streams: Vec<_> =
                clients.iter().map(|client| client.follow(&game, "", dice.pick(&[SSE, LINES]))).collect();
            let mut folds = vec![Fold::default(); streams.len()];
            sit(&game, &players, |_| json!({}));
            for _ in 0..12 {
                let (_, last) = play_on(&players, &game, &mut dice).unwrap();
                for ((fold, stream), client) in folds.iter_mut().zip(&mut streams).zip(&clients) {
                    fold.read_up_to(stream, last);
                    fold.check(client, &game);
                }
            }
        }
    }
}

#[test]
fn a_game_that_is_taken_down_ends_its_streams_in_every_process() {
    for backend in backends() {
        let services = [Service::start(&backend), Service::start(&backend)];
        let (game, _) = services[0].game(2, json!({}));
        let mut streams = services.each_ref().map(|service| service.stranger().follow(&game, "", SSE));
        streams.iter_mut().for_each(|stream| drop(stream.next_of("caught-up")));
        backend.take_down(&game, "spam");
        for mut stream in streams {
            let gone = stream.next().unwrap();
            assert_eq!((gone.kind(), &gone.json["code"]), ("gone", &json!("game_removed")));
            assert_eq!(gone.json["detail"], "the operator has removed this game: spam");
            assert!(stream.next().is_none());
        }
        assert_eq!(services[1].stranger().follow(&game, "", SSE).status, 410);
    }
}

#[test]
fn words_are_told_at_once_while_processes_hear_each_other_and_soon_while_they_do_not() {
    let Some(backend) = postgres() else { return };
    let (here, there) = (Service::start(&backend), Service::start(&backend));
    let mut dice = Dice::new(1);
    let (game, players) = here.game(2, json!({}));
    let mut fold = Fold::default();
    let mut stream = there.stranger().follow(&game, "", SSE);
    let mut is_told_in = |dice: &mut Dice, before: &dyn Fn()| {
        let mut times: Vec<Duration> = (0..9)
            .map(|_| {
                before();
                let (_, last) = play_on(&players, &game, dice).unwrap();
                let begun = Instant::now();
                fold.read_up_to(&mut stream, last);
                begun.elapsed()
            })
            .collect();
        times.sort();
        fold.check(&there.stranger(), &game);
        times
    };
    // Without notifications, a process polls once a second, and the median would be half of that.
    let heard = is_told_in(&mut dice, &|| ());
    assert!(heard[4] < Duration::from_millis(250), "{heard:?}");
    // It hears nothing more, listens again, and is cut off again.
    let deafen = || {
        let deaf = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE 'LISTEN assam_games%' \
             AND application_name = current_setting('application_name')";
        backend.script(deaf);
    };
    let unheard = is_told_in(&mut dice, &deafen);
    assert!(unheard[8] < Duration::from_secs(5), "{unheard:?}");
}

#[test]
fn a_reader_that_never_reads_costs_nobody_anything_and_is_told_everything_once_it_reads() {
    for backend in backends() {
        let service = Service::start(&backend);
        let (game, players) = service.table("marrakesh/1", &["open", "open"], json!({}));
        let names: Vec<String> = (0..400).map(|n| format!("{n} {}", "x".repeat(40))).collect();
        let rename = |name: &str| {
            assert_eq!(
                players[0].patch(&format!("/v1/games/{game}/seats/1"), json!({"name": name})).status,
                200
            );
        };
        let mut idle = service.stranger().follow(&game, "", SSE);
        let mut fold = Fold::default();
        while !fold.is_caught_up {
            fold.take(&idle.next().unwrap());
        }
        for name in &names {
            rename(name);
        }
        let mut dice = Dice::new(3);
        let (_, last) = play_on(&players, &game, &mut dice).unwrap();
        fold.read_up_to(&mut idle, last);
        fold.check(&service.stranger(), &game);
        assert_eq!(fold.seats[0]["name"], *names.last().unwrap());
    }
}
