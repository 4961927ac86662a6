//! Mistyped addresses. A browser is redirected to the page that was meant, or gets a not-found page. Clients
//! of the interface get a problem instead.

use actix_web::http::header::{CACHE_CONTROL, LOCATION};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse};
use assam_record::game::GameId;

use super::operations::Path;
use crate::http::reference::pages;
use crate::http::request;
use crate::http::response::finished::CHANGING;
use crate::problem::PROBLEM_JSON;

const HTML: &str = "text/html";

/// The maximum number of names in a path that relative addresses can lead back to the root.
const DEEPEST: usize = 64;

/// Whether the server has the pages.
pub struct HasPages(pub bool);

/// Answers a browser's request for an address without a resource, and no other client's.
pub fn answer(req: &HttpRequest) -> Option<HttpResponse> {
    let has_pages = req.app_data::<HasPages>().is_some_and(|has| has.0);
    let forms = ["application/json", PROBLEM_JSON, HTML];
    if !has_pages || *req.method() != Method::GET || request::accepted(req, &forms).ok()? != HTML {
        return None;
    }
    let asked = req.uri().path();
    let root = up_from(asked);
    let Some(meant) = meant(asked) else { return pages::not_found(&root).ok() };
    let query = req.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut redirect = HttpResponse::build(StatusCode::PERMANENT_REDIRECT);
    redirect.insert_header((CACHE_CONTROL, CHANGING)).insert_header((LOCATION, root + &meant + &query));
    Some(redirect.finish())
}

/// Returns the relative way from a path to the root of the service. A proxy may serve the service below a
/// path that it does not pass on.
fn up_from(path: &str) -> String {
    match path.matches('/').count() {
        0 | 1 => "./".to_owned(),
        slashes if slashes <= DEEPEST => "../".repeat(slashes - 1),
        _ => "/".to_owned(),
    }
}

/// Returns the path that a mistyped one means, without the leading slash, or none if it means nothing or
/// itself.
fn meant(asked: &str) -> Option<String> {
    let names = asked.split('/').filter(|name| !name.is_empty()).map(name);
    let path = names.collect::<Option<Vec<String>>>()?.join("/");
    let path = [".html", ".htm"].iter().find_map(|end| path.strip_suffix(end)).unwrap_or(&path);
    let folder = path.strip_suffix("index").filter(|rest| rest.is_empty() || rest.ends_with('/'));
    let path = folder.unwrap_or(path).trim_end_matches('/');
    let is_read = |path: &str| Path::of_request(&format!("/{path}")).is_some_and(Path::is_read);
    let found = match path.split_once('/').unwrap_or((path, "")) {
        ("" | "game" | "games", "") => String::new(),
        ("game" | "games", id) => format!("games/{}", id.replace('-', "").parse::<GameId>().ok()?),
        ("docs", "") => "docs/".to_owned(),
        ("check" | "dice" | "rules", "") => path.to_owned(),
        ("verify", "") => "verify.html".to_owned(),
        _ => is_read(path).then(|| path.to_owned())?,
    };
    (asked.strip_prefix('/') != Some(&found)).then_some(found)
}

/// Returns a path name in lower case, without additions from surrounding text, such as a full stop, a bracket
/// or a space. Returns none if nothing is left.
fn name(name: &str) -> Option<String> {
    let name = name.trim_start_matches("%20");
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let name = name.split(|c| !is_part(c)).next()?.trim_end_matches(['.', '-', '_']);
    (!name.is_empty()).then(|| name.to_ascii_lowercase())
}
