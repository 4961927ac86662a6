//! Records and position lines from outside, of whatever rule set their first line names.

use assam_notation::{Code, Error, SetupLine};

use crate::referee::{Judgement, Referee, Table, Verdict};
use crate::ruleset::Ruleset;

/// Judges a record, or a position line.
pub fn judge(text: &[u8]) -> Judgement {
    let line = std::str::from_utf8(text).ok().map(|text| text.strip_suffix('\n').unwrap_or(text));
    let line = line.map(|line| line.strip_suffix('\r').unwrap_or(line));
    let is_position =
        |line: &&str| !line.starts_with("MKN/") && !line.contains('\n') && line.contains(" position=");
    let Some(line) = line.filter(is_position) else { return judge_record(text) };
    let named = SetupLine::read_position_line(line).map(|line| line.ruleset);
    let mut judgement = referee(named.ok()).judge_position(line);
    if let Err(error) = &mut judgement.verdict {
        name_known_rulesets(error);
    }
    judgement
}

/// Judges a record, and keeps nothing of it but the verdict.
pub fn verdict(record: &[u8]) -> Verdict {
    let mut verdict = referee_of(record).verdict(record);
    if let Some(error) = &mut verdict.error {
        name_known_rulesets(error);
    }
    verdict
}

/// Judges a record, not a position line.
pub fn judge_record(record: &[u8]) -> Judgement {
    let mut judgement = referee_of(record).judge(record);
    if let Err(error) = &mut judgement.verdict {
        name_known_rulesets(error);
    }
    judgement
}

/// The file form of a record.
///
/// # Errors
/// What is wrong with the record.
pub fn file_form(record: &str) -> Result<String, Error> {
    referee_of(record.as_bytes()).file_form(record)
}

/// A table where a setup line of a judgement begins; none where its first line broke.
pub fn table(judgement: &Judgement) -> Option<Box<dyn Table>> {
    let setup_line = judgement.setup_line.as_ref()?;
    referee_of(setup_line.as_bytes()).table(setup_line).ok()
}

/// Who judges a record: its first line says so, even where the rest cannot be read.
fn referee_of(record: &[u8]) -> &'static dyn Referee {
    let first_line = record.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = std::str::from_utf8(first_line.strip_suffix(b"\r").unwrap_or(first_line));
    referee(line.ok().and_then(|line| SetupLine::read(line).ok()).map(|line| line.ruleset))
}

/// What names no known rule set is refused by any referee, and with the same words.
fn referee(ruleset: Option<&str>) -> &'static dyn Referee {
    ruleset.and_then(Ruleset::named).unwrap_or(Ruleset::Marrakech).referee()
}

fn name_known_rulesets(error: &mut Error) {
    if error.code == Code::UnknownRuleset {
        let known: Vec<&str> = Ruleset::ALL.iter().map(|ruleset| ruleset.name()).collect();
        error.expected = Some(known.join(", ").into());
    }
}
