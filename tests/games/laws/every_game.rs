//! Laws of every listed game: random games with random options, from the rules to the views of each viewer.

use std::collections::BTreeSet;
use std::thread;

use assam_notation::{
    Decision, End, FileForm, Notation, Opening, OptionKind, Replay, Word, mask, write_position_line,
};
use assam_players::random_action;
use assam_referee::{AnyRecord, Ruleset, Setup, Shown, Table, Visitor, Walk, ends_list, judge, verdict};
use assam_rules::{Audience, Bounded as _, Leave, Move, Pool, Seat, Turn, Viewer};

use super::reading::{position_line_is_read, record_is_masked, record_is_read};
use crate::dice::Dice;

/// The number of random games per listed game.
const GAMES: u64 = 150;

/// Checks the laws on the games whose numbers leave this remainder.
struct Laws {
    rest: u64,
    of: u64,
}

/// How often each law was checked. A law that is never checked proves nothing.
#[derive(Default, Debug)]
struct Tally {
    words: u64,
    /// Decisions listed in another position of the game, and checked where they are not listed.
    unlisted: u64,
    /// Words refused by a table whose last word had consequences.
    refused_with_events: u64,
}

impl Visitor for Laws {
    type Output = Tally;

    fn visit<G: Shown>(self, ruleset: Ruleset) -> Tally {
        let mut tally = Tally::default();
        for number in (0..GAMES).filter(|number| number % self.of == self.rest) {
            println!("{ruleset}, game {number}");
            laws_hold::<G>(ruleset, &mut Dice::new(number), &mut tally);
        }
        tally
    }
}

#[test]
fn every_game_of_the_list_keeps_the_laws_of_all_games() {
    let mut refused_with_events = 0;
    for &ruleset in Ruleset::ALL {
        let threads = 2;
        let tallies: Vec<Tally> = thread::scope(|scope| {
            let tried: Vec<_> = (0..threads)
                .map(|rest| scope.spawn(move || ruleset.visit(Laws { rest, of: threads })))
                .collect();
            tried.into_iter().map(|one| one.join().expect("the laws hold")).collect()
        });
        let sum = |count: fn(&Tally) -> u64| tallies.iter().map(count).sum::<u64>();
        // A game may have only four words, and consequences only at its end.
        assert!(sum(|tally| tally.words) > 4 * GAMES, "{ruleset}: {tallies:?}");
        assert!(sum(|tally| tally.unlisted) > 40 * GAMES, "{ruleset}: {tallies:?}");
        refused_with_events += sum(|tally| tally.refused_with_events);
    }
    assert!(refused_with_events > GAMES, "{refused_with_events}");
}

/// Returns a random setup: seats, and compatible values of all options.
pub(crate) fn random_setup<G: Notation>(dice: &mut Dice) -> G::Setup {
    let seats = G::SEATS.start() + dice.below(u64::from(G::SEATS.end() - G::SEATS.start()) + 1) as u8;
    let read = |options: &[(&str, String)]| {
        let options: Vec<(&str, &str)> =
            options.iter().map(|(name, value)| (*name, value.as_str())).collect();
        G::read_setup(seats, &options)
    };
    let mut options: Vec<(&str, String)> = Vec::new();
    for option in G::OPTIONS {
        let value = match option.kind {
            OptionKind::Choice(values) => dice.pick(values).0.to_owned(),
            OptionKind::Number { min, max } => {
                (u64::from(min) + dice.below(u64::from(max - min) + 1)).to_string()
            }
        };
        options.push((option.name, value));
        if read(&options).is_err() {
            options.pop();
        }
    }
    read(&options).expect("every option was tried")
}

/// Returns all viewers of a table with so many seats.
fn viewers(seats: u8) -> Vec<Viewer> {
    Seat::all(seats).map(Viewer::Seat).chain([Viewer::Spectator, Viewer::Arbiter]).collect()
}

