//! `assam random`: games played at random from a seed, for tests, benchmarks and other people's readers.

use std::io::{self, BufWriter, Write};

use assam_notation::{OptionKind, OptionSpec};
use assam_rules::{Seat, Turn, Viewer};
use clap::{Args, ValueEnum};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Failure;
use crate::referee::Referee;
use crate::ruleset::Ruleset;

/// What to play.
#[derive(Args)]
pub struct RandomArgs {
    /// Number of games
    #[arg(default_value_t = 1, value_name = "COUNT")]
    count: u64,
    /// The same seed gives the same games
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
    /// Rule set and version
    #[arg(long, default_value = "marrakech/1", value_name = "NAME", value_parser = ruleset)]
    ruleset: Ruleset,
    /// Number of seats; the smallest where none is given
    #[arg(long, value_name = "N")]
    seats: Option<u8>,
    /// An option of the rule set, such as cover=any; may stand several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = setting)]
    options: Vec<(String, String)>,
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

/// A rule set by its name.
fn ruleset(name: &str) -> Result<Ruleset, String> {
    Ruleset::named(name).ok_or_else(|| {
        let known: Vec<&str> = Ruleset::ALL.iter().map(|ruleset| ruleset.name()).collect();
        format!("known are {}", known.join(", "))
    })
}

/// A setting as a setup line has it.
fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("a setting is written NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Plays and writes the games, one blank line between two.
///
/// # Errors
/// Settings that the rule set refuses; a standard output that takes nothing more.
pub fn run(args: &RandomArgs) -> Result<(), Failure> {
    let referee = args.ruleset.referee();
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
    let line = |seats, settings: &[(String, String)]| {
        let settings: Vec<(&str, &str)> = settings.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        referee.setup_line(seats, &settings).map_err(|error| Failure::from(error.detail))
    };
    let (least, most) = (*referee.seats().start(), *referee.seats().end());
    if !args.vary {
        return line(args.seats.unwrap_or(least), &args.options);
    }
    let seats = args.seats.unwrap_or_else(|| least + draw(u64::from(most - least) + 1) as u8);
    let mut settings = args.options.clone();
    for option in referee.option_specs() {
        let is_given = settings.iter().any(|(name, _)| name == option.name);
        if !is_given {
            settings.push((option.name.to_owned(), draw_value(option, draw)));
            // What does not go with the settings so far keeps its default.
            if line(seats, &settings).is_err() {
                settings.pop();
            }
        }
    }
    line(seats, &settings)
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
            record.push_str(&table.decide(decision.as_deref(), draw).map_err(refused)?);
            record.push(' ');
        }
        decision = match table.turn() {
            Turn::Player(seat) => Some(choose(&table.legal_moves(Viewer::Seat(seat)), seat, draw)?),
            Turn::Chance | Turn::Over | Turn::Aborted => break,
        };
    }
    record.push_str(&table.marker());
    record.push('\n');
    Ok(record)
}

fn choose(moves: &[String], seat: Seat, draw: &mut dyn FnMut(u64) -> u64) -> Result<String, Failure> {
    if moves.is_empty() {
        return Err(Failure::from(format!("seat {} has no legal move", seat.number())));
    }
    Ok(moves[draw(moves.len() as u64) as usize].clone())
}
