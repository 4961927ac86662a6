//! Serving the OpenAPI document.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, web};

use super::refusals::{Nothing, Refusals};
use super::reply::Reply;

/// Get the OpenAPI document
#[utoipa::path(
    tag = "reference",
    responses((status = 200, description = "This document", content_type = "application/json"), Refusals<Nothing>),
)]
#[get("/openapi.json")]
pub async fn get_openapi(req: HttpRequest, text: web::Data<OpenApiText>) -> HttpResponse {
    let reply = Reply::about_service(&req);
    reply.finish("application/json", text.0.clone()).send(&req, StatusCode::OK)
}

/// The document as text, written once.
pub struct OpenApiText(pub String);
