//! `assam show --follow`: shows each position of a record as its words are written.

use super::screen::{NotShown, Screen};
use crate::process::input::Source;

mod file;
mod followed;
mod stream;

use followed::Followed;

/// Shows each position until the end marker, and returns whether the record is good.
pub fn run(source: &Source, number: u64, screen: &mut Screen) -> Result<bool, NotShown> {
    let followed = Followed::new(screen, number);
    // Anything but a regular file blocks until there is more, and cannot be read again.
    match source.length() {
        Some(_) => file::follow(source, followed),
        None => stream::follow(source, followed),
    }
}
