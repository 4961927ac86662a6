//! Texts and steps of random records of every game. Written values read back, and the steps of a record are
//! its replay.

use std::fmt::Debug;
use std::fmt::Display;
use std::str::FromStr;

use assam_notation::{
    Decision, End, Error, Opening, PositionLine, Record, Word, read_record, write_position_line,
};
use assam_players::random_action;
use assam_referee::{AnyRecord, Event, Ruleset, Setup, Shown, Visitor};
use assam_rules::{Leave, Seat, Turn};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::every_game::random_setup;
use super::for_every_seed;
use crate::dice::Dice;

/// Plays a random game, which seats may leave, and reads its record.
fn random_record<G: Shown>(dice: &mut Dice) -> Record<G> {
    let opening = Opening::<G>::start(random_setup::<G>(dice));
    let leaves = dice.pick(&[0, 40]);
    let mut replay = opening.replay();
    let mut text = format!("{opening}\n\n");
    while !replay.position().turn().is_end() {
        let leave = Leave::Resign(Seat::FIRST);
        let decision = match replay.position().turn() {
            Turn::Player(_) if dice.below(1000) < leaves && replay.position().check_leave(leave).is_ok() => {
                Some(Decision::Leave(leave))
            }
            Turn::Player(_) => {
                random_action(replay.position(), &mut |range| dice.below(range)).map(Decision::Action)
            }
            Turn::Chance | Turn::Over | Turn::Aborted => None,
        };
        let word = replay.decide(decision, &mut |range| dice.below(range)).unwrap();
        text += &format!("{word} ");
    }
    let marker = End::of(replay.position());
    read_record(format!("{text}{marker}\n"))
}

/// Checks a law on random records of every listed game. The law counts the words that it was checked on.
fn for_random_records<L: Visitor<Output = u64>>(law: impl Fn(Dice) -> L + Sync) {
    for &ruleset in Ruleset::ALL {
        let tried = for_every_seed(40, |seed| ruleset.visit(law(Dice::new(seed))));
        assert!(tried > 1000, "{ruleset}: {tried}");
    }
}

/// Checks that `FromStr` and serde read a value from its text.
fn is_its_text<T>(value: &T, text: &str)
where
    T: PartialEq + Debug + Display + FromStr<Err: Debug + PartialEq> + Serialize + DeserializeOwned,
{
    assert_eq!(value.to_string(), text);
    assert_eq!(text.parse::<T>().as_ref(), Ok(value), "{text}");
    let json = serde_json::to_string(value).unwrap();
    assert_eq!(json, serde_json::to_string(text).unwrap());
    assert_eq!(&serde_json::from_str::<T>(&json).unwrap(), value, "{text}");
}

struct TextsAreRead(Dice);

impl Visitor for TextsAreRead {
    type Output = u64;

    fn visit<G: Shown>(mut self, _: Ruleset) -> u64 {
        let record = random_record::<G>(&mut self.0);
        let opening = record.opening.as_ref().unwrap();
        is_its_text(opening, &opening.line());
        assert_eq!(record.to_string().parse::<Record<G>>().as_ref(), Ok(&record));
        assert_eq!(opening.line().parse::<Setup>().unwrap().to_string(), opening.line());
        for step in record.steps() {
            let step = step.unwrap();
            is_its_text(step.word, &step.word.text());
            let line = write_position_line(step.position());
            is_its_text(&PositionLine(step.position().clone()), &line);
            let Some(decision) = step.word.decision else { continue };
            let text = step.word.text().split('+').next().unwrap().to_owned();
            is_its_text(&decision, &text);
            let trailing = format!("{text}+").parse::<Decision<G>>().unwrap_err();
            assert_eq!((trailing.rule, trailing.offset), ("notation.word.trailing", text.len()));
        }
        record.words.len() as u64
    }
}

#[test]
fn words_decisions_positions_and_records_of_random_games_are_read_from_what_they_are_written_as() {
    for_random_records(TextsAreRead);
}

struct StepsAreTheReplay(Dice);

impl Visitor for StepsAreTheReplay {
    type Output = u64;

