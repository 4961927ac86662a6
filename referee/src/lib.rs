//! The crate that knows the games: it judges records, and plays, masks, shows and draws any game of one list,
//! [`Ruleset`], with text and views in and out.
//!
//! Nothing here knows a network, a database or a clock, and nothing draws a random number: the caller passes in a
//! source of draws.
//!
//! * [`judge`](fn@judge) reads a record or a position line from elsewhere, and says what is wrong with it.
//! * [`Setup`] is where a game begins; [`Setup::table`] opens it as a [`Table`].
//! * [`Play`] makes moves on a table, [`Show`] shows its position, [`Count`] counts lines. Each is object-safe and
//!   implemented once, for any game that implements [`Shown`].
//! * [`Setup::walk`] replays a log once, for one viewer.
//! * [`Ruleset::info`] describes a game: its options, rules and players.
//!
//! ```
//! use assam_referee::{Play as _, Show as _, judge};
//!
//! let judgement = judge(b"MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n");
//! assert_eq!(judgement.verdict, Ok(()));
//! let table = judgement.table.expect("its first line was read");
//! assert_eq!(table.ply(), 2);
//! assert_eq!(table.score().scores, [32, 30, 30]);
//! println!("{}", table.position_line());
//! ```

mod column;
mod count;
mod decision;
mod info;
mod judge;
mod list;
pub mod marrakech;
pub mod marrakesh;
pub mod picture;
mod ply_row;
mod refusal;
mod ruleset;
#[cfg(feature = "utoipa")]
mod schema;
mod score;
mod setup;
mod shown;
mod state;
mod table;
mod table_of;
mod walk;
mod word;

pub use column::{Column, ColumnKind, Datum};
pub use count::Count;
pub use decision::{AnyDecision, Submitted};
pub use info::{GameInfo, RuleInfo};
pub use judge::{Judgement, Verdict, judge, judge_record, verdict};
pub use list::ends_list;
pub use ply_row::PlyRow;
pub use refusal::Refusal;
pub use ruleset::{Ruleset, Visitor};
pub use score::{Score, ScorePart, SeatScore, TieBreakValue};
pub use setup::Setup;
pub use shown::{Bound, Described, Shown};
pub use state::{Event, State};
pub use table::{Play, Show, Table};
pub use walk::{Broken, Step, Walk};
pub use word::{AnyWord, Token, tokens};
