//! The messages of a game's stream.

use assam_record::clock::rfc3339;
use assam_record::game::{Head, HeadView, StoredGame};
use assam_record::game_clock::GameClock;
use assam_record::hex::{Hex, Hex32, digits};
use assam_record::log::{FedPly, MaskedReplay, OpenedWord};
use assam_referee::{Score, State};
use assam_rules::Seat;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::{Caller, PresentSeats, SharedPly};
use crate::http::games::game_view::{BeaconView, ClockView, GameView, SeatView};
use crate::http::play::replay::LogWord;
use crate::problem::{Code, Problem};

/// A message about a game.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum GameMessage {
    /// The whole game.
    Snapshot(Box<SnapshotMessage>),
    /// A ply was written.
    Word(WordMessage),
    /// The holders of the seats.
    Seats(SeatsMessage),
    /// The connected seats that want to be shown.
    Presence(PresenceMessage),
    /// The clock of the game.
    Clock(ClockMessage),
    /// You have received every ply so far.
    CaughtUp(CaughtUpMessage),
    /// Nothing has happened.
    Heartbeat(HeartbeatMessage),
    /// Your data does not belong to this game, or you may see more now.
    Reset(ResetMessage),
    /// The game is over.
    Over(OverMessage),
    /// You can no longer follow the game.
    Gone(GoneMessage),
    /// The service ends the stream.
    Closing(ClosingMessage),
}

/// The whole game. It is the first message if you do not resume, and the next one after `reset`.
#[derive(Serialize, ToSchema)]
pub struct SnapshotMessage {
    /// The game, as from `GET /v1/games/{id}`.
    game: GameView,
    /// The words so far, as in the log.
    #[schema(max_items = 65_536)]
    words: Vec<LogWord>,
}

/// A written ply.
#[derive(Serialize, ToSchema)]
pub struct WordMessage {
    /// The ply.
    #[schema(maximum = 65_536)]
    ply: u32,
    /// The word as you could read it then. Null for ply 0 if nothing is drawn at the start.
    #[schema(max_length = 64, example = "N+3")]
    word: Option<String>,
    /// When it was written. Null in imported games.
    #[schema(format = DateTime)]
    at: Option<String>,
    /// The key of the ply, which with public data determines the draw. Null in imported games.
    key: Option<Hex32>,
    /// The head after this ply.
    head: HeadView,
    /// Earlier words that this ply opened for you, at least in part.
    #[schema(max_items = 65_536)]
    opened: Vec<OpenedView>,
    /// The position after this ply as you could see it then, with `include=state`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    state: Option<State>,
}

/// An earlier word that you can now read in more detail.
#[derive(Serialize, ToSchema)]
pub struct OpenedView {
    /// Its ply.
    #[schema(maximum = 65_536)]
    ply: u32,
    /// The word as you may now read it.
    #[schema(max_length = 64, example = "6s")]
    word: String,
    /// The salts that sealed the opened parts.
    #[schema(max_items = 1000)]
    salts: Vec<SaltView>,
}

/// The salt of an opened part.
#[derive(Serialize, ToSchema)]
pub struct SaltView {
    /// The number of the part: 0 for the decision, then the draws.
    #[schema(maximum = 65_536)]
    part: u32,
    /// The salt. The part's hash is `SHA-256(0x01 | salt | token)`.
    salt: Hex32,
}

/// The seats. Sent at every connection, at every change, and when the game starts to wait for its beacon.
#[derive(Serialize, ToSchema)]
pub struct SeatsMessage {
    /// The seats in order.
    #[schema(max_items = 4)]
    seats: Vec<SeatView>,
    /// Your seat. Null if you hold none.
    #[schema(minimum = 1, maximum = 4)]
    your_seat: Option<u8>,
    /// The outside beacon. Null if the game has none.
    beacon: Option<BeaconView>,
}

/// The connected seats whose players want to be shown. Sent to players with a seat, when there are any such
/// seats and at every change.
#[derive(Serialize, ToSchema)]
pub struct PresenceMessage {
    /// The seats in order.
    #[schema(max_items = 4, minimum = 1, maximum = 4)]
    connected: Vec<u8>,
}

/// The clock as of the last word, if the game has one. Sent at every connection and every change.
#[derive(Serialize, ToSchema)]
pub struct ClockMessage {
    /// The clock.
    clock: ClockView,
}

/// You have received every ply so far.
#[derive(Serialize, ToSchema)]
pub struct CaughtUpMessage {
    /// The head. Null before the start.
    head: Option<HeadView>,
}

/// The connection is alive, but nothing has happened for a while.
#[derive(Serialize, ToSchema)]
pub struct HeartbeatMessage {
    /// The last head sent to you. Null before the start.
    head: Option<HeadView>,
}

/// Discard the data you have: it does not belong to this game, or you may see more now. A snapshot follows.
#[derive(Serialize, ToSchema)]
pub struct ResetMessage {
    /// The head. Null before the start.
    head: Option<HeadView>,
}

