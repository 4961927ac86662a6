//! The labels of seats.

/// The rule for names, in a sentence.
const WRONG_NAME: &str =
    "a name must have 1 to 64 characters, no control characters, and no leading or trailing blanks";

/// Returns whether a seat may be labelled like this: 1 to 64 characters, no control characters, no leading
/// or trailing blanks.
pub(super) fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.chars().count()) && assam_notation::check_tag("seat1", name)
}

/// Checks a label; none erases the one that is there.
///
/// # Errors
/// The rule for names.
pub fn check_name(name: Option<&str>) -> Result<(), &'static str> {
    if name.is_none_or(is_name) { Ok(()) } else { Err(WRONG_NAME) }
}
