//! The OpenAPI document, and the page that shows it with a bundled Swagger UI.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use actix_web::http::header::LOCATION;
use actix_web::http::{StatusCode, header};
use actix_web::{HttpRequest, HttpResponse, get, web};
use utoipa_swagger_ui::Config;

use crate::http::response::finished::Finished;
use crate::http::response::refusals::{Nothing, Refusals};
use crate::problem::{Code, Problem};

/// Get the OpenAPI document
///
/// Returns a description of the whole interface in OpenAPI 3.1.
#[utoipa::path(
    tag = "reference",
    responses((status = 200, description = "This document", content_type = "application/json"), Refusals<Nothing>),
)]
#[get("/openapi.json")]
pub async fn get_openapi(req: HttpRequest, document: web::Data<OpenApiText>) -> HttpResponse {
    document.0.send(&req, StatusCode::OK)
}

/// The document, ready to send.
pub struct OpenApiText(Finished);

impl OpenApiText {
    /// Prepares the document for all requests.
    pub fn new(text: String) -> Self {
        Self(Finished::about_service("application/json", text))
    }
}

/// The files of Swagger UI.
const FILES: [&str; 6] = [
    "favicon-16x16.png",
    "favicon-32x32.png",
    "index.css",
    "swagger-ui-bundle.js",
    "swagger-ui-standalone-preset.js",
    "swagger-ui.css",
];

/// The files, each compressed once, at its first request.
static PAGE: LazyLock<HashMap<&str, Finished>> = LazyLock::new(|| {
    let config = Arc::new(Config::from("/openapi.json"));
    let file = |name: &'static str| {
        let file = utoipa_swagger_ui::serve(name, Arc::clone(&config)).ok()??;
        let media_type = match name.rsplit('.').next() {
            Some("css") => "text/css; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("png") => "image/png",
            _ => "text/html; charset=utf-8",
        };
        Some((name, Finished::about_service(media_type, file.bytes.into_owned())))
    };
    let own = [
        ("", Finished::about_service("text/html; charset=utf-8", INDEX)),
        ("introduction.css", Finished::about_service("text/css; charset=utf-8", LOOK)),
        ("swagger-initializer.js", Finished::about_service("text/javascript; charset=utf-8", START)),
    ];
    FILES.into_iter().filter_map(file).chain(own).collect()
});

/// The page itself, without inline scripts.
const INDEX: &str = include_str!("docs_page.html");

/// The style of its introduction.
const LOOK: &str = include_str!("docs_page.css");

/// Its start script.
const START: &str = include_str!("docs_page.js");

/// The page shares an origin with pages that keep secrets, so it runs no foreign scripts and cannot be
/// framed.
const HEADERS: [(header::HeaderName, &str); 3] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src data:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
];

/// Registers the page.
pub fn routes(config: &mut web::ServiceConfig) {
    config.route("/docs", web::get().to(lead)).route("/docs/{file:[^/]*}", web::get().to(file));
}

/// Redirects the root to the page.
pub fn root(config: &mut web::ServiceConfig) {
    config.route("/", web::get().to(lead));
}

/// Redirects to the page from the path without the slash, also below a proxy's path.
async fn lead() -> HttpResponse {
    HttpResponse::TemporaryRedirect().insert_header((LOCATION, "docs/")).finish()
}

async fn file(req: HttpRequest, name: web::Path<String>) -> Result<HttpResponse, Problem> {
    let file = PAGE.get(name.as_str());
    let file = file.ok_or_else(|| Problem::new(Code::RouteNotFound, "the page has no such file"))?;
    let mut response = file.send(&req, StatusCode::OK);
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, header::HeaderValue::from_static(value));
    }
    Ok(response)
}
