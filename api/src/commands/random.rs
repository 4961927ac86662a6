//! `assam random`: games played at random from a seed, for tests, benchmarks and other people's readers.

use std::io::{self, BufWriter, Write};

use assam_notation::{OptionKind, OptionSpec};
use clap::{Args, ValueEnum};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Failure;
use super::setup::SetupArgs;
use crate::game::SeatKind;
use crate::referee::Referee;

/// What to play.
#[derive(Args)]
pub struct RandomArgs {
    /// Number of games
    #[arg(default_value_t = 1, value_name = "COUNT")]
    count: u64,
    /// The same seed gives the same games
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
    #[command(flatten)]
    setup: SetupArgs,
    /// Draw the seats and every option of each game too, but for those that are given
    #[arg(long)]
    vary: bool,
    /// How records are written
    #[arg(long, value_enum, default_value_t = Form::File, value_name = "FORM")]
    form: Form,
}

/// The form of a record.
#[derive(ValueEnum, Clone, Copy)]
enum Form {
    /// A line a turn
    File,
    /// All words on one line
    Canonical,
}

/// Plays and writes the games, one blank line between two.
///
/// # Errors
/// Settings that the rule set refuses; a standard output that takes nothing more.
pub fn run(args: &RandomArgs) -> Result<(), Failure> {
    let referee = args.setup.ruleset.referee();
    let mut out = BufWriter::new(io::stdout().lock());
    for game in 0..args.count {
        // A stream of its own for each game: game n is the same however many there are.
        let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
        rng.set_stream(game);
        let mut draw = |range: u64| rng.random_range(0..range);
        let setup_line = setup_line(args, referee, &mut draw)?;
        let record = play(referee, &setup_line, &mut draw)?;
        let record = match args.form {
            Form::Canonical => record,
            Form::File => referee.file_form(&record)?,
        };
        if game > 0 {
            out.write_all(b"\n")?;
        }
        out.write_all(record.as_bytes())?;
    }
    out.flush()?;
    Ok(())
}

fn setup_line(
    args: &RandomArgs,
    referee: &dyn Referee,
    draw: &mut dyn FnMut(u64) -> u64,
) -> Result<String, Failure> {
    if !args.vary {
        return args.setup.line();
    }
    let (least, most) = (*referee.seats().start(), *referee.seats().end());
    let drawn = || least + draw(u64::from(most - least) + 1) as u8;
    let mut setup = SetupArgs { seats: Some(args.setup.seats.unwrap_or_else(drawn)), ..args.setup.clone() };
    for option in referee.option_specs() {
        let is_given = setup.options.iter().any(|(name, _)| name == option.name);
        if !is_given {
            setup.options.push((option.name.to_owned(), draw_value(option, draw)));
            // What does not go with the settings so far keeps its default.
            if setup.line().is_err() {
                setup.options.pop();
            }
        }
    }
    setup.line()
}

/// One of an option's values, each equally likely.
fn draw_value(option: &OptionSpec, draw: &mut dyn FnMut(u64) -> u64) -> String {
    match option.kind {
        OptionKind::Choice(values) => values[draw(values.len() as u64) as usize].0.to_owned(),
        OptionKind::Number { min, max } => (u64::from(min) + draw(u64::from(max - min) + 1)).to_string(),
    }
}

/// Plays a game to its end, every decision uniformly at random: the record in canonical form.
fn play(
    referee: &dyn Referee,
    setup_line: &str,
    draw: &mut dyn FnMut(u64) -> u64,
) -> Result<String, Failure> {
    let refused = |refusal: crate::referee::Refusal| Failure::from(refusal.text);
    let mut table = referee.table(setup_line).map_err(refused)?;
    let mut record = format!("{setup_line}\n\n");
    let mut decision: Option<String> = None;
    loop {
        if decision.is_some() || table.is_start_due() {
            record.push_str(&table.decide(decision.as_deref(), draw).map_err(refused)?.word);
            record.push(' ');
        }
        decision = table.choose(SeatKind::Random, draw);
        if decision.is_none() {
            break;
        }
    }
    record.push_str(&table.marker());
    record.push('\n');
    Ok(record)
}
