//! JSON pointers (RFC 6901), with which problems say where in a body something is.

/// How much of a name that was sent is told, in characters.
const NAME: usize = 60;

/// Returns a name as it is told: the beginning of a long one.
pub fn short(name: &str) -> String {
    if name.chars().count() <= NAME {
        name.to_owned()
    } else {
        name.chars().take(NAME).chain(['…']).collect()
    }
}

/// Returns a pointer to a member (RFC 6901, section 3).
pub fn step(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", short(name).replace('~', "~0").replace('/', "~1"))
}

/// Returns the name of the member with which a pointer begins (RFC 6901, section 4).
pub fn first_step(pointer: &str) -> String {
    let first = pointer.split('/').nth(1).unwrap_or_default();
    first.replace("~1", "/").replace("~0", "~")
}
