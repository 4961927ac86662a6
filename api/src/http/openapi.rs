//! The OpenAPI document: generated from the handlers, never kept by hand.

use std::collections::BTreeMap;

use actix_web::{App, HttpRequest, HttpResponse, get};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{Modify, OpenApi};
use utoipa_actix_web::AppExt;

use super::reply::Reply;
use super::{StaticProblems, routes};
use crate::problem::{Code, PROBLEM_JSON, Problem};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Assam",
        description = "The open game-record service: create games of Marrakech and Marrakesh, play them move by move, fetch and \
            replay their records, validate records. The service draws all chance; every move is appended to a log \
            that is never rewritten. In a running match of Marrakesh every answer is for the one who asks: hands and \
            leads that he may not see are `??`.\n\nA client makes its own secret (`openssl rand -hex 32`) and sends it as \
            `Authorization: Bearer <secret>`; there are no accounts. Problems are RFC 9457 documents with a `code` \
            from a closed list: see `/v1/problems`.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    servers((url = "/", description = "This service")),
    tags(
        (name = "games", description = "Create games, take seats, find games"),
        (name = "play", description = "Submit moves"),
        (name = "replay", description = "Logs, states and scores at any ply"),
        (name = "records", description = "Validate and import records"),
        (name = "reference", description = "Rule sets and problem codes"),
        (name = "operation", description = "For those who run the service"),
    ),
    components(schemas(Problem)),
    modifiers(&Secret),
)]
struct Document;

struct Secret;

impl Modify for Secret {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .bearer_format("64 lower-case hex digits")
            .description(Some("A secret that the client made itself, e.g. with `openssl rand -hex 32`."));
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("secret", SecurityScheme::Http(scheme.build()));
    }
}

/// The document of this service.
pub fn document() -> utoipa::openapi::OpenApi {
    App::new().into_utoipa_app().openapi(Document::openapi()).configure(routes).split_for_parts().1
}

/// The document as it is committed in openapi/openapi.json.
pub fn text() -> String {
    document().to_pretty_json().map(|text| text + "\n").unwrap_or_default()
}

/// The OpenAPI document
#[utoipa::path(
    tag = "reference",
    responses((status = 200, description = "This document", content_type = "application/json"), StaticProblems),
)]
#[get("/openapi.json")]
pub async fn get_openapi(req: HttpRequest, text: actix_web::web::Data<OpenApiText>) -> HttpResponse {
    let reply = Reply::about_service(&req);
    reply.send(actix_web::http::StatusCode::OK, "application/json", text.0.clone())
}

/// The document, written once.
pub struct OpenApiText(pub String);

/// The problems of an operation, as the document lists them: one response a status, naming its codes.
pub fn problem_responses(codes: &[Code]) -> BTreeMap<String, RefOr<Response>> {
    let mut by_status: BTreeMap<String, Vec<Code>> = BTreeMap::new();
    // These can come from anywhere.
    let everywhere = [Code::NotAcceptable, Code::Internal].into_iter().filter(|code| !codes.contains(code));
    for code in codes.iter().copied().chain(everywhere) {
        by_status.entry(code.status().as_str().to_owned()).or_default().push(code);
    }
    let response = |codes: &[Code]| {
        let lines = codes.iter().map(|code| format!("`{}`: {}", code.as_str(), code.meaning()));
        let schema = Ref::from_schema_name("Problem");
        ResponseBuilder::new()
            .description(lines.collect::<Vec<_>>().join("\n\n"))
            .content(PROBLEM_JSON, ContentBuilder::new().schema(Some(schema)).build())
            .build()
    };
    by_status.into_iter().map(|(status, codes)| (status, RefOr::T(response(&codes)))).collect()
}
