//! The value of `position=` for Marrakesh: a whole position in one word.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::Write as _;

use assam_rules::Rule;
use assam_rules::marrakesh::{
    BySide, Card, Cards, Diagram, Digit, Discards, Hand, Lead, List, Oval, Ovals, Phase, Points, Position,
    RoundScore, Setup, Side, Stop, Trick, Values,
};

use super::card::{NoCards, read_card, read_cards, read_digit, write_cards, write_hand};
use super::score::{read_side_score, round_name};
use crate::field::{end_field, read_number, read_seat_on_turn, take, write_list, wrong};
use crate::{Cursor, PositionError, TokenError};

/// Writes a position.
pub(super) fn write(position: &Position) -> String {
    let is = position.diagram();
    let mut out = format!("{};", is.round);
    write_pair(is.points.0, &mut out, |points, out| {
        out.extend(points.counts().map(|count| char::from(b'0' + count)));
    });
    write_pair(is.ovals.0, &mut out, |ovals, out| out.extend(ovals.0.map(oval_letter)));
    write_pair(is.hands.0, &mut out, |hand, out| {
        write_hand(hand, out);
        if hand.is_empty() {
            out.push('-');
        }
    });
    write_list(is.tricks.iter().map(|&trick| trick_name(trick)), &mut out);
    write_phase(is.phase, &mut out);
    write_cards(is.discards.known, &mut out);
    out.extend((0..is.discards.unknown).map(|_| "??"));
    if is.discards.is_empty() {
        out.push('-');
    }
    let _ = write!(out, ";{};", is.discards.top.map_or("-".to_string(), |card| card.to_string()));
    write_list(is.scores.iter().map(round_name), &mut out);
    match is.stop {
        None => out.push_str(";-"),
        Some(Stop::Left(side)) => {
            let _ = write!(out, ";left{}", side.seat().number());
        }
        Some(Stop::Aborted) => out.push_str(";aborted"),
    }
    out
}

/// Writes a field with Blue's part and Red's, and its end.
fn write_pair<T>([blue, red]: [T; 2], out: &mut String, one: impl Fn(T, &mut String)) {
    one(blue, out);
    out.push('/');
    one(red, out);
    out.push(';');
}

/// Writes the seat, its task, the cards on the table, and the remaining uses.
fn write_phase(phase: Phase, out: &mut String) {
    let seat = |side: Side| side.seat().number();
    let _ = match phase {
        Phase::Lead { leader } => write!(out, ";{};lead;-;-;-;-;", seat(leader)),
        Phase::Reply { leader, lead: Lead::Known(card) } => {
            write!(out, ";{};reply;{card};-;-;-;", seat(leader.opponent()))
        }
        Phase::Reply { leader, lead: Lead::Unknown } => {
            write!(out, ";{};reply;??;-;-;-;", seat(leader.opponent()))
        }
        Phase::Use { trick, values, bonus, off } => {
            let numbers: String = values
                .numbers()
                .rev()
                .flat_map(|number| core::iter::repeat_n(number.letter(), values.count(number).into()))
                .collect();
            let bonus = bonus.map_or("-".to_string(), |card| card.to_string());
            let table: String = [trick.lead, trick.reply].into_iter().flat_map(Card::letters).collect();
            write!(out, ";{};use;{table};{numbers};{off};{bonus};", seat(trick.winner()))
        }
        // No chance is due between two words.
        Phase::Dice | Phase::Deal(_) | Phase::Bonus { .. } => write!(out, ";-;chance;-;-;-;-;"),
        Phase::Over => write!(out, ";-;over;-;-;-;-;"),
    };
}

const fn oval_letter(oval: Oval) -> char {
    match oval {
        Oval::Empty => '.',
        Oval::Chip => '0',
        Oval::Pieces(pieces) => (b'0' + pieces) as char,
        Oval::Closed => 'X',
    }
}

fn trick_name(trick: Trick) -> String {
    let cards = [trick.lead, trick.reply].into_iter().flat_map(Card::letters);
    core::iter::once(trick.leader.letter()).chain(cards).collect()
}

