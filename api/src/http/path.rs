//! The things that a path names: a game, a ply, a seat.

use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use assam_rules::{Seat, Viewer};

use super::caller::caller;
use super::reply::{Freshness, Reply};
use crate::app::{App, Caller, PlyError, ReadError};
use crate::game::{GameId, Head, StoredGame};
use crate::log::Seen;
use crate::problem::{Code, HeadView, Problem, Refuses};

/// A request for a game that its caller may see.
pub struct GameRequest {
    req: HttpRequest,
    /// The caller.
    pub caller: Caller,
    /// The game.
    pub game: StoredGame,
}

/// A request for a ply of a game that its caller may see. The ply is written.
pub struct PlyRequest {
    /// The request for the game.
    pub of: GameRequest,
    /// The number of the ply.
    pub ply: u32,
}

/// A part of a path that is not a number, or not one that the game has.
pub struct BadPath;

impl Refuses for BadPath {
    fn codes() -> Vec<Code> {
        vec![Code::BadRequest]
    }
}

/// A ply that is not written.
pub struct NoSuchPly;

impl Refuses for NoSuchPly {
    fn codes() -> Vec<Code> {
        vec![Code::BadRequest, Code::PlyNotFound]
    }
}

/// A game that has not started.
pub struct NotStarted;

impl Refuses for NotStarted {
    fn codes() -> Vec<Code> {
        vec![Code::NotStarted]
    }
}

type Extracted<T> = Pin<Box<dyn Future<Output = Result<T, Problem>>>>;

impl FromRequest for GameRequest {
    type Error = Problem;
    type Future = Extracted<Self>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let req = req.clone();
        Box::pin(async move { Self::of(req).await })
    }
}

impl FromRequest for PlyRequest {
    type Error = Problem;
    type Future = Extracted<Self>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let req = req.clone();
        Box::pin(async move {
            let text = segment(&req, "ply").to_owned();
            let of = GameRequest::of(req).await?;
            let ply = of.written_ply(&text)?;
            Ok(Self { of, ply })
        })
    }
}

impl GameRequest {
    async fn of(req: HttpRequest) -> Result<Self, Problem> {
        let caller = caller(&req);
        let game = app(&req)?.game(&caller, game_id(&req)?).await?;
        Ok(Self { req, caller, game })
    }

    /// Returns the request itself.
    pub const fn http(&self) -> &HttpRequest {
        &self.req
    }

    /// Returns the viewer that the response is made for.
    pub fn viewer(&self) -> Viewer {
        self.caller.viewer(&self.game)
    }

    /// Returns the head of a game that has started.
    ///
    /// # Errors
    /// `not_started`.
    pub fn started(&self) -> Result<Head, PlyError> {
        App::started(&self.game)
    }

    /// Reads the number of a ply that is written.
    ///
    /// # Errors
    /// `bad_request`, `ply_not_found`.
    pub fn written_ply(&self, text: &str) -> Result<u32, Problem> {
        let ply = number("ply", text)?;
        if self.game.info.head.is_none_or(|head| ply > head.ply) {
            return Err(self.ply_not_found(ply, format!("the game has no ply {ply}")));
        }
        Ok(ply)
    }

    /// Returns a `ply_not_found` problem.
    pub fn ply_not_found(&self, ply: u32, detail: impl Into<String>) -> Problem {
        let head = self.game.info.head.map(HeadView::from);
        Problem { ply: Some(ply), head, ..Problem::new(Code::PlyNotFound, detail) }
    }

    /// Returns the game up to a ply, as the caller may see it.
    ///
    /// # Errors
    /// `internal` where the stored log is damaged.
    pub fn seen(&self, ply: u32) -> Result<Seen<'_>, Problem> {
        Ok(Seen::by(self.viewer(), &self.game, ply)?)
    }

    /// Begins a response about the game as it stands.
    pub fn reply(&self) -> Reply<'_> {
        Reply::about(&self.req, &self.game.info)
    }

    /// Begins a response about a ply that is written, which nothing changes any more.
    pub const fn reply_about<'a>(&'a self, head: &'a Head) -> Reply<'a> {
        let game = Some(&self.game.info);
        Reply { req: &self.req, game, head: Some(head), freshness: Freshness::Immutable }
    }
}

/// Returns the application.
///
/// # Errors
/// `internal` where the server was built without one.
pub fn app(req: &HttpRequest) -> Result<&App, Problem> {
    let app = req.app_data::<web::Data<App>>().map(|app| &***app);
    app.ok_or_else(|| Problem::internal("the server was built without its application"))
}

fn segment<'a>(req: &'a HttpRequest, name: &str) -> &'a str {
    req.match_info().get(name).unwrap_or_default()
}

/// Reads the id of the game that a path names.
///
/// # Errors
/// [`ReadError::NotFound`] for text that is not an id.
pub fn game_id(req: &HttpRequest) -> Result<GameId, ReadError> {
    segment(req, "id").parse().map_err(|_| ReadError::NotFound)
}

/// Reads the ply that is to be written.
///
/// # Errors
/// `bad_request`.
pub fn next_ply(req: &HttpRequest) -> Result<u32, Problem> {
    match number("ply", segment(req, "ply"))? {
        0 => Err(Problem::new(Code::BadRequest, "plies are written from 1; the service writes ply 0")),
        ply => Ok(ply),
    }
}

/// Reads the number of a seat that the game has.
///
/// # Errors
/// `bad_request`.
pub fn seat(req: &HttpRequest, game: &StoredGame) -> Result<Seat, Problem> {
    let seats = game.info.setup.seats();
    let number = number("seat", segment(req, "seat"))?;
    let seat = u8::try_from(number).ok().and_then(Seat::new).filter(|seat| seat.number() <= seats);
    seat.ok_or_else(|| Problem::new(Code::BadRequest, format!("the seats of this game are 1 to {seats}")))
}

/// Reads a whole number without leading zeros.
fn number(name: &str, text: &str) -> Result<u32, Problem> {
    text.parse()
        .ok()
        .filter(|number: &u32| number.to_string() == text)
        .ok_or_else(|| Problem::new(Code::BadRequest, format!("{name} must be a whole number, not {text:?}")))
}
