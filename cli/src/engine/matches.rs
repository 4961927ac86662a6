//! `assam match`: plays players against each other and measures the difference.

use std::io::{self, Write as _};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use assam_referee::Setup;
use clap::{Args, ValueHint};
use indicatif::ProgressBar;

use super::contestant::{Asking, AskingArgs, Contestant, PlayerName};
use super::game::{Dealt, Pairing};
use super::report::{self, MatchReport, MatchTally, Pairs};
use super::sprt::{CHECKPOINT, Finding, Hypotheses};
use crate::process::output::{Failure, print};
use crate::process::output_file::Output;
use crate::process::pool::WorkerPool;
use crate::process::progress;
use crate::records::setup::SetupArgs;

/// The largest difference in Elo that can be tested.
const MOST_ELO: f64 = 2000.0;

#[derive(Args)]
pub struct MatchArgs {
    /// Two players, or one for each seat: built-in ones such as merchant-5, or NAME=COMMAND for a program that
    /// speaks the engine protocol. Of two players at three or four seats, the second has all seats but one
    #[arg(required = true, num_args = 2..=4, value_name = "PLAYER")]
    players: Vec<PlayerName>,
    /// The number of games, rounded up so that every player plays each deal from every seat
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    #[command(flatten)]
    setup: SetupArgs,
    #[command(flatten)]
    how: PlayingArgs,
    #[command(flatten)]
    asking: AskingArgs,
    /// Stop once a test has decided whether the difference in Elo is --elo0 or --elo1. Each answer is wrong with
    /// a probability of 5 %
    #[arg(long, value_name = "ELO", requires = "elo1", allow_negative_numbers = true, value_parser = finite)]
    elo0: Option<f64>,
    /// The larger difference of that test
    #[arg(long, value_name = "ELO", requires = "elo0", allow_negative_numbers = true, value_parser = finite)]
    elo1: Option<f64>,
    /// Write the records of all games to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    records: Option<PathBuf>,
    /// Print JSON: one object
    #[arg(long)]
    json: bool,
}

fn finite(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.abs() <= MOST_ELO);
    number.ok_or_else(|| format!("a difference in Elo is a number from -{MOST_ELO} to {MOST_ELO}"))
}

/// How games are played.
#[derive(Args, Clone, Copy)]
pub struct PlayingArgs {
    /// The seed. The same seed produces the same games
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seed: u64,
    /// The number of games to play at the same time, by default the number of cores
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZero<u16>>,
}

/// A match to play.
pub struct MatchPlan<'a> {
    pub players: &'a [PlayerName],
    pub setup: Setup,
    pub games: u64,
    pub how: PlayingArgs,
    pub asking: Asking,
    pub test: Option<Hypotheses>,
    pub keeps_records: bool,
}

/// Why a match is not played to its end.
enum MatchEnd {
    Refused(String),
    Io(io::Error),
    /// The test has its answer.
    Decided,
}

