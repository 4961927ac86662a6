//! Responses that are made once and sent many times.

use std::io::Write as _;
use std::sync::{Arc, OnceLock};

use actix_web::http::header::{
    ACCEPT_ENCODING, AcceptEncoding, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, Encoding,
    Header as _, HeaderValue, IF_NONE_MATCH, VARY,
};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse};
use assam_rules::Seat;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::request::Condition;
use crate::kept::{Keepable, Kept};

/// The `Content-Encoding` that keeps the middleware from compressing a response. It is removed before the response is
/// sent.
pub const IDENTITY: &str = "identity";

/// A body with its entity tag and its cache rule.
pub struct Finished {
    media_type: &'static str,
    cache_control: &'static str,
    /// The entity tag without its quotes.
    tag: String,
    may_be_compressed: bool,
    body: Bytes,
    gzip: OnceLock<Bytes>,
}

impl Finished {
    /// Finishes a body. Its entity tag is `head`, a dot, and a hash of the body.
    pub fn new(
        media_type: &'static str,
        cache_control: &'static str,
        head: &str,
        may_be_compressed: bool,
        body: String,
    ) -> Self {
        let tag = format!("{head}.{}", hex::encode(&Sha256::digest(body.as_bytes())[..8]));
        let (body, gzip) = (Bytes::from(body), OnceLock::new());
        Self { media_type, cache_control, tag, may_be_compressed, body, gzip }
    }

    /// Returns the response with a status, or 304 if the client has it already.
    pub fn send(&self, req: &HttpRequest, status: StatusCode) -> HttpResponse {
        let is_read = matches!(*req.method(), Method::GET | Method::HEAD);
        let known = Condition::of(req, &IF_NONE_MATCH);
        let is_known = is_read && known.is_some_and(|known| known.matches(|known| known == self.tag));
        let mut response = HttpResponse::build(if is_known { StatusCode::NOT_MODIFIED } else { status });
        response
            .insert_header((ETAG, format!("\"{}\"", self.tag)))
            .insert_header((CACHE_CONTROL, HeaderValue::from_static(self.cache_control)))
            .insert_header((VARY, HeaderValue::from_static("Accept, Authorization")));
        if !self.may_be_compressed {
            response.insert_header((CONTENT_ENCODING, HeaderValue::from_static(IDENTITY)));
        }
        if is_known {
            response.finish()
        } else {
            response.insert_header((CONTENT_TYPE, HeaderValue::from_static(self.media_type)));
            response.body(self.body.clone())
        }
    }

    /// Returns the response, compressed where the client prefers that: it is compressed only once.
    pub fn send_as_preferred(&self, req: &HttpRequest) -> HttpResponse {
        let mut response = self.send(req, StatusCode::OK);
        if response.status() != StatusCode::OK || !self.may_be_compressed || !prefers_gzip(req) {
            return response;
        }
        let Some(gzip) = self.gzip() else { return response };
        let headers = response.headers_mut();
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        headers.append(VARY, HeaderValue::from_static("accept-encoding"));
        response.set_body(gzip).map_into_boxed_body()
    }

    /// Returns the body as gzip. It is compressed only once.
    pub fn gzip(&self) -> Option<Bytes> {
        if let Some(gzip) = self.gzip.get() {
            return Some(gzip.clone());
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&self.body).ok()?;
        let gzip = Bytes::from(encoder.finish().ok()?);
        Some(self.gzip.get_or_init(|| gzip).clone())
    }
}

/// Returns whether a client prefers gzip, as the middleware judges that compresses all other responses.
pub fn prefers_gzip(req: &HttpRequest) -> bool {
    let offered = [Encoding::identity(), Encoding::gzip(), Encoding::deflate()];
    let accepted =
        req.headers().contains_key(ACCEPT_ENCODING).then(|| AcceptEncoding::parse(req).ok()).flatten();
    accepted.and_then(|accepted| accepted.negotiate(offered.iter())) == Some(Encoding::gzip())
}

/// What a response shows of a game at a ply.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Aspect {
    /// The game as it stands, for the holder of a seat or for anyone else.
    Game(Option<Seat>),
    /// The log as a record.
    Record,
    /// The log as JSON.
    Log,
    /// The word of a ply.
    Move,
    /// The state after a ply.
    State,
    /// The picture after a ply.
    Picture,
    /// The score after a ply.
    Score,
    /// The score as it stands.
    ScoreNow,
    /// The legal moves.
    LegalMoves,
    /// The proof, for the holder of a seat or for anyone else.
    Proof(Option<Seat>),
}

/// Where a response is kept: the lineage of a game (see `LiveGame::lineage`), a ply that is written there, and what is
/// shown of it.
pub type KeptAt = (u64, u32, Aspect);

/// Responses about games that hide nothing, as they were sent before.
pub type FinishedResponses = Kept<KeptAt, Finished>;

impl FinishedResponses {
    /// Returns the response that is kept in a place, and makes it first where there is none.
    ///
    /// # Errors
    /// Of what makes it.
    pub fn send<E>(
        &self,
        req: &HttpRequest,
        place: KeptAt,
        make: impl FnOnce() -> Result<Finished, E>,
    ) -> Result<HttpResponse, E> {
        let finished = match self.get(&place) {
            Some(finished) => finished,
            None => {
                let finished = Arc::new(make()?);
                self.keep(place, &finished);
                finished
            }
        };
        Ok(finished.send_as_preferred(req))
    }
}

impl Keepable for Finished {
    /// What a response takes beside its body.
    const SMALLEST: u64 = 512;

    fn bytes(&self) -> u64 {
        // A compressed body may be kept beside it.
        Self::SMALLEST + self.body.len() as u64 * 3 / 2
    }
}
