//! Handwritten histories with one fault each, and the findings in them.

#![allow(clippy::unwrap_used)]

mod cards;

use std::collections::BTreeSet;

use assam_faults::history::{Answer, Asked, Attempt, GameHistory, Last, Said, Told};
use assam_faults::judge::linear::{self, Judged};
use assam_faults::judge::{Wrong, judge};

/// The game of all these histories.
const WORDS: [&str; 4] = ["N+3", "a1a2", "E+1", "b1b2"];

fn hash(ply: u32) -> Option<String> {
    Some(format!("hash {ply}"))
}

fn words(count: usize) -> Vec<String> {
    WORDS[..count].iter().map(|&word| word.to_owned()).collect()
}

fn done(status: u16, ply: u32, words: Vec<String>) -> Answer {
    Answer::Done { status, ply, hash: hash(ply), words, drawn: None }
}

fn created(ruleset: &str, seats: Vec<String>) -> Asked {
    Asked::Create { key: "k".to_owned(), ruleset: ruleset.to_owned(), seats }
}

/// A history that grows by ten microseconds per operation.
struct Story {
    game: GameHistory,
    last: Last,
    now: u64,
}

impl Story {
    /// Returns a game of four words, each acknowledged to one client and then read by another.
    fn sound() -> Self {
        let last = Last {
            game: "g".to_owned(),
            start: 900,
            end: 910,
            is_shown: true,
            is_gone: false,
            words: words(4),
            drawn: None,
            hash: hash(4),
        };
        let game = GameHistory { game: "g".to_owned(), ..GameHistory::default() };
        let mut story = Self { game, last, now: 0 };
        for ply in 1..=4 {
            story.append(ply, 201);
            story.ask(2, Asked::Game, done(200, ply, Vec::new()));
            story.ask(2, Asked::Log, done(200, ply, words(ply as usize)));
            story.tell(Said::Word, ply);
        }
        // A new follower gets the game so far.
        story.game.told[0].said = Said::Snapshot;
        story
    }

    fn append(&mut self, ply: u32, status: u16) {
        let word = WORDS[ply as usize - 1].to_owned();
        let decision = word.split('+').next().unwrap().to_owned();
        self.ask(1, Asked::Append { ply, decision }, done(status, ply, vec![word]));
    }

    fn ask(&mut self, client: u32, asked: Asked, answer: Answer) -> &mut Attempt {
        let (op, start) = (self.game.attempts.len() as u64, self.now);
        self.now += 10;
        let game = self.game.game.clone();
        let (process, viewer, end) = (0, None, start + 5);
        let attempt = Attempt { game, client, process, viewer, op, asked, start, end, answer };
        self.game.attempts.push(attempt);
        self.game.attempts.last_mut().unwrap()
    }

    fn tell(&mut self, said: Said, ply: u32) {
        let told = if said == Said::Word { vec![WORDS[ply as usize - 1].to_owned()] } else { Vec::new() };
        let (game, end) = (self.game.game.clone(), self.now);
        let (client, start, hash, words, drawn) = (3, 0, hash(ply), told, None);
        self.game.told.push(Told { game, client, start, end, said, ply, hash, words, drawn });
        self.now += 10;
    }

    fn judged(&self) -> BTreeSet<Wrong> {
        let found = judge(&self.game, Some(&self.last));
        let order = linear::judge(&self.game, Some(&self.last), &mut Judged::default());
        found.into_iter().chain(order).map(|finding| finding.wrong).collect()
    }

    /// Checks that exactly these violations are found.
    fn shows(&self, wrong: &[Wrong]) {
        assert_eq!(
            self.judged(),
            wrong.iter().copied().collect(),
            "{:#?}",
            judge(&self.game, Some(&self.last))
        );
    }
}

#[test]
fn nothing_is_found_in_a_history_that_is_sound() {
    Story::sound().shows(&[]);
}

#[test]
fn a_word_that_was_acknowledged_and_is_gone_is_lost() {
    let mut story = Story::sound();
    story.last.words.pop();
    story.last.hash = hash(3);
    story.shows(&[Wrong::Lost, Wrong::NotLinearizable]);
}

#[test]
fn a_seat_that_was_acknowledged_and_is_gone_is_lost() {
    let mut story = Story::sound();
    (story.game.attempts, story.game.told) = (Vec::new(), Vec::new());
    let seats = ["open", "random", "open"].map(str::to_owned).to_vec();
    story.ask(1, created("marrakech/1", seats), done(201, 0, vec!["g".to_owned()]));
    story.ask(1, Asked::Sit { seat: 1 }, done(200, 0, Vec::new()));
    story.last = Last { is_shown: false, is_gone: true, words: Vec::new(), hash: None, ..story.last };
    story.shows(&[Wrong::Unreadable]);
    story.ask(1, Asked::Sit { seat: 3 }, done(200, 0, Vec::new()));
    story.shows(&[Wrong::Lost]);
    // Without an answer, nothing is lost.
    story.last.is_gone = false;
    story.shows(&[Wrong::Unreadable]);
}

