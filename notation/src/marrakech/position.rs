//! The value of `position=` for Marrakech: a whole position in one word.

use alloc::string::{String, ToString};
use core::fmt::Write as _;

use arrayvec::ArrayVec;
use assam_rules::marrakech::{Colour, Diagram, Direction, Phase, Position, Rug, Setup, Square};
use assam_rules::{BySeat, Game, Rule, Seat, Seats};

use super::letters::read_square;
use crate::field::{end_field, read_number, read_seat_on_turn, take, write_list, wrong};
use crate::{Cursor, PositionError, TokenError};

/// Writes a position.
pub(super) fn write(position: &Position) -> String {
    let diagram = position.diagram();
    let setup = position.setup();
    let mut out = String::new();
    write_board(&diagram, &mut out);
    out.push(';');
    write_list(diagram.whole_rugs.iter().map(|&rug| rug.to_string()), &mut out);
    let _ = write!(out, ";{}{};", diagram.assam, diagram.facing);
    let (phase, hand) = match diagram.phase {
        Phase::TurnUp => ("turnup", None),
        Phase::Orient { hand } => ("orient", hand),
        Phase::Roll { hand } => ("roll", Some(hand)),
        Phase::Lay { hand } => ("lay", Some(hand)),
        Phase::Over => ("over", None),
        Phase::Aborted => ("aborted", None),
    };
    match diagram.phase {
        Phase::Over | Phase::Aborted => out.push('-'),
        Phase::TurnUp | Phase::Orient { .. } | Phase::Roll { .. } | Phase::Lay { .. } => {
            let _ = write!(out, "{}", diagram.seat);
        }
    }
    let _ = write!(out, ";{phase};");
    for (n, seat) in Seat::all(setup.seats()).enumerate() {
        let comma = if n > 0 { "," } else { "" };
        let _ = write!(out, "{comma}{}", diagram.dirhams[seat]);
    }
    out.push(';');
    for colour in colours(setup) {
        let _ = write!(out, "{colour}{}", diagram.rugs_left[colour]);
    }
    let _ = write!(out, ";{};", hand.map_or('-', Colour::letter));
    write_list(diagram.out.iter().map(|seat| seat.to_string()), &mut out);
    out
}

/// Reads a position.
pub(super) fn read(setup: &Setup, text: &str) -> Result<Position, PositionError> {
    let mut cursor = Cursor::new(text.as_bytes());
    let diagram = read_diagram(setup, &mut cursor).map_err(PositionError::Syntax)?;
    Position::from_diagram(setup, &diagram)
        .map_err(|impossible| PositionError::Impossible { rule: impossible.id(), text: impossible.text() })
}

/// Returns the colours laid at a table, in the order of their owners.
fn colours(setup: &Setup) -> impl Iterator<Item = Colour> {
    Seat::all(setup.seats()).flat_map(|seat| setup.colours(seat).iter().copied())
}

fn write_board(diagram: &Diagram, out: &mut String) {
    for rank in (0..Square::SIDE).rev() {
        let mut bare = 0;
        for square in (0..Square::SIDE).filter_map(|file| Square::new(file, rank)) {
            match diagram.halves.iter().find(|(covered, _)| *covered == square) {
                None => bare += 1,
                Some((_, colour)) => {
                    push_run(bare, out);
                    bare = 0;
                    out.push(colour.letter());
                }
            }
        }
        push_run(bare, out);
        if rank > 0 {
            out.push('/');
        }
    }
}

fn push_run(bare: u8, out: &mut String) {
    if bare > 0 {
        out.push(char::from(b'0' + bare));
    }
}