/// The game is over. The stream ends.
#[derive(Serialize, ToSchema)]
pub struct OverMessage {
    /// The last head.
    head: Option<HeadView>,
    /// The final scores and ranking.
    result: Score,
    /// The seed of everything that was hidden. Null in imported games.
    #[schema(value_type = Option<Hex32>)]
    seed: Option<String>,
}

/// The game was removed, or your secret no longer holds the seat. The stream ends.
#[derive(Serialize, ToSchema)]
pub struct GoneMessage {
    /// The code of the problem.
    code: Code,
    /// An explanation for people.
    #[schema(max_length = 4096)]
    detail: String,
}

/// The service is closing the stream. Reconnect and resume.
#[derive(Serialize, ToSchema)]
pub struct ClosingMessage {
    /// How many milliseconds to wait before you reconnect.
    #[schema(maximum = 3_600_000, example = 1000)]
    pub(super) retry: u32,
}

impl GameMessage {
    /// Returns a snapshot for a caller.
    ///
    /// # Errors
    /// If the stored log is damaged.
    pub fn snapshot(game: &StoredGame, caller: &Caller) -> Result<Self, Problem> {
        let mut words = Vec::new();
        if let Some(head) = game.info.head {
            MaskedReplay::word_by_word(caller.viewer(game), game, head.ply, |written| {
                words.push(LogWord::new(written, game));
            })?;
        }
        Ok(Self::Snapshot(Box::new(SnapshotMessage { game: GameView::new(game, caller)?, words })))
    }

    /// Returns the message of a ply.
    pub fn word(ply: &FedPly) -> Self {
        Self::Word(WordMessage {
            ply: ply.head.ply,
            word: ply.word.clone(),
            at: ply.at.map(rfc3339),
            key: ply.key.map(Hex),
            head: HeadView::from(ply.head),
            opened: ply.opened.iter().map(OpenedView::new).collect(),
            state: ply.state.clone(),
        })
    }

    /// Returns the seats for a caller.
    pub fn seats(game: &StoredGame, caller: &Caller) -> Self {
        Self::Seats(SeatsMessage {
            seats: game.info.seated().map(SeatView::new).collect(),
            your_seat: caller.seat(game).map(Seat::number),
            beacon: game.beacon.as_ref().map(BeaconView::from),
        })
    }

    /// Returns the connected seats.
    pub fn presence(seats: PresentSeats) -> Self {
        Self::Presence(PresenceMessage { connected: seats.seats().map(Seat::number).collect() })
    }

    /// Returns the clock.
    pub fn clock(clock: &GameClock) -> Self {
        Self::Clock(ClockMessage { clock: ClockView::from(clock) })
    }

    /// Returns the message that ends a catch-up at a head.
    pub fn caught_up(head: Option<Head>) -> Self {
        Self::CaughtUp(CaughtUpMessage { head: head.map(HeadView::from) })
    }

    /// Returns a heartbeat.
    pub fn heartbeat(head: Option<Head>) -> Self {
        Self::Heartbeat(HeartbeatMessage { head: head.map(HeadView::from) })
    }

    /// Returns the message that a snapshot follows.
    pub fn reset(head: Option<Head>) -> Self {
        Self::Reset(ResetMessage { head: head.map(HeadView::from) })
    }

    /// Returns the result of a game.
    ///
    /// # Errors
    /// If the stored log is damaged.
    pub fn over(game: &StoredGame, caller: &Caller) -> Result<Self, Problem> {
        let last = game.info.head.map_or(0, |head| head.ply);
        let seen = MaskedReplay::by(caller.viewer(game), game, last)?;
        let seed = game.seed.filter(|_| game.info.is_over()).map(digits);
        let head = game.info.head.map(HeadView::from);
        Ok(Self::Over(OverMessage { head, result: seen.table.score(), seed }))
    }

    /// Returns the reason why a game can no longer be followed.
    pub fn gone(why: impl Into<Problem>) -> Self {
        let Problem { code, detail, .. } = why.into();
        Self::Gone(GoneMessage { code, detail })
    }

    /// Returns the message that the secret no longer holds a seat.
    pub fn seat_lost(seat: Seat) -> Self {
        let detail = format!("your secret no longer holds seat {}", seat.number());
        Self::Gone(GoneMessage { code: Code::NotYourSeat, detail })
    }

    /// Returns the message that the service ends the stream.
    pub const fn closing(retry: u32) -> Self {
        Self::Closing(ClosingMessage { retry })
    }

    /// Returns the message as one line of JSON.
    pub fn text(&self) -> String {
        // Keys are strings, so serialization cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl OpenedView {
    fn new(opened: &OpenedWord) -> Self {
        let salt = |(part, salt): &(u32, [u8; 32])| SaltView { part: *part, salt: Hex(*salt) };
        Self { ply: opened.ply, word: opened.word.clone(), salts: opened.salts.iter().map(salt).collect() }
    }
}

/// Returns the text of a ply, shared by all viewers of a kind.
pub fn text_of(shared: &SharedPly) -> &[u8] {
    shared.text(|ply| GameMessage::word(ply).text().into())
}
