//! Marrakech as lines of text.

use anstyle::{AnsiColor, Style};
use assam_rules::marrakech::{Board, Colour, Direction, Square};

use super::super::view::View;
use super::looks::{is_joined, swatch};
use crate::picture::Line;

/// Returns the market: a line for each rank, and one for each border between ranks.
pub(super) fn print(view: &View) -> Vec<Line> {
    let mut lines = Vec::new();
    for rank in (0..Square::SIDE).rev() {
        lines.push(border_line(&view.board, rank + 1));
        lines.push(square_line(view, rank));
    }
    lines.push(border_line(&view.board, 0));
    lines.push(Line::plain("    a   b   c   d   e   f   g"));
    lines
}

/// Returns the line with the squares of a rank.
fn square_line(view: &View, rank: u8) -> Line {
    let board = &view.board;
    let mut line = Line::plain(&format!("{} ", rank + 1));
    for square in (0..Square::SIDE).filter_map(|file| Square::new(file, rank)) {
        let style = style_of(board, square);
        match square.step(Direction::West).filter(|&west| is_joined(board, west, square)) {
            Some(_) => line.push(style, &letter_of(board, square).to_string()),
            None => line.push(Style::new(), "│"),
        }
        let letter = letter_of(board, square);
        if square == view.assam {
            line.push(style, &letter.to_string());
            line.push(assam_style(), &arrow(view.facing).to_string());
            line.push(style, &letter.to_string());
        } else {
            line.push(style, &String::from_iter([letter; 3]));
        }
    }
    line.push(Style::new(), "│");
    line
}

/// Returns the line between `rank` and the rank before it. 0 is the southern border, 7 the northern one.
fn border_line(board: &Board, rank: u8) -> Line {
    let mut line = Line::plain("  ");
    for file in 0..=Square::SIDE {
        line.push(Style::new(), &corner_of(board, file, rank).to_string());
        match (Square::new(file, rank), rank.checked_sub(1).and_then(|south| Square::new(file, south))) {
            (Some(north), Some(south)) if is_joined(board, south, north) => {
                let letter = letter_of(board, north);
                line.push(style_of(board, north), &String::from_iter([letter; 3]));
            }
            (None, None) => {}
            (Some(_) | None, Some(_) | None) => line.push(Style::new(), "───"),
        }
    }
    line
}

/// Returns the south-western corner of a square, drawn as the lines that meet there.
fn corner_of(board: &Board, file: u8, rank: u8) -> char {
    let at = |file: Option<u8>, rank: Option<u8>| Square::new(file?, rank?);
    let (west, south) = (file.checked_sub(1), rank.checked_sub(1));
    let [nw, ne] = [at(west, Some(rank)), at(Some(file), Some(rank))];
    let [sw, se] = [at(west, south), at(Some(file), south)];
    let is_line = |one: Option<Square>, other: Option<Square>| match (one, other) {
        (None, None) => false,
        (Some(one), Some(other)) => !is_joined(board, one, other),
        (Some(_), None) | (None, Some(_)) => true,
    };
    let [north, east, south, west] =
        [is_line(nw, ne), is_line(se, ne), is_line(sw, se), is_line(sw, nw)].map(usize::from);
    CORNERS[north + 2 * east + 4 * south + 8 * west]
}

/// Corners, by the sum of the lines that meet there: 1 from the north, 2 from the east, 4 from the south, 8
/// from the west.
const CORNERS: [char; 16] = [' ', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼'];

fn assam_style() -> Style {
    AnsiColor::BrightWhite.on(AnsiColor::Magenta).bold()
}

fn arrow(facing: Direction) -> char {
    match facing {
        Direction::North => '▲',
        Direction::East => '▶',
        Direction::South => '▼',
        Direction::West => '◀',
    }
}

fn letter_of(board: &Board, square: Square) -> char {
    board.colour(square).map_or(' ', Colour::letter)
}

fn style_of(board: &Board, square: Square) -> Style {
    board.colour(square).map_or(Style::new(), |colour| swatch(colour).style)
}
