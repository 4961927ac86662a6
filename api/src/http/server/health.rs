//! Health checks.

use actix_web::{HttpResponse, get, web};
use assam_proofs::signed::WitnessKey;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::{App, NotReady, WitnessLags};
use crate::http::response::refusals::{Nothing, UncountedRefusals};
use crate::problem::Problem;

/// The response to a successful health check.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    status: HealthStatus,
    /// How far each witness lags behind the public log, in `/readyz`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 1000)]
    witnesses: Vec<WitnessView>,
    /// How many log entries lack the quorum of cosignatures. Absent without a quorum.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(maximum = 9_007_199_254_740_991_u64, nullable = false)]
    quorum_behind: Option<u64>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum HealthStatus {
    Ok,
}

/// How far a witness lags behind the public log.
#[derive(Serialize, ToSchema)]
pub struct WitnessView {
    /// The key of the witness.
    #[schema(pattern = r"^[^+]+\+[0-9a-f]{8}\+[0-9A-Za-z+/]+=*$", max_length = 4096)]
    witness: String,
    /// How many entries it has not cosigned yet.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    behind: u64,
}

/// Check that the process is alive
///
/// Checks only that the process responds, without the database.
#[utoipa::path(
    tag = "operation",
    responses((status = 200, description = "The process is alive", body = Health), UncountedRefusals<Nothing>),
)]
#[get("/livez")]
pub async fn livez() -> HttpResponse {
    ok(WitnessLags::default())
}

/// Check that the service can serve
///
/// Queries the database. If the last change could not be written, the service retries every second, and the
/// response is `cannot_write` until it succeeds. Lagging witnesses do not change the status.
#[utoipa::path(
    tag = "operation",
    responses((status = 200, description = "The service can serve", body = Health), UncountedRefusals<NotReady>),
)]
#[get("/readyz")]
pub async fn readyz(app: web::Data<App>) -> Result<HttpResponse, Problem> {
    app.ready().await?;
    Ok(ok(app.witness_lags()))
}

fn ok(lags: WitnessLags) -> HttpResponse {
    let view = |(key, behind): (WitnessKey, u64)| WitnessView { witness: key.to_string(), behind };
    let witnesses = lags.witnesses.into_iter().map(view).collect();
    let health = Health { status: HealthStatus::Ok, witnesses, quorum_behind: lags.quorum };
    HttpResponse::Ok().insert_header(("Cache-Control", "no-store")).json(health)
}
