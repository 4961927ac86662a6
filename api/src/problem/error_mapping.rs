//! Maps every error of the application to a problem, and lists the codes of each error type.

use assam_notation::{Error, ErrorKind, SetupError};
use assam_record::game::{HeadView, NotStarted};
use assam_record::log::Damaged;
use assam_rules::Seat;
use assam_store::StoreError;

use super::{Code, HasProblemCodes, Problem, step};
use crate::app::{
    CreateError, Illegal, ImportError, NoSubmission, NotReady, ReadError, RenameError, ReplaceSecretError,
    SubmitError, TakeSeatError, WithdrawError,
};

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(cause) => Self {
                cause: Some(cause),
                ..Self::new(Code::Unavailable, "the database is not responding. Try again")
            },
            StoreError::Unwritable(cause) => Self {
                cause: Some(cause),
                ..Self::new(Code::Unavailable, "the database cannot be written right now. Try again")
            },
            StoreError::OnlyRead => {
                Self::new(Code::Unavailable, "this process is read-only. Send the request to one that writes")
            }
            StoreError::Locked => Self {
                cause: Some(error.to_string()),
                ..Self::new(Code::Unavailable, "the game cannot be written right now. Try again")
            },
            StoreError::Busy => {
                Self::new(Code::Busy, "too many requests like this one are waiting. Try again")
            }
            StoreError::NotFound => ReadError::NotFound.into(),
            StoreError::TakenDown(_) => Self::new(Code::GameRemoved, error.to_string()),
            StoreError::Conflict
            | StoreError::Exists
            | StoreError::Unreadable { .. }
            | StoreError::Backend(_) => Self::internal(error),
        }
    }
}

impl HasProblemCodes for StoreError {
    fn codes() -> Vec<Code> {
        vec![Code::Unavailable]
    }
}

impl From<NotReady> for Problem {
    fn from(error: NotReady) -> Self {
        match error {
            NotReady::CannotWrite => Self::new(Code::CannotWrite, error.to_string()),
            NotReady::Store(error) => error.into(),
        }
    }
}

impl HasProblemCodes for NotReady {
    fn codes() -> Vec<Code> {
        vec![Code::CannotWrite, Code::Unavailable]
    }
}

