//! Breaks text into lines.

/// Breaks a text between words into lines of at most `width` characters. A longer word of a game is broken
/// before each outcome of its chance.
pub(super) fn broken(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let mut parts = vec![word];
        if word.chars().count() > width {
            let starts = word.match_indices('+').map(|(at, _)| at).filter(|&at| at > 0);
            let bounds: Vec<usize> = [0].into_iter().chain(starts).chain([word.len()]).collect();
            parts = bounds.windows(2).filter_map(|bounds| word.get(bounds[0]..bounds[1])).collect();
        }
        for (n, part) in parts.into_iter().enumerate() {
            let joint = if n == 0 { " " } else { "" };
            match lines.last_mut() {
                Some(line) if line.chars().count() + joint.len() + part.chars().count() <= width => {
                    line.push_str(joint);
                    line.push_str(part);
                }
                Some(_) | None => lines.push(part.to_owned()),
            }
        }
    }
    lines
}
