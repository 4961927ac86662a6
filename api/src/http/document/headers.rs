//! The headers of responses, and those that every request may have: the document has each once, and refers to it.

use serde_json::{Map, Value, json};

/// A header of responses.
struct Header {
    name: &'static str,
    description: &'static str,
    /// Whether it is always there, or only where it applies.
    is_always_sent: bool,
}

const HEADERS: &[Header] = &[
    Header {
        name: "Accept",
        description: "The media types that would have been accepted, where the body had another",
        is_always_sent: false,
    },
    Header {
        name: "Accept-Encoding",
        description: "What a body may be packed with, where it was packed otherwise",
        is_always_sent: false,
    },
    Header { name: "Cache-Control", description: "How long the response may be kept", is_always_sent: true },
    Header {
        name: "Content-Location",
        description: "Where GET returns this body; not with a receipt beside it",
        is_always_sent: false,
    },
    Header {
        name: "ETag",
        description: "The entity tag of this representation: the head's hash or `-`, a dot, and a hash of the body; it ends in `-gzip` where the body is compressed",
        is_always_sent: true,
    },
    Header {
        name: "Ignored-Tags",
        description: "The names of the tags of the record that are not kept, since the game was there before and has them not, or with other values; as many as fit",
        is_always_sent: false,
    },
    Header {
        name: "Link",
        description: "The next page, with `rel=\"next\"` (RFC 8288); not on the last page",
        is_always_sent: false,
    },
    Header {
        name: "Location",
        description: "The game, or the first move that was written",
        is_always_sent: true,
    },
    Header {
        name: "RateLimit",
        description: "The rate that was exceeded, and after how many seconds something is left of it; not where too much is under way at once",
        is_always_sent: false,
    },
    Header {
        name: "RateLimit-Policy",
        description: "How many requests of which kind in how many seconds, as `GET /v1/limits` has it",
        is_always_sent: false,
    },
    Header { name: "Retry-After", description: "After how many seconds to try again", is_always_sent: true },
    Header {
        name: "Vary",
        description: "The headers of the request that the response depends on",
        is_always_sent: true,
    },
    Header { name: "WWW-Authenticate", description: "`Bearer`", is_always_sent: true },
    Header {
        name: "X-Request-Id",
        description: "The id of the request, which the log has too: the one that the request named in the same header, where it has 1 to 64 letters, digits and `.`, `_` and `-`; else a new one",
        is_always_sent: true,
    },
];

/// Headers that requests may have.
const ACCEPTED: &[(&str, &str)] = &[
    (
        "If-None-Match",
        "Entity tags that you have; if one of them is current, the response is 304, without a body",
    ),
    (
        "X-Request-Id",
        "An id of the request, which the response and what the log says about the request have then, if it is 1 to 64 letters, digits, `.`, `_` and `-`; else the service makes one",
    ),
];

/// Returns the components for headers of responses.
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

/// Returns the components for headers of requests.
pub fn accepted() -> Map<String, Value> {
    let component = |(name, description): &(&str, &str)| {
        let header = json!({
            "name": name, "in": "header", "required": false, "description": description, "schema": {"type": "string"},
        });
        ((*name).to_owned(), header)
    };
    ACCEPTED.iter().map(component).collect()
}

/// Returns the headers that every response with this status has, or may have.
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
