//! Laws of every game, checked on thousands of random ones.
//!
//! Game number n is always the same game: its setup and moves depend on the seed n. A failing test prints the
//! number of its game.

pub(crate) mod every_game;
mod marrakech;
mod marrakesh;
pub(crate) mod reading;
mod seeds;
mod steps;

use std::thread;

use assam_rules::{Leave, Seat};

/// Checks a law on the games 0 up to `games` on every core, and sums the counts of all games.
fn for_every_seed(games: u64, law: impl Fn(u64) -> u64 + Sync) -> u64 {
    let workers = thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let share = |worker| {
        let mut counted = 0;
        for seed in (worker..games).step_by(workers as usize) {
            let _seed = PrintedOnFailure(seed);
            counted += law(seed);
        }
        counted
    };
    thread::scope(|scope| {
        let share = &share;
        let all: Vec<_> = (0..workers).map(|worker| scope.spawn(move || share(worker))).collect();
        all.into_iter().map(|worker| worker.join().expect("the law holds")).sum()
    })
}

struct PrintedOnFailure(u64);

impl Drop for PrintedOnFailure {
    fn drop(&mut self) {
        if thread::panicking() {
            println!("this was game number {}", self.0);
        }
    }
}

/// Returns every way to leave that can be written.
fn every_leave() -> impl Iterator<Item = Leave> {
    Seat::all(4).flat_map(|seat| [Leave::Resign(seat), Leave::Timeout(seat)]).chain([Leave::Abort])
}
