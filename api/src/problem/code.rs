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
    RouteNotFound,
    MethodNotAllowed,
    NotAcceptable,
    SeatTaken,
    NotStarted,
    NotYourTurn,
    PlyTaken,
    PlyGap,
    GameOver,
    StaleHead,
    TooLarge,
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
    /// A record with something unknown where only whole ones are taken.
    MaskedRecord,
    IdempotencyMismatch,
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
        Self::RouteNotFound,
        Self::MethodNotAllowed,
        Self::NotAcceptable,
        Self::SeatTaken,
        Self::NotStarted,
        Self::NotYourTurn,
        Self::PlyTaken,
        Self::PlyGap,
        Self::GameOver,
        Self::StaleHead,
        Self::TooLarge,
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
        Self::Unavailable,
        Self::Internal,
    ];

    /// The code as it is written: `illegal_move`.
    pub const fn as_str(self) -> &'static str {
        self.entry().0
    }

    /// The HTTP status that it always has.
    pub fn status(self) -> StatusCode {
        StatusCode::from_u16(self.entry().1).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// A short name for people.
    pub const fn title(self) -> &'static str {
        self.entry().2
    }

    /// What it means.
    pub const fn meaning(self) -> &'static str {
        self.entry().3
    }

    /// What to do about it.
    pub const fn remedy(self) -> &'static str {
        self.entry().4
    }

    /// Code, status, title, meaning, remedy.
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
                "A part of the path, a query parameter, a header or the value of a field is malformed.",
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
                "Not notation",
                "The text is not MKN. Seen without looking at the board.",
                "`line`, `column` and `expected` say where and what; the notation is on half a page in the README.",
            ),
            Self::Unauthenticated => (
                "unauthenticated",
                401,
                "Secret needed",
                "This needs a secret, and none came, or one that is not 64 lower-case hex digits.",
                "Make one (`openssl rand -hex 32`), keep it, and send it as `Authorization: Bearer <secret>`.",
            ),
            Self::NotYourSeat => (
                "not_your_seat",
                403,
                "Not your seat",
                "The secret holds no seat here, or not this one; or only the game's owner may do this.",
                "Send the secret that took the seat, or the one that created the game.",
            ),
            Self::GameNotFound => (
                "game_not_found",
                404,
                "No such game",
                "There is no game with this id, or it is private and you have not been let in.",
                "Check the id; for a private game send your secret, or take a seat with its join code.",
            ),
            Self::PlyNotFound => (
                "ply_not_found",
                404,
                "No such ply",
                "The game has no such ply, or not yet.",
                "Read the game's `head`; plies are counted from 1, and ply 0 has a word only where something is drawn at the start.",
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
                "No such representation",
                "The resource cannot be given in any media type that `Accept` allows.",
                "Leave `Accept` out, or name a media type of the operation in /openapi.json.",
            ),
            Self::SeatTaken => (
                "seat_taken",
                409,
                "Seat taken",
                "Somebody else holds the seat, or your secret holds another seat of this game.",
                "Read the game's `seats` and take an open one; one secret holds one seat of a game.",
            ),
            Self::NotStarted => (
                "not_started",
                409,
                "Not started",
                "Seats are still open: the game starts when the last one is taken.",
                "Wait until `status` is `running`.",
            ),
            Self::NotYourTurn => (
                "not_your_turn",
                409,
                "Not your turn",
                "Another seat must decide.",
                "`seat` says which. Read the game again when it has moved.",
            ),
            Self::PlyTaken => (
                "ply_taken",
                409,
                "Ply taken",
                "The log holds another decision at this ply already. Nothing was written.",
                "Read the log up to `head` and decide again for the next ply.",
            ),
            Self::PlyGap => (
                "ply_gap",
                409,
                "Ply beyond the next",
                "The ply is not the next one. Nothing was written.",
                "Write the ply behind `head`.",
            ),
            Self::GameOver => {
                ("game_over", 409, "Game over", "The game has ended.", "`result` has its scores and ranking.")
            }
            Self::StaleHead => (
                "stale_head",
                412,
                "Stale head",
                "`If-Match` names another head than the game's.",
                "Read the game again; `head` is the present one.",
            ),
            Self::TooLarge => (
                "too_large",
                413,
                "Too large",
                "The body is longer than this operation takes.",
                "`detail` names the limit.",
            ),
            Self::UnsupportedNotation => (
                "unsupported_notation",
                415,
                "Unknown media type or notation version",
                "The body's `Content-Type` is not taken here, or its notation is of another version than MKN/1.",
                "Send application/json or text/plain; write MKN/1.",
            ),
            Self::IllegalMove => (
                "illegal_move",
                422,
                "Against the rules",
                "The rules of the game forbid this. Nothing was written.",
                "`rule` names the rule, `expected` lists what is legal; see also GET /v1/games/{id}/legal-moves.",
            ),
            Self::ScoreMismatch => (
                "score_mismatch",
                422,
                "Wrong scores",
                "The scores in the end marker are not those of the replay.",
                "`expected` is the right end marker. Somewhere a word or an option differs from what was played.",
            ),
            Self::WrongMarker => (
                "wrong_marker",
                422,
                "Wrong end marker",
                "The end marker says that the game is over where it is not, or the other way round.",
                "`expected` is the right end marker.",
            ),
            Self::MissingMarker => (
                "missing_marker",
                400,
                "No end marker",
                "The record ends without an end marker: it was probably cut off.",
                "Send the whole record; a game that goes on ends with `*`.",
            ),
            Self::ChanceNotYours => (
                "chance_not_yours",
                422,
                "The service rolls",
                "The move carries a die or another outcome of chance. Clients decide, the service draws.",
                "Send the decision alone, without `+` and what follows it.",
            ),
            Self::ChancePending => (
                "chance_pending",
                422,
                "The list runs too far",
                "A list of moves goes on behind a decision after which something is drawn or another seat decides.",
                "End the list there, read the answer, and go on with another request.",
            ),
            Self::UnknownRuleset => (
                "unknown_ruleset",
                422,
                "Unknown rule set",
                "There is no rule set of this name and version.",
                "GET /v1/rulesets lists them.",
            ),
            Self::UnknownOption => (
                "unknown_option",
                422,
                "Unknown option or value",
                "The rule set has no such option, or the option has no such value, or not together with the others.",
                "`detail` says what is allowed; GET /v1/rulesets explains every option.",
            ),
            Self::ImpossiblePosition => (
                "impossible_position",
                422,
                "Impossible position",
                "The position line is well written, but no play leads to this position.",
                "`rule` says why: too many rugs, dirhams that do not add up, a seat on turn that is out ..",
            ),
            Self::NotFinished => (
                "not_finished",
                422,
                "Not finished",
                "Only records of games that are over can be imported.",
                "Import the record when the game is over. POST /v1/validate takes unfinished ones.",
            ),
            Self::MaskedRecord => (
                "masked_record",
                422,
                "Masked record",
                "Something in the record is unknown: a hand, a lead. Only whole records can be imported.",
                "Fetch the log again when the game is over: then nothing in it is hidden.",
            ),
            Self::IdempotencyMismatch => (
                "idempotency_mismatch",
                422,
                "Key used before",
                "This Idempotency-Key came before with another request.",
                "Use a fresh random key for every game.",
            ),
            Self::Unavailable => (
                "unavailable",
                503,
                "Try again",
                "The database does not answer. What you sent may or may not have been done.",
                "Repeat the request after `Retry-After` seconds: every request can be repeated without harm.",
            ),
            Self::Internal => (
                "internal",
                500,
                "Our fault",
                "Something failed that should not.",
                "Report the request id in `detail`. Repeating the request does no harm.",
            ),
        }
    }
}
