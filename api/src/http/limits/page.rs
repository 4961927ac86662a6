//! What a client may do, told.

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

/// What a client of this service may do.
#[derive(Serialize, ToSchema)]
pub struct LimitsView {
    /// How often each of these may be done.
    #[schema(max_items = 16)]
    rates: Vec<RateLimit>,
    /// How many requests about many records one address may have under way; null for any number.
    #[schema(minimum = 1, maximum = 4_294_967_295_u32)]
    bulk_at_once: Option<u32>,
    /// How many connections one address may have, and how many streams and requests that wait; null for any number.
    #[schema(minimum = 1, maximum = 4_294_967_295_u32)]
    connections: Option<u32>,
    /// The longest record, in bytes.
    #[schema(minimum = 1, maximum = 4_294_967_295_u32)]
    record_bytes: usize,
    /// The longest body that carries a few fields, in bytes.
    #[schema(minimum = 1, maximum = 4_294_967_295_u32)]
    body_bytes: usize,
    /// The longest body of many records, in bytes, unpacked.
    #[schema(minimum = 1, maximum = 4_294_967_295_u32)]
    bulk_bytes: u64,
}

/// How often something may be done. Who has spent one of them still has the others.
#[derive(Serialize, ToSchema)]
pub struct RateLimit {
    /// What is counted.
    bucket: Bucket,
    /// How often with one secret.
    secret: RateView,
    /// How often from one address (IPv6: from one network of 64 bits), with all its secrets and without.
    address: RateView,
    /// How often for one game, by everybody; null where that is not counted.
    game: Option<RateView>,
}

/// How often something may be done.
#[derive(Serialize, ToSchema)]
pub struct RateView {
    /// So often,
    #[schema(minimum = 1, maximum = 4_294_967_295_u32, example = 20)]
    requests: u32,
    /// in so many seconds.
    #[schema(minimum = 1, maximum = 3600, example = 1)]
    seconds: u32,
    /// So often at once, after doing nothing for some time.
    #[schema(minimum = 1, maximum = 4_294_967_295_u32, example = 200)]
    burst: u32,
}

/// Get the limits
///
/// Returns what a client may do. Who does more gets 429 and `Retry-After`. What is not counted here has no rate.
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
