//! Laws of the notation for the record of every game of Marrakech.

use assam_notation::{Decision, End, Opening, Replay, SetupLine, Word, read_record, write_position_line};
use assam_rules::marrakech::{Action, Position};
use assam_rules::{Game, Move, Turn};

use super::super::every_leave;
use super::table::{Table, every_action, every_chance, for_every_game};
use crate::dice::Dice;

#[test]
fn every_decision_and_outcome_reads_back_as_it_was_written() {
    let actions = every_action().into_iter().map(Decision::Action);
    let leaves = every_leave().map(Decision::Leave);
    let decisions = actions.chain(leaves).map(Some).chain([None]);
    for decision in decisions {
        for chance in every_chance() {
            for drawn in [0, 1, 8] {
                let word =
                    Word::<Position> { decision, chance: std::iter::repeat_n(chance, drawn).collect() };
                if !word.text().is_empty() {
                    assert_eq!(Word::read(&word.text()), Ok(word.clone()), "{}", word.text());
                }
            }
        }
    }
}

#[test]
fn a_whole_record_reads_back_as_it_was_written_in_canonical_and_in_file_form() {
    for_every_game(10_000, |table| {
        let table = table.finish();
        let text = canonical(&table);
        let record = read_record::<Position>(&text);
        assert_eq!(record.verdict, Ok(()), "{text}");
        assert_eq!(record.opening.as_ref().map(Opening::setup), Some(table.position.setup()), "{text}");
        assert_eq!(record.words, table.words, "{text}");
        assert_eq!(record.replay.as_ref().unwrap().position(), &table.position, "{text}");
        assert_eq!(record.canonical(), text);
        let file = record.file_form();
        assert_eq!(read_record::<Position>(&file), record, "{file}");
        0
    });
}

#[test]
fn a_record_in_any_white_space_and_with_the_squares_of_a_rug_swapped_is_the_same_record() {
    for_every_game(10_000, |table| {
        let mut table = table.finish();
        let tidy = read_record::<Position>(canonical(&table));
        let messy = messy(&mut table);
        let read = read_record::<Position>(&messy);
        assert_eq!(read, tidy, "{messy:?}");
        assert_eq!(read.canonical(), tidy.canonical());
        assert_eq!(read_record::<Position>(read.file_form()).file_form(), read.file_form());
        0
    });
}

#[test]
fn every_prefix_of_a_game_is_a_valid_unfinished_record() {
    let prefixes = for_every_game(400, |table| {
        let table = table.finish();
        let setup = Opening::<Position>::start(*table.position.setup()).line();
        let words: Vec<String> = table.words.iter().map(Word::text).collect();
        let mut replay = Replay::<Position>::new(table.position.setup());
        for played in 0..words.len() {
            let body = words[..played].iter().map(|word| format!("{word} ")).collect::<String>();
            let record = read_record::<Position>(format!("{setup}\n\n{body}*\n"));
            if replay.is_start_due() {
                assert_eq!(record.verdict.unwrap_err().rule, "notation.word.lacks-start");
            } else {
                assert_eq!(record.verdict, Ok(()), "{setup}\n\n{body}*");
                assert_eq!(record.replay.as_ref(), Some(&replay));
            }
            replay.play(&table.words[played]).unwrap();
        }
        assert_eq!(replay.position(), &table.position);
        words.len() as u64
    });
    assert!(prefixes > 10_000, "{prefixes}");
}

#[test]
fn a_replay_that_draws_its_own_chance_plays_the_same_game() {
    for_every_game(10_000, |table| {
        let table = table.finish();
        let mut replay = Replay::<Position>::new(table.position.setup());
        for word in &table.words {
            // Finds the draws that lead to the outcomes of this word by trying every number.
            let mut position = replay.position().clone();
            if let Some(decision) = word.decision {
                position.play(decision.to_move()).unwrap();
            }
            let mut draws = Vec::new();
            for &chance in &word.chance {
                let draw = (0..).find(|&k| *position.draw_chance(&mut |_| k) == [chance]).unwrap();
                draws.push(draw);
                position.play(Move::Chance(chance)).unwrap();
            }
            let mut draws = draws.into_iter();
            let drawn = replay.decide(word.decision, &mut |_| draws.next().unwrap()).unwrap();
            assert_eq!(drawn, *word);
        }
        assert_eq!(replay.position(), &table.position);
        0
    });
}