/// Plays a random game and checks the laws at every word.
fn laws_hold<G: Shown>(ruleset: Ruleset, dice: &mut Dice, tally: &mut Tally) {
    let opening = Opening::<G>::start(random_setup::<G>(dice));
    let seats = G::seats(opening.setup());
    let leaves = dice.pick(&[0, 0, 10, 60]);
    let mut replay = opening.replay();
    let mut table = Setup::read(&opening.line()).unwrap().table();
    let mut words: Vec<Word<G>> = Vec::new();
    let mut seen: Vec<G::Action> = Vec::new();
    loop {
        let decision = match replay.position().turn() {
            Turn::Chance if replay.is_start_due() => None,
            Turn::Chance => panic!("a word draws everything that its decision triggers"),
            Turn::Player(_) if dice.below(1000) < leaves => {
                let seat = Seat::new(1 + dice.below(u64::from(seats)) as u8).unwrap();
                let leave = dice.pick(&[Leave::Resign(seat), Leave::Timeout(seat), Leave::Abort]);
                if replay.position().check_leave(leave).is_err() {
                    continue;
                }
                Some(Decision::Leave(leave))
            }
            Turn::Player(_) => {
                tally.unlisted += legal_decisions_are_playable(replay.position(), &mut seen);
                let action = random_action(replay.position(), &mut |range| dice.below(range));
                Some(Decision::Action(action.expect("a seat on turn has a legal decision")))
            }
            Turn::Over | Turn::Aborted => break,
        };
        let before = replay.clone();
        let mut open = Vec::new();
        let draw = &mut |pool, range| {
            let drawn = dice.below(range);
            open.extend((pool == Pool::Open).then_some(drawn));
            drawn
        };
        let word = replay.draw_word_from(decision, draw).unwrap();
        replay.play(&word).unwrap();
        what_everyone_knows_is_drawn_again(&before, &word, open);
        word_is_what_it_says(&before, &word, &replay, seats);
        word_is_refused_where_it_is_not_due(&before, &word, &replay);
        tally.refused_with_events += refused_words_change_nothing(&mut *table, &word);
        table.replay(&word.text()).unwrap();
        words.push(word);
        if words.len() % 7 == 1 || replay.position().turn().is_end() {
            a_viewer_is_shown_what_is_masked_for_them(ruleset, &opening, &words, &replay, seats);
        }
    }
    whole_record_is_kept(&opening, &words, &replay);
    assert!(words.len() <= G::most_plies(opening.setup()) as usize, "{}", opening.line());
    tally.words += words.len() as u64;
}

/// Draws again with the known draws and without any others, which must give the same result.
fn what_everyone_knows_is_drawn_again<G: Shown>(before: &Replay<G>, word: &Word<G>, open: Vec<u64>) {
    let mut open = open.into_iter();
    let draw = &mut |_| open.next().expect("as many are drawn");
    before.redraw_open(word, draw, |place, chance| assert_eq!(chance, word.chance[place], "{}", word.text()));
    assert_eq!(open.next(), None, "as many were drawn");
}

/// Checks that the list of legal decisions agrees with the check of single decisions, and that neither draws.
/// Returns how many decisions listed elsewhere in this game are refused here.
fn legal_decisions_are_playable<G: Shown>(position: &G, seen: &mut Vec<G::Action>) -> u64 {
    let actions = position.legal_actions();
    let is_public = position.legal_actions_for(Viewer::Spectator).is_some();
    assert_eq!(position.choice_pool() == Pool::Open, is_public, "{position:?}");
    let goes_on = !ends_list(position);
    for (n, &action) in actions.iter().enumerate() {
        assert!(!actions[..n].contains(&action), "{action:?} is listed twice in {position:?}");
        let mut after = position.clone();
        assert_eq!(after.play(Move::Action(action)), Ok(()), "{action:?} in {position:?}");
        assert_ne!(&after, position, "{action:?} does something");
        assert!(!goes_on || after.turn() == position.turn(), "a list goes on with the same seat");
        if !seen.contains(&action) {
            seen.push(action);
        }
    }
    for &action in &*seen {
        let is_legal = position.check_action(action).is_ok();
        assert_eq!(is_legal, actions.contains(&action), "{action:?} in {position:?}");
    }
    assert!(position.outcomes().is_empty(), "a seat decides, nothing is drawn");
    assert!(position.draw_chance(&mut |_| 0).is_empty());
    (seen.len() - actions.len()) as u64
}

/// Returns a word with less chance, and with more if possible.
fn misdrawn<G: Shown>(word: &Word<G>) -> Vec<Word<G>> {
    let mut all = Vec::new();
    if let [fewer @ .., last] = &*word.chance {
        let mut less = Word { decision: word.decision, chance: G::Drawn::default() };
        assert!(fewer.iter().all(|&chance| less.chance.add(chance)));
        all.push(less);
        let mut more = word.clone();
        if more.chance.add(*last) {
            all.push(more);
        }
    }
    all
}

