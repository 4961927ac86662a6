//! The tags that lists of imported games can search.

use sha2::{Digest as _, Sha256};

/// A hash of the tags that a list searches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TagKey([u8; 16]);

/// The combinations of tags that lists can search.
const SETS: [&[&str]; 4] = [&["event"], &["event", "round"], &["event", "round", "table"], &["date"]];

impl TagKey {
    /// Returns the key of tags, each a name and a value, or none if lists cannot search this combination.
    pub fn from_tags(tags: &[(&str, &str)]) -> Option<Self> {
        SETS.iter().find(|set| set.len() == tags.len() && tags.iter().all(|(name, _)| set.contains(name)))?;
        let mut hash = Sha256::new();
        for name in ["event", "round", "table", "date"] {
            for (_, value) in tags.iter().filter(|(of, _)| *of == name) {
                hash.update(format!("{name}: {value}\n"));
            }
        }
        hash.finalize().first_chunk().map(|hash| Self(*hash))
    }

    /// Returns all keys of a game with these tags, one per line, so that lists find it.
    pub fn all_of(tags: &str) -> Vec<Self> {
        let value = |name: &str| {
            let mut lines = tags.lines().filter_map(|line| line.split_once(": "));
            lines.find(|(of, _)| *of == name).map(|(_, value)| value)
        };
        let key = |set: &&[&'static str]| {
            let tags: Option<Vec<_>> = set.iter().map(|&name| Some((name, value(name)?))).collect();
            Self::from_tags(&tags?)
        };
        SETS.iter().filter_map(key).collect()
    }

    pub(crate) fn bytes(self) -> Vec<u8> {
        [&b"t"[..], &self.0].concat()
    }
}
