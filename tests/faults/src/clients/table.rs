//! A table has clients who play one game to its end, one who reads it, and others who follow it.

use std::io::{Error, Result};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use assam_referee::{Ruleset, Setup, Table};
use assam_rules::{Turn, Viewer};
use parking_lot::Mutex;
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::clients::client::{Client, SeatHolder, World, pause};
use crate::clients::follow::Follower;
use crate::history::{Answer, Asked, Line};
use crate::judge::masks::{MASK, merged};

/// The games that tables play in turn, with their players. Their number is coprime to the number of tables
/// between two contested ones, so each is played by one client and by several.
const GAMES: [(Ruleset, &[&str]); 7] = [
    (Ruleset::Marrakech, &["open"; 3]),
    (Ruleset::Marrakesh, &["open"; 2]),
    (Ruleset::Marrakech, &["open", "random", "open"]),
    (Ruleset::Marrakesh, &["open"; 2]),
    (Ruleset::Marrakech, &["random", "open", "open"]),
    (Ruleset::Marrakesh, &["open"; 2]),
    (Ruleset::Marrakech, &["open"; 4]),
];
/// The longest pause between two reads, in milliseconds.
const READS: u64 = 30;

/// How a game is played.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Determines every choice.
    pub seed: u64,
    /// The number of the game.
    pub number: u64,
    /// How many clients try each ply, each through a separate process.
    pub writers: usize,
    /// Whether the game is also read and followed.
    pub is_watched: bool,
}

/// A game that is being played.
struct Game<'a> {
    world: &'a World,
    plan: Plan,
    id: String,
    secrets: Vec<String>,
    /// How many words precede ply 1.
    drawn: usize,
    /// The newest ply.
    ply: AtomicU32,
    /// Whether writing has ended.
    is_done: AtomicBool,
    /// Whether clients must not try the next ply.
    stops: AtomicBool,
    round: Barrier,
    lines: Mutex<Vec<Line>>,
}

fn secret(random: &mut SmallRng) -> String {
    (0..8).map(|_| format!("{:08x}", random.random::<u32>())).collect()
}

/// Plays one game and writes its history.
///
/// # Errors
/// If the history cannot be written, or the rules refuse what the service wrote.
pub fn play(world: &World, plan: Plan) -> Result<()> {
    let mut random = SmallRng::seed_from_u64(plan.seed ^ plan.number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let (ruleset, seats) = GAMES[plan.number as usize % GAMES.len()];
    let secrets: Vec<String> = seats.iter().map(|_| secret(&mut random)).collect();
    let mut host = Client::new(world, plan.number as usize, true);
    let Some(id) = open(&mut host, ruleset, seats, &secrets, &mut random) else {
        return world.journal.write(&named(&host.lines, "never created"));
    };
    let Some(begun) = log(&mut host, &id, None) else {
        return world.journal.write(&named(&host.lines, &id));
    };
    let setup = Setup::new(ruleset, seats.len() as u8, &[]);
    let setup = setup.map_err(|error| Error::other(error.detail))?;
    let drawn = usize::from(setup.table().next_ply() == 0);
    let Some(begun) = known(&mut host, &id, &secrets, 0, begun) else {
        world.journal.write(&named(&host.lines, &id))?;
        return Err(hidden());
    };
    let game = Game {
        world,
        plan,
        id,
        secrets,
        drawn,
        ply: AtomicU32::new((begun.len() - drawn) as u32),
        is_done: AtomicBool::new(false),
        stops: AtomicBool::new(false),
        round: Barrier::new(plan.writers),
        lines: Mutex::new(host.lines),
    };
    let written: Result<()> = thread::scope(|scope| {
        let game = &game;
        if plan.is_watched {
            scope.spawn(move || read(game));
            scope.spawn(move || game.follow());
        }
        let writers: Vec<_> = (0..plan.writers)
            .map(|writer| {
                let table = setup.table();
                let begun = begun.clone();
                scope.spawn(move || Writer::new(game, writer, table).write(&begun))
            })
            .collect();
        let written = writers.into_iter().map(|writer| writer.join().unwrap_or_else(|_| Err(stopped())));
        let written = written.collect();
        game.is_done.store(true, Ordering::Release);
        written
    });
    let lines = game.lines.into_inner();
    world.journal.write(&named(&lines, &game.id))?;
    written
}

fn stopped() -> Error {
    Error::other("a writer has stopped")
}

/// Creates a game and takes its seats. Returns its id.
fn open(
    host: &mut Client<'_>,
    ruleset: Ruleset,
    seats: &[&str],
    secrets: &[String],
    random: &mut SmallRng,
) -> Option<String> {
    let seated = seats.iter().map(|&seat| seat.to_owned()).collect();
    let created = Asked::Create { key: secret(random), ruleset: ruleset.name().to_owned(), seats: seated };
    let Some(Answer::Done { words, .. }) = host.insist("", holders(secrets).next(), &created) else {
        return None;
    };
    let id = words.into_iter().next()?;
    for holder in holders(secrets).filter(|holder| seats[holder.seat - 1] == "open") {
        host.insist(&id, Some(holder), &Asked::Sit { seat: holder.seat });
    }
    Some(id)
}

/// Returns the seat holders with these secrets.
fn holders(secrets: &[String]) -> impl Iterator<Item = SeatHolder<'_>> {
    (1..).zip(secrets).map(|(seat, secret)| SeatHolder { seat, secret })
}

