//! A law of the market: it looks as if a child had laid the same rugs.

use std::collections::{BTreeSet, HashMap};

use assam_rules::marrakech::{Action, Colour, Phase, Position, Rug, Square};
use assam_rules::{Game, Move, Seat};

use super::table::for_every_game;

/// The market as a child would keep it: all rugs laid, and the top one on each square.
#[derive(Default)]
struct Market {
    laid: Vec<(Rug, Colour)>,
    on_top: HashMap<Square, usize>,
}

impl Market {
    fn lay(&mut self, rug: Rug, colour: Colour) {
        self.on_top.extend(rug.squares().map(|square| (square, self.laid.len())));
        self.laid.push((rug, colour));
    }

    fn check(&self, position: &Position) {
        let board = position.board();
        for square in Square::all() {
            let top = self.on_top.get(&square).map(|&n| self.laid[n].1);
            assert_eq!(board.colour(square), top, "{square:?}");
        }
        for colour in Colour::ALL {
            let halves = self.on_top.values().filter(|&&n| self.laid[n].1 == colour).count();
            assert_eq!(usize::from(board.visible(colour)), halves, "{colour:?}");
        }
        let seats = Seat::all(position.setup().seats());
        assert_eq!(seats.map(|seat| usize::from(position.visible(seat))).sum::<usize>(), self.on_top.len());
        let is_whole = |n: &usize| self.laid[*n].0.squares().iter().all(|square| self.on_top[square] == *n);
        let whole = (0..self.laid.len()).filter(is_whole).map(|n| self.laid[n].0.squares());
        let shown: Vec<[Square; 2]> = board.whole_rugs().map(Rug::squares).collect();
        assert_eq!(shown.iter().copied().collect::<BTreeSet<_>>(), whole.collect::<BTreeSet<_>>());
        assert!(shown.is_sorted(), "a1, b1 .. g7: {shown:?}");
        assert!(shown.iter().all(|[low, high]| board.colour(*low) == board.colour(*high)));
    }
}

#[test]
fn the_market_shows_what_was_laid_last_and_whole_rugs_are_those_with_nothing_on_them() {
    for_every_game(10_000, |mut table| {
        let mut market = Market::default();
        while let Some(mv) = table.choose() {
            let phase = table.position.phase();
            table.make(mv);
            if let (Phase::Lay { hand }, Move::Action(Action::Lay(rug))) = (phase, mv) {
                market.lay(rug, hand);
                market.check(&table.position);
            }
        }
        0
    });
}
