//! Random setups and random games on them.

use assam_notation::{Decision, Word};
use assam_rules::marrakech::{
    Action, BankruptRugs, Chance, Colour, Cover, Die, Direction, Insolvency, Options, Orientation, Position,
    Region, Rug, Setup, Square, TieBreak, Track, TwoPlayer,
};
use assam_rules::{Game, Leave, Move, Seat, Turn};

use super::super::for_every_seed;
use crate::dice::Dice;

/// A random game in progress.
pub(super) struct Table {
    pub(super) position: Position,
    /// The words so far.
    pub(super) words: Vec<Word<Position>>,
    pub(super) dice: Dice,
    /// How often a seat leaves, in a thousand decisions.
    leaves: u64,
}

impl Table {
    /// Returns game number `seed`, before the first draw.
    pub(super) fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let position = Position::new(&random_setup(&mut dice));
        let leaves = dice.pick(&[0, 0, 5, 20, 100]);
        Self { position, words: Vec::new(), dice, leaves }
    }

    /// Returns the next move, or `None` if the game is over.
    pub(super) fn choose(&mut self) -> Option<Move<Position>> {
        let dice = &mut self.dice;
        match self.position.turn() {
            Turn::Chance => {
                self.position.draw_chance(&mut |range| dice.below(range)).first().copied().map(Move::Chance)
            }
            Turn::Player(_) if dice.below(1000) < self.leaves => Some(Move::Leave(self.choose_leave())),
            Turn::Player(_) => Some(Move::Action(dice.pick(&self.position.legal_actions()))),
            Turn::Over | Turn::Aborted => None,
        }
    }

    fn choose_leave(&mut self) -> Leave {
        let still_in: Vec<Seat> = Seat::all(self.position.setup().seats())
            .filter(|seat| !self.position.out().contains(seat))
            .collect();
        let seat = self.dice.pick(&still_in);
        match self.dice.below(10) {
            0 => Leave::Abort,
            1..=4 => Leave::Timeout(seat),
            _ => Leave::Resign(seat),
        }
    }

    /// Makes a move and records it.
    pub(super) fn make(&mut self, mv: Move<Position>) -> Option<assam_rules::marrakech::Payment> {
        let decision = match mv {
            Move::Action(action) => Some(Decision::Action(action)),
            Move::Leave(leave) => Some(Decision::Leave(leave)),
            Move::Chance(_) => None,
        };
        if decision.is_some() || self.words.is_empty() {
            self.words.push(Word { decision, chance: Default::default() });
        }
        if let Move::Chance(chance) = mv {
            self.words.last_mut().unwrap().chance.push(chance);
        }
        let mut events = Vec::new();
        self.position.play_telling(mv, &mut |event| events.push(event)).unwrap();
        assert!(events.len() <= 1, "{events:?}");
        events.first().copied()
    }

    /// Plays to the end.
    pub(super) fn finish(mut self) -> Self {
        while let Some(mv) = self.choose() {
            self.make(mv);
        }
        self
    }
}

/// Checks a law on games 0 up to `games` on every core, and sums the counts of all games.
pub(super) fn for_every_game(games: u64, law: impl Fn(Table) -> u64 + Sync) -> u64 {
    for_every_seed(games, |seed| law(Table::new(seed)))
}

fn random_setup(dice: &mut Dice) -> Setup {
    let seats = dice.pick(&[2, 2, 3, 4]);
    let two_player = (seats == 2).then(|| dice.pick(&[TwoPlayer::TwoColours, TwoPlayer::OneColour]));
    let mut rugs = dice.pick(&[1, 2, 3, 5, 8, 12, 15, 20]);
    if dice.below(100) == 0 {
        rugs = Setup::MAX_RUGS;
    }
    if two_player == Some(TwoPlayer::TwoColours) {
        rugs += rugs % 2;
    }
    let options = Options {
        bankrupt_rugs: dice.pick(&[BankruptRugs::Inert, BankruptRugs::Open]),
        cover: dice.pick(&[Cover::Opponents, Cover::Any]),
        insolvency: dice.pick(&[
            Insolvency::Eliminate,
            Insolvency::EliminateAtZero,
            Insolvency::PayWhatYouCan,
        ]),
        last_standing: dice.pick(&[true, false]),
        orientation: dice.pick(&[Orientation::Start, Orientation::End]),
        region: dice.pick(&[Region::Colour, Region::Owner]),
        rugs_per_player: dice.pick(&[None, Some(rugs), Some(rugs)]),
        start_dirhams: dice.pick(&[0, 1, 2, 3, 5, 8, 13, 30, 30, 30, Setup::MAX_DIRHAMS]),
        start_facing: dice.pick(&Direction::ALL),
        tie_break: dice.pick(&[TieBreak::Dirhams, TieBreak::Rugs, TieBreak::None]),
        track: dice.pick(&[Track::NeSw, Track::NwSe]),
        two_player,
    };
    Setup::new(seats, &options).unwrap()
}

/// Returns every decision that can be written, legal or not: 4 compass points, 84 rugs.
pub(super) fn every_action() -> Vec<Action> {
    let rugs = Square::all().flat_map(|low| {
        [Direction::North, Direction::East]
            .into_iter()
            .filter_map(move |to| Rug::new(low, low.step(to)?))
            .map(Action::Lay)
    });
    Direction::ALL.into_iter().map(Action::Orient).chain(rugs).collect()
}

/// Returns every outcome that can be written.
pub(super) fn every_chance() -> impl Iterator<Item = Chance> {
    let dice = [Die::One, Die::Two, Die::Three, Die::Four].map(Chance::Die);
    Colour::ALL.map(Chance::Colour).into_iter().chain(dice)
}
