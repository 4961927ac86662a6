//! Every error of a record: its code, the rule behind it, the place, and what would have been right.

use std::collections::BTreeSet;

use assam_notation::{Code, Word};
use assam_rules::Rule as _;
use assam_rules::marrakech::{Position, Rule};

use super::{error, read};

/// Why a record is refused.
struct Case {
    why: &'static str,
    record: &'static str,
    code: Code,
    rule: &'static str,
    line: u32,
    column: u32,
    /// Word and ply.
    at: (Option<u32>, Option<u32>),
    expected: Option<&'static str>,
}

const HEAD: (Option<u32>, Option<u32>) = (None, None);

const fn word(number: u32, ply: u32) -> (Option<u32>, Option<u32>) {
    (Some(number), Some(ply))
}

const fn marker(number: u32) -> (Option<u32>, Option<u32>) {
    (Some(number), None)
}

const CASES: &[Case] = &[
    Case {
        why: "it does not begin with its setup line",
        record: "N+3 d6e6 *\n",
        code: Code::NotationSyntax,
        rule: "notation.setup.no-format",
        line: 1,
        column: 1,
        at: HEAD,
        expected: Some("MKN/1, a rule set such as marrakech/1, and seats="),
    },
    Case {
        why: "the position is not the last setting",
        record: "MKN/1 marrakech/1 position=x seats=3\n\n*\n",
        code: Code::NotationSyntax,
        rule: "notation.setup.behind-position",
        line: 1,
        column: 30,
        at: HEAD,
        expected: Some("the end of the line"),
    },
    Case {
        why: "no play leads to the position in which it begins",
        record: "MKN/1 marrakech/1 seats=3 position=7/7/7/7/7/7/7;-;d4N;1;orient;31,30,30;r15b15y15;r;-\n\n*\n",
        code: Code::ImpossiblePosition,
        rule: "marrakech.position.dirhams",
        line: 1,
        column: 36,
        at: HEAD,
        expected: None,
    },
    Case {
        why: "it is something else altogether",
        record: "[Event \"Marrakech\"]\n[Site \"?\"]\n\n1. e4 e5 *\n",
        code: Code::NotationSyntax,
        rule: "notation.setup.no-format",
        line: 1,
        column: 1,
        at: HEAD,
        expected: Some("MKN/1, a rule set such as marrakech/1, and seats="),
    },
    Case {
        why: "the notation is of another version, whose shape is unknown",
        record: "MKN/2 marrakech/1; seats 3\nN+3 d6e6 *\n",
        code: Code::UnsupportedNotation,
        rule: "notation.version",
        line: 1,
        column: 1,
        at: HEAD,
        expected: Some("MKN/1"),
    },
    Case {
        why: "the notation is of a version that is not known here",
        record: "MKN/2 marrakech/1 seats=3\n\n*\n",
        code: Code::UnsupportedNotation,
        rule: "notation.version",
        line: 1,
        column: 1,
        at: HEAD,
        expected: Some("MKN/1"),
    },
    Case {
        why: "the rule set is missing",
        record: "MKN/1\n\n*\n",
        code: Code::NotationSyntax,
        rule: "notation.setup.ruleset",
        line: 1,
        column: 6,
        at: HEAD,
        expected: Some("a rule set such as marrakech/1"),
    },
    Case {
        why: "the second word is no rule set",
        record: "MKN/1 Marrakech seats=3\n\n*\n",
        code: Code::NotationSyntax,
        rule: "notation.setup.ruleset",
        line: 1,
        column: 7,
        at: HEAD,
        expected: Some("a rule set such as marrakech/1"),
    },
    Case {
        why: "the rule set is another",
        record: "MKN/1 chess/1 seats=2\n\n*\n",
        code: Code::UnknownRuleset,
        rule: "notation.setup.unknown-ruleset",
        line: 1,
        column: 7,
        at: HEAD,
        expected: Some("marrakech/1"),
    },
    Case {
        why: "the rule set is of another version",
        record: "MKN/1 marrakech/2 seats=2\n\n*\n",
        code: Code::UnknownRuleset,
        rule: "notation.setup.unknown-ruleset",
        line: 1,
        column: 7,
        at: HEAD,
        expected: Some("marrakech/1"),
    },
    Case {
        why: "the seats are missing",
        record: "MKN/1 marrakech/1 cover=any\n\n*\n",
        code: Code::NotationSyntax,
        rule: "notation.setup.seats",
        line: 1,
        column: 28,
        at: HEAD,
        expected: Some("seats="),
    },
    Case {
        why: "the number of seats is no digit",
        record: "MKN/1 marrakech/1 seats=three\n\n*\n",
        code: Code::NotationSyntax,
        rule: "notation.setup.seats",
        line: 1,
        column: 19,
        at: HEAD,
        expected: Some("seats=2, seats=3 or seats=4"),
    },
    Case {
        why: "so many do not play this game",
        record: "MKN/1 marrakech/1 seats=5\n\n*\n",
        code: Code::UnknownOption,
        rule: "notation.setup.option-value",
        line: 1,
        column: 19,
        at: HEAD,
        expected: None,
    },
    Case {
        why: "a setting is not written name=value",
        record: "MKN/1 marrakech/1 seats=3 Cover=any\n\n*\n",
        code: Code::NotationSyntax,
        rule: "notation.setup.setting",
        line: 1,
        column: 27,
        at: HEAD,
        expected: Some("name=value"),
    },
    Case {
        why: "two spaces stand between two settings",
        record: "MKN/1 marrakech/1 seats=3  cover=any\n\n*\n",
        code: Code::NotationSyntax,
        rule: "notation.setup.setting",
        line: 1,
        column: 27,
        at: HEAD,
        expected: Some("name=value"),
    },
    Case {
        why: "a setting stands twice",
        record: "MKN/1 marrakech/1 seats=3 cover=any cover=any\n\n*\n",
        code: Code::NotationSyntax,
        rule: "notation.setup.duplicate",
        line: 1,
        column: 37,
        at: HEAD,
        expected: Some("each setting once"),
    },
    Case {
        why: "there is no such option",
        record: "MKN/1 marrakech/1 seats=3 empty_deck=lapse\n\n*\n",
        code: Code::UnknownOption,
        rule: "notation.setup.unknown-option",
        line: 1,
        column: 27,
        at: HEAD,
        expected: None,
    },
    Case {
        why: "the option has no such value",
        record: "MKN/1 marrakech/1 seats=3 cover=all\n\n*\n",
        code: Code::UnknownOption,
        rule: "notation.setup.option-value",
        line: 1,
        column: 27,
        at: HEAD,
        expected: None,
    },
    Case {
        why: "a line of the head is no tag",
        record: "MKN/1 marrakech/1 seats=3\nSeat1: A\n\n*\n",
        code: Code::NotationSyntax,
        rule: "notation.tag.name",
        line: 2,
        column: 1,
        at: HEAD,
        expected: Some("`name: value`, or the blank line before the body"),
    },
    Case {
        why: "the blank line before the body is missing",
        record: "MKN/1 marrakech/1 seats=3\nN+3 d6e6 *\n",
        code: Code::NotationSyntax,
        rule: "notation.tag.name",
        line: 2,
        column: 1,
        at: HEAD,
        expected: Some("`name: value`, or the blank line before the body"),
    },
    Case {
        why: "no space stands behind the colon of a tag",
        record: "MKN/1 marrakech/1 seats=3\nseat1:A\n\n*\n",
        code: Code::NotationSyntax,
        rule: "notation.tag.space",
        line: 2,
        column: 1,
        at: HEAD,
        expected: Some("`name: value`, or the blank line before the body"),
    },
    Case {
        why: "a tag's value has a control character",
        record: "MKN/1 marrakech/1 seats=3\nseat1: A\tB\n\n*\n",
        code: Code::NotationSyntax,
        rule: "notation.tag.value",
        line: 2,
        column: 1,
        at: HEAD,
        expected: Some("`name: value`, or the blank line before the body"),
    },
    Case {
        why: "a tag stands twice",
        record: "MKN/1 marrakech/1 seats=3\nseat1: A\nseat2: B\nseat1: A\n\n*\n",
        code: Code::NotationSyntax,
        rule: "notation.tag.duplicate",
        line: 4,
        column: 1,
        at: HEAD,
        expected: Some("each tag once"),
    },
    Case {
        why: "it ends before its body",
        record: "MKN/1 marrakech/1 seats=3\nseat1: A\n",
        code: Code::MissingMarker,
        rule: "notation.body.missing",
        line: 3,
        column: 1,
        at: HEAD,
        expected: Some("a blank line, words and an end marker"),
    },
    Case {
        why: "a word is neither a compass point nor a rug",
        record: "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 n+2 *\n",
        code: Code::NotationSyntax,
        rule: "notation.decision.unknown",
        line: 3,
        column: 10,
        at: word(3, 3),
        expected: Some(
            "a compass point N, E, S or W, or a rug written as two squares a1 to g7, such as d6e6",
        ),
    },
    Case {
        why: "a square of a rug is not on the board",
        record: "MKN/1 marrakech/1 seats=3\n\nN+3 d7d8 *\n",
        code: Code::NotationSyntax,
        rule: "notation.decision.unknown",
        line: 3,
        column: 7,
        at: word(2, 2),
        expected: Some(
            "a compass point N, E, S or W, or a rug written as two squares a1 to g7, such as d6e6",
        ),
    },
    Case {
        why: "the squares of a rug share no side",
        record: "MKN/1 marrakech/1 seats=3\n\nN+3 d6e7 *\n",
        code: Code::NotationSyntax,
        rule: "notation.rug.no-common-side",
        line: 3,
        column: 5,
        at: word(2, 2),
        expected: Some("two squares that share a side, such as d6e6"),
    },
    Case {
        why: "a plus is followed by nothing that is drawn",
        record: "MKN/1 marrakech/1 seats=3\n\nN+5 *\n",
        code: Code::NotationSyntax,
        rule: "notation.chance.unknown",
        line: 3,
        column: 3,
        at: word(1, 1),
        expected: Some("a die 1, 2, 3 or 4, or a colour r, y, b or g"),
    },
    Case {
        why: "a word goes on after it is complete",
        record: "MKN/1 marrakech/1 seats=3\n\nN+3d6e6 *\n",
        code: Code::NotationSyntax,
        rule: "notation.word.trailing",
        line: 3,
        column: 4,
        at: word(1, 1),
        expected: Some("`+` and something drawn, or white space"),
    },
    Case {
        why: "no word draws so often",
        record: "MKN/1 marrakech/1 seats=3\n\nN+1+1+1+1+1+1+1+1+1 *\n",
        code: Code::NotationSyntax,
        rule: "notation.word.too-much-chance",
        line: 3,
        column: 19,
        at: word(1, 1),
        expected: Some("white space"),
    },
    Case {
        why: "there is no such word about leaving",
        record: "MKN/1 marrakech/1 seats=3\n\nN+3 !leave2 *\n",
        code: Code::NotationSyntax,
        rule: "notation.lifecycle.unknown",
        line: 3,
        column: 5,
        at: word(2, 2),
        expected: Some("!resignN, !timeoutN (N is a seat, 1 to 4) or !abort"),
    },
    Case {
        why: "a seat that leaves has no number of a seat",
        record: "MKN/1 marrakech/1 seats=3\n\nN+3 !resign5 *\n",
        code: Code::NotationSyntax,
        rule: "notation.lifecycle.unknown",
        line: 3,
        column: 5,
        at: word(2, 2),
        expected: Some("!resignN, !timeoutN (N is a seat, 1 to 4) or !abort"),
    },
    Case {
        why: "a word lacks its chance",
        record: "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6\nE *\n",
        code: Code::IllegalMove,
        rule: "notation.word.lacks-chance",
        line: 4,
        column: 2,
        at: word(3, 3),
        expected: Some("`+` and what was drawn"),
    },
    Case {
        why: "the leading word is missing",
        record: "MKN/1 marrakech/1 seats=2\n\n*\n",
        code: Code::IllegalMove,
        rule: "notation.word.lacks-start",
        line: 3,
        column: 1,
        at: word(1, 0),
        expected: Some("a leading word: `+` and what was drawn"),
    },
    Case {
        why: "the leading word lacks half its chance",
        record: "MKN/1 marrakech/1 seats=2 orientation=end\n\n+y *\n",
        code: Code::IllegalMove,
        rule: "notation.word.lacks-chance",
        line: 3,
        column: 3,
        at: word(1, 0),
        expected: Some("`+` and what was drawn"),
    },
    Case {
        why: "a leading word stands where nothing is drawn at the start",
        record: "MKN/1 marrakech/1 seats=3\n\n+3 d6e6 *\n",
        code: Code::IllegalMove,
        rule: "notation.word.lacks-decision",
        line: 3,
        column: 1,
        at: word(1, 1),
        expected: Some("N, E, W"),
    },
    Case {
        why: "a word of chance alone stands behind the first word",
        record: "MKN/1 marrakech/1 seats=3\n\nN+3 +3 *\n",
        code: Code::NotationSyntax,
        rule: "notation.word.lacks-decision",
        line: 3,
        column: 5,
        at: word(2, 2),
        expected: Some("e7f7, e6e7, d6e6, d5d6, c6d6, c6c7, b7c7"),
    },
    Case {
        why: "the end marker is missing",
        record: "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6\n",
        code: Code::MissingMarker,
        rule: "notation.marker.missing",
        line: 4,
        column: 1,
        at: HEAD,
        expected: Some("a word, or the end marker `*`"),
    },
    Case {
        why: "the end marker is none that there is",
        record: "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 ** \n",
        code: Code::NotationSyntax,
        rule: "notation.marker.unknown",
        line: 3,
        column: 10,
        at: marker(3),
        expected: Some("`*`"),
    },
    Case {
        why: "the end marker has no scores",
        record: "MKN/1 marrakech/1 seats=3\n\nN+3 =\n",
        code: Code::NotationSyntax,
        rule: "notation.marker.unknown",
        line: 3,
        column: 5,
        at: marker(2),
        expected: Some("`*`"),
    },
    Case {
        why: "a score is written with a leading zero",
        record: "MKN/1 marrakech/1 seats=2 rugs_per_player=1 two_player=one-colour\n\nN+1 d6d7 E+1 f5g5 = 32 032\n",
        code: Code::NotationSyntax,
        rule: "notation.marker.score",
        line: 3,
        column: 24,
        at: marker(5),
        expected: Some("`= 32 32`"),
    },
    Case {
        why: "the scores are wrong",
        record: "MKN/1 marrakech/1 seats=2 rugs_per_player=1 two_player=one-colour\n\nN+1 d6d7 E+1 f5g5 = 32 33\n",
        code: Code::ScoreMismatch,
        rule: "notation.marker.scores",
        line: 3,
        column: 19,
        at: marker(5),
        expected: Some("`= 32 32`"),
    },
    Case {
        why: "a score is missing",
        record: "MKN/1 marrakech/1 seats=2 rugs_per_player=1 two_player=one-colour\n\nN+1 d6d7 E+1 f5g5 = 32\n",
        code: Code::ScoreMismatch,
        rule: "notation.marker.scores",
        line: 3,
        column: 19,
        at: marker(5),
        expected: Some("`= 32 32`"),
    },
    Case {
        why: "there are scores before the game is over",
        record: "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6\n= 32 30 30\n",
        code: Code::WrongMarker,
        rule: "notation.marker.kind",
        line: 4,
        column: 1,
        at: marker(3),
        expected: Some("`*`"),
    },
    Case {
        why: "it is marked as unfinished though the game is over",
        record: "MKN/1 marrakech/1 seats=2 rugs_per_player=1 two_player=one-colour\n\nN+1 d6d7 E+1 f5g5 *\n",
        code: Code::WrongMarker,
        rule: "notation.marker.kind",
        line: 3,
        column: 19,
        at: marker(5),
        expected: Some("`= 32 32`"),
    },
    Case {
        why: "it is marked as aborted though nobody aborted it",
        record: "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 = -\n",
        code: Code::WrongMarker,
        rule: "notation.marker.kind",
        line: 3,
        column: 10,
        at: marker(3),
        expected: Some("`*`"),
    },
    Case {
        why: "an aborted game is marked as unfinished",
        record: "MKN/1 marrakech/1 seats=3\n\nN+3 !abort *\n",
        code: Code::WrongMarker,
        rule: "notation.marker.kind",
        line: 3,
        column: 12,
        at: marker(3),
        expected: Some("`= -`"),
    },
    Case {
        why: "it goes on behind its end marker",
        record: "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 * E+2\n",
        code: Code::NotationSyntax,
        rule: "notation.marker.text-behind",
        line: 3,
        column: 12,
        at: marker(3),
        expected: Some("`*`"),
    },
    Case {
        why: "it goes on behind the marker of an aborted game",
        record: "MKN/1 marrakech/1 seats=3\n\n!abort = - 3\n",
        code: Code::NotationSyntax,
        rule: "notation.marker.text-behind",
        line: 3,
        column: 12,
        at: marker(2),
        expected: Some("`= -`"),
    },
    Case {
        why: "the game is over",
        record: "MKN/1 marrakech/1 seats=2 rugs_per_player=1 two_player=one-colour\n\nN+1 d6d7 E+1 f5g5 N+1 = 32 32\n",
        code: Code::IllegalMove,
        rule: "marrakech.game.over",
        line: 3,
        column: 19,
        at: word(5, 5),
        expected: None,
    },
    Case {
        why: "somebody decides before the colour is turned up",
        record: "MKN/1 marrakech/1 seats=2\n\nN+3 *\n",
        code: Code::IllegalMove,
        rule: "marrakech.turn.chance-due",
        line: 3,
        column: 1,
        at: word(1, 0),
        expected: None,
    },
    Case {
        why: "a word draws more than is due",
        record: "MKN/1 marrakech/1 seats=3\n\nN+3+1 *\n",
        code: Code::IllegalMove,
        rule: "marrakech.turn.no-chance-due",
        line: 3,
        column: 1,
        at: word(1, 1),
        expected: None,
    },
    Case {
        why: "a colour is drawn where the die is due",
        record: "MKN/1 marrakech/1 seats=3\n\nN+r *\n",
        code: Code::IllegalMove,
        rule: "marrakech.turn.die-due",
        line: 3,
        column: 1,
        at: word(1, 1),
        expected: None,
    },
    Case {
        why: "the die is rolled where a colour is due",
        record: "MKN/1 marrakech/1 seats=2 orientation=end\n\n+3+y *\n",
        code: Code::IllegalMove,
        rule: "marrakech.turn.colour-due",
        line: 3,
        column: 1,
        at: word(1, 0),
        expected: None,
    },
    Case {
        why: "a colour is turned up that its player does not have",
        record: "MKN/1 marrakech/1 seats=2\n\n+r N+3 d6e6+y *\n",
        code: Code::IllegalMove,
        rule: "marrakech.pile.colour-not-in-pile",
        line: 3,
        column: 8,
        at: word(3, 2),
        expected: None,
    },
    Case {
        why: "a rug is laid where Assam must be turned",
        record: "MKN/1 marrakech/1 seats=3\n\nd5d6 *\n",
        code: Code::IllegalMove,
        rule: "marrakech.turn.orient-due",
        line: 3,
        column: 1,
        at: word(1, 1),
        expected: Some("N, E, W"),
    },
    Case {
        why: "Assam is turned where a rug must be laid",
        record: "MKN/1 marrakech/1 seats=3\n\nE+3 N+1 *\n",
        code: Code::IllegalMove,
        rule: "marrakech.turn.rug-due",
        line: 3,
        column: 5,
        at: word(2, 2),
        expected: Some("g5g6, f5g5, g2g3, f3g3, f4f5, f3f4, e4f4"),
    },
    Case {
        why: "Assam is turned about",
        record: "MKN/1 marrakech/1 seats=3\n\nS+3 *\n",
        code: Code::IllegalMove,
        rule: "marrakech.orient.about-turn",
        line: 3,
        column: 1,
        at: word(1, 1),
        expected: Some("N, E, W"),
    },
    Case {
        why: "a rug is not beside Assam",
        record: "MKN/1 marrakech/1 seats=3\n\nE+3 a1b1 *\n",
        code: Code::IllegalMove,
        rule: "marrakech.rug.not-beside-assam",
        line: 3,
        column: 5,
        at: word(2, 2),
        expected: Some("g5g6, f5g5, g2g3, f3g3, f4f5, f3f4, e4f4"),
    },
    Case {
        why: "a rug is laid under Assam",
        record: "MKN/1 marrakech/1 seats=3\n\nE+3 g4g5 *\n",
        code: Code::IllegalMove,
        rule: "marrakech.rug.under-assam",
        line: 3,
        column: 5,
        at: word(2, 2),
        expected: Some("g5g6, f5g5, g2g3, f3g3, f4f5, f3f4, e4f4"),
    },
    Case {
        why: "a rug covers a whole protected rug",
        record: "MKN/1 marrakech/1 seats=3\n\nE+3 g5g6\nN+3 g5g6 *\n",
        code: Code::IllegalMove,
        rule: "marrakech.rug.covers-whole-rug",
        line: 4,
        column: 5,
        at: word(4, 4),
        expected: Some("f6g6, f6f7, e7f7"),
    },
    Case {
        why: "a seat leaves that is not there",
        record: "MKN/1 marrakech/1 seats=3\n\n!resign4 *\n",
        code: Code::IllegalMove,
        rule: "marrakech.seat.no-such-seat",
        line: 3,
        column: 1,
        at: word(1, 1),
        expected: None,
    },
    Case {
        why: "a seat leaves that is out",
        record: "MKN/1 marrakech/1 seats=3\n\nE+3 !timeout2\n!resign2 *\n",
        code: Code::IllegalMove,
        rule: "marrakech.seat.out",
        line: 4,
        column: 1,
        at: word(3, 3),
        expected: None,
    },
];