impl From<io::Error> for MatchEnd {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Plays a match, and prints its result.
///
/// # Errors
/// If a player or a setting is refused, a program fails, or output cannot be written.
pub fn run(args: &MatchArgs) -> Result<(), Failure> {
    let test = args.elo0.zip(args.elo1).map(|(elo0, elo1)| Hypotheses { elo0, elo1 });
    if test.is_some_and(|test| test.elo0 >= test.elo1) {
        return Err("--elo0 must be less than --elo1".into());
    }
    let least = *args.setup.ruleset.info().seats.start();
    let seats = args.setup.seats.unwrap_or(least.max(args.players.len() as u8));
    let setup = SetupArgs { seats: Some(seats), ..args.setup.clone() }.read()?;
    let plan = MatchPlan {
        players: &args.players,
        setup,
        games: args.games,
        how: args.how,
        asking: args.asking.asking(),
        test,
        keeps_records: args.records.is_some(),
    };
    let mut records = args.records.as_deref().map(open).transpose()?;
    let mut is_first = true;
    let report = play(plan, |dealt| {
        let Some(out) = &mut records else { return Ok(()) };
        for record in &dealt.records {
            write!(out, "{}{record}", if is_first { "" } else { "\n" })?;
            is_first = false;
        }
        Ok(())
    })?;
    // The report is printed even if the records cannot be kept.
    print(&if args.json { report.json() } else { report.text() })?;
    Ok(records.map_or(Ok(()), Output::keep)?)
}

fn open(path: &Path) -> io::Result<Output> {
    Output::open(Some(path), &[])
}

/// Plays a match, and passes on every deal in order.
///
/// # Errors
/// If a player is refused or fails, and the errors of `each`.
pub fn play(
    plan: MatchPlan<'_>,
    mut each: impl FnMut(&Dealt) -> io::Result<()>,
) -> Result<MatchReport, Failure> {
    let MatchPlan { players, setup, games, how, asking, test, keeps_records } = plan;
    let seats = setup.seats();
    if players.len() != 2 && players.len() != usize::from(seats) {
        return Err(format!(
            "{} players at {seats} seats: name two players, or one for each seat",
            players.len()
        )
        .into());
    }
    let info = setup.ruleset().info();
    let contestants: Vec<Contestant> = players.iter().cloned().map(Contestant::new).collect();
    contestants.iter().try_for_each(|contestant| contestant.check(info))?;
    let names: Vec<String> = contestants.iter().map(|contestant| contestant.name.clone()).collect();
    let line = setup.line().to_owned();
    let pairing = Arc::new(Pairing { setup, contestants, asking, seed: how.seed, keeps_records });
    let deals = games.div_ceil(seats.into());
    let bar = progress::shown(ProgressBar::new(deals), "{wide_bar} {pos}/{len} deals, {eta} left");
    let mut tally = MatchTally::new(players.len());
    let ended = play_deals(&pairing, deals, how.jobs, |dealt| {
        let dealt = dealt.map_err(MatchEnd::Refused)?;
        each(&dealt)?;
        tally.add(&dealt);
        bar.inc(1);
        // The order of deals is fixed, so the test ends after the same deal with any number of jobs.
        let is_checkpoint = tally.deals.is_multiple_of(CHECKPOINT) && tally.deals < deals;
        let tested = test.filter(|_| is_checkpoint).map(|test| test.test(tally.adjusted(), seats).state);
        match tested {
            Some(Finding::H0 | Finding::H1) => Err(MatchEnd::Decided),
            Some(Finding::Continue) | None => Ok(()),
        }
    });
    bar.finish_and_clear();
    match ended {
        Ok(()) | Err(MatchEnd::Decided) => {}
        Err(MatchEnd::Refused(why)) => return Err(why.into()),
        Err(MatchEnd::Io(error)) => return Err(error.into()),
    }
    let pairs = Pairs { setup: line, seed: how.seed, seats, names };
    Ok(report::of(pairs, &tally, test))
}

/// Plays deals on all cores, and passes them on in order until `take` refuses one.
fn play_deals(
    pairing: &Arc<Pairing>,
    deals: u64,
    jobs: Option<NonZero<u16>>,
    mut take: impl FnMut(Result<Dealt, String>) -> Result<(), MatchEnd>,
) -> Result<(), MatchEnd> {
    let is_over = Arc::new(AtomicBool::new(false));
    let (shared, is_over_too) = (Arc::clone(pairing), Arc::clone(&is_over));
    let jobs = jobs.map(NonZero::<usize>::from).or_else(|| thread::available_parallelism().ok());
    let jobs = jobs.unwrap_or(NonZero::<usize>::MIN);
    let mut pool =
        WorkerPool::with_workers(jobs, move |deal: u64| match is_over_too.load(Ordering::Relaxed) {
            true => Err("the match is over".to_owned()),
            false => shared.play(deal),
        });
    let handed_out = (0..deals).try_for_each(|deal| pool.hand_out(deal, &mut take));
    let ended = handed_out.and_then(|()| pool.finish(&mut take));
    // Whatever is still being played is not needed, but its programs have to end.
    is_over.store(true, Ordering::Relaxed);
    pool.finish(|_| Ok::<_, MatchEnd>(()))?;
    ended
}
