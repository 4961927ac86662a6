//! The rows that let lists find games. They follow every write to a game.

use assam_record::game::{GameId, PlayerId, Status, StoredGame, Visibility};
use assam_referee::Ruleset;
use jiff::Timestamp;

use super::TagKey;
use crate::sql::value::{NamedRow, Value};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum PlayerTable {
    /// Public games, which anyone may list: all of them, or those of a player.
    Public,
    /// The other games, which players only list for themselves.
    Own,
}

/// The owner of the list in which a game is found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum ListOwner {
    /// Everyone: in [`PlayerTable::Public`] the games played here, in [`PlayerTable::Own`] open games, which
    /// only the service lists, to remove them.
    Everybody,
    /// Everyone, for the list of imported games.
    Imports,
    /// The service, in [`PlayerTable::Own`], for games with running clocks.
    Clocks,
    /// A player.
    Player(PlayerId),
    /// Imported games with some tags.
    Tagged(TagKey),
}

/// Ids of players have ten bytes, tags have 17.
impl From<ListOwner> for Value {
    fn from(lister: ListOwner) -> Self {
        match lister {
            ListOwner::Everybody => Self::Bytes(Vec::new()),
            ListOwner::Imports => Self::Bytes(b"i".to_vec()),
            ListOwner::Clocks => Self::Bytes(b"c".to_vec()),
            ListOwner::Player(player) => player.into(),
            ListOwner::Tagged(tags) => Self::Bytes(tags.bytes()),
        }
    }
}

impl PlayerTable {
    pub(crate) const ALL: [Self; 2] = [Self::Public, Self::Own];
    /// The columns of each table, in the order of the rows here.
    pub(crate) const COLUMNS: &str = "player, ruleset, status, created_at, game_id, finished_at";

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Public => "player_games",
            Self::Own => "own_games",
        }
    }
}

/// A row of a list: a game in the list of an owner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ListRow {
    pub(crate) table: PlayerTable,
    pub(crate) player: ListOwner,
    pub(crate) ruleset: Ruleset,
    /// The status that it is listed under.
    pub(crate) status: Status,
    /// The new status that it is listed under, the same unless the row moves.
    pub(crate) becomes: Status,
    pub(crate) created_at: Timestamp,
    pub(crate) game_id: GameId,
    pub(crate) finished_at: Option<Timestamp>,
}

impl ListRow {
    /// Returns whether another row of the same game is in the same list.
    pub(crate) fn is_in_list_of(&self, other: &Self) -> bool {
        (self.table, self.player) == (other.table, other.player)
    }

    /// Returns its columns, by name.
    pub(crate) fn columns(&self) -> NamedRow {
        vec![
            ("player", self.player.into()),
            ("ruleset", self.ruleset.into()),
            ("status", self.status.into()),
            ("becomes", self.becomes.into()),
            ("created_at", self.created_at.into()),
            ("game_id", self.game_id.into()),
            ("finished_at", self.finished_at.into()),
        ]
    }
}

/// Returns the rows of the lists that have a game.
pub(crate) fn rows(game: &StoredGame) -> Vec<ListRow> {
    let info = &game.info;
    let table = if info.visibility == Visibility::Public { PlayerTable::Public } else { PlayerTable::Own };
    let mut lists = Vec::new();
    lists.extend(match (info.visibility, info.imported, info.status) {
        (Visibility::Public, false, _) => Some((PlayerTable::Public, ListOwner::Everybody)),
        (Visibility::Public, true, _) => Some((PlayerTable::Public, ListOwner::Imports)),
        // Includes hidden games, since the service removes those that do not start.
        (_, _, Status::Open) => Some((PlayerTable::Own, ListOwner::Everybody)),
        _ => None,
    });
    if info.removed.is_none() {
        if info.clock.is_some() && info.status == Status::Running {
            lists.push((PlayerTable::Own, ListOwner::Clocks));
        }
        // A player may hold several seats. After a secret is replaced, only the holder of the new one also
        // finds the game under that player.
        for seat in &info.seats {
            lists.extend(seat.player.map(|player| (table, ListOwner::Player(player))));
            let replaced = seat.replaced.as_ref().and_then(|replaced| replaced.player);
            lists.extend(replaced.map(|player| (PlayerTable::Own, ListOwner::Player(player))));
        }
        if info.imported && info.visibility == Visibility::Public {
            let tags = TagKey::all_of(&game.tags).into_iter();
            lists.extend(tags.map(|tags| (PlayerTable::Public, ListOwner::Tagged(tags))));
        }
    }
    lists.sort_unstable();
    lists.dedup();
    let (ruleset, status, created_at) = (info.ruleset(), info.status, info.created_at);
    let row = |(table, player)| ListRow {
        table,
        player,
        ruleset,
        status,
        becomes: status,
        created_at,
        game_id: info.id,
        finished_at: info.finished_at,
    };
    lists.into_iter().map(row).collect()
}
