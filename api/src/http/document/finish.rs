//! What the document says of all operations alike, and is not said at each of them.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::bounds::{self, items_mut, members_mut};
use super::headers;
use crate::http::response::reply::NDJSON;

/// The members that are left out where they do not apply; all others of a response are always sent.
const LEFT_OUT: &[(&str, &[&str])] = &[
    (
        "Problem",
        &[
            "instance", "rule", "ply", "seat", "line", "column", "word", "why", "expected", "receipt",
            "head", "errors", "result",
        ],
    ),
    ("Health", &["witnesses", "quorum_behind"]),
    ("MovesAnswer", &["clock", "state", "legal_moves", "receipt"]),
    ("GameView", &["receipt"]),
    ("FlawView", &["pointer", "parameter"]),
    ("ScorePart", &["round"]),
    ("ExportedGame", &["states"]),
    ("WordMessage", &["state"]),
    ("RecordRow", &["position", "state", "score", "legal_moves"]),
    ("PositionParts", &["position", "state", "score", "legal_moves"]),
];
/// Those of them that may also be null.
const NULL_TOO: &[(&str, &str)] = &[("RecordRow", "legal_moves"), ("PositionParts", "legal_moves")];
/// The responses that were recorded: for each operation and status a media type with its examples by name.
const EXAMPLES: &str = include_str!("../../../../openapi/examples.json");

/// Finishes the document.
pub fn finish(mut document: Value) -> Value {
    let received = schemas_of_responses(&document);
    let schemas = document["components"]["schemas"].as_object_mut();
    if let Some(schemas) = schemas {
        // The notation refuses a longer word.
        let submitted = schemas.get_mut("SubmitMoves");
        if let Some(word) = submitted.and_then(|it| it.pointer_mut("/properties/moves/items")) {
            word["maxLength"] = json!(64);
        }
        tell_apart(schemas, "Event", "event", "The kind of event.");
        for lines in ["ValidationLine", "ImportLine"] {
            tell_apart(schemas, lines, "kind", "The kind of line.");
        }
        for messages in ["GameMessage", "FeedMessage", "OwnMessage"] {
            tell_apart(schemas, messages, "type", "The kind of message.");
        }
        name_states(schemas);
        for (name, schema) in schemas.iter_mut() {
            describe_references(schema);
            if received.contains(name) {
                always_sent(name, schema);
                bounds::add(name, schema);
            }
        }
    }
    let examples: Value = serde_json::from_str(EXAMPLES).unwrap_or_default();
    for (path, item) in members_mut(&mut document, "paths") {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            let name = format!("{method} {path}");
            finish_operation(&name, operation);
            add_examples(operation, &examples[&name]);
            // A failure of ours looks the same everywhere.
            add_examples(operation, &json!({"500": &examples["get /v1/games/{id}"]["500"]}));
        }
    }
    document
}

/// Returns the names of the schemas that a response can contain.
fn schemas_of_responses(document: &Value) -> BTreeSet<String> {
    let items = document["paths"].as_object().into_iter().flat_map(Map::values);
    let operations = items.filter_map(Value::as_object).flat_map(Map::values);
    let mut open: Vec<&Value> = operations.map(|operation| &operation["responses"]).collect();
    let mut names = BTreeSet::new();
    while let Some(value) = open.pop() {
        let name = value["$ref"].as_str().and_then(|place| place.strip_prefix("#/components/schemas/"));
        if let Some(name) = name
            && names.insert(name.to_owned())
        {
            open.push(&document["components"]["schemas"][name]);
        }
        open.extend(value.as_object().into_iter().flat_map(Map::values));
        open.extend(value.as_array().into_iter().flatten());
    }
    names
}

