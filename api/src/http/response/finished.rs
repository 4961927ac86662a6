//! Responses that are made once and sent many times.

use std::io::Write as _;
use std::sync::{Arc, OnceLock};

use actix_web::http::header::{
    ACCEPT_ENCODING, AcceptEncoding, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, Encoding,
    Header as _, HeaderValue, IF_MATCH, IF_NONE_MATCH, VARY,
};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse};
use assam_record::hex::digits;
use assam_referee::picture::Theme;
use assam_rules::Seat;
use assam_store::byte_cache::{ByteCache, Weighted};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::http::request::Condition;

/// The smallest body worth compressing, in bytes.
const WORTH: usize = 512;
/// The suffix of a compressed body's entity tag. Another representation has another tag (RFC 9110, section
/// 8.8.1).
const OF_GZIP: &str = "-gzip";
/// The headers that a response may depend on.
const VARIES: &str = "Accept, Accept-Encoding, Authorization";
/// The cache rule of a response that may change.
pub const CHANGING: &str = "no-cache";
/// Replaces the head in the entity tag of a response that is not about a started game.
pub const NO_HEAD: &str = "-";

/// A body with its entity tag and its cache rule.
pub struct Finished {
    media_type: &'static str,
    cache_control: &'static str,
    /// The entity tag of the uncompressed body, with quotes.
    etag: HeaderValue,
    may_be_compressed: bool,
    body: Bytes,
    gzip: OnceLock<Bytes>,
}

impl Finished {
    /// Prepares a body. Its entity tag is `head`, a dot, and a hash of the body.
    pub fn new(
        media_type: &'static str,
        cache_control: &'static str,
        head: &str,
        may_be_compressed: bool,
        body: impl Into<Bytes>,
    ) -> Self {
        let (body, gzip) = (body.into(), OnceLock::new());
        let etag = quoted(&[head, ".", &digits(&Sha256::digest(&body)[..8])]);
        Self { media_type, cache_control, etag, may_be_compressed, body, gzip }
    }

    /// Prepares a public body about the service, which only changes with the service.
    pub fn about_service(media_type: &'static str, body: impl Into<Bytes>) -> Self {
        Self::new(media_type, CHANGING, NO_HEAD, true, body)
    }

    /// Returns the response with a status, compressed if the client prefers that, or 304 if the client has it
    /// in either form.
    pub fn send(&self, req: &HttpRequest, status: StatusCode) -> HttpResponse {
        let gzip = self.is_compressed_for(req).then(|| self.gzip()).flatten();
        // Other statuses cannot be about the response that the client has (RFC 9110, section 13.2.1).
        let is_read = matches!(*req.method(), Method::GET | Method::HEAD) && status.is_success();
        let condition = Condition::from_request(req, &IF_NONE_MATCH).filter(|_| is_read);
        let known = condition.and_then(|condition| self.known_by(&condition, gzip.is_some()));
        let is_known = known.is_some();
        let etag = known.unwrap_or_else(|| self.etag_of(gzip.is_some()));
        let mut response = HttpResponse::build(if is_known { StatusCode::NOT_MODIFIED } else { status });
        response
            .insert_header((ETAG, etag))
            .insert_header((CACHE_CONTROL, HeaderValue::from_static(self.cache_control)))
            .insert_header((VARY, HeaderValue::from_static(VARIES)));
        if is_known {
            return response.finish();
        }
        response.insert_header((CONTENT_TYPE, HeaderValue::from_static(self.media_type)));
        match gzip {
            Some(gzip) => {
                response.insert_header((CONTENT_ENCODING, HeaderValue::from_static("gzip"))).body(gzip)
            }
            None => response.body(self.body.clone()),
        }
    }

    /// Returns the entity tag of the uncompressed body, without quotes.
    fn tag(&self) -> &str {
        self.etag.to_str().unwrap_or_default().trim_matches('"')
    }

