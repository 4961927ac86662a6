//! Marrakesh as SVG: Blue's half board above, Red's below, the table between them.

use assam_rules::marrakesh::{Digit, Oval, Side};

use super::super::names::number;
use super::super::view::View;
use super::card::{self, Place};
use super::pieces::{Face, Played, finished, hand, in_use, on_table, swatch};
use crate::picture::Canvas;

/// The width and height of the whole drawing in units.
pub(super) const SIZE: (i32, i32) = (442, 354);

/// The width of a point in units.
const POINT: i32 = 34;
/// The width and height of a half board.
const HALF: (i32, i32) = (6 * POINT, 116);
/// The centres of the ovals, and the left end of the cards in hand.
const OVALS_X: i32 = HALF.0 + 46;
const HAND_X: i32 = 300;
/// The distance from a card to the next, to the right and down.
const STEP: (i32, i32) = (44, 60);
/// The distance of the cards on the table from above, and of the open trick and the finished ones from the left.
const TABLE_Y: i32 = 154;
const TRICK_X: i32 = 132;
const FINISHED_X: i32 = HAND_X;

pub(super) fn draw(view: &View, canvas: &mut Canvas) {
    canvas.group("defs", format_args!(""), |canvas| {
        for side in Side::BOTH {
            define_piece(canvas, side);
        }
    });
    card::define(canvas);
    for side in Side::BOTH {
        let place = format_args!("class=\"half\" data-seat=\"{}\"", number(side));
        canvas.group("g", place, |canvas| draw_half(canvas, view, side));
    }
    let labels = format_args!("class=\"table\" font-size=\"11\"");
    canvas.group("g", labels, |canvas| draw_table(canvas, view));
}

/// Defines a piece: Blue's has a ring and Red's a cross, so that they differ without colours too.
fn define_piece(canvas: &mut Canvas, side: Side) {
    let (ground, mark) = match side {
        Side::Blue => ("#2b5788", "M20 11a9 9 0 1 0 .1 0z"),
        Side::Red => ("#b3362c", "M20 11v18M11 20h18"),
    };
    let letter = swatch(side).letter;
    canvas.group("g", format_args!("id=\"assam-{letter}\" stroke=\"#fff\" stroke-width=\"2.5\""), |canvas| {
        canvas.shape(format_args!("circle cx=\"20\" cy=\"20\" r=\"18\" fill=\"{ground}\""));
        canvas.shape(format_args!("path fill=\"none\" d=\"{mark}\""));
    });
}

/// Returns the distance of a player's half board from above.
const fn top(side: Side) -> i32 {
    match side {
        Side::Blue => 6,
        Side::Red => SIZE.1 - HALF.1,
    }
}

fn draw_half(canvas: &mut Canvas, view: &View, side: Side) {
    let (top, bottom) = (top(side), top(side) + HALF.1);
    // The points of Blue hang down, those of Red stand up, as the players sit.
    let (base, tip, label) = match side {
        Side::Blue => (top, 96, top - 7),
        Side::Red => (bottom, -96, bottom + 16),
    };
    let (width, height) = (HALF.0 + 6, HALF.1 + 6);
    canvas.shape(format_args!(
        "rect class=\"ground\" x=\"-3\" y=\"{}\" width=\"{width}\" height=\"{height}\" rx=\"5\"",
        top - 3
    ));
    let mut shades = [String::new(), String::new()];
    for point in Digit::all() {
        let x = point_x(point);
        shades[point.index() % 2].push_str(&format!("M{x} {base}h{POINT}l-{} {tip}z", POINT / 2));
    }
    canvas.shape(format_args!("path class=\"tile\" d=\"{}\"", shades[0]));
    canvas.shape(format_args!("path class=\"tile\" opacity=\".5\" d=\"{}\"", shades[1]));
    let labels = format_args!("class=\"faint\" text-anchor=\"middle\" font-size=\"12\"");
    canvas.group("g", labels, |canvas| {
        for point in Digit::all() {
            let x = point_x(point) + POINT / 2;
            canvas.text("text", format_args!("x=\"{x}\" y=\"{label}\""), &point.get().to_string());
        }
    });
    for point in Digit::all() {
        draw_pieces(canvas, side, point, view.points[side].on(point), base);
    }
    for (count, oval) in (0..).zip(view.ovals[side].0) {
        draw_oval(canvas, side, top + 20 + 38 * count, oval);
    }
    canvas.group("g", format_args!("class=\"cards\""), |canvas| {
        for (count, face) in (0..).zip(hand(view.hands[side])) {
            let (x, y) = (HAND_X + STEP.0 * (count % 3), top + STEP.1 * (count / 3));
            card::draw(canvas, face, Place { x, y, percent: 100 });
        }
    });
}

/// Returns the left end of a point.
fn point_x(point: Digit) -> i32 {
    POINT * i32::from(6 - point.get())
}

/// Draws the pieces on a point, starting at its base; more than four overlap.
fn draw_pieces(canvas: &mut Canvas, side: Side, point: Digit, pieces: u8, base: i32) {
    let step = if pieces > 4 { 86 / i32::from(pieces - 1) } else { 28 };
    let inwards = if side == Side::Blue { 1 } else { -1 };
    for piece in 0..i32::from(pieces) {
        let y = base + inwards * (15 + step * piece);
        draw_piece(canvas, side, (point_x(point) + POINT / 2, y), 70, &point.get().to_string());
    }
}

