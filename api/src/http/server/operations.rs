//! The documented operations of each path: the methods that a path allows, and which of them read a query.

use std::cmp::Reverse;
use std::sync::LazyLock;

use actix_web::HttpRequest;
use actix_web::dev::ResourceDef;
use actix_web::http::Method;
use utoipa::openapi::RefOr;
use utoipa::openapi::path::{Operation, Parameter, ParameterIn, PathItem};

use crate::http::document;
use crate::http::request::{SchemaViolation, pairs, refused_query};
use crate::problem::Problem;

/// The documented paths, those with more literal text first, because `{ply}` would match `3.svg` too.
static PATHS: LazyLock<Vec<Path>> = LazyLock::new(|| {
    let paths = document::document().paths.paths;
    let mut paths: Vec<(&String, &PathItem)> = paths.iter().collect();
    let literal = |pattern: &str| pattern.split(['{', '}']).step_by(2).map(str::len).sum::<usize>();
    paths.sort_by_key(|(pattern, _)| Reverse(literal(pattern)));
    paths.into_iter().map(|(pattern, item)| Path::new(pattern, item)).collect()
});

/// A documented path.
pub struct Path {
    pattern: ResourceDef,
    operations: Vec<(Method, bool)>,
}

impl Path {
    /// Returns the documented path of a request.
    pub fn of_request(path: &str) -> Option<&'static Self> {
        PATHS.iter().find(|known| known.pattern.is_match(path))
    }

    fn new(pattern: &str, item: &PathItem) -> Self {
        let all = [
            (Method::GET, &item.get),
            (Method::POST, &item.post),
            (Method::PUT, &item.put),
            (Method::PATCH, &item.patch),
            (Method::DELETE, &item.delete),
        ];
        let operations = all
            .into_iter()
            .filter_map(|(method, operation)| Some((method, has_query(operation.as_ref()?))))
            .collect();
        // The place of a tile has slashes.
        let pattern = pattern.replace("{place}", "{place:.*}");
        Self { pattern: ResourceDef::new(pattern), operations }
    }

    /// Returns whether the path allows GET.
    pub fn is_read(&self) -> bool {
        self.operations.iter().any(|(method, _)| *method == Method::GET)
    }

    /// Returns the methods that the path allows, in a fixed order, for `Allow`.
    pub fn methods(&self) -> String {
        let mut methods: Vec<&str> = Vec::new();
        for (method, _) in &self.operations {
            methods.push(method.as_str());
            if method == Method::GET {
                methods.push("HEAD");
            }
        }
        methods.push("OPTIONS");
        methods.join(", ")
    }
}

fn has_query(operation: &Operation) -> bool {
    let is_query = |parameter: &RefOr<Parameter>| match parameter {
        RefOr::T(parameter) => parameter.parameter_in == ParameterIn::Query,
        RefOr::Ref(_) => false,
    };
    operation.parameters.iter().flatten().any(is_query)
}

/// Refuses a query if the operation reads none. Other operations refuse unknown parameters themselves.
///
/// # Errors
/// `bad_request`, with every parameter.
pub fn refuse_unread_query(req: &HttpRequest) -> Result<(), Problem> {
    if req.query_string().is_empty() {
        return Ok(());
    }
    let Some(path) = Path::of_request(req.path()) else { return Ok(()) };
    let reads_none = |(method, has_query): &(Method, bool)| method == req.method() && !has_query;
    if ignores_query(req.path()) || !path.operations.iter().any(reads_none) {
        return Ok(());
    }
    let violations: Vec<SchemaViolation> =
        pairs(req)?.iter().map(|(name, _)| SchemaViolation::unknown_parameter(name)).collect();
    if violations.is_empty() { Ok(()) } else { Err(refused_query(violations)) }
}

/// Returns whether a path is a page, a file or a health check. Trackers, probes and attempts to bypass caches
/// add parameters to these, which are ignored.
fn ignores_query(path: &str) -> bool {
    let named = ["/grammar", "/livez", "/openapi.json", "/readyz", "/v1/problems"];
    named
        .iter()
        .any(|name| path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}
