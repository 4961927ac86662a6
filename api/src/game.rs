//! A stored game: what is fixed when it is created, and what the log and the seats add to it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// 32 bytes: a SHA-256 value or a seed.
pub type Bytes32 = [u8; 32];

/// One game as the store keeps it.
#[derive(Clone, PartialEq, Eq)]
pub struct Game {
    /// Everything that is not secret.
    pub info: Info,
    /// SHA-256 of the secret of whoever created the game.
    pub owner: Option<Bytes32>,
    /// Hash of the join code of a private game.
    pub join_code: Option<Bytes32>,
    /// Hash of the request that created the game, where it came with an `Idempotency-Key`.
    pub request: Option<Bytes32>,
    /// The committed seed; an imported game has none.
    pub seed: Option<Bytes32>,
    /// Tag lines of an imported record, as they were given.
    pub tags: String,
    /// The log: entries `word~ms` separated by single spaces, the NEWEST FIRST.
    pub log: String,
}

/// The part of a game that lists show: all of it is public for whoever may see the game
/// (secret hashes in the seats apart, which no view copies).
#[derive(Clone, PartialEq, Eq)]
pub struct Info {
    /// 32 lower-case hex digits.
    pub id: String,
    /// When the game was created (whole milliseconds).
    pub created_at: Timestamp,
    /// Rule set and version: `marrakech/1`.
    pub ruleset: String,
    /// The setup line in canonical form: `MKN/1 marrakech/1 seats=3 cover=any`.
    pub setup: String,
    /// Who may see the game.
    pub visibility: Visibility,
    /// True for a record that was imported: its chance is not committed, and it has no times.
    pub imported: bool,
    /// Hours after which a seat that does not move may be claimed out.
    pub patience_hours: Option<u32>,
    /// Grows by one with every change of the seats.
    pub revision: i64,
    /// The seats in order; never empty.
    pub seats: Vec<Seat>,
    /// Where the game stands.
    pub status: Status,
    /// When the last seat was taken (whole milliseconds).
    pub started_at: Option<Timestamp>,
    /// Last ply and its hash; none before the start.
    pub head: Option<Head>,
}

/// The end of a log: the number of its last ply, and the chained hash of all that was written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Number of the last ply; 0 at the start.
    pub ply: u32,
    /// Hash chained over every word so far.
    pub hash: Bytes32,
}

/// Who may see a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Listed for everyone.
    Public,
    /// Seen by everyone who knows its id.
    Unlisted,
    /// Seen by its seats and its owner only.
    Private,
}

/// Where a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Seats are open.
    Open,
    /// All seats are taken, the game goes on.
    Running,
    /// Played to its end.
    Finished,
    /// Ended by `!abort`, without a ranking.
    Aborted,
}

/// A seat and who holds it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    /// Open, or what kind of player sits here.
    pub kind: SeatKind,
    /// Public id of the player: 20 hex digits.
    pub player: Option<String>,
    /// SHA-256 of the holder's secret, hex.
    pub secret: Option<String>,
    /// Label; not part of the log.
    pub name: Option<String>,
    /// The player's contribution to the chance, 64 hex digits.
    pub entropy: Option<String>,
}

/// Open, or what kind of player holds a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SeatKind {
    /// Nobody yet.
    Open,
    /// Somebody with a secret.
    Human,
    /// The player of the solitaire game, which the service plays.
    SolitaireAi,
    /// A player that the service plays, every legal decision equally likely.
    Random,
}

impl SeatKind {
    /// Its name, as in the interface and in what `start` is the hash of.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Human => "human",
            Self::SolitaireAi => "solitaire-ai",
            Self::Random => "random",
        }
    }

    /// Does the service play this seat?
    pub const fn is_built_in(self) -> bool {
        match self {
            Self::Open | Self::Human => false,
            Self::SolitaireAi | Self::Random => true,
        }
    }
}

impl Info {
    /// Is the game over? Then nothing in it is hidden from anyone who may see it.
    pub const fn is_over(&self) -> bool {
        match self.status {
            Status::Open | Status::Running => false,
            Status::Finished | Status::Aborted => true,
        }
    }
}

impl Seat {
    /// A seat that nobody has taken.
    pub const fn open() -> Self {
        Self::of(SeatKind::Open)
    }

    /// A seat of this kind that nobody holds.
    pub const fn of(kind: SeatKind) -> Self {
        Self { kind, player: None, secret: None, name: None, entropy: None }
    }
}
