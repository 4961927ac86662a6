//! Histories of matches with hidden cards, and of games without.

use std::collections::BTreeSet;

use assam_faults::history::{Answer, Asked, Said};
use assam_faults::judge::Wrong;

use super::{Story, created, done, hash};

/// The start of a match of Marrakesh, and four words of it. The last one leads a card that stays hidden until
/// the reply.
const MATCH: [&str; 5] = ["+122355/122345+b:3sQs2h5d6c3c+r:6s6s3hAh3c2c", "Ah", "Qs", "1@5", "3s"];

/// The same words as a spectator reads them while the last is the newest.
const MASKED: [&str; 5] = ["+122355/122345+b:????????????+r:????????????", "Ah", "Qs", "1@5", "??"];

impl Story {
    /// Returns a match that seat 1 leads at the end. Only the seats see their cards.
    fn hidden() -> Self {
        let mut story = Self::sound();
        (story.game.attempts, story.game.told) = (Vec::new(), Vec::new());
        let seats = vec!["open".to_owned(); 2];
        story.ask(1, created("marrakesh/1", seats), done(201, 0, vec!["g".to_owned()]));
        for (ply, seat) in [(1, 2), (2, 1), (3, 2), (4, 1)] {
            let word = MATCH[ply as usize].to_owned();
            let asked = Asked::Append { ply, decision: word.clone() };
            story.ask(1, asked, done(201, ply, vec![word])).viewer = Some(seat);
        }
        (story.last.drawn, story.last.words) = (Some(MASKED[0].to_owned()), after_start(MASKED));
        story.read(None, MASKED);
        story.read(Some(1), ["+122355/122345+b:3sQs2h5d6c3c+r:????????????", "Ah", "Qs", "1@5", "3s"]);
        story.read(Some(2), ["+122355/122345+b:????????????+r:6s6s3hAh3c2c", "Ah", "Qs", "1@5", "??"]);
        story
    }

    fn read(&mut self, seat: Option<usize>, shown: [&str; 5]) {
        let answer = Answer::Done {
            status: 200,
            ply: 4,
            hash: hash(4),
            words: after_start(shown),
            drawn: Some(shown[0].to_owned()),
        };
        self.ask(2, Asked::Log, answer).viewer = seat;
    }
}

fn after_start(words: [&str; 5]) -> Vec<String> {
    words[1..].iter().map(|&word| word.to_owned()).collect()
}

#[test]
fn words_that_are_masked_differently_are_the_same_word() {
    Story::hidden().shows(&[]);
    let mut story = Story::hidden();
    story.read(Some(1), ["+122355/122345+b:3sQs2h5d6c3c+r:????????????", "Ah", "Qs", "1@5", "3c"]);
    story.shows(&[Wrong::Changed, Wrong::NotLinearizable]);
}

#[test]
fn a_card_that_is_shown_to_somebody_who_may_not_see_it_is_leaked() {
    let mut story = Story::hidden();
    story.read(None, [MASKED[0], "Ah", "Qs", "1@5", "3s"]);
    story.shows(&[Wrong::Leaked]);
    let mut story = Story::hidden();
    story.read(Some(2), ["+122355/122345+b:3s??????????+r:6s6s3hAh3c2c", "Ah", "Qs", "1@5", "??"]);
    story.shows(&[Wrong::Leaked]);
    let mut story = Story::hidden();
    story.tell(Said::Word, 4);
    let told = &mut story.game.told[0];
    told.words = vec!["3s".to_owned()];
    assert!(story.judged().contains(&Wrong::Leaked));
    // A reply opens it once written.
    let mut story = Story::hidden();
    let reply = || Asked::Append { ply: 5, decision: "3h".to_owned() };
    story.ask(1, reply(), Answer::Cut);
    story.read(None, [MASKED[0], "Ah", "Qs", "1@5", "3s"]);
    story.shows(&[Wrong::Leaked, Wrong::Unanswered]);
    let mut story = Story::hidden();
    story.ask(1, reply(), done(201, 5, vec!["3h".to_owned()])).viewer = Some(2);
    story.last.words = ["Ah", "Qs", "1@5", "3s", "3h"].map(str::to_owned).to_vec();
    story.last.hash = hash(5);
    let (words, drawn) = (story.last.words.clone(), Some(MASKED[0].to_owned()));
    story.ask(2, Asked::Log, Answer::Done { status: 200, ply: 5, hash: hash(5), words, drawn });
    story.shows(&[]);
}

#[test]
fn a_mask_where_nothing_is_hidden_is_found() {
    let mut story = Story::sound();
    let seats = vec!["open".to_owned(); 2];
    story.ask(1, created("marrakech/1", seats), done(201, 0, vec!["g".to_owned()]));
    story.shows(&[]);
    let masked = ["?+3", "a1a2", "E+1", "b1b2"].map(str::to_owned).to_vec();
    story.ask(2, Asked::Log, done(200, 4, masked));
    story.shows(&[Wrong::Changed]);
    // A match that is over.
    let mut story = Story::hidden();
    let resigned = "!resign2".to_owned();
    let asked = Asked::Append { ply: 5, decision: resigned.clone() };
    story.ask(1, asked, done(201, 5, vec![resigned.clone()])).viewer = Some(2);
    story.last.words.push(resigned.clone());
    (story.last.hash, story.last.words[3]) = (hash(5), MATCH[4].to_owned());
    story.last.drawn = Some(MATCH[0].to_owned());
    let mut read = |start: &str| {
        let mut words = after_start(MATCH);
        words.push(resigned.clone());
        let drawn = Some(start.to_owned());
        story.ask(2, Asked::Log, Answer::Done { status: 200, ply: 5, hash: hash(5), words, drawn });
        story.judged()
    };
    assert_eq!(read(MATCH[0]), BTreeSet::new());
    assert_eq!(read(MASKED[0]), BTreeSet::from([Wrong::Changed]));
}

#[test]
fn a_start_that_is_missing_where_all_words_are_shown_is_found() {
    let mut story = Story::hidden();
    let words = after_start(MASKED);
    story.ask(2, Asked::Log, done(200, 4, words));
    story.shows(&[Wrong::Changed]);
}

#[test]
fn a_card_that_is_hidden_from_somebody_who_may_see_it_is_found() {
    let mut story = Story::hidden();
    story.read(Some(1), ["+122355/122345+b:????????????+r:????????????", "Ah", "Qs", "1@5", "3s"]);
    story.shows(&[Wrong::Changed]);
    // Another deal is a different fault.
    let mut story = Story::hidden();
    story.read(Some(1), ["+122355/122345+b:3sQs2h5d6c4c+r:????????????", "Ah", "Qs", "1@5", "3s"]);
    story.shows(&[Wrong::Changed]);
}
