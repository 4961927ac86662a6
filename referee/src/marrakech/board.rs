//! The market in numbers, for programs that learn from positions.

use assam_rules::Game as _;
use assam_rules::marrakech::{Action, Colour, Direction, Position, Rug, Square};

use crate::{Column, Datum};

/// The squares in the order of [`Square::all`], then the legal decisions.
pub(super) const COLUMNS: &[Column] = &[
    Column::number("square_a1"),
    Column::number("square_b1"),
    Column::number("square_c1"),
    Column::number("square_d1"),
    Column::number("square_e1"),
    Column::number("square_f1"),
    Column::number("square_g1"),
    Column::number("square_a2"),
    Column::number("square_b2"),
    Column::number("square_c2"),
    Column::number("square_d2"),
    Column::number("square_e2"),
    Column::number("square_f2"),
    Column::number("square_g2"),
    Column::number("square_a3"),
    Column::number("square_b3"),
    Column::number("square_c3"),
    Column::number("square_d3"),
    Column::number("square_e3"),
    Column::number("square_f3"),
    Column::number("square_g3"),
    Column::number("square_a4"),
    Column::number("square_b4"),
    Column::number("square_c4"),
    Column::number("square_d4"),
    Column::number("square_e4"),
    Column::number("square_f4"),
    Column::number("square_g4"),
    Column::number("square_a5"),
    Column::number("square_b5"),
    Column::number("square_c5"),
    Column::number("square_d5"),
    Column::number("square_e5"),
    Column::number("square_f5"),
    Column::number("square_g5"),
    Column::number("square_a6"),
    Column::number("square_b6"),
    Column::number("square_c6"),
    Column::number("square_d6"),
    Column::number("square_e6"),
    Column::number("square_f6"),
    Column::number("square_g6"),
    Column::number("square_a7"),
    Column::number("square_b7"),
    Column::number("square_c7"),
    Column::number("square_d7"),
    Column::number("square_e7"),
    Column::number("square_f7"),
    Column::number("square_g7"),
    Column::text("legal_mask"),
];

/// Fills in a row.
pub(super) fn fill(position: &Position, row: &mut [Datum]) {
    let Some((legal, squares)) = row.split_last_mut() else { return };
    for (cell, number) in squares.iter_mut().zip(numbers(position)) {
        *cell = number.into();
    }
    let actions = position.legal_actions();
    let digit = |action| if actions.contains(&action) { '1' } else { '0' };
    *legal = every_action().map(digit).collect::<String>().into();
}

/// Returns a number for each square: 0 if it is bare, otherwise `1 + 4 * rug + colour`. The two halves of a
/// rug share a number if both are visible.
fn numbers(position: &Position) -> Vec<u8> {
    let board = position.board();
    let mut rugs = [0; Colour::ALL.len()];
    let mut numbers = vec![0; Square::all().count()];
    for (at, square) in Square::all().enumerate() {
        let colour = board.colour(square).and_then(|colour| Colour::ALL.iter().position(|of| *of == colour));
        let Some(colour) = colour else { continue };
        // The other half came before.
        let [west, south] = [Direction::West, Direction::South].map(|to| {
            let other = square.step(to)?;
            let is_whole = Rug::new(other, square).is_some_and(|rug| board.is_whole(rug));
            is_whole.then(|| numbers[usize::from(other.rank() * Square::SIDE + other.file())])
        });
        numbers[at] = west.or(south).unwrap_or_else(|| {
            rugs[colour] += 1;
            1 + 4 * (rugs[colour] - 1) + colour as u8
        });
    }
    numbers
}

/// Every possible decision: the four directions, then the rugs by their first square, northward before
/// eastward.
fn every_action() -> impl Iterator<Item = Action> {
    let turns = [Direction::North, Direction::East, Direction::South, Direction::West].map(Action::Orient);
    let rugs = Square::all().flat_map(|low| {
        [Direction::North, Direction::East].map(|to| Rug::new(low, low.step(to)?)).into_iter().flatten()
    });
    turns.into_iter().chain(rugs.map(Action::Lay))
}
