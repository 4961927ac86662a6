//! A stored game: everything that is fixed when it is created, and all that the log and the seats add to it.

use std::fmt;

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

/// One game as the store keeps it.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredGame {
    /// The part that lists show.
    pub info: Info,
    /// SHA-256 of the owner's secret.
    pub owner: Option<Bytes32>,
    /// SHA-256 of the secret that owns it now, where the owner replaced theirs.
    pub heir: Option<Bytes32>,
    /// The hash of the join code of a private game.
    pub join_code: Option<Bytes32>,
    /// The hash of the request that created the game, where it came with an `Idempotency-Key`.
    pub request: Option<Bytes32>,
    /// The committed seed; an imported game has none.
    pub seed: Option<Bytes32>,
    /// What was published of the chance of the game when it was created; an imported game has none. It follows from seed and
    /// setup.
    pub commitment: Option<Bytes32>,
    /// The outside beacon that adds to its chance, if its creator wanted one.
    pub beacon: Option<GameBeacon>,
    /// The tag lines of an imported record, as they were given.
    pub tags: String,
    /// The log: entries `word~ms` separated by single spaces, the NEWEST FIRST.
    pub log: String,
}

/// Everything that decides who may know of a game, without what the game is.
#[derive(Clone, PartialEq, Eq)]
pub struct Access {
    /// Controls who may see it.
    pub visibility: Visibility,
    /// The hash of its join code.
    pub join_code: Option<Bytes32>,
    /// The hashes of the secrets of its owner and of its seats, where only they may see it.
    pub secrets: Vec<Bytes32>,
}

/// Shows nothing: a join code may be short enough to be found from its hash.
impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Access(..)")
    }
}

impl Access {
    /// Returns who may know of a game with these columns.
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
    /// Returns the hash of the secret that owns it.
    pub fn owner_now(&self) -> Option<Bytes32> {
        self.heir.or(self.owner)
    }

    /// Returns who may know of it.
    pub fn access(&self) -> Access {
        Access::new(self.info.visibility, self.owner_now(), self.join_code, &self.info.seats)
    }

    /// Returns the head of a game that has started.
    ///
    /// # Errors
    /// Where seats are open, or it waits for its beacon.
    pub fn started(&self) -> Result<Head, NotStarted> {
        self.info.head.ok_or_else(|| self.waiting().map_or(NotStarted::Seats, NotStarted::Beacon))
    }

    /// Returns for which round of its beacon it waits; none where it waits for players, or for nothing.
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
    /// The round of its beacon has not come.
    #[error("{0}")]
    Beacon(AwaitsBeacon),
}

/// A game whose seats are all taken waits for a round of its beacon.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the game waits until somebody delivers round {} of {chain}, which is out at {}", due.number, rfc3339(due.at))]
pub struct AwaitsBeacon {
    chain: BeaconName,
    due: DueRound,
}

impl AwaitsBeacon {
    /// Returns whether the round is out only after a moment.
    pub fn is_out_after(&self, moment: Timestamp) -> bool {
        self.due.at > moment
    }
}

/// The part of a game that lists show. Anyone who may see the game may see all of it, except the hashes of secrets in
/// the seats, which no view copies.
#[derive(Clone, PartialEq, Eq)]
pub struct Info {
    /// Its id.
    pub id: GameId,
    /// When the game was created (whole milliseconds).
    pub created_at: Timestamp,
    /// The rule set, seats, options, and the position where the game begins in one.
    pub setup: Setup,
    /// Controls who may see the game.
    pub visibility: Visibility,
    /// Whether the game was imported. If so, nobody committed to its chance, and its words have no times.
    pub imported: bool,
    /// Whether its result counts for the ratings of its players, if it can.
    pub rated: bool,
    /// How many hours a seat may be on turn without moving before another seat may claim it out.
    pub patience_hours: Option<u32>,
    /// Its clock, if it has one.
    pub clock: Option<GameClock>,
    /// The game of which it is the rematch, if it is one.
    pub rematch_of: Option<GameId>,
    /// The game that is its rematch, if somebody wanted one.
    pub rematch: Option<GameId>,
    /// Grows by one with every change of the seats.
    pub revision: i64,
    /// The holders of the seats, in order; never empty.
    pub seats: Vec<Holder>,
    /// The status of the game.
    pub status: Status,
    /// When the last seat was taken, or the beacon came (whole milliseconds).
    pub started_at: Option<Timestamp>,
    /// When the game ended; of an imported game, when it was imported (whole milliseconds).
    pub finished_at: Option<Timestamp>,
    /// The last ply and its hash; none before the start.
    pub head: Option<Head>,
    /// Why the operator took the game down; none unless that happened.
    pub removed: Option<String>,
}

