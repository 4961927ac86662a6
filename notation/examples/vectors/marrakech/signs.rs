//! Every ASCII character in every place of a word.

use serde_json::json;

use super::super::json::line;
use super::fault::Fault;

const HEAD: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 ";

/// The place of the character in the second word of a record. Its first turn may end with `d6e6`.
#[derive(Clone, Copy)]
enum Place {
    File,
    Rank,
    BehindRug,
    BehindPlus,
}

/// The outcome for a record with a character in its place.
enum Outcome {
    Valid,
    /// The rule, and the byte of the word.
    Syntax(&'static str, usize),
    /// The rule. The text is a word.
    Illegal(&'static str),
}

/// Returns a vector for every place and character.
pub fn file() -> String {
    [Place::File, Place::Rank, Place::BehindRug, Place::BehindPlus]
        .into_iter()
        .flat_map(|place| (0..=0x7F_u8).map(move |sign| vector(place, sign.into())))
        .collect()
}

fn vector(place: Place, sign: char) -> String {
    let (word, why) = match place {
        Place::File => (format!("{sign}6e6"), "for a file"),
        Place::Rank => (format!("d{sign}e6"), "for a rank"),
        Place::BehindRug => (format!("d6e6{sign}"), "behind a rug"),
        Place::BehindPlus => (format!("d6e6+{sign}"), "behind a plus"),
    };
    let text = format!("{HEAD}{word} *\n");
    let mut members = vec![("why", json!(format!("{:?} {why}", sign))), ("record", json!(text))];
    let fault = |code, rule, offset, syntax| {
        // An end marker is not a ply.
        let ply = (rule != "notation.marker.unknown").then_some(2);
        let fault = Fault { code, rule, offset: HEAD.len() + offset, word: Some(2), ply };
        [("verdict", json!("refused")), ("error", fault.json(text.as_bytes())), ("syntax", json!(syntax))]
    };
    members.extend(match outcome(place, sign) {
        Outcome::Valid => {
            let canonical = json!(format!("{HEAD}d6e6 *\n"));
            [("verdict", json!("valid")), ("canonical", canonical), ("syntax", json!("valid"))]
        }
        Outcome::Syntax(rule, offset) => fault("notation_syntax", rule, offset, "same"),
        Outcome::Illegal(rule) => fault("illegal_move", rule, 0, "valid"),
    });
    line(&members)
}

fn outcome(place: Place, sign: char) -> Outcome {
    let is_space = matches!(sign, ' ' | '\t' | '\n');
    let is_stray = !sign.is_ascii_graphic() && !is_space;
    match (place, sign) {
        (Place::File, 'd') | (Place::Rank, '6') => Outcome::Valid,
        // e6f6: Assam is on d7.
        (Place::File, 'f') => Outcome::Illegal("marrakech.rug.not-beside-assam"),
        (Place::File, 'a'..='g') | (Place::Rank, '1'..='7') => {
            Outcome::Syntax("notation.rug.no-common-side", 0)
        }
        (Place::File, 'N' | 'E' | 'S' | 'W') => Outcome::Syntax("notation.word.trailing", 1),
        (Place::File, '+') => Outcome::Syntax("notation.chance.unknown", 1),
        (Place::File, '!') => Outcome::Syntax("notation.lifecycle.unknown", 0),
        (Place::File, '*' | '=') => Outcome::Syntax("notation.marker.unknown", 0),
        (Place::File, _) => Outcome::Syntax("notation.decision.unknown", usize::from(is_space)),
        (Place::Rank, _) => Outcome::Syntax("notation.decision.unknown", usize::from(is_stray)),
        (Place::BehindRug, _) if is_space => Outcome::Valid,
        (Place::BehindRug, '+') => Outcome::Syntax("notation.chance.unknown", 5),
        (Place::BehindRug, _) => Outcome::Syntax("notation.word.trailing", 4),
        (Place::BehindPlus, '1'..='4' | 'r' | 'y' | 'b' | 'g') => {
            Outcome::Illegal("marrakech.turn.no-chance-due")
        }
        (Place::BehindPlus, _) => Outcome::Syntax("notation.chance.unknown", 5),
    }
}
