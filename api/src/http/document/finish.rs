//! Adds to the document the parts that all operations share, as components.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::schemas::items_mut;
use super::{headers, schemas};
use crate::http::response::refusals;
use crate::http::response::reply::NDJSON;
use crate::problem::PROBLEM_JSON;

/// The recorded example responses: by operation, status, media type and name.
const EXAMPLES: &str = include_str!("../../../../openapi/examples.json");

/// The response without a body, sent if the client has the current one.
const NOT_MODIFIED: &str = "not_modified";

/// Finishes the document.
pub fn finish(mut document: Value) -> Value {
    schemas::finish(&mut document);
    let schemas = document["components"]["schemas"].clone();
    let examples: Value = serde_json::from_str(EXAMPLES).unwrap_or_default();
    let mut problems = BTreeSet::new();
    for (path, item) in members_mut(&mut document, "paths") {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            for (_, response) in members_mut(operation, "responses") {
                let name = response["$ref"].as_str().and_then(|name| name.rsplit('/').next());
                problems.extend(name.map(str::to_owned));
            }
            finish_operation(method, operation, &schemas);
            add_examples(operation, &examples[format!("{method} {path}")]);
        }
    }
    let components = &mut document["components"];
    components["headers"] = json!(headers::sent());
    components["parameters"] = json!(headers::accepted());
    components["links"] = json!(links());
    components["responses"] = problems.iter().map(|name| (name.clone(), problem_response(name))).collect();
    components["responses"][NOT_MODIFIED] = not_modified();
    components["examples"] = problem_examples(&examples);
    document
}

fn finish_operation(method: &str, operation: &mut Value, schemas: &Value) {
    let content = operation["responses"]["200"]["content"].as_object();
    let has = |media_type: &str| content.is_some_and(|content| content.contains_key(media_type));
    let is_followed = has("text/event-stream");
    let is_bulk = !operation["requestBody"]["content"][NDJSON].is_null();
    // Sent while it is made, so its end is unknown at the beginning.
    let is_streamed = has(NDJSON) && !has("application/json");
    // Health checks are never cached.
    let is_kept = operation["tags"][0] != "operation" && !is_streamed;
    let is_varied = operation["tags"][0] != "operation" && !is_bulk && !is_followed;
    let pages = !operation["responses"]["200"]["headers"]["Link"].is_null();
    if method == "get" && is_kept {
        accept_header(operation, "If-None-Match");
        operation["responses"]["304"] = match pages {
            true => not_modified(),
            false => reference("responses", NOT_MODIFIED),
        };
        if pages {
            add_header(&mut operation["responses"]["304"], "Link");
        }
    }
    accept_header(operation, "X-Request-Id");
    items_mut(operation, "parameters").for_each(bound);
    if let Some(body) = operation.get_mut("requestBody") {
        // An empty body means no records, or `{}`.
        let fields = body["content"]["application/json"]["schema"]["$ref"].as_str();
        let fields = fields.and_then(|fields| schemas.get(fields.rsplit('/').next()?));
        let wants_none = |fields: &Value| fields["required"].is_null() && fields["minProperties"].is_null();
        body["required"] = json!(!is_bulk && !fields.is_some_and(wants_none));
    }
    if operation["security"].is_null() {
        operation["security"] = json!([]);
    }
    for (status, response) in
        members_mut(operation, "responses").filter(|(status, _)| status.starts_with('2'))
    {
        for (name, header) in members_mut(response, "headers") {
            *header = reference("headers", name);
        }
        headers::of_status(status).for_each(|name| add_header(response, name));
        if status != "204" && is_kept {
            add_header(response, "ETag");
        }
        if status != "204" && is_varied {
            add_header(response, "Vary");
        }
        if let Some(lines) = response.pointer_mut("/content/application~1x-ndjson/schema") {
            // Generated clients that took it for JSON would fail at the second line. A string's content has a
            // separate schema: JSON Schema Validation 2020-12, section 8.5.
            *lines = json!({"type": "string", "format": "binary", "contentMediaType": NDJSON, "contentSchema": lines});
        }
        let is_of_game =
            response["content"]["application/json"]["schema"]["$ref"] == "#/components/schemas/GameView";
        if is_of_game && !response["headers"]["Location"].is_null() {
            response["links"] =
                links().into_iter().map(|(name, _)| (name.clone(), reference("links", &name))).collect();
        }
    }
}

