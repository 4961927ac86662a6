#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! * [`AnyRecord`] is a record of any game in the list [`Ruleset`]. [`judge`](fn@judge) also takes a position
//!   line.
//! * [`Setup`] is the beginning of a game. [`Setup::table`] opens it as a [`Table`].
//! * [`Play`] makes moves on a table, [`Show`] shows its position, and [`Count`] counts lines. Each is
//!   object-safe and implemented once, for any game that implements [`Shown`].
//! * [`Setup::walk`] replays a log once, for one viewer.
//! * [`AnyRecord::account`] accounts for luck and errors.
//! * [`Ruleset::info`] describes a game: its options, rules and players.

mod account;
mod column;
mod count;
mod decision;
mod depth;
mod dice;
mod equity;
mod info;
mod judge;
mod likeness;
mod list;
pub mod marrakech;
pub mod marrakesh;
mod outcome;
pub mod picture;
mod ply_row;
mod record;
mod refusal;
mod ruleset;
#[cfg(feature = "utoipa")]
mod schema;
mod score;
mod setup;
mod shown;
mod slip;
mod state;
mod table;
mod table_of;
mod walk;
mod word;

pub use account::{GameAccount, MoveAccount, MoveKind, SeatAccount};
pub use column::{Column, ColumnKind, Datum};
pub use count::Count;
pub use decision::{AnyDecision, Submitted};
pub use depth::{Depth, WrongDepth};
pub use dice::{Faces, Roll};
pub use equity::{AnyLine, WinAndPoints};
pub use info::{GameInfo, RuleInfo};
pub use judge::{Verdict, judge, record_in, verdict};
pub use likeness::likeliest;
pub use list::ends_list;
pub use outcome::{NoOutcomes, Probability};
pub use ply_row::{PlyRow, RowPosition};
pub use record::{AnyRecord, AnyStep};
pub use refusal::Refusal;
pub use ruleset::{Ruleset, Visitor};
pub use score::{Score, ScorePart, SeatScore, TieBreakValue};
pub use setup::Setup;
pub use shown::{Described, Shown};
pub use state::{Event, State};
pub use table::{AnyAnalysis, ChanceOutcome, Play, Show, Table};
pub use walk::{Broken, Walk, Walked};
pub use word::{AnyWord, Token, tokens};