#[test]
fn a_word_that_is_there_twice_is_doubled() {
    let mut story = Story::sound();
    story.last.words.push(WORDS[3].to_owned());
    story.last.hash = hash(5);
    story.shows(&[Wrong::Doubled, Wrong::Skipped, Wrong::NotLinearizable]);
}

#[test]
fn a_game_that_was_created_twice_is_doubled() {
    let mut story = Story::sound();
    story.ask(1, created("marrakech/1", Vec::new()), done(201, 0, vec!["another".to_owned()]));
    story.shows(&[Wrong::Doubled]);
}

#[test]
fn a_word_without_what_was_drawn_is_half() {
    let mut story = Story::sound();
    story.last.words[2] = "E".to_owned();
    let found = story.judged();
    assert!(found.contains(&Wrong::Half) && found.contains(&Wrong::NotLinearizable), "{found:?}");
}

#[test]
fn a_read_after_an_acknowledgement_that_shows_less_is_stale() {
    let mut story = Story::sound();
    story.ask(4, Asked::Game, done(200, 3, Vec::new()));
    story.shows(&[Wrong::Stale, Wrong::NotLinearizable]);
    let mut story = Story::sound();
    let refused = Answer::Refused { status: 404, code: "ply_not_found".to_owned() };
    story.ask(4, Asked::State { ply: 4 }, refused);
    story.shows(&[Wrong::Stale, Wrong::Refused]);
}

#[test]
fn a_read_beside_an_append_may_show_it_or_not() {
    for shown in [3, 4] {
        let mut story = Story::sound();
        let append = story.game.attempts.iter().rposition(|attempt| attempt.client == 1).unwrap();
        let (start, end) = (story.game.attempts[append].start, story.game.attempts[append].end);
        let read = story.ask(4, Asked::Game, done(200, shown, Vec::new()));
        (read.start, read.end) = (start + 1, end - 1);
        story.shows(&[]);
    }
}

#[test]
fn a_word_that_was_shown_before_anybody_asked_for_it_is_early() {
    let mut story = Story::sound();
    let read = story.game.attempts.iter_mut().find(|attempt| attempt.client == 2).unwrap();
    read.answer = done(200, 2, Vec::new());
    let found = story.judged();
    assert!(found.contains(&Wrong::Early) && found.contains(&Wrong::NotLinearizable), "{found:?}");
}

#[test]
fn a_decision_that_nobody_was_answered_may_be_there_or_not() {
    let cut = |ply, decision: &str| (Asked::Append { ply, decision: decision.to_owned() }, Answer::Cut);
    let mut story = Story::sound();
    let (asked, answer) = cut(5, "S");
    story.ask(1, asked, answer);
    story.shows(&[Wrong::Unanswered]);
    story.last.words.push("S+2".to_owned());
    story.last.hash = hash(5);
    // It may be there, so the stream must send it.
    story.shows(&[Wrong::Unanswered, Wrong::Skipped]);
    // Repeated, it is the same.
    let mut story = Story::sound();
    let (asked, answer) = cut(4, "b1b2");
    let at = story.game.attempts.iter().rposition(|attempt| attempt.client == 1).unwrap();
    let again = story.game.attempts[at].clone();
    let before = Attempt { asked, answer, start: again.start - 3, end: again.start - 1, ..again };
    story.game.attempts.insert(at, before);
    story.shows(&[]);
}

#[test]
fn of_two_decisions_at_a_ply_one_wins_and_the_other_is_told_that_it_is_taken() {
    let taken = || Answer::Refused { status: 409, code: "ply_taken".to_owned() };
    let other = |decision: &str| Asked::Append { ply: 4, decision: decision.to_owned() };
    let mut story = Story::sound();
    story.ask(5, other("c1c2"), taken());
    story.shows(&[]);
    // The stored one cannot be the refused one.
    let mut story = Story::sound();
    story.ask(5, other("b1b2"), taken());
    story.shows(&[Wrong::Refused, Wrong::NotLinearizable]);
    // Both cannot have been first.
    let mut story = Story::sound();
    story.ask(5, other("c1c2"), done(201, 4, vec!["c1c2".to_owned()]));
    story.shows(&[Wrong::TwoWinners, Wrong::Changed, Wrong::NotLinearizable]);
}

#[test]
fn an_answer_has_the_words_of_built_in_players_only_where_they_sit() {
    let played_by = |seats: [&str; 2]| {
        let mut story = Story::sound();
        story.game.told.clear();
        story.game.attempts.retain(|attempt| !matches!(attempt.asked, Asked::Append { ply: 4, .. }));
        story.game.attempts.truncate(story.game.attempts.len() - 2);
        let at = story.game.attempts.iter().rposition(|attempt| attempt.client == 1).unwrap();
        story.game.attempts.truncate(at + 1);
        story.game.attempts[at].answer = done(201, 4, vec![WORDS[2].to_owned(), WORDS[3].to_owned()]);
        let seats = seats.map(str::to_owned).to_vec();
        story.ask(1, created("marrakech/1", seats), done(201, 0, vec!["g".to_owned()]));
        story.judged()
    };
    assert_eq!(played_by(["open", "random"]), BTreeSet::new());
    assert_eq!(played_by(["open", "open"]), BTreeSet::from([Wrong::Doubled]));
}

