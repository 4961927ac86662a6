//! Explanations for Marrakech: clauses on what is due, and why a rule applies in a position.

use alloc::format;
use alloc::string::{String, ToString};

use assam_rules::marrakech::{Action, Chance, Colour, Cover, Direction, Phase, Position, Rug, Rule};
use assam_rules::{Game, Leave, Move, Seat};

use crate::{Decision, History, Word};

/// Returns what is due in a position.
pub(super) fn due(position: &Position) -> String {
    let seat = position.seat();
    let (square, _) = position.assam();
    match position.phase() {
        Phase::TurnUp => format!("the top rug of seat {seat}'s pile must be turned up"),
        Phase::Orient { .. } => format!("seat {seat} must turn Assam"),
        Phase::Roll { .. } => format!("the die must be rolled for seat {seat}"),
        Phase::Lay { hand } => {
            format!("seat {seat} must lay a {} rug next to Assam on {square}", colour_word(hand))
        }
        Phase::Over => match alone(position) {
            Some(seat) => format!("the game is over: seat {seat} alone is left"),
            None => "the game is over: every rug is laid".to_string(),
        },
        Phase::Aborted => "the game was aborted".to_string(),
    }
}

/// Returns why a rule applies in a position.
pub(super) fn explain(
    position: &Position,
    mv: Move<Position>,
    rule: Rule,
    history: &History<'_, Position>,
) -> String {
    let (assam, facing) = position.assam();
    match (rule, mv) {
        (Rule::CoversWholeRug, Move::Action(Action::Lay(rug))) => covers_whole_rug(position, rug, history),
        (Rule::RugUnderAssam, _) => format!("Assam is on {assam}"),
        (Rule::RugNotBesideAssam, Move::Action(Action::Lay(rug))) => {
            let [low, high] = rug.squares();
            format!("Assam is on {assam}, which shares a side with neither {low} nor {high}")
        }
        (Rule::AboutTurn, _) => {
            let [facing, about] = [facing, facing.opposite()].map(direction_word);
            format!("Assam faces {facing}, so {about} would turn him about")
        }
        (Rule::ColourNotInPile, Move::Chance(Chance::Colour(colour))) => {
            let seat = position.seat();
            let what = if position.setup().colours(seat).contains(&colour) { "no" } else { "never a" };
            let left = if what == "no" { " left" } else { "" };
            format!("seat {} has {what} {} rug{left} in its pile", seat.number(), colour_word(colour))
        }
        (Rule::NoSuchSeat, _) => format!("the table has {} seats", position.setup().seats()),
        (Rule::SeatOut, Move::Leave(Leave::Resign(seat) | Leave::Timeout(seat))) => {
            let number = seat.number();
            match history.first_after(|position| position.out().contains(&seat)) {
                Some(ply) => format!("seat {number} has been out since ply {ply}"),
                None => format!("seat {number} is out in the position in which the record begins"),
            }
        }
        (
            Rule::Over
            | Rule::ChanceDue
            | Rule::NoChanceDue
            | Rule::DieDue
            | Rule::ColourDue
            | Rule::OrientDue
            | Rule::RugDue
            | Rule::CoversWholeRug
            | Rule::RugNotBesideAssam
            | Rule::ColourNotInPile
            | Rule::SeatOut,
            _,
        ) => due(position),
    }
}

fn covers_whole_rug(position: &Position, rug: Rug, history: &History<'_, Position>) -> String {
    let [low, _] = rug.squares();
    let owner = position.board().colour(low).and_then(|colour| position.setup().owner(colour));
    let whose = match owner {
        Some(owner) if owner == position.seat() => format!("seat {} itself", owner.number()),
        Some(owner) => format!("seat {}", owner.number()),
        None => "a seat".to_string(),
    };
    let lays_it = |word: &Word<Position>| word.decision == Some(Decision::Action(Action::Lay(rug)));
    let when = match history.latest(lays_it) {
        Some(ply) => format!("at ply {ply}"),
        None => "before the record begins".to_string(),
    };
    let rule = if position.setup().options().cover == Cover::Any {
        ", and `cover=any` protects every rug"
    } else {
        ""
    };
    format!("{rug} would cover both halves of the rug that {whose} laid {when}{rule}")
}

/// Returns the seat that is not out, if there is only one.
fn alone(position: &Position) -> Option<Seat> {
    let mut still_in = Seat::all(position.setup().seats()).filter(|seat| !position.out().contains(seat));
    still_in.next().filter(|_| still_in.next().is_none())
}

const fn colour_word(colour: Colour) -> &'static str {
    match colour {
        Colour::Red => "red",
        Colour::Yellow => "yellow",
        Colour::Blue => "blue",
        Colour::Green => "green",
    }
}

const fn direction_word(direction: Direction) -> &'static str {
    match direction {
        Direction::North => "north",
        Direction::East => "east",
        Direction::South => "south",
        Direction::West => "west",
    }
}
