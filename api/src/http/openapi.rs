//! Serving the OpenAPI document.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, web};

use super::finished::Finished;
use super::refusals::{Nothing, Refusals};

/// Get the OpenAPI document
///
/// Describes the whole interface, in OpenAPI 3.1.
#[utoipa::path(
    tag = "reference",
    responses((status = 200, description = "This document", content_type = "application/json"), Refusals<Nothing>),
)]
#[get("/openapi.json")]
pub async fn get_openapi(req: HttpRequest, document: web::Data<OpenApiText>) -> HttpResponse {
    document.0.send(&req, StatusCode::OK)
}

/// The document, as it is sent.
pub struct OpenApiText(Finished);

impl OpenApiText {
    /// Keeps the document, for all who ask for it.
    pub fn of(text: String) -> Self {
        Self(Finished::about_service("application/json", text))
    }
}
