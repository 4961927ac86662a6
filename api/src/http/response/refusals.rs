//! The problems of an operation in the OpenAPI document: the codes of every type that can refuse it, listed
//! at its handler.

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

/// More waiting work than the queue takes.
pub struct TooMuchWaits;

impl HasProblemCodes for TooMuchWaits {
    fn codes() -> Vec<Code> {
        vec![Code::Busy]
    }
}

/// The codes of every operation: for its query, for its client, and for internal errors.
const ANYWHERE: [Code; 3] = [Code::BadRequest, Code::TooManyRequests, Code::Internal];

impl<T: HasProblemCodes> IntoResponses for Refusals<T> {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        by_status(T::codes().into_iter().chain(ANYWHERE))
    }
}

/// The problems of an operation that `T` can refuse and that has no rate.
pub struct UncountedRefusals<T>(PhantomData<T>);

impl<T: HasProblemCodes> IntoResponses for UncountedRefusals<T> {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        by_status(T::codes().into_iter().chain(ANYWHERE).filter(|code| *code != Code::TooManyRequests))
    }
}

/// Refers to a response for each status, named after its codes.
fn by_status(all: impl Iterator<Item = Code>) -> BTreeMap<String, RefOr<Response>> {
    let mut by_status: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for code in all {
        let codes = by_status.entry(code.status().as_str().to_owned()).or_default();
        if !codes.contains(&code.as_str()) {
            codes.push(code.as_str());
        }
    }
    let refer = |codes: Vec<&str>| Ref::from_response_name(codes.join(".")).into();
    by_status.into_iter().map(|(status, codes)| (status, refer(codes))).collect()
}

/// Returns the codes of the response with this name.
pub fn codes_of(name: &str) -> Vec<Code> {
    let code = |text: &str| Code::ALL.iter().find(|code| code.as_str() == text).copied();
    name.split('.').filter_map(code).collect()
}

/// Returns the response with these codes.
pub fn response(codes: &[Code]) -> Response {
    let lines = codes.iter().map(|code| format!("`{}`: {}", code.as_str(), code.meaning()));
    let schema = Ref::from_schema_name("Problem");
    ResponseBuilder::new()
        .description(lines.collect::<Vec<_>>().join("\n\n"))
        .content(PROBLEM_JSON, ContentBuilder::new().schema(Some(schema)).build())
        .build()
}
