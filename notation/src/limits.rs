//! Length limits that bound memory for any input.

/// The longest word, in bytes.
pub const MAX_WORD: usize = 64;

/// The longest line, in bytes without its line end.
pub const MAX_LINE: usize = 4096;

/// The longest record, in bytes.
pub const MAX_RECORD: usize = 65_536;
