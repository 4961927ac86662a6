//! What goes out: bodies with entity tags and cache rules.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, ETAG, IF_NONE_MATCH, LOCATION, VARY};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::request::Condition;
use crate::game::{Head, Info, Visibility};
use crate::ruleset::Ruleset;

/// How long an answer stays true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Freshness {
    /// For ever.
    Immutable,
    /// Until somebody moves: ask again.
    Changing,
}

/// As a `Content-Encoding`: not to be compressed. It is told to the middleware, not to the client.
pub const IDENTITY: &str = "identity";

/// An answer about a game, or about the service where there is none.
pub struct Reply<'a> {
    /// The request that it answers.
    pub req: &'a HttpRequest,
    /// The game that it is about.
    pub game: Option<&'a Info>,
    /// The head that it was made from.
    pub head: Option<&'a Head>,
    /// How long it stays true.
    pub freshness: Freshness,
}

impl<'a> Reply<'a> {
    /// About the service, not about a game; it changes only with the service.
    pub fn about_service(req: &'a HttpRequest) -> Self {
        Self { req, game: None, head: None, freshness: Freshness::Changing }
    }

    /// About a game as it stands.
    pub fn about(req: &'a HttpRequest, game: &'a Info) -> Self {
        Self { req, game: Some(game), head: game.head.as_ref(), freshness: Freshness::Changing }
    }

    /// 200 with JSON.
    pub fn ok(&self, body: &impl Serialize) -> HttpResponse {
        self.json(StatusCode::OK, body)
    }

    /// JSON with a status.
    pub fn json(&self, status: StatusCode, body: &impl Serialize) -> HttpResponse {
        match serde_json::to_string(body) {
            Ok(text) => self.send(status, "application/json", text + "\n"),
            Err(error) => HttpResponse::from_error(crate::problem::Problem::internal(error)),
        }
    }

    /// A body of any media type with its entity tag; 304 where the client has it already.
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
        if self.game.is_some_and(may_hide_something) {
            // The length of a compressed hand beside a name that its opponent chose would tell him of it.
            response.insert_header((CONTENT_ENCODING, IDENTITY));
        }
        if is_known { response.finish() } else { response.content_type(media_type).body(body) }
    }

    fn head_part(&self) -> String {
        self.head.map_or_else(|| "-".to_owned(), |head| hex::encode(head.hash))
    }

    fn cache_control(&self) -> &'static str {
        // What one may see who may not see all is his alone, and changes when something is opened.
        let is_own = |game: &Info| game.visibility == Visibility::Private || may_hide_something(game);
        match (self.game.is_some_and(is_own), self.freshness) {
            (true, _) => "private, no-cache",
            (false, Freshness::Changing) => "no-cache",
            (false, Freshness::Immutable) => "public, max-age=31536000, immutable",
        }
    }
}

/// Can there be something in this game that not everyone may see?
fn may_hide_something(game: &Info) -> bool {
    !game.is_over() && Ruleset::named(&game.ruleset).is_none_or(|ruleset| ruleset.referee().has_secrets())
}

/// Adds a `Location`.
pub fn set_location(response: &mut HttpResponse, path: &str) {
    if let Ok(value) = path.parse() {
        response.headers_mut().insert(LOCATION, value);
    }
}
