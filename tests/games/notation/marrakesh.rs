//! MKN of Marrakesh: settings, tokens, lines, masks, and explanations of rules.

use std::collections::BTreeSet;

use assam_notation::{Error, MAX_WORD, Notation, Record, Word, read_record};
use assam_rules::marrakesh::{Impossible, Position, Rule};
use assam_rules::{Rule as _, Seat, Viewer};

use super::vectors::rules_of_marrakesh;
use super::{identifiers, told};

const HEAD: &str = "MKN/1 marrakesh/1 seats=2\n\n";
const START: &str = "+112446/455566+b:6s2sAsQh5d3c+r:Qs4h6d3d3c2c";
/// The same for a spectator.
const BLIND: &str = "+112446/455566+b:????????????+r:????????????";
/// Blue has three full ovals, and has won the last trick with 3h As: numbers 3 and 1, pieces on 4, 2 and 1.
const FULL: &str =
    "position=1;110100/000006;111/00.;-/-;b6s5h,b4s3d,b2hAd,b2d6h,r5s4d;1;use;3hAs;31;0;-;-;-;-;-";

fn read(body: &str) -> Record<Position> {
    read_record(format!("{HEAD}{body} *\n"))
}

fn error(text: &str) -> Error {
    read_record::<Position>(text).verdict.unwrap_err()
}

/// A rule, the words that break it, and its explanation.
const CASES: &[(Rule, &str, &str)] = &[
    (Rule::Over, "START !resign1 6s", "the match is over: seat 1 left"),
    (Rule::Over, "START !abort 6s", "the match was aborted"),
    (Rule::ChanceDue, "6s", "the dice of round 1 must be thrown"),
    (Rule::NoChanceDue, "START 6s+5c", "seat 2 must reply in trick 1 of round 1"),
    (Rule::NoChanceDue, "START+5c", "seat 1 must lead to trick 1 of round 1"),
    (Rule::DiceDue, "+5c", "the dice of round 1 must be thrown"),
    (Rule::EqualDice, "+112446/112446", "both boards would have 210201 pieces on the points 1 to 6"),
    (Rule::BlueHandDue, "+112446/455566+5c", "seat 1 must be dealt its hand of round 1"),
    (Rule::RedHandDue, "+112446/455566+b:6s2sAsQh5d3c+5c", "seat 2 must be dealt its hand of round 1"),
    (Rule::BonusDue, "START Qh Qs+112446/455566", "a bonus card must be drawn for seat 2"),
    (Rule::CardNotInDeck, "+112446/455566+b:6s2sAsQs5d3c+r:Qs4h6d3d3c2c", "Qs is in the hand of seat 1"),
    (Rule::CardNotInDeck, "START Qh Qs+3c", "3c is in the hand of seat 1 and in the hand of seat 2"),
    (Rule::CardNotInDeck, "START Qh Qs+Qh", "Qh is among the cards played in this round"),
    (
        Rule::CardNotInDeck,
        "+112446/455566+b:????????????+r:Qs4h6d3d3d2c 3d",
        "3d is twice in the hand of seat 2",
    ),
    (Rule::CardDue, "START 6@6", "seat 1 must lead to trick 1 of round 1"),
    (Rule::UseDue, "START 6s 2c 3d", "seat 2 must use 6 and 2 of 6s and 2c"),
    (
        Rule::UseDue,
        "START 6s 2c 6@6 2@5 3d 5d 5@6 3@4+5c 3d",
        "seat 1 must use 5 (4 times) of the bonus card 5c",
    ),
    (Rule::CardNotInHand, "START 6h", "seat 1 was not dealt 6h in this round"),
    (Rule::CardNotInHand, "START 6s 2c 6@6 2@5 2c", "seat 2 played its 2c in trick 1"),
    (Rule::UnknownCard, "START ??", "the hand of seat 1 is known"),
    (Rule::UnknownReply, "START 6s ??", "seat 2 must reply in trick 1 of round 1"),
    (Rule::UnknownLead, "BLIND ?? 2c", "the card that was led at ply 1 is not known here"),
    (Rule::NumberNotLeft, "START 6s 2c 5@5", "seat 2 must use 6 and 2 of 6s and 2c"),
    (Rule::NoPiece, "START 6s 2c 6@1", "the pieces of seat 2 are on 6, 5, 4"),
    (Rule::HigherPiece, "START 6s 2c 6@5", "the pieces of seat 2 are on 6, 5, 4"),
    (Rule::NoSuchSeat, "START !resign3", "the table has 2 seats"),
];