impl From<Damaged> for Problem {
    fn from(error: Damaged) -> Self {
        Self::internal(error)
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let code = match error.kind {
            ErrorKind::NotationSyntax => Code::NotationSyntax,
            ErrorKind::UnsupportedNotation => Code::UnsupportedNotation,
            ErrorKind::UnknownRuleset => Code::UnknownRuleset,
            ErrorKind::UnknownOption => Code::UnknownOption,
            ErrorKind::ImpossiblePosition => Code::ImpossiblePosition,
            ErrorKind::IllegalMove => Code::IllegalMove,
            ErrorKind::ScoreMismatch => Code::ScoreMismatch,
            ErrorKind::WrongMarker => Code::WrongMarker,
            ErrorKind::MissingMarker => Code::MissingMarker,
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

impl From<ReadError> for Problem {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::NotFound => Self::new(Code::GameNotFound, error.to_string()),
            ReadError::Store(error) => error.into(),
        }
    }
}

impl HasProblemCodes for ReadError {
    fn codes() -> Vec<Code> {
        vec![Code::GameNotFound, Code::GameRemoved, Code::Unavailable]
    }
}

impl From<CreateError> for Problem {
    fn from(error: CreateError) -> Self {
        let detail = error.to_string();
        match error {
            CreateError::Invalid(_) => Self::new(Code::BadRequest, detail),
            CreateError::NoOpenSeat => Self::new(Code::BadRequest, detail).at_member("/take"),
            CreateError::UnknownRuleset(_) => Self::unknown_ruleset(detail).at_member("/ruleset"),
            CreateError::NoSuchPlayer { ruleset, seat, .. } => {
                let players = ruleset.info().players.iter().map(|player| player.name());
                let names: Vec<&str> = ["open"].into_iter().chain(players).collect();
                let problem = Self {
                    rule: Some("table.seat.no-such-player".to_owned()),
                    seat: u8::try_from(seat).ok(),
                    expected: Some(names.join(", ")),
                    ..Self::new(Code::UnknownOption, detail)
                };
                problem.at_member(format!("/seats/{}", seat.saturating_sub(1)))
            }
            CreateError::Setting(SetupError { rule, name, .. }) => {
                // The notation also treats the number of seats as a setting.
                let pointer = if name == "seats" { step("", &name) } else { step("/options", &name) };
                let problem = Self { rule: Some(rule.to_owned()), ..Self::new(Code::UnknownOption, detail) };
                problem.at_member(pointer)
            }
            CreateError::Position(error) => Self::from(error).at_member("/position"),
            CreateError::HiddenPosition => Self::impossible_start("table.position.hidden", detail),
            CreateError::OverPosition => Self::impossible_start("table.position.over", detail),
            CreateError::OtherRequest | CreateError::Gone => Self::new(Code::IdempotencyMismatch, detail),
            CreateError::UnknownBeacon { known } => {
                let known: Vec<String> = known.iter().map(ToString::to_string).collect();
                let problem = Self {
                    rule: Some("table.beacon.unknown-chain".to_owned()),
                    expected: Some(known.join(", ")),
                    ..Self::new(Code::UnknownOption, detail)
                };
                problem.at_member("/beacon")
            }
            CreateError::NoEntropy(_) | CreateError::NotStarted(_) => Self::internal(detail),
            CreateError::Store(error) => error.into(),
        }
    }
}

impl HasProblemCodes for CreateError {
    fn codes() -> Vec<Code> {
        vec![
            Code::BadRequest,
            Code::NotationSyntax,
            Code::UnknownRuleset,
            Code::UnknownOption,
            Code::ImpossiblePosition,
            Code::IdempotencyMismatch,
            Code::Busy,
            Code::Unavailable,
        ]
    }
}

impl From<TakeSeatError> for Problem {
    fn from(error: TakeSeatError) -> Self {
        let detail = error.to_string();
        match error {
            TakeSeatError::HoldsAnother { wanted: seat, .. }
            | TakeSeatError::Taken(seat)
            | TakeSeatError::Reserved(seat) => {
                Self { seat: Some(seat.number()), ..Self::new(Code::SeatTaken, detail) }
            }
            TakeSeatError::OtherCommitment { commitment: is } => {
                Self { expected: is.map(|is| is.to_string()), ..Self::new(Code::CommitmentMismatch, detail) }
            }
            TakeSeatError::SeatsChanged { digest: is, receipt } => {
                let expected = is.map(|is| is.to_string());
                Self { expected, receipt: receipt.ok(), ..Self::new(Code::SeatsChanged, detail) }
            }
            // The operator has removed its chain.
            TakeSeatError::NoBeacon(_) => Self::new(Code::Unavailable, detail),
            TakeSeatError::NotStarted(_) => Self::internal(detail),
            TakeSeatError::Store(error) => error.into(),
        }
    }
}

impl HasProblemCodes for TakeSeatError {
    fn codes() -> Vec<Code> {
        vec![Code::SeatTaken, Code::CommitmentMismatch, Code::SeatsChanged, Code::Busy, Code::Unavailable]
    }
}

impl From<RenameError> for Problem {
    fn from(error: RenameError) -> Self {
        let detail = error.to_string();
        match error {
            RenameError::NotYours(seat) => {
                Self { seat: Some(seat.number()), ..Self::new(Code::NotYourSeat, detail) }
            }
            RenameError::NotAsShown(head) => Self {
                head: head.map(HeadView::from),
                ..Self::new(
                    Code::StaleHead,
                    "If-Match does not name the response that GET of the game returns to you now",
                )
            },
            RenameError::Store(error) => error.into(),
        }
    }
}

impl HasProblemCodes for RenameError {
    fn codes() -> Vec<Code> {
        vec![Code::NotYourSeat, Code::StaleHead, Code::Busy, Code::Unavailable]
    }
}

impl From<WithdrawError> for Problem {
    fn from(error: WithdrawError) -> Self {
        let detail = error.to_string();
        match error {
            WithdrawError::NotOwner => Self::new(Code::NotYourSeat, detail),
            WithdrawError::NotYours(seat) => {
                Self { seat: Some(seat.number()), ..Self::new(Code::NotYourSeat, detail) }
            }
            WithdrawError::Started => Self::new(Code::AlreadyStarted, detail),
            WithdrawError::Waiting(_) => Self::new(Code::WaitingForBeacon, detail),
            WithdrawError::Store(error) => error.into(),
        }
    }
}

impl HasProblemCodes for WithdrawError {
    fn codes() -> Vec<Code> {
        vec![Code::NotYourSeat, Code::AlreadyStarted, Code::WaitingForBeacon, Code::Busy, Code::Unavailable]
    }
}

impl From<ReplaceSecretError> for Problem {
    fn from(error: ReplaceSecretError) -> Self {
        let detail = error.to_string();
        let about = |seat: Seat, code| Self { seat: Some(seat.number()), ..Self::new(code, detail) };
        match error {
            ReplaceSecretError::NotYours(seat) => about(seat, Code::NotYourSeat),
            ReplaceSecretError::HoldsAnother(seat) => about(seat, Code::SeatTaken),
            ReplaceSecretError::Store(error) => error.into(),
        }
    }
}

impl HasProblemCodes for ReplaceSecretError {
    fn codes() -> Vec<Code> {
        vec![Code::NotYourSeat, Code::SeatTaken, Code::Busy, Code::Unavailable]
    }
}

impl From<NoSubmission> for Problem {
    fn from(error: NoSubmission) -> Self {
        let detail = error.to_string();
        match error {
            NoSubmission::Syntax { word, column, error, .. } => Self {
                rule: Some(error.rule.to_owned()),
                word: Some(word),
                column: Some(column),
                expected: Some(error.expected.to_owned()),
                ..Self::new(Code::NotationSyntax, detail)
            },
            NoSubmission::Empty => Self::new(Code::BadRequest, "the body has no move"),
            NoSubmission::NotAlone => Self::new(Code::BadRequest, detail),
            NoSubmission::HasChance { word } => {
                Self { word: Some(word), ..Self::new(Code::ChanceNotYours, detail) }
            }
        }
    }
}

impl HasProblemCodes for NoSubmission {
    fn codes() -> Vec<Code> {
        vec![Code::BadRequest, Code::NotationSyntax, Code::ChanceNotYours]
    }
}

impl From<NotStarted> for Problem {
    fn from(error: NotStarted) -> Self {
        Self::new(Code::NotStarted, error.to_string())
    }
}

impl HasProblemCodes for NotStarted {
    fn codes() -> Vec<Code> {
        vec![Code::NotStarted]
    }
}

impl From<SubmitError> for Problem {
    fn from(error: SubmitError) -> Self {
        let detail = error.to_string();
        match error {
            SubmitError::NoSeat | SubmitError::NotYourSeat | SubmitError::NotOwner => {
                Self::new(Code::NotYourSeat, detail)
            }
            SubmitError::Taken { ply, head } => {
                Self { ply: Some(ply), head: Some(HeadView::from(head)), ..Self::new(Code::PlyTaken, detail) }
            }
            SubmitError::NotStarted(error) => error.into(),
            SubmitError::GameOver(score) => Self { result: Some(score), ..Self::new(Code::GameOver, detail) },
            SubmitError::Gap { head, .. } => {
                Self { head: Some(HeadView::from(head)), ..Self::new(Code::PlyGap, detail) }
            }
            SubmitError::NotYourTurn(seat) => {
                Self { seat: Some(seat.number()), ..Self::new(Code::NotYourTurn, detail) }
            }
            SubmitError::Stale { head } => Self {
                head: Some(HeadView::from(head)),
                ..Self::new(Code::StaleHead, "If-Match does not name the game's current head")
            },
            SubmitError::TableRule { rule, .. } => {
                Self { rule: Some(rule.to_owned()), ..Self::new(Code::IllegalMove, detail) }
            }
            SubmitError::Illegal(Illegal { rule, text, ply, seat, word, legal }) => Self {
                rule: Some(rule.to_owned()),
                ply: Some(ply),
                seat: seat.map(Seat::number),
                word,
                expected: (!legal.is_empty()).then(|| legal.join(", ")),
                ..Self::new(Code::IllegalMove, text)
            },
            SubmitError::ListTooLong { word } => Self { word, ..Self::new(Code::ChancePending, detail) },
            SubmitError::Damaged(_) | SubmitError::NoSeed => Self::internal(detail),
            SubmitError::Store(error) => error.into(),
        }
    }
}

impl HasProblemCodes for SubmitError {
    fn codes() -> Vec<Code> {
        vec![
            Code::NotYourSeat,
            Code::NotStarted,
            Code::PlyTaken,
            Code::PlyGap,
            Code::GameOver,
            Code::NotYourTurn,
            Code::StaleHead,
            Code::IllegalMove,
            Code::ChancePending,
            Code::Busy,
            Code::Unavailable,
        ]
    }
}

impl From<ImportError> for Problem {
    fn from(error: ImportError) -> Self {
        let detail = error.to_string();
        match error {
            ImportError::Refused(error) => error.into(),
            ImportError::NotFinished => Self::new(Code::NotFinished, detail),
            ImportError::Masked => Self::new(Code::MaskedRecord, detail),
            ImportError::WrongName { .. } => Self::new(Code::BadRequest, detail),
            ImportError::TooLong => Self::new(Code::TooLarge, detail),
            ImportError::NoGame => Self::internal(detail),
            ImportError::Store(error) => error.into(),
        }
    }
}

impl HasProblemCodes for Error {
    fn codes() -> Vec<Code> {
        vec![
            Code::NotationSyntax,
            Code::UnsupportedNotation,
            Code::UnknownRuleset,
            Code::UnknownOption,
            Code::ImpossiblePosition,
            Code::IllegalMove,
            Code::ScoreMismatch,
            Code::WrongMarker,
            Code::MissingMarker,
        ]
    }
}

impl HasProblemCodes for ImportError {
    fn codes() -> Vec<Code> {
        let more = [
            Code::NotFinished,
            Code::MaskedRecord,
            Code::TooLarge,
            Code::GameRemoved,
            Code::Busy,
            Code::Unavailable,
        ];
        [Error::codes(), more.to_vec()].concat()
    }
}
