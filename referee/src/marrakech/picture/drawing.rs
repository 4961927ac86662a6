//! Marrakech as SVG: the market, the turn-arounds at its border, the rugs, and the marks of the last word.

use assam_rules::marrakech::{Action, Direction, Rug, Square};

use super::super::view::View;
use super::assam::{self, turn_around};
use super::geometry::{MARKET, SQUARE, corner, middle, shift};
use super::looks::{is_of_whole_rug, owner, swatch};
use super::marks::Marks;
use super::rugs;
use crate::picture::{Bounds, Canvas};

/// The market with its turn-arounds and the names of ranks and files.
pub(super) const BOUNDS: Bounds = Bounds { left: -36, top: -22, right: MARKET + 22, bottom: MARKET + 38 };

/// The distances of an arrow's base and point from the middle of Assam's square.
const ARROW: [i32; 2] = [18, 27];
/// The width and height of an upright mark of a rug that may be laid.
const BAR: (i32, i32) = (8, 20);

pub(super) fn draw(view: &View, marks: &Marks, canvas: &mut Canvas) {
    canvas.group("defs", format_args!(""), |canvas| {
        for &colour in view.seats.iter().flat_map(|seat| seat.colours) {
            rugs::define(canvas, colour, view.is_out(colour));
        }
    });
    draw_ground(canvas, marks);
    draw_squares(canvas, view);
    // A pointer finds squares, not the things on them.
    canvas.group("g", format_args!("pointer-events=\"none\""), |canvas| {
        draw_rugs(canvas, view);
        if let Some(rug) = marks.laid {
            draw_frame(canvas, rug);
        }
        draw_paid(canvas, &marks.paid);
        assam::draw_way(canvas, &marks.way_back);
        assam::draw(canvas, (view.assam, view.facing));
        draw_legal(canvas, view.assam, &marks.legal);
        // Topmost, because it may be next to Assam, or where a rug may be laid.
        if let Some(die) = marks.die {
            assam::draw_die(canvas, &marks.way_back, die);
        }
    });
}

/// Draws the border with its turn-arounds, and the names of ranks and files outside of them.
fn draw_ground(canvas: &mut Canvas, marks: &Marks) {
    let loops: String =
        marks.turn_arounds.iter().map(|&(one, other)| format!("M{}", turn_around(one, other))).collect();
    canvas.shape(format_args!("path class=\"loop\" fill=\"none\" stroke-width=\"2\" d=\"{loops}\""));
    canvas
        .shape(format_args!("rect class=\"ground\" x=\"-3\" y=\"-3\" width=\"286\" height=\"286\" rx=\"5\""));
    let labels = format_args!("class=\"faint\" text-anchor=\"middle\" font-size=\"12\"");
    canvas.group("g", labels, |canvas| {
        for along in 0..Square::SIDE {
            let (middle, file) = (SQUARE * i32::from(along) + SQUARE / 2, char::from(b'a' + along));
            canvas.text("text", format_args!("x=\"{middle}\" y=\"{}\"", MARKET + 32), &file.to_string());
            let rank = (Square::SIDE - along).to_string();
            canvas.text("text", format_args!("x=\"-28\" y=\"{}\"", middle + 4), &rank);
        }
    });
}

fn draw_squares(canvas: &mut Canvas, view: &View) {
    for rank in (0..Square::SIDE).rev() {
        canvas.group("g", format_args!("class=\"tile\" data-rank=\"{}\"", rank + 1), |canvas| {
            for square in (0..Square::SIDE).filter_map(|file| Square::new(file, rank)) {
                let (x, y) = corner(square);
                let rug = view.board.colour(square).and_then(|colour| {
                    Some(format!("{} rug of seat {}", swatch(colour).name, owner(view, colour)?.number()))
                });
                canvas.shape(format_args!(
                    "rect data-square=\"{square}\" aria-label=\"{square}, {}\" x=\"{}\" y=\"{}\" width=\"38\" height=\"38\"",
                    rug.as_deref().unwrap_or("empty"),
                    x + 1,
                    y + 1
                ));
            }
        });
    }
}