/// Checks that a word is refused without part of its chance, with too much, without its decision, and after
/// itself unless its decision is legal again.
fn word_is_refused_where_it_is_not_due<G: Shown>(before: &Replay<G>, word: &Word<G>, after: &Replay<G>) {
    let is_refused = |replay: &Replay<G>, word: &Word<G>| {
        let mut tried = replay.clone();
        assert!(tried.play(word).is_err(), "{} in {replay:?}", word.text());
        assert_eq!(tried, *replay, "{} was refused", word.text());
    };
    misdrawn(word).iter().for_each(|wrong| is_refused(before, wrong));
    is_refused(after, &Word { decision: None, chance: word.chance.clone() });
    let again = match word.decision {
        Some(Decision::Action(action)) => after.position().legal_actions().contains(&action),
        Some(Decision::Leave(_)) | None => false,
    };
    if !again {
        is_refused(after, word);
    }
}

/// Checks that a refused word, with the next draw wrong or missing, leaves a table unchanged. Returns how
/// many were refused after a word with consequences.
fn refused_words_change_nothing<G: Shown>(table: &mut dyn Table, next: &Word<G>) -> u64 {
    let says = |table: &dyn Table| {
        let json = |value: &dyn Fn() -> serde_json::Result<String>| value().unwrap();
        (
            json(&|| serde_json::to_string(&table.events())),
            json(&|| serde_json::to_string(&table.state())),
            (table.position_line(), table.marker(), table.ply(), table.next_ply(), table.is_masked()),
        )
    };
    let before = says(table);
    let mut refused = 0;
    let undecided = Word::<G> { decision: None, chance: next.chance.clone() };
    let wrong = misdrawn(next).into_iter().chain([undecided].into_iter().filter(|_| next.decision.is_some()));
    for text in wrong.map(|word| word.text()).chain(["!nothing".to_owned()]) {
        assert!(table.replay(&text).is_err(), "{text} in {before:?}");
        assert_eq!(says(table), before, "{text} was refused");
        assert!(table.replay_masked(&text, Viewer::Spectator, true).is_err(), "{text} in {before:?}");
        assert_eq!(says(table), before, "{text} was refused");
        refused += u64::from(before.0 != "[]");
    }
    refused
}

/// Checks that a word has one text, every viewer gets their part of it, and its position has a complete line.
fn word_is_what_it_says<G: Shown>(before: &Replay<G>, word: &Word<G>, after: &Replay<G>, seats: u8) {
    let text = word.text();
    assert_eq!(Word::read(&text).as_ref(), Ok(word), "{text}");
    assert!(text.len() <= assam_notation::MAX_WORD && text.is_ascii(), "{text}");
    let mut position = before.position().clone();
    for mv in word.moves() {
        if let Move::Chance(chance) = mv {
            let listed = position.outcomes();
            let is_listed = listed.iter().any(|(outcome, weight)| *outcome == chance && *weight > 0);
            assert!(listed.is_empty() || is_listed, "{chance:?} in {position:?}");
        }
        for viewer in viewers(seats) {
            let masked = position.mask(mv, viewer);
            let is_open = position.audience(&mv) == Audience::Everyone || viewer == Viewer::Arbiter;
            let owner = match position.audience(&mv) {
                Audience::Everyone => None,
                Audience::UntilNextDecision(seat) | Audience::UntilOver(seat) => Some(Viewer::Seat(seat)),
            };
            let is_hidden = !is_open && owner != Some(viewer);
            assert_eq!(masked != mv, is_hidden, "{mv:?}, masked for {viewer:?}");
            assert!(!is_hidden || G::is_masked(&masked), "{mv:?} is hidden from {viewer:?}");
            if let Move::Chance(_) = mv
                && is_hidden
            {
                // Other draws there look the same to them.
                let mut k = 0;
                let other = position.draw_chance(&mut |range| {
                    k += 1;
                    (k * 7 + k / 7) % range
                });
                let other = other.first().map(|&other| position.mask(Move::Chance(other), viewer));
                assert!(other.is_none_or(|other| other == masked), "{mv:?} shows to {viewer:?}");
            }
            assert_eq!(position.mask(masked, viewer), masked, "masking twice changes nothing");
        }
        position.play(mv).unwrap();
    }
    assert_eq!(&position, after.position());
    assert_eq!(position.scores().len(), usize::from(seats));
    if let Some(ranking) = position.ranking() {
        let ranked: BTreeSet<Seat> = ranking.0.iter().flatten().copied().collect();
        assert_eq!(ranked, Seat::all(seats).collect(), "everyone has a place");
    } else {
        assert_eq!(position.turn(), Turn::Aborted);
    }
    let line = write_position_line(&position);
    assert_eq!(position_line_is_read::<G>(&line).as_ref(), Ok(&position), "{line}");
    let judged = judge(line.as_bytes());
    assert_eq!(judged.verdict, Ok(()), "{line}");
    assert_eq!(judged.canonical(), line);
}

