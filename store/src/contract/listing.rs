//! Where lists find games: rows that follow what is written to the games.

use assam_record::game::{GameId, Holder, Info, PlayerId, Status, StoredGame, Visibility};
use assam_referee::Ruleset;
use jiff::Timestamp;

use super::TagKey;
use crate::sql::value::Value;

/// The tables of lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum PlayerTable {
    /// Public games, which everybody may list, all of them or those of a player.
    Public,
    /// The other games, which players list for themselves alone.
    Own,
}

/// Whose list it is in which a game is found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum ListOwner {
    /// Everybody's: in [`PlayerTable::Public`] the games that are played here, in [`PlayerTable::Own`] those that are open, which the
    /// service alone lists, to remove them.
    Everybody,
    /// Everybody's list of games that were imported.
    Imports,
    /// The service's own, in [`PlayerTable::Own`], of games whose clocks run.
    Clocks,
    /// That of a player.
    Player(PlayerId),
    /// That of imported games with some tags.
    Tagged(TagKey),
}

/// The ids of players have ten bytes, tags have 17.
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
    /// The columns of each, in the order of the rows here.
    pub(crate) const COLUMNS: &str = "player, ruleset, status, created_at, game_id, finished_at";
    /// What is said of a game that moves in a list: where it was, and what changes.
    pub(crate) const MOVED: &str = "player, ruleset, status, created_at, game_id, becomes, finished_at";

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Public => "player_games",
            Self::Own => "own_games",
        }
    }
}

/// Where lists find a game.
#[derive(Clone, PartialEq, Eq)]
pub struct Listing {
    pub(super) ruleset: Ruleset,
    pub(super) created_at: Timestamp,
    pub(super) finished_at: Option<Timestamp>,
    pub(super) status: Status,
    pub(super) visibility: Visibility,
    pub(super) imported: bool,
    pub(super) has_clock: bool,
    pub(super) players: Vec<(PlayerTable, ListOwner)>,
}

impl Listing {
    /// Returns where lists find a game.
    pub fn from_info(info: &Info) -> Self {
        Self {
            ruleset: info.ruleset(),
            created_at: info.created_at,
            finished_at: info.finished_at,
            status: info.status,
            visibility: info.visibility,
            imported: info.imported,
            has_clock: info.clock.is_some() && info.removed.is_none(),
            players: if info.removed.is_some() { Vec::new() } else { players(info.visibility, &info.seats) },
        }
    }

    /// Returns where lists find a game, those by tags too.
    pub fn of_game(game: &StoredGame) -> Self {
        let mut listing = Self::from_info(&game.info);
        if listing.imported && listing.visibility == Visibility::Public && game.info.removed.is_none() {
            let tagged = TagKey::all_of(&game.tags).into_iter().map(ListOwner::Tagged);
            listing.players.extend(tagged.map(|lister| (PlayerTable::Public, lister)));
        }
        listing
    }

    /// Returns whether the feed for lobbies tells of the game.
    pub(crate) fn is_fed(&self) -> bool {
        self.visibility == Visibility::Public && !self.imported
    }

    /// Returns its rule set.
    pub(crate) const fn ruleset(&self) -> Ruleset {
        self.ruleset
    }

    /// Returns in which lists it is.
    fn lists(&self) -> impl Iterator<Item = (PlayerTable, ListOwner)> {
        let everybodys = match (self.visibility, self.imported, self.status) {
            (Visibility::Public, false, _) => Some((PlayerTable::Public, ListOwner::Everybody)),
            (Visibility::Public, true, _) => Some((PlayerTable::Public, ListOwner::Imports)),
            (_, _, Status::Open) => Some((PlayerTable::Own, ListOwner::Everybody)),
            _ => None,
        };
        let runs = self.has_clock && self.status == Status::Running;
        let clocks = runs.then_some((PlayerTable::Own, ListOwner::Clocks));
        everybodys.into_iter().chain(clocks).chain(self.players.iter().copied())
    }

    /// Returns whether it is in a list.
    fn is_in(&self, list: (PlayerTable, ListOwner)) -> bool {
        self.lists().any(|found| found == list)
    }

    /// Returns a row of a table for each list in which `other` is not.
    pub(super) fn rows_beside(
        &self,
        table: PlayerTable,
        other: Option<&Self>,
        id: GameId,
    ) -> Vec<Vec<Value>> {
        let Self { ruleset, created_at, finished_at, status, .. } = *self;
        let lists =
            self.lists().filter(|list| list.0 == table && !other.is_some_and(|other| other.is_in(*list)));
        lists
            .map(|(_, lister)| {
                let (ruleset, status) = (ruleset.into(), status.into());
                vec![lister.into(), ruleset, status, created_at.into(), id.into(), finished_at.into()]
            })
            .collect()
    }

    /// Returns a row of [`PlayerTable::MOVED`] for each list in which it has another place than before.
    pub(super) fn rows_moved(&self, table: PlayerTable, before: &Self, id: GameId) -> Vec<Vec<Value>> {
        let Self { ruleset, created_at, finished_at, status, .. } = *self;
        let lists =
            self.lists().filter(|list| list.0 == table && status != before.status && before.is_in(*list));
        lists
            .map(|(_, lister)| {
                let place =
                    [lister.into(), ruleset.into(), before.status.into(), created_at.into(), id.into()];
                place.into_iter().chain([status.into(), finished_at.into()]).collect()
            })
            .collect()
    }
}

/// Somebody may hold several seats. Whoever replaced a secret finds the game under the new one too, and nobody else does.
pub(super) fn players(visibility: Visibility, seats: &[Holder]) -> Vec<(PlayerTable, ListOwner)> {
    let table = if visibility == Visibility::Public { PlayerTable::Public } else { PlayerTable::Own };
    let held = seats.iter().filter_map(|holder| holder.player).map(|player| (table, player));
    let replaced = seats.iter().filter_map(|holder| holder.replaced.as_ref()?.player);
    let all = held.chain(replaced.map(|player| (PlayerTable::Own, player)));
    let mut players: Vec<_> = all.map(|(table, player)| (table, ListOwner::Player(player))).collect();
    players.sort_unstable();
    players.dedup();
    players
}
