//! Response headers, and headers that every request may have. The document describes each once and refers to
//! it.

use serde_json::{Map, Value, json};

/// A header of responses.
struct Header {
    name: &'static str,
    description: &'static str,
    /// Whether it is sent with every such response.
    is_always_sent: bool,
}

const HEADERS: &[Header] = &[
    Header {
        name: "Accept",
        description: "The accepted media types, if the body has a different one",
        is_always_sent: false,
    },
    Header {
        name: "Accept-Encoding",
        description: "The accepted content codings, if the body has a different one",
        is_always_sent: false,
    },
    Header {
        name: "Cache-Control",
        description: "How long the response may be cached",
        is_always_sent: true,
    },
    Header {
        name: "Content-Location",
        description: "The address at which GET returns this body, unless the body includes a receipt",
        is_always_sent: false,
    },
    Header {
        name: "ETag",
        description: "The entity tag of this representation: the head's hash or `-`, a dot, a hash of the body, and `-gzip` if compressed",
        is_always_sent: true,
    },
    Header {
        name: "Ignored-Tags",
        description: "The names of tags that were not kept, because the game already existed without them or with other values (as many as fit)",
        is_always_sent: false,
    },
    Header {
        name: "Link",
        description: "The next page, with `rel=\"next\"` (RFC 8288), except on the last page",
        is_always_sent: false,
    },
    Header { name: "Location", description: "The game, or the first move written", is_always_sent: true },
    Header {
        name: "RateLimit",
        description: "The exceeded rate, and in how many seconds you can send a request again. Absent if too many requests are in progress",
        is_always_sent: false,
    },
    Header {
        name: "RateLimit-Policy",
        description: "The bucket, number of requests and seconds of the rate, as in `GET /v1/limits`",
        is_always_sent: false,
    },
    Header {
        name: "Retry-After",
        description: "How many seconds to wait before you try again",
        is_always_sent: true,
    },
    Header {
        name: "Vary",
        description: "The request headers that the response depends on",
        is_always_sent: true,
    },
    Header { name: "WWW-Authenticate", description: "`Bearer`", is_always_sent: true },
    Header {
        name: "X-Request-Id",
        description: "The id of the request, which is also in the service's log: the one you sent if it is valid, otherwise a new one",
        is_always_sent: true,
    },
];

/// Headers that requests may have.
const ACCEPTED: &[(&str, &str)] = &[
    ("If-None-Match", "Entity tags that you have. If one is current, the response is 304 without a body"),
    (
        "X-Request-Id",
        "An id for the response and the service's log: 1 to 64 letters, digits, `.`, `_` and `-`. The service replaces an invalid id",
    ),
];

/// Returns the components for response headers.
pub fn sent() -> Map<String, Value> {
    let component = |Header { name, description, is_always_sent }: &Header| {
        // A link repeats the query, which may be long.
        let longest = match *name {
            "Link" => 65_536,
            "Ignored-Tags" => 4096,
            _ => 256,
        };
        let schema = json!({"type": "string", "maxLength": longest});
        let header = json!({"description": description, "required": is_always_sent, "schema": schema});
        ((*name).to_owned(), header)
    };
    HEADERS.iter().map(component).collect()
}

/// Returns the components for request headers.
pub fn accepted() -> Map<String, Value> {
    let component = |(name, description): &(&str, &str)| {
        let header = json!({
            "name": name, "in": "header", "required": false, "description": description, "schema": {"type": "string"},
        });
        ((*name).to_owned(), header)
    };
    ACCEPTED.iter().map(component).collect()
}

/// Returns the headers that responses with this status have or may have.
pub fn of_status(status: &str) -> impl Iterator<Item = &'static str> {
    let more: &[&str] = match status {
        "304" => &["ETag", "Vary"],
        "401" => &["WWW-Authenticate"],
        "415" => &["Accept", "Accept-Encoding"],
        "429" => &["RateLimit", "RateLimit-Policy", "Retry-After"],
        "503" => &["Retry-After"],
        _ => &[],
    };
    ["Cache-Control", "X-Request-Id"].into_iter().chain(more.iter().copied())
}