#[test]
fn a_record_is_refused_with_its_code_rule_and_place_and_what_was_expected() {
    for case in CASES {
        let error = error(case.record);
        assert_eq!((error.code, error.rule), (case.code, case.rule), "{}", case.why);
        assert_eq!((error.place.line, error.place.column), (case.line, case.column), "{}", case.why);
        assert_eq!((error.place.word, error.place.ply), case.at, "{}", case.why);
        assert_eq!(error.expected.as_deref(), case.expected, "{}", case.why);
        assert!(!error.detail.is_empty(), "{}", case.why);
    }
}

#[test]
fn what_stands_before_the_error_is_kept() {
    for case in CASES {
        let record = read(case.record);
        let kept = record.words.iter().map(Word::text).collect::<Vec<_>>().join(" ");
        let body = case.record.split_once("\n\n").map_or("", |(_, body)| body).replace('\n', " ");
        assert!(body.starts_with(&kept), "{}: {kept:?}", case.why);
        if let Some(number) = case.at.0 {
            assert_eq!(record.words.len() as u32, number - 1, "{}", case.why);
        }
        assert_eq!(
            record.replay.map_or(0, |replay| replay.words()) as usize,
            record.words.len(),
            "{}",
            case.why
        );
    }
}

/// The limits and what is not UTF-8 have tests of their own.
#[test]
fn there_is_a_case_for_every_rule_of_the_notation_and_of_the_game() {
    let covered: BTreeSet<&str> = CASES.iter().map(|case| case.rule).collect();
    for rule in Rule::ALL {
        assert!(covered.contains(rule.id()), "{rule:?}");
    }
    let elsewhere = [
        "notation.limit.line",
        "notation.limit.record",
        "notation.limit.word",
        "notation.setup.no-position",
        "notation.text.utf8",
    ];
    let sources = [
        include_str!("../../notation/src/marrakech/mod.rs"),
        include_str!("../../notation/src/record.rs"),
        include_str!("../../notation/src/setup_line.rs"),
        include_str!("../../notation/src/text.rs"),
        include_str!("../../notation/src/word.rs"),
    ];
    let mut found = 0;
    for literal in sources.iter().flat_map(|source| source.split('"')) {
        if literal.starts_with("notation.") && !elsewhere.contains(&literal) {
            assert!(covered.contains(literal), "{literal}");
            found += 1;
        }
    }
    assert!(found >= 28, "{found}");
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
        (Code::NotationSyntax, "notation_syntax"),
        (Code::UnsupportedNotation, "unsupported_notation"),
        (Code::UnknownRuleset, "unknown_ruleset"),
        (Code::UnknownOption, "unknown_option"),
        (Code::ImpossiblePosition, "impossible_position"),
        (Code::IllegalMove, "illegal_move"),
        (Code::ScoreMismatch, "score_mismatch"),
        (Code::WrongMarker, "wrong_marker"),
        (Code::MissingMarker, "missing_marker"),
    ];
    for (code, text) in codes {
        assert_eq!(code.as_str(), text);
        assert!(CASES.iter().any(|case| case.code == code), "{text}");
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
