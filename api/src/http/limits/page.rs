//! The limits as clients see them.

use actix_web::{HttpRequest, HttpResponse, get, web};
use assam_notation::MAX_RECORD;
use serde::Serialize;
use utoipa::ToSchema;

use super::Limiter;
use super::bucket::Bucket;
use super::limiter::{CODES_OF_A_GAME, SECRETS_OF_A_NETWORK};
use super::rate::Rate;
use crate::http::records::bulk::MAX_UNPACKED;
use crate::http::request::MAX_FIELDS;
use crate::http::response::refusals::{Nothing, Refusals};
use crate::http::response::reply::Reply;

/// The limits of this service.
#[derive(Serialize, ToSchema)]
pub struct LimitsView {
    /// The rates.
    #[schema(max_items = 16)]
    rates: Vec<RateLimit>,
    /// How many bulk requests one address may run at the same time. Null without a limit.
    #[schema(minimum = 1, maximum = 4_294_967_295_u32)]
    bulk_at_once: Option<u32>,
    /// How many connections one address may have open, and also how many streams and waiting requests. Null
    /// without a limit.
    #[schema(minimum = 1, maximum = 4_294_967_295_u32)]
    connections: Option<u32>,
    /// The longest record, in bytes.
    #[schema(minimum = 1, maximum = 4_294_967_295_u32)]
    record_bytes: usize,
    /// The longest body with a few fields, in bytes.
    #[schema(minimum = 1, maximum = 4_294_967_295_u32)]
    body_bytes: usize,
    /// The longest bulk body, in bytes, uncompressed.
    #[schema(minimum = 1, maximum = 4_294_967_295_u32)]
    bulk_bytes: u64,
}

/// The rates of a bucket. Spending one bucket leaves the others full.
#[derive(Serialize, ToSchema)]
pub struct RateLimit {
    /// The bucket.
    bucket: Bucket,
    /// The requests or items that the bucket counts.
    #[schema(max_length = 200, example = "requests that submit moves")]
    counts: &'static str,
    /// The rate for one secret.
    secret: RateView,
    /// The rate for one address (for IPv6, one /64 network).
    address: RateView,
    /// The rate for one game. Null if not counted.
    game: Option<RateView>,
}

/// A rate.
#[derive(Serialize, ToSchema)]
pub struct RateView {
    /// The number of requests,
    #[schema(minimum = 1, maximum = 4_294_967_295_u32, example = 20)]
    requests: u32,
    /// in this many seconds.
    #[schema(minimum = 1, maximum = 3600, example = 1)]
    seconds: u32,
    /// The number of requests that may be sent at once after a pause.
    #[schema(minimum = 1, maximum = 4_294_967_295_u32, example = 200)]
    burst: u32,
}

/// Get the limits
///
/// Returns the limits for clients. Requests that exceed one get 429 with `Retry-After`.
#[utoipa::path(
    tag = "reference",
    responses((status = 200, description = "The limits", body = LimitsView), Refusals<Nothing>),
)]
#[get("/v1/limits")]
pub async fn get_limits(req: HttpRequest, limiter: web::Data<Limiter>) -> HttpResponse {
    let settings = limiter.settings();
    let rates = Bucket::ALL.into_iter().filter_map(|bucket| {
        let rate = settings.rates.of(bucket)?;
        Some(RateLimit {
            bucket,
            counts: bucket.counts(),
            secret: rate.into(),
            address: rate.times(SECRETS_OF_A_NETWORK).into(),
            game: (bucket == Bucket::JoinCodes).then(|| rate.times(CODES_OF_A_GAME).into()),
        })
    });
    let some = |most: u32| (most > 0).then_some(most);
    Reply::about_service(&req).ok(&LimitsView {
        rates: rates.collect(),
        bulk_at_once: some(settings.bulk_at_once),
        connections: some(settings.connections),
        record_bytes: MAX_RECORD,
        body_bytes: MAX_FIELDS,
        bulk_bytes: MAX_UNPACKED,
    })
}

impl From<Rate> for RateView {
    fn from(Rate { requests, span, burst }: Rate) -> Self {
        Self { requests: requests.get(), seconds: span.seconds(), burst: burst.get() }
    }
}
