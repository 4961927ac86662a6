//! The operations of the committed OpenAPI document, and the problems that it lists for each.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::Value;

/// Method and route of an operation: `get /v1/games/{id}`.
pub(crate) type Operation = String;

/// The codes that the document lists for each operation, but for those that can come from anywhere.
pub(crate) static LISTED: LazyLock<BTreeMap<Operation, BTreeSet<String>>> = LazyLock::new(|| {
    let mut listed = BTreeMap::new();
    for (route, item) in DOCUMENT["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let mut codes: BTreeSet<String> =
                operation["responses"].as_object().unwrap().values().flat_map(codes).collect();
            for code in ANYWHERE {
                assert!(codes.remove(code), "{method} {route}: {code}");
            }
            listed.insert(format!("{method} {route}"), codes);
        }
    }
    listed
});

/// Whether a path is that of a page, a file or a check of health, which ignore parameters that they do not know.
pub(crate) fn ignores_query(path: &str) -> bool {
    let ignoring = ["/grammar", "/livez", "/openapi.json", "/readyz", "/v1/problems"];
    ignoring.iter().any(|ignoring| path.starts_with(ignoring))
}

/// Codes that every operation lists: a failure of the service's own, and a query with what the operation does not read, or a request
/// behind one that said `Connection: close`.
const ANYWHERE: [&str; 2] = ["bad_request", "internal"];

/// The codes that a response's description names: a line each, `` `code`: meaning ``.
fn codes(response: &Value) -> impl Iterator<Item = String> {
    let text = response["description"].as_str().unwrap();
    text.lines().filter_map(|line| Some(line.strip_prefix('`')?.split_once("`: ")?.0.to_owned()))
}

/// The committed document, expanded.
pub(crate) static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    expanded(serde_json::from_str(include_str!("../../../../openapi/openapi.json")).unwrap())
});

/// Puts what a document has once, as a component, where operations refer to it. Schemas stay where they are.
pub(crate) fn expanded(mut document: Value) -> Value {
    fn expand(value: &mut Value, components: &Value) {
        let place = value["$ref"].as_str().and_then(|place| place.strip_prefix("#/components"));
        if let Some(place) = place.filter(|place| !place.starts_with("/schemas/")) {
            *value = components.pointer(place).unwrap_or_else(|| panic!("nothing is at {place}")).clone();
        }
        value.as_object_mut().into_iter().flatten().for_each(|(_, inner)| expand(inner, components));
        value.as_array_mut().into_iter().flatten().for_each(|inner| expand(inner, components));
    }
    let components = document["components"].clone();
    expand(&mut document["paths"], &components);
    document
}

/// The headers that say something about a response of an operation; all others are of HTTP itself, or of every response.
const TELLING: [&str; 15] = [
    "accept",
    "accept-encoding",
    "allow",
    "cache-control",
    "content-location",
    "etag",
    "ignored-tags",
    "link",
    "location",
    "ratelimit",
    "ratelimit-policy",
    "retry-after",
    "vary",
    "www-authenticate",
    "x-request-id",
];

/// Holds the headers of a response to those that the document declares for the operation and the status: what is always
/// sent is there, and nothing is sent that is not declared.
pub(crate) fn check_headers(method: &str, path: &str, status: u16, sent: &[(String, String)]) {
    let Some(operation) = operation(method, path) else { return };
    let (method, route) = operation.split_once(' ').unwrap();
    let response = &DOCUMENT["paths"][route][method]["responses"][status.to_string()];
    assert!(response.is_object(), "{operation} does not list the status {status} ({path})");
    let declared = response["headers"].as_object().cloned().unwrap_or_default();
    let is_sent = |name: &str| sent.iter().any(|(one, _)| one.eq_ignore_ascii_case(name));
    for (name, header) in &declared {
        assert!(header["required"] != true || is_sent(name), "{operation} {status} comes without {name}");
    }
    for name in TELLING.into_iter().filter(|name| is_sent(name)) {
        let is_declared = declared.keys().any(|declared| declared.eq_ignore_ascii_case(name));
        assert!(is_declared, "{operation} {status} does not declare {name}");
    }
}

/// The operation that a request is for; none where the document has no such operation.
pub(crate) fn operation(method: &str, path: &str) -> Option<Operation> {
    let method = if method == "HEAD" { "get".to_owned() } else { method.to_lowercase() };
    let path = path.split('?').next().unwrap_or_default();
    let fits = |route: &str| {
        // The place of a tile has slashes; of two operations that fit, that without a name for its level is meant.
        if let Some(stem) = route.strip_suffix("{level}/{place}") {
            let rest = path.strip_prefix(stem).and_then(|rest| rest.split_once('/'));
            return rest.is_some_and(|(level, _)| level != "entries");
        }
        if let Some(stem) = route.strip_suffix("{place}") {
            return path.starts_with(stem);
        }
        let (wanted, found): (Vec<&str>, Vec<&str>) = (route.split('/').collect(), path.split('/').collect());
        let same = |(wanted, found): (&&str, &&str)| match wanted.split_once('}') {
            Some((_, ending)) => {
                !found.is_empty() && found.ends_with(ending) && found.ends_with(".svg") == (ending == ".svg")
            }
            None => wanted == found,
        };
        wanted.len() == found.len() && wanted.iter().zip(&found).all(same)
    };
    // The route with the fewest parameters is meant, whether it has the method or not: `/v1/games/events` is no id of a game.
    let routes = LISTED.keys().filter_map(|operation| operation.split_once(' ')).map(|(_, route)| route);
    let route = routes.filter(|route| fits(route)).min_by_key(|route| route.matches('{').count())?;
    LISTED.keys().find(|operation| **operation == format!("{method} {route}")).cloned()
}

/// Holds the code of a problem to what the document lists for the operation that answered it.
pub(crate) fn check_is_listed(method: &str, path: &str, code: &str) {
    if ANYWHERE.contains(&code) {
        return;
    }
    if let Some(operation) = operation(method, path) {
        assert!(LISTED[&operation].contains(code), "{operation} does not list {code} ({path})");
    }
}
