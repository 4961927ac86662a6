//! Tags of a record as a JSON object.

use serde::{Serialize, Serializer};

/// Names and values, in the order of the record.
pub struct TagObject<'a>(pub &'a [(String, String)]);

impl Serialize for TagObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
