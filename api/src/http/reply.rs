//! Responses: bodies with entity tags and cache rules.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, ETAG, IF_NONE_MATCH, LOCATION, VARY};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::request::Condition;
use crate::game::{Head, Info, Visibility};

/// How long a response stays valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Freshness {
    /// Forever.
    Immutable,
    /// Until the game changes: caches must revalidate it.
    Changing,
}

/// The `Content-Encoding` that keeps the middleware from compressing a response. It is removed before the response is
/// sent.
pub const IDENTITY: &str = "identity";

/// A response about a game, or about the service if there is none.
pub struct Reply<'a> {
    /// The request that it answers.
    pub req: &'a HttpRequest,
    /// The game that it is about.
    pub game: Option<&'a Info>,
    /// The head that it was made from.
    pub head: Option<&'a Head>,
    /// How long it stays valid.
    pub freshness: Freshness,
}

impl<'a> Reply<'a> {
    /// Begins a response about the service, not about a game; it changes only with the service.
    pub fn about_service(req: &'a HttpRequest) -> Self {
        Self { req, game: None, head: None, freshness: Freshness::Changing }
    }

    /// Begins a response about a game as it stands.
    pub fn about(req: &'a HttpRequest, game: &'a Info) -> Self {
        Self { req, game: Some(game), head: game.head.as_ref(), freshness: Freshness::Changing }
    }

    /// Returns 200 with JSON.
    pub fn ok(&self, body: &impl Serialize) -> HttpResponse {
        self.json(StatusCode::OK, body)
    }

    /// Returns JSON with a status.
    pub fn json(&self, status: StatusCode, body: &impl Serialize) -> HttpResponse {
        match serde_json::to_string(body) {
            Ok(text) => self.send(status, "application/json", text + "\n"),
            Err(error) => HttpResponse::from_error(crate::problem::Problem::internal(error)),
        }
    }

    /// Returns a body of any media type with its entity tag, or 304 if the client has it already.
    pub fn send(&self, status: StatusCode, media_type: &str, body: String) -> HttpResponse {
        let tag = format!("{}.{}", self.head_part(), hex::encode(&Sha256::digest(body.as_bytes())[..8]));
        let is_read = matches!(*self.req.method(), Method::GET | Method::HEAD);
        let known = Condition::of(self.req, &IF_NONE_MATCH);
        let is_known = is_read && known.is_some_and(|known| known.matches(|known| known == tag));
        let mut response = HttpResponse::build(if is_known { StatusCode::NOT_MODIFIED } else { status });
        response
            .insert_header((ETAG, format!("\"{tag}\"")))
            .insert_header((CACHE_CONTROL, self.cache_control()))
            .insert_header((VARY, "Accept, Authorization"));
        if self.game.is_some_and(Info::may_hide_something) {
            // An opponent who chooses a name could otherwise guess a hand from how well the two compress together.
            response.insert_header((CONTENT_ENCODING, IDENTITY));
        }
        if is_known { response.finish() } else { response.content_type(media_type).body(body) }
    }

    fn head_part(&self) -> String {
        self.head.map_or_else(|| "-".to_owned(), |head| hex::encode(head.hash))
    }

    fn cache_control(&self) -> &'static str {
        // A response that may hide something is for its requester only, and changes when something is opened.
        let is_own = |game: &Info| game.visibility == Visibility::Private || game.may_hide_something();
        match (self.game.is_some_and(is_own), self.freshness) {
            (true, _) => "private, no-cache",
            (false, Freshness::Changing) => "no-cache",
            (false, Freshness::Immutable) => "public, max-age=31536000, immutable",
        }
    }
}

/// Adds a `Location` header.
pub fn set_location(response: &mut HttpResponse, path: &str) {
    if let Ok(value) = path.parse() {
        response.headers_mut().insert(LOCATION, value);
    }
}