fn read_diagram(setup: &Setup, cursor: &mut Cursor<'_>) -> Result<Diagram, TokenError> {
    let halves = read_board(cursor)?;
    end_field(cursor)?;
    let whole_rugs = read_whole_rugs(cursor)?;
    end_field(cursor)?;
    let assam = read_square(cursor)?;
    let facing = take(cursor, Direction::from_letter);
    let facing = facing
        .ok_or_else(|| wrong(cursor, "notation.position.assam", "Assam's square and facing, such as d4N"))?;
    end_field(cursor)?;
    let seat = read_seat_on_turn(cursor)?;
    end_field(cursor)?;
    let phase_start = *cursor;
    let phase = read_phase(cursor)?;
    end_field(cursor)?;
    let dirhams = read_dirhams(setup, cursor)?;
    end_field(cursor)?;
    let mut rugs_left = assam_rules::marrakech::ByColour::default();
    for colour in colours(setup) {
        let expected = "each colour of the table, in the order of the seats, and its rugs left: r15b15y15";
        if take(cursor, |letter| Colour::from_letter(letter).filter(|&read| read == colour)).is_none() {
            return Err(wrong(cursor, "notation.position.rugs-left", expected));
        }
        let at = *cursor;
        let left = read_number(cursor).ok_or_else(|| wrong(&at, "notation.position.rugs-left", expected))?;
        // No table has this many rugs. The rules refuse any such number as too many.
        rugs_left[colour] = u8::try_from(left).unwrap_or(u8::MAX);
    }
    end_field(cursor)?;
    let hand = if cursor.eat(b'-') {
        None
    } else {
        let hand = take(cursor, Colour::from_letter);
        Some(hand.ok_or_else(|| wrong(cursor, "notation.position.hand", "the colour in hand, or -"))?)
    };
    let (phase, seat) = match (phase, hand, seat) {
        ("orient", hand, Some(seat)) => (Phase::Orient { hand }, seat),
        ("lay", Some(hand), Some(seat)) => (Phase::Lay { hand }, seat),
        ("over", None, None) => (Phase::Over, Seat::FIRST),
        ("aborted", None, None) => (Phase::Aborted, Seat::FIRST),
        _ => {
            let expected = "a seat and a hand that go with the phase: none when the game is over";
            return Err(wrong(&phase_start, "notation.position.phase", expected));
        }
    };
    end_field(cursor)?;
    let out = read_out(cursor)?;
    if !cursor.is_at_end() {
        return Err(wrong(cursor, "notation.position.trailing", "the end of the line"));
    }
    Ok(Diagram { halves, whole_rugs, assam, facing, phase, seat, dirhams, rugs_left, out })
}

fn read_board(cursor: &mut Cursor<'_>) -> Result<ArrayVec<(Square, Colour), 49>, TokenError> {
    let expected =
        "seven ranks of seven squares, rank 7 first: digits for runs of bare squares, colour letters";
    let mut halves = ArrayVec::new();
    for rank in (0..Square::SIDE).rev() {
        let mut file = 0;
        let mut after_run = false;
        while file < Square::SIDE {
            let at = *cursor;
            match cursor.bump() {
                Some(run @ b'1'..=b'7') if !after_run && file + (run - b'0') <= Square::SIDE => {
                    file += run - b'0';
                    after_run = true;
                }
                Some(letter) => {
                    let half = Colour::from_letter(letter.into()).zip(Square::new(file, rank));
                    let (colour, square) =
                        half.ok_or_else(|| wrong(&at, "notation.position.board", expected))?;
                    halves.push((square, colour));
                    file += 1;
                    after_run = false;
                }
                None => return Err(wrong(&at, "notation.position.board", expected)),
            }
        }
        if rank > 0 && !cursor.eat(b'/') {
            return Err(wrong(cursor, "notation.position.board", expected));
        }
    }
    Ok(halves)
}

fn read_whole_rugs(cursor: &mut Cursor<'_>) -> Result<ArrayVec<Rug, 24>, TokenError> {
    let mut rugs = ArrayVec::new();
    if cursor.eat(b'-') {
        return Ok(rugs);
    }
    loop {
        let at = *cursor;
        let rug = Rug::new(read_square(cursor)?, read_square(cursor)?)
            .filter(|rug| !rugs.contains(rug))
            .and_then(|rug| rugs.try_push(rug).ok());
        let expected = "the rugs with both halves visible, each once, or -";
        rug.ok_or_else(|| wrong(&at, "notation.position.whole-rugs", expected))?;
        if !cursor.eat(b',') {
            return Ok(rugs);
        }
    }
}

fn read_phase(cursor: &mut Cursor<'_>) -> Result<&'static str, TokenError> {
    ["orient", "lay", "over", "aborted"]
        .into_iter()
        .find(|phase| cursor.eat_all(phase.as_bytes()))
        .ok_or_else(|| wrong(cursor, "notation.position.phase", "orient, lay, over or aborted"))
}

fn read_dirhams(setup: &Setup, cursor: &mut Cursor<'_>) -> Result<BySeat<u16>, TokenError> {
    let mut dirhams = BySeat::default();
    for seat in Seat::all(setup.seats()) {
        let separated = seat == Seat::FIRST || cursor.eat(b',');
        let at = *cursor;
        let number = read_number(cursor).filter(|_| separated);
        let expected = "the dirhams of every seat: 30,30,30";
        dirhams[seat] = number.ok_or_else(|| wrong(&at, "notation.position.dirhams", expected))?;
    }
    Ok(dirhams)
}

fn read_out(cursor: &mut Cursor<'_>) -> Result<Seats, TokenError> {
    let mut out = Seats::new();
    if cursor.eat(b'-') {
        return Ok(out);
    }
    loop {
        let at = *cursor;
        let seat = take(cursor, Seat::from_letter);
        let expected = "the seats that are out, the first out first, such as 2,4, or -";
        seat.and_then(|seat| out.try_push(seat).ok())
            .ok_or_else(|| wrong(&at, "notation.position.out", expected))?;
        if !cursor.eat(b',') {
            return Ok(out);
        }
    }
}
