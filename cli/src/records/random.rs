//! `assam random`: plays random games from a seed, for tests, benchmarks and other parsers of MKN.

use std::io::{self, Write};
use std::ops::Range;

use assam_notation::{OptionKind, OptionSpec};
use assam_players::Player;
use assam_referee::{AnyRecord, Setup};
use clap::{Args, ValueEnum};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::process::output::Failure;
use crate::process::pool::WorkerPool;
use crate::records::setup::SetupArgs;

#[derive(Args, Clone)]
pub struct RandomArgs {
    /// The number of games, which may be 0
    #[arg(default_value_t = 1, value_name = "COUNT")]
    count: u64,
    /// The seed. The same seed produces the same games
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
    #[command(flatten)]
    setup: SetupArgs,
    /// Choose the number of seats and all options of each game at random, except those that you set
    #[arg(long)]
    vary: bool,
    /// The format of the records
    #[arg(long, value_enum, default_value_t = RecordForm::File, value_name = "FORM")]
    form: RecordForm,
}

#[derive(ValueEnum, Clone, Copy)]
enum RecordForm {
    /// One line per turn
    File,
    /// All words on one line
    Canonical,
}

/// Why games are not played and written.
enum NotPlayed {
    Refused(String),
    Io(io::Error),
}

impl From<io::Error> for NotPlayed {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Games in each piece of work.
const TOGETHER: u64 = 8;

/// Plays and writes the games, with a blank line between them.
///
/// # Errors
/// If the rule set refuses the settings, or standard output cannot be written.
pub fn run(args: &RandomArgs) -> Result<(), Failure> {
    play_all(args).map_err(|error| match error {
        NotPlayed::Refused(why) => why.into(),
        NotPlayed::Io(error) => error.into(),
    })
}

fn play_all(args: &RandomArgs) -> Result<(), NotPlayed> {
    let mut out = io::stdout().lock();
    let count = args.count;
    let args = args.clone();
    let mut pool = WorkerPool::start(move |games: Range<u64>| {
        games.map(|game| record(&args, game)).collect::<Result<String, NotPlayed>>()
    });
    let mut first = 0;
    while first < count {
        let games = first..count.min(first.saturating_add(TOGETHER));
        first = games.end;
        pool.hand_out(games, |records| Ok::<_, NotPlayed>(out.write_all(records?.as_bytes())?))?;
    }
    pool.finish(|records| Ok::<_, NotPlayed>(out.write_all(records?.as_bytes())?))?;
    Ok(out.flush()?)
}

/// Returns the record of a game, after a blank line unless it is the first.
fn record(args: &RandomArgs, game: u64) -> Result<String, NotPlayed> {
    // Each game has a separate random stream, so game n does not depend on the number of games.
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
    rng.set_stream(game);
    let mut draw = |range: u64| rng.random_range(0..range);
    let record = setup(args, &mut draw).and_then(|setup| play(&setup, &mut draw));
    let record = record.map_err(|error| NotPlayed::Refused(error.to_string()))?;
    let record = match args.form {
        RecordForm::Canonical => record,
        RecordForm::File => AnyRecord::read(record).file_form(),
    };
    Ok(if game > 0 { format!("\n{record}") } else { record })
}

/// Returns the setup of a game: the given settings, and the rest drawn.
fn setup(args: &RandomArgs, draw: &mut dyn FnMut(u64) -> u64) -> Result<Setup, Failure> {
    if !args.vary {
        return args.setup.read();
    }
    let info = args.setup.ruleset.info();
    let (least, most) = (*info.seats.start(), *info.seats.end());
    let drawn = || least + draw(u64::from(most - least) + 1) as u8;
    let mut setup = SetupArgs { seats: Some(args.setup.seats.unwrap_or_else(drawn)), ..args.setup.clone() };
    for option in info.options {
        let is_given = setup.options.iter().any(|(name, _)| name == option.name);
        if !is_given {
            setup.options.push((option.name.to_owned(), draw_value(option, draw)));
            // An option that conflicts with the settings so far keeps its default.
            if setup.read().is_err() {
                setup.options.pop();
            }
        }
    }
    setup.read()
}

/// Draws a value of an option, each equally likely.
fn draw_value(option: &OptionSpec, draw: &mut dyn FnMut(u64) -> u64) -> String {
    match option.kind {
        OptionKind::Choice(values) => values[draw(values.len() as u64) as usize].0.to_owned(),
        OptionKind::Number { min, max } => (u64::from(min) + draw(u64::from(max - min) + 1)).to_string(),
    }
}

/// Plays a game to its end with uniformly random decisions, and returns the record in canonical form.
fn play(setup: &Setup, draw: &mut dyn FnMut(u64) -> u64) -> Result<String, Failure> {
    let mut table = setup.table();
    let mut record = format!("{}\n\n", setup.line());
    let mut decision = None;
    loop {
        if decision.is_some() || table.is_start_due() {
            record.push_str(table.decide(decision.as_ref(), &mut |_, range| draw(range))?.text());
            record.push(' ');
        }
        decision = table.choose(Player::Random, &mut |_, range| draw(range));
        if decision.is_none() {
            break;
        }
    }
    record.push_str(&table.marker());
    record.push('\n');
    Ok(record)
}