/// Bounds query parameters. Longer or larger values are refused because they match nothing, not for their
/// form.
fn bound(parameter: &mut Value) {
    let bounds: &[(&str, Value)] = match (parameter["in"].as_str(), parameter["name"].as_str()) {
        (Some("query"), Some("ply")) => &[("maximum", json!(65_536))],
        (Some("query"), Some("ruleset")) => &[("minLength", json!(1)), ("maxLength", json!(64))],
        (Some("query"), Some("cursor")) => &[("pattern", json!("^[0-9a-f]+$")), ("maxLength", json!(256))],
        _ => return,
    };
    for (keyword, value) in bounds {
        parameter["schema"][keyword] = value.clone();
    }
}

fn reference(kind: &str, name: &str) -> Value {
    json!({"$ref": format!("#/components/{kind}/{name}")})
}

fn add_header(response: &mut Value, name: &str) {
    response["headers"][name] = reference("headers", name);
}

/// Adds a request header.
fn accept_header(operation: &mut Value, name: &str) {
    let header = reference("parameters", name);
    match operation["parameters"].as_array_mut() {
        Some(parameters) => parameters.push(header),
        None => operation["parameters"] = json!([header]),
    }
}

fn not_modified() -> Value {
    let mut response = json!({"description": "Nothing has changed since the response with your entity tag"});
    headers::of_status("304").for_each(|name| add_header(&mut response, name));
    response
}

/// Returns a shared response, with an example of each problem.
fn problem_response(name: &str) -> Value {
    let codes = refusals::codes_of(name);
    let mut response = json!(refusals::response(&codes));
    if let Some(code) = codes.first() {
        headers::of_status(code.status().as_str()).for_each(|name| add_header(&mut response, name));
    }
    response["content"][PROBLEM_JSON]["examples"] =
        codes.iter().map(|code| (code.as_str().to_owned(), reference("examples", code.as_str()))).collect();
    response
}

/// Returns the first recorded example of each problem.
fn problem_examples(examples: &Value) -> Value {
    let statuses = examples.as_object().into_iter().flat_map(Map::values);
    let media_types = statuses.filter_map(Value::as_object).flat_map(Map::values);
    let named = media_types.filter_map(|media_types| media_types[PROBLEM_JSON].as_object()).flatten();
    let mut first = Map::new();
    for (code, problem) in named {
        first.entry(code).or_insert_with(|| json!({"value": problem}));
    }
    Value::Object(first)
}

/// Returns the next operations on a game in a response.
fn links() -> Map<String, Value> {
    let steps = [
        ("get_game", "Read the game"),
        ("take_seat", "Take a seat of the game"),
        ("get_legal_moves", "List the legal moves, once the game has started"),
        ("submit_moves", "Submit a move, once the game has started"),
        ("get_log", "Read its record, once the game has started"),
    ];
    let link = |(operation, description): (&str, &str)| {
        let parameters = json!({"id": "$response.body#/id"});
        let link = json!({"operationId": operation, "parameters": parameters, "description": description});
        (operation.to_owned(), link)
    };
    steps.map(link).into_iter().collect()
}

fn add_examples(operation: &mut Value, examples: &Value) {
    for (status, media_types) in examples.as_object().into_iter().flatten() {
        for (media_type, named) in media_types.as_object().into_iter().flatten() {
            let content = operation
                .pointer_mut(&format!("/responses/{status}/content/{}", media_type.replace('/', "~1")));
            if let Some(content) = content {
                let named = named.as_object().into_iter().flatten();
                let example = |value: &Value| match media_type == NDJSON {
                    true => json!({"value": format!("{value}\n")}),
                    false => json!({"value": value}),
                };
                content["examples"] = named.map(|(name, value)| (name.clone(), example(value))).collect();
            }
        }
    }
}

/// Returns the members of an object member, or none if it is missing.
pub fn members_mut<'a>(
    value: &'a mut Value,
    member: &str,
) -> impl Iterator<Item = (&'a String, &'a mut Value)> {
    value.get_mut(member).and_then(Value::as_object_mut).into_iter().flatten()
}
