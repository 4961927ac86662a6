//! A stored game: everything fixed at its creation, and everything that the log and the seats add.

use std::fmt;

use assam_players::Player;
use assam_referee::{Ruleset, Setup};
use assam_rules::Seat;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::beacon::{BeaconName, DueRound, GameBeacon};
use crate::clock::rfc3339;
use crate::game_clock::GameClock;
use crate::hex::{self, Hex};
pub use crate::seat_kind::SeatKind;

/// 32 bytes: a SHA-256 value or a seed.
pub type Bytes32 = [u8; 32];

/// The id of a game: 32 hex digits.
pub type GameId = Hex<16>;

/// The public id of a player: 20 hex digits.
pub type PlayerId = Hex<10>;

/// A game as stored.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredGame {
    /// The part that lists show.
    pub info: Info,
    /// SHA-256 of the owner's secret.
    pub owner: Option<Bytes32>,
    /// SHA-256 of the secret that owns the game now, if the owner replaced theirs.
    pub heir: Option<Bytes32>,
    /// The hash of the join code of a private game.
    pub join_code: Option<Bytes32>,
    /// The hash of the request that created the game, if it had an `Idempotency-Key`.
    pub request: Option<Bytes32>,
    /// The committed seed, or `None` for an imported game.
    pub seed: Option<Bytes32>,
    /// The commitment published at the game's creation, derived from seed and setup, or `None` for an
    /// imported game.
    pub commitment: Option<Bytes32>,
    /// The beacon that adds public randomness to the game's chance, if its creator requested one.
    pub beacon: Option<GameBeacon>,
    /// The tag lines of an imported record, unchanged.
    pub tags: String,
    /// The log: entries `word~ms` separated by single spaces, the NEWEST FIRST.
    pub log: String,
}

/// Everything that decides who may see a game, without the game.
#[derive(Clone, PartialEq, Eq)]
pub struct Access {
    /// The visibility.
    pub visibility: Visibility,
    /// The hash of its join code.
    pub join_code: Option<Bytes32>,
    /// The hashes of the secrets of its owner and seats, if only they may see it.
    pub secrets: Vec<Bytes32>,
}

/// Hides everything, because a short join code can be found from its hash.
impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Access(..)")
    }
}

impl Access {
    /// Returns the access rules of a game with these columns.
    pub fn new(
        visibility: Visibility,
        owner: Option<Bytes32>,
        join_code: Option<Bytes32>,
        seats: &[Holder],
    ) -> Self {
        let reserved = |holder: &Holder| holder.reserved.as_ref().and_then(|reserved| reserved.secret);
        let secrets = seats.iter().flat_map(|holder| holder.secret.into_iter().chain(reserved(holder)));
        let secrets = secrets.map(|secret| secret.0);
        let secrets = match visibility {
            Visibility::Public | Visibility::Unlisted => Vec::new(),
            Visibility::Private => owner.into_iter().chain(secrets).collect(),
        };
        Self { visibility, join_code, secrets }
    }
}

impl StoredGame {
    /// Returns the hash of the secret that owns the game now.
    pub fn owner_now(&self) -> Option<Bytes32> {
        self.heir.or(self.owner)
    }

    /// Returns the access rules.
    pub fn access(&self) -> Access {
        Access::new(self.info.visibility, self.owner_now(), self.join_code, &self.info.seats)
    }

    /// Returns the head of a game that has started.
    ///
    /// # Errors
    /// Seats are open, or the game waits for its beacon.
    pub fn started(&self) -> Result<Head, NotStarted> {
        self.info.head.ok_or_else(|| self.waiting().map_or(NotStarted::Seats, NotStarted::Beacon))
    }

    /// Returns the beacon round that the game waits for. `None` if it waits for players or for nothing.
    pub fn waiting(&self) -> Option<AwaitsBeacon> {
        let beacon = self.beacon.as_ref()?;
        Some(AwaitsBeacon { chain: beacon.chain, due: beacon.awaited()? })
    }
}

/// The game has not started.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub enum NotStarted {
    /// Seats are open.
    #[error("seats are still open: the game starts when the last one is taken")]
    Seats,
    /// The round of its beacon was not delivered yet.
    #[error("{0}")]
    Beacon(AwaitsBeacon),
}

