//! Laws of the notation of Marrakesh for every record of every match, and for every view of it.

use assam_notation::{
    Decision, End, Opening, Record, Replay, SetupLine, Word, mask, read_record, write_position_line,
};
use assam_players::random_action;
use assam_rules::marrakesh::Position;
use assam_rules::{Game, Move, Seat, Turn, Viewer};

use super::super::for_every_seed;
use super::{Table, every_action, shown};

/// A finished match as words.
struct Match {
    opening: Opening<Position>,
    words: Vec<Word<Position>>,
    end: Position,
}

impl Match {
    fn new(seed: u64) -> Self {
        let table = Table::new(seed);
        let mut end = table.position.clone();
        let mut words: Vec<Word<Position>> = Vec::new();
        let opening = Opening::start(*end.setup());
        table.play(|_, mv, _, after, _| {
            let decision = match mv {
                Move::Action(action) => Some(Decision::Action(action)),
                Move::Leave(leave) => Some(Decision::Leave(leave)),
                Move::Chance(_) => None,
            };
            if decision.is_some() || words.is_empty() {
                words.push(Word { decision, chance: Default::default() });
            }
            if let Move::Chance(chance) = mv {
                words.last_mut().unwrap().chance.push(chance);
            }
            end = after.clone();
        });
        Self { opening, words, end }
    }
}

/// Returns a record in canonical form, put together by hand from the page on the notation.
fn canonical(opening: &Opening<Position>, words: &[Word<Position>], end: &str) -> String {
    let body: String = words.iter().map(|word| word.text() + " ").collect();
    format!("{}\n\n{body}{end}\n", opening.line())
}

fn viewers() -> [Viewer; 3] {
    [Viewer::Seat(Seat::FIRST), Viewer::Seat(Seat::new(2).unwrap()), Viewer::Spectator]
}

#[test]
fn a_match_reads_back_as_it_was_written_in_canonical_and_in_file_form() {
    let rounds = for_every_seed(5_000, |seed| {
        let Match { opening, words, end } = Match::new(seed);
        let text = canonical(&opening, &words, &End::of(&end).text());
        let record = read_record::<Position>(&text);
        assert_eq!(record.verdict, Ok(()), "{text}");
        assert_eq!(record.words, words);
        assert_eq!(record.replay.as_ref().unwrap().position(), &end);
        assert_eq!(record.canonical(), text);
        assert!(!record.is_masked());
        let file = record.file_form();
        assert_eq!(read_record::<Position>(&file), record, "{file}");
        let rounds = end.diagram().scores.len();
        assert!(text.len() < 4_000, "{text}");
        assert!(words.iter().all(|word| word.text().len() <= 50));
        // One line per round, one for the unfinished round, and the first line with the draws at the start.
        assert!(text.len() <= 200 * (rounds + 2), "{text}");
        rounds as u64
    });
    assert!(rounds > 5_000, "{rounds}");
}

#[test]
fn what_is_legal_is_what_can_be_written_read_and_played() {
    let texts: Vec<(String, Word<Position>)> = every_action()
        .map(|action| Word { decision: Some(Decision::Action(action)), chance: Default::default() })
        .map(|word| (word.text(), word))
        .collect();
    let legal = for_every_seed(1_000, |seed| {
        let mut legal = 0;
        Table::new(seed).play(|_, _, _, position, _| {
            let actions = position.legal_actions();
            for (text, word) in &texts {
                let read = Word::<Position>::read(text).unwrap();
                assert_eq!(&read, word);
                let Some(Decision::Action(action)) = read.decision else { panic!("{text}") };
                assert_eq!(position.check_action(action).is_ok(), actions.contains(&action), "{text}");
                legal += u64::from(actions.contains(&action));
            }
        });
        legal
    });
    assert!(legal > 90_000, "{legal}");
}

#[test]
fn every_position_reads_back_from_its_line_and_a_record_goes_on_from_there() {
    let lines = for_every_seed(500, |seed| {
        let Match { opening, words, end } = Match::new(seed);
        let mut replay = opening.replay();
        let mut last: Option<(String, Position)> = None;
        for (n, word) in words.iter().enumerate() {
            replay.play(word).unwrap();
            let position = replay.position();
            let line = write_position_line(position);
            let read = Opening::<Position>::read(&SetupLine::read_position_line(&line).unwrap());
            let read = read.unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(read.replay().position(), position, "{line}");
            assert_eq!(read.line(), format!("MKN/1 {line}"));
            if let Some((last_line, last)) = &last {
                assert_eq!(*last_line == line, last == position);
            }
            if n % 50 == 0 {
                let text = canonical(&read, &words[n + 1..], &End::of(&end).text());
                let record = read_record::<Position>(&text);
                assert_eq!(record.verdict, Ok(()), "{text}");
                assert_eq!(record.replay.unwrap().position(), &end);
            }
            last = Some((line, position.clone()));
        }
        words.len() as u64
    });
    assert!(lines > 15_000, "{lines}");
}

