//! Is the process alive, and can it serve?

use actix_web::{HttpResponse, get, web};
use serde::Serialize;
use utoipa::ToSchema;

use super::{ReadyProblems, Service, StaticProblems};
use crate::problem::Problem;

/// All is well.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    #[schema(example = "ok")]
    status: &'static str,
}

/// Is the process alive?
#[utoipa::path(
    tag = "operation",
    responses((status = 200, description = "It is", body = Health), StaticProblems),
)]
#[get("/livez")]
pub async fn livez() -> HttpResponse {
    ok()
}

/// Can the service serve?
///
/// Asks the database.
#[utoipa::path(
    tag = "operation",
    responses((status = 200, description = "It can", body = Health), ReadyProblems),
)]
#[get("/readyz")]
pub async fn readyz(service: web::Data<Service>) -> Result<HttpResponse, Problem> {
    service.store.ping().await?;
    Ok(ok())
}

fn ok() -> HttpResponse {
    HttpResponse::Ok().insert_header(("Cache-Control", "no-store")).json(Health { status: "ok" })
}
