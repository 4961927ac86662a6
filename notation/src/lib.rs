#![doc = include_str!("../README.md")]
//!
//! # Reading
//!
//! Records are read in two stages, each with its kind of errors. Syntax needs no board. Legality needs the
//! position.
//!
//! * [`read_record`] does both and keeps the valid part of a broken record.
//! * [`validate_record`] does both without keeping the words.
//! * [`RecordText`], [`SetupLine`] and [`Word`] are the first stage, [`Replay`] is the second.
//! * [`Splitter`] cuts a stream or a file into records, in bounded memory.
//!
//! Everything is generic over [`Notation`], which the `Position` of each game in `assam-rules` implements.
//!
//! # Writing
//!
//! * [`Record::canonical`] is the identity of a record, [`Record::file_form`] its readable form with tags.
//! * [`FileForm`] writes the file form of a game as it is played, and [`Replay::decide`] draws the chance of
//!   each word.
//! * [`PositionLine`] writes and reads a whole position on one line.
//!
//! # Hidden information
//!
//! [`Record::masked`] and [`mask()`] replace what a [`Viewer`](assam_rules::Viewer) may not read. A masked
//! record can be read and replayed, and is valid in everything visible.
//!
//! # Errors
//!
//! An [`Error`] has a stable [`ErrorKind`] and a finer rule identifier for programs. For people it has a
//! sentence, the reason, the expected text, and the [`Place`].
//!
//! # Limits
//!
//! Words, lines and records longer than [`MAX_WORD`], [`MAX_LINE`] and [`MAX_RECORD`] are refused.
//!
//! # Crate features
//!
//! * `serde` (off by default) implements `Serialize` and `Deserialize` for every type that has a text.
#![no_std]
extern crate alloc;

mod character;
mod cursor;
mod error;
mod explain;
mod field;
mod file_form;
mod foreign;
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

pub use character::StrayCharacter;
pub use cursor::Cursor;
pub use error::{Error, ErrorKind, Place};
pub use explain::Explain;
pub use file_form::{FileForm, line_starts, tag_line};
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
