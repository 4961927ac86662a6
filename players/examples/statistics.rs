//! Compares statistics of Marrakesh matches between random and solitaire players with those of another
//! implementation of the same rules, with default options.
//!
//! `cargo run --release -p assam-players --example statistics [matches]`

use assam_players::{Playable, Player};
use assam_rules::marrakesh::{
    Defence, Event, List, Match, Offence, Position, RoundScore, Setup, Side, SideScore,
};
use assam_rules::{Game, Move, Turn};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The number of matches that the other implementation played for each column.
pub const REFERENCE_MATCHES: f64 = 2000.0;

/// The figures: the measure, the other implementation's means for random and for solitaire players, and half
/// a unit of the last digit of those means. Matches within tricks are known only for random players.
const REFERENCES: [(&str, f64, Option<f64>, f64); 18] = [
    ("tricks a round", 5.578, Some(5.500), 0.0005),
    ("decisions a match", 287.5, Some(281.1), 0.05),
    ("decisions with a choice", 197.0, Some(207.3), 0.05),
    ("points of a player a round", 5.14, Some(4.06), 0.005),
    ("backgammon, %", 5.4, Some(5.4), 0.05),
    ("gammon, %", 12.1, Some(14.7), 0.05),
    ("game, %", 16.9, Some(22.4), 0.05),
    ("Little Fez, %", 3.26, Some(2.51), 0.005),
    ("Common Fez, %", 8.72, Some(3.64), 0.005),
    ("Royal Fez, %", 9.05, Some(2.89), 0.005),
    ("Grand Fez, %", 3.87, Some(0.94), 0.005),
    ("Chips 1, %", 24.5, Some(23.7), 0.05),
    ("Chips 4, %", 7.4, Some(6.0), 0.05),
    ("Pips, %", 18.7, Some(13.9), 0.05),
    ("tricks without a match, %", 65.1, None, 0.05),
    ("tricks of one suit, %", 21.7, None, 0.05),
    ("tricks of one number, %", 11.4, None, 0.05),
    ("tricks of identical cards, %", 1.8, None, 0.05),
];

/// A mean over matches and that of another implementation.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// The measure.
    pub name: &'static str,
    /// The mean here.
    pub mean: f64,
    /// The mean of the other implementation.
    pub reference: Option<f64>,
    /// The difference between the two means in standard errors, allowing for the rounding of the other one.
    pub errors_apart: f64,
}

/// Plays the matches of the seeds 0 up to `matches` and returns their figures. The matches are the same each
/// time.
pub fn figures(player: Player, matches: u32) -> Vec<Figure> {
    let measured: Vec<_> = (0..matches).map(|seed| measure(player, seed.into())).collect();
    let count = f64::from(matches);
    let figure = |(n, (name, random, solitaire, rounding)): (usize, (_, f64, Option<f64>, f64))| {
        let mean = measured.iter().map(|of_match| of_match[n]).sum::<f64>() / count;
        let squares = measured.iter().map(|of_match| (of_match[n] - mean).powi(2)).sum::<f64>();
        let error = (squares / (count - 1.0) * (1.0 / count + 1.0 / REFERENCE_MATCHES)).sqrt();
        let reference = match player {
            Player::Random => Some(random),
            Player::SolitaireAi | Player::Hand | Player::Merchant(_) => solitaire,
        };
        let apart = reference.map_or(0.0, |reference| (mean - reference).abs() - rounding);
        Figure { name, mean, reference, errors_apart: apart.max(0.0) / error }
    };
    REFERENCES.into_iter().enumerate().map(figure).collect()
}

/// The number of 2,000 matches that the other implementation's solitaire player won against its random one.
const REFERENCE_WINS: f64 = 1533.0;

/// Returns the share of matches that the solitaire player wins against the random one, and the other
/// implementation's share. Each seed from 0 up to `matches` is played twice with the seats swapped.
pub fn solitaire_wins(matches: u32) -> Figure {
    let seatings = [[Player::SolitaireAi, Player::Random], [Player::Random, Player::SolitaireAi]];
    let is_won = |&(seed, players): &(u32, [Player; 2])| {
        let position = play(players, seed.into(), |_, _| {});
        let winners = position.ranking().map(|ranking| ranking.winners().to_vec()).unwrap_or_default();
        winners.len() == 1 && players[winners[0].index()] == Player::SolitaireAi
    };
    let all = (0..matches).flat_map(|seed| seatings.map(|players| (seed, players)));
    let played = f64::from(2 * matches);
    let mean = all.filter(is_won).count() as f64 / played;
    let reference = REFERENCE_WINS / REFERENCE_MATCHES;
    let error = (reference * (1.0 - reference) * (1.0 / played + 1.0 / REFERENCE_MATCHES)).sqrt();
    Figure {
        name: "matches that solitaire wins against random, %",
        mean: 100.0 * mean,
        reference: Some(100.0 * reference),
        errors_apart: (mean - reference).abs() / error,
    }
}