/// Draws a piece around a centre, `percent` of 40 units wide; `on` names what it is on.
fn draw_piece(canvas: &mut Canvas, side: Side, (x, y): (i32, i32), percent: i32, on: &str) {
    let half = 20 * percent / 100;
    let place = Place { x: x - half, y: y - half, percent };
    let letter = swatch(side).letter;
    canvas.shape(format_args!("use href=\"#assam-{letter}\" data-on=\"{on}\" {}", place.transform()));
}

fn draw_oval(canvas: &mut Canvas, side: Side, y: i32, oval: Oval) {
    let (class, mark) = match oval {
        Oval::Empty => ("tile", "-".to_owned()),
        Oval::Chip => ("tile", "0".to_owned()),
        Oval::Pieces(pieces) => ("tile", pieces.to_string()),
        Oval::Closed => ("ground", "X".to_owned()),
    };
    canvas.shape(format_args!(
        "ellipse class=\"{class}\" data-mark=\"{mark}\" cx=\"{OVALS_X}\" cy=\"{y}\" rx=\"34\" ry=\"17\" \
         stroke=\"#8d8067\" stroke-width=\"1.5\""
    ));
    match oval {
        Oval::Empty => {}
        Oval::Chip => canvas.shape(format_args!(
            "circle class=\"chip\" cx=\"{OVALS_X}\" cy=\"{y}\" r=\"10\" fill=\"#8c8c8c\" stroke=\"#5c5c5c\""
        )),
        Oval::Pieces(pieces) => {
            let pieces = i32::from(pieces);
            for piece in 0..pieces {
                let x = OVALS_X + (10 * piece) - 5 * (pieces - 1);
                draw_piece(canvas, side, (x, y), 40, "oval");
            }
        }
        Oval::Closed => canvas.shape(format_args!(
            "path class=\"closed\" stroke=\"#8d8067\" stroke-width=\"3\" d=\"M{} {}l20 14m0-14l-20 14\"",
            OVALS_X - 10,
            y - 7
        )),
    }
}

/// Draws deck and discards, the open trick with its bonus card and the numbers to be used, and the finished tricks.
fn draw_table(canvas: &mut Canvas, view: &View) {
    draw_pile(canvas, 0, (view.deck > 0).then_some(Face::Down), &format!("deck {}", view.deck));
    draw_pile(canvas, 60, view.discards.top.map(Face::Up), &format!("discards {}", view.discards.len()));
    let below = TABLE_Y + card::SIZE.1 + 18;
    let round = format!("round {} of {}", view.round, view.rounds);
    canvas.text("text", format_args!("class=\"ink\" x=\"0\" y=\"{below}\" font-size=\"12\""), &round);
    let used = in_use(view);
    if let Some(trick) = on_table(view) {
        canvas.group("g", format_args!("class=\"trick\""), |canvas| {
            draw_trick(canvas, &trick, Place { x: TRICK_X, y: TABLE_Y, percent: 100 });
            if let Some(card) = used.bonus {
                let x = TRICK_X + 2 * STEP.0 + 8;
                card::draw(canvas, Face::Up(card), Place { x, y: TABLE_Y, percent: 100 });
                label(canvas, x, "bonus");
            }
        });
        label(canvas, TRICK_X, "lead");
        label(canvas, TRICK_X + STEP.0, "reply");
    }
    if !used.values.is_empty() {
        let numbers = used.values.numbers().rev();
        let numbers: String = numbers
            .map(|number| format!(" {}", number.get()).repeat(used.values.count(number).into()))
            .collect();
        let text = format!("to use{numbers}, {} off", used.off);
        canvas.text(
            "text",
            format_args!("class=\"ink\" x=\"{TRICK_X}\" y=\"{below}\" font-size=\"12\""),
            &text,
        );
    }
    let mut finished = (0..).zip(finished(view)).peekable();
    if finished.peek().is_some() {
        label(canvas, FINISHED_X, "tricks");
    }
    for (count, trick) in finished {
        let (x, y) = (FINISHED_X + 50 * (count % 3), TABLE_Y + 38 * (count / 3));
        let place = format_args!("class=\"finished\"");
        canvas.group("g", place, |canvas| draw_trick(canvas, &trick, Place { x, y, percent: 50 }));
    }
}

/// Draws a small text above a card on the table.
fn label(canvas: &mut Canvas, x: i32, text: &str) {
    canvas.text("text", format_args!("class=\"faint\" x=\"{x}\" y=\"{}\"", TABLE_Y - 5), text);
}

/// Draws a pile, or the place for one.
fn draw_pile(canvas: &mut Canvas, x: i32, top: Option<Face>, text: &str) {
    label(canvas, x, text);
    match top {
        Some(face) => card::draw(canvas, face, Place { x, y: TABLE_Y, percent: 100 }),
        None => canvas.shape(format_args!(
            "rect x=\"{x}\" y=\"{TABLE_Y}\" width=\"{}\" height=\"{}\" rx=\"5\" fill=\"none\" stroke=\"#8d8067\" \
             stroke-dasharray=\"3\"",
            card::SIZE.0,
            card::SIZE.1
        )),
    }
}

/// Draws lead and reply, each with a piece of the player who played it, and a frame around the winning card.
fn draw_trick(canvas: &mut Canvas, trick: &Played, first: Place) {
    let of = |units: i32| units * first.percent / 100;
    for (count, side) in (0..).zip([trick.leader, trick.leader.opponent()]) {
        let place = Place { x: first.x + of(STEP.0) * count, ..first };
        let Some(face) = trick.cards[side] else { continue };
        card::draw(canvas, face, place);
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
        draw_piece(canvas, side, (place.x + width / 2, place.y + height), of(20) + 14, "card");
    }
}
