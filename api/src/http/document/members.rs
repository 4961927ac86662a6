//! Reaching into JSON.

use serde_json::Value;

/// Returns the items of a member that is a list; none where there is no such member.
pub fn items_mut<'a>(value: &'a mut Value, member: &str) -> impl Iterator<Item = &'a mut Value> {
    value.get_mut(member).and_then(Value::as_array_mut).into_iter().flatten()
}

/// Returns the members of a member that is an object; none where there is no such member.
pub fn members_mut<'a>(
    value: &'a mut Value,
    member: &str,
) -> impl Iterator<Item = (&'a String, &'a mut Value)> {
    value.get_mut(member).and_then(Value::as_object_mut).into_iter().flatten()
}
