//! Games as clients see them, with seats, clock and beacon.

use std::collections::BTreeMap;

use assam_record::beacon::{BeaconName, GameBeacon};
use assam_record::chance;
use assam_record::clock::rfc3339;
use assam_record::game::{
    Forced, GameId, HeadView, Holder, Info, PlayerId, SeatKind, Status, StoredGame, Visibility,
};
use assam_record::game_clock::{ClockRule, GameClock};
use assam_record::hex::{Hex32, Hex48, digits};
use assam_record::log::MaskedReplay;
use assam_referee::{Score, State};
use assam_rules::Seat;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::{Caller, GameStanding, seat_tag};
use crate::problem::Problem;

/// A game, without its position.
#[derive(Serialize, ToSchema)]
pub struct GameSummary {
    /// 32 hex digits.
    id: GameId,
    /// Rule set and version.
    #[schema(pattern = "^[a-z]+/[1-9][0-9]*$", example = "marrakech/1")]
    ruleset: &'static str,
    /// The setup line of its record.
    #[schema(max_length = 4096, example = "MKN/1 marrakech/1 seats=3")]
    setup: String,
    /// `open`, `running`, `finished` or `aborted`.
    status: Status,
    /// Controls who may see the game.
    visibility: Visibility,
    /// Whether the game was imported. The chance of an imported game has no commitment, and its words have no
    /// times.
    imported: bool,
    /// Whether the creator wants the game to be rated. See `rated` in a new game.
    rated: bool,
    /// How many hours a seat may take to move before it can be claimed out. Null without a limit.
    #[schema(minimum = 1, maximum = 8760)]
    patience_hours: Option<u32>,
    /// The clock as of the last word. Null if the game has none.
    clock: Option<ClockView>,
    /// When the game was created or imported.
    #[schema(format = DateTime)]
    created_at: String,
    /// When the game started. Null before that and in imported games.
    #[schema(format = DateTime)]
    started_at: Option<String>,
    /// The previous game, if this one is a rematch. Null otherwise.
    rematch_of: Option<GameId>,
    /// The rematch of this game. Null if there is none. The rematch may have been removed if it never
    /// started.
    rematch: Option<GameId>,
    /// The seats in order.
    #[schema(max_items = 4)]
    seats: Vec<SeatView>,
    /// The last ply and its hash. Null before the start.
    head: Option<HeadView>,
    /// The seat that must decide. Null unless the game is running.
    #[schema(minimum = 1, maximum = 4)]
    seat_on_turn: Option<u8>,
    /// When the last ply was written. Null before the first and in imported games.
    #[schema(format = DateTime)]
    last_ply_at: Option<String>,
    /// When the game ended or was imported. Null before that.
    #[schema(format = DateTime)]
    finished_at: Option<String>,
}

/// A seat.
#[derive(Serialize, ToSchema)]
pub struct SeatView {
    /// The number of the seat, from 1.
    #[schema(minimum = 1, maximum = 4)]
    seat: u8,
    /// Open, or the kind of player that holds the seat.
    kind: SeatKind,
    /// The public id of the player.
    player: Option<PlayerId>,
    /// The label that the player chose.
    #[schema(min_length = 1, max_length = 64)]
    name: Option<String>,
    /// The entropy that the player added to the game's chance.
    entropy: Option<Hex32>,
    /// When a person took the seat or last added entropy, as a revision: larger is later. Null for other
    /// seats and in imported games.
    #[schema(minimum = 0, maximum = 2_147_483_647)]
    revision: Option<i64>,
    /// Whether the player or the service makes decisions without a choice.
    forced: Forced,
    /// In a rematch, the player of the previous game that the seat is reserved for. Null for other seats.
    reserved_for: Option<PlayerId>,
}