    /// Returns the entity tag of the uncompressed or compressed body.
    fn etag_of(&self, is_gzip: bool) -> HeaderValue {
        if is_gzip { quoted(&[self.tag(), OF_GZIP]) } else { self.etag.clone() }
    }

    /// Returns the entity tag that `If-None-Match` names, in either form. For `*`, it is that of the form the
    /// client prefers.
    fn known_by(&self, condition: &Condition<'_>, prefers_gzip: bool) -> Option<HeaderValue> {
        let of_gzip = [self.tag(), OF_GZIP].concat();
        let tags = if prefers_gzip { [&of_gzip, self.tag()] } else { [self.tag(), &of_gzip] };
        condition.names(&tags).map(|known| quoted(&[known]))
    }

    /// Returns whether `If-Match` names this body, in either form. Weak tags count, because the hash covers
    /// the whole body.
    pub fn is_matched(&self, req: &HttpRequest) -> bool {
        Condition::from_request(req, &IF_MATCH)
            .is_none_or(|condition| condition.names(&[self.tag()]).is_some())
    }

    /// Returns whether the body is compressed for a client.
    pub fn is_compressed_for(&self, req: &HttpRequest) -> bool {
        self.may_be_compressed && self.body.len() >= WORTH && prefers_gzip(req)
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

/// Returns an entity tag made of ASCII parts.
fn quoted(parts: &[&str]) -> HeaderValue {
    let tag = [&["\""], parts, &["\""]].concat().concat();
    HeaderValue::try_from(tag).unwrap_or_else(|_| HeaderValue::from_static("\"\""))
}

/// Returns whether a client prefers gzip to an uncompressed body.
pub fn prefers_gzip(req: &HttpRequest) -> bool {
    let offered = [Encoding::identity(), Encoding::gzip()];
    let accepted =
        req.headers().contains_key(ACCEPT_ENCODING).then(|| AcceptEncoding::parse(req).ok()).flatten();
    accepted.and_then(|accepted| accepted.negotiate(offered.iter())) == Some(Encoding::gzip())
}

/// The content of a response about a game at a ply.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ResponseKind {
    /// The current game, for the holder of a seat or for anyone else.
    Game(Option<Seat>),
    /// The log as a record.
    Record,
    /// The log as JSON.
    Log,
    /// The word of a ply.
    Move,
    /// The state after a ply.
    State,
    /// The picture after a ply, in one variant.
    Picture(PictureVariant),
    /// The score after a ply.
    Score,
    /// The current score.
    ScoreNow,
    /// The legal moves.
    LegalMoves,
    /// The receipt of a ply.
    Receipt,
    /// The receipt of the last ply.
    ReceiptNow,
    /// The analysis.
    Analysis,
    /// The proof, for the holder of a seat or for anyone else.
    Proof(Option<Seat>),
}

/// The variant of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PictureVariant {
    /// Whether it shows only the board.
    pub board_only: bool,
    /// Its colours.
    pub theme: Theme,
}

/// The key of a cached response: the cache generation of a game (see `CachedGame::cache_generation`), a
/// written ply, and the kind.
pub type KeptAt = (u64, u32, ResponseKind);

/// Cached responses about games that hide nothing.
pub type FinishedResponses = ByteCache<KeptAt, Finished>;

/// Returns a cached response, making it first if necessary.
///
/// # Errors
/// The errors of `make`.
pub fn send_kept<E>(
    kept: &FinishedResponses,
    req: &HttpRequest,
    place: KeptAt,
    make: impl FnOnce() -> Result<Finished, E>,
) -> Result<HttpResponse, E> {
    let finished = match kept.get(&place) {
        Some(finished) => finished,
        None => {
            let finished = Arc::new(make()?);
            kept.keep(place, &finished);
            finished
        }
    };
    Ok(finished.send(req, StatusCode::OK))
}

impl Weighted for Finished {
    /// The memory of a response apart from its body.
    const SMALLEST: u64 = 512;

    fn bytes(&self) -> u64 {
        // A compressed body may be cached with it.
        Self::SMALLEST + self.body.len() as u64 * 3 / 2
    }
}