/// Reads a position.
pub(super) fn read(setup: &Setup, text: &str) -> Result<Position, PositionError> {
    let mut cursor = Cursor::new(text.as_bytes());
    let diagram = read_diagram(&mut cursor).map_err(PositionError::Syntax)?;
    Position::from_diagram(setup, &diagram)
        .map_err(|impossible| PositionError::Impossible { rule: impossible.id(), text: impossible.text() })
}

fn read_diagram(cursor: &mut Cursor<'_>) -> Result<Diagram, TokenError> {
    let round_expected = "the number of the round, 1 to 12";
    let start = *cursor;
    let round = read_number(cursor).and_then(|round| u8::try_from(round).ok());
    let round = round.ok_or_else(|| wrong(&start, "notation.position.round", round_expected))?;
    end_field(cursor)?;
    let points = read_pair(cursor, read_points)?;
    let ovals = read_pair(cursor, read_ovals)?;
    let hands = read_pair(cursor, read_hand)?;
    let tricks = read_tricks(cursor)?;
    end_field(cursor)?;
    let phase = read_phase(cursor)?;
    end_field(cursor)?;
    let mut discards = read_discards(cursor)?;
    end_field(cursor)?;
    discards.top = read_card_or_none(cursor, "notation.position.top-discard")?;
    end_field(cursor)?;
    let scores = read_scores(cursor)?;
    end_field(cursor)?;
    let stop = read_stop(cursor)?;
    if !cursor.is_at_end() {
        return Err(wrong(cursor, "notation.position.trailing", "the end of the line"));
    }
    Ok(Diagram { round, phase, stop, points, ovals, hands, tricks, discards, scores })
}