/// Makes every variant of a schema one of its own that names itself in a member.
fn tell_apart(schemas: &mut Map<String, Value>, schema: &str, member: &str, description: &str) {
    let arms = schemas.get(schema).and_then(|event| event["oneOf"].as_array().cloned()).unwrap_or_default();
    let mut mapping = Map::new();
    let mut plain = Vec::new();
    for arm in arms {
        let (reference, name) = (&arm["allOf"][0]["$ref"], &arm["allOf"][1]["properties"][member]["enum"][0]);
        let (Some(reference), Some(name)) = (reference.as_str(), name.as_str()) else { continue };
        let schema = reference.rsplit('/').next().and_then(|schema| schemas.get_mut(schema));
        if let Some(schema) = schema {
            schema["properties"][member] =
                json!({"type": "string", "const": name, "description": description});
        }
        mapping.insert(name.to_owned(), json!(reference));
        plain.push(json!({"$ref": reference}));
    }
    if let Some(whole) = schemas.get_mut(schema) {
        whole["oneOf"] = Value::Array(plain);
        whole["type"] = json!("object");
        whole["discriminator"] = json!({"propertyName": member, "mapping": mapping});
    }
}

/// Lets clients tell the states of games apart by `game`.
fn name_states(schemas: &mut Map<String, Value>) {
    let arms = schemas.get("State").and_then(|state| state["oneOf"].as_array().cloned()).unwrap_or_default();
    let mut mapping = Map::new();
    for reference in arms.iter().filter_map(|arm| arm["$ref"].as_str()) {
        let state = reference.rsplit('/').next().and_then(|state| schemas.get_mut(state));
        let Some(game) = state.and_then(|state| state.pointer_mut("/properties/game")) else { continue };
        let Some(name) = game["allOf"][0]["enum"][0].as_str().map(str::to_owned) else { continue };
        *game = json!({"type": "string", "const": name, "description": "The game."});
        mapping.insert(name, json!(reference));
    }
    if let Some(state) = schemas.get_mut("State") {
        // Said for validators that look at nothing but the discriminator where there is one.
        state["type"] = json!("object");
        state["discriminator"] = json!({"propertyName": "game", "mapping": mapping});
    }
}

/// Says which members of a response are always there.
fn always_sent(name: &str, schema: &mut Value) {
    for part in ["allOf", "oneOf"] {
        for part in items_mut(schema, part) {
            always_sent(name, part);
        }
    }
    let left_out =
        LEFT_OUT.iter().find(|(schema, _)| *schema == name).map_or(&[][..], |(_, members)| members);
    let members = schema["properties"].as_object().into_iter().flat_map(Map::keys);
    let sent: Vec<Value> =
        members.filter(|member| !left_out.contains(&member.as_str())).map(|m| json!(m)).collect();
    if !sent.is_empty() {
        schema["required"] = Value::Array(sent);
    }
    for member in left_out.iter().filter(|member| !NULL_TOO.contains(&(name, member))) {
        if let Some(member) = schema.pointer_mut(&format!("/properties/{member}")) {
            never_null(member);
        }
    }
}

/// Says of a member that is left out where it does not apply that it is not null where it stands.
fn never_null(member: &mut Value) {
    if let Some(types) = member["type"].as_array_mut() {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            member["type"] = only.clone();
        }
    }
    let arms = member["oneOf"].as_array().into_iter().flatten();
    let arms: Vec<Value> = arms.filter(|arm| arm["type"] != "null").cloned().collect();
    if let ([only], Some(description)) = (arms.as_slice(), member.get("description")) {
        let mut one = only.clone();
        one["description"] = description.clone();
        *member = one;
    }
}

/// Moves the description of a member that refers to a schema, or is null, from the reference to the member: generators
/// look for it there.
fn describe_references(schema: &mut Value) {
    for part in items_mut(schema, "allOf") {
        describe_references(part);
    }
    for (_, member) in members_mut(schema, "properties") {
        let described = items_mut(member, "oneOf").find(|arm| arm["$ref"].is_string());
        let description = described.and_then(Value::as_object_mut).and_then(|arm| arm.remove("description"));
        if let Some(description) = description {
            member["description"] = description;
        }
    }
}

