//! Whole records, cut off after each of their bytes, each with the verdict of a reader.
//!
//! The verdict follows from the place of the cut: the line, the word, and the byte within it.

use serde_json::json;

use super::super::json::line;
use super::fault::Fault;

/// Valid records. Without its end, each word is either no word or one that lacks its chance.
const RECORDS: [&str; 5] = [
    "MKN/1 marrakech/1 seats=3 cover=any\nseat1: Zo\u{eb} B\ndate: 2026-11-20\n\nN+3 d6e6\nE+2 f5f6\n!resign1\nE+1 g5g6\n*\n",
    "MKN/1 marrakech/1 seats=2 rugs_per_player=2\n\n+r\nN+1 d6d7+b\nE+1 f5g5+y\nN+1 e7f7+g\nN+1 f6f7\n= 35 32\n",
    "MKN/1 marrakech/1 seats=2 last_standing=no orientation=end start_dirhams=1 two_player=one-colour\n\n+1\nd6d7 N+1+2\n*\n",
    "MKN/1 marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-\n\nE+2 f5f6 *\n",
    "MKN/1 marrakech/1 seats=2\r\nnote: \u{5c71}\r\n\r\n+y N+1 d6d7+b\r\n!abort\r\n= -\r\n",
];

/// Returns a vector for every record cut off after every byte.
pub fn file() -> String {
    let mut lines = String::new();
    for record in RECORDS {
        for kept in 0..=record.len() {
            lines.push_str(&cut(record, kept));
        }
    }
    lines
}