#[test]
fn what_a_viewer_sees_is_the_replay_of_the_record_masked_for_him() {
    let masked = for_every_seed(60, |seed| {
        let Match { opening, words, end } = Match::new(seed);
        let mut replay = opening.replay();
        let mut masked = 0;
        for played in 1..=words.len() {
            replay.play(&words[played - 1]).unwrap();
            for viewer in viewers() {
                masked += is_blind_and_whole(&opening, &words[..played], &replay, viewer);
            }
            let (_, open) = mask(&opening, &words[..played], Viewer::Arbiter);
            assert_eq!(open, words[..played]);
        }
        assert_eq!(replay.position(), &end);
        masked
    });
    assert!(masked > 12_000, "{masked}");
}

/// Masks the record for a viewer and checks the result. Returns whether anything was masked.
fn is_blind_and_whole(
    opening: &Opening<Position>,
    words: &[Word<Position>],
    replay: &Replay<Position>,
    viewer: Viewer,
) -> u64 {
    let position = replay.position();
    let (masked_opening, masked) = mask(opening, words, viewer);
    assert_eq!(&masked_opening, opening);
    let mut blind = masked_opening.replay();
    for word in &masked {
        blind.play(word).unwrap_or_else(|refused| panic!("{refused:?}: {}", word.text()));
    }
    assert_eq!((blind.words(), blind.ply()), (replay.words(), replay.ply()));
    assert_eq!(shown(blind.position(), viewer), shown(position, viewer));
    // A position hides cards from a viewer by itself, and masked cards must not be there to hide.
    let (told, allowed) = (blind.position().diagram(), position.masked(viewer, false));
    assert_eq!((told.hands, told.phase), (allowed.diagram().hands, allowed.diagram().phase));
    let is_over = matches!(position.turn(), Turn::Over | Turn::Aborted);
    assert_eq!(is_over, masked == words, "before the end something is hidden from everybody");
    assert_eq!(blind.is_masked(), !is_over);

    assert_eq!(mask(opening, &masked, viewer).1, masked, "masking twice changes nothing");
    if viewer == Viewer::Spectator {
        for seat in viewers() {
            assert_eq!(mask(opening, &masked, seat).1, masked, "what is masked for all stays masked");
        }
    }
    if words.len() % 16 == 1 || is_over {
        let text = canonical(opening, &masked, &End::of(position).text());
        let record: Record<Position> = read_record(&text);
        assert_eq!(record.verdict, Ok(()), "{text}");
        assert_eq!(record.words, masked);
        assert_eq!(record.canonical(), text);
        assert_eq!(record.is_masked(), !is_over);
        assert_eq!(read_record::<Position>(record.file_form()), record);
        let full = read_record::<Position>(canonical(opening, words, &End::of(position).text()));
        assert_eq!(full.masked(viewer), record);
        let line = write_position_line(blind.position());
        let read = Opening::<Position>::read(&SetupLine::read_position_line(&line).unwrap());
        assert_eq!(read.unwrap().replay().position(), blind.position(), "{line}");
    }
    u64::from(masked != words)
}

#[test]
fn a_record_that_begins_in_a_position_is_masked_like_any_other() {
    for_every_seed(40, |seed| {
        let Match { opening, words, .. } = Match::new(seed);
        let mut replay = opening.replay();
        let middle = words.len() / 2;
        for word in &words[..middle] {
            replay.play(word).unwrap();
        }
        let opening = Opening::at(replay.position().clone());
        for played in middle..words.len() - 1 {
            for viewer in viewers() {
                let (masked_opening, masked) = mask(&opening, &words[middle..played], viewer);
                let mut blind = masked_opening.replay();
                for word in &masked {
                    blind.play(word).unwrap();
                }
                assert_eq!(shown(blind.position(), viewer), shown(replay.position(), viewer));
                assert_eq!(mask(&masked_opening, &masked, viewer), (masked_opening, masked));
            }
            replay.play(&words[played]).unwrap();
        }
        0
    });
}

#[test]
fn a_replay_that_draws_its_own_chance_writes_words_that_read_back() {
    let words = for_every_seed(1_000, |seed| {
        let Table { position: start, mut dice, .. } = Table::new(seed);
        let mut replay = Replay::<Position>::new(start.setup());
        let mut words = vec![replay.decide(None, &mut |range| dice.below(range)).unwrap()];
        while let Some(action) = random_action(replay.position(), &mut |range| dice.below(range)) {
            let before = replay.clone();
            let word = replay.decide(Some(Decision::Action(action)), &mut |range| dice.below(range)).unwrap();
            let mut again = before;
            again.play(&Word::read(&word.text()).unwrap()).unwrap();
            assert_eq!(again, replay);
            words.push(word);
        }
        assert_eq!(replay.position().turn(), Turn::Over);
        words.len() as u64
    });
    assert!(words > 40_000, "{words}");
}
