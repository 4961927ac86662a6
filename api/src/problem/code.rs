//! The closed list of problem codes, each with its status and its explanation.

use actix_web::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

/// The kind of a problem. The list is closed: a client can match on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each code is explained by `meaning`, in one place")]
pub enum Code {
    BadJson,
    BadRequest,
    UnknownField,
    NotationSyntax,
    Unauthenticated,
    NotYourSeat,
    GameNotFound,
    PlyNotFound,
    SeatNotFound,
    RouteNotFound,
    MethodNotAllowed,
    NotAcceptable,
    SeatTaken,
    NotStarted,
    AlreadyStarted,
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
    MaskedRecord,
    IdempotencyMismatch,
    Busy,
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
        Self::PlyNotFound,
        Self::SeatNotFound,
        Self::RouteNotFound,
        Self::MethodNotAllowed,
        Self::NotAcceptable,
        Self::SeatTaken,
        Self::NotStarted,
        Self::AlreadyStarted,
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
        Self::MaskedRecord,
        Self::IdempotencyMismatch,
        Self::Busy,
        Self::Unavailable,
        Self::Internal,
    ];

    /// Returns the code as it is written: `illegal_move`.
    pub const fn as_str(self) -> &'static str {
        self.entry().0
    }

    /// Returns the HTTP status of every problem with this code.
    pub fn status(self) -> StatusCode {
        StatusCode::from_u16(self.entry().1).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Returns a short name for people.
    pub const fn title(self) -> &'static str {
        self.entry().2
    }

    /// Returns the meaning of the code.
    pub const fn meaning(self) -> &'static str {
        self.entry().3
    }

    /// Returns the way to solve the problem.
    pub const fn remedy(self) -> &'static str {
        self.entry().4
    }

    /// Returns code, status, title, meaning and remedy.
    const fn entry(self) -> (&'static str, u16, &'static str, &'static str, &'static str) {
        match self {
            Self::BadJson => (
                "bad_json",
                400,
                "Malformed JSON",
                "The body is not JSON, or a field has a value of the wrong type.",
                "`detail` says where. Compare the body with the operation's schema in /openapi.json.",
            ),
            Self::BadRequest => (
                "bad_request",
                400,
                "Malformed request",
                "Part of the path, a query parameter, a header or the value of a field is malformed.",
                "`detail` names it and says what is allowed.",
            ),
            Self::UnknownField => (
                "unknown_field",
                422,
                "Unknown field",
                "The body has a field that this operation does not know.",
                "Remove the field that `detail` names, or correct its spelling.",
            ),
            Self::NotationSyntax => (
                "notation_syntax",
                400,
                "Invalid notation",
                "The text is not valid MKN, whatever the position on the board.",
                "`line` and `column` say where, `expected` what was expected. GET /grammar specifies MKN.",
            ),
            Self::Unauthenticated => (
                "unauthenticated",
                401,
                "Secret required",
                "This operation needs a secret, and the request has none, or one that is not 64 lower-case hex digits.",
                "Generate a secret (`openssl rand -hex 32`), keep it, and send it as `Authorization: Bearer <secret>`.",
            ),
            Self::NotYourSeat => (
                "not_your_seat",
                403,
                "Not your seat",
                "Your secret holds no seat of this game, or another one, or only the game's owner may do this.",
                "Send the secret that took the seat, or the one that created the game.",
            ),
            Self::GameNotFound => (
                "game_not_found",
                404,
                "No such game",
                "There is no game with this id, or it is private and you may not see it.",
                "Check the id. For a private game, send your secret, or take a seat with the join code.",
            ),
            Self::PlyNotFound => (
                "ply_not_found",
                404,
                "No such ply",
                "The game does not have this ply, or not yet.",
                "`head` is the last ply. Plies count from 1; ply 0 has a word only if something is drawn at the start.",
            ),
            Self::SeatNotFound => (
                "seat_not_found",
                404,
                "No such seat",
                "The game does not have this seat.",
                "Seats count from 1; the game's `seats` lists them.",
            ),
            Self::RouteNotFound => (
                "route_not_found",
                404,
                "No such resource",
                "The service has nothing at this path.",
                "All paths are listed in /openapi.json and on /docs.",
            ),
            Self::MethodNotAllowed => (
                "method_not_allowed",
                405,
                "Wrong method",
                "The resource exists, but not with this method.",
                "The `Allow` header lists the methods.",
            ),
            Self::NotAcceptable => (
                "not_acceptable",
                406,
                "No acceptable representation",
                "The resource is not available in a media type that `Accept` allows.",
                "Omit `Accept`, or allow what `detail` names.",
            ),
            Self::SeatTaken => (
                "seat_taken",
                409,
                "Seat taken",
                "Another player holds the seat, or your secret holds another seat of this game.",
                "Read the game's `seats` and take an open one. A secret can hold only one seat per game.",
            ),
            Self::NotStarted => (
                "not_started",
                409,
                "Not started",
                "Seats are still open: the game starts when the last one is taken.",
                "Wait until `status` is `running`.",
            ),
            Self::AlreadyStarted => (
                "already_started",
                409,
                "Already started",
                "The game has started: it stays, and its seats with it. Nothing changed.",
                "Leave a game that has started with `!resign`; before its first ply, its owner can end it with `!abort`.",
            ),
            Self::NotYourTurn => (
                "not_your_turn",
                409,
                "Not your turn",
                "Another seat is on turn.",
                "`seat` says which. Read the game again after it has moved.",
            ),
            Self::PlyTaken => (
                "ply_taken",
                409,
                "Ply taken",
                "The log already has another decision at this ply. Nothing was written.",
                "Read the log up to `head`, and choose a move for the next ply.",
            ),
            Self::PlyGap => (
                "ply_gap",
                409,
                "Ply out of sequence",
                "The ply is not the next one. Nothing was written.",
                "Write the ply after `head`.",
            ),
            Self::GameOver => {
                ("game_over", 409, "Game over", "The game has ended.", "`result` has its scores and ranking.")
            }
            Self::StaleHead => (
                "stale_head",
                412,
                "Stale head",
                "`If-Match` names a head that is not the game's current one. Nothing was written.",
                "Read the game again; `head` is the current one.",
            ),
            Self::TooLarge => (
                "too_large",
                413,
                "Too large",
                "The body, or the record in it, is longer than this operation accepts.",
                "`detail` names the limit.",
            ),
            Self::UnsupportedMediaType => (
                "unsupported_media_type",
                415,
                "Unknown media type",
                "This operation does not accept the body's `Content-Type`, its character set, or its `Content-Encoding`.",
                "Send application/json, or text/plain where the operation accepts it, as UTF-8, plain or packed with gzip.",
            ),
            Self::UnsupportedNotation => (
                "unsupported_notation",
                415,
                "Unknown notation version",
                "The notation is not MKN/1.",
                "Write MKN/1.",
            ),
            Self::IllegalMove => (
                "illegal_move",
                422,
                "Against the rules",
                "The rules forbid this move. Nothing was written.",
                "`rule` names the rule, and `expected` lists what is legal; see also GET /v1/games/{id}/legal-moves.",
            ),
            Self::ScoreMismatch => (
                "score_mismatch",
                422,
                "Wrong scores",
                "The scores in the end marker differ from those of the replay.",
                "`expected` is the correct end marker. A word or an option must differ from what was played.",
            ),
            Self::WrongMarker => (
                "wrong_marker",
                422,
                "Wrong end marker",
                "The end marker says that the game is over when it is not, or that it goes on when it is over.",
                "`expected` is the correct end marker.",
            ),
            Self::MissingMarker => (
                "missing_marker",
                400,
                "No end marker",
                "The record has no end marker: it was probably cut off.",
                "Send the whole record. The record of a game that goes on ends with `*`.",
            ),
            Self::ChanceNotYours => (
                "chance_not_yours",
                422,
                "Chance in a move",
                "The move includes a die roll or another outcome of chance. Clients decide; the service draws.",
                "Send the decision alone, without `+` and what follows it.",
            ),
            Self::ChancePending => (
                "chance_pending",
                422,
                "The list runs too far",
                "The list of moves continues after a decision that triggers chance or passes the turn to another seat.",
                "End the list there, read the response, and send the rest in another request.",
            ),
            Self::UnknownRuleset => (
                "unknown_ruleset",
                422,
                "Unknown rule set",
                "There is no rule set with this name and version.",
                "GET /v1/rulesets lists them.",
            ),
            Self::UnknownOption => (
                "unknown_option",
                422,
                "Unknown option or value",
                "The rule set has no such option, value or built-in player, or the options do not go together.",
                "`detail` says what is allowed; GET /v1/rulesets explains every option.",
            ),
            Self::ImpossiblePosition => (
                "impossible_position",
                422,
                "Impossible position",
                "The position line is well formed, but the position contradicts the rules, or no game can begin in it.",
                "`rule` says why: for example too many rugs, or dirhams that do not add up.",
            ),
            Self::NotFinished => (
                "not_finished",
                422,
                "Not finished",
                "Only records of games that are over can be imported.",
                "Import the record when the game is over. POST /v1/validate accepts unfinished records.",
            ),
            Self::MaskedRecord => (
                "masked_record",
                422,
                "Masked record",
                "Part of the record is unknown, such as a hand or a lead. Only complete records can be imported.",
                "Fetch the log again when the game is over; nothing in it is hidden then.",
            ),
            Self::IdempotencyMismatch => (
                "idempotency_mismatch",
                422,
                "Idempotency key reused",
                "This Idempotency-Key was used before with a different request.",
                "Use a fresh random key for every game.",
            ),
            Self::Busy => (
                "busy",
                503,
                "Too many requests at once",
                "More changes or lists wait than the service takes. Nothing was written.",
                "Retry after `Retry-After` seconds.",
            ),
            Self::Unavailable => (
                "unavailable",
                503,
                "Temporarily unavailable",
                "The database does not answer. Your request may or may not have taken effect.",
                "Retry after `Retry-After` seconds. To retry creating a game safely, send an Idempotency-Key.",
            ),
            Self::Internal => (
                "internal",
                500,
                "Internal error",
                "Something failed that should not have.",
                "Report the request id in `detail`.",
            ),
        }
    }
}
