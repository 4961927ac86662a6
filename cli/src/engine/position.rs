//! Positions as controllers and engines exchange them: a setup line or position line, and the words since.

use assam_referee::{Setup, Table, Walk};
use assam_rules::{Seat, Viewer};

use super::protocol::{ErrorCode, Refused, WORDS, quoted};

/// A game at a position.
pub struct Position {
    pub setup: Setup,
    pub table: Box<dyn Table>,
}

impl Position {
    /// Reads the setup line of a new game.
    ///
    /// # Errors
    /// The fault in the line.
    pub fn new_game(line: &str) -> Result<Self, Refused> {
        let setup = Setup::read(line).map_err(|error| bad_position(error.to_string()))?;
        Ok(Self { table: setup.table(), setup })
    }

    /// Reads a setup line or a position line, and replays the words after it.
    ///
    /// # Errors
    /// The fault in the line, or the number and the fault of the first refused word.
    pub fn read(text: &str) -> Result<Self, Refused> {
        let (line, words) = match text.split_once(&format!(" {WORDS}")) {
            Some((line, words)) if words.is_empty() || words.starts_with(char::is_whitespace) => {
                (line, words)
            }
            Some(_) | None => (text, ""),
        };
        let setup =
            if line.starts_with("MKN/") { Setup::read(line) } else { Setup::read_position_line(line) };
        let setup = setup.map_err(|error| bad_position(error.to_string()))?;
        let mut table = setup.table();
        for (number, word) in (1..).zip(words.split_whitespace()) {
            table
                .replay(word)
                .map_err(|refusal| bad_position(format!("word {number}, {}: {refusal}", quoted(word))))?;
        }
        Ok(Self { setup, table })
    }
}

fn bad_position(text: String) -> Refused {
    Refused::new(ErrorCode::BadPosition, text)
}

/// Writes a position, for a seat that may not know all of it.
///
/// # Errors
/// The words are not legal.
pub fn seen_by(seat: Seat, setup: &Setup, words: &[String]) -> Result<String, String> {
    if !setup.ruleset().info().has_secrets {
        return Ok(text(setup, words.iter().map(String::as_str)));
    }
    // The leading word has ply 0.
    let last = words.len() as u32 - u32::from(words.first().is_some_and(|word| word.starts_with('+')));
    let mut told = Vec::new();
    let walk = Walk {
        viewer: Viewer::Seat(seat),
        decided: last,
        last,
        words: &mut words.iter().map(String::as_str),
        each: &mut |walked, _| told.push(walked.told.into_owned()),
    };
    setup.walk(walk).map_err(|broken| broken.to_string())?;
    Ok(text(setup, told.iter().map(String::as_str)))
}

/// Writes a position as the argument of `position`.
pub fn text<'a>(setup: &Setup, words: impl Iterator<Item = &'a str>) -> String {
    let mut text = format!("{} {WORDS}", setup.line());
    for word in words {
        text.push(' ');
        text.push_str(word);
    }
    text
}
