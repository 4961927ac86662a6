#![doc = include_str!("../README.md")]
//!
//! Records are read in two stages, each with its own kind of errors: syntax needs no board, legality needs the position.
//! [`read_record`] and [`validate_record`] do both; [`Word`] and [`Replay`] are the stages by themselves.
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
