//! The problems of an operation in the OpenAPI document: the codes of everything that can refuse it, written beside its
//! handler.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use utoipa::IntoResponses;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

use crate::problem::{Code, HasProblemCodes, PROBLEM_JSON};

/// The problems of an operation that `T` can refuse.
pub struct Refusals<T>(PhantomData<T>);

/// For an operation that nothing refuses.
pub struct Nothing;

impl HasProblemCodes for Nothing {
    fn codes() -> Vec<Code> {
        Vec::new()
    }
}

/// A path that leads nowhere.
pub struct NoSuchPage;

impl HasProblemCodes for NoSuchPage {
    fn codes() -> Vec<Code> {
        vec![Code::RouteNotFound]
    }
}

/// A media type that a resource does not have.
pub struct NoSuchForm;

impl HasProblemCodes for NoSuchForm {
    fn codes() -> Vec<Code> {
        vec![Code::NotAcceptable]
    }
}

/// Work that is done in turns, and more of it than may wait.
pub struct TooMuchWaits;

impl HasProblemCodes for TooMuchWaits {
    fn codes() -> Vec<Code> {
        vec![Code::Busy]
    }
}

impl<T: HasProblemCodes> IntoResponses for Refusals<T> {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let mut by_status: BTreeMap<String, Vec<Code>> = BTreeMap::new();
        // Any operation can answer with these: for its query, for its client, and for a failure of its own.
        let anywhere = [Code::BadRequest, Code::TooManyRequests, Code::Internal];
        for code in T::codes().into_iter().chain(anywhere) {
            let codes = by_status.entry(code.status().as_str().to_owned()).or_default();
            if !codes.contains(&code) {
                codes.push(code);
            }
        }
        by_status.into_iter().map(|(status, codes)| (status, RefOr::T(response(&codes)))).collect()
    }
}

/// One response, which names its codes.
fn response(codes: &[Code]) -> Response {
    let lines = codes.iter().map(|code| format!("`{}`: {}", code.as_str(), code.meaning()));
    let schema = Ref::from_schema_name("Problem");
    ResponseBuilder::new()
        .description(lines.collect::<Vec<_>>().join("\n\n"))
        .content(PROBLEM_JSON, ContentBuilder::new().schema(Some(schema)).build())
        .build()
}
