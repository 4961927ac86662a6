//! `assam ladder`: plays each built-in player of a game against the one below it.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use assam_players::Player;
use assam_store::file_access::explained;
use clap::{Args, ValueHint};
use serde::{Deserialize, Serialize};

use super::contestant::{Asking, PlayerName};
use super::matches::{MatchPlan, PlayingArgs, play};
use super::report::{MatchReport, elo_text, interval, percent};
use crate::process::output::{Failure, print, say};
use crate::process::output_file::Output;
use crate::records::setup::SetupArgs;

#[derive(Args)]
pub struct LadderArgs {
    /// The number of games of each step, rounded up so that both players play each deal from every seat
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    #[command(flatten)]
    setup: SetupArgs,
    #[command(flatten)]
    how: PlayingArgs,
    /// Write the results to this file, as JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<PathBuf>,
    /// Play nothing, and print the table of results that --out wrote
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["out", "games", "ruleset", "seats", "options", "seed", "jobs"]
    )]
    from: Option<PathBuf>,
}

/// The results of a ladder.
#[derive(Serialize, Deserialize)]
struct Ladder {
    ruleset: String,
    seats: u8,
    /// The matches of neighbours, weakest first. The first player of each is the stronger one.
    steps: Vec<MatchReport>,
}

/// Plays the ladder, or reads its results, and prints the table.
///
/// # Errors
/// If a setting is refused, or a file cannot be read or written.
pub fn run(args: &LadderArgs) -> Result<(), Failure> {
    if let Some(path) = &args.from {
        let text = fs::read_to_string(path)
            .map_err(|error| format!("{}: {}", path.display(), explained(path, error)))?;
        let read: Result<Ladder, _> = serde_json::from_str(&text);
        let ladder =
            read.map_err(|error| format!("{} has no results of a ladder: {error}", path.display()))?;
        return print(&ladder.table());
    }
    let ladder = climb(args)?;
    print(&ladder.table())?;
    if let Some(path) = &args.out {
        let json = serde_json::to_string_pretty(&ladder)? + "\n";
        Output::write_file(path, json.as_bytes(), &[])?;
    }
    Ok(())
}

fn climb(args: &LadderArgs) -> Result<Ladder, Failure> {
    let setup = args.setup.read()?;
    let mut steps = Vec::new();
    // `hand` counts instead of learning: it is a measure, not a step.
    let steps_of = setup.ruleset().info().players.iter().copied();
    let players: Vec<Player> = steps_of.filter(|player| *player != Player::Hand).collect();
    for neighbours in players.windows(2) {
        let &[weaker, stronger] = neighbours else { continue };
        say(&format!("{} against {}", stronger.name(), weaker.name()));
        let plan = MatchPlan {
            players: &[PlayerName::from(stronger), PlayerName::from(weaker)],
            setup: setup.clone(),
            games: args.games,
            how: args.how,
            asking: Asking::default(),
            test: None,
            keeps_records: false,
        };
        steps.push(play(plan, |_| Ok(()))?);
    }
    Ok(Ladder { ruleset: setup.ruleset().name().to_owned(), seats: setup.seats(), steps })
}

impl Ladder {
    /// Returns a table in Markdown with a row for each step.
    fn table(&self) -> String {
        let mut out =
            "| player | against | games | share of wins | 95 % interval | Elo difference | ms a decision |\n\
            | --- | --- | ---: | ---: | ---: | ---: | ---: |\n"
                .to_owned();
        for step in &self.steps {
            let [stronger, weaker] = &*step.players else { continue };
            // The luck-adjusted figures are unbiased too, and have narrower intervals.
            let (share, elo) =
                (stronger.adjusted_share, step.adjusted_elo.map_or_else(String::new, elo_text));
            let (name, other, games, ms) = (&stronger.name, &weaker.name, step.games, stronger.mean_ms);
            let (mean, interval) = (percent(share.mean), interval(share));
            // Writing to memory cannot fail.
            let _ =
                writeln!(out, "| `{name}` | `{other}` | {games} | {mean} | {interval} | {elo} | {ms:.2} |");
        }
        out
    }
}
