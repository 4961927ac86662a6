//! Followers that resume at every ply and every byte.

use serde_json::json;

use super::Fold;
use crate::dice::Dice;
use crate::events::{LINES, SSE, open_game, play_on, tables};
use crate::harness::{Backend, Client, Service, Stream, backends, sit};

/// How many moves are played before a seat resigns in a long game.
const MOVES: u32 = 40;

/// A client that follows a game from before its start to its end, with its knowledge after each ply.
struct Live<'a> {
    client: Client<'a>,
    stream: Stream,
    fold: Fold,
    after: Vec<Fold>,
}

impl<'a> Live<'a> {
    fn of(client: Client<'a>, game: &str, form: &'static str) -> Self {
        Self { stream: client.follow(game, "", form), client, fold: Fold::default(), after: Vec::new() }
    }

    fn read_up_to(&mut self, ply: u64) {
        for next in self.after.len() as u64..=ply {
            self.fold.read_up_to(&mut self.stream, next);
            self.after.push(self.fold.clone());
        }
    }

    /// Resumes after a written ply. The same words come again and give the same log.
    fn resume(&self, game: &str, ply: u64, dice: &mut Dice) -> Fold {
        let mut fold = self.after[ply as usize].clone();
        let form = dice.pick(&[SSE, LINES]);
        let mut stream = match dice.below(3) {
            0 => self.client.follow(game, &format!("?follow=false&since={ply}"), form),
            1 => self.client.follow(game, &format!("?since={}&follow=false", fold.id), form),
            _ => self.client.follow_after(game, &fold.id, form, usize::MAX),
        };
        fold.is_caught_up = false;
        while !fold.is_caught_up {
            fold.take(&stream.next().unwrap());
        }
        if self.fold.over.is_some() {
            fold.read(stream);
        }
        assert!(fold.is_caught_up && fold.resets == 0);
        assert_eq!(fold.told, self.fold.told, "the same messages as to who followed all the time");
        fold
    }
}

/// Plays a whole game with a follower for every client.
fn follow_whole_game(backend: &Backend, number: u64, wanted: serde_json::Value) {
    let service = Service::start(backend);
    let mut dice = Dice::new(number);
    let (game, players) = open_game(&service, wanted);
    let mut live: Vec<Live<'_>> = players
        .iter()
        .filter(|player| player.secret.is_some())
        .chain([&service.stranger(), &service.player()])
        .map(|client| Live::of(client.clone(), &game, dice.pick(&[SSE, LINES])))
        .collect();
    sit(&game, &players, |_| json!({}));
    let head = players[0].get(&format!("/v1/games/{game}")).json()["head"]["ply"].as_u64().unwrap();
    live.iter_mut().for_each(|live| live.read_up_to(head));
    let mut leaving = players.iter().filter(|player| player.secret.is_some());
    for moves in 0.. {
        let last = if moves < MOVES {
            play_on(&players, &game, &mut dice).map(|(_, last)| last)
        } else {
            let left = leaving.next().map(|seat| seat.play(&game, live[0].after.len() as u64, "!resign"));
            left.filter(|left| left.status == 201).map(|left| left.json()["head"]["ply"].as_u64().unwrap())
        };
        let Some(last) = last else { break };
        for live in &mut live {
            live.read_up_to(last);
            live.fold.check(&live.client, &game);
            let from = dice.below(last + 1);
            live.resume(&game, from, &mut dice).check(&live.client, &game);
        }
    }
    let seed = players[0].get(&format!("/v1/games/{game}")).json();
    for mut live in live {
        live.fold.take(&live.stream.next().unwrap());
        assert!(live.stream.next().is_none(), "the end ends the stream");
        let over = live.fold.over.clone().unwrap();
        assert_eq!((&over["result"], &over["seed"]), (&seed["result"], &seed["seed"]));
        live.fold.check(&live.client, &game);
        for ply in 0..live.after.len() as u64 {
            let fold = live.resume(&game, ply, &mut dice);
            assert_eq!(fold.over, live.fold.over);
            fold.check(&live.client, &game);
        }
        // Behind the end there is nothing.
        assert_eq!(live.client.follow_after(&game, &live.fold.id, SSE, usize::MAX).status, 204);
        assert_eq!(live.client.get(&format!("/v1/games/{game}/events?since={}", live.fold.id)).status, 204);
    }
}

#[test]
fn whoever_resumes_after_any_ply_is_told_exactly_what_the_others_are() {
    for backend in backends() {
        for (number, wanted) in (1..).zip(tables()) {
            follow_whole_game(&backend, number, wanted);
        }
    }
}

#[test]
fn a_stream_that_is_cut_at_any_byte_is_resumed_without_a_loss_and_without_a_double() {
    for (number, backend) in (1..).zip(backends()) {
        for wanted in tables() {
            let service = Service::start(&backend);
            let mut dice = Dice::new(number);
            let (game, players) = open_game(&service, wanted);
            let clients: Vec<Client<'_>> = players
                .iter()
                .filter(|player| player.secret.is_some())
                .cloned()
                .chain([service.stranger()])
                .collect();
            let mut folds: Vec<Fold> = vec![Fold::default(); clients.len()];
            sit(&game, &players, |_| json!({}));
            let (mut moves, mut cuts) = (0, 0);
            while folds.iter().any(|fold| fold.over.is_none()) {
                moves += 1;
                if moves >= MOVES {
                    let path = format!("/v1/games/{game}");
                    let next = players[0].get(&path).json()["head"]["ply"].as_u64().unwrap() + 1;
                    // Seats that have left refuse more, as do finished games.
                    clients[moves as usize % clients.len()].play(&game, next, "!resign");
                } else {
                    play_on(&players, &game, &mut dice);
                }
                for (client, fold) in clients.iter().zip(&mut folds).filter(|(_, fold)| fold.over.is_none()) {
                    let form = dice.pick(&[SSE, LINES]);
                    // A snapshot takes a few kilobytes, a word a few hundred bytes.
                    let range = dice.pick(&[200, 2000, 10_000]);
                    let cut = dice.below(range) as usize;
                    let stream = match fold.id.as_str() {
                        "" => client.follow_with(&game, "?follow=false", &[("Accept", form)], cut),
                        id => {
                            let path = format!("?follow=false&since={id}");
                            client.follow_with(&game, &path, &[("Accept", form)], cut)
                        }
                    };
                    fold.is_caught_up = false;
                    // Partial messages do not count.
                    fold.read(stream);
                    cuts += u64::from(!fold.is_caught_up);
                    if fold.is_caught_up {
                        fold.check(client, &game);
                    }
                }
            }
            assert!(cuts > 10, "{cuts}");
            folds.iter().zip(&clients).for_each(|(fold, client)| fold.check(client, &game));
        }
    }
}
