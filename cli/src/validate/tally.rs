//! Counts of validated records.

/// Counts of records and of their sources.
#[derive(Default)]
pub struct Tally {
    pub sources: u64,
    pub unreadable: u64,
    pub good: u64,
    /// How many of the good ones are masked, and so good in everything that is visible.
    pub masked: u64,
    pub refused: u64,
}

impl Tally {
    /// Adds the counts of others.
    pub fn add(&mut self, others: &Self) {
        let Self { sources, unreadable, good, masked, refused } = others;
        self.sources += sources;
        self.unreadable += unreadable;
        self.good += good;
        self.masked += masked;
        self.refused += refused;
    }
}
