//! Reports the results of a run as text and as JSON.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{Display, Formatter};
use std::io::Result;
use std::path::Path;

use serde::Serialize;

use crate::history::{self, Answer, Asked, Attempt, GameHistory, Said, Struck, Told};
use crate::judge::linear::{self, Judged};
use crate::judge::{self, Finding, Wrong};
use crate::plant::Plant;

/// The most findings to report of each kind.
const SHOWN: usize = 10;

/// Times in milliseconds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Times {
    /// The median.
    pub p50: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The longest.
    pub max: f64,
}

/// The count and effects of a fault.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Faults {
    /// How often it was struck.
    pub count: usize,
    /// The time from the start of the fault until every affected process had written again.
    pub outage: Times,
    /// The part of it after the fault: after the process or database was up, or the frozen one resumed.
    pub recovery: Times,
}

/// The results of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The database.
    pub store: String,
    /// The seed of the fault schedule.
    pub seed: u64,
    /// The number of service processes.
    pub processes: usize,
    /// How long clients played.
    pub seconds: f64,
    /// Games.
    pub games: usize,
    /// Acknowledged words, each counted once.
    pub words: usize,
    /// Plies tried by several clients at once.
    pub contested: u64,
    /// Messages of streams.
    pub told: usize,
    /// How often streams were resumed.
    pub resumed: usize,
    /// Answers by status and code.
    pub answers: BTreeMap<String, usize>,
    /// How long clients waited until a move was acknowledged, including retries.
    pub waits: Times,
    /// The time from then until open streams sent the word.
    pub lags: Times,
    /// Faults by kind.
    pub faults: BTreeMap<String, Faults>,
    /// The extent judged by the linearizability tester.
    pub linear: Judged,
    /// The number of violations by kind.
    pub wrong: BTreeMap<Wrong, usize>,
    /// The first findings of each kind.
    pub findings: Vec<Finding>,
    /// The planted fault, and whether it was found.
    pub planted: Option<Planted>,
    /// Steps that failed.
    pub notes: Vec<String>,
    /// The service's log lines, with counts.
    pub log: BTreeMap<String, u64>,
}

/// Whether a planted fault was found.
#[derive(Clone, Debug, Serialize)]
pub struct Planted {
    /// Its name.
    pub name: String,
    /// By the judge of times and words.
    pub by_judge: bool,
    /// By the linearizability tester.
    pub by_tester: bool,
}

impl Report {
    /// Returns whether there are no violations, or only those planted.
    pub fn is_as_it_should_be(&self) -> bool {
        match &self.planted {
            Some(planted) => planted.by_judge && planted.by_tester,
            None => self.wrong.is_empty(),
        }
    }

    /// Finds clients that were refused or cut off, which must not happen while other processes answer.
    pub fn find_refused(&mut self) {
        let is_refused = |answer: &str| answer.starts_with("503") || answer == "cut";
        let refused = self.answers.iter().filter(|(answer, _)| is_refused(answer));
        let finding = |(answer, count): (&String, &usize)| {
            let detail = format!("{count} times, although other processes answer: {answer}");
            Finding { wrong: Wrong::Unanswered, game: String::new(), detail }
        };
        let findings = refused.map(finding).collect();
        self.find(findings);
    }

    fn find(&mut self, findings: Vec<Finding>) {
        for finding in findings {
            let count = self.wrong.entry(finding.wrong).or_default();
            *count += 1;
            if *count <= SHOWN {
                self.findings.push(finding);
            }
        }
    }
}

/// Judges a history, together with earlier findings.
///
/// # Errors
/// If it cannot be read.
pub fn report(path: &Path, found: Vec<Finding>) -> Result<Report> {
    let outline = history::outline(path)?;
    let mut report = Report { faults: faults(&outline.faults), ..Report::default() };
    report.find(found);
    let (mut waits, mut lags) = (Vec::new(), Vec::new());
    history::games(path, |game| {
        waits.extend(waited(&game.attempts));
        lags.extend(lagged(game));
        report.games += 1;
        report.words += words(&game.attempts);
        let told: Vec<&Told> = game.told.iter().filter(|told| told.said != Said::Nothing).collect();
        report.told += told.len();
        let mut connections: Vec<(u32, u64)> = told.iter().map(|told| (told.client, told.start)).collect();
        connections.dedup();
        let mut clients: Vec<u32> = connections.iter().map(|(client, _)| *client).collect();
        clients.dedup();
        report.resumed += connections.len() - clients.len();
        for attempt in &game.attempts {
            *report.answers.entry(named(&attempt.answer)).or_default() += 1;
        }
        let last = outline.last.get(&game.game);
        report.find(judge::judge(game, last));
        let found = linear::judge(game, last, &mut report.linear);
        report.find(found);
        Ok(())
    })?;
    (report.waits, report.lags) = (times(waits), times(lags));
    if let Some(run) = outline.run {
        (report.store, report.seed, report.processes) = (run.store, run.seed, run.processes);
        let plant = Plant::ALL.into_iter().find(|plant| Some(plant.name()) == run.plant.as_deref());
        report.planted = plant.map(|plant| Planted {
            name: plant.name().to_owned(),
            by_judge: report.wrong.contains_key(&plant.is()),
            by_tester: report.wrong.contains_key(&Wrong::NotLinearizable),
        });
    }
    Ok(report)
}

/// Counts the acknowledged words.
fn words(attempts: &[Attempt]) -> usize {
    let mut plies: BTreeMap<u32, usize> = BTreeMap::new();
    for attempt in attempts {
        if let (Asked::Append { ply, .. }, Answer::Done { words, .. }) = (&attempt.asked, &attempt.answer) {
            plies.insert(*ply, words.len());
        }
    }
    plies.values().sum()
}

