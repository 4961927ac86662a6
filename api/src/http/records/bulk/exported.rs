//! A game in an export.

use assam_proofs::proof::Proof;
use assam_proofs::public_log::{EntryOpening, LoggedEntry, Milestone};
use assam_record::game::StoredGame;
use assam_record::log::{Damaged, ply_by_ply};
use assam_rules::Viewer;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::{App, Summary};
use crate::http::games::game_view::GameSummary;
use crate::http::play::replay::{StateAtPly, record};
use crate::http::proofs::proof::proof_of;

/// The content of each exported game as JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// The game with its record.
    Game,
    /// The game with the state after every ply.
    States,
    /// The proof alone.
    Proof,
}

/// An exported game, as a spectator may see it.
#[derive(Serialize, ToSchema)]
pub struct ExportedGame {
    #[serde(flatten)]
    game: GameSummary,
    /// Its record, in file form.
    #[schema(max_length = 65_536, example = "MKN/1 marrakech/1 seats=3\n\n!abort\n= -\n")]
    record: String,
    /// The state after every ply, from ply 0, with `states`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 65_536, nullable = false)]
    states: Option<Vec<StateAtPly>>,
}

/// An exported proof, as a spectator may see it.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct ExportedProof {
    /// The game's proof.
    pub proof: Proof,
    /// The game's places in the public log, with openings but without proofs (`proof` is null). Empty for
    /// imported games.
    #[serde(default)]
    #[schema(max_items = 2, required)]
    pub log: Vec<LoggedEntry>,
}

/// A line of an export as JSON: a proof with `proofs`, or else a game.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum ExportedLine {
    /// A game.
    Game(ExportedGame),
    /// The proof of a game.
    Proof(ExportedProof),
}

/// Returns the line of a game.
///
/// # Errors
/// If the stored log is damaged.
pub(super) fn line(
    app: &App,
    game: &StoredGame,
    detail: Detail,
    positions: &[(Milestone, Option<u64>)],
) -> Result<String, Damaged> {
    let line = match detail {
        Detail::Proof => {
            let mut log = Vec::new();
            for &(moment, position) in positions {
                if let Some(opening) = EntryOpening::new(game, moment)? {
                    log.push(LoggedEntry { position, ..LoggedEntry::new(moment, &opening, None) });
                }
            }
            ExportedLine::Proof(ExportedProof { proof: proof_of(app, game, Viewer::Spectator)?, log })
        }
        Detail::Game | Detail::States => {
            let last = game.info.head.map_or(0, |head| head.ply);
            let record = record(game, Viewer::Spectator, last)?;
            let states = (detail == Detail::States).then(|| states(game)).transpose()?;
            let Summary { info, standing } = Summary::from_game(game)?;
            ExportedLine::Game(ExportedGame { game: GameSummary::new(&info, &standing), record, states })
        }
    };
    // Keys are strings, so serialization cannot fail.
    Ok(serde_json::to_string(&line).unwrap_or_default() + "\n")
}

fn states(game: &StoredGame) -> Result<Vec<StateAtPly>, Damaged> {
    let mut states = Vec::new();
    ply_by_ply(Viewer::Spectator, game, |seen| states.push(StateAtPly::new(seen)))?;
    Ok(states)
}