#[test]
fn a_ply_with_two_heads_is_found() {
    let mut story = Story::sound();
    let answer = Answer::Done { status: 200, ply: 4, hash: hash(9), words: Vec::new(), drawn: None };
    story.ask(4, Asked::Game, answer);
    story.shows(&[Wrong::Head]);
}

#[test]
fn a_snapshot_and_an_answer_to_a_move_have_the_words_up_to_their_head() {
    let mut story = Story::sound();
    story.tell(Said::Snapshot, 4);
    let told = story.game.told.last_mut().unwrap();
    (told.client, told.words) = (9, words(3));
    story.shows(&[Wrong::Half]);
    let Answer::Done { words, .. } = &mut story.game.attempts[0].answer else { unreachable!() };
    words.push("a1a2".to_owned());
    assert!([Wrong::Head, Wrong::Early].iter().all(|wrong| story.judged().contains(wrong)));
}

#[test]
fn a_state_is_that_of_the_ply_that_was_asked_for_and_no_earlier_than_it_was_written() {
    let state = |ply, shown| (Asked::State { ply }, done(200, shown, Vec::new()));
    let found = |(asked, answer): (Asked, Answer), start| {
        let mut story = Story::sound();
        let attempt = story.ask(2, asked, answer);
        (attempt.start, attempt.end) = (start, start + 5);
        story.judged()
    };
    assert!(found(state(3, 3), 500).is_empty());
    assert_eq!(found(state(3, 2), 500), BTreeSet::from([Wrong::Changed]));
    assert!(found(state(4, 4), 1).contains(&Wrong::Early));
    let another = Answer::Done { status: 200, ply: 3, hash: hash(2), words: Vec::new(), drawn: None };
    assert_eq!(found((Asked::State { ply: 3 }, another), 500), BTreeSet::from([Wrong::Head]));
}

#[test]
fn a_stream_that_leaves_out_repeats_or_takes_back_a_word_is_found() {
    let mut story = Story::sound();
    story.game.told.remove(2);
    story.shows(&[Wrong::Skipped]);
    let mut story = Story::sound();
    story.tell(Said::Word, 3);
    story.shows(&[Wrong::Repeated]);
    let mut story = Story::sound();
    story.tell(Said::Reset, 4);
    story.shows(&[Wrong::Reset]);
    let mut story = Story::sound();
    story.game.told.pop();
    story.shows(&[Wrong::Skipped]);
    // The stream ends the game, and then sends the last word.
    let mut story = Story::sound();
    story.tell(Said::Over, 4);
    story.shows(&[]);
    let mut story = Story::sound();
    let word = story.game.told.pop().unwrap();
    story.tell(Said::Over, 3);
    let end = story.now;
    story.game.told.push(Told { end, ..word });
    story.shows(&[Wrong::Skipped]);
    story.game.told.clear();
    story.shows(&[]);
    // It begins to follow and receives nothing.
    story.tell(Said::Nothing, 0);
    story.game.told[0].hash = None;
    story.shows(&[Wrong::Skipped]);
    // The stream claims to be up to date, but is not.
    let mut story = Story::sound();
    let word = story.game.told.pop().unwrap();
    story.tell(Said::CaughtUp, 3);
    story.game.told[3].start = story.now;
    let end = story.now + 10;
    story.game.told.push(Told { start: end, end, ..word });
    story.shows(&[Wrong::Stale]);
}

#[test]
fn clients_may_be_cut_off_and_told_when_to_come_again_and_nothing_else() {
    let answered = |answer: Answer| {
        let mut story = Story::sound();
        story.ask(2, Asked::Game, answer);
        story.judged()
    };
    let busy = |has_retry_after| Answer::Busy { has_retry_after, code: "unavailable".to_owned() };
    assert!(answered(Answer::Cut).is_empty() && answered(busy(true)).is_empty());
    assert_eq!(answered(busy(false)), BTreeSet::from([Wrong::Broken]));
    assert_eq!(
        answered(Answer::Broken { status: 500, body: String::new() }),
        BTreeSet::from([Wrong::Broken])
    );
    let refused = Answer::Refused { status: 409, code: "ply_gap".to_owned() };
    assert_eq!(answered(refused), BTreeSet::from([Wrong::Refused]));
}

#[test]
fn a_game_that_cannot_be_read_in_the_end_is_found() {
    let mut story = Story::sound();
    story.last.is_shown = false;
    story.shows(&[Wrong::Unreadable]);
    let found = judge(&story.game, None);
    assert_eq!(found.into_iter().map(|finding| finding.wrong).collect::<Vec<_>>(), [Wrong::Unreadable]);
}