/// A game, as you may see it.
#[derive(Serialize, ToSchema)]
pub struct GameView {
    #[serde(flatten)]
    summary: GameSummary,
    /// Every option with its value, defaults included.
    #[schema(max_length = 64, example = json!({"cover": "opponents", "start_dirhams": "30"}))]
    options: BTreeMap<&'static str, String>,
    /// The tags of an imported record, such as `event`, without seat names. Empty for other games.
    #[schema(max_length = 4096, example = json!({}))]
    tags: BTreeMap<String, String>,
    /// The commitment to all chance of the game: `SHA-256(0x04 | anchor | seed_hash)`, as in the proof. Null
    /// in imported games.
    #[schema(value_type = Option<Hex32>)]
    commitment: Option<String>,
    /// The digest of the current seats. Send it with your entropy. Null once the game has started and in
    /// imported games.
    seats_digest: Option<Hex32>,
    /// The outside beacon that adds to the game's chance. Null if none.
    beacon: Option<BeaconView>,
    /// The seed of everything hidden. Null until the game is over, and in imported games.
    #[schema(value_type = Option<Hex32>)]
    seed: Option<String>,
    /// Your seat. Null if you hold none.
    #[schema(minimum = 1, maximum = 4)]
    your_seat: Option<u8>,
    /// The seats as you saw them before you sent entropy. Null if you sent none.
    pin: Option<SeatsPinView>,
    /// The position, or null before the start.
    state: Option<State>,
    /// The final scores and ranking. Null until the game is over.
    result: Option<Score>,
    /// The receipt of your seat, if you took the seat with `include=receipt` and the signing key is
    /// available.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 4096, nullable = false)]
    pub receipt: Option<String>,
}

/// The seats as a player saw them before they sent entropy.
#[derive(Serialize, ToSchema)]
pub struct SeatsPinView {
    /// The `seats_digest` sent with the entropy.
    seats_digest: Hex32,
    /// The revision at which the player already held the seat without entropy. Null if it was open.
    #[schema(minimum = 0, maximum = 2_147_483_647)]
    held: Option<i64>,
}

impl GameSummary {
    /// Returns the part of a game that lists show.
    pub fn new(info: &Info, standing: &GameStanding) -> Self {
        Self {
            id: info.id,
            ruleset: info.ruleset().name(),
            setup: info.setup.line().to_owned(),
            status: info.status,
            visibility: info.visibility,
            imported: info.imported,
            rated: info.rated,
            patience_hours: info.patience_hours,
            clock: info.clock.as_ref().map(ClockView::from),
            created_at: rfc3339(info.created_at),
            started_at: info.started_at.map(rfc3339),
            rematch_of: info.rematch_of,
            rematch: info.rematch,
            seats: info.seated().map(SeatView::new).collect(),
            head: info.head.map(HeadView::from),
            seat_on_turn: standing.seat.map(Seat::number),
            last_ply_at: standing.last_ply_at.map(rfc3339),
            finished_at: info.finished_at.map(rfc3339),
        }
    }
}

/// Returns the tags of an imported game without the seat names, which the seats have.
fn shown_tags(game: &StoredGame) -> BTreeMap<String, String> {
    let seats: Vec<String> = game.info.seated().map(|(seat, _)| seat_tag(seat)).collect();
    let tags = game.tags.lines().filter_map(|line| line.split_once(':'));
    let shown = tags.filter(|(name, _)| !seats.iter().any(|seat| seat == name));
    shown.map(|(name, value)| (name.to_owned(), value.trim_start().to_owned())).collect()
}

impl SeatView {
    /// Returns a seat with its holder.
    pub fn new((seat, holder): (Seat, &Holder)) -> Self {
        Self {
            seat: seat.number(),
            kind: holder.kind,
            player: holder.player,
            name: holder.name.clone(),
            entropy: holder.entropy,
            revision: holder.revision,
            forced: holder.forced,
            reserved_for: holder.reserved.as_ref().and_then(|reserved| reserved.player),
        }
    }
}

impl SeatsPinView {
    fn new(holder: &Holder) -> Option<Self> {
        let pin = holder.pin.as_ref()?;
        Some(Self { seats_digest: pin.digest?, held: pin.held })
    }
}