/// The same in other settings: the rule, the end of the first line, the words, and the explanation.
const ELSEWHERE: &[(Rule, &str, &str, &str)] = &[
    (Rule::HighFirst, "value_order=high-first", "START 6s 2c 2@6", "seat 2 must use 6 and 2 of 6s and 2c"),
    (Rule::OvalsFull, FULL, "1@1", "the ovals of seat 1 hold 1, 1 and 1 pieces"),
    (
        Rule::BothNumbers,
        FULL,
        "1@4",
        "1@4 leaves fewer usable numbers than another use would, and seat 1 must use 3 and 1 of 3h and As",
    ),
    (
        Rule::UnknownLead,
        "position=1;210201/000132;.../...;??????????/Qs4h6d3d3c2c;-;2;reply;??;-;-;-;-;-;-;-",
        "2c",
        "the lead is not known in the position in which the record begins",
    ),
    (
        Rule::CardNotInDeck,
        "position=1;410100/001121;.../1..;????????/Qs4h6d3c;b6s2c;1;use;3d5d;5555;0;5c;5c;5c;-;-",
        "5@4 5@2 5@1 5@1 5c 3c 5@5 3@3+5c",
        "5c is among the cards played in this round and on the discard pile",
    ),
];

#[test]
fn every_rule_that_a_record_breaks_is_explained_by_what_is_there() {
    let everywhere = CASES.iter().map(|&(rule, words, why)| (rule, "", words, why));
    let cases: Vec<_> = everywhere.chain(ELSEWHERE.iter().copied()).collect();
    for &(rule, settings, words, why) in &cases {
        let words = words.replace("START", START).replace("BLIND", BLIND);
        let head = HEAD.trim_end();
        let text =
            format!("{} \n\n{words} *\n", format!("{head} {settings}").trim_end()).replace(" \n", "\n");
        let error = error(&text);
        assert_eq!(error.rule, rule.id(), "{text}");
        assert_eq!(error.why.as_deref(), Some(why), "{text}");
    }
    for rule in Rule::ALL {
        assert!(cases.iter().any(|(explained, ..)| explained == rule), "{rule:?}");
    }
}

#[test]
fn what_is_expected_is_a_list_of_the_legal_decisions_that_tells_no_unknown_card() {
    let expected = |words: &str| read(words).verdict.unwrap_err().expected.unwrap().into_owned();
    assert_eq!(expected(&format!("{START} 6h")), "6s, 2s, As, Qh, 5d, 3c");
    assert_eq!(expected(&format!("{START} 6s 2c 6@1")), "6@6, 2@6, 2@5, 2@4");
    // An unknown hand may have any card that is not known to be elsewhere.
    let any = expected(&format!("{BLIND} 6@6"));
    assert_eq!(any.split(", ").count(), 29, "{any}");
}

#[test]
fn settings_are_written_where_they_are_not_the_default_and_in_alphabetical_order() {
    let line = |settings: &str| {
        let text = format!("MKN/1 marrakesh/1 {settings}\n\n{START} *\n");
        let record = read_record::<Position>(&text);
        assert_eq!(record.verdict, Ok(()), "{text}");
        record.opening.unwrap().line().replacen("MKN/1 marrakesh/1 ", "", 1)
    };
    let all = "seats=2 full_ovals=null-only rounds=6 sn_bonus=1 value_order=high-first";
    assert_eq!(line(all), all);
    assert_eq!(line("value_order=high-first sn_bonus=1 seats=2 rounds=6 full_ovals=null-only"), all);
    for option in Position::OPTIONS {
        assert_eq!(line(&format!("seats=2 {}={}", option.name, option.default)), "seats=2");
    }
}

#[test]
fn the_file_form_has_a_line_a_trick() {
    let text = format!(
        "{HEAD}{START}\n6s 2c 6@6 2@5\n3d 5d 5@6 3@4+5c 5@4 5@2 5@1 5@1\nQh Qs+2d 2@6\n3c 3c 3@1 3@1\n!resign2\n= 0 0\n"
    );
    let record = read_record::<Position>(&text);
    assert_eq!(record.verdict, Ok(()));
    assert_eq!(record.file_form(), text);
    let from_reply = "MKN/1 marrakesh/1 seats=2 position=1;210201/000132;.../...;2sAsQh5d3c/Qs4h6d3d3c2c;-;2;reply;6s;-;-;-;-;-;-;-\n\n2c 6@6 2@5\n3d\n*\n";
    assert_eq!(read_record::<Position>(from_reply).file_form(), from_reply);
}

