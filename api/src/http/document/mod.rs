//! The OpenAPI document: generated from the handlers, never edited by hand.

use actix_web::App;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};
use utoipa_actix_web::AppExt;

use self::finish::finish;
pub use self::headers::ignores_query;
use super::routes::routes;
use crate::problem::Problem;

mod bounds;
mod finish;
mod headers;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Assam",
        description = include_str!("introduction.md"),
        contact(name = "The Assam project"),
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    servers((url = ".", description = "This service: where this document is")),
    tags(
        (name = "games", description = "Create, find and read games, and take seats"),
        (name = "play", description = "List legal moves and submit moves"),
        (name = "replay", description = "Read logs and proofs, and moves, states and scores at any ply"),
        (name = "log", description = "Read the public log of games, and find where they are in it"),
        (name = "records", description = "Validate and import records"),
        (name = "reference", description = "Rule sets, problem codes and this document"),
        (name = "operation", description = "Health checks for operators"),
    ),
    components(schemas(Problem)),
    modifiers(&SecretScheme),
)]
struct Document;

struct SecretScheme;

impl Modify for SecretScheme {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .bearer_format("64 lower-case hex digits")
            .description(Some(
                "A secret that the client generates itself, for example with `openssl rand -hex 32`.",
            ));
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("secret", SecurityScheme::Http(scheme.build()));
    }
}

/// Returns the document of this service.
pub fn document() -> utoipa::openapi::OpenApi {
    App::new().into_utoipa_app().openapi(Document::openapi()).configure(routes).split_for_parts().1
}

/// Returns the document as text, as it is committed in openapi/openapi.json.
pub fn text() -> String {
    let document = serde_json::to_value(document()).unwrap_or_default();
    serde_json::to_string_pretty(&finish(document)).map(|text| text + "\n").unwrap_or_default()
}