/// Returns the time of each decision from the first attempt to the answer.
fn waited(attempts: &[Attempt]) -> impl Iterator<Item = u64> {
    let mut begun = HashMap::new();
    attempts.iter().filter_map(move |attempt| {
        let Asked::Append { .. } = attempt.asked else { return None };
        let start = *begun.entry(attempt.op).or_insert(attempt.start);
        matches!(attempt.answer, Answer::Done { .. }).then(|| attempt.end - start)
    })
}

/// Returns how long after its acknowledgement each word arrived on streams that were already open.
fn lagged(game: &GameHistory) -> Vec<u64> {
    let mut acknowledged: BTreeMap<u32, u64> = BTreeMap::new();
    for attempt in &game.attempts {
        if let (Asked::Append { ply, .. }, Answer::Done { words, .. }) = (&attempt.asked, &attempt.answer) {
            for (ply, _) in (*ply..).zip(words) {
                let at = acknowledged.entry(ply).or_insert(attempt.end);
                *at = attempt.end.min(*at);
            }
        }
    }
    let lag = |told: &Told| {
        let at = *acknowledged.get(&told.ply).filter(|at| told.start < **at)?;
        Some(told.end.saturating_sub(at))
    };
    game.told.iter().filter(|told| told.said == Said::Word).filter_map(lag).collect()
}

fn named(answer: &Answer) -> String {
    match answer {
        Answer::Done { status, .. } => status.to_string(),
        Answer::Refused { status, code } => format!("{status} {code}"),
        Answer::Busy { code, has_retry_after: true } => format!("503 {code}, with Retry-After"),
        Answer::Busy { code, has_retry_after: false } => format!("503 {code}, without Retry-After"),
        Answer::Broken { status, .. } => format!("{status}, broken"),
        Answer::Cut => "cut".to_owned(),
    }
}

fn faults(struck: &[Struck]) -> BTreeMap<String, Faults> {
    let mut kinds: BTreeMap<String, Vec<&Struck>> = BTreeMap::new();
    for struck in struck {
        kinds.entry(struck.fault.clone()).or_default().push(struck);
    }
    let of = |(kind, all): (String, Vec<&Struck>)| {
        let since = |from: fn(&Struck) -> u64| {
            times(
                all.iter().filter_map(|struck| Some(struck.answered?.saturating_sub(from(struck)))).collect(),
            )
        };
        let faults = Faults {
            count: all.len(),
            outage: since(|struck| struck.start),
            recovery: since(|struck| struck.lifted),
        };
        (kind, faults)
    };
    kinds.into_iter().map(of).collect()
}

fn times(mut micros: Vec<u64>) -> Times {
    micros.sort_unstable();
    let millis = |micros: Option<&u64>| micros.copied().unwrap_or(0) as f64 / 1000.0;
    let of = |hundredths| millis(micros.get(micros.len() * hundredths / 100));
    Times { p50: of(50), p99: of(99), max: millis(micros.last()) }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Self { store, seed, processes, seconds, games, words, contested, .. } = self;
        writeln!(f, "{store}, {processes} processes, seed {seed}, {seconds:.0} s")?;
        writeln!(f, "  {words} words acknowledged in {games} games, {contested} plies contested")?;
        writeln!(f, "  {} messages of streams, {} resumed", self.told, self.resumed)?;
        let Judged { operations, stretches, longest } = self.linear;
        writeln!(
            f,
            "  {operations} operations in {stretches} stretches judged by stateright, {longest} in the longest"
        )?;
        let Times { p50, p99, max } = self.waits;
        writeln!(f, "  moves were acknowledged within {p50:.0} ms (p50), {p99:.0} (p99), {max:.0} (max)")?;
        let Times { p50, p99, max } = self.lags;
        writeln!(f, "  and came on streams {p50:.0} ms (p50), {p99:.0} (p99), {max:.0} (max) after that")?;
        writeln!(f, "\n  answers")?;
        for (answer, count) in &self.answers {
            writeln!(f, "    {count:>9}  {answer}")?;
        }
        writeln!(f, "\n  faults                                  outage p50, max   recovery p50, max (ms)")?;
        for (kind, Faults { count, outage, recovery }) in &self.faults {
            let (a, b, c, d) = (outage.p50, outage.max, recovery.p50, recovery.max);
            writeln!(f, "    {count:>6}  {kind:<30}{a:>9.0}{b:>9.0}{c:>9.0}{d:>9.0}")?;
        }
        for note in &self.notes {
            writeln!(f, "\n  {note}")?;
        }
        let count = |wrong| self.wrong.get(&wrong).copied().unwrap_or(0);
        let (lost, doubled, half) = (count(Wrong::Lost), count(Wrong::Doubled), count(Wrong::Half));
        writeln!(f, "\n  {lost} lost, {doubled} doubled, {half} half")?;
        for (wrong, count) in &self.wrong {
            writeln!(f, "    {count:>6}  {wrong:?}")?;
        }
        for Finding { wrong, game, detail } in &self.findings {
            writeln!(f, "  {wrong:?}: {game} {detail}")?;
        }
        if let Some(Planted { name, by_judge, by_tester }) = &self.planted {
            let found = |is_found| if is_found { "found" } else { "NOT FOUND" };
            let (judge, tester) = (found(*by_judge), found(*by_tester));
            writeln!(f, "  planted: {name}: {judge} by the judge, {tester} by the linearizability tester")?;
        }
        writeln!(f, "  {}", if self.is_as_it_should_be() { "as it should be" } else { "NOT AS IT SHOULD BE" })
    }
}
