//! Assam and his way as SVG.

use assam_rules::marrakech::{Die, Direction};

use super::geometry::{SQUARE, middle, shift};
use super::looks::compass;
use super::marks::Stand;
use crate::picture::Canvas;

/// The distance of the control points of a turn-around from the market, on one side and around a corner.
const REACH: i32 = 22;
const CORNER_REACH: i32 = 48;

/// Draws Assam from above: a robe with its point in front, and a turban with a jewel. Much of the square
/// stays visible.
pub(super) fn draw(canvas: &mut Canvas, (square, facing): Stand) {
    let (x, y) = middle(square);
    let turn = match facing {
        Direction::North => 0,
        Direction::East => 90,
        Direction::South => 180,
        Direction::West => 270,
    };
    let place = format_args!(
        "data-merchant=\"{square}\" data-facing=\"{facing}\" aria-label=\"Assam on {square}, facing {}\" \
         transform=\"translate({x} {y}) rotate({turn})\" stroke=\"#241b2c\" stroke-linejoin=\"round\"",
        compass(facing)
    );
    canvas.group("g", place, |canvas| {
        canvas.shape(format_args!(
            "path stroke=\"#fff\" stroke-width=\"4.5\" d=\"M0-15l6.5 7.5a9.8 9.8 0 1 1-13 0z\""
        ));
        canvas.shape(format_args!(
            "path fill=\"#7d2f92\" stroke-width=\"1.5\" d=\"M0-15l6.5 7.5a9.8 9.8 0 1 1-13 0z\""
        ));
        canvas.shape(format_args!("circle fill=\"#fff\" r=\"6.5\""));
        canvas.shape(format_args!(
            "path fill=\"none\" d=\"M-6 2C-3-2 3-2 6 2M-6.2-1.6C-3-5 3-5 6.2-1.6M-3.8 5C-2 3.4 2 3.4 3.8 5\""
        ));
        canvas.shape(format_args!("circle fill=\"#e0483e\" stroke-width=\".8\" cy=\"-5.2\" r=\"2\""));
    });
}

/// Returns a turn-around as part of a path from one of its ends to the other.
pub(super) fn turn_around((from, out): Stand, (to, other_out): Stand) -> String {
    let reach = if out == other_out { REACH } else { CORNER_REACH };
    let end = |square, outward, far| shift(middle(square), outward, SQUARE / 2 + far);
    let (x, y) = end(from, out, 0);
    let [(a, b), (c, d), (e, f)] = [end(from, out, reach), end(to, other_out, reach), end(to, other_out, 0)]
        .map(|(a, b)| (a - x, b - y));
    format!("{x} {y}c{a} {b} {c} {d} {e} {f}")
}

/// Draws Assam's way, traced from its end.
pub(super) fn draw_way(canvas: &mut Canvas, way_back: &[Stand]) {
    let [(end, _), _, ..] = way_back else { return };
    let (x, y) = middle(*end);
    let mut path = format!("M{x} {y}");
    for pair in way_back.windows(2) {
        let [(from, facing), (to, after)] = *pair else { continue };
        if from.step(facing).is_none() {
            path.push_str(&format!("L{}", turn_around((from, facing), (to, after.opposite()))));
        }
        let (x, y) = middle(to);
        path.push_str(&format!("L{x} {y}"));
    }
    let squares: Vec<String> = way_back.iter().rev().map(|(square, _)| square.to_string()).collect();
    let trail = format_args!("data-trail=\"{}\" fill=\"none\" stroke-linejoin=\"round\"", squares.join(" "));
    canvas.group("g", trail, |canvas| {
        canvas.shape(format_args!(
            "path stroke=\"#fff\" stroke-opacity=\".8\" stroke-width=\"5\" d=\"{path}\""
        ));
        canvas.shape(format_args!(
            "path stroke=\"#7d2f92\" stroke-width=\"2.5\" stroke-dasharray=\"5 3\" d=\"{path}\""
        ));
    });
}

/// Draws the die in a corner of the square that Assam left.
pub(super) fn draw_die(canvas: &mut Canvas, way_back: &[Stand], die: Die) {
    let [_, .., (start, _)] = way_back else { return };
    let (x, y) = middle(*start);
    let pips: &[(i32, i32)] = match die {
        Die::One => &[(0, 0)],
        Die::Two => &[(-4, 4), (4, -4)],
        Die::Three => &[(-4, 4), (0, 0), (4, -4)],
        Die::Four => &[(-4, -4), (4, -4), (-4, 4), (4, 4)],
    };
    let place = format_args!(
        "data-die=\"{die}\" aria-label=\"die: {die}\" transform=\"translate({} {})\" fill=\"#241b2c\"",
        x - 9,
        y - 9
    );
    canvas.group("g", place, |canvas| {
        canvas.shape(format_args!(
            "rect x=\"-8\" y=\"-8\" width=\"16\" height=\"16\" rx=\"3.5\" fill=\"#fff\" stroke=\"#241b2c\""
        ));
        for (x, y) in pips {
            canvas.shape(format_args!("circle cx=\"{x}\" cy=\"{y}\" r=\"1.9\""));
        }
    });
}
