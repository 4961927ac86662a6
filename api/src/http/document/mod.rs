//! The OpenAPI document: generated from the handlers, never edited by hand.

use actix_web::App;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};
use utoipa_actix_web::AppExt;

use self::finish::finish;
use super::routes::routes;
use crate::problem::Problem;

mod bounds;
mod finish;
mod headers;
mod members;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Assam",
        description = "An open game-record service: create games of Marrakech and Marrakesh, play them move by move, \
            fetch and replay their records, and validate records from elsewhere. The service draws all chance, and \
            appends every move to a log that is never rewritten. In a running match of Marrakesh, each response shows \
            only what its requester may see: every hidden card is `??`.\n\nThere are no accounts. A client generates \
            its own secret (`openssl rand -hex 32`) and sends it as `Authorization: Bearer <secret>`. Errors are RFC \
            9457 problems with a `code` from a closed list: see `/v1/problems`.",
        contact(name = "The Assam project"),
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    servers((url = "/", description = "This service")),
    tags(
        (name = "games", description = "Create, find and read games, and take seats"),
        (name = "play", description = "List legal moves and submit moves"),
        (name = "replay", description = "Read logs and proofs, and moves, states and scores at any ply"),
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
