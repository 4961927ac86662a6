//! The operations of the committed OpenAPI document, and the problems listed for each.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde_json::Value;

/// The method and route of an operation, such as `get /v1/games/{id}`.
pub(crate) type Operation = String;

/// The codes listed for each operation, except those that can come from anywhere.
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

/// Returns whether a path is a page, a file or a health check, which ignore unknown parameters.
pub(crate) fn ignores_query(path: &str) -> bool {
    let ignoring = ["/grammar", "/livez", "/openapi.json", "/readyz", "/v1/problems"];
    ignoring.iter().any(|ignoring| path.starts_with(ignoring))
}

/// Codes listed for every operation: an internal failure, and an unknown query parameter or a request after
/// `Connection: close`.
const ANYWHERE: [&str; 2] = ["bad_request", "internal"];

/// Returns the codes in a response's description, one per line: `` `code`: meaning ``.
fn codes(response: &Value) -> impl Iterator<Item = String> {
    let text = response["description"].as_str().unwrap();
    text.lines().filter_map(|line| Some(line.strip_prefix('`')?.split_once("`: ")?.0.to_owned()))
}

/// The committed document, expanded.
pub(crate) static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    expanded(serde_json::from_str(include_str!("../../../../openapi/openapi.json")).unwrap())
});

/// Replaces references to components in a document. Schemas stay in place.
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

/// The headers that belong to an operation. All others are general or part of HTTP itself.
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

/// Compares the headers of a response with those declared for the operation and the status. Required ones
/// must be there, and undeclared ones must not.
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

/// Returns the operation of a request, or `None` if the document has no such operation.
pub(crate) fn operation(method: &str, path: &str) -> Option<Operation> {
    let method = if method == "HEAD" { "get".to_owned() } else { method.to_lowercase() };
    let path = path.split('?').next().unwrap_or_default();
    let fits = |route: &str| {
        // The place of a tile has slashes. If two operations match, the one without a name for its level
        // applies.
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
    // The route with the fewest parameters applies, whether it has the method or not: `/v1/games/events` is
    // no id of a game.
    let routes = LISTED.keys().filter_map(|operation| operation.split_once(' ')).map(|(_, route)| route);
    let route = routes.filter(|route| fits(route)).min_by_key(|route| route.matches('{').count())?;
    LISTED.keys().find(|operation| **operation == format!("{method} {route}")).cloned()
}

/// Checks that the code of a problem is listed for its operation.
pub(crate) fn check_is_listed(method: &str, path: &str, code: &str) {
    if ANYWHERE.contains(&code) {
        return;
    }
    if let Some(operation) = operation(method, path) {
        assert!(LISTED[&operation].contains(code), "{operation} does not list {code} ({path})");
    }
}