/// A game with all seats taken that waits for a round of its beacon.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the game waits for round {} of {chain}, due at {}", due.number, rfc3339(due.at))]
pub struct AwaitsBeacon {
    chain: BeaconName,
    due: DueRound,
}

impl AwaitsBeacon {
    /// Returns whether the round is published only after a moment.
    pub fn is_out_after(&self, moment: Timestamp) -> bool {
        self.due.at > moment
    }
}

/// The part of a game that lists show. Anyone who may see the game may see all of it, except hashes of
/// secrets in the seats, which no view copies.
#[derive(Clone, PartialEq, Eq)]
pub struct Info {
    /// The id.
    pub id: GameId,
    /// When the game was created (whole milliseconds).
    pub created_at: Timestamp,
    /// The rule set, seats and options, and the position if the game begins in one.
    pub setup: Setup,
    /// The visibility.
    pub visibility: Visibility,
    /// Whether the game was imported. If so, its chance has no commitment and its words have no times.
    pub imported: bool,
    /// Whether its result counts for its players' ratings, if it can.
    pub rated: bool,
    /// The hours a seat may be on turn without moving before another seat may claim it out.
    pub patience_hours: Option<u32>,
    /// The clock, if the game has one.
    pub clock: Option<GameClock>,
    /// The game this is a rematch of, if any.
    pub rematch_of: Option<GameId>,
    /// The rematch of this game, if one was requested.
    pub rematch: Option<GameId>,
    /// The revision, which grows by one with every change of the seats.
    pub revision: i64,
    /// The holders of the seats, in order. Never empty.
    pub seats: Vec<Holder>,
    /// The status of the game.
    pub status: Status,
    /// When the last seat was taken or the beacon round delivered (whole milliseconds).
    pub started_at: Option<Timestamp>,
    /// When the game ended, or for an imported game when it was imported (whole milliseconds).
    pub finished_at: Option<Timestamp>,
    /// The last ply and its hash, or `None` before the start.
    pub head: Option<Head>,
    /// The reason the operator took the game down, if that happened.
    pub removed: Option<String>,
}

/// The head of a game: the number of its last ply, and a hash chained over all words so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    /// The number of the last ply, 0 at the start.
    pub ply: u32,
    /// The hash.
    pub hash: Bytes32,
}

/// The head of a game: the number of its last ply, and a hash chained over all words so far.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct HeadView {
    /// The number of the last ply, 0 at the start.
    #[schema(maximum = 65_536, example = 7)]
    pub ply: u32,
    /// The hash: 64 hex digits.
    #[schema(
        pattern = "^[0-9a-f]{64}$",
        example = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"
    )]
    pub hash: String,
}

impl From<Head> for HeadView {
    fn from(head: Head) -> Self {
        Self { ply: head.ply, hash: hex::digits(head.hash) }
    }
}

/// The visibility of a game: `public` games are listed, `unlisted` games are visible to everyone who knows
/// their id, and `private` games are visible only to their players and owner.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Listed, and visible to everyone.
    #[default]
    Public,
    /// Not listed, but visible to everyone who knows its id.
    Unlisted,
    /// Visible only to its seats and its owner.
    Private,
}

/// The status of a game: `open` until all seats are taken and its beacon round, if it needs one, is
/// delivered. Then it is `running`, and finally `finished` if it was played to its end, or `aborted`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Waiting for open seats to be taken or for the round of its beacon.
    Open,
    /// In progress, with all seats taken.
    Running,
    /// Played to its end.
    Finished,
    /// Ended by `!abort`, without a ranking.
    Aborted,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 4] = [Self::Open, Self::Running, Self::Finished, Self::Aborted];

    /// Returns the name, as in the interface and in receipts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Aborted => "aborted",
        }
    }

    /// Returns the status with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// Returns whether the game is over.
    pub const fn is_over(self) -> bool {
        match self {
            Self::Open | Self::Running => false,
            Self::Finished | Self::Aborted => true,
        }
    }
}