/// Reads a field with Blue's part and Red's, and its end.
fn read_pair<T>(
    cursor: &mut Cursor<'_>,
    one: impl Fn(&mut Cursor<'_>) -> Result<T, TokenError>,
) -> Result<BySide<T>, TokenError> {
    let blue = one(cursor)?;
    if !cursor.eat(b'/') {
        return Err(wrong(cursor, "notation.position.pair", "`/` between what is Blue's and what is Red's"));
    }
    let red = one(cursor)?;
    end_field(cursor)?;
    Ok(BySide([blue, red]))
}

fn read_points(cursor: &mut Cursor<'_>) -> Result<Points, TokenError> {
    let start = *cursor;
    let mut counts = [0; 6];
    let six = counts.iter_mut().all(|count| {
        let pieces = read_below(Points::PIECES + 1, cursor);
        *count = pieces.unwrap_or_default();
        pieces.is_some()
    });
    let expected = "the pieces on the points 1 to 6, at most six in all, such as 210201";
    Points::new(counts).filter(|_| six).ok_or_else(|| wrong(&start, "notation.position.points", expected))
}

/// Reads a digit below a limit of at most 10.
fn read_below(limit: u8, cursor: &mut Cursor<'_>) -> Option<u8> {
    take(cursor, |digit| digit.to_digit(limit.into())).map(|number| number as u8)
}

fn read_ovals(cursor: &mut Cursor<'_>) -> Result<Ovals, TokenError> {
    let mut ovals = Ovals::default();
    for oval in &mut ovals.0 {
        let read = take(cursor, |letter| match letter {
            '.' => Some(Oval::Empty),
            '0' => Some(Oval::Chip),
            '1'..='6' => Some(Oval::Pieces(letter as u8 - b'0')),
            'X' => Some(Oval::Closed),
            _ => None,
        });
        let expected = "three ovals: . empty, 0 a null chip, 1 to 6 pieces, X closed";
        *oval = read.ok_or_else(|| wrong(cursor, "notation.position.ovals", expected))?;
    }
    Ok(ovals)
}

fn read_hand(cursor: &mut Cursor<'_>) -> Result<Hand, TokenError> {
    if cursor.eat(b'-') {
        return Ok(Hand::EMPTY);
    }
    let expected = "the cards of a hand, sorted, ?? for each where they are not known, or - for none";
    let hand = match read_unknown(cursor) {
        0 => Hand::Known(read_known(cursor, "notation.position.hand", expected)?),
        unknown => Hand::Unknown(unknown),
    };
    if hand.is_empty() {
        return Err(wrong(cursor, "notation.position.hand", expected));
    }
    Ok(hand)
}

fn read_known(
    cursor: &mut Cursor<'_>,
    rule: &'static str,
    expected: &'static str,
) -> Result<Cards, TokenError> {
    read_cards(cursor).map_err(|no_cards| match no_cards {
        NoCards::Unsorted | NoCards::NotInPack => wrong(cursor, rule, expected),
    })
}

/// Takes each `??` that follows, up to a pack. Returns how many there were.
fn read_unknown(cursor: &mut Cursor<'_>) -> u8 {
    (0..Cards::PACK).take_while(|_| cursor.eat_all(b"??")).count() as u8
}

fn read_tricks(cursor: &mut Cursor<'_>) -> Result<List<Trick, 6>, TokenError> {
    let mut tricks = List::new();
    if cursor.eat(b'-') {
        return Ok(tricks);
    }
    loop {
        let start = *cursor;
        let trick = take(cursor, Side::from_letter)
            .and_then(|leader| Some(Trick { leader, lead: read_card(cursor)?, reply: read_card(cursor)? }))
            .and_then(|trick| tricks.push(trick).then_some(()));
        let expected = "six tricks at most, each b or r for who led, and the two cards, such as b6s2c, or -";
        trick.ok_or_else(|| wrong(&start, "notation.position.tricks", expected))?;
        if !cursor.eat(b',') {
            return Ok(tricks);
        }
    }
}

fn read_phase(cursor: &mut Cursor<'_>) -> Result<Phase, TokenError> {
    let side = read_seat_on_turn(cursor)?.map(Side::of);
    end_field(cursor)?;
    let start = *cursor;
    let expected = "lead, reply or use after the seat that must do it, 1 or 2, or over after no seat";
    let wrong_phase = || wrong(&start, "notation.position.phase", expected);
    let name = ["lead", "reply", "use", "over"].into_iter().find(|name| cursor.eat_all(name.as_bytes()));
    let name = name.ok_or_else(wrong_phase)?;
    end_field(cursor)?;
    let phase = match (name, side) {
        ("lead", Some(Some(leader))) => Phase::Lead { leader },
        ("over", None) => Phase::Over,
        ("reply", Some(Some(receiver))) => {
            let lead = read_lead(cursor)?;
            end_field(cursor)?;
            read_nothing(cursor, 3)?;
            return Ok(Phase::Reply { leader: receiver.opponent(), lead });
        }
        ("use", Some(Some(winner))) => return read_use(cursor, winner),
        (_, _) => return Err(wrong_phase()),
    };
    read_nothing(cursor, 4)?;
    Ok(phase)
}

/// Reads this many fields that mean nothing in this phase.
fn read_nothing(cursor: &mut Cursor<'_>, fields: u8) -> Result<(), TokenError> {
    for field in 0..fields {
        if field > 0 {
            end_field(cursor)?;
        }
        if !cursor.eat(b'-') {
            let expected = "-: cards on the table are those of a reply or a use, and numbers those of a use";
            return Err(wrong(cursor, "notation.position.table", expected));
        }
    }
    Ok(())
}

fn read_lead(cursor: &mut Cursor<'_>) -> Result<Lead, TokenError> {
    if cursor.eat_all(b"??") {
        return Ok(Lead::Unknown);
    }
    let expected = "the card that was led, or ?? where it is not known";
    read_card(cursor).map(Lead::Known).ok_or_else(|| wrong(cursor, "notation.position.table", expected))
}

/// Reads the two cards, the remaining uses, the pieces off, and the bonus card.
fn read_use(cursor: &mut Cursor<'_>, winner: Side) -> Result<Phase, TokenError> {
    let start = *cursor;
    let cards = read_card(cursor).and_then(|lead| Some((lead, read_card(cursor)?)));
    let expected = "the lead and the reply, such as 6s2c";
    let (lead, reply) = cards.ok_or_else(|| wrong(&start, "notation.position.table", expected))?;
    let leader = if lead.suit().beats(reply.suit()) { winner } else { winner.opponent() };
    end_field(cursor)?;
    let values = read_values(cursor)?;
    end_field(cursor)?;
    let expected = "the pieces that are off in this trick, 0 to 5";
    let off =
        read_below(Points::PIECES, cursor).ok_or_else(|| wrong(cursor, "notation.position.off", expected))?;
    end_field(cursor)?;
    let bonus = read_card_or_none(cursor, "notation.position.bonus")?;
    Ok(Phase::Use { trick: Trick { leader, lead, reply }, values, bonus, off })
}

/// Reads at most six numbers, the largest first, once for each remaining use.
fn read_values(cursor: &mut Cursor<'_>) -> Result<Values, TokenError> {
    let mut values = Values::default();
    let mut last: Option<Digit> = None;
    let expected =
        "the numbers left to use, once for each use left, six at most, the largest first: 62, 5555";
    loop {
        let at = *cursor;
        let Some(number) = read_digit(cursor) else { break };
        if last.is_some_and(|last| last < number) || values.total() == 6 {
            return Err(wrong(&at, "notation.position.values", expected));
        }
        values.add(Some(number), 1);
        last = Some(number);
    }
    if values.is_empty() {
        return Err(wrong(cursor, "notation.position.values", expected));
    }
    Ok(values)
}

fn read_card_or_none(cursor: &mut Cursor<'_>, rule: &'static str) -> Result<Option<Card>, TokenError> {
    if cursor.eat(b'-') {
        return Ok(None);
    }
    read_card(cursor).map(Some).ok_or_else(|| wrong(cursor, rule, "a card such as 5c, or -"))
}

fn read_discards(cursor: &mut Cursor<'_>) -> Result<Discards, TokenError> {
    if cursor.eat(b'-') {
        return Ok(Discards::default());
    }
    let expected = "the discards, sorted, and ?? for each that is not known, or - for none";
    let known = read_known(cursor, "notation.position.discards", expected)?;
    let discards = Discards { known, unknown: read_unknown(cursor), top: None };
    if discards.is_empty() {
        return Err(wrong(cursor, "notation.position.discards", expected));
    }
    Ok(discards)
}

fn read_scores(cursor: &mut Cursor<'_>) -> Result<List<RoundScore, 12>, TokenError> {
    let mut scores = List::new();
    if cursor.eat(b'-') {
        return Ok(scores);
    }
    loop {
        let start = *cursor;
        let expected =
            "what each finished round brought Blue and Red, such as tangier+royal-fez/0,game/one-chip, or -";
        let score = read_side_score(cursor)
            .filter(|_| cursor.eat(b'/'))
            .and_then(|blue| Some(BySide([blue, read_side_score(cursor)?])))
            .and_then(|score| scores.push(score).then_some(()));
        score.ok_or_else(|| wrong(&start, "notation.position.scores", expected))?;
        if !cursor.eat(b',') {
            return Ok(scores);
        }
    }
}

fn read_stop(cursor: &mut Cursor<'_>) -> Result<Option<Stop>, TokenError> {
    let words = [
        ("-", None),
        ("left1", Some(Stop::Left(Side::Blue))),
        ("left2", Some(Stop::Left(Side::Red))),
        ("aborted", Some(Stop::Aborted)),
    ];
    let expected = "- for a match that goes on or was played to its end, left1, left2 or aborted";
    let stop = words.iter().find(|(word, _)| cursor.eat_all(word.as_bytes()));
    stop.map(|&(_, stop)| stop).ok_or_else(|| wrong(cursor, "notation.position.stop", expected))
}
