//! Marrakesh as SVG: Blue's half board above, Red's below, the table between them.

use std::fmt;

use assam_rules::marrakesh::{Action, Side};

use super::super::names::number;
use super::super::view::View;
use super::card::{self, Part, Place};
use super::half::{self, HAND_X, STEP, draw_piece};
use super::pieces::{Face, Played, finished, in_use, on_table};
use crate::picture::{Bounds, Canvas};

/// The half boards, the table between them, and the numbers of the points.
pub(super) const BOUNDS: Bounds = Bounds { left: -4, top: -14, right: 446, bottom: half::BOTTOM + 22 };

/// The distance of the cards on the table from above, and of the open trick and the finished ones from the left.
const TABLE_Y: i32 = 154;
const TRICK_X: i32 = 132;
const FINISHED_X: i32 = HAND_X;

pub(super) fn draw(view: &View, legal: &[Action], canvas: &mut Canvas) {
    half::define_pieces(canvas);
    card::define(canvas);
    for side in Side::BOTH {
        let place = format_args!("data-half=\"{}\"", number(side));
        canvas.group("g", place, |canvas| half::draw(canvas, view, side, legal));
    }
    let labels = format_args!("class=\"table\" font-size=\"11\"");
    canvas.group("g", labels, |canvas| draw_table(canvas, view));
}

/// Draws deck and discards, the open trick with its bonus card and the numbers to be used, and the finished tricks.
fn draw_table(canvas: &mut Canvas, view: &View) {
    let back = (view.deck > 0).then_some(Face::Down);
    draw_pile(canvas, 0, back, Part::Deck, Sign::counting("deck", view.deck.into()));
    let top = view.discards.top.map(Face::Up);
    draw_pile(canvas, 60, top, Part::Discards, Sign::counting("discards", view.discards.len().into()));
    let below = TABLE_Y + card::SIZE.1 + 18;
    let note = |canvas: &mut Canvas, x: i32, y: i32, sign: Sign| {
        sign.draw(canvas, format_args!("class=\"ink\" x=\"{x}\" y=\"{y}\" font-size=\"12\""));
    };
    let (round, rounds) = (view.round, view.rounds);
    let numbers = format!("{round} {rounds}");
    note(canvas, 0, below, Sign { name: "round", numbers, text: format!("round {round} of {rounds}") });
    let used = in_use(view);
    if let Some(trick) = on_table(view) {
        canvas.group("g", format_args!("class=\"trick\""), |canvas| {
            draw_trick(
                canvas,
                &trick,
                Place { x: TRICK_X, y: TABLE_Y, percent: 100 },
                [Part::Lead, Part::Reply],
            );
            if let Some(card) = used.bonus {
                let x = TRICK_X + 2 * STEP.0 + 8;
                card::draw(canvas, Face::Up(card), Part::Bonus, Place { x, y: TABLE_Y, percent: 100 });
                label(canvas, x, Sign::named("bonus"));
            }
        });
        label(canvas, TRICK_X, Sign::named("lead"));
        label(canvas, TRICK_X + STEP.0, Sign::named("reply"));
    }
    if !used.values.is_empty() {
        let numbers = used.values.numbers().rev();
        let numbers: String = numbers
            .map(|number| format!("{} ", number.get()).repeat(used.values.count(number).into()))
            .collect();
        let numbers = numbers.trim_end().to_owned();
        let text = format!("still to use: {numbers}");
        note(canvas, TRICK_X, below, Sign { name: "use", numbers, text });
        let (numbers, text) = (used.off.to_string(), format!("borne off in this trick: {}", used.off));
        note(canvas, TRICK_X, below + 15, Sign { name: "off", numbers, text });
    }
    let mut finished = (0..).zip(finished(view)).peekable();
    if finished.peek().is_some() {
        label(canvas, FINISHED_X, Sign { text: "finished tricks".to_owned(), ..Sign::named("finished") });
    }
    for (count, trick) in finished {
        let (x, y) = (FINISHED_X + 48 * (count % 3), TABLE_Y + 38 * (count / 3));
        canvas.group("g", format_args!("class=\"finished\""), |canvas| {
            draw_trick(canvas, &trick, Place { x, y, percent: 50 }, [Part::Finished; 2]);
        });
    }
}

/// A text on the table. It tells its name and its numbers in attributes, so that a page can write it in another language.
struct Sign {
    name: &'static str,
    /// With spaces between them.
    numbers: String,
    text: String,
}

impl Sign {
    /// A sign that says its name.
    fn named(name: &'static str) -> Self {
        Self { name, numbers: String::new(), text: name.to_owned() }
    }

    /// A sign that says its name and a number.
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
        None => canvas.shape(format_args!(
            "rect x=\"{x}\" y=\"{TABLE_Y}\" width=\"{}\" height=\"{}\" rx=\"5\" fill=\"none\" stroke=\"#8d8067\" \
             stroke-dasharray=\"3\"",
            card::SIZE.0,
            card::SIZE.1
        )),
    }
}

/// Draws lead and reply, each with a piece of the player who played it, and a frame around the winning card.
fn draw_trick(canvas: &mut Canvas, trick: &Played, first: Place, parts: [fn(Side) -> Part; 2]) {
    let of = |units: i32| units * first.percent / 100;
    for ((count, side), part) in (0..).zip([trick.leader, trick.leader.opponent()]).zip(parts) {
        let place = Place { x: first.x + of(STEP.0) * count, ..first };
        let Some(face) = trick.cards[side] else { continue };
        card::draw(canvas, face, part(side), place);
        let (width, height) = (of(card::SIZE.0), of(card::SIZE.1));
        if trick.winner == Some(side) {
            canvas.shape(format_args!(
                "rect class=\"won\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" rx=\"{}\" fill=\"none\" \
                 stroke=\"#e0a020\" stroke-width=\"{}\"",
                place.x,
                place.y,
                of(5),
                1 + of(2)
            ));
        }
        draw_piece(canvas, side, (place.x + width / 2, place.y + height), of(20) + 14);
    }
}