/// The holder of a seat.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Open, or the kind of player that holds the seat.
    pub kind: SeatKind,
    /// The public id of the player.
    #[serde(with = "hex::stored", default, skip_serializing_if = "Option::is_none")]
    pub player: Option<PlayerId>,
    /// SHA-256 of the holder's secret.
    #[serde(with = "hex::stored", default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<Hex<32>>,
    /// The label, which is not part of the log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The entropy that the player added to the chance of the game.
    #[serde(with = "hex::stored", default, skip_serializing_if = "Option::is_none")]
    pub entropy: Option<Hex<32>>,
    /// The revision of the seats at which a person took the seat, or the later one at which they added
    /// entropy. The larger of two revisions is the later one. Other seats and seats of imported games have
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
    /// The time of that revision (whole milliseconds), or `None` if it was at the creation of the game.
    #[serde(
        with = "jiff::fmt::serde::timestamp::millisecond::optional",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub since: Option<Timestamp>,
    /// The numbers of the seats that people had taken by then, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<u8>,
    /// The handling of decisions without a choice for the seat.
    #[serde(default, skip_serializing_if = "Forced::is_asked")]
    pub forced: Forced,
    /// The secret that took the seat, if it was replaced since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced: Option<Box<Replaced>>,
    /// The seats that the player saw before they sent entropy, or `None` if they sent none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin: Option<Box<SeatsPin>>,
    /// The player that the open seat of a rematch is kept for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reserved: Option<Box<ReservedSeat>>,
}

/// The seats that a player saw before they sent entropy: everything the chance depends on, except that
/// entropy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatsPin {
    /// The digest of the seats.
    #[serde(with = "hex::stored")]
    pub digest: Option<Hex<32>>,
    /// The revision with which the player already held their seat without entropy, or `None` if it was open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<i64>,
}

/// The player that a seat is kept for. Others cannot take it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReservedSeat {
    /// SHA-256 of the player's secret.
    #[serde(with = "hex::stored")]
    pub secret: Option<Hex<32>>,
    /// The player's public id in the previous game.
    #[serde(with = "hex::stored")]
    pub player: Option<PlayerId>,
}

/// How to handle decisions without a choice, if everyone can see that there is none. With `ask`, the seat
/// makes them as usual. With `play`, the service makes them together with the words before them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Forced {
    /// The seat decides.
    #[default]
    Ask,
    /// The service plays them.
    Play,
}

impl Forced {
    /// Returns whether the seat decides.
    pub fn is_asked(&self) -> bool {
        *self == Self::Ask
    }
}

/// The first secret of a seat, which the same holder has replaced.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    /// SHA-256 of the secret that took the seat. The player's public id still belongs to it.
    #[serde(with = "hex::stored")]
    pub first: Option<Hex<32>>,
    /// The public id of the current secret, which is never shown.
    #[serde(with = "hex::stored")]
    pub player: Option<PlayerId>,
}

impl Info {
    /// Returns the rule set.
    pub const fn ruleset(&self) -> Ruleset {
        self.setup.ruleset()
    }

    /// Returns whether the game is over. Then it hides nothing from anyone who may see it.
    pub const fn is_over(&self) -> bool {
        self.status.is_over()
    }

    /// Returns whether this game may hide something from anyone who may see it.
    pub fn may_hide_something(&self) -> bool {
        !self.is_over() && self.ruleset().info().has_secrets
    }

    /// Returns the seats with their holders.
    pub fn seated(&self) -> impl Iterator<Item = (Seat, &Holder)> {
        Seat::all(self.setup.seats()).zip(&self.seats)
    }

    /// Returns whether a built-in player at the table thinks for longer than a request should take.
    pub fn has_merchant(&self) -> bool {
        self.seats.iter().any(|holder| matches!(holder.kind.player(), Some(Player::Merchant(_))))
    }

    /// Returns the holder of a seat.
    pub fn holder(&self, seat: Seat) -> Option<&Holder> {
        self.seats.get(seat.index())
    }
}

impl Holder {
    /// Returns the holder of a seat of this kind, without a secret.
    pub const fn new(kind: SeatKind) -> Self {
        Self {
            kind,
            player: None,
            secret: None,
            name: None,
            entropy: None,
            revision: None,
            since: None,
            after: Vec::new(),
            forced: Forced::Ask,
            replaced: None,
            pin: None,
            reserved: None,
        }
    }
}
