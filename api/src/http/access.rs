//! Who asks, and what they may see.

use actix_web::HttpRequest;
use actix_web::http::header::AUTHORIZATION;
use assam_rules::{Seat, Viewer};

use super::request;
use crate::game::{Game, Visibility};
use crate::problem::{Code, Problem};
use crate::secret::{Secret, is_hex, join_code_hash};
use crate::store::Store;

/// Whoever sent a request.
pub struct Caller(Option<Secret>);

impl Caller {
    /// Reads the secret of a request. A malformed one counts as none.
    pub fn of(req: &HttpRequest) -> Self {
        let bearer = request::header(req, &AUTHORIZATION)
            .and_then(|value| value.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        Self(bearer.and_then(|(_, secret)| Secret::read(secret.trim())))
    }

    /// The secret, where one came.
    pub const fn secret(&self) -> Option<&Secret> {
        self.0.as_ref()
    }

    /// Did a request come with an `Authorization` that is no secret?
    pub fn is_malformed(&self, req: &HttpRequest) -> bool {
        self.0.is_none() && req.headers().contains_key(AUTHORIZATION)
    }

    /// The secret, where one is needed.
    ///
    /// # Errors
    /// `unauthenticated`.
    pub fn required(&self) -> Result<&Secret, Problem> {
        let none = "send `Authorization: Bearer <secret>`, a secret of 64 lower-case hex digits";
        self.secret().ok_or_else(|| Problem::new(Code::Unauthenticated, none))
    }

    /// The seat that the secret holds.
    pub fn seat(&self, game: &Game) -> Option<Seat> {
        let hash = hex::encode(self.secret()?.hash());
        let index = game.info.seats.iter().position(|seat| seat.secret.as_deref() == Some(&hash))?;
        Seat::new(index as u8 + 1)
    }

    /// Did the secret create the game?
    pub fn is_owner(&self, game: &Game) -> bool {
        game.owner.is_some() && self.secret().map(Secret::hash) == game.owner
    }

    /// For whom views are made. When a game is over, nothing in it is hidden from anyone who may see it.
    pub fn viewer(&self, game: &Game) -> Viewer {
        if game.info.is_over() {
            return Viewer::Arbiter;
        }
        self.seat(game).map_or(Viewer::Spectator, Viewer::Seat)
    }

    /// May the caller see the game?
    pub fn may_see(&self, game: &Game) -> bool {
        match game.info.visibility {
            Visibility::Public | Visibility::Unlisted => true,
            Visibility::Private => self.seat(game).is_some() || self.is_owner(game),
        }
    }

    /// The game, if there is one and the caller may see it.
    ///
    /// # Errors
    /// `game_not_found`, the same for both.
    pub async fn game(&self, store: &dyn Store, id: &str) -> Result<Game, Problem> {
        any_game(store, id).await?.filter(|game| self.may_see(game)).ok_or_else(not_found)
    }
}

/// The game, whoever asks.
///
/// # Errors
/// `unavailable`.
pub async fn any_game(store: &dyn Store, id: &str) -> Result<Option<Game>, Problem> {
    if is_hex(id, 32) { Ok(store.load(id).await?) } else { Ok(None) }
}

/// Does this code let strangers into a private game?
pub fn opens(game: &Game, join_code: Option<&str>) -> bool {
    let hash = join_code.map(|code| join_code_hash(&game.info.id, code));
    game.join_code.is_some() && hash == game.join_code
}

/// `game_not_found`.
pub fn not_found() -> Problem {
    Problem::new(Code::GameNotFound, "there is no game with this id that you may see")
}
