//! Lines of JSON with their keys in the order in which people read them.

use serde_json::Value;

/// An object on one line.
pub fn line(members: &[(&str, Value)]) -> String {
    let members: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}\n", members.join(","))
}
