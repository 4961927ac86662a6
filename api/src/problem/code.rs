//! The closed list of problem codes, with their statuses and texts.

use actix_web::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

/// The kind of a problem, from a closed list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "`meaning` explains each code")]
pub enum Code {
    BadJson,
    BadRequest,
    UnknownField,
    NotationSyntax,
    Unauthenticated,
    NotYourSeat,
    GameNotFound,
    GameRemoved,
    KeyMissing,
    PlyNotFound,
    SeatNotFound,
    ReceiptNotFound,
    TileNotFound,
    BeaconNotFound,
    RouteNotFound,
    MethodNotAllowed,
    NotAcceptable,
    RequestTimeout,
    TooManyRequests,
    SeatTaken,
    CommitmentMismatch,
    SeatsChanged,
    NotStarted,
    AlreadyStarted,
    WaitingForBeacon,
    NotYourTurn,
    PlyTaken,
    PlyGap,
    GameOver,
    StaleHead,
    TooLarge,
    UnsupportedMediaType,
    UnsupportedNotation,
    IllegalMove,
    ScoreMismatch,
    WrongMarker,
    MissingMarker,
    ChanceNotYours,
    ChancePending,
    UnknownRuleset,
    UnknownOption,
    ImpossiblePosition,
    NotFinished,
    AnalysisWhileRunning,
    MaskedRecord,
    CosignatureRefused,
    BeaconRefused,
    IdempotencyMismatch,
    Busy,
    CannotWrite,
    Unavailable,
    Internal,
}

impl Code {
    /// Every code.
    pub const ALL: &'static [Self] = &[
        Self::BadJson,
        Self::BadRequest,
        Self::UnknownField,
        Self::NotationSyntax,
        Self::Unauthenticated,
        Self::NotYourSeat,
        Self::GameNotFound,
        Self::GameRemoved,
        Self::KeyMissing,
        Self::PlyNotFound,
        Self::SeatNotFound,
        Self::ReceiptNotFound,
        Self::TileNotFound,
        Self::BeaconNotFound,
        Self::RouteNotFound,
        Self::MethodNotAllowed,
        Self::NotAcceptable,
        Self::RequestTimeout,
        Self::TooManyRequests,
        Self::SeatTaken,
        Self::CommitmentMismatch,
        Self::SeatsChanged,
        Self::NotStarted,
        Self::AlreadyStarted,
        Self::WaitingForBeacon,
        Self::NotYourTurn,
        Self::PlyTaken,
        Self::PlyGap,
        Self::GameOver,
        Self::StaleHead,
        Self::TooLarge,
        Self::UnsupportedMediaType,
        Self::UnsupportedNotation,
        Self::IllegalMove,
        Self::ScoreMismatch,
        Self::WrongMarker,
        Self::MissingMarker,
        Self::ChanceNotYours,
        Self::ChancePending,
        Self::UnknownRuleset,
        Self::UnknownOption,
        Self::ImpossiblePosition,
        Self::NotFinished,
        Self::AnalysisWhileRunning,
        Self::MaskedRecord,
        Self::CosignatureRefused,
        Self::BeaconRefused,
        Self::IdempotencyMismatch,
        Self::Busy,
        Self::CannotWrite,
        Self::Unavailable,
        Self::Internal,
    ];

    /// Returns the code in text form: `illegal_move`.
    pub const fn as_str(self) -> &'static str {
        self.entry().0
    }

    /// Returns the HTTP status of problems with this code.
    pub fn status(self) -> StatusCode {
        StatusCode::from_u16(self.entry().1).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Returns a short title for people.
    pub const fn title(self) -> &'static str {
        self.entry().2
    }

    /// Returns what the code means.
    pub const fn meaning(self) -> &'static str {
        self.entry().3
    }

    /// Returns how to solve the problem.
    pub const fn remedy(self) -> &'static str {
        self.entry().4
    }
}
