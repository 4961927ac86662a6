//! The messages of a stream of events.

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
    /// Who holds the seats.
    Seats(SeatsMessage),
    /// Who is connected, of those who want it to be known.
    Presence(PresenceMessage),
    /// The clock of the game.
    Clock(ClockMessage),
    /// You have everything that is written so far.
    CaughtUp(CaughtUpMessage),
    /// Nothing has happened.
    Heartbeat(HeartbeatMessage),
    /// What you have does not belong to this game, or you may see more now.
    Reset(ResetMessage),
    /// The game is over.
    Over(OverMessage),
    /// You cannot follow the game any longer.
    Gone(GoneMessage),
    /// The service ends the stream.
    Closing(ClosingMessage),
}

/// The whole game, as you may see it: first where there is nothing to resume from, and after `reset`.
#[derive(Serialize, ToSchema)]
pub struct SnapshotMessage {
    /// The game, as `GET /v1/games/{id}` returns it.
    game: GameView,
    /// The words so far, as the log returns them to you.
    #[schema(max_items = 65_536)]
    words: Vec<LogWord>,
}

/// A ply that was written.
#[derive(Serialize, ToSchema)]
pub struct WordMessage {
    /// The ply.
    #[schema(maximum = 65_536)]
    ply: u32,
    /// The word, as you could read it when it was written; null for ply 0 of a game in which nothing is drawn at the start.
    #[schema(max_length = 64, example = "N+3")]
    word: Option<String>,
    /// When it was written; null in an imported game.
    #[schema(format = DateTime)]
    at: Option<String>,
    /// The key of the ply, from which follows what was drawn here from what everyone knows; null in an imported game.
    key: Option<Hex32>,
    /// The head after this ply.
    head: HeadView,
    /// The earlier words of which it opened something for you, in order.
    #[schema(max_items = 65_536)]
    opened: Vec<OpenedView>,
    /// The position after this ply, as you could see it when it was written; only where `include` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    state: Option<State>,
}

/// An earlier word of which you can read more now.
#[derive(Serialize, ToSchema)]
pub struct OpenedView {
    /// Its ply.
    #[schema(maximum = 65_536)]
    ply: u32,
    /// The word, as you may read it from now on.
    #[schema(max_length = 64, example = "6s")]
    word: String,
    /// The salts that sealed what was opened.
    #[schema(max_items = 1000)]
    salts: Vec<SaltView>,
}

/// The salt of a part that was opened.
#[derive(Serialize, ToSchema)]
pub struct SaltView {
    /// The number of the part: 0 for the decision, from 1 on for what was drawn.
    #[schema(maximum = 65_536)]
    part: u32,
    /// 64 hex digits: the part's hash is `SHA-256(0x01 | salt | token)`.
    salt: Hex32,
}

/// Who holds the seats: with every connection, and whenever a seat is taken, left or renamed, or the game waits for its beacon.
#[derive(Serialize, ToSchema)]
pub struct SeatsMessage {
    /// The seats in order.
    #[schema(max_items = 4)]
    seats: Vec<SeatView>,
    /// The seat that you hold; null if you hold none.
    #[schema(minimum = 1, maximum = 4)]
    your_seat: Option<u8>,
    /// The outside beacon of the game; null if it has none.
    beacon: Option<BeaconView>,
}

/// Which seats are connected and want it to be known: for those who hold a seat, where somebody is, and whenever that changes.
#[derive(Serialize, ToSchema)]
pub struct PresenceMessage {
    /// The seats in order.
    #[schema(max_items = 4, minimum = 1, maximum = 4)]
    connected: Vec<u8>,
}

/// The clock of a game that has one, as of its last word: with every connection, and whenever it has changed.
#[derive(Serialize, ToSchema)]
pub struct ClockMessage {
    /// The clock.
    clock: ClockView,
}

/// You have everything that is written so far.
#[derive(Serialize, ToSchema)]
pub struct CaughtUpMessage {
    /// The head of the game; null before the start.
    head: Option<HeadView>,
}

/// Nothing has happened for a while, and the connection is alive.
#[derive(Serialize, ToSchema)]
pub struct HeartbeatMessage {
    /// The head that you were told last; null before the start.
    head: Option<HeadView>,
}

/// Forget what you have: it does not belong to this game, or you may see more now. A snapshot follows.
#[derive(Serialize, ToSchema)]
pub struct ResetMessage {
    /// The head of the game; null before the start.
    head: Option<HeadView>,
}

