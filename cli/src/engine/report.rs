//! The result of a match, as text for people and as JSON.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::estimate::{Elo, Estimate, Samples};
use super::game::{Dealt, Pace};
use super::sprt::{Finding, Hypotheses, Sprt};
use crate::process::output::amount;

/// The players of a match, and what they played.
pub struct Pairs {
    pub setup: String,
    pub seed: u64,
    pub seats: u8,
    pub names: Vec<String>,
}

/// Everything that was counted.
pub struct MatchTally {
    /// The number of deals.
    pub deals: u64,
    /// For each player: shares, luck-adjusted shares and times.
    pub players: Vec<(Samples, Samples, Pace)>,
}

impl MatchTally {
    /// Returns the tally of a match before its first deal.
    pub fn new(players: usize) -> Self {
        Self { deals: 0, players: vec![Default::default(); players] }
    }

    /// Adds a deal.
    pub fn add(&mut self, dealt: &Dealt) {
        self.deals += 1;
        for ((share, adjusted, pace), result) in self.players.iter_mut().zip(&dealt.results) {
            share.add(result.share);
            adjusted.add(result.adjusted);
            pace.add(result.pace);
        }
    }

    /// Returns the luck-adjusted shares of the first player.
    pub fn adjusted(&self) -> &Samples {
        &self.players[0].1
    }
}

/// The result of a match.
#[derive(Serialize, Deserialize)]
pub struct MatchReport {
    /// The setup line.
    pub setup: String,
    pub seats: u8,
    pub seed: u64,
    pub games: u64,
    /// The number of deals, which are the independent samples.
    pub deals: u64,
    pub players: Vec<PlayerReport>,
    /// The first player's difference to the second, if there are two.
    pub elo: Option<Elo>,
    pub adjusted_elo: Option<Elo>,
    pub sprt: Option<Sprt>,
}

/// The result of a player.
#[derive(Serialize, Deserialize)]
pub struct PlayerReport {
    pub name: String,
    /// The number of games in which it had a seat.
    pub games: u64,
    /// The mean share of a win that each of its seats got. Tied winners share.
    pub share: Estimate,
    /// The share less luck.
    pub adjusted_share: Estimate,
    pub decisions: u64,
    /// Milliseconds.
    pub mean_ms: f64,
    pub max_ms: f64,
}

/// Returns the report of everything that was counted.
pub fn of(pairs: Pairs, tally: &MatchTally, test: Option<Hypotheses>) -> MatchReport {
    let Pairs { setup, seed, seats, names } = pairs;
    let games = tally.deals * u64::from(seats);
    let players = names.into_iter().zip(&tally.players).map(|(name, (share, adjusted, pace))| PlayerReport {
        name,
        games,
        share: share.estimate(),
        adjusted_share: adjusted.estimate(),
        decisions: pace.decisions,
        mean_ms: pace.total.as_secs_f64() * 1e3 / pace.decisions.max(1) as f64,
        max_ms: pace.longest.as_secs_f64() * 1e3,
    });
    let players: Vec<PlayerReport> = players.collect();
    let of_two = players.first().filter(|_| players.len() == 2);
    MatchReport {
        elo: of_two.map(|first| Elo::of(first.share, seats)),
        adjusted_elo: of_two.map(|first| Elo::of(first.adjusted_share, seats)),
        sprt: test.map(|test| test.test(tally.adjusted(), seats)),
        setup,
        seats,
        seed,
        games,
        deals: tally.deals,
        players,
    }
}

impl MatchReport {
    /// Returns the report as one line of JSON.
    pub fn json(&self) -> String {
        // It has string keys only, so this cannot fail.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// Returns the report as a table for people.
    pub fn text(&self) -> String {
        let mut out = String::new();
        // Writing to memory cannot fail.
        let _ = self.write_text(&mut out);
        out
    }

    fn write_text(&self, out: &mut String) -> std::fmt::Result {
        let (games, deals) = (amount(self.games, "game", "games"), amount(self.deals, "deal", "deals"));
        writeln!(out, "{}: {games} from {deals}\n", self.setup)?;
        let widest = self.players.iter().map(|player| player.name.chars().count()).max().unwrap_or_default();
        let width = widest.max("player".len()) + 2;
        writeln!(
            out,
            "{:width$}{:>8}{:>18}{:>16}{:>18}{:>10}{:>10}",
            "player", "share", "95 % interval", "luck-adjusted", "95 % interval", "mean ms", "max ms"
        )?;
        for player in &self.players {
            let PlayerReport { name, share, adjusted_share, mean_ms, max_ms, .. } = player;
            writeln!(
                out,
                "{name:width$}{:>8}{:>18}{:>16}{:>18}{mean_ms:>10.3}{max_ms:>10.1}",
                percent(share.mean),
                interval(*share),
                percent(adjusted_share.mean),
                interval(*adjusted_share)
            )?;
        }
        if let (Some(elo), Some(adjusted)) = (self.elo, self.adjusted_elo) {
            writeln!(out, "\nElo difference  {}", elo_text(elo))?;
            writeln!(out, "luck-adjusted   {}", elo_text(adjusted))?;
        }
        if let Some(Sprt { hypotheses: Hypotheses { elo0, elo1 }, llr, bounds: [low, high], state }) =
            self.sprt
        {
            let state = match state {
                Finding::H0 => "H0",
                Finding::H1 => "H1",
                Finding::Continue => "continue",
            };
            writeln!(
                out,
                "\nSPRT of H0 {elo0} and H1 {elo1} Elo: {state}, LLR {llr:.2} ({low:.2} to {high:.2})"
            )?;
        }
        Ok(())
    }
}

/// Returns a share in per cent.
pub fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// Returns an interval of shares in per cent.
pub fn interval(share: Estimate) -> String {
    let text = |[low, high]: [f64; 2]| format!("{:.1} to {:.1}", low * 100.0, high * 100.0);
    share.interval.map_or_else(|| "-".to_owned(), text)
}

/// Returns a difference with its interval, in which an end without a limit is `-`.
pub fn elo_text(Elo { difference, low, high }: Elo) -> String {
    let text = |elo: Option<f64>| elo.map_or_else(|| "-".to_owned(), |elo| format!("{elo:+.0}"));
    format!("{} ({} to {})", text(difference), text(low), text(high))
}