fn finish_operation(name: &str, operation: &mut Value) {
    if name.starts_with("get ") && !headers::is_health(name) && !headers::is_streamed(name) {
        add_header(
            operation,
            "If-None-Match",
            "Entity tags that you have; if one of them is current, the response is 304, without a body",
        );
        operation["responses"]["304"] =
            json!({"description": "Nothing has changed since the entity tag that you sent"});
    }
    add_header(
        operation,
        "X-Request-Id",
        "An id of the request, which the response and what the log says about the request have then, if it is 1 to 64 letters, digits, `.`, `_` and `-`; else the service makes one",
    );
    if operation["security"].is_null() {
        operation["security"] = json!([]);
    }
    for parameter in items_mut(operation, "parameters") {
        finish_parameter(parameter);
    }
    if name == "put /v1/games/{id}/seats/{seat}" || headers::is_bulk(name) {
        // Without a body, the seat has no name and no entropy, and there are no records.
        operation["requestBody"]["required"] = json!(false);
    }
    if headers::is_bulk(name) {
        for (_, media) in members_mut(&mut operation["requestBody"], "content") {
            // Generators make a file or a stream of it, not a string that is kept in memory.
            media["schema"]["format"] = json!("binary");
        }
    }
    if headers::is_health(name) {
        // Health checks are not counted.
        operation["responses"].as_object_mut().map(|responses| responses.remove("429"));
    }
    for (status, response) in members_mut(operation, "responses") {
        response["headers"] = headers::of(name, status);
        if let Some(lines) = response.pointer_mut("/content/application~1x-ndjson/schema") {
            // A generated client that took it for JSON would fail at the second line. What is in a string has a schema of its
            // own: JSON Schema Validation 2020-12, section 8.5.
            *lines = json!({"type": "string", "format": "binary", "contentMediaType": NDJSON, "contentSchema": lines});
        }
        if headers::is_good(status) && headers::is_made(name) {
            response["links"] = links();
        }
    }
}

/// Adds a header that a request may have.
fn add_header(operation: &mut Value, name: &str, description: &str) {
    let header = json!({
        "name": name, "in": "header", "required": false, "description": description, "schema": {"type": "string"},
    });
    match operation.get_mut("parameters").and_then(Value::as_array_mut) {
        Some(parameters) => parameters.push(header),
        None => operation["parameters"] = json!([header]),
    }
}

/// What can be done next with a game that a response is about.
fn links() -> Value {
    let link = |operation: &str, description: &str| json!({"operationId": operation, "parameters": {"id": "$response.body#/id"}, "description": description});
    json!({
        "get_game": link("get_game", "Read the game"),
        "take_seat": link("take_seat", "Take a seat of the game"),
        "get_legal_moves": link("get_legal_moves", "List the legal moves, once the game has started"),
        "submit_moves": link("submit_moves", "Submit a move, once the game has started"),
        "get_log": link("get_log", "Read its record, once the game has started"),
    })
}

/// Bounds what a path or a query names, which is never null: it is there or not.
fn finish_parameter(parameter: &mut Value) {
    let (name, place) = (parameter["name"].as_str().unwrap_or_default().to_owned(), parameter["in"].clone());
    let schema = &mut parameter["schema"];
    if let Some(one) =
        schema["type"].as_array().and_then(|types| types.iter().find(|one| *one != "null")).cloned()
    {
        schema["type"] = one;
    }
    let bound = match name.as_str() {
        "id" | "after" => json!({"pattern": "^[0-9a-f]{32}$"}),
        "ply" => json!({"maximum": bounds::PLIES}),
        "seat" if place == "path" => json!({"maximum": 4}),
        "name" => json!({"pattern": "^[a-z]+$", "maxLength": 64}),
        "version" => json!({"pattern": "^[1-9][0-9]*$", "maxLength": 9}),
        "page" | "code" => json!({"pattern": "^[a-z_]+$", "maxLength": 64}),
        "ruleset" => json!({"minLength": 1, "maxLength": 64}),
        "cursor" => json!({"pattern": "^[0-9a-f]+$", "maxLength": 256}),
        "Idempotency-Key" => json!({"minLength": 22, "maxLength": 257}),
        _ => return,
    };
    for (keyword, value) in bound.as_object().into_iter().flatten() {
        schema[keyword] = value.clone();
    }
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
