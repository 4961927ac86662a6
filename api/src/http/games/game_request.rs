//! Parts of a path: a game, a ply, a seat.

use std::pin::Pin;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::{FromRequest, HttpRequest, HttpResponse, web};
use assam_record::game::{GameId, Head, HeadView, NotStarted, StoredGame};
use assam_record::log::MaskedReplay;
use assam_record::standings::{Competitor, NotACompetitor};
use assam_rules::{Seat, Viewer};

use crate::app::{App, CachedGame, Caller, Extent, ReadError};
use crate::http::request::caller::{BadSecret, caller};
use crate::http::response::finished::{Finished, FinishedResponses, ResponseKind, send_kept};
use crate::http::response::reply::{Freshness, Reply};
use crate::problem::{Code, HasProblemCodes, Problem};

/// A request for a game that its caller may see.
pub struct GameRequest {
    req: HttpRequest,
    /// The caller.
    pub caller: Caller,
    /// The game.
    pub game: Arc<CachedGame>,
}

/// A request for the whole log of a game that its caller may see, or for what follows from the log.
pub struct LogRequest(pub GameRequest);

/// A request for a written ply of a game that its caller may see.
pub struct PlyRequest {
    /// The request for the game.
    pub of: GameRequest,
    /// The number of the ply.
    pub ply: u32,
}

/// A malformed part of a path.
pub struct BadPath {
    /// The name of the part.
    name: &'static str,
    detail: String,
}

impl From<BadPath> for Problem {
    fn from(BadPath { name, detail }: BadPath) -> Self {
        Self::new(Code::BadRequest, detail).at_parameter(name)
    }
}

impl HasProblemCodes for BadPath {
    fn codes() -> Vec<Code> {
        vec![Code::BadRequest]
    }
}

/// A ply that is not written.
pub enum NoSuchPly {
    /// The path names no ply.
    Bad(BadPath),
    /// The game has not started.
    NotStarted(NotStarted),
    /// The game has no ply with this number.
    NotWritten {
        /// The number.
        ply: u32,
        /// The head of the game.
        head: Head,
        /// The explanation.
        detail: String,
    },
}

impl From<NoSuchPly> for Problem {
    fn from(error: NoSuchPly) -> Self {
        match error {
            NoSuchPly::Bad(error) => error.into(),
            NoSuchPly::NotStarted(error) => error.into(),
            NoSuchPly::NotWritten { ply, head, detail } => Self {
                ply: Some(ply),
                head: Some(HeadView::from(head)),
                ..Self::new(Code::PlyNotFound, detail)
            },
        }
    }
}

impl HasProblemCodes for NoSuchPly {
    fn codes() -> Vec<Code> {
        vec![Code::BadRequest, Code::NotStarted, Code::PlyNotFound]
    }
}

/// Reasons to refuse a request for a game: the secret, or the game.
pub type NoGame = (BadSecret, ReadError);

/// A seat that the game does not have.
pub enum NoSuchSeat {
    /// The path names no seat.
    Bad(BadPath),
    /// The game has fewer seats.
    Beyond {
        /// The number of seats.
        seats: u8,
    },
}

impl From<NoSuchSeat> for Problem {
    fn from(error: NoSuchSeat) -> Self {
        match error {
            NoSuchSeat::Bad(error) => error.into(),
            NoSuchSeat::Beyond { seats } => {
                Self::new(Code::SeatNotFound, format!("the seats of this game are 1 to {seats}"))
            }
        }
    }
}

impl HasProblemCodes for NoSuchSeat {
    fn codes() -> Vec<Code> {
        vec![Code::BadRequest, Code::SeatNotFound]
    }
}

type Extracted<T> = Pin<Box<dyn Future<Output = Result<T, Problem>>>>;

impl FromRequest for GameRequest {
    type Error = Problem;
    type Future = Extracted<Self>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let req = req.clone();
        Box::pin(async move { Self::new(req).await })
    }
}

impl FromRequest for LogRequest {
    type Error = Problem;
    type Future = Extracted<Self>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let req = req.clone();
        Box::pin(async move { Ok(Self(GameRequest::with(req, Some(Extent::Whole)).await?)) })
    }
}

impl FromRequest for PlyRequest {
    type Error = Problem;
    type Future = Extracted<Self>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let req = req.clone();
        Box::pin(async move {
            let text = segment(&req, "ply").to_owned();
            let of = GameRequest::with(req, number("ply", &text).ok().map(Extent::UpTo)).await?;
            let ply = of.written_ply(&text)?;
            Ok(Self { of, ply })
        })
    }
}

impl GameRequest {
    async fn new(req: HttpRequest) -> Result<Self, Problem> {
        let caller = caller(&req)?;
        let game = app(&req)?.game(&caller, game_id(&req)?).await?;
        Ok(Self { req, caller, game })
    }

    /// Reads the game to the wanted extent.
    async fn with(req: HttpRequest, wanted: Option<Extent>) -> Result<Self, Problem> {
        let caller = caller(&req)?;
        let game = app(&req)?.game_with(&caller, game_id(&req)?, wanted).await?;
        Ok(Self { req, caller, game })
    }

