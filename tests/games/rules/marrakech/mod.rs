//! The rules of Marrakech, one sentence each, in positions played to from the start.

mod ending;
mod laying;
mod leaving;
mod movement;
mod paying;
mod setup;

use assam_notation::{ErrorKind, Notation, Record, Replay, Word, read_record};
use assam_rules::marrakech::{Payment, Phase, Position};
use assam_rules::{Game, Seat, Turn};

const ONE_COLOUR: &str = "seats=2 two_player=one-colour";

/// Returns the position after these legal words.
fn after(settings: &str, words: &str) -> Position {
    let record = read(settings, words);
    assert_eq!(record.words.len(), words.split_whitespace().count(), "{:?}", record.verdict);
    record.replay.unwrap().position().clone()
}

/// Returns the rule that the last of these words breaks. Those before it are legal.
fn refused(settings: &str, words: &str) -> &'static str {
    let record = read(settings, words);
    assert_eq!(record.words.len() + 1, words.split_whitespace().count(), "{:?}", record.verdict);
    let error = record.verdict.unwrap_err();
    assert_eq!(error.kind, ErrorKind::IllegalMove, "{error}");
    error.rule
}

fn read(settings: &str, words: &str) -> Record<Position> {
    read_record(format!("MKN/1 marrakech/1 {settings}\n\n{words}\n"))
}

/// Returns the payments that the last of these words caused.
fn payments(settings: &str, words: &str) -> Vec<Payment> {
    let (before, last) = words.rsplit_once(' ').unwrap_or(("", words));
    let mut replay = Replay::<Position>::new(after(settings, before).setup());
    for word in before.split_whitespace() {
        replay.play(&Word::read(word).unwrap()).unwrap();
    }
    let mut payments = Vec::new();
    replay.play_telling(&Word::read(last).unwrap(), |payment| payments.push(payment)).unwrap();
    payments
}

/// Returns what the last of these words made its player pay: payer, payee, due, paid, and whether the payer
/// is out.
fn payment(settings: &str, words: &str) -> Option<(u8, u8, u16, u16, bool)> {
    let payments = payments(settings, words);
    assert!(payments.len() <= 1, "{payments:?}");
    payments.first().map(|p| (p.payer.number(), p.payee.number(), p.due, p.paid, p.eliminated))
}

fn seats(position: &Position) -> impl Iterator<Item = Seat> {
    Seat::all(position.setup().seats())
}

fn dirhams(position: &Position) -> Vec<u16> {
    seats(position).map(|seat| position.dirhams(seat)).collect()
}

/// Returns the number of rugs that each seat has left.
fn rugs_left(position: &Position) -> Vec<u8> {
    let of = |seat| position.setup().colours(seat).iter().map(|&colour| position.rugs_left(colour)).sum();
    seats(position).map(of).collect()
}

/// Returns the seats that are out, in the order of leaving.
fn out(position: &Position) -> Vec<u8> {
    position.out().iter().map(|seat| seat.number()).collect()
}

fn ranking(position: &Position) -> Vec<Vec<u8>> {
    let ranking = position.ranking().unwrap();
    ranking.0.iter().map(|group| group.iter().map(|seat| seat.number()).collect()).collect()
}

/// Returns the square and direction of Assam, such as `d4N`.
fn assam(position: &Position) -> String {
    let (square, facing) = position.assam();
    format!("{square}{facing}")
}

/// Returns the seat on turn and its decision, such as `1 orient` or `2 rug`, or `over`.
fn turn(position: &Position) -> String {
    match (position.turn(), position.phase()) {
        (Turn::Player(seat), Phase::Orient { .. }) => format!("{} orient", seat.number()),
        (Turn::Player(seat), Phase::Lay { .. }) => format!("{} rug", seat.number()),
        (Turn::Over, _) => "over".to_string(),
        (turn, _) => panic!("no word ends at {turn:?}"),
    }
}

/// Returns the written legal decisions, sorted.
fn legal(position: &Position) -> Vec<String> {
    let written = |action| {
        let mut text = String::new();
        Position::write_action(action, &mut text);
        text
    };
    let mut legal: Vec<String> = position.legal_actions().into_iter().map(written).collect();
    legal.sort();
    legal
}
