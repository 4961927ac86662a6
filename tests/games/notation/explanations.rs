//! Explanations of rules: squares, seats and plies by name.

use assam_rules::Rule as _;
use assam_rules::marrakech::Rule;

use super::error;

/// A rule, a record that breaks it, and its explanation.
const CASES: &[(Rule, &str, &str)] = &[
    (Rule::Over, "MKN/1 marrakech/1 seats=3\n\n!abort !resign1 *\n", "the game was aborted"),
    (
        Rule::Over,
        "MKN/1 marrakech/1 seats=3\n\n!resign1 !timeout3 E+1 *\n",
        "the game is over: seat 2 alone is left",
    ),
    (
        Rule::Over,
        "MKN/1 marrakech/1 seats=2 rugs_per_player=1 two_player=one-colour\n\nN+3 d6e6 E+2 f6f5 N *\n",
        "the game is over: every rug is laid",
    ),
    (
        Rule::ChanceDue,
        "MKN/1 marrakech/1 seats=2\n\nN+3 *\n",
        "the top rug of seat 1's pile must be turned up",
    ),
    (
        Rule::ChanceDue,
        "MKN/1 marrakech/1 seats=3 orientation=end\n\nd5e5 *\n",
        "the die must be rolled for seat 1",
    ),
    (
        Rule::NoChanceDue,
        "MKN/1 marrakech/1 seats=3\n\nN+3+2 *\n",
        "seat 1 must lay a red rug next to Assam on d7",
    ),
    (Rule::NoChanceDue, "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6+2 *\n", "seat 2 must turn Assam"),
    (Rule::DieDue, "MKN/1 marrakech/1 seats=3\n\nN+r *\n", "the die must be rolled for seat 1"),
    (
        Rule::ColourDue,
        "MKN/1 marrakech/1 seats=2\n\n+3 *\n",
        "the top rug of seat 1's pile must be turned up",
    ),
    (Rule::ColourNotInPile, "MKN/1 marrakech/1 seats=2\n\n+b *\n", "seat 1 has never a blue rug in its pile"),
    (
        Rule::ColourNotInPile,
        "MKN/1 marrakech/1 seats=2 rugs_per_player=2\n\n+r N+3 d6e6+b E+1 f7g7+r *\n",
        "seat 1 has no red rug left in its pile",
    ),
    (Rule::OrientDue, "MKN/1 marrakech/1 seats=3\n\nd6e6 *\n", "seat 1 must turn Assam"),
    (
        Rule::RugDue,
        "MKN/1 marrakech/1 seats=3\n\nN+3 E+1 *\n",
        "seat 1 must lay a red rug next to Assam on d7",
    ),
    (
        Rule::AboutTurn,
        "MKN/1 marrakech/1 seats=3\n\nS+1 *\n",
        "Assam faces north, so south would turn him about",
    ),
    (
        Rule::RugNotBesideAssam,
        "MKN/1 marrakech/1 seats=3\n\nN+3 a1a2 *\n",
        "Assam is on d7, which shares a side with neither a1 nor a2",
    ),
    (Rule::RugUnderAssam, "MKN/1 marrakech/1 seats=3\n\nN+3 d6d7 *\n", "Assam is on d7"),
    (
        Rule::CoversWholeRug,
        "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 E+1 d6e6 *\n",
        "d6e6 would cover both halves of the rug that seat 1 laid at ply 2",
    ),
    (
        Rule::CoversWholeRug,
        "MKN/1 marrakech/1 seats=2 cover=any two_player=one-colour\n\nN+3 d6e6 E+1 f7g7 S+2 e6d6 *\n",
        "d6e6 would cover both halves of the rug that seat 1 itself laid at ply 2, and `cover=any` protects every rug",
    ),
    (
        Rule::CoversWholeRug,
        "MKN/1 marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-\n\nE+1 d6e6 *\n",
        "d6e6 would cover both halves of the rug that seat 1 laid before the record begins",
    ),
    (Rule::NoSuchSeat, "MKN/1 marrakech/1 seats=3\n\n!resign4 *\n", "the table has 3 seats"),
    (
        Rule::SeatOut,
        "MKN/1 marrakech/1 seats=3\n\nN+3 !resign1 !timeout1 *\n",
        "seat 1 has been out since ply 2",
    ),
];

#[test]
fn every_rule_that_a_record_breaks_is_explained_by_what_is_there() {
    for (rule, record, why) in CASES {
        let error = error(record);
        assert_eq!(error.rule, rule.id(), "{record}");
        assert_eq!(error.why.as_deref(), Some(*why), "{record}");
    }
    for rule in Rule::ALL {
        assert!(CASES.iter().any(|(explained, _, _)| explained == rule), "{rule:?}");
    }
}