/// Returns all words of a game as one viewer may read them, or `None` if the client got no answer.
fn log(client: &mut Client<'_>, id: &str, by: Option<SeatHolder<'_>>) -> Option<Vec<String>> {
    match client.insist(id, by, &Asked::Log) {
        Some(Answer::Done { words, drawn, .. }) => Some(drawn.into_iter().chain(words).collect()),
        Some(Answer::Refused { .. } | Answer::Busy { .. } | Answer::Broken { .. } | Answer::Cut) | None => {
            None
        }
    }
}

/// Returns the words after the first so many, merged from the views of all seats: no seat sees another's
/// deal. Returns `None` if part of it is readable to no seat.
fn known(
    client: &mut Client<'_>,
    id: &str,
    secrets: &[String],
    behind: usize,
    mut words: Vec<String>,
) -> Option<Vec<String>> {
    for holder in holders(secrets) {
        if words.iter().any(|word| word.contains(MASK)) {
            let log = log(client, id, Some(holder)).unwrap_or_default();
            for (word, same) in words.iter_mut().zip(log.iter().skip(behind)) {
                if let Some(more) = merged(word, same) {
                    *word = more;
                }
            }
        }
    }
    words.iter().all(|word| !word.contains(MASK)).then_some(words)
}

fn hidden() -> Error {
    Error::other("no seat was shown what was dealt")
}

/// Returns the lines with the id of their game, which was unknown when they were sent.
fn named(lines: &[Line], id: &str) -> Vec<Line> {
    let mut lines = lines.to_vec();
    for line in &mut lines {
        match line {
            Line::Attempt(attempt) => id.clone_into(&mut attempt.game),
            Line::Run(_) | Line::Fault(_) | Line::Told(_) | Line::Last(_) => {}
        }
    }
    lines
}

impl Game<'_> {
    fn keep(&self, lines: Vec<Line>) {
        self.lines.lock().extend(lines);
    }

    fn follow(&self) {
        let follower = Follower::new(self.world, &self.id, self.plan.number as usize + 2);
        self.keep(follower.follow(&self.is_done, || self.ply.load(Ordering::Relaxed)));
    }
}

