//! Health checks.

use actix_web::{HttpResponse, get, web};
use serde::Serialize;
use utoipa::ToSchema;

use super::refusals::{Nothing, Refusals};
use crate::app::{App, NotReady};
use crate::problem::Problem;

/// The response to a successful health check.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    #[schema(example = "ok")]
    status: &'static str,
}

/// Check that the process is alive
///
/// Asks nothing but the process itself.
#[utoipa::path(
    tag = "operation",
    responses((status = 200, description = "The process is alive", body = Health), Refusals<Nothing>),
)]
#[get("/livez")]
pub async fn livez() -> HttpResponse {
    ok()
}

/// Check that the service can serve
///
/// Queries the database. Where the last change could not be written, for want of room on a disk for example, the service tries
/// to write once a second, and the response is `cannot_write` until that succeeds.
#[utoipa::path(
    tag = "operation",
    responses((status = 200, description = "The service can serve", body = Health), Refusals<NotReady>),
)]
#[get("/readyz")]
pub async fn readyz(app: web::Data<App>) -> Result<HttpResponse, Problem> {
    app.ready().await?;
    Ok(ok())
}

fn ok() -> HttpResponse {
    HttpResponse::Ok().insert_header(("Cache-Control", "no-store")).json(Health { status: "ok" })
}
