//! Where lists find the games of each player: rows that follow what is written to the games.

use assam_referee::Ruleset;
use jiff::Timestamp;

use super::Write;
use super::value::Value;
use crate::game::{GameId, Holder, Info, PlayerId, Status, Visibility};

/// The tables of the games of players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PlayerTable {
    /// Public games, which everybody may list by their players.
    Public,
    /// The other games, which players list for themselves alone.
    Own,
}

impl PlayerTable {
    pub(super) const ALL: [Self; 2] = [Self::Public, Self::Own];
    /// The columns of each, in the order of the rows here.
    pub(super) const COLUMNS: &str = "player, ruleset, status, created_at, game_id, finished_at";

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Public => "player_games",
            Self::Own => "own_games",
        }
    }
}

/// Where lists find a game under its players.
#[derive(Clone, PartialEq, Eq)]
pub struct Listing {
    ruleset: Ruleset,
    created_at: Timestamp,
    finished_at: Option<Timestamp>,
    status: Status,
    visibility: Visibility,
    imported: bool,
    players: Vec<(PlayerTable, PlayerId)>,
}

impl Listing {
    /// Returns where lists find a game.
    pub fn of(info: &Info) -> Self {
        Self {
            ruleset: info.ruleset(),
            created_at: info.created_at,
            finished_at: info.finished_at,
            status: info.status,
            visibility: info.visibility,
            imported: info.imported,
            players: players(info.visibility, &info.seats),
        }
    }

    /// Returns whether the feed for lobbies tells of the game.
    pub(super) fn is_fed(&self) -> bool {
        self.visibility == Visibility::Public && !self.imported
    }

    /// Returns its rule set.
    pub(super) const fn ruleset(&self) -> Ruleset {
        self.ruleset
    }

    /// Returns a row of a table for each player who is not among the players of `other`, or all of them where it is
    /// another place.
    fn rows_beside(&self, table: PlayerTable, other: Option<&Self>, id: GameId) -> Vec<Vec<Value>> {
        let Self { ruleset, created_at, finished_at, status, players, .. } = self;
        let is_there =
            |player| other.is_some_and(|other| other.status == *status && other.players.contains(player));
        let players = players.iter().filter(|player| player.0 == table && !is_there(player));
        players
            .map(|(_, player)| {
                let (ruleset, status) = ((*ruleset).into(), (*status).into());
                let finished_at = (*finished_at).into();
                vec![(*player).into(), ruleset, status, (*created_at).into(), id.into(), finished_at]
            })
            .collect()
    }
}

/// Somebody may hold several seats. Whoever replaced a secret finds the game under the new one too, and nobody else does.
fn players(visibility: Visibility, seats: &[Holder]) -> Vec<(PlayerTable, PlayerId)> {
    let table = if visibility == Visibility::Public { PlayerTable::Public } else { PlayerTable::Own };
    let held = seats.iter().filter_map(|holder| holder.player).map(|player| (table, player));
    let replaced = seats.iter().filter_map(|holder| holder.replaced.as_ref()?.player);
    let mut players: Vec<_> = held.chain(replaced.map(|player| (PlayerTable::Own, player))).collect();
    players.sort_unstable_by_key(|(table, player)| (*table as u8, player.0));
    players.dedup();
    players
}

impl Write {
    /// Returns the rows of a table under which lists find the game no longer.
    pub(super) fn rows_left(&self, table: PlayerTable) -> Vec<Vec<Value>> {
        let after = self.after();
        self.before().map_or_else(Vec::new, |before| before.rows_beside(table, after.as_ref(), self.id()))
    }

    /// Returns the rows of a table under which lists find the game from then on.
    pub(super) fn rows_entered(&self, table: PlayerTable) -> Vec<Vec<Value>> {
        self.after().map_or_else(Vec::new, |after| after.rows_beside(table, self.before(), self.id()))
    }

    /// Returns whether lists find the game elsewhere then.
    pub(super) fn moves_in_lists(&self) -> bool {
        PlayerTable::ALL
            .into_iter()
            .any(|table| !(self.rows_left(table).is_empty() && self.rows_entered(table).is_empty()))
    }

    const fn before(&self) -> Option<&Listing> {
        match self {
            Self::Create { .. } => None,
            Self::Remove { was, .. } | Self::TakeDown { was, .. } => Some(was),
            Self::Reseat { was, .. } | Self::Append { was, .. } => was.as_ref(),
        }
    }

    fn after(&self) -> Option<Listing> {
        match self {
            Self::Create { game, .. } => Some(Listing::of(&game.info)),
            Self::Reseat { was, seats, start, .. } => {
                let extension = start.as_ref().map(|start| &start.extension);
                was.clone().map(|was| Listing {
                    players: players(was.visibility, seats),
                    status: extension.map_or(was.status, |extension| extension.status),
                    finished_at: extension.and_then(|extension| extension.finished_at).or(was.finished_at),
                    ..was
                })
            }
            Self::Append { extension, was, .. } => was.clone().map(|was| Listing {
                status: extension.status,
                finished_at: extension.finished_at,
                ..was
            }),
            Self::Remove { .. } | Self::TakeDown { .. } => None,
        }
    }
}
