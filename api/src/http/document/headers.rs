//! The headers of responses, which follow from the operation and the status.

use serde_json::{Map, Value, json};

/// A header that some responses have.
struct Header {
    name: &'static str,
    description: &'static str,
    /// Whether it is always there, or only where it applies.
    is_always_sent: bool,
    /// Which responses have it, by the name of the operation and the status.
    is_on: fn(&str, &str) -> bool,
}

const HEADERS: &[Header] = &[
    Header {
        name: "Accept",
        description: "The media types that would have been accepted, where the body had another",
        is_always_sent: false,
        is_on: |_, status| status == "415",
    },
    Header {
        name: "Accept-Encoding",
        description: "What a body may be packed with, where it was packed otherwise",
        is_always_sent: false,
        is_on: |_, status| status == "415",
    },
    Header {
        name: "Cache-Control",
        description: "How long the response may be kept",
        is_always_sent: true,
        is_on: |_, _| true,
    },
    Header {
        name: "Content-Location",
        description: "Where GET returns this body; not with a receipt beside it",
        is_always_sent: false,
        is_on: |operation, status| is_good(status) && is_about_the_game(operation),
    },
    Header {
        name: "ETag",
        description: "The entity tag of this representation: the head's hash or `-`, a dot, and a hash of the body; it ends in `-gzip` where the body is compressed",
        is_always_sent: true,
        is_on: |operation, status| {
            (has_body(status) || status == "304") && !is_health(operation) && !is_streamed(operation)
        },
    },
    Header {
        name: "Ignored-Tags",
        description: "The names of the tags of the record that are not kept, since the game was there before and has them not, or with other values; as many as fit",
        is_always_sent: false,
        is_on: |operation, status| operation == "post /v1/imports" && status == "200",
    },
    Header {
        name: "Link",
        description: "The next page, with `rel=\"next\"` (RFC 8288); not on the last page",
        is_always_sent: false,
        is_on: |operation, status| matches!(status, "200" | "304") && is_list(operation),
    },
    Header {
        name: "Location",
        description: "The game, or the first move that was written",
        is_always_sent: true,
        is_on: |operation, status| is_good(status) && (is_made(operation) || operation == SUBMIT),
    },
    Header {
        name: "RateLimit",
        description: "The rate that was exceeded, and after how many seconds something is left of it; not where too much is under way at once",
        is_always_sent: false,
        is_on: |_, status| status == "429",
    },
    Header {
        name: "RateLimit-Policy",
        description: "How many requests of which kind in how many seconds, as `GET /v1/limits` has it",
        is_always_sent: false,
        is_on: |_, status| status == "429",
    },
    Header {
        name: "Retry-After",
        description: "After how many seconds to try again",
        is_always_sent: true,
        is_on: |_, status| matches!(status, "429" | "503"),
    },
    Header {
        name: "Vary",
        description: "The headers of the request that the response depends on",
        is_always_sent: true,
        is_on: |operation, status| {
            (has_body(status) || status == "304")
                && !is_health(operation)
                && !is_bulk(operation)
                && !is_followed(operation)
        },
    },
    Header {
        name: "WWW-Authenticate",
        description: "`Bearer`",
        is_always_sent: true,
        is_on: |_, status| status == "401",
    },
    Header {
        name: "X-Request-Id",
        description: "The id of the request, which the log has too: the one that the request named in the same header, where it has 1 to 64 letters, digits and `.`, `_` and `-`; else a new one",
        is_always_sent: true,
        is_on: |_, _| true,
    },
];

const SUBMIT: &str = "put /v1/games/{id}/moves/{ply}";
const RENAME: &str = "patch /v1/games/{id}/seats/{seat}";
const DELIVER: &str = "put /v1/games/{id}/beacon";

/// Returns whether an operation is a stream of events.
fn is_followed(operation: &str) -> bool {
    operation.starts_with("get ") && operation.ends_with("/events")
}

/// Returns whether an operation is a health check, whose response is never kept.
pub fn is_health(operation: &str) -> bool {
    matches!(operation, "get /livez" | "get /readyz")
}

/// Returns whether a path is that of a page, a file or a check of health. Browsers and probes fetch these with parameters that
/// trackers add, and that get past caches: they are ignored.
pub fn ignores_query(path: &str) -> bool {
    let named = ["/grammar", "/livez", "/openapi.json", "/readyz", "/v1/problems"];
    named
        .iter()
        .any(|name| path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// Returns whether an operation takes many records.
pub fn is_bulk(operation: &str) -> bool {
    matches!(operation, "post /v1/validate/bulk" | "post /v1/imports/bulk")
}

/// Returns whether a response is sent while it is made, so that nothing is known of its end at its beginning.
pub fn is_streamed(operation: &str) -> bool {
    is_bulk(operation) || operation == "get /v1/export" || is_followed(operation)
}

/// Returns whether an operation makes a game, or part of it.
pub fn is_made(operation: &str) -> bool {
    matches!(
        operation,
        "post /v1/games"
            | "post /v1/imports"
            | "put /v1/games/{id}/seats/{seat}"
            | "post /v1/games/{id}/rematch"
    )
}

fn is_about_the_game(operation: &str) -> bool {
    is_made(operation) || operation == RENAME || operation == DELIVER
}

/// Returns whether a status says that all went well.
pub fn is_good(status: &str) -> bool {
    status.starts_with('2')
}

/// Returns whether a status says that all went well, and here is something.
fn has_body(status: &str) -> bool {
    is_good(status) && status != "204"
}

fn is_list(operation: &str) -> bool {
    matches!(operation, "get /v1/games" | "get /v1/me/games" | "get /v1/scores")
}

/// Returns the headers of a response.
pub fn of(operation: &str, status: &str) -> Value {
    let on = HEADERS.iter().filter(|header| (header.is_on)(operation, status));
    let described = on.map(|Header { name, description, is_always_sent, .. }| {
        // A link repeats the query, which may be long.
        let longest = match *name {
            "Link" => 65_536,
            "Ignored-Tags" => 4096,
            _ => 256,
        };
        let schema = json!({"type": "string", "maxLength": longest});
        (
            (*name).to_owned(),
            json!({"description": description, "required": is_always_sent, "schema": schema}),
        )
    });
    Value::Object(described.collect::<Map<String, Value>>())
}
