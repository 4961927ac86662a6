//! JSON pointers (RFC 6901), which locate flaws in a body.

/// The longest name that problems repeat, in characters.
const NAME: usize = 60;

/// Shortens a name to what problems repeat.
pub fn short(name: &str) -> String {
    if name.chars().count() <= NAME {
        name.to_owned()
    } else {
        name.chars().take(NAME).chain(['…']).collect()
    }
}

/// Returns a text in quotes. Right-to-left text is isolated so that it does not reorder its surroundings.
pub fn quoted(text: &str) -> String {
    let is_right_to_left = |c| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}');
    if text.contains(is_right_to_left) { format!("\u{2068}{text:?}\u{2069}") } else { format!("{text:?}") }
}

/// Returns a pointer to a member (RFC 6901, section 3).
pub fn step(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", short(name).replace('~', "~0").replace('/', "~1"))
}

/// Returns the member name that a pointer begins with (RFC 6901, section 4).
pub fn first_step(pointer: &str) -> String {
    let first = pointer.split('/').nth(1).unwrap_or_default();
    first.replace("~1", "/").replace("~0", "~")
}
