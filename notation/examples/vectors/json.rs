//! JSON lines with keys in a readable order.

use serde_json::Value;

/// Returns an object on one line.
pub fn line(members: &[(&str, Value)]) -> String {
    let members: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}\n", members.join(","))
}
