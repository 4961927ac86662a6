//! Knowledge of a match of Marrakesh: its words, its position, its legal decisions and its sealed parts, for
//! everyone or for one viewer.

use std::cell::Cell;
use std::collections::HashSet;

use assam_notation::{Decision, Opening, Replay, Word, mask, write_position_line};
use assam_record::chain;
use assam_record::chance::{ChanceSource, Committed, Draw};
use assam_record::game::{Head, StoredGame};
use assam_record::log::Chain;
use assam_referee::tokens;
use assam_rules::marrakesh::{Action, Position, Setup};
use assam_rules::{Game as _, Turn, Viewer};

use super::grown::{extension, written};

/// Returns the words of a game.
pub(super) fn words(game: &StoredGame) -> Vec<Word<Position>> {
    written(game).iter().map(|written| Word::read(written.word.text()).unwrap()).collect()
}

/// Returns the words of a game as a viewer may read them.
pub(super) fn told(game: &StoredGame, viewer: Viewer) -> Vec<String> {
    let (_, masked) = mask(&Opening::start(setup_of(game)), &words(game), viewer);
    masked.iter().map(Word::text).collect()
}

/// Returns the position of a game.
pub(super) fn position(game: &StoredGame) -> Position {
    after(&setup_of(game), words(game))
}

/// Returns a viewer's position as a position line.
pub(super) fn position_line(game: &StoredGame, viewer: Viewer) -> String {
    let words = told(game, viewer).into_iter().map(|word| Word::read(&word).unwrap()).collect();
    write_position_line(&after(&setup_of(game), words))
}

fn after(setup: &Setup, words: Vec<Word<Position>>) -> Position {
    let mut replay = Replay::new(setup);
    for word in words {
        replay.play(&word).unwrap();
    }
    replay.position().clone()
}

pub(super) fn setup_of(game: &StoredGame) -> Setup {
    let line = assam_notation::SetupLine::read(game.info.setup.line()).unwrap();
    *Opening::<Position>::read(&line).unwrap().setup()
}

/// Returns whether the viewer is the seat that must decide.
pub(super) fn is_on_turn(position: &Position, viewer: Viewer) -> bool {
    matches!((position.turn(), viewer), (Turn::Player(seat), Viewer::Seat(own)) if seat == own)
}

/// Returns a decision as text.
pub(super) fn text(action: Action) -> String {
    Word::<Position> { decision: Some(Decision::Action(action)), chance: Default::default() }.text()
}

/// Notices whether anything is drawn.
struct Watched(Cell<bool>);

impl ChanceSource for Watched {
    fn draw(&self, Draw { k, .. }: Draw, range: u64) -> u64 {
        self.0.set(true);
        // Different for both boards, as equal dice are thrown again.
        u64::from(k / 6) % range
    }
}

/// Returns the result of a decision without draws, or `None` if it is refused or draws.
pub(super) fn drawn_for_nothing(game: &StoredGame, decision: &str) -> Option<Head> {
    let source = Watched(Cell::new(false));
    let extension = extension(game, &source, &[decision.to_owned()], 0).ok()?;
    (!source.0.get()).then_some(extension.head)
}

/// Returns whether the service would write these decisions of the seat on turn.
pub(super) fn is_legal(game: &StoredGame, decisions: &[String]) -> bool {
    let source = Watched(Cell::new(false));
    extension(game, &source, decisions, 0).is_ok()
}

/// A part of a word that was hidden from some viewer when it was written.
pub(super) struct Sealed {
    pub(super) ply: u32,
    pub(super) number: u32,
    pub(super) token: String,
    pub(super) salt: [u8; 32],
    pub(super) hash: [u8; 32],
    /// Whether the viewer may read it now.
    pub(super) is_told: bool,
}

/// Returns the sealed parts of a game.
pub(super) fn sealed_parts(game: &StoredGame, viewer: Viewer) -> Vec<Sealed> {
    let committed = committed(game);
    let told = told(game, viewer);
    let mut sealed = Vec::new();
    for (written, told) in written(game).iter().zip(&told) {
        let told: HashSet<(u32, &str)> = tokens(told).collect();
        for token in written.word.tokens().filter(|token| token.is_sealed) {
            let salt = committed.salt(written.ply, token.part);
            sealed.push(Sealed {
                ply: written.ply,
                number: token.part,
                token: token.text.to_owned(),
                salt,
                hash: chain::sealed_part(&salt, token.text),
                is_told: told.contains(&(token.part, token.text)),
            });
        }
    }
    sealed
}

fn committed(game: &StoredGame) -> Committed {
    Chain::new(game).committed.unwrap()
}
