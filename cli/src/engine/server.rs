//! `assam engine`: answers the engine protocol on standard input and output with the built-in players.
//!
//! It answers every line before it reads the next one. No line ends it except `quit`.

use std::io::{self, BufRead, Read as _, Write};

use assam_players::Player;
use assam_referee::{AnyAnalysis, Table, likeliest};
use assam_rules::Turn;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::position::Position;
use super::protocol::{
    BEST_MOVE, ControllerLine, ErrorCode, Go, HELLO_OK, LEVEL, LONGEST, READY_OK, Refused, SEED, quoted,
};
use crate::process::output::Failure;

/// The level that means the strongest player of the game.
const STRONGEST: &str = "strongest";

/// Answers standard input until it ends, or until `quit`.
///
/// # Errors
/// If standard input cannot be read, or standard output cannot be written.
pub fn run() -> Result<(), Failure> {
    Ok(serve(&mut io::stdin().lock(), &mut io::stdout().lock())?)
}

fn serve(input: &mut impl BufRead, out: &mut impl Write) -> io::Result<()> {
    let mut engine = Engine::new();
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(());
        }
        let answer = if bytes.len() > LONGEST && bytes.last() != Some(&b'\n') {
            skip_line(input)?;
            Err(bad_argument(format!("a line has at most {LONGEST} bytes")))
        } else {
            let text = std::str::from_utf8(&bytes);
            text.map_err(|_| bad_argument("a line is UTF-8".to_owned())).and_then(|text| engine.answer(text))
        };
        match answer {
            Ok(Answer::Lines(lines)) => lines.iter().try_for_each(|line| writeln!(out, "{line}"))?,
            Ok(Answer::Quit) => return Ok(()),
            Err(refused) => writeln!(out, "{refused}")?,
        }
        out.flush()?;
    }
}

/// Drops the rest of a line.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let mut rest = Vec::new();
        let read = input.by_ref().take(LONGEST as u64).read_until(b'\n', &mut rest)?;
        if read == 0 || rest.last() == Some(&b'\n') {
            return Ok(());
        }
    }
}

/// The answer to a line.
enum Answer {
    Lines(Vec<String>),
    Quit,
}

/// Everything that an engine remembers between lines.
struct Engine {
    /// The player that decides, or `None` for the strongest one.
    level: Option<Player>,
    seed: u64,
    draws: ChaCha8Rng,
    position: Option<Position>,
}

fn bad_argument(text: String) -> Refused {
    Refused::new(ErrorCode::BadArgument, text)
}

fn no_decision(text: impl Into<String>) -> Refused {
    Refused::new(ErrorCode::NoDecision, text)
}

impl Engine {
    fn new() -> Self {
        Self { level: None, seed: 0, draws: ChaCha8Rng::seed_from_u64(0), position: None }
    }

