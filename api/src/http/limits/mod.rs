//! Limits that protect clients from each other: rates by secret and by address, and maximums in progress.

use std::num::NonZeroU32;
use std::sync::Arc;

use actix_web::{HttpRequest, web};
use assam_record::game::GameId;

use crate::problem::Problem;

mod at_once;
mod bucket;
mod client;
mod limiter;
pub mod page;
mod rate;
mod refusal;

pub use at_once::Held;
pub use bucket::{Rates, SetRate};
pub use client::TrustedProxies;
pub use limiter::{LimitSettings, Limiter};
pub use refusal::TooMany;

use bucket::Bucket;
use limiter::Client;

/// Takes a place for a bulk request.
///
/// # Errors
/// `too_many_requests`.
pub fn bulk_place(req: &HttpRequest) -> Result<Held, Problem> {
    let Some(limiter) = req.app_data::<web::Data<Limiter>>() else { return Ok(Held::default()) };
    limiter.bulk_place(limiter.client(req.head())).map_err(Into::into)
}

/// Takes a place for a stream or a waiting request.
///
/// # Errors
/// `too_many_requests`.
pub fn stream_place(req: &HttpRequest) -> Result<Held, Problem> {
    let Some(limiter) = req.app_data::<web::Data<Limiter>>() else { return Ok(Held::default()) };
    limiter.stream_place(limiter.client(req.head())).map_err(Into::into)
}

/// Counts a join code tried for a game.
///
/// # Errors
/// `too_many_requests`.
pub fn count_code(req: &HttpRequest, game: GameId) -> Result<(), Problem> {
    let Some(limiter) = req.app_data::<web::Data<Limiter>>() else { return Ok(()) };
    refused_by(limiter, limiter.count_code(limiter.client(req.head()), game))
}

/// Counts a request.
///
/// # Errors
/// `too_many_requests`.
pub fn count_request(req: &HttpRequest) -> Result<(), Problem> {
    let Some(limiter) = req.app_data::<web::Data<Limiter>>() else { return Ok(()) };
    // The path as the router reads it, without needless percent-encoding.
    let Some(bucket) = Bucket::for_request(req.method(), req.match_info().as_str()) else { return Ok(()) };
    refused_by(limiter, limiter.count(limiter.client(req.head()), bucket))
}

/// Counts the positions of a request, apart from the one counted with the request itself.
///
/// # Errors
/// `too_many_requests`.
pub fn count_positions(req: &HttpRequest, positions: usize) -> Result<(), Problem> {
    let Some(limiter) = req.app_data::<web::Data<Limiter>>() else { return Ok(()) };
    let more = u32::try_from(positions).unwrap_or(u32::MAX).saturating_sub(1);
    let Some(more) = NonZeroU32::new(more) else { return Ok(()) };
    refused_by(limiter, limiter.count_many(limiter.client(req.head()), Bucket::Outcomes, more))
}

/// Counts an analysis that a GET request needs.
///
/// # Errors
/// `too_many_requests`.
pub fn count_analysis(req: &HttpRequest) -> Result<(), Problem> {
    let Some(limiter) = req.app_data::<web::Data<Limiter>>() else { return Ok(()) };
    refused_by(limiter, limiter.count(limiter.client(req.head()), Bucket::Analysis))
}

/// Counts refusals.
fn refused_by(limiter: &Limiter, counted: Result<(), TooMany>) -> Result<(), Problem> {
    counted.map_err(|too_many| {
        limiter.note_refused(too_many.bucket);
        too_many.into()
    })
}

/// The pace at which a client may import.
#[derive(Clone)]
pub struct ImportPace {
    limiter: Option<Arc<Limiter>>,
    client: Client,
}

impl ImportPace {
    /// Returns the pace of a request's sender.
    pub fn new(req: &HttpRequest) -> Self {
        let limiter = req.app_data::<web::Data<Limiter>>().map(|limiter| limiter.clone().into_inner());
        let client = limiter.as_ref().map_or_else(Client::default, |limiter| limiter.client(req.head()));
        Self { limiter, client }
    }

    /// Waits until one more record may be imported.
    #[expect(clippy::disallowed_methods, reason = "waiting keeps the pace")]
    pub async fn wait(&self) {
        let Some(limiter) = &self.limiter else { return };
        while let Err(TooMany { wait, .. }) = limiter.count(self.client, Bucket::Imports) {
            tokio::time::sleep(wait).await;
        }
    }
}
