//! Where lists find the public games of each player: rows that follow what is written to the games.

use assam_referee::Ruleset;
use jiff::Timestamp;

use super::Write;
use super::row::Value;
use crate::game::{GameId, Holder, Info, PlayerId, Status, Visibility};

/// Where lists find a public game under its players.
#[derive(Clone, PartialEq, Eq)]
pub struct Listing {
    ruleset: Ruleset,
    created_at: Timestamp,
    status: Status,
    players: Vec<PlayerId>,
}

impl Listing {
    /// Returns where lists find a game; none where it is not public.
    pub fn of(info: &Info) -> Option<Self> {
        (info.visibility == Visibility::Public).then(|| Self {
            ruleset: info.ruleset(),
            created_at: info.created_at,
            status: info.status,
            players: players(&info.seats),
        })
    }

    /// Returns a row for each player who is not among the players of `other`, or all of them where it is another place:
    /// player, rule set, status, time of creation, id.
    fn rows_beside(&self, other: Option<&Self>, id: GameId) -> Vec<Vec<Value>> {
        let Self { ruleset, created_at, status, players } = self;
        let is_there =
            |player| other.is_some_and(|other| other.status == *status && other.players.contains(player));
        let players = players.iter().filter(|player| !is_there(player));
        players
            .map(|player| {
                let (ruleset, status) = ((*ruleset).into(), (*status).into());
                vec![(*player).into(), ruleset, status, (*created_at).into(), id.into()]
            })
            .collect()
    }
}

/// Somebody may hold several seats.
fn players(seats: &[Holder]) -> Vec<PlayerId> {
    let mut players: Vec<PlayerId> = seats.iter().filter_map(|holder| holder.player).collect();
    players.sort_unstable_by_key(|player| player.0);
    players.dedup();
    players
}

impl Write {
    /// Returns the rows under which lists find the game no longer.
    pub(super) fn rows_left(&self) -> Vec<Vec<Value>> {
        self.before().map_or_else(Vec::new, |before| before.rows_beside(self.after().as_ref(), self.id()))
    }

    /// Returns the rows under which lists find the game from then on.
    pub(super) fn rows_entered(&self) -> Vec<Vec<Value>> {
        self.after().map_or_else(Vec::new, |after| after.rows_beside(self.before(), self.id()))
    }

    const fn before(&self) -> Option<&Listing> {
        match self {
            Self::Create(_) => None,
            Self::Reseat { was, .. } | Self::Append { was, .. } => was.as_ref(),
        }
    }

    fn after(&self) -> Option<Listing> {
        let before = self.before().cloned();
        match self {
            Self::Create(game) => Listing::of(&game.info),
            Self::Reseat { seats, start, .. } => before.map(|before| Listing {
                players: players(seats),
                status: start.as_ref().map_or(before.status, |start| start.extension.status),
                ..before
            }),
            Self::Append { extension, .. } => {
                before.map(|before| Listing { status: extension.status, ..before })
            }
        }
    }
}