    fn answer(&mut self, line: &str) -> Result<Answer, Refused> {
        let Some(line) = ControllerLine::read(line)? else { return Ok(Answer::Lines(Vec::new())) };
        let lines = match line {
            ControllerLine::Hello => hello(),
            ControllerLine::IsReady => vec![READY_OK.to_owned()],
            ControllerLine::SetOption { name, value } => {
                self.set(name, value)?;
                Vec::new()
            }
            ControllerLine::NewGame(setup) => {
                self.position = Some(Position::new_game(setup)?);
                self.draws = ChaCha8Rng::seed_from_u64(self.seed);
                Vec::new()
            }
            ControllerLine::Position(text) => {
                self.position = Some(Position::read(text)?);
                Vec::new()
            }
            ControllerLine::Go(go) => self.decide(&go)?,
            // Every search has ended before the next line is read.
            ControllerLine::Stop => Vec::new(),
            ControllerLine::Quit => return Ok(Answer::Quit),
        };
        Ok(Answer::Lines(lines))
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Refused> {
        match name {
            LEVEL if value == STRONGEST => self.level = None,
            LEVEL => self.level = Some(Player::newest(value).ok_or_else(|| unknown_level(value))?),
            SEED => {
                let wrong = |_| bad_argument(format!("{SEED} is a number from 0 to {}", u64::MAX));
                self.seed = value.parse().map_err(wrong)?;
                self.draws = ChaCha8Rng::seed_from_u64(self.seed);
            }
            _ => {
                let text = format!("{} is not an option: there are {LEVEL} and {SEED}", quoted(name));
                return Err(bad_argument(text));
            }
        }
        Ok(())
    }

    fn decide(&mut self, go: &Go<'_>) -> Result<Vec<String>, Refused> {
        let missing = || Refused::new(ErrorCode::MissingContext, "send a position first");
        let Position { setup, table } = self.position.as_ref().ok_or_else(missing)?;
        check_legal(&**table, go)?;
        let best = |decision: &str| format!("{BEST_MOVE} {decision}");
        if let Some(nodes) = go.nodes {
            let analysis =
                table.analyse(nodes).ok_or_else(|| no_decision("nothing is known of the decisions here"))?;
            let mut lines: Vec<String> = info(&analysis).collect();
            let decision = analysis.lines.first().map(|line| best(&line.decision));
            lines.push(decision.ok_or_else(|| no_decision("the search found no decision"))?);
            return Ok(lines);
        }
        let players = setup.ruleset().info().players;
        let strongest = players.last().copied().unwrap_or(Player::Random);
        let level = self.level.unwrap_or(strongest);
        let draws = &mut self.draws;
        let decision = table.choose(level, &mut |_, range| draws.random_range(0..range));
        let decision = decision.ok_or_else(|| {
            let names: Vec<&str> = players.iter().map(|player| player.name()).collect();
            let (level, ruleset) = (level.name(), setup.ruleset());
            no_decision(format!("{level} does not play {ruleset}: {LEVEL} can be {}", names.join(", ")))
        })?;
        Ok(vec![best(decision.text())])
    }
}

fn hello() -> Vec<String> {
    let levels: String = Player::ALL.iter().map(|player| format!(" var {}", player.name())).collect();
    vec![
        format!("id name Assam {}", env!("CARGO_PKG_VERSION")),
        "id author the authors of Assam".to_owned(),
        format!("option name {LEVEL} type combo default {STRONGEST} var {STRONGEST}{levels}"),
        format!("option name {SEED} type spin default 0 min 0 max {}", u64::MAX),
        HELLO_OK.to_owned(),
    ]
}

fn unknown_level(value: &str) -> Refused {
    let likely = likeliest(value, Player::ALL.iter().map(|player| player.name()));
    let meant = likely.map_or_else(String::new, |likely| format!(", did you mean {likely}?"));
    bad_argument(format!("unknown player {}{meant}", quoted(value)))
}

/// Checks that a decision is due, and that the controller knows the same legal ones.
///
/// Without this check, two programs that disagree about the position would play on.
fn check_legal(table: &dyn Table, go: &Go<'_>) -> Result<(), Refused> {
    let seat = match table.turn() {
        Turn::Player(seat) => seat,
        Turn::Chance => return Err(no_decision("chance is due: send the word with the draws")),
        Turn::Over | Turn::Aborted => return Err(no_decision("the game is over")),
    };
    let legal = table.choices();
    let legal =
        legal.ok_or_else(|| no_decision(format!("the cards of seat {} are hidden", seat.number())))?;
    let Some(listed) = &go.legal else { return Ok(()) };
    if let Some(other) = listed.iter().find(|listed| !legal.iter().any(|legal| legal == *listed)) {
        return Err(bad_argument(format!("{} is not legal here: {}", quoted(other), legal.join(" "))));
    }
    match legal.iter().find(|legal| !listed.contains(&legal.as_str())) {
        Some(missing) => Err(bad_argument(format!("{missing} is legal here, but not listed"))),
        None => Ok(()),
    }
}

/// Returns the lines about an analysis, best first.
fn info(analysis: &AnyAnalysis) -> impl Iterator<Item = String> {
    let nodes = analysis.nodes;
    (1..).zip(&analysis.lines).map(move |(place, line)| {
        let equity: String = line.equity.iter().map(|seat| format!(" {}", seat.win)).collect();
        format!("info multipv {place} nodes {nodes} equity{equity} pv {}", line.decision)
    })
}