fn draw_rugs(canvas: &mut Canvas, view: &View) {
    let board = &view.board;
    for rug in board.whole_rugs() {
        let [low, high] = rug.squares();
        if let Some(colour) = board.colour(low) {
            let (x, y) = corner(low);
            let turn = if low.file() == high.file() { " rotate(-90 20 20)" } else { "" };
            let (letter, name) = (colour.letter(), swatch(colour).name);
            let named = letter.to_ascii_uppercase();
            canvas.shape(format_args!(
                "use href=\"#assam-rug-{letter}{letter}\" data-rug=\"{rug}\" data-colour=\"{named}\" \
                 aria-label=\"{name} rug on {low} {high}\" transform=\"translate({x} {y}){turn}\""
            ));
        }
    }
    for square in Square::all().filter(|&square| !is_of_whole_rug(board, square)) {
        if let Some(colour) = board.colour(square) {
            let (x, y) = corner(square);
            let (letter, name) = (colour.letter(), swatch(colour).name);
            let named = letter.to_ascii_uppercase();
            canvas.shape(format_args!(
                "use href=\"#assam-rug-{letter}\" data-rug=\"{square}\" data-colour=\"{named}\" \
                 aria-label=\"half of a {name} rug on {square}\" x=\"{x}\" y=\"{y}\""
            ));
        }
    }
}

/// Draws a frame around a rug.
fn draw_frame(canvas: &mut Canvas, rug: Rug) {
    let [low, high] = rug.squares();
    let ((x, _), (_, y)) = (corner(low), corner(high));
    let (width, height) = if low.file() == high.file() { (SQUARE, 2 * SQUARE) } else { (2 * SQUARE, SQUARE) };
    canvas.shape(format_args!(
        "rect class=\"last\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"3\" fill=\"none\" \
         stroke-width=\"2\""
    ));
}

/// Draws an outline around the squares that the payment counted.
fn draw_paid(canvas: &mut Canvas, paid: &[Square]) {
    let names: Vec<String> = paid.iter().map(|square| square.to_string()).collect();
    let mut outline = String::new();
    for &square in paid {
        for side in Direction::ALL {
            if square.step(side).is_none_or(|next| !paid.contains(&next)) {
                let (x, y) = corner(square);
                outline.push_str(&match side {
                    Direction::North => format!("M{x} {y}h40"),
                    Direction::East => format!("M{} {y}v40", x + SQUARE),
                    Direction::South => format!("M{x} {}h40", y + SQUARE),
                    Direction::West => format!("M{x} {y}v40"),
                });
            }
        }
    }
    if !outline.is_empty() {
        let field = format_args!("data-paid=\"{}\" fill=\"none\" stroke-linecap=\"square\"", names.join(" "));
        canvas.group("g", field, |canvas| {
            canvas.shape(format_args!("path stroke=\"#fff\" stroke-width=\"4.5\" d=\"{outline}\""));
            canvas.shape(format_args!("path stroke=\"#d0107a\" stroke-width=\"2.5\" d=\"{outline}\""));
        });
    }
}

/// Marks the possible decisions: arrows around Assam, or for each rug a bar across the border of its two
/// squares.
fn draw_legal(canvas: &mut Canvas, assam: Square, legal: &[Action]) {
    for action in legal {
        match *action {
            Action::Orient(to) => {
                let [(x, y), (a, b)] = ARROW.map(|far| shift(middle(assam), to, far));
                // The base of the arrow lies across its direction and is a third longer than the arrow.
                let (across, along) = ((b - y) * 2 / 3, (a - x) * 2 / 3);
                canvas.shape(format_args!(
                    "path class=\"legal\" data-legal=\"{to}\" stroke-width=\"1.5\" d=\"M{a} {b}L{} {}L{} {}z\"",
                    x - across,
                    y + along,
                    x + across,
                    y - along
                ));
            }
            Action::Lay(rug) => {
                let [(x, y), (a, b)] = rug.squares().map(middle);
                let (width, height) = if x == a { BAR } else { (BAR.1, BAR.0) };
                canvas.shape(format_args!(
                    "rect class=\"legal\" data-legal=\"{rug}\" stroke-width=\"1.5\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\" rx=\"4\"",
                    (x + a - width) / 2,
                    (y + b - height) / 2
                ));
            }
        }
    }
}
