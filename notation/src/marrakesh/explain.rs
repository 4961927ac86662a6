//! Explanations for Marrakesh: clauses on what is due, and why a rule applies in a position.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use assam_rules::marrakesh::{
    Action, Card, Cards, Chance, Digit, Lead, Oval, Phase, Position, Rule, Setup, Side, Stop, Trick, Values,
};
use assam_rules::{Game as _, Move, Turn};

use crate::{Decision, History, Word};

/// Returns what is due in a position.
pub(super) fn due(position: &Position) -> String {
    let is = position.diagram();
    match is.stop {
        Some(Stop::Aborted) => return "the match was aborted".to_string(),
        Some(Stop::Left(side)) => return format!("the match is over: {} left", seat(side)),
        None => {}
    }
    let round = is.round;
    let trick = is.tricks.len() + 1;
    match is.phase {
        Phase::Dice => format!("the dice of round {round} must be thrown"),
        Phase::Deal(side) => format!("{} must be dealt its hand of round {round}", seat(side)),
        Phase::Lead { leader } => format!("{} must lead to trick {trick} of round {round}", seat(leader)),
        Phase::Reply { leader, lead: Lead::Known(_) } => {
            format!("{} must reply in trick {trick} of round {round}", seat(leader.opponent()))
        }
        Phase::Reply { leader, lead: Lead::Unknown } => {
            format!("{} must reply to a lead that is not known here", seat(leader.opponent()))
        }
        Phase::Use { trick, values, bonus, .. } => {
            let of = match bonus {
                None => format!("{} and {}", trick.lead, trick.reply),
                Some(card) => format!("the bonus card {card}"),
            };
            format!("{} must use {} of {of}", seat(trick.winner()), left_to_use(values))
        }
        Phase::Bonus { trick, .. } => format!("a bonus card must be drawn for {}", seat(trick.winner())),
        Phase::Over => format!("the match is over: round {round} is scored"),
    }
}

/// Returns why a rule applies in a position.
pub(super) fn explain(
    position: &Position,
    mv: Move<Position>,
    rule: Rule,
    history: &History<'_, Position>,
) -> String {
    match (rule, mv) {
        (Rule::EqualDice, Move::Chance(Chance::Dice { blue, .. })) => {
            let points: String = blue.points().counts().map(|count| count.to_string()).concat();
            format!("both boards would have {points} pieces on the points 1 to 6")
        }
        (Rule::CardNotInDeck, Move::Chance(Chance::Deal(_, deal))) => {
            not_in_deck(position, deal.hand().known())
        }
        (Rule::CardNotInDeck, Move::Chance(Chance::Bonus(card)) | Move::Action(Action::Play(card))) => {
            let mut cards = Cards::new();
            // A pack has at least one card of each face.
            let _ = cards.insert(card);
            not_in_deck(position, cards)
        }
        (Rule::CardNotInHand, Move::Action(Action::Play(card))) => not_in_hand(position, card),
        (Rule::UnknownLead, _) => {
            let is_lead =
                |word: &Word<Position>| word.decision == Some(Decision::Action(Action::LeadUnknown));
            match history.latest(is_lead) {
                Some(ply) => format!("the card that was led at ply {ply} is not known here"),
                None => "the lead is not known in the position in which the record begins".to_string(),
            }
        }
        (Rule::UnknownCard, _) => match on_turn(position) {
            Some(leader) => format!("the hand of {} is known", seat(leader)),
            None => due(position),
        },
        (Rule::NoSuchSeat, _) => format!("the table has {} seats", Setup::SEATS),
        (Rule::NoPiece | Rule::HigherPiece, _) => pieces(position),
        (Rule::OvalsFull, _) => ovals(position),
        (Rule::BothNumbers, Move::Action(Action::Use { number, point })) => {
            let used = format!("{}@{}", number.get(), point.get());
            format!("{used} leaves fewer usable numbers than another use would, and {}", due(position))
        }
        (
            Rule::Over
            | Rule::ChanceDue
            | Rule::NoChanceDue
            | Rule::DiceDue
            | Rule::EqualDice
            | Rule::BlueHandDue
            | Rule::RedHandDue
            | Rule::BonusDue
            | Rule::CardNotInDeck
            | Rule::CardDue
            | Rule::UseDue
            | Rule::CardNotInHand
            | Rule::UnknownReply
            | Rule::NumberNotLeft
            | Rule::BothNumbers
            | Rule::HighFirst,
            _,
        ) => due(position),
    }
}

/// Returns the place of a card that a pack would not have often enough for these as well.
fn not_in_deck(position: &Position, cards: Cards) -> String {
    let out = position.cards_out();
    let is = position.diagram();
    let Some(card) = cards.faces().find(|&card| out.count(card) + cards.count(card) > card.copies()) else {
        return due(position);
    };
    let in_hands =
        Side::BOTH.map(|side| (is.hands[side].known().count(card), format!("in the hand of {}", seat(side))));
    let played = is.played().filter(|&played| played == card).count() as u8;
    let elsewhere = [
        (played, "among the cards played in this round".to_string()),
        (is.discards.known.count(card), "on the discard pile".to_string()),
    ];
    let places: Vec<String> = in_hands
        .into_iter()
        .chain(elsewhere)
        .filter(|&(count, _)| count > 0)
        .map(|(count, place)| if count == 1 { place } else { format!("twice {place}") })
        .collect();
    format!("{card} is {}", places.join(" and "))
}

fn not_in_hand(position: &Position, card: Card) -> String {
    let Some(side) = on_turn(position) else { return due(position) };
    let own = |trick: &Trick| if trick.leader == side { trick.lead } else { trick.reply };
    let played = position.diagram().tricks.iter().position(|trick| own(trick) == card);
    let seat = seat(side);
    match played {
        Some(trick) => format!("{seat} played its {card} in trick {}", trick + 1),
        None => format!("{seat} was not dealt {card} in this round"),
    }
}

/// Returns the points with pieces of the seat on turn.
fn pieces(position: &Position) -> String {
    let Some(side) = on_turn(position) else { return due(position) };
    let points = position.diagram().points[side];
    let taken: Vec<String> = Digit::all().rev().filter(|&point| points.on(point) > 0).map(digit).collect();
    format!("the pieces of {} are on {}", seat(side), taken.join(", "))
}

/// Returns the contents of the ovals of the seat on turn.
fn ovals(position: &Position) -> String {
    let Some(side) = on_turn(position) else { return due(position) };
    let [first, second, third] = position.diagram().ovals[side].0.map(|oval| match oval {
        Oval::Pieces(pieces) => pieces,
        Oval::Empty | Oval::Chip | Oval::Closed => 0,
    });
    format!("the ovals of {} hold {first}, {second} and {third} pieces", seat(side))
}

fn on_turn(position: &Position) -> Option<Side> {
    match position.turn() {
        Turn::Player(seat) => Side::of(seat),
        Turn::Chance | Turn::Over | Turn::Aborted => None,
    }
}

/// Returns the remaining uses, such as `6 and 2` or `5 (4 times)`.
fn left_to_use(values: Values) -> String {
    let each: Vec<String> = values
        .numbers()
        .rev()
        .map(|number| match values.count(number) {
            1 => digit(number),
            count => format!("{} ({count} times)", number.get()),
        })
        .collect();
    each.join(" and ")
}

fn digit(digit: Digit) -> String {
    digit.get().to_string()
}

fn seat(side: Side) -> String {
    format!("seat {}", side.seat().number())
}
