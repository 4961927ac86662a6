//! MKN, the game notation of Assam: read, write and replay records.
//!
//! The notation is specified in `GRAMMAR.md` beside this crate. Records are read in two stages, each with its own kind
//! of errors: syntax needs no board, legality needs the position. A record that breaks still gives its valid prefix,
//! and an error that says where it broke, why, and what was expected.
//!
//! ```
//! use assam_notation::read_record;
//! use assam_rules::marrakech::Position;
//!
//! let record = read_record::<Position>("MKN/1 marrakech/1 seats=3\n\nN+3 d6e6\nE+2 *\n");
//! assert_eq!(record.verdict, Ok(()));
//! assert_eq!(record.canonical(), "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 E+2 *\n");
//!
//! let broken = read_record::<Position>("MKN/1 marrakech/1 seats=3\n\nN+3 d7d6 *\n");
//! let error = broken.verdict.unwrap_err();
//! assert_eq!((error.place.line, error.place.column, error.place.ply), (3, 5, Some(2)));
//! assert_eq!(error.rule, "marrakech.rug.under-assam");
//! assert_eq!(broken.words.len(), 1);
//! ```
#![no_std]
extern crate alloc;

mod cursor;
mod error;
mod explain;
mod field;
mod file_form;
mod history;
mod limits;
pub mod marrakech;
pub mod marrakesh;
mod mask;
mod names;
mod notation;
mod opening;
mod options;
mod reading;
mod record;
mod replay;
mod setup_line;
mod splitter;
mod steps;
mod text;
mod token;
mod word;

pub use cursor::Cursor;
pub use error::{Error, ErrorKind, Place};
pub use explain::Explain;
pub use file_form::{FileForm, line_starts};
pub use history::History;
pub use limits::{MAX_LINE, MAX_RECORD, MAX_WORD};
pub use mask::{mask, mask_word};
pub use notation::Notation;
pub use opening::{Opening, PositionLine, write_position_line};
pub use options::{OptionKind, OptionSpec, OptionValue, SetupError};
pub use reading::{read_record, validate_record};
pub use record::{End, Record, Tag};
pub use replay::{Replay, WordError};
pub use setup_line::SetupLine;
pub use splitter::{Piece, Splitter};
pub use steps::{Step, Steps};
pub use text::{RecordText, check_tag};
pub use token::{PositionError, TokenError};
pub use word::{Decision, Word, leave_text};