/// Plays one match. Passes each position before a move to `look`, with the events of the move.
fn play(players: [Player; 2], seed: u64, mut look: impl FnMut(&Position, &[Event])) -> Position {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut draw = |range| rng.next_u64() % range;
    let mut position = Position::new(&Setup::default());
    loop {
        let moves: Vec<Move<Position>> = match position.turn() {
            Turn::Chance => position.draw_chance(&mut draw).into_iter().map(Move::Chance).collect(),
            Turn::Player(seat) => {
                position.decision_of(players[seat.index()], &mut draw).into_iter().map(Move::Action).collect()
            }
            Turn::Over | Turn::Aborted => return position,
        };
        for mv in moves {
            let before = position.clone();
            let mut events = Vec::new();
            let tell = &mut |event| events.push(event);
            position.play_telling(mv, tell).expect("the players choose legal decisions");
            look(&before, &events);
        }
    }
}

/// Plays one match and measures it, in the order of [`REFERENCES`].
fn measure(player: Player, seed: u64) -> [f64; 18] {
    let (mut decisions, mut choices, mut tricks) = (0, 0, Vec::new());
    let position = play([player; 2], seed, |before, events| {
        decisions += u32::from(matches!(before.turn(), Turn::Player(_)));
        choices += u32::from(before.legal_actions().len() > 1);
        tricks.extend(events.iter().filter_map(|event| match event {
            Event::TrickWon { matching, .. } => Some(*matching),
            Event::BonusDrawn { .. } | Event::OvalMarked { .. } | Event::RoundScored { .. } => None,
        }));
    });
    let scores = &position.diagram().scores;
    let rounds = scores.len() as f64;
    let shares = |counts: &dyn Fn(SideScore) -> bool| share_of_sides(scores, counts);
    let offence =
        |kinds: &[Offence]| shares(&|score| score.offence.is_some_and(|kind| kinds.contains(&kind)));
    let defence = |kind| shares(&|score| score.defence == Some(kind));
    let matching = |kind| {
        100.0 * tricks.iter().filter(|&&matching| matching == kind).count() as f64 / tricks.len() as f64
    };
    let points: u16 = Side::BOTH.into_iter().map(|side| position.total(side)).sum();
    [
        tricks.len() as f64 / rounds,
        f64::from(decisions),
        f64::from(choices),
        f64::from(points) / (2.0 * rounds),
        offence(&[Offence::Backgammon]),
        offence(&[Offence::Tangier, Offence::Gibraltar, Offence::Gammon]),
        offence(&[Offence::ElAyun, Offence::Bogart, Offence::Casablanca, Offence::Rabat, Offence::Game]),
        defence(Defence::LittleFez),
        defence(Defence::CommonFez),
        defence(Defence::RoyalFez),
        defence(Defence::GrandFez),
        defence(Defence::OneChip),
        defence(Defence::TwoChips),
        shares(&|score| score.pips),
        matching(Match::Nothing),
        matching(Match::Suit),
        matching(Match::Number),
        matching(Match::Both),
    ]
}

/// Returns the percentage of all rounds of both players for which `holds` is true.
fn share_of_sides(scores: &List<RoundScore, 12>, holds: &dyn Fn(SideScore) -> bool) -> f64 {
    let held = scores.iter().flat_map(|score| score.0).filter(|score| holds(*score)).count();
    100.0 * held as f64 / (2 * scores.len()) as f64
}

fn main() {
    let matches = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(2000);
    println!("{matches} matches of 12 rounds per column. s.e.: difference in standard errors\n");
    println!("| | random | elsewhere | s.e. | solitaire | elsewhere | s.e. |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let columns = [Player::Random, Player::SolitaireAi].map(|player| figures(player, matches));
    for (random, solitaire) in columns[0].iter().zip(&columns[1]) {
        let cells = [random, solitaire].map(|figure| {
            let reference = figure.reference.map_or(String::new(), |reference| reference.to_string());
            format!("{:.3} | {reference} | {:.1}", figure.mean, figure.errors_apart)
        });
        println!("| {} | {} |", random.name, cells.join(" | "));
    }
    let wins = solitaire_wins(matches / 2);
    let reference = wins.reference.unwrap_or_default();
    println!("\n{}: {:.1}, elsewhere {reference:.1}, s.e. {:.1}", wins.name, wins.mean, wins.errors_apart);
}
