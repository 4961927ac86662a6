//! Errors as clients see them: RFC 9457 problems with a closed list of codes.

use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::http::uri::Authority;
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use assam_record::game::HeadView;
use assam_referee::{Ruleset, Score};
use serde::Serialize;
use utoipa::ToSchema;

mod code;
mod code_texts;
mod error_mapping;
mod has_problem_codes;
mod pointer;

pub use code::Code;
pub use has_problem_codes::HasProblemCodes;
pub use pointer::{first_step, quoted, short, step};

/// A refused request, as an RFC 9457 problem.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Problem {
    /// The address that explains the code.
    #[serde(rename = "type")]
    #[schema(format = "uri", example = "https://assam.example/v1/problems/illegal_move")]
    pub kind: String,
    /// A short title for people.
    #[schema(max_length = 4096, example = "Against the rules")]
    pub title: &'static str,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599, example = 422)]
    pub status: u16,
    /// The code for programs to match on.
    pub code: Code,
    /// An explanation of this occurrence for people.
    #[schema(max_length = 16_384)]
    pub detail: String,
    /// The request path.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, format = "uri-reference")]
    pub instance: Option<String>,
    /// The broken rule, more specific than the code: `marrakech.rug.covers-whole-rug`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[a-z]+(?:[.-][a-z0-9]+)*$", nullable = false)]
    pub rule: Option<String>,
    /// The ply that the problem concerns.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = Int64, maximum = 4_294_967_295_u32, nullable = false)]
    pub ply: Option<u32>,
    /// The seat that the problem concerns.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 4, nullable = false)]
    pub seat: Option<u8>,
    /// The line in the text, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 65_536, nullable = false)]
    pub line: Option<u32>,
    /// The column in the line, in characters, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 65_536, nullable = false)]
    pub column: Option<u32>,
    /// The word in a record or list of moves, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 65_536, nullable = false)]
    pub word: Option<u32>,
    /// Why the rule applies here.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(
        max_length = 4096,
        nullable = false,
        example = "c3d3 would cover both halves of the rug that seat 2 laid at ply 14"
    )]
    pub why: Option<String>,
    /// The text, moves or commitment that would have been correct.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 4096, nullable = false)]
    pub expected: Option<String>,
    /// The signed receipt of the current seats.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 4096, nullable = false)]
    pub receipt: Option<String>,
    /// The current head of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub head: Option<HeadView>,
    /// Everything wrong with the body or the query.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 1000)]
    pub errors: Vec<FlawView>,
    /// The result of a game that is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub result: Option<Box<Score>>,
    /// The cause, which is logged but never sent to the client.
    #[serde(skip)]
    pub cause: Option<String>,
    /// Headers such as `Allow` or `Retry-After`.
    #[serde(skip)]
    pub headers: Vec<(HeaderName, String)>,
}

/// One flaw in a request.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FlawView {
    /// The place of the flaw in the body, as a JSON pointer (RFC 6901).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 4096, nullable = false, example = "/seats/1")]
    pub pointer: Option<String>,
    /// The query parameter, path parameter or header that has the flaw.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 64, nullable = false, example = "limit")]
    pub parameter: Option<String>,
    /// The flaw, as a sentence or as the rest of one.
    #[schema(max_length = 4096, example = "must be `open` or `random` or `solitaire-ai`, not \"human\"")]
    pub detail: String,
}

/// The media type of every problem.
pub const PROBLEM_JSON: &str = "application/problem+json";

impl Problem {
    /// Returns a problem with an explanation of this occurrence.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            kind: format!("/v1/problems/{}", code.as_str()),
            title: code.title(),
            status: code.status().as_u16(),
            code,
            detail: detail.into(),
            instance: None,
            rule: None,
            ply: None,
            seat: None,
            line: None,
            column: None,
            word: None,
            why: None,
            expected: None,
            receipt: None,
            head: None,
            errors: Vec::new(),
            result: None,
            cause: None,
            headers: Vec::new(),
        }
    }

    /// Returns an `internal` problem. The cause is only logged.
    pub fn internal(cause: impl fmt::Display) -> Self {
        Self { cause: Some(cause.to_string()), ..Self::new(Code::Internal, "an unexpected failure") }
    }

    /// Returns an `unknown_ruleset` problem that lists the known rule sets.
    pub fn unknown_ruleset(detail: String) -> Self {
        Self { expected: Some(Ruleset::names()), ..Self::new(Code::UnknownRuleset, detail) }
    }

    /// Returns the problem of a position in which no game can begin, by a rule of the service.
    pub fn impossible_start(rule: &str, detail: String) -> Self {
        Self { rule: Some(rule.to_owned()), ..Self::new(Code::ImpossiblePosition, detail) }
            .at_member("/position")
    }

    /// Adds the body member that the problem concerns, as a JSON pointer.
    pub fn at_member(mut self, pointer: impl Into<String>) -> Self {
        let detail = self.detail.clone();
        self.errors.push(FlawView { pointer: Some(pointer.into()), parameter: None, detail });
        self
    }

    /// Adds the query parameter, path parameter or header that the problem concerns.
    pub fn at_parameter(mut self, name: &str) -> Self {
        let detail = self.detail.clone();
        self.errors.push(FlawView { pointer: None, parameter: Some(name.to_owned()), detail });
        self
    }

    /// Returns a `method_not_allowed` problem.
    pub fn method_not_allowed(allow: String) -> Self {
        let detail = format!("this resource allows {allow}");
        Self { headers: vec![(ALLOW, allow)], ..Self::new(Code::MethodNotAllowed, detail) }
    }

    /// Adds the request path, the absolute address of the code and, to an `internal` problem, the request id.
    pub fn for_request(mut self, req: &HttpRequest, request_id: Option<&str>) -> Self {
        self.instance.get_or_insert_with(|| req.path().to_owned());
        self = self.explained_at(&base(req));
        if let (Code::Internal, Some(id)) = (self.code, request_id) {
            self.detail = format!("an unexpected failure. The request id is {id}");
        }
        self
    }

    /// Makes the address that explains the code absolute.
    pub fn explained_at(mut self, base: &str) -> Self {
        if self.kind.starts_with('/') {
            self.kind = base.to_owned() + &self.kind;
        }
        self
    }

    /// Returns the line to log.
    pub fn log_line(&self) -> String {
        format!("{}: {}", self.code.as_str(), self.cause.as_deref().unwrap_or(&self.detail))
    }
}

/// Returns the address at which the client reached the service, also through a proxy that reports it. Falls
/// back to the service's own host if the request names no valid one.
pub fn base(req: &HttpRequest) -> String {
    let asked = req.connection_info();
    let scheme = if asked.scheme().eq_ignore_ascii_case("https") { "https" } else { "http" };
    let host = Some(asked.host()).filter(|host| host.parse::<Authority>().is_ok());
    format!("{scheme}://{}", host.unwrap_or_else(|| req.app_config().host()))
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.detail)
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        self.code.status()
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        response.content_type(PROBLEM_JSON);
        if self.code == Code::Unauthenticated {
            response.insert_header((WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")));
        }
        if matches!(self.code, Code::Busy | Code::CannotWrite | Code::Unavailable) {
            response.insert_header((RETRY_AFTER, HeaderValue::from_static("1")));
        }
        for (name, value) in &self.headers {
            response.insert_header((name.clone(), value.as_str()));
        }
        response.insert_header(("Cache-Control", "no-store"));
        response.json(self)
    }
}