/// Checks that reading a log for a viewer gives the words and the table of the masked record.
fn a_viewer_is_shown_what_is_masked_for_them<G: Shown>(
    ruleset: Ruleset,
    opening: &Opening<G>,
    words: &[Word<G>],
    replay: &Replay<G>,
    seats: u8,
) {
    let texts: Vec<String> = words.iter().map(Word::text).collect();
    let setup = Setup::read(&opening.line()).unwrap();
    assert_eq!((setup.ruleset(), setup.seats(), setup.line()), (ruleset, seats, &*opening.line()));
    let is_over = replay.position().turn().is_end();
    for viewer in viewers(seats) {
        let viewer = if is_over { Viewer::Arbiter } else { viewer };
        let (masked_opening, masked) = mask(opening, words, viewer);
        let mut blind = masked_opening.replay();
        masked.iter().for_each(|word| blind.play(word).unwrap());
        let mut told = Vec::new();
        let table = walked(&setup, viewer, &texts, replay.ply(), &mut told);
        assert_eq!(told, masked.iter().map(Word::text).collect::<Vec<_>>(), "for {viewer:?}");
        assert_eq!(table.position_line(), write_position_line(blind.position()), "for {viewer:?}");
        let (turn, ply) = (replay.position().turn(), replay.ply());
        assert_eq!((table.turn(), table.ply()), (turn, ply));
        assert_eq!(table.score().scores, replay.position().scores().to_vec());
        assert_eq!(blind.is_masked(), G::HAS_SECRETS && told != texts, "for {viewer:?}");
        if masked.len() == 1 && told != texts {
            // A game may begin in a position, which is masked like the words that lead to it.
            let shown = replay.position().masked(viewer, false);
            assert_eq!((&shown, shown.has_unknown()), (blind.position(), true), "for {viewer:?}");
        }
    }
}

fn walked(
    setup: &Setup,
    viewer: Viewer,
    words: &[String],
    head: u32,
    told: &mut Vec<String>,
) -> Box<dyn Table> {
    let walk = Walk {
        viewer,
        decided: head,
        last: head,
        words: &mut words.iter().map(String::as_str),
        each: &mut |step, _| {
            let tokens: Vec<&str> = step.word.tokens().map(|token| token.text).collect();
            assert_eq!(tokens.join("+"), step.word.text().trim_start_matches('+'));
            let sealed = step.word.tokens().any(|token| token.is_sealed);
            assert!(sealed || step.told == step.word.text(), "what is hidden is sealed");
            told.push(step.told.into_owned());
        },
    };
    setup.walk(walk).unwrap()
}

/// Checks that the whole record is valid in both forms, unmasked and as its viewers may read it.
fn whole_record_is_kept<G: Shown>(opening: &Opening<G>, words: &[Word<G>], replay: &Replay<G>) {
    let mut text = FileForm::new(&opening.line());
    text.tag("date", "2026-11-21");
    words.iter().for_each(|word| text.word(&word.text(), true));
    let text = text.end(&End::of(replay.position()).text());
    let record = record_is_read::<G>(text.as_bytes());
    assert_eq!((&record.verdict, record.words.as_slice()), (&Ok(()), words), "{text}");
    record_is_masked(&record);
    let judged = AnyRecord::read(&text);
    assert_eq!(judged.verdict, Ok(()));
    assert_eq!((judged.canonical(), judged.file_form()), (record.canonical(), record.file_form()));
    let brief = verdict(text.as_bytes());
    assert_eq!((brief.error, brief.ply, brief.masked), (None, replay.ply(), false));
    // A cut record is refused at the cut, and keeps everything before it.
    let cut = words.len() / 2;
    let text: String = words[..cut].iter().map(|word| word.text() + " ").collect();
    let judged = AnyRecord::read(format!("{}\n\n{text}", opening.line()).as_bytes());
    assert_eq!(judged.verdict.unwrap_err().rule, "notation.marker.missing");
    assert_eq!(judged.words.len(), cut);
}
