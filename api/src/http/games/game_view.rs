//! Games as clients see them, with their seats, clock and beacon.

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
    /// Whether the game was imported. If so, nobody committed to its chance, and its words have no times.
    imported: bool,
    /// Whether its creator lets it be rated: if it is public, was played here from the start, and nobody holds two seats, its result counts
    /// for the ratings of its players.
    rated: bool,
    /// How many hours, 1 to 8760, a seat may be on turn without moving before another seat may claim it out
    /// (`!timeoutN`); null if no seat can be claimed out for that.
    #[schema(minimum = 1, maximum = 8760)]
    patience_hours: Option<u32>,
    /// The clock of the game, as of its last word; null if it has none.
    clock: Option<ClockView>,
    /// When the game was created or imported.
    #[schema(format = DateTime)]
    created_at: String,
    /// When the last seat was taken, or the beacon was delivered; null before that, and for an imported game.
    #[schema(format = DateTime)]
    started_at: Option<String>,
    /// The game of which this is the rematch; null if it is none.
    rematch_of: Option<GameId>,
    /// The rematch of this game; null if nobody wanted one. One that never started may be gone.
    rematch: Option<GameId>,
    /// The seats in order.
    #[schema(max_items = 4)]
    seats: Vec<SeatView>,
    /// The last ply and its hash; null before the start.
    head: Option<HeadView>,
    /// The seat that must decide; null unless the game is running.
    #[schema(minimum = 1, maximum = 4)]
    seat_on_turn: Option<u8>,
    /// When the last ply was written; null before the first, and for an imported game.
    #[schema(format = DateTime)]
    last_ply_at: Option<String>,
    /// When the game ended, or was imported; null before its end.
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
    /// The public id of the player: 20 hex digits.
    player: Option<PlayerId>,
    /// The label that the player chose; it is not part of the log.
    #[schema(min_length = 1, max_length = 64)]
    name: Option<String>,
    /// The entropy that the player added to the chance of the game: 64 hex digits.
    entropy: Option<Hex32>,
    /// The revision of the seats with which a person took the seat, or added entropy to it, whichever came later: of two seats,
    /// that with the larger one came later. Null for other seats, and in imported games.
    #[schema(minimum = 0, maximum = 2_147_483_647)]
    revision: Option<i64>,
    /// What becomes of decisions in which the seat has no choice.
    forced: Forced,
    /// In a rematch, the public id of the player for whom the seat is kept, in the game before: nobody else can take it. Null for other seats.
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
    /// The tags of its record, such as `event`, `round`, `table` and `date`, but for the names of the seats; empty if it was not imported.
    #[schema(max_length = 4096, example = json!({}))]
    tags: BTreeMap<String, String>,
    /// Commits the service to all chance of this game: SHA-256 of the byte 04, the anchor of the keys of its plies and SHA-256
    /// of the seed, which the proof has; null for an imported game.
    #[schema(value_type = Option<Hex32>)]
    commitment: Option<String>,
    /// The digest of the seats as they are now, on which the chance depends: send it with your entropy. Null once the game has started,
    /// and for an imported game.
    seats_digest: Option<Hex32>,
    /// The outside beacon that adds to the chance of the game; null if it has none.
    beacon: Option<BeaconView>,
    /// The seed, on which everything hidden hangs, once the game is over; null before that, and for an imported game.
    #[schema(value_type = Option<Hex32>)]
    seed: Option<String>,
    /// The seat that you hold; null if you hold none.
    #[schema(minimum = 1, maximum = 4)]
    your_seat: Option<u8>,
    /// What you had seen of the seats before you sent entropy; null if you sent none.
    pin: Option<SeatsPinView>,
    /// The position; null before the start.
    state: Option<State>,
    /// The final scores and ranking; null until the game is over.
    result: Option<Score>,
    /// The receipt of your seat, as for GET; only where `include` asked for it when you took the seat, and the key that signs is at hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 4096, nullable = false)]
    pub receipt: Option<String>,
}

/// What a player had seen of the seats before they sent entropy.
#[derive(Serialize, ToSchema)]
pub struct SeatsPinView {
    /// The `seats_digest` that was sent with the entropy.
    seats_digest: Hex32,
    /// The revision with which the player already held the seat, without entropy; null if it was open.
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

/// Returns the tags of an imported game that are no names of seats: those are the names of its seats.
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
    /// `internal` where the stored log is damaged.
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
    /// What each seat has at the start, in seconds: 1 to 604800, which is a week.
    #[schema(minimum = 1, maximum = 604800, example = 600)]
    initial: u32,
    /// What a seat gets for each ply that it decides, in seconds: 0 to 86400, which is a day.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 86400, example = 5)]
    increment: u32,
}

/// The clock of a game as of its last word. The seat on turn has what `remaining` says less what has passed since `since`; the other
/// clocks stand still.
#[derive(Serialize, ToSchema)]
pub struct ClockView {
    /// What each seat had at the start, in seconds.
    #[schema(maximum = 604_800, example = 600)]
    initial: u32,
    /// What a seat gets for each ply that it decides, in seconds.
    #[schema(maximum = 604_800, example = 5)]
    increment: u32,
    /// What each seat has left, in milliseconds, in order.
    #[schema(max_items = 4, maximum = 9_007_199_254_740_991_u64, example = json!([597100, 600000]))]
    remaining: Vec<u64>,
    /// Since when the time of the seat on turn is counted; null where no clock runs.
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

/// The outside beacon of a game, which adds to its chance.
#[derive(Serialize, ToSchema)]
pub struct BeaconView {
    /// The beacon: `drand:` and the hash of its chain.
    chain: BeaconName,
    /// The round that is part of the chance: it is fixed when the last seat is taken, and lies in the future then. Null before that.
    #[schema(maximum = 9_007_199_254_740_991_u64, minimum = 1)]
    round: Option<u64>,
    /// When the round is out; null before it is fixed.
    #[schema(format = DateTime)]
    round_at: Option<String>,
    /// The signature of the round, 96 hex digits: its SHA-256 is the randomness. Null before somebody has delivered it, which starts
    /// the game.
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
