//! The stored form of a log: entries `word~ms`, the newest first.
//!
//! Databases update a long value cheaply if its tail stays the same, so the newest entry comes first.

use jiff::{SignedDuration, Timestamp};

/// A word and the time it was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry<'a> {
    /// The word in canonical form.
    pub word: &'a str,
    /// The milliseconds since the previous entry or the start of the game.
    pub after_ms: u64,
}

impl Entry<'_> {
    /// Returns the stored form of the entry, with the milliseconds in base 36.
    pub fn text(&self) -> String {
        format!("{}~{}", self.word, base36(self.after_ms))
    }
}

/// Returns the entries of a log, oldest first.
pub fn entries(log: &str) -> impl DoubleEndedIterator<Item = Entry<'_>> {
    log.rsplit(' ').filter(|entry| !entry.is_empty()).map(|entry| {
        let (word, ms) = entry.split_once('~').unwrap_or((entry, "0"));
        Entry { word, after_ms: u64::from_str_radix(ms, 36).unwrap_or_default() }
    })
}

/// Returns the moment `ms` milliseconds after another.
pub fn later(moment: Timestamp, ms: u64) -> Timestamp {
    let ms = SignedDuration::from_millis(i64::try_from(ms).unwrap_or(i64::MAX));
    moment.saturating_add(ms).unwrap_or(Timestamp::MAX)
}

fn base36(mut number: u64) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit((number % 36) as u32, 36).unwrap_or('0'));
        number /= 36;
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_oldest_first_and_survive_writing() {
        let written: Vec<String> = [("E+2", u64::MAX), ("d6e6", 0), ("N+3", 1295)]
            .map(|(word, after_ms)| Entry { word, after_ms }.text())
            .to_vec();
        let log = written.join(" ");
        assert_eq!(log, "E+2~3w5e11264sgsf d6e6~0 N+3~zz");
        let read: Vec<(&str, u64)> = entries(&log).map(|entry| (entry.word, entry.after_ms)).collect();
        assert_eq!(read, [("N+3", 1295), ("d6e6", 0), ("E+2", u64::MAX)]);
        assert_eq!(entries("").count(), 0);
    }
}