fn cut(record: &str, kept: usize) -> String {
    let rest = &record.as_bytes()[..kept];
    let text = std::str::from_utf8(rest);
    let fault = match text {
        Ok(text) => fault(record, text),
        Err(error) => Some(Fault::syntax("notation.text.utf8", error.valid_up_to())),
    };
    let mut members = vec![
        ("why", json!(format!("{kept} of {} bytes", record.len()))),
        text.map_or_else(|_| ("hex", json!(hex(rest))), |text| ("record", json!(text))),
    ];
    let Some(fault) = fault else {
        let words: Vec<&str> = record.split_ascii_whitespace().collect();
        let body = record.split_once("\n\n").or_else(|| record.split_once("\r\n\r\n"));
        let body = body.map_or(0, |(_, body)| body.split_ascii_whitespace().count());
        let first = record.lines().next().unwrap_or_default();
        let canonical = format!("{first}\n\n{}\n", words[words.len() - body..].join(" "));
        members.extend([
            ("verdict", json!("valid")),
            ("canonical", json!(canonical)),
            ("syntax", json!("valid")),
        ]);
        return line(&members);
    };
    members.extend([("verdict", json!("refused")), ("error", fault.json(rest))]);
    let syntax = match fault.code {
        // Without a board, a word that lacks its chance is whole, so only the missing end marker is found.
        "illegal_move" => Fault::missing("notation.marker.missing", kept).json(rest),
        "score_mismatch" => json!("valid"),
        _ => json!("same"),
    };
    members.push(("syntax", syntax));
    line(&members)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the reason this part of a valid record is refused, or `None` if it is whole.
fn fault(record: &str, text: &str) -> Option<Fault> {
    if !text.contains('\n') {
        return Some(first_line(record.lines().next().unwrap_or_default(), text));
    }
    let blank_line = text.find("\n\n").map(|at| at + 2).or_else(|| text.find("\r\n\r\n").map(|at| at + 4));
    match blank_line {
        None => Some(tag(text)),
        Some(body) => self::body(record, text, body),
    }
}

/// Returns the fault of a cut in the first line, or before its line end.
fn first_line(whole: &str, text: &str) -> Fault {
    let kept = text.len();
    let is_whole = kept >= whole.len();
    let last = text.rfind(' ').map_or(0, |space| space + 1);
    match text.split(' ').count() {
        1 if kept < "MKN/1".len() => Fault::syntax("notation.setup.no-format", 0),
        1 => Fault::syntax("notation.setup.ruleset", kept),
        2 if kept < "MKN/1 marrakech/1".len() => Fault::syntax("notation.setup.ruleset", last),
        2 => Fault::syntax("notation.setup.seats", kept),
        _ if is_whole && text.ends_with('\r') => Fault::syntax("notation.setup.setting", kept - 1),
        // An empty position is a setting. Every other setting needs at least one letter of its value.
        _ if text.ends_with("position=") => Fault::missing("notation.body.missing", kept),
        _ if !text[last..].contains('=') || text.ends_with('=') => {
            Fault::syntax("notation.setup.setting", last)
        }
        _ => Fault::missing("notation.body.missing", kept),
    }
}

/// Returns the fault of a cut in a tag, or before the blank line.
fn tag(text: &str) -> Fault {
    let start = text.rfind('\n').map_or(0, |at| at + 1);
    let tag = &text[start..];
    match tag.split_once(": ") {
        _ if tag.is_empty() || tag.ends_with(':') => Fault::missing("notation.body.missing", text.len()),
        None => Fault::syntax("notation.tag.name", start),
        Some((_, value)) if value.ends_with([' ', '\r']) => {
            Fault::syntax("notation.tag.value", text.len() - 1)
        }
        Some(_) => Fault::missing("notation.body.missing", text.len()),
    }
}

/// Returns the fault of a cut in the body, or `None` if the record is whole.
fn body(record: &str, text: &str, body: usize) -> Option<Fault> {
    // Only a cut at the very end separates a CR from its LF.
    let (text, has_cr) = text.strip_suffix('\r').map_or((text, false), |text| (text, true));
    let kept = text.len() + usize::from(has_cr);
    let words: Vec<&str> = text[body..].split_ascii_whitespace().collect();
    let whole: Vec<&str> = record[body..].split_ascii_whitespace().collect();
    let Some((last, number)) = words.last().zip(Some(words.len())) else {
        return Some(Fault::missing("notation.marker.missing", kept));
    };
    let start = text.trim_ascii_end().len() - last.len();
    let marker = whole.iter().position(|word| word.starts_with(['*', '='])).unwrap_or(whole.len()) + 1;
    if number >= marker {
        let fault = end_marker(&words[marker - 1..], &whole[marker - 1..], has_cr);
        let first = text.rfind(['*', '=']).unwrap_or(start);
        return fault.map(|(code, rule, at_last)| Fault {
            code,
            rule,
            offset: if has_cr {
                text.len()
            } else if at_last {
                start
            } else {
                first
            },
            word: Some(marker),
            ply: None,
        });
    }
    let has_start = whole[0].starts_with('+');
    let ply = number - usize::from(has_start);
    let found = if text.ends_with([' ', '\n']) { None } else { word(last, whole[number - 1], has_cr) };
    let (code, rule, offset) = found.unwrap_or(("missing_marker", "notation.marker.missing", 0));
    if code == "missing_marker" {
        return Some(Fault::missing(rule, kept));
    }
    Some(Fault { code, rule, offset: start + offset, word: Some(number), ply: Some(ply) })
}

/// Returns the fault at the beginning of an end marker: code, rule, and whether its last part is at fault.
fn end_marker(kept: &[&str], whole: &[&str], has_cr: bool) -> Option<(&'static str, &'static str, bool)> {
    match (kept, whole) {
        (["*"], _) if has_cr => Some(("notation_syntax", "notation.marker.unknown", false)),
        (["*"], _) => None,
        (["="], _) => Some(("notation_syntax", "notation.marker.unknown", false)),
        _ if has_cr => Some(("notation_syntax", "notation.marker.score", true)),
        _ if kept == whole => None,
        _ => Some(("score_mismatch", "notation.marker.scores", false)),
    }
}

/// Returns the fault at the beginning of a word: code, rule, and the byte of the word.
fn word(kept: &str, whole: &str, has_cr: bool) -> Option<(&'static str, &'static str, usize)> {
    let syntax = |rule, offset| Some(("notation_syntax", rule, offset));
    let bytes = kept.len();
    if kept.ends_with('+') {
        return syntax("notation.chance.unknown", bytes);
    }
    if kept.starts_with('!') && kept.len() < whole.len() {
        return syntax("notation.lifecycle.unknown", if has_cr { bytes } else { 0 });
    }
    if kept.starts_with(|c: char| c.is_ascii_lowercase()) && bytes < "d6e6".len() {
        // The fault is at the square that is cut, or at the first one if even that is not whole.
        return syntax("notation.decision.unknown", if bytes < 2 { 0 } else { 2 });
    }
    if has_cr {
        return syntax("notation.word.trailing", bytes);
    }
    (kept != whole).then_some(("illegal_move", "notation.word.lacks-chance", bytes))
}
