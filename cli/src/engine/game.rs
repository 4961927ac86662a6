//! A deal: the same chance, played once for every rotation of the players.

use std::time::{Duration, Instant};

use assam_notation::tag_line;
use assam_players::CERTAIN_WIN;
use assam_referee::{AnyRecord, Setup};
use assam_rules::{Seat, Turn};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::contestant::{Asking, Contestant, Seated, failed};
use super::position;

/// A match as every worker needs it.
pub struct Pairing {
    pub setup: Setup,
    /// One player for each seat, or two: the first sits on one seat and the second on all others.
    pub contestants: Vec<Contestant>,
    pub asking: Asking,
    pub seed: u64,
    pub keeps_records: bool,
}

/// The time that a player took.
#[derive(Clone, Copy, Default)]
pub struct Pace {
    pub decisions: u64,
    pub total: Duration,
    pub longest: Duration,
}

/// The result of a player over all rotations of a deal.
#[derive(Clone, Copy, Default)]
pub struct DealResult {
    /// The mean share of a win that each of its seats got.
    pub share: f64,
    /// The share, less the luck of its seats.
    pub adjusted: f64,
    pub pace: Pace,
}

/// A played deal.
pub struct Dealt {
    /// One result for each player.
    pub results: Vec<DealResult>,
    /// The records of its games in file form.
    pub records: Vec<String>,
}

impl Pace {
    pub fn add(&mut self, other: Self) {
        self.decisions += other.decisions;
        self.total += other.total;
        self.longest = self.longest.max(other.longest);
    }

    fn measure<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let made = work();
        let taken = begun.elapsed();
        self.add(Self { decisions: 1, total: taken, longest: taken });
        made
    }
}

/// The result of a seat in a game, and its luck.
#[derive(Clone, Copy, Default)]
struct SeatOutcome {
    share: f64,
    luck: f64,
}

impl Pairing {
    /// Returns the number of games in a deal.
    pub fn rotations(&self) -> u8 {
        self.setup.seats()
    }

    /// Returns the index of the player on each seat.
    fn seating(&self, rotation: u8) -> Vec<usize> {
        let seats = self.setup.seats();
        let players = self.contestants.len();
        let player = |seat: u8| ((seat + seats - rotation) % seats) as usize;
        (0..seats).map(|seat| player(seat).min(players - 1)).collect()
    }

    /// Plays every rotation of a deal.
    ///
    /// # Errors
    /// A sentence about a program that failed.
    pub fn play(&self, deal: u64) -> Result<Dealt, String> {
        let mut dealt =
            Dealt { results: vec![DealResult::default(); self.contestants.len()], records: Vec::new() };
        for rotation in 0..self.rotations() {
            let seating = self.seating(rotation);
            let seats = self.play_game(deal, rotation, &seating, &mut dealt)?;
            for (player, result) in dealt.results.iter_mut().enumerate() {
                let held = seating.iter().zip(&seats).filter(|(of, _)| **of == player).map(|(_, seat)| *seat);
                let held: Vec<SeatOutcome> = held.collect();
                let weight = 1.0 / (held.len() as f64 * f64::from(self.rotations()));
                result.share += weight * held.iter().map(|seat| seat.share).sum::<f64>();
                result.adjusted += weight * held.iter().map(|seat| seat.share - seat.luck).sum::<f64>();
            }
        }
        Ok(dealt)
    }

    fn play_game(
        &self,
        deal: u64,
        rotation: u8,
        seating: &[usize],
        dealt: &mut Dealt,
    ) -> Result<Vec<SeatOutcome>, String> {
        // Every rotation has the same chance. Each player has a separate stream, so nothing that it draws
        // changes the chance.
        let stream = |number: u64| (deal << 8) | number;
        let mut chance = ChaCha8Rng::seed_from_u64(self.seed);
        chance.set_stream(stream(0));
        let seats = self.setup.seats();
        let mut players = Vec::new();
        for (seat, &player) in (0..).zip(seating) {
            let number = stream(1 + u64::from(rotation) * u64::from(seats) + seat);
            let contestant = &self.contestants[player];
            let seated = contestant.sit(&self.setup, self.asking, self.seed, number);
            players.push(seated.map_err(|failure| failed(&contestant.name, deal, 0, &failure))?);
        }
        let mut results = vec![SeatOutcome::default(); seats.into()];
        let mut table = self.setup.table();
        let mut words: Vec<String> = Vec::new();
        loop {
            let decision = match table.turn() {
                Turn::Player(seat) => {
                    let player = seating[seat.index()];
                    let pace = &mut dealt.results[player].pace;
                    let seated: &mut Seated = &mut players[seat.index()];
                    let decided = pace.measure(|| {
                        let position = || position::seen_by(seat, &self.setup, &words);
                        seated.decide(&self.setup, &*table, position)
                    });
                    let name = &self.contestants[player].name;
                    Some(decided.map_err(|failure| failed(name, deal, words.len(), &failure))?)
                }
                Turn::Chance => None,
                Turn::Over | Turn::Aborted => break,
            };
            let before = table.fork();
            let word = table.decide(decision.as_ref(), &mut |_, range| chance.random_range(0..range));
            let word = word.map_err(|refusal| refusal.to_string())?.text().to_owned();
            let luck = before.luck(&word).map_err(|refusal| refusal.to_string())?;
            for (result, luck) in results.iter_mut().zip(luck) {
                result.luck += f64::from(luck.win) / f64::from(CERTAIN_WIN);
            }
            words.push(word);
        }
        let score = table.score();
        let winners = score.winners();
        for seat in winners {
            results[usize::from(seat - 1)].share = 1.0 / winners.len() as f64;
        }
        if self.keeps_records {
            dealt.records.push(self.record(deal, rotation, seating, &words, &table.marker()));
        }
        for (seated, &player) in players.into_iter().zip(seating) {
            self.contestants[player].stand_up(seated);
        }
        Ok(results)
    }

    /// Returns the record of a game in file form, with the players in its tags.
    fn record(&self, deal: u64, rotation: u8, seating: &[usize], words: &[String], marker: &str) -> String {
        let mut record = format!("{}\n", self.setup.line());
        for (seat, &player) in Seat::all(self.setup.seats()).zip(seating) {
            let tag = format!("seat{}", seat.number());
            record.push_str(&tag_line(&tag, &self.contestants[player].name));
        }
        record.push_str(&tag_line("event", &format!("assam match --seed {}", self.seed)));
        record.push_str(&tag_line("round", &(deal + 1).to_string()));
        record.push_str(&tag_line("table", &(rotation + 1).to_string()));
        record.push_str(&format!("\n{} {marker}\n", words.join(" ")));
        AnyRecord::read(record).file_form()
    }
}
