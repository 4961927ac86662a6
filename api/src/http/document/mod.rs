//! The OpenAPI document: generated from the handlers, never edited by hand.

use actix_web::App;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};
use utoipa_actix_web::AppExt;

use self::finish::finish;
use super::routes::routes;
use crate::problem::Problem;

mod finish;
mod headers;
mod schemas;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Assam",
        description = include_str!("introduction.md"),
        contact(name = "The Assam project"),
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    servers((url = ".", description = "This service")),
    tags(
        (name = "games", description = "Create, find and read games, and take seats"),
        (name = "play", description = "List legal moves and submit moves"),
        (name = "replay", description = "Read logs and proofs, and moves, states and scores at any ply"),
        (name = "log", description = "Read the public log of games and locate games in it"),
        (name = "records", description = "Validate and import records"),
        (name = "analysis", description = "Find out who was lucky, who made errors, and what was better"),
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
                "A secret that the client generates, for example with `openssl rand -hex 32`.",
            ));
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("secret", SecurityScheme::Http(scheme.build()));
    }
}

/// Returns the document.
pub fn document() -> utoipa::openapi::OpenApi {
    App::new().into_utoipa_app().openapi(Document::openapi()).configure(routes).split_for_parts().1
}

/// Returns the document as text, as committed in openapi/openapi.json.
pub fn text() -> String {
    let document = serde_json::to_value(document()).unwrap_or_default();
    serde_json::to_string_pretty(&finish(document)).map(|text| text + "\n").unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::Value;

    #[test]
    fn the_document_stays_small_and_has_each_header_once() {
        let text = super::text();
        assert!(text.len() <= 750_000, "{} bytes", text.len());
        let document: Value = serde_json::from_str(&text).unwrap();
        let items = document["paths"].as_object().unwrap().values();
        let operations = items.flat_map(|item| item.as_object().unwrap().values());
        let own = operations.flat_map(|operation| operation["responses"].as_object().unwrap().values());
        let shared = document["components"]["responses"].as_object().unwrap().values();
        let mut headers = 0;
        for header in own.chain(shared).filter_map(|response| response["headers"].as_object()).flatten() {
            let (name, reference) = (header.0, header.1["$ref"].as_str().unwrap());
            assert_eq!(reference.strip_prefix("#/components/headers/"), Some(name.as_str()));
            assert!(document["components"]["headers"][name].is_object(), "{name}");
            headers += 1;
        }
        assert!(headers > 300, "{headers}");
    }
}
