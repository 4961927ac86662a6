//! Errors: that each there is has a vector, and how they are written.

use std::collections::BTreeSet;

use assam_notation::{ErrorKind, Word};
use assam_rules::Rule as _;
use assam_rules::marrakech::{Impossible, Position, Rule};

use super::vectors::{cases, rules_of_positions};
use super::{error, identifiers, told};

#[test]
fn there_is_a_vector_for_every_rule_of_the_notation_of_the_game_and_of_its_positions() {
    let mut covered = rules_of_positions();
    covered.extend(cases().map(|case| case.rule().to_owned()));
    for rule in Rule::ALL {
        assert!(covered.contains(rule.id()), "{rule:?}");
    }
    for reason in Impossible::ALL {
        assert!(covered.contains(reason.id()), "{reason:?}");
    }
    let rules = identifiers(&["src", "src/marrakech"]);
    let told = told("GRAMMAR.md");
    for rule in &rules {
        assert!(covered.contains(rule), "{rule}");
        assert!(told.contains(rule), "{rule}: where is it told?");
    }
    assert!(rules.len() >= 46, "{}", rules.len());
}

#[test]
fn every_rule_has_an_id_of_its_own_and_a_sentence() {
    let ids: BTreeSet<&str> = Rule::ALL.iter().map(|rule| rule.id()).collect();
    assert_eq!(ids.len(), Rule::ALL.len());
    for rule in Rule::ALL {
        assert!(rule.id().starts_with("marrakech."), "{rule:?}");
        assert!(rule.text().ends_with('.'), "{rule:?}");
    }
}

#[test]
fn every_code_is_written_in_its_own_way() {
    let codes = [
        (ErrorKind::NotationSyntax, "notation_syntax"),
        (ErrorKind::UnsupportedNotation, "unsupported_notation"),
        (ErrorKind::UnknownRuleset, "unknown_ruleset"),
        (ErrorKind::UnknownOption, "unknown_option"),
        (ErrorKind::ImpossiblePosition, "impossible_position"),
        (ErrorKind::IllegalMove, "illegal_move"),
        (ErrorKind::ScoreMismatch, "score_mismatch"),
        (ErrorKind::WrongMarker, "wrong_marker"),
        (ErrorKind::MissingMarker, "missing_marker"),
    ];
    for (code, text) in codes {
        assert_eq!(code.as_str(), text);
        assert!(cases().any(|case| case.code() == text), "{text}");
    }
}

#[test]
fn an_error_is_one_line_for_people() {
    let error = error("MKN/1 marrakech/1 seats=3\n\nS+3 *\n");
    assert_eq!(
        error.to_string(),
        "line 3, column 1, ply 1: Assam goes straight on or turns a quarter; he is never turned about. \
         [illegal_move, marrakech.orient.about-turn]; here Assam faces north; south would turn him about; \
         expected N, E, W"
    );
}

#[test]
fn a_word_is_refused_without_a_board_where_its_syntax_is_wrong() {
    for (word, rule, offset) in [
        ("", "notation.decision.unknown", 0),
        ("+", "notation.chance.unknown", 1),
        ("N+", "notation.chance.unknown", 2),
        ("N+31", "notation.word.trailing", 3),
        ("NE", "notation.word.trailing", 1),
        ("d6", "notation.decision.unknown", 2),
        ("d6e", "notation.decision.unknown", 2),
        ("d6d6", "notation.rug.no-common-side", 0),
        ("d6e6f6", "notation.word.trailing", 4),
        ("D6E6", "notation.decision.unknown", 0),
        ("d6e6+R", "notation.chance.unknown", 5),
        ("h1g1", "notation.decision.unknown", 0),
        ("a0a1", "notation.decision.unknown", 0),
        ("!abort1", "notation.word.trailing", 6),
        ("!resign", "notation.lifecycle.unknown", 0),
        ("!resign0", "notation.lifecycle.unknown", 0),
        ("!resign12", "notation.word.trailing", 8),
        ("!Resign1", "notation.lifecycle.unknown", 0),
        ("??", "notation.decision.unknown", 0),
        ("N\u{e9}", "notation.word.trailing", 1),
    ] {
        let error = Word::<Position>::read(word).unwrap_err();
        assert_eq!((error.rule, error.offset), (rule, offset), "{word:?}");
    }
}