/// The head of a game: the number of its last ply, and a hash chained over all words so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    /// The number of the last ply; 0 at the start.
    pub ply: u32,
    /// The hash.
    pub hash: Bytes32,
}

/// The head of a game: the number of its last ply, and a hash chained over all words so far.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct HeadView {
    /// The number of the last ply; 0 at the start.
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

/// The visibility of a game: `public` games are listed, `unlisted` games are visible to everyone who knows their id,
/// and `private` games only to their seats and their owner.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Listed, and visible to everyone.
    #[default]
    Public,
    /// Not listed; visible to everyone who knows its id.
    Unlisted,
    /// Visible to its seats and its owner only.
    Private,
}

/// The status of a game: `open` until all seats are taken and its beacon, if it has one, is there; then `running`, then `finished` if it was played to its end,
/// or `aborted`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Waiting for its open seats to be taken, or for the round of its beacon.
    Open,
    /// Going on, with all seats taken.
    Running,
    /// Played to its end.
    Finished,
    /// Ended by `!abort`, without a ranking.
    Aborted,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 4] = [Self::Open, Self::Running, Self::Finished, Self::Aborted];

    /// Returns its name, as in the interface and in receipts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Aborted => "aborted",
        }
    }

    /// Returns the status of this name.
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
    /// The revision of the seats with which a person took the seat, or added entropy to it, whichever came later: of two seats,
    /// that with the larger one came later. Other seats, and those of imported games, have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
    /// When that was (whole milliseconds); none where it was at the creation of the game.
    #[serde(
        with = "jiff::fmt::serde::timestamp::millisecond::optional",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub since: Option<Timestamp>,
    /// The numbers of the seats that people had by then, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<u8>,
    /// What becomes of decisions in which the seat has no choice.
    #[serde(default, skip_serializing_if = "Forced::is_asked")]
    pub forced: Forced,
    /// The secret that took the seat, where it was replaced since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced: Option<Box<Replaced>>,
    /// The seats that the player saw before they sent entropy, or none if they sent none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin: Option<Box<SeatsPin>>,
    /// For whom the seat is kept, in a rematch, whenever it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reserved: Option<Box<ReservedSeat>>,
}

/// The seats that a player saw before they sent entropy: all that the chance depends on, except that entropy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatsPin {
    /// The digest of the seats.
    #[serde(with = "hex::stored")]
    pub digest: Option<Hex<32>>,
    /// The revision with which the player already held their seat, without entropy; none if it was open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<i64>,
}

/// For whom a seat is kept: nobody else can take it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReservedSeat {
    /// SHA-256 of their secret.
    #[serde(with = "hex::stored")]
    pub secret: Option<Hex<32>>,
    /// Their public id in the game before.
    #[serde(with = "hex::stored")]
    pub player: Option<PlayerId>,
}

/// What becomes of decisions in which a seat has no choice, and everyone can tell that: it is `ask`ed for them like for
/// all others, or the service `play`s them with the words before them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Forced {
    /// The seat is asked.
    #[default]
    Ask,
    /// The service plays them.
    Play,
}

impl Forced {
    /// Returns whether the seat is asked.
    pub fn is_asked(&self) -> bool {
        *self == Self::Ask
    }
}

/// The secret of a seat that was replaced by another one of the same holder.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    /// SHA-256 of the secret that took the seat. The public id of the player is still that secret's.
    #[serde(with = "hex::stored")]
    pub first: Option<Hex<32>>,
    /// The public id that belongs to the secret of now, which nobody is told.
    #[serde(with = "hex::stored")]
    pub player: Option<PlayerId>,
}

impl Info {
    /// Returns the rule set.
    pub const fn ruleset(&self) -> Ruleset {
        self.setup.ruleset()
    }

    /// Returns whether the game is over. Then nothing in it is hidden from anyone who may see it.
    pub const fn is_over(&self) -> bool {
        self.status.is_over()
    }

    /// Returns whether anything in this game may be hidden from anyone who may see it.
    pub fn may_hide_something(&self) -> bool {
        !self.is_over() && self.ruleset().info().has_secrets
    }

    /// Returns the seats with their holders.
    pub fn seated(&self) -> impl Iterator<Item = (Seat, &Holder)> {
        Seat::all(self.setup.seats()).zip(&self.seats)
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
