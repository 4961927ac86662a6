//! Marrakesh as SVG: Blue's half board above, Red's below, the table between them.

use std::fmt;

use assam_rules::marrakesh::Side;

use super::super::names::number;
use super::super::view::View;
use super::card::{self, Part, Place};
use super::half::{self, HAND_X, draw_piece};
use super::marks::TableMarks;
use super::pieces::{Face, Played, finished, in_use, on_table};
use crate::picture::{Bounds, Canvas};

/// The half boards, the table between them, and the numbers of the points.
pub(super) const BOUNDS: Bounds = Bounds { left: -4, top: -14, right: 446, bottom: half::BOTTOM + 22 };

/// The distance of the cards on the table from the top, and of the discards, the notes below, the open trick
/// and the finished tricks from the left.
const TABLE_Y: i32 = 154;
const DISCARDS_X: i32 = 68;
const NOTES_X: i32 = 106;
const TRICK_X: i32 = 152;
const FINISHED_X: i32 = HAND_X;
/// The distance from a card of the open trick to the next.
const TRICK_STEP: i32 = 52;
/// The scale of finished tricks in percent, and the distance from one to the next, to the right and down.
const FINISHED_PERCENT: i32 = 55;
const FINISHED_STEP: (i32, i32) = (48, 46);
/// The colour of the frame around the winning card of a trick.
const WON: &str = "#a8720c";

pub(super) fn draw(view: &View, marks: &TableMarks, canvas: &mut Canvas) {
    half::define_pieces(canvas);
    card::define(canvas);
    for side in Side::BOTH {
        let place = format_args!("data-half=\"{}\"", number(side));
        canvas.group("g", place, |canvas| half::draw(canvas, view, side, marks));
    }
    let labels = format_args!("class=\"table\" font-size=\"13\"");
    canvas.group("g", labels, |canvas| draw_table(canvas, view));
}

/// Draws the deck and discards, the open trick with its bonus card and remaining uses, and the finished
/// tricks.
fn draw_table(canvas: &mut Canvas, view: &View) {
    let back = (view.deck > 0).then_some(Face::Down);
    draw_pile(canvas, 0, back, Part::Deck, Sign::counting("deck", view.deck.into()));
    let top = view.discards.top.map(Face::Up);
    draw_pile(
        canvas,
        DISCARDS_X,
        top,
        Part::Discards,
        Sign::counting("discards", view.discards.len().into()),
    );
    let below = TABLE_Y + card::SIZE.1 + 20;
    let note = |canvas: &mut Canvas, x: i32, y: i32, sign: Sign| {
        sign.draw(canvas, format_args!("class=\"ink\" x=\"{x}\" y=\"{y}\""));
    };
    let (round, rounds) = (view.round, view.rounds);
    let numbers = format!("{round} {rounds}");
    note(canvas, 0, below, Sign { name: "round", numbers, text: format!("round {round} of {rounds}") });
    let used = in_use(view);
    if let Some(trick) = on_table(view) {
        canvas.group("g", format_args!("class=\"trick\""), |canvas| {
            let first = Place { x: TRICK_X, y: TABLE_Y, percent: 100 };
            draw_trick(canvas, &trick, first, TRICK_STEP, [Part::Lead, Part::Reply]);
            if trick.winner.is_none() {
                draw_free_place(canvas, TRICK_X + TRICK_STEP);
            }
            if let Some(card) = used.bonus {
                let x = TRICK_X + 2 * TRICK_STEP;
                card::draw(canvas, Face::Up(card), Part::Bonus, Place { x, y: TABLE_Y, percent: 100 });
                label(canvas, x, Sign::named("bonus"));
            }
        });
        label(canvas, TRICK_X, Sign::named("lead"));
        label(canvas, TRICK_X + TRICK_STEP, Sign::named("reply"));
    }
    if !used.values.is_empty() {
        let numbers = used.values.numbers().rev();
        let numbers: String = numbers
            .map(|number| format!("{} ", number.get()).repeat(used.values.count(number).into()))
            .collect();
        let numbers = numbers.trim_end().to_owned();
        let text = format!("still to use: {numbers}");
        note(canvas, NOTES_X, below, Sign { name: "use", numbers, text });
        let (numbers, text) = (used.off.to_string(), format!("borne off in this trick: {}", used.off));
        note(canvas, NOTES_X, below + 15, Sign { name: "off", numbers, text });
    }
    let mut finished = (0..).zip(finished(view)).peekable();
    if finished.peek().is_some() {
        label(canvas, FINISHED_X, Sign { text: "finished tricks".to_owned(), ..Sign::named("finished") });
    }
    for (count, trick) in finished {
        let (x, y) = (FINISHED_X + FINISHED_STEP.0 * (count % 3), TABLE_Y + FINISHED_STEP.1 * (count / 3));
        canvas.group("g", format_args!("class=\"finished\""), |canvas| {
            let first = Place { x, y, percent: FINISHED_PERCENT };
            draw_trick(canvas, &trick, first, first.of(card::SIZE.0), [Part::Finished; 2]);
        });
    }
}