    /// Returns a response about a written ply. If the game hides nothing, the response is made only once and
    /// cached.
    ///
    /// # Errors
    /// The errors of `make`, and `internal` if the server lacks its response cache.
    pub fn answer(
        &self,
        kind: ResponseKind,
        ply: u32,
        make: impl FnOnce() -> Result<Finished, Problem>,
    ) -> Result<HttpResponse, Problem> {
        if self.game.info.may_hide_something() {
            return Ok(make()?.send(&self.req, StatusCode::OK));
        }
        let kept = self.req.app_data::<web::Data<FinishedResponses>>();
        let kept =
            kept.ok_or_else(|| Problem::internal("the server was built without its response cache"))?;
        send_kept(kept, &self.req, (self.game.cache_generation(), ply, kind), make)
    }

    /// Returns the same request with the current game.
    pub fn about(self, game: Arc<CachedGame>) -> Self {
        Self { game, ..self }
    }

    /// Returns the HTTP request.
    pub const fn http(&self) -> &HttpRequest {
        &self.req
    }

    /// Returns the viewer of the response.
    pub fn viewer(&self) -> Viewer {
        self.caller.viewer(&self.game)
    }

    /// Returns the head of a started game.
    ///
    /// # Errors
    /// If seats are open.
    pub fn started(&self) -> Result<Head, NotStarted> {
        self.game.started()
    }

    /// Reads the number of a written ply.
    ///
    /// # Errors
    /// If no such ply is written.
    fn written_ply(&self, text: &str) -> Result<u32, NoSuchPly> {
        self.written(number("ply", text).map_err(NoSuchPly::Bad)?)
    }

    /// Checks that a ply is written, and returns it.
    ///
    /// # Errors
    /// If it is not.
    pub fn written(&self, ply: u32) -> Result<u32, NoSuchPly> {
        let head = self.started().map_err(NoSuchPly::NotStarted)?;
        if ply <= head.ply {
            return Ok(ply);
        }
        Err(NoSuchPly::NotWritten { ply, head, detail: format!("the game has no ply {ply}") })
    }

    /// Returns the game up to a ply, as the caller may see it.
    ///
    /// # Errors
    /// `internal` if the stored log is damaged.
    pub fn seen(&self, ply: u32) -> Result<MaskedReplay<'_>, Problem> {
        Ok(MaskedReplay::by(self.viewer(), &self.game, ply)?)
    }

    /// Begins a response about the current game.
    pub fn reply(&self) -> Reply<'_> {
        Reply::about(&self.req, &self.game.info)
    }

    /// Begins a response about a written ply, which never changes.
    pub fn reply_about<'a>(&'a self, head: &'a Head) -> Reply<'a> {
        let game = Some(&self.game.info);
        Reply { req: &self.req, game, head: Some(head), freshness: Freshness::Immutable }
    }
}

/// Returns the application.
///
/// # Errors
/// `internal` if the server was built without one.
pub fn app(req: &HttpRequest) -> Result<&Arc<App>, Problem> {
    let app = req.app_data::<web::Data<App>>().map(|app| &**app);
    app.ok_or_else(|| Problem::internal("the server was built without its application"))
}

fn segment<'a>(req: &'a HttpRequest, name: &str) -> &'a str {
    req.match_info().get(name).unwrap_or_default()
}

/// Reads a player from the path: a public id, or a built-in player.
///
/// # Errors
/// If the path names none.
pub fn competitor(req: &HttpRequest) -> Result<Competitor, BadPath> {
    const NAME: &str = "player";
    // The slash before a version is encoded in a path.
    segment(req, NAME)
        .replace("%2F", "/")
        .replace("%2f", "/")
        .parse()
        .map_err(|error: NotACompetitor| BadPath { name: NAME, detail: error.to_string() })
}

/// Reads a game id from the path.
///
/// # Errors
/// [`ReadError::NotFound`] if the text is not an id.
pub fn game_id(req: &HttpRequest) -> Result<GameId, ReadError> {
    segment(req, "id").parse().map_err(|_| ReadError::NotFound)
}

/// Reads the ply to write from the path.
///
/// # Errors
/// If it is not a number from 1.
pub fn next_ply(req: &HttpRequest) -> Result<u32, BadPath> {
    const NAME: &str = "ply";
    match number(NAME, segment(req, NAME))? {
        0 => Err(BadPath {
            name: NAME,
            detail: "plies are written from 1. The service writes ply 0".to_owned(),
        }),
        ply => Ok(ply),
    }
}

/// Reads a seat of the game from the path.
///
/// # Errors
/// If the game has no such seat.
pub fn seat(req: &HttpRequest, game: &StoredGame) -> Result<Seat, NoSuchSeat> {
    let seats = game.info.setup.seats();
    let number = number("seat", segment(req, "seat")).map_err(NoSuchSeat::Bad)?;
    let seat = u8::try_from(number).ok().and_then(Seat::new).filter(|seat| seat.number() <= seats);
    seat.ok_or(NoSuchSeat::Beyond { seats })
}

/// Reads a whole number without leading zeros.
fn number(name: &'static str, text: &str) -> Result<u32, BadPath> {
    text.parse()
        .ok()
        .filter(|number: &u32| number.to_string() == text)
        .ok_or_else(|| BadPath { name, detail: format!("{name} must be a whole number, not {text:?}") })
}
