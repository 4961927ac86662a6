//! Which problems each kind of operation can answer, for the OpenAPI document. Every operation can also answer
//! `not_acceptable` (to an `Accept-Encoding`) and `internal`.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::{RefOr, Response};

use super::openapi::problem_responses;
use crate::problem::Code;

/// Problems of creating a game.
pub struct CreateProblems;

impl IntoResponses for CreateProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problem_responses(&[
            Code::BadJson,
            Code::BadRequest,
            Code::NotationSyntax,
            Code::Unauthenticated,
            Code::TooLarge,
            Code::UnsupportedNotation,
            Code::UnknownField,
            Code::UnknownRuleset,
            Code::UnknownOption,
            Code::ImpossiblePosition,
            Code::IdempotencyMismatch,
            Code::Unavailable,
        ])
    }
}

/// Problems of listing games.
pub struct ListProblems;

impl IntoResponses for ListProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problem_responses(&[Code::BadRequest, Code::UnknownRuleset, Code::Unavailable])
    }
}

/// Problems of looking at a game.
pub struct ReadProblems;

impl IntoResponses for ReadProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problem_responses(&[Code::BadRequest, Code::GameNotFound, Code::PlyNotFound, Code::Unavailable])
    }
}

/// Problems of looking at a game that must have started.
pub struct TurnProblems;

impl IntoResponses for TurnProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problem_responses(&[
            Code::BadRequest,
            Code::GameNotFound,
            Code::PlyNotFound,
            Code::NotStarted,
            Code::Unavailable,
        ])
    }
}

/// Problems of a part of a game that must have started.
pub struct StartedProblems;

impl IntoResponses for StartedProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problem_responses(&[Code::GameNotFound, Code::NotStarted, Code::Unavailable])
    }
}

/// Problems of fetching a log.
pub struct LogProblems;

impl IntoResponses for LogProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problem_responses(&[Code::GameNotFound, Code::NotAcceptable, Code::NotStarted, Code::Unavailable])
    }
}

/// Problems of taking a seat.
pub struct SeatProblems;

impl IntoResponses for SeatProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problem_responses(&[
            Code::BadJson,
            Code::BadRequest,
            Code::Unauthenticated,
            Code::GameNotFound,
            Code::SeatTaken,
            Code::TooLarge,
            Code::UnsupportedNotation,
            Code::UnknownField,
            Code::Unavailable,
        ])
    }
}

/// Problems of renaming a seat.
pub struct RenameProblems;

impl IntoResponses for RenameProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problem_responses(&[
            Code::BadJson,
            Code::BadRequest,
            Code::Unauthenticated,
            Code::NotYourSeat,
            Code::GameNotFound,
            Code::TooLarge,
            Code::UnsupportedNotation,
            Code::UnknownField,
            Code::Unavailable,
        ])
    }
}

/// Problems of submitting a move.
pub struct MoveProblems;

impl IntoResponses for MoveProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problem_responses(&[
            Code::BadJson,
            Code::BadRequest,
            Code::NotationSyntax,
            Code::Unauthenticated,
            Code::NotYourSeat,
            Code::GameNotFound,
            Code::NotStarted,
            Code::NotYourTurn,
            Code::PlyTaken,
            Code::PlyGap,
            Code::GameOver,
            Code::StaleHead,
            Code::TooLarge,
            Code::UnsupportedNotation,
            Code::UnknownField,
            Code::IllegalMove,
            Code::ChanceNotYours,
            Code::ChancePending,
            Code::Unavailable,
        ])
    }
}

/// Problems of validating a record.
pub struct ValidateProblems;

impl IntoResponses for ValidateProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problem_responses(&[
            Code::BadJson,
            Code::BadRequest,
            Code::TooLarge,
            Code::UnsupportedNotation,
            Code::UnknownField,
        ])
    }
}

/// Problems of importing a record.
pub struct ImportProblems;

impl IntoResponses for ImportProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problem_responses(&[
            Code::BadJson,
            Code::BadRequest,
            Code::NotationSyntax,
            Code::MissingMarker,
            Code::TooLarge,
            Code::UnsupportedNotation,
            Code::UnknownField,
            Code::IllegalMove,
            Code::ScoreMismatch,
            Code::WrongMarker,
            Code::UnknownRuleset,
            Code::UnknownOption,
            Code::ImpossiblePosition,
            Code::NotFinished,
            Code::MaskedRecord,
            Code::Unavailable,
        ])
    }
}

/// Problems of a page that may not exist.
pub struct PageProblems;

impl IntoResponses for PageProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problem_responses(&[Code::RouteNotFound, Code::NotAcceptable])
    }
}

/// Problems of asking for readiness.
pub struct ReadyProblems;

impl IntoResponses for ReadyProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problem_responses(&[Code::Unavailable])
    }
}

/// Problems of what can hardly fail.
pub struct StaticProblems;

impl IntoResponses for StaticProblems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        problem_responses(&[])
    }
}