#[test]
fn the_longest_word_is_a_use_that_ends_a_round_behind_a_bonus_card() {
    let word = "6@6+5c+112446/455566+b:6s2sAsQh5d3c+r:Qs4h6d3d3c2c";
    assert_eq!(Word::<Position>::read(word).map(|word| word.text()), Ok(word.to_owned()));
    assert!(word.len() == 50 && word.len() <= MAX_WORD);
}

#[test]
fn a_viewer_is_given_his_hand_and_his_own_lead_and_everybody_all_when_the_match_is_over() {
    let [blue, red, spectator] =
        [Viewer::Seat(Seat::FIRST), Viewer::Seat(Seat::FIRST.next(2)), Viewer::Spectator];
    let given = |words: &str, viewer| {
        let masked = read(words).masked(viewer);
        (masked.canonical().replacen(HEAD, "", 1).trim_end().to_owned(), masked.is_masked())
    };
    let for_blue = START.replace("Qs4h6d3d3c2c", "????????????");
    let for_red = START.replace("6s2sAsQh5d3c", "????????????");
    let led = format!("{START} 6s");
    assert_eq!(given(&led, blue), (format!("{for_blue} 6s *"), true));
    assert_eq!(given(&led, red), (format!("{for_red} ?? *"), true));
    assert_eq!(given(&led, spectator), (format!("{BLIND} ?? *"), true));
    assert_eq!(given(&led, Viewer::Arbiter), (format!("{led} *"), false));
    // The reply opens the lead.
    assert_eq!(given(&format!("{led} 2c"), spectator), (format!("{BLIND} 6s 2c *"), true));
    for end in ["!resign2", "!abort"] {
        let over = read_record::<Position>(format!("{HEAD}{led} {end} *\n")).masked(spectator);
        assert!(!over.is_masked());
        assert!(over.canonical().contains(&led), "{end}");
    }
}

#[test]
fn a_masked_record_with_an_error_keeps_its_place_and_rule_and_explains_nothing() {
    let record = read(&format!("{START} 6h"));
    let told = record.masked(Viewer::Spectator).verdict.unwrap_err();
    let error = record.verdict.unwrap_err();
    assert!(error.why.is_some() && error.expected.is_some());
    assert_eq!(told, Error { why: None, expected: None, ..error });
}

#[test]
fn after_an_unknown_lead_a_seat_may_leave_and_nothing_else_may_follow() {
    let left = read_record::<Position>(format!("{HEAD}{BLIND} ?? !timeout1 = 0 0\n"));
    assert_eq!(left.verdict, Ok(()));
    assert!(left.is_masked());
    assert_eq!(read(&format!("{BLIND} ??")).verdict, Ok(()));
    assert_eq!(read(&format!("{BLIND} ?? ??")).verdict.unwrap_err().rule, "marrakesh.card.unknown-lead");
}

#[test]
fn no_cut_and_no_odd_byte_in_a_word_or_a_position_line_panics() {
    let word = "6@6+5c+112446/455566+b:6s2sAsQh5d3c+r:????????????";
    let record = format!("MKN/1 marrakesh/1 seats=2 {FULL}\n\n3@4 1@2+112446/455566 *\n");
    for text in [format!("{HEAD}{START} {word} *\n"), record] {
        for end in 0..text.len() {
            let _ = read_record::<Position>(&text[..end]);
            for odd in ["", "\0", " ", ";", "/", "-", "9", "0", "?", "b", "\u{e9}", "@", "+"] {
                let _ = read_record::<Position>(format!("{}{odd}{}", &text[..end], &text[end + 1..]));
            }
        }
    }
}

#[test]
fn there_is_a_refused_vector_for_every_rule_and_every_identifier_of_marrakesh() {
    let reached = rules_of_marrakesh();
    let rules = Rule::ALL.iter().map(|rule| rule.id());
    // A position line cannot express pending chance.
    let impossible =
        Impossible::ALL.iter().filter(|rule| **rule != Impossible::ChanceDue).map(|rule| rule.id());
    let syntax = identifiers(&["src/marrakesh", "src/field.rs"]);
    assert!(syntax.len() >= 25, "{}", syntax.len());
    for id in rules.chain(impossible).chain(syntax.iter().map(String::as_str)) {
        assert!(reached.contains(id), "{id}");
    }
    let told: BTreeSet<String> =
        ["GRAMMAR.md", "grammar/marrakesh.md"].iter().flat_map(|page| told(page)).collect();
    for id in &syntax {
        assert!(told.contains(id), "{id}: where is it told?");
    }
}
