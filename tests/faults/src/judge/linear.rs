//! Judges appends and reads of a game as operations on a log with the linearizability tester of `stateright`.
//! It looks for one order of all operations that respects their times and explains every answer.
//!
//! Repeated requests are one operation, from the first attempt to the answer, and take effect once. So nearly
//! every operation has an end, and few orders have to be tried. A game is judged in stretches at whose ends
//! no operation is pending.

use std::collections::{BTreeMap, HashMap};

use stateright::semantics::{ConsistencyTester as _, LinearizabilityTester, SequentialSpec};

use crate::history::{Answer, Asked, GameHistory, Last};
use crate::judge::masks;
use crate::judge::{Finding, Wrong, is_taken};

/// A word as two numbers: the decision and the draw.
type Number = (u16, u16);

/// The words of a game so far.
#[derive(Clone, Debug, PartialEq)]
struct Words(Vec<Number>);

/// An operation on the words.
#[derive(Clone, Debug, PartialEq)]
enum Operation {
    /// A decision at a ply. If it was not answered, `written` is what it wrote if it took effect.
    Append { ply: usize, decision: u16, written: Vec<Number> },
    /// A read.
    Read,
}

/// The outcome of an operation.
#[derive(Clone, Debug, PartialEq)]
enum Outcome {
    /// These words were written at the ply.
    Written(Vec<Number>),
    /// Another decision had been written there.
    Taken,
    /// So many words were shown.
    Count(usize),
    /// These words were shown.
    All(Vec<Number>),
}

impl SequentialSpec for Words {
    type Op = Operation;
    type Ret = Outcome;

    fn invoke(&mut self, operation: &Operation) -> Outcome {
        match operation {
            Operation::Read => Outcome::All(self.0.clone()),
            Operation::Append { ply, written, .. } => {
                if self.0.len() + 1 == *ply {
                    self.0.extend(written);
                    return Outcome::Written(written.clone());
                }
                Outcome::Taken
            }
        }
    }

    /// The service throws the dice, so any draw is valid when first shown.
    fn is_valid_step(&mut self, operation: &Operation, outcome: &Outcome) -> bool {
        match (operation, outcome) {
            (Operation::Append { ply, decision, .. }, Outcome::Written(words)) => {
                if self.0.len() + 1 == *ply && words.first().is_some_and(|word| word.0 == *decision) {
                    self.0.extend(words);
                    return true;
                }
                self.0.get(ply - 1..ply - 1 + words.len()).is_some_and(|kept| kept == words)
            }
            (Operation::Append { ply, decision, .. }, Outcome::Taken) => {
                self.0.get(ply - 1).is_some_and(|kept| kept.0 != *decision)
            }
            (Operation::Read, Outcome::Count(count)) => self.0.len() == *count,
            (Operation::Read, Outcome::All(words)) => self.0 == *words,
            (Operation::Append { .. }, Outcome::Count(_) | Outcome::All(_)) => false,
            (Operation::Read, Outcome::Written(_) | Outcome::Taken) => false,
        }
    }
}

/// An operation in time. Without an answer it has no end, and may take effect at any time or never.
#[derive(Clone, Debug)]
struct Timed {
    thread: (u32, u64),
    start: u64,
    returned: Option<(u64, Outcome)>,
    operation: Operation,
}

/// The numbers of words.
#[derive(Default)]
struct Numbers(HashMap<String, u16>);

impl Numbers {
    fn part(&mut self, part: &str) -> u16 {
        let next = self.0.len() as u16;
        *self.0.entry(part.to_owned()).or_insert(next)
    }

    fn word(&mut self, word: &str) -> Number {
        let (decision, drawn) = word.split_once('+').unwrap_or((word, ""));
        (self.part(decision), self.part(&format!("+{drawn}")))
    }

    fn words(&mut self, words: &[String]) -> Vec<Number> {
        words.iter().map(|word| self.word(word)).collect()
    }
}

/// The extent of what was judged.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
pub struct Judged {
    /// Operations.
    pub operations: usize,
    /// Stretches of time at whose ends no operation was pending, judged one after another.
    pub stretches: usize,
    /// The most operations in a stretch.
    pub longest: usize,
}

/// Judges one game, and adds its extent to `judged`.
pub fn judge(game: &GameHistory, last: Option<&Last>, judged: &mut Judged) -> Vec<Finding> {
    let mut numbers = Numbers::default();
    let lifted = last.and_then(|last| masks::lifted(game, last));
    let (game, last) = lifted.as_ref().map_or((game, last), |(game, last)| (game, Some(last)));
    let (begun, mut timed) = operations(game, last, &mut numbers);
    timed.sort_by_key(|timed| timed.start);
    let mut words = Words(begun);
    let mut rest = timed.as_slice();
    while !rest.is_empty() {
        let (stretch, others) = rest.split_at(quiet(rest));
        rest = others;
        judged.operations += stretch.len();
        judged.stretches += 1;
        judged.longest = judged.longest.max(stretch.len());
        match serialize(&words, stretch) {
            Ok(after) => words = after,
            Err(detail) => {
                return vec![Finding { wrong: Wrong::NotLinearizable, game: game.game.clone(), detail }];
            }
        }
    }
    Vec::new()
}