/// A text on the table. Attributes give its name and numbers, so that a page can translate it.
struct Sign {
    name: &'static str,
    /// Separated by spaces.
    numbers: String,
    text: String,
}

impl Sign {
    /// Returns a sign with a name.
    fn named(name: &'static str) -> Self {
        Self { name, numbers: String::new(), text: name.to_owned() }
    }

    /// Returns a sign with a name and a number.
    fn counting(name: &'static str, number: u32) -> Self {
        Self { name, numbers: number.to_string(), text: format!("{name} {number}") }
    }

    fn draw(&self, canvas: &mut Canvas, place: fmt::Arguments<'_>) {
        let Self { name, numbers, text } = self;
        canvas.text("text", format_args!("{place} data-sign=\"{name}\" data-numbers=\"{numbers}\""), text);
    }
}

/// Draws a small text above a card on the table.
fn label(canvas: &mut Canvas, x: i32, sign: Sign) {
    sign.draw(canvas, format_args!("class=\"faint\" x=\"{x}\" y=\"{}\"", TABLE_Y - 5));
}

/// Draws a pile, or the place for one.
fn draw_pile(canvas: &mut Canvas, x: i32, top: Option<Face>, part: Part, sign: Sign) {
    label(canvas, x, sign);
    match top {
        Some(face) => card::draw(canvas, face, part, Place { x, y: TABLE_Y, percent: 100 }),
        None => draw_free_place(canvas, x),
    }
}

/// Draws the place for a card on the table.
fn draw_free_place(canvas: &mut Canvas, x: i32) {
    let (width, height) = card::SIZE;
    canvas.shape(format_args!(
        "rect x=\"{x}\" y=\"{TABLE_Y}\" width=\"{width}\" height=\"{height}\" rx=\"5\" fill=\"none\" stroke=\"#8d8067\" \
         stroke-dasharray=\"3\""
    ));
}

/// Draws lead and reply `step` units apart, each above a piece of its player, and a frame around the winning
/// card.
fn draw_trick(canvas: &mut Canvas, trick: &Played, first: Place, step: i32, parts: [fn(Side) -> Part; 2]) {
    for ((count, side), part) in (0..).zip([trick.leader, trick.leader.opponent()]).zip(parts) {
        let place = Place { x: first.x + step * count, ..first };
        let Some(face) = trick.cards[side] else { continue };
        card::draw(canvas, face, part(side), place);
        let (width, height) = (place.of(card::SIZE.0), place.of(card::SIZE.1));
        if trick.winner == Some(side) {
            canvas.shape(format_args!(
                "rect class=\"won\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" rx=\"{}\" fill=\"none\" \
                 stroke=\"{WON}\" stroke-width=\"{}\"",
                place.x,
                place.y,
                place.of(5),
                1 + place.of(2)
            ));
        }
        // Below the suit, which must stay visible.
        draw_piece(canvas, side, (place.x + width / 2, place.y + height + 3), 14 + place.of(20));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::contrast::{SIGN, assert_apart, colours};

    #[test]
    fn the_frame_of_the_winning_card_stands_out_from_cards_and_from_the_table() {
        assert_apart(SIGN, WON, card::FACE);
        for table in colours("card", "fill") {
            assert_apart(SIGN, WON, table);
        }
    }
}
