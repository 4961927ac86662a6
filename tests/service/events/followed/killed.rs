//! Followers of games whose streams are cut at any byte, whose database sessions end, and whose processes are
//! killed and restarted.
//!
//! The normal test has a few hundred resumes. For a long run that also kills PostgreSQL:
//! `ASSAM_TEST_RESUMES=1000000 cargo test --release -p assam --test service -- events::killed`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::{env, iter};

use parking_lot::Mutex;
use serde_json::json;

use super::Fold;
use crate::dice::Dice;
use crate::events::{LINES, SSE, open_game_by, play_on_by, tables};
use crate::harness::{Answer, Backend, Service, backends};

/// The default number of resumes.
const RESUMES: u64 = 400;
/// Maximum number of moves of a game. A long run has no limit.
const MOVES: u64 = 30;
/// The number of resumes between two faults.
const LIFE: u64 = 5;
/// The same in a long run, as a process takes longer to start than a follower to resume.
const LONG_LIFE: u64 = 500;

/// Two processes on one database. Either may be replaced at any time. Using a process does not keep it
/// alive.
struct Processes<'a> {
    backend: &'a Backend,
    alive: [Mutex<Arc<Service>>; 2],
    /// Whether this is a long run, which may kill PostgreSQL.
    is_alone: bool,
    resumes: AtomicU64,
    kills: AtomicU64,
    crashes: AtomicU64,
}

impl<'a> Processes<'a> {
    fn start(backend: &'a Backend, is_alone: bool) -> Self {
        let alive = [(); 2].map(|()| Mutex::new(Arc::new(Service::start(backend))));
        let [resumes, kills, crashes] = [(); 3].map(|()| AtomicU64::new(0));
        Self { backend, alive, is_alone, resumes, kills, crashes }
    }

    fn get(&self, number: u64) -> Arc<Service> {
        Arc::clone(&self.alive[number as usize].lock())
    }

    /// Kills a process, ends all sessions of the database, or kills the database.
    fn strike(&self, dice: &mut Dice) {
        match dice.below(20) {
            0 if self.is_alone => {
                self.backend.crash();
                self.crashes.fetch_add(1, Ordering::Relaxed);
            }
            0 | 1 => self.backend.end_sessions(),
            _ => self.kill(dice.below(2)),
        }
    }

    fn kill(&self, number: u64) {
        let killed = {
            let mut alive = self.alive[number as usize].lock();
            std::mem::replace(&mut *alive, Arc::new(Service::start(self.backend)))
        };
        killed.kill();
        self.kills.fetch_add(1, Ordering::Relaxed);
    }
}

/// Follows one game to its end, resuming again and again. Requests a fault after every so many resumes of all
/// followers.
fn follow(
    processes: &Processes<'_>,
    game: &str,
    secret: Option<&str>,
    seed: u64,
    strike: &SyncSender<()>,
) -> Fold {
    let (mut dice, mut fold) = (Dice::new(seed), Fold::default());
    let life = if processes.is_alone { LONG_LIFE } else { LIFE };
    while fold.over.is_none() {
        let service = processes.get(dice.below(2));
        let client = match secret {
            Some(secret) => service.with_secret(secret),
            None => service.stranger(),
        };
        let range = dice.pick(&[1000, 1000, 3000, 200_000]);
        let cut = dice.below(range) as usize;
        let rest = if fold.id.is_empty() { String::new() } else { format!("?since={}", fold.id) };
        let form = dice.pick(&[SSE, LINES]);
        fold.is_caught_up = false;
        // It ends if it is cut, if the process is killed, and with the game.
        if let Some(mut stream) = client.try_follow(game, &rest, form, cut) {
            if processes.resumes.fetch_add(1, Ordering::Relaxed).is_multiple_of(life) {
                // One may be pending already.
                let _ = strike.try_send(());
            }
            while let Some(told) = stream.next() {
                fold.take(&told);
            }
        }
    }
    fold
}

/// Repeats a request until the database is available.
fn insist(ask: &dyn Fn() -> Answer) -> Answer {
    loop {
        let answer = ask();
        if answer.status != 503 {
            return answer;
        }
    }
}

#[test]
fn no_word_is_lost_and_none_doubled_while_streams_are_cut_and_processes_are_killed() {
    let wanted = env::var("ASSAM_TEST_RESUMES").ok();
    let resumes = wanted.as_ref().map_or(RESUMES, |wanted| wanted.parse().unwrap());
    for (number, backend) in (1..).zip(backends()) {
        let processes = Processes::start(&backend, wanted.is_some());
        let moves = if processes.is_alone { u64::MAX } else { MOVES };
        let spectators = if processes.is_alone { 12 } else { 2 };
        // The players use a process that is never killed.
        let desk = Service::start(&backend);
        let mut games = 0;
        while processes.resumes.load(Ordering::Relaxed) < resumes / 2 {
            games += 1;
            let mut dice = Dice::new(number * 1_000_000 + games);
            // The sessions of the database may have just ended.
            let (game, players) = open_game_by(&desk, &tables()[(games % 4) as usize], insist);
            for (seat, player) in (1..).zip(&players).filter(|(_, player)| player.secret.is_some()) {
                let taken = insist(&|| player.put(&format!("/v1/games/{game}/seats/{seat}"), json!({})));
                // 200 if it was written without an answer.
                assert!(matches!(taken.status, 200 | 201), "{}", taken.text);
            }
            let seats = players.iter().filter_map(|player| player.secret.as_deref()).map(Some);
            let viewers: Vec<Option<&str>> = seats.chain(iter::repeat_n(None, spectators)).collect();
            let (strike, strikes) = sync_channel(1);
            let folds: Vec<Fold> = thread::scope(|scope| {
                let (processes, game) = (&processes, game.as_str());
                let followers: Vec<_> = (games * 100..)
                    .zip(&viewers)
                    .map(|(seed, secret)| {
                        let strike = strike.clone();
                        scope.spawn(move || follow(processes, game, *secret, seed, &strike))
                    })
                    .collect();
                // Until all of them are done.
                drop(strike);
                scope.spawn(move || {
                    let mut dice = Dice::new(games);
                    strikes.into_iter().for_each(|()| processes.strike(&mut dice));
                });
                let mut played = 0;
                while played < moves && play_on_by(&players, game, &mut dice, insist).is_some() {
                    played += 1;
                }
                for player in players.iter().filter(|player| player.secret.is_some()) {
                    let known = insist(&|| player.get(&format!("/v1/games/{game}"))).json();
                    let next = known["head"]["ply"].as_u64().unwrap() + 1;
                    // The game may be over.
                    insist(&|| player.play(game, next, "!resign"));
                }
                followers.into_iter().map(|follower| follower.join().unwrap()).collect()
            });
            for (fold, secret) in folds.iter().zip(&viewers) {
                let client = secret.map_or_else(|| desk.stranger(), |secret| desk.with_secret(secret));
                insist(&|| client.get(&format!("/v1/games/{game}/log")));
                fold.check(&client, &game);
                assert_eq!(fold.resets, 0);
            }
        }
        let kills = processes.kills.load(Ordering::Relaxed);
        assert!(kills > 0);
        let crashes = processes.crashes.load(Ordering::Relaxed);
        let made = processes.resumes.load(Ordering::Relaxed);
        println!(
            "{}: {made} resumes of {games} games, {kills} processes killed, the database {crashes} times",
            backend.name()
        );
    }
}
