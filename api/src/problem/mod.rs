//! Everything that can go wrong, as clients see it: RFC 9457 problems with one closed list of codes.

use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, ResponseError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::entropy::NoEntropy;
use crate::game::Head;
use crate::store::StoreError;
use crate::view::Score;

mod code;

pub use code::Code;

/// What a client is told about a refused request.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Problem {
    /// Where the code is explained.
    #[serde(rename = "type")]
    #[schema(format = "uri-reference", example = "/v1/problems/illegal_move")]
    pub kind: String,
    /// A short name for people.
    #[schema(example = "Against the rules")]
    pub title: &'static str,
    /// The HTTP status.
    #[schema(example = 422)]
    pub status: u16,
    /// The code to match on.
    pub code: Code,
    /// A sentence for people about this very request.
    pub detail: String,
    /// The path of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = "uri-reference")]
    pub instance: Option<String>,
    /// The finer identifier of the rule broken: `marrakech.rug.covers-whole-rug`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The ply that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<u32>,
    /// The seat that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// Line in the text, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Column in the line, from 1, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// Word in the body of a record, or in a list of moves, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub word: Option<u32>,
    /// Why the rule applies here.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "c3d3 would cover both halves of the rug that seat 2 laid at ply 14")]
    pub why: Option<String>,
    /// What would have been right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// Where the game stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<HeadView>,
    /// The result of a game that is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Box<Score>>,
    /// Goes to the log, never to the client.
    #[serde(skip)]
    pub cause: Option<String>,
    /// Methods for the `Allow` header.
    #[serde(skip)]
    pub allow: Option<String>,
}

/// The end of a log: its last ply, and the hash chained over every word up to it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct HeadView {
    /// Number of the last ply; 0 at the start.
    #[schema(example = 7)]
    pub ply: u32,
    /// 64 hex digits.
    #[schema(example = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b")]
    pub hash: String,
}

impl From<&Head> for HeadView {
    fn from(head: &Head) -> Self {
        Self { ply: head.ply, hash: hex::encode(head.hash) }
    }
}

/// The media type of every problem.
pub const PROBLEM_JSON: &str = "application/problem+json";

impl Problem {
    /// A problem with a sentence about this very request.
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
            head: None,
            result: None,
            cause: None,
            allow: None,
        }
    }

    /// Our fault; the cause goes to the log only.
    pub fn internal(cause: impl fmt::Display) -> Self {
        Self { cause: Some(cause.to_string()), ..Self::new(Code::Internal, "an unexpected failure") }
    }

    /// The resource exists, but with other methods.
    pub fn method_not_allowed(allow: String) -> Self {
        let detail = format!("this resource takes {allow}");
        Self { allow: Some(allow), ..Self::new(Code::MethodNotAllowed, detail) }
    }

    /// With the path, and for our own faults the id, of the request.
    pub fn for_request(mut self, path: &str, request_id: Option<&str>) -> Self {
        self.instance.get_or_insert_with(|| path.to_owned());
        if let (Code::Internal, Some(id)) = (self.code, request_id) {
            self.detail = format!("an unexpected failure; the request id is {id}");
        }
        self
    }

    /// What the log says about it; none for what is the client's own affair.
    pub fn log_line(&self) -> Option<String> {
        let is_ours = matches!(self.code, Code::Internal | Code::Unavailable);
        let cause = self.cause.as_deref().unwrap_or(&self.detail);
        is_ours.then(|| format!("{}: {cause}", self.code.as_str()))
    }
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
        if self.code == Code::Unavailable {
            response.insert_header((RETRY_AFTER, HeaderValue::from_static("1")));
        }
        if let Some(allow) = &self.allow {
            response.insert_header((ALLOW, allow.as_str()));
        }
        response.insert_header(("Cache-Control", "no-store"));
        response.json(self)
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(cause) => Self {
                cause: Some(cause),
                ..Self::new(Code::Unavailable, "the database does not answer; try again")
            },
            StoreError::Conflict | StoreError::NotFound | StoreError::Backend(_) => Self::internal(error),
        }
    }
}

impl From<NoEntropy> for Problem {
    fn from(error: NoEntropy) -> Self {
        Self::internal(error)
    }
}

impl From<assam_notation::Error> for Problem {
    fn from(error: assam_notation::Error) -> Self {
        use assam_notation::Code as Notation;
        let code = match error.code {
            Notation::NotationSyntax => Code::NotationSyntax,
            Notation::UnsupportedNotation => Code::UnsupportedNotation,
            Notation::UnknownRuleset => Code::UnknownRuleset,
            Notation::UnknownOption => Code::UnknownOption,
            Notation::ImpossiblePosition => Code::ImpossiblePosition,
            Notation::IllegalMove => Code::IllegalMove,
            Notation::ScoreMismatch => Code::ScoreMismatch,
            Notation::WrongMarker => Code::WrongMarker,
            Notation::MissingMarker => Code::MissingMarker,
        };
        Self {
            rule: Some(error.rule.to_owned()),
            ply: error.place.ply,
            line: Some(error.place.line),
            column: Some(error.place.column),
            word: error.place.word,
            why: error.why,
            expected: error.expected.map(Into::into),
            ..Self::new(code, error.detail)
        }
    }
}