impl GameView {
    /// Returns a game as `caller` may see it.
    ///
    /// # Errors
    /// `internal` if the stored log is damaged.
    pub fn new(game: &StoredGame, caller: &Caller) -> Result<Self, Problem> {
        let seen = match game.info.head {
            Some(head) => Some(MaskedReplay::by(caller.viewer(game), game, head.ply)?),
            None => None,
        };
        let is_over = game.info.is_over();
        let standing = seen.as_ref().map_or_else(GameStanding::default, |seen| GameStanding {
            seat: seen.table.turn().seat(),
            last_ply_at: seen.last.as_ref().and_then(|last| last.time(game)),
        });
        let options = game.info.setup.options().into_iter();
        Ok(Self {
            summary: GameSummary::new(&game.info, &standing),
            options: options.map(|option| (option.name, option.value)).collect(),
            tags: shown_tags(game),
            commitment: game.commitment.map(digits),
            seats_digest: chance::seats_digest_of(game).filter(|_| game.info.status == Status::Open),
            beacon: game.beacon.as_ref().map(BeaconView::from),
            seed: game.seed.filter(|_| is_over).map(digits),
            your_seat: caller.seat(game).map(Seat::number),
            pin: caller.seat(game).and_then(|seat| SeatsPinView::new(game.info.holder(seat)?)),
            state: seen.as_ref().map(|seen| seen.table.state()),
            result: seen.filter(|_| is_over).map(|seen| seen.table.score()),
            receipt: None,
        })
    }
}

/// How much time each seat has for its decisions.
#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClockWanted {
    /// The seconds of each seat at the start, at most a week.
    #[schema(minimum = 1, maximum = 604800, example = 600)]
    initial: u32,
    /// The seconds that a seat gains with each ply it decides, at most a day.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 86400, example = 5)]
    increment: u32,
}

/// The clock as of the last word. The seat whose turn it is has its `remaining` time minus the time since
/// `since`.
#[derive(Serialize, ToSchema)]
pub struct ClockView {
    /// The seconds of each seat at the start.
    #[schema(maximum = 604_800, example = 600)]
    initial: u32,
    /// The seconds that a seat gains with each ply it decides.
    #[schema(maximum = 604_800, example = 5)]
    increment: u32,
    /// The remaining milliseconds of each seat.
    #[schema(max_items = 4, maximum = 9_007_199_254_740_991_u64, example = json!([597100, 600000]))]
    remaining: Vec<u64>,
    /// When the clock of the seat whose turn it is started. Null if no clock is running.
    #[schema(format = DateTime)]
    since: Option<String>,
}

impl From<ClockWanted> for ClockRule {
    fn from(ClockWanted { initial, increment }: ClockWanted) -> Self {
        Self { initial, increment }
    }
}

impl From<&GameClock> for ClockView {
    fn from(clock: &GameClock) -> Self {
        let ClockRule { initial, increment } = clock.rule;
        let since = clock.running.map(|running| rfc3339(running.since));
        Self { initial, increment, remaining: clock.left.clone(), since }
    }
}

/// The outside beacon whose randomness adds to the game's chance.
#[derive(Serialize, ToSchema)]
pub struct BeaconView {
    /// The beacon: `drand:` and the hash of its chain.
    chain: BeaconName,
    /// The round that adds to the chance, which is still in the future when the last seat is taken. Null
    /// before that.
    #[schema(maximum = 9_007_199_254_740_991_u64, minimum = 1)]
    round: Option<u64>,
    /// When the round is published. Null before it is fixed.
    #[schema(format = DateTime)]
    round_at: Option<String>,
    /// The signature of the round, whose SHA-256 is the randomness. Null until delivered.
    signature: Option<Hex48>,
}

impl From<&GameBeacon> for BeaconView {
    fn from(beacon: &GameBeacon) -> Self {
        Self {
            chain: beacon.chain,
            round: beacon.due.map(|due| due.number),
            round_at: beacon.due.map(|due| rfc3339(due.at)),
            signature: beacon.signature,
        }
    }
}