/// The game is over. The stream ends.
#[derive(Serialize, ToSchema)]
pub struct OverMessage {
    /// The last head.
    head: Option<HeadView>,
    /// The final scores and ranking.
    result: Score,
    /// The seed, on which everything hidden hung; null for an imported game.
    #[schema(value_type = Option<Hex32>)]
    seed: Option<String>,
}

/// You cannot follow the game any longer: it was removed, or your secret holds its seat no longer. The stream ends.
#[derive(Serialize, ToSchema)]
pub struct GoneMessage {
    /// The code of the problem.
    code: Code,
    /// A sentence for people.
    #[schema(max_length = 4096)]
    detail: String,
}

/// The service ends the stream: connect again, and resume.
#[derive(Serialize, ToSchema)]
pub struct ClosingMessage {
    /// After how many milliseconds to connect again.
    #[schema(maximum = 3_600_000, example = 1000)]
    pub(super) retry: u32,
}

impl GameMessage {
    /// Returns the whole game, for a caller.
    ///
    /// # Errors
    /// Where the stored log is damaged.
    pub fn snapshot(game: &StoredGame, caller: &Caller) -> Result<Self, Problem> {
        let mut words = Vec::new();
        if let Some(head) = game.info.head {
            MaskedReplay::word_by_word(caller.viewer(game), game, head.ply, |written| {
                words.push(LogWord::new(written, game));
            })?;
        }
        Ok(Self::Snapshot(Box::new(SnapshotMessage { game: GameView::new(game, caller)?, words })))
    }

    /// Returns a ply.
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

    /// Returns the seats, for a caller.
    pub fn seats(game: &StoredGame, caller: &Caller) -> Self {
        Self::Seats(SeatsMessage {
            seats: game.info.seated().map(SeatView::new).collect(),
            your_seat: caller.seat(game).map(Seat::number),
            beacon: game.beacon.as_ref().map(BeaconView::from),
        })
    }

    /// Says who is connected.
    pub fn presence(seats: PresentSeats) -> Self {
        Self::Presence(PresenceMessage { connected: seats.seats().map(Seat::number).collect() })
    }

    /// Returns the clock.
    pub fn clock(clock: &GameClock) -> Self {
        Self::Clock(ClockMessage { clock: ClockView::from(clock) })
    }

    /// Says that this is everything up to a head.
    pub fn caught_up(head: Option<Head>) -> Self {
        Self::CaughtUp(CaughtUpMessage { head: head.map(HeadView::from) })
    }

    /// Says that a stream is alive.
    pub fn heartbeat(head: Option<Head>) -> Self {
        Self::Heartbeat(HeartbeatMessage { head: head.map(HeadView::from) })
    }

    /// Says that a snapshot follows.
    pub fn reset(head: Option<Head>) -> Self {
        Self::Reset(ResetMessage { head: head.map(HeadView::from) })
    }

    /// Says how a game ended.
    ///
    /// # Errors
    /// Where the stored log is damaged.
    pub fn over(game: &StoredGame, caller: &Caller) -> Result<Self, Problem> {
        let last = game.info.head.map_or(0, |head| head.ply);
        let seen = MaskedReplay::by(caller.viewer(game), game, last)?;
        let seed = game.seed.filter(|_| game.info.is_over()).map(digits);
        let head = game.info.head.map(HeadView::from);
        Ok(Self::Over(OverMessage { head, result: seen.table.score(), seed }))
    }

    /// Says why a game cannot be followed any longer.
    pub fn gone(why: impl Into<Problem>) -> Self {
        let Problem { code, detail, .. } = why.into();
        Self::Gone(GoneMessage { code, detail })
    }

    /// Says that the secret holds a seat no longer.
    pub fn seat_lost(seat: Seat) -> Self {
        let detail = format!("your secret does not hold seat {} any longer", seat.number());
        Self::Gone(GoneMessage { code: Code::NotYourSeat, detail })
    }

    /// Says that the service ends the stream.
    pub const fn closing(retry: u32) -> Self {
        Self::Closing(ClosingMessage { retry })
    }

    /// Returns the text of a message: JSON in one line.
    pub fn text(&self) -> String {
        // It has string keys only, and nothing that fails.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl OpenedView {
    fn new(opened: &OpenedWord) -> Self {
        let salt = |(part, salt): &(u32, [u8; 32])| SaltView { part: *part, salt: Hex(*salt) };
        Self { ply: opened.ply, word: opened.word.clone(), salts: opened.salts.iter().map(salt).collect() }
    }
}

/// Returns the text of a ply, which all viewers of a kind share.
pub fn text_of(shared: &SharedPly) -> &[u8] {
    shared.text(|ply| GameMessage::word(ply).text().into())
}