/// Reads the game now and then in every way.
fn read(game: &Game<'_>) {
    let mut random = SmallRng::seed_from_u64(!game.plan.seed ^ game.plan.number);
    let mut client = Client::new(game.world, game.plan.number as usize + 1, true);
    while !game.is_done.load(Ordering::Acquire) {
        let written = game.ply.load(Ordering::Relaxed);
        let asked = match random.random_range(0..3) {
            0 => Asked::Game,
            1 => Asked::Log,
            _ => Asked::State { ply: random.random_range(0..=written) },
        };
        let by = random.random_range(0..=game.secrets.len()).checked_sub(1);
        client.ask(&game.id, by.and_then(|seat| holders(&game.secrets).nth(seat)), &asked);
        pause(Duration::from_millis(random.random_range(0..READS)));
    }
    game.keep(client.lines);
}

/// A client that plays.
struct Writer<'a> {
    game: &'a Game<'a>,
    client: Client<'a>,
    random: SmallRng,
    table: Box<dyn Table>,
    /// The number of this writer.
    number: usize,
}

impl<'a> Writer<'a> {
    fn new(game: &'a Game<'a>, number: usize, table: Box<dyn Table>) -> Self {
        let Plan { seed, number: of_game, writers, .. } = game.plan;
        let random = SmallRng::seed_from_u64(seed.rotate_left(17) ^ (of_game << 8) ^ number as u64);
        let client = Client::new(game.world, of_game as usize + number, writers == 1);
        Self { game, client, random, table, number }
    }

    /// Plays to the end of the game or the run. All writers try the same ply and continue together.
    fn write(mut self, begun: &[String]) -> Result<()> {
        let mut result = self.replay(begun).map(|()| true);
        // Set between two barriers and read before the next.
        while !self.game.stops.load(Ordering::Relaxed) {
            self.game.round.wait();
            result = result.and_then(|_| self.try_ply());
            if !matches!(result, Ok(true)) || self.game.world.is_over() {
                self.game.stops.store(true, Ordering::Relaxed);
            }
            self.game.round.wait();
        }
        self.game.keep(self.client.lines);
        result.map(drop)
    }

    fn replay(&mut self, words: &[String]) -> Result<()> {
        for word in words {
            self.table.replay(word).map_err(|refusal| Error::other(format!("{word}: {refusal:?}")))?;
        }
        Ok(())
    }

    /// Tries to write the next ply. Returns whether the game continues.
    fn try_ply(&mut self) -> Result<bool> {
        let Turn::Player(seat) = self.table.turn() else { return Ok(false) };
        let legal = self.table.legal_moves(Viewer::Arbiter).unwrap_or_default();
        let decision = legal[self.random.random_range(0..legal.len())].clone();
        let ply = self.table.next_ply();
        let game = self.game;
        let behind = game.drawn + ply as usize - 1;
        let asked = Asked::Append { ply, decision };
        let holder = holders(&game.secrets).nth(seat.index());
        let answer = self.client.insist(&game.id, holder, &asked);
        let is_contested = game.plan.writers > 1;
        if is_contested {
            if self.number == 0 {
                game.world.contested.fetch_add(1, Ordering::Relaxed);
            }
            // From here on, no read may show less.
            game.round.wait();
        }
        let words = match answer {
            Some(Answer::Done { words, status, .. }) => {
                if status == 201 || !is_contested {
                    game.world.words.fetch_add(words.len() as u64, Ordering::Relaxed);
                }
                if is_contested {
                    self.client.ask(&game.id, None, &Asked::Game);
                }
                words
            }
            Some(Answer::Refused { code, .. }) if is_contested && code == "ply_taken" => {
                log(&mut self.client, &game.id, None).unwrap_or_default().into_iter().skip(behind).collect()
            }
            Some(_) | None => Vec::new(),
        };
        let words = known(&mut self.client, &game.id, &game.secrets, behind, words).ok_or_else(hidden)?;
        game.ply.fetch_max(ply - 1 + words.len() as u32, Ordering::Relaxed);
        self.replay(&words)?;
        Ok(!words.is_empty())
    }
}
