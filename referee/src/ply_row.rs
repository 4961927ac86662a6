//! The plies of a record as rows of a table.

use assam_notation::{Decision, Record, write_position_line};
use assam_rules::Leave;

use crate::{Datum, Shown};

/// A ply as a row of a table.
pub struct PlyRow<'a> {
    /// The ply.
    pub ply: u32,
    /// The seat that decided or left, or `None` for ply 0 and for an abort.
    pub seat: Option<u8>,
    /// The word, in canonical form.
    pub word: &'a str,
    /// The kind of decision: a name that the game defines, or `start`, `resign`, `timeout`, `abort`.
    pub kind: &'static str,
    /// The score of each seat after the ply, in order.
    pub scores: &'a [i32],
    /// The values of [`Shown::PLY_COLUMNS`].
    pub data: &'a [Datum],
    /// The position after the ply.
    pub position: &'a dyn RowPosition,
}

/// The position after a ply, which computes only the requested parts.
pub trait RowPosition {
    /// Returns the position line.
    fn line(&self) -> String;

    /// Returns the values of [`Shown::BOARD_COLUMNS`].
    fn board(&self) -> Vec<Datum>;
}

struct PositionOf<'a, G>(&'a G);

impl<G: Shown> RowPosition for PositionOf<'_, G> {
    fn line(&self) -> String {
        write_position_line(self.0)
    }

    fn board(&self) -> Vec<Datum> {
        let mut row = vec![Datum::Nothing; G::BOARD_COLUMNS.len()];
        self.0.fill_board(&mut row);
        row
    }
}

/// Replays a record and passes on every ply.
pub(crate) fn each_ply<G: Shown>(record: &Record<G>, each: &mut dyn FnMut(&PlyRow<'_>)) {
    let Some(opening) = &record.opening else { return };
    let mut replay = opening.replay();
    let (mut text, mut events) = (String::new(), Vec::new());
    let mut data = vec![Datum::Nothing; G::PLY_COLUMNS.len()];
    for word in &record.words {
        let before = replay.position();
        let seat = match word.decision {
            Some(Decision::Leave(leave)) => leave.seat(),
            Some(Decision::Action(_)) | None => before.turn().seat(),
        };
        let kind = match &word.decision {
            Some(Decision::Action(action)) => before.action_name(action),
            Some(Decision::Leave(Leave::Resign(_))) => "resign",
            Some(Decision::Leave(Leave::Timeout(_))) => "timeout",
            Some(Decision::Leave(Leave::Abort)) => "abort",
            None => "start",
        };
        events.clear();
        // The words of a record were already found legal.
        if replay.play_telling(word, |event| events.push(event)).is_err() {
            return;
        }
        text.clear();
        word.write(&mut text);
        data.fill(Datum::Nothing);
        let position = replay.position();
        position.fill_row(&word.chance, &events, &mut data);
        each(&PlyRow {
            ply: replay.ply(),
            seat: seat.map(|seat| seat.number()),
            word: &text,
            kind,
            scores: &position.scores(),
            data: &data,
            position: &PositionOf(position),
        });
    }
}