/// Returns after how many operations none is pending.
fn quiet(timed: &[Timed]) -> usize {
    let mut end = 0;
    for (count, timed) in timed.iter().enumerate() {
        if count > 0 && timed.start > end {
            return count;
        }
        end = end.max(timed.returned.as_ref().map_or(u64::MAX, |(end, _)| *end));
    }
    timed.len()
}

/// Has the tester find an order, and returns the words after it.
fn serialize(before: &Words, stretch: &[Timed]) -> Result<Words, String> {
    // Starts come before ends of the same moment, as either operation may have been first.
    let mut moments: Vec<(u64, bool, &Timed)> = Vec::new();
    for timed in stretch {
        moments.push((timed.start, false, timed));
        moments.extend(timed.returned.as_ref().map(|(end, _)| (*end, true, timed)));
    }
    moments.sort_by_key(|(moment, is_end, _)| (*moment, *is_end));
    let mut tester = LinearizabilityTester::new(before.clone());
    for (_, is_end, timed) in moments {
        match &timed.returned {
            Some((_, outcome)) if is_end => tester.on_return(timed.thread, outcome.clone())?,
            Some(_) | None => tester.on_invoke(timed.thread, timed.operation.clone())?,
        };
    }
    let order = tester.serialized_history().ok_or_else(|| {
        let first = stretch.first().map_or(0, |timed| timed.start);
        format!(
            "no order explains {} operations from {first} us on, after {} words",
            stretch.len(),
            before.0.len()
        )
    })?;
    let mut after = before.clone();
    for (operation, outcome) in &order {
        if !after.is_valid_step(operation, outcome) {
            after.invoke(operation);
        }
    }
    Ok(after)
}

/// Returns the words before the first operation, and the operations.
fn operations(game: &GameHistory, last: Option<&Last>, numbers: &mut Numbers) -> (Vec<Number>, Vec<Timed>) {
    let in_the_end = last.map(|last| numbers.words(&last.words)).unwrap_or_default();
    let mut timed = Vec::new();
    let mut appends: BTreeMap<u64, Timed> = BTreeMap::new();
    let mut base = usize::MAX;
    for attempt in &game.attempts {
        let thread = (attempt.client, 0);
        match (&attempt.asked, &attempt.answer) {
            (Asked::Append { ply, decision }, answer) => {
                let ply = *ply as usize;
                base = base.min(ply - 1);
                let decision = numbers.part(decision);
                let append = appends.entry(attempt.op).or_insert_with(|| {
                    let there = in_the_end.get(ply - 1..).unwrap_or_default();
                    let is_there = there.first().is_some_and(|word| word.0 == decision);
                    let written = if is_there { vec![there[0]] } else { vec![(decision, u16::MAX)] };
                    let operation = Operation::Append { ply, decision, written };
                    Timed {
                        thread: (attempt.client, attempt.op),
                        start: attempt.start,
                        returned: None,
                        operation,
                    }
                });
                append.returned = match answer {
                    Answer::Done { words, .. } => Some((attempt.end, Outcome::Written(numbers.words(words)))),
                    Answer::Refused { code, .. } if is_taken(code) => Some((attempt.end, Outcome::Taken)),
                    Answer::Refused { .. } | Answer::Busy { .. } | Answer::Broken { .. } | Answer::Cut => {
                        None
                    }
                };
            }
            (Asked::Game, Answer::Done { ply, .. }) => timed.push(Timed {
                thread,
                start: attempt.start,
                returned: Some((attempt.end, Outcome::Count(*ply as usize))),
                operation: Operation::Read,
            }),
            (Asked::Log, Answer::Done { words, .. }) => timed.push(Timed {
                thread,
                start: attempt.start,
                returned: Some((attempt.end, Outcome::All(numbers.words(words)))),
                operation: Operation::Read,
            }),
            (_, _) => {}
        }
    }
    for mut append in appends.into_values() {
        if append.returned.is_some() {
            append.thread.1 = 0;
        }
        timed.push(append);
    }
    if let Some(last) = last {
        timed.push(Timed {
            thread: (u32::MAX, 0),
            start: last.start,
            returned: Some((last.end, Outcome::All(in_the_end.clone()))),
            operation: Operation::Read,
        });
    }
    let begun = in_the_end.get(..base).unwrap_or(&in_the_end).to_vec();
    (begun, timed)
}
