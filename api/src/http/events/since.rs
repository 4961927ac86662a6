//! The places that streams resume from: message ids, or bare plies.

use std::fmt::Display;
use std::str::FromStr;

use actix_web::HttpRequest;
use actix_web::http::header::HeaderName;
use assam_record::feed::FeedPlace;
use assam_record::game::{Bytes32, Head};
use assam_record::hex::{Hex, digits};

use crate::app::{FeedCursor, LogPlace};
use crate::http::request::header;
use crate::problem::{Code, Problem};

/// The header with the id of a browser's last message.
pub const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// The pattern of a place: a ply, or the id of a message.
pub const PATTERN: &str = r"^(0|[1-9][0-9]{0,8})(\.[0-9a-f]{64}(\.over)?)?$";
/// The same in words.
pub const WORDS: &str = "a ply, or the id of a message: `<ply>.<head hash>`";
/// The pattern of a game with the place to follow it from.
pub const GAME_PATTERN: &str = r"^[0-9a-f]{32}(\.(0|[1-9][0-9]{0,8})(\.[0-9a-f]{64})?)?$";
/// The same in words.
pub const GAME_WORDS: &str = "the id of a game, `<id>.<ply>` or `<id>.<ply>.<head hash>`";
/// The pattern of a place in the feed: a position, or the id of a message.
pub const FEED_PATTERN: &str = r"^(0|[1-9][0-9]{0,14})(\.[0-9a-f]{64})?$";
/// The same in words.
pub const FEED_WORDS: &str = "a position, or the id of a message: `<position>.<hash>`";
/// The suffix of the last message id of a game.
const OVER: &str = ".over";
/// The largest position that can be named.
const MOST_POSITIONS: u64 = 999_999_999_999_999;

/// A place to resume a stream from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Since {
    /// The last ply that the client has.
    pub place: LogPlace,
    /// Whether the client also has the end of the game.
    pub is_over: bool,
}

impl Since {
    /// Reads a place.
    pub fn read(text: &str) -> Option<Self> {
        let (text, is_over) = text.strip_suffix(OVER).map_or((text, false), |text| (text, true));
        let (ply, hash) = numbered(text)?;
        if is_over && hash.is_none() {
            return None;
        }
        Some(Self { place: LogPlace { ply, hash }, is_over })
    }

    /// Reads the place that a request resumes from: its `Last-Event-ID`, or else its query. The header is
    /// newer, because a reconnecting browser repeats its first URL.
    ///
    /// # Errors
    /// `bad_request`.
    pub fn from_request(req: &HttpRequest, query: Option<&str>) -> Result<Option<Self>, Problem> {
        resumed(req, query).map(Self::required).transpose()
    }

    /// Reads a place that must be valid.
    ///
    /// # Errors
    /// `bad_request`.
    pub fn required(text: &str) -> Result<Self, Problem> {
        let refused =
            || Problem::new(Code::BadRequest, format!("`Last-Event-ID` and `since` must be {WORDS}"));
        Self::read(text).ok_or_else(refused)
    }

    /// Returns whether a game at this head has more than the client, or another history.
    pub fn is_past(since: Option<Self>, head: Option<Head>) -> bool {
        match (since, head) {
            (None, head) => head.is_some(),
            (Some(_), None) => true,
            (Some(Self { place, .. }), Some(head)) => {
                place.ply != head.ply || place.hash.is_some_and(|hash| hash != head.hash)
            }
        }
    }

    /// Returns whether the client has more plies than a game at this head.
    pub fn is_beyond(since: Option<Self>, head: Option<Head>) -> bool {
        since.is_some_and(|since| head.is_none_or(|head| since.place.ply > head.ply))
    }

    /// Returns whether a finished game at this head has nothing more for the client.
    pub fn is_end(&self, head: Option<Head>) -> bool {
        self.is_over && head.is_some_and(|head| LogPlace::from(head) == self.place)
    }
}

/// Returns the text of the place that a request resumes from.
fn resumed<'a>(req: &'a HttpRequest, query: Option<&'a str>) -> Option<&'a str> {
    // A browser without an id so far sends it empty.
    match header(req, &LAST_EVENT_ID).map(str::trim) {
        Some("") => query,
        Some(named) => Some(named),
        None if req.headers().contains_key(LAST_EVENT_ID) => Some("?"),
        None => query,
    }
}

/// Reads a number, and a hash if one follows.
fn numbered<N: FromStr + Display>(text: &str) -> Option<(N, Option<Bytes32>)> {
    let (number, hash) = text.split_once('.').map_or((text, None), |(number, hash)| (number, Some(hash)));
    let read: N = number.parse().ok()?;
    if read.to_string() != number {
        return None;
    }
    let Some(hash) = hash else { return Some((read, None)) };
    let Hex(bytes) = hash.parse().ok()?;
    Some((read, Some(bytes)))
}

/// Reads the place in the feed that a request resumes from, as [`Since::from_request`] does.
///
/// # Errors
/// `bad_request`.
pub fn feed_cursor(req: &HttpRequest, query: Option<&str>) -> Result<Option<FeedCursor>, Problem> {
    let read = |text| {
        let place = numbered(text).filter(|(position, _)| *position <= MOST_POSITIONS);
        let refused =
            || Problem::new(Code::BadRequest, format!("`Last-Event-ID` and `since` must be {FEED_WORDS}"));
        place.map(|(position, mark)| FeedCursor { position, mark }).ok_or_else(refused)
    };
    resumed(req, query).map(read).transpose()
}

/// Returns the id of a feed message.
pub fn feed_id(place: FeedPlace) -> String {
    format!("{}.{}", place.position, digits(place.mark))
}

/// Returns the id of a message.
pub fn id(head: Head) -> String {
    format!("{}.{}", head.ply, digits(head.hash))
}

/// Returns the id of a game's last message.
pub fn id_of_end(head: Head) -> String {
    id(head) + OVER
}
