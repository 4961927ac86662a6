//! The report at the end of an audit: sentences for people, or one JSON object.

use std::collections::BTreeMap;
use std::fmt;

use assam_record::standings::DiceTally;
use assam_referee::Ruleset;
use serde::Serialize;

use super::check::{Check, NEVER, games};
use super::fault::AuditFault;
use super::findings::{CheckCount, Findings, OfRuleset};
use super::source_id::SourceId;

/// The version of the format of the JSON object.
const VERSION: u32 = 1;

#[derive(Serialize)]
pub struct AuditReport<'a> {
    version: u32,
    source: &'a SourceId,
    verdict: AuditVerdict,
    /// The verdict as a sentence.
    conclusion: String,
    games: u64,
    open: u64,
    running: u64,
    over: u64,
    imported: u64,
    plies: u64,
    rulesets: &'a BTreeMap<String, OfRuleset>,
    /// The dice of finished games that were played here, by rule set.
    dice: BTreeMap<&'static str, AuditedDice>,
    checks: Vec<CheckView>,
    not_checked: Vec<String>,
    faulty_games: u64,
    fault_count: u64,
    faults: &'a [AuditFault],
}

/// The verdict of an audit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditVerdict {
    /// Everything that was checked is sound.
    Sound,
    Unsound,
    /// Not everything could be read.
    Unfinished,
}

#[derive(Serialize)]
struct AuditedDice {
    /// How many dice showed each face from 1 to 6.
    faces: [u64; 6],
    /// The probability that fair dice are at least this uneven, by a chi-square test. None without dice.
    p_value: Option<f64>,
}

#[derive(Serialize)]
struct CheckView {
    check: Check,
    #[serde(flatten)]
    count: CheckCount,
    sentences: Vec<String>,
}

impl<'a> AuditReport<'a> {
    /// Returns the report on the findings. `unread` is the reason if not everything could be read.
    pub fn new(source: &'a SourceId, findings: &'a Findings, unread: Option<&str>) -> Self {
        let verdict = match (unread, findings.faults) {
            (Some(_), _) => AuditVerdict::Unfinished,
            (None, 0) => AuditVerdict::Sound,
            (None, _) => AuditVerdict::Unsound,
        };
        let checks = findings.checks.iter().map(|(check, count)| CheckView::new(*check, *count));
        let mut not_checked: Vec<String> =
            findings.left.iter().map(|(left, count)| left.sentence(*count)).collect();
        if source.is_believed() && findings.checks.contains_key(&Check::Ends) {
            not_checked.push(
                "that the service's keys are genuine: these are the ones that it lists now. Pass keys that you noted earlier with --key."
                    .to_owned(),
            );
        }
        not_checked.extend(NEVER.map(str::to_owned));
        Self {
            version: VERSION,
            source,
            verdict,
            conclusion: conclusion(findings, unread),
            games: findings.games,
            open: findings.open,
            running: findings.running,
            over: findings.over,
            imported: findings.imported,
            plies: findings.plies,
            rulesets: &findings.rulesets,
            dice: Ruleset::ALL.iter().filter_map(|ruleset| AuditedDice::named(*ruleset, findings)).collect(),
            checks: checks.collect(),
            not_checked,
            faulty_games: findings.faulty,
            fault_count: findings.faults,
            faults: &findings.told,
        }
    }

    pub const fn status(&self) -> u8 {
        match self.verdict {
            AuditVerdict::Sound => 0,
            AuditVerdict::Unsound => 1,
            AuditVerdict::Unfinished => 2,
        }
    }
}

impl AuditedDice {
    fn named(ruleset: Ruleset, findings: &Findings) -> Option<(&'static str, Self)> {
        let faces = *findings.dice.get(ruleset.name())?;
        let test = DiceTally { faces, ..DiceTally::default() }.chi_square(ruleset.info().die);
        Some((ruleset.name(), Self { faces, p_value: test.map(|test| test.p_value) }))
    }
}

/// How often each face came, as a sentence.
impl fmt::Display for AuditedDice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faces = (1..).zip(self.faces).filter(|(_, count)| *count > 0);
        let faces: Vec<String> = faces.map(|(face, count)| format!("{face}: {count}")).collect();
        write!(f, "dice of finished games: {}", faces.join(", "))?;
        self.p_value.map_or(Ok(()), |p| {
            write!(f, " (fair dice are at least this uneven in {:.1} of 100 such samples)", 100.0 * p)
        })
    }
}

impl CheckView {
    fn new(check: Check, count: CheckCount) -> Self {
        let mut sentences = Vec::new();
        let subject = check.subject();
        if count.verified > 0 {
            let is_of_log = matches!(check, Check::Log | Check::Earlier);
            let of = if count.verified == count.games || is_of_log {
                String::new()
            } else {
                format!(", in {}", games(count.games))
            };
            sentences.push(format!("verified: {subject}: {}{of}.", count.verified));
        }
        if count.faults > 0 {
            sentences.push(format!("NOT verified: {subject}: {}.", faults(count.faults)));
        }
        Self { check, count, sentences }
    }
}

fn faults(count: u64) -> String {
    if count == 1 { "1 fault".to_owned() } else { format!("{count} faults") }
}

fn conclusion(findings: &Findings, unread: Option<&str>) -> String {
    let all = games(findings.games);
    let found = match findings.faults {
        0 => "no fault".to_owned(),
        count => format!("{} in {}", faults(count), games(findings.faulty)),
    };
    match (unread, findings.faults, findings.games) {
        (Some(why), ..) => format!("UNFINISHED: {why}. In the {all} before that: {found}."),
        (None, 0, 0) => "There are no games.".to_owned(),
        (None, 0, _) => format!("SOUND: everything that was checked in {all} is correct."),
        (None, ..) => format!("NOT SOUND: {found}, of {}.", findings.games),
    }
}

impl fmt::Display for AuditReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Audit of {}", self.source.described())?;
        let waiting = if self.open == 1 { "1 waits" } else { &format!("{} wait", self.open) };
        writeln!(
            f,
            "{}: {} over ({} imported), {} running, {waiting} for players.",
            games(self.games),
            self.over,
            self.imported,
            self.running
        )?;
        for (name, of) in self.rulesets {
            writeln!(f, "  {name}: {}, {} plies", games(of.games), of.plies)?;
            if let Some(dice) = self.dice.get(name.as_str()) {
                writeln!(f, "    {dice}")?;
            }
        }
        writeln!(f)?;
        for sentence in self.checks.iter().flat_map(|check| &check.sentences) {
            writeln!(f, "{sentence}")?;
        }
        for sentence in &self.not_checked {
            writeln!(f, "not verified: {sentence}")?;
        }
        writeln!(f)?;
        for fault in self.faults {
            writeln!(f, "fault: {fault}.")?;
        }
        let untold = self.fault_count - self.faults.len() as u64;
        if untold > 0 {
            writeln!(f, "fault: .. and {untold} more.")?;
        }
        if self.fault_count > 0 {
            writeln!(f)?;
        }
        writeln!(f, "{}", self.conclusion)
    }
}