#[test]
fn a_word_that_is_refused_changes_nothing() {
    let actions = every_action();
    let refusals = for_every_game(10_000, |table| {
        let mut table = table.finish();
        let mut replay = Replay::<Position>::new(table.position.setup());
        let mut refusals = 0;
        for word in &table.words {
            let mut too_short = word.clone();
            let mut too_long = word.clone();
            let last = too_short.chance.pop();
            too_long.chance.extend(every_chance().nth(table.dice.below(8) as usize));
            let another =
                Word { decision: Some(Decision::Action(table.dice.pick(&actions))), ..word.clone() };
            let without_decision = Word { decision: None, ..word.clone() };
            for (wrong, surely) in [
                (too_short, last.is_some()),
                (too_long, true),
                (another, false),
                (without_decision, word.decision.is_some()),
            ] {
                let mut tried = replay.clone();
                if tried.play(&wrong).is_err() {
                    assert_eq!(tried, replay, "{wrong:?}");
                    refusals += 1;
                } else {
                    assert!(!surely, "{wrong:?}");
                }
            }
            replay.play(word).unwrap();
        }
        refusals
    });
    assert!(refusals > 50_000, "{refusals}");
}

/// Returns the record of a game, put together by hand from the page on the notation.
pub(super) fn canonical(table: &Table) -> String {
    let mut text = format!("{}\n\n", Opening::<Position>::start(*table.position.setup()).line());
    for word in &table.words {
        text.push_str(&word.text());
        text.push(' ');
    }
    match table.position.turn() {
        Turn::Over => {
            text.push('=');
            for score in table.position.scores() {
                text.push_str(&format!(" {score}"));
            }
        }
        Turn::Aborted => text.push_str("= -"),
        Turn::Player(_) | Turn::Chance => text.push('*'),
    }
    text.push('\n');
    text
}

/// Returns the same record in bad handwriting.
fn messy(table: &mut Table) -> String {
    let text = canonical(table);
    let (head, body) = text.split_once("\n\n").unwrap();
    let mut messy = format!("{head}{}\n", table.dice.pick(&["\n", "\r\n"]));
    messy.push_str(blank(&mut table.dice));
    let mut words = table.words.iter();
    for token in body.split_whitespace() {
        match words.next().map(|word| (word, word.decision)) {
            Some((word, Some(Decision::Action(Action::Lay(rug))))) if table.dice.below(2) == 0 => {
                let name = rug.to_string();
                let swapped = format!("{}{}", &name[2..], &name[..2]);
                messy.push_str(&word.text().replacen(&name, &swapped, 1));
            }
            _ => messy.push_str(token),
        }
        messy.push_str(blank(&mut table.dice));
    }
    messy
}

fn blank(dice: &mut Dice) -> &'static str {
    dice.pick(&[" ", "\n", "\r\n", "\t", "   ", " \n\n", "\r\n \t\r\n", " \r\n"])
}

#[test]
fn every_position_between_two_words_reads_back_from_its_line_and_equal_lines_are_equal_positions() {
    let lines = for_every_game(1_000, |table| {
        let table = table.finish();
        let mut replay = Replay::<Position>::new(table.position.setup());
        let mut seen: Vec<(String, Position)> = Vec::new();
        for word in &table.words {
            replay.play(word).unwrap();
            let position = replay.position();
            let line = write_position_line(position);
            let split = SetupLine::read_position_line(&line).unwrap();
            let opening = Opening::<Position>::read(&split).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(opening.replay().position(), position, "{line}");
            assert_eq!(opening.line(), format!("MKN/1 {line}"));
            assert_eq!(Position::from_diagram(position.setup(), &position.diagram()).as_ref(), Ok(position));
            seen.push((line, position.clone()));
        }
        for pair in seen.windows(2) {
            assert_eq!(pair[0].0 == pair[1].0, pair[0].1 == pair[1].1);
        }
        // The record of the second half, begun in the middle.
        if let Some(middle) = seen.len().checked_sub(1).map(|last| last / 2) {
            let rest: Vec<String> = table.words[middle + 1..].iter().map(Word::text).collect();
            let end = End::of(&table.position).text();
            let body = rest.iter().map(|word| format!("{word} ")).collect::<String>();
            let record = read_record::<Position>(format!("MKN/1 {}\n\n{body}{end}\n", seen[middle].0));
            assert_eq!(record.verdict, Ok(()), "{}", seen[middle].0);
            assert_eq!(record.replay.unwrap().position(), &table.position);
        }
        seen.len() as u64
    });
    assert!(lines > 30_000, "{lines}");
}
