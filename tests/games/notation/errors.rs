//! Every error has a vector and the right text.

use std::collections::BTreeSet;
use std::error::Error;

use assam_notation::{Decision, ErrorKind, Notation as _, Opening, PositionLine, Record, Word};
use assam_referee::{AnyRecord, Ruleset, Setup, Walk};
use assam_rules::marrakech::{Impossible, Position, Rule};
use assam_rules::{Rule as _, Viewer};

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
        "line 3, column 1, ply 1: Assam goes straight on or turns a quarter. He never turns about. \
         [illegal_move, marrakech.orient.about-turn]; here Assam faces north, so south would turn him about; \
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

/// Returns the error message for a refused value of any type.
fn said<T>(refused: Result<T, impl Error + 'static>) -> String {
    let error: Box<dyn Error> = Box::new(refused.err().unwrap());
    error.to_string()
}

#[test]
fn whatever_is_refused_is_an_error_that_says_what_and_why() {
    let opening: Opening<Position> = "MKN/1 marrakech/1 seats=3".parse().unwrap();
    let word: Word<Position> = "S+3".parse().unwrap();
    assert_eq!(
        said("S+9".parse::<Word<Position>>()),
        "byte 2: this is neither a die nor a colour [notation.chance.unknown]; expected a die 1, 2, 3 or 4, or a colour r, y, b or g"
    );
    assert_eq!(
        said("S+3".parse::<Decision<Position>>()),
        "byte 1: the word is complete, but more follows [notation.word.trailing]; expected the end of the decision"
    );
    assert_eq!(
        said(opening.replay().play(&word)),
        "Assam goes straight on or turns a quarter. He never turns about. [marrakech.orient.about-turn]"
    );
    assert_eq!(
        said(opening.replay().play(&"N".parse().unwrap())),
        "This decision triggers chance. [notation.word.lacks-chance]"
    );
    assert_eq!(
        said(Position::read_setup(3, &[("cover", "none")])),
        "cover is one of opponents, any [notation.setup.option-value]"
    );
    assert_eq!(
        said(Position::read_position(opening.setup(), "7/7")),
        "byte 3: the position is not written like this [notation.position.board]; expected seven ranks of seven squares, \
         rank 7 first: digits for runs of bare squares, colour letters"
    );
    let broken = "MKN/1 marrakech/1 seats=3\n\nS *\n";
    let about_turn = said(broken.parse::<Record<Position>>());
    assert!(about_turn.starts_with("line 3, column 1, ply 1: Assam goes straight on"), "{about_turn}");
    assert_eq!(said(broken.parse::<AnyRecord>()), about_turn);
    assert!(said("marrakech/1 seats=3".parse::<PositionLine<Position>>()).contains("expected position="));
    assert!(said("MKN/2 marrakech/1".parse::<Setup>()).starts_with("line 1, column 1: this is \"MKN/2\""));
    let setup = Setup::new(Ruleset::Marrakech, 3, &[]).unwrap();
    let walk = Walk {
        viewer: Viewer::Arbiter,
        decided: 0,
        last: 1,
        words: &mut ["S+3"].into_iter(),
        each: &mut |_, _| (),
    };
    assert_eq!(
        said(setup.walk(walk)),
        "ply 1: Assam goes straight on or turns a quarter. He never turns about. [marrakech.orient.about-turn]"
    );
}