    fn visit<G: Shown>(mut self, _: Ruleset) -> u64 {
        let record = random_record::<G>(&mut self.0);
        let any: AnyRecord = record.to_string().parse().unwrap();
        let mut replay = record.opening.as_ref().unwrap().replay();
        let mut table = any.setup.as_ref().unwrap().table();
        let mut steps = record.steps().zip(any.steps());
        for word in &record.words {
            let (typed, any) = steps.next().unwrap();
            let (typed, any) = (typed.unwrap(), any.unwrap());
            let mut events = Vec::new();
            assert_eq!(replay.next_ply(), typed.ply());
            replay.play_telling(word, |event| events.push(event)).unwrap();
            assert_eq!((typed.word, &typed.replay, &typed.events), (word, &replay, &events));
            table.replay(&word.text()).unwrap();
            assert_eq!((any.ply(), &any.word), (typed.ply(), &word.text()));
            assert_eq!(any.table.position_line(), table.position_line());
            let told = |events: Vec<Event>| events.iter().map(ToString::to_string).collect::<Vec<_>>();
            assert_eq!(told(any.table.events()), told(table.events()));
        }
        assert_eq!(steps.next().map(|_| ()), None);
        breaks_at_its_place(&record, self.0.below(record.words.len() as u64) as usize);
        record.words.len() as u64
    }
}

/// Checks that a record broken at a word has the steps before it, and then the error once.
fn breaks_at_its_place<G: Shown>(record: &Record<G>, at: usize) {
    let words: Vec<String> = record.words.iter().map(Word::text).collect();
    let text = format!("{}\n\n{} oops\n", record.opening.as_ref().unwrap(), words[..at].join(" "));
    let broken = read_record::<G>(&text);
    let error = broken.verdict.clone().unwrap_err();
    assert_eq!((error.place.line, error.place.word), (3, Some(at as u32 + 1)));
    let typed: Vec<Result<String, Error>> = broken.steps().map(|step| Ok(step?.word.text())).collect();
    let any: Vec<Result<String, Error>> = AnyRecord::read(&text).steps().map(|step| Ok(step?.word)).collect();
    let expected: Vec<_> = words[..at].iter().cloned().map(Ok).chain([Err(error)]).collect();
    assert_eq!((&typed, &any), (&expected, &expected));
}

#[test]
fn the_steps_of_a_record_are_its_replay_and_end_with_the_error_of_one_that_breaks() {
    for_random_records(StepsAreTheReplay);
}

#[test]
fn a_record_that_was_changed_after_it_was_read_is_stepped_through_up_to_the_word_that_no_longer_fits() {
    let text = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 E+2 f5f6 *\n";
    let mut record = text.parse::<Record<assam_rules::marrakech::Position>>().unwrap();
    record.words[2] = "S+1".parse().unwrap();
    let steps: Vec<_> = record.steps().map(|step| step.map(|step| step.ply())).collect();
    let [Ok(1), Ok(2), Err(error)] = &*steps else { panic!("{steps:?}") };
    assert_eq!(error.rule, "marrakech.orient.about-turn");
    assert_eq!(error.to_string().split(':').next(), Some("line 3, column 10, ply 3"));
}

#[test]
fn any_record_takes_the_game_that_its_first_line_names() {
    let marrakech: AnyRecord = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n".parse().unwrap();
    assert_eq!(marrakech.setup.unwrap().ruleset(), Ruleset::Marrakech);
    let match_text = "MKN/1 marrakesh/1 seats=2\n\n+122345/133456+b:4s3h2hAh2cQc+r:6s3s6h5h6d3c 4s *\n";
    let marrakesh: AnyRecord = match_text.parse().unwrap();
    assert_eq!(marrakesh.setup.as_ref().unwrap().ruleset(), Ruleset::Marrakesh);
    assert_eq!(marrakesh.to_string(), match_text);
    let plies: Vec<u32> = marrakesh.steps().map(|step| step.unwrap().ply()).collect();
    assert_eq!(plies, [0, 1]);
}

#[test]
fn a_record_of_an_unknown_game_has_no_steps_but_an_error_that_says_which_games_are_known() {
    let error = "MKN/1 chess/1 seats=2\n\n*\n".parse::<AnyRecord>().unwrap_err();
    assert_eq!(error.rule, "notation.setup.unknown-ruleset");
    assert_eq!(error.expected.as_deref(), Some("marrakech/1, marrakesh/1"));
    let record = AnyRecord::read("MKN/1 chess/1 seats=2\n\n*\n");
    let steps: Vec<_> = record.steps().map(|step| step.map(|step| step.word)).collect();
    assert_eq!(steps, [Err(error)]);
}
