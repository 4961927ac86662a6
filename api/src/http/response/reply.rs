//! Responses: bodies with entity tags and cache rules.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_LOCATION, LOCATION};
use actix_web::{HttpRequest, HttpResponse};
use assam_record::game::{Head, Info, Visibility};
use assam_record::hex::digits;
use serde::Serialize;

use super::finished::{CHANGING, Finished, NO_HEAD};
use crate::problem::Problem;

/// How long a response stays valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Freshness {
    /// Forever.
    Immutable,
    /// Until the game changes. Caches must revalidate it.
    Changing,
    /// The same, for its requester only.
    Own,
}

/// A response about a game, or about the service if there is none.
pub struct Reply<'a> {
    /// The request to answer.
    pub req: &'a HttpRequest,
    /// The game, if any.
    pub game: Option<&'a Info>,
    /// The head that the response is made from.
    pub head: Option<&'a Head>,
    /// How long it stays valid.
    pub freshness: Freshness,
}

impl<'a> Reply<'a> {
    /// Begins a response about the service, which only changes with the service.
    pub fn about_service(req: &'a HttpRequest) -> Self {
        Self { req, game: None, head: None, freshness: Freshness::Changing }
    }

    /// Begins a response about the holder of the secret.
    pub fn about_requester(req: &'a HttpRequest) -> Self {
        Self { freshness: Freshness::Own, ..Self::about_service(req) }
    }

    /// Begins a response about the current game.
    pub fn about(req: &'a HttpRequest, game: &'a Info) -> Self {
        Self { req, game: Some(game), head: game.head.as_ref(), freshness: Freshness::Changing }
    }

    /// Returns 200 with JSON.
    pub fn ok(&self, body: &impl Serialize) -> HttpResponse {
        self.json(StatusCode::OK, body)
    }

    /// Returns JSON with a status.
    pub fn json(&self, status: StatusCode, body: &impl Serialize) -> HttpResponse {
        match self.finish_json(body) {
            Ok(finished) => finished.send(self.req, status),
            Err(problem) => HttpResponse::from_error(problem),
        }
    }

    /// Returns a body of any media type.
    pub fn send(&self, media_type: &'static str, body: String) -> HttpResponse {
        self.finish(media_type, body).send(self.req, StatusCode::OK)
    }

    /// Prepares a JSON body.
    ///
    /// # Errors
    /// `internal` if the body cannot be written as JSON.
    pub fn finish_json(&self, body: &impl Serialize) -> Result<Finished, Problem> {
        Ok(self.finish(JSON, line(body)?))
    }

    /// Prepares a body of any media type.
    pub fn finish(&self, media_type: &'static str, body: String) -> Finished {
        finish(self.game, self.head, self.freshness, media_type, body)
    }
}

fn finish(
    game: Option<&Info>,
    head: Option<&Head>,
    freshness: Freshness,
    media_type: &'static str,
    body: String,
) -> Finished {
    // A response that may hide something is for its requester only, and changes when something is opened.
    let is_own = |game: &Info| game.visibility == Visibility::Private || game.may_hide_something();
    let cache_control = match (game.is_some_and(is_own), freshness) {
        (true, _) | (false, Freshness::Own) => "private, no-cache",
        (false, Freshness::Changing) => CHANGING,
        (false, Freshness::Immutable) => "public, max-age=31536000, immutable",
    };
    let head = head.map_or_else(|| NO_HEAD.to_owned(), |head| digits(head.hash));
    // An opponent who chooses a name could otherwise guess a hand from how well the two compress together.
    let may_be_compressed = !game.is_some_and(Info::may_hide_something);
    Finished::new(media_type, cache_control, &head, may_be_compressed, body)
}

/// The media type of most bodies.
pub const JSON: &str = "application/json";
/// The media type of JSON lines.
pub const NDJSON: &str = "application/x-ndjson";

/// Returns a value as JSON.
///
/// # Errors
/// `internal` if it cannot be written as JSON.
pub fn line(body: &impl Serialize) -> Result<String, Problem> {
    Ok(serde_json::to_string(body).map_err(Problem::internal)? + "\n")
}

/// Prepares a JSON body about the current game, on any thread.
pub fn finish_about_game(game: &Info, body: String) -> Finished {
    finish(Some(game), game.head.as_ref(), Freshness::Changing, JSON, body)
}

/// Prepares a JSON body about the service, on any thread.
///
/// # Errors
/// `internal` if the body cannot be written as JSON.
pub fn finish_about_service(body: &impl Serialize) -> Result<Finished, Problem> {
    Ok(Finished::about_service(JSON, line(body)?))
}

/// Returns a response without a body.
pub fn done() -> HttpResponse {
    HttpResponse::NoContent().insert_header((CACHE_CONTROL, "no-store")).finish()
}

/// Adds a `Location` header.
pub fn set_location(response: &mut HttpResponse, path: &str) {
    if let Ok(value) = path.parse() {
        response.headers_mut().insert(LOCATION, value);
    }
}

/// Adds the path whose GET returns this body as `Content-Location` (RFC 9110, section 8.7).
pub fn set_content_location(response: &mut HttpResponse, path: &str) {
    if let Ok(value) = path.parse() {
        response.headers_mut().insert(CONTENT_LOCATION, value);
    }
}
