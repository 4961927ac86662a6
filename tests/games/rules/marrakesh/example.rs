//! The worked round of the rules, with every board on the way.

use assam_rules::marrakesh::{
    BySide, Defence, Event, FullOvals, List, Match, Offence, Rounds, Setup, Side, SideScore, SnBonus,
    ValueOrder,
};
use assam_rules::{Game, Turn, perft};

use super::script::{START, after_with, boards, legal, play};

/// The moves of the five tricks, each with the boards after it, Blue's then Red's, and the number of choices.
const STEPS: [(&str, &str, usize); 24] = [
    ("6s", "210201 ... 000132 ...", 6),
    ("2c", "210201 ... 000132 ...", 6),
    ("6@6", "210201 ... 000131 ...", 4),
    ("2@5", "210201 ... 001121 1..", 3),
    ("3d", "210201 ... 001121 1..", 5),
    ("5d", "210201 ... 001121 1..", 5),
    ("5@6", "310200 ... 001121 1..", 3),
    ("3@4", "410100 ... 001121 1..", 1),
    ("+5c", "410100 ... 001121 1..", 0),
    ("5@4", "410000 ... 001121 1..", 1),
    ("5@2", "400000 ... 001121 1..", 1),
    ("5@1", "300000 ... 001121 1..", 1),
    ("5@1", "200000 4.. 001121 1..", 1),
    ("Qh", "200000 4.. 001121 1..", 4),
    ("Qs", "200000 4.. 001121 1..", 4),
    ("+2d", "200000 4.. 001121 1..", 0),
    ("2@6", "200000 4.. 001220 10.", 4),
    ("3c", "200000 4.. 001220 10.", 3),
    ("3c", "200000 4.. 001220 10.", 3),
    ("3@1", "100000 4.. 001220 10.", 1),
    ("3@1", "000000 42X 001220 10.", 1),
    ("As", "000000 42X 001220 10.", 2),
    ("6d", "210201 ... 000132 ...", 2),
    ("112446/455566", "210201 ... 000132 ...", 0),
];

fn every_setup() -> Vec<Setup> {
    let mut setups = Vec::new();
    for full_ovals in [FullOvals::Move, FullOvals::NullOnly] {
        for rounds in [Rounds::Twelve, Rounds::Six] {
            for sn_bonus in [SnBonus::Four, SnBonus::One] {
                for value_order in [ValueOrder::Free, ValueOrder::HighFirst] {
                    setups.push(Setup { full_ovals, rounds, sn_bonus, value_order });
                }
            }
        }
    }
    setups
}

#[test]
fn every_board_and_every_number_of_choices_is_that_of_the_article() {
    let mut position = after_with(&Setup::default(), START);
    assert_eq!(boards(&position), "210201 ... 000132 ...");
    for (text, expected, choices) in STEPS {
        if position.turn() != Turn::Chance {
            assert_eq!(position.legal_actions().len(), choices, "{text}: {}", legal(&position));
        }
        (position, _) = play(position, text);
        // The last trick ends the round. Its boards are cleared when the next dice are thrown.
        if text != "6d" {
            assert_eq!(boards(&position), expected, "{text}");
        }
    }
}

#[test]
fn the_first_steps_that_are_possible_are_those_that_the_article_names() {
    let at = |n: usize| {
        let moves: Vec<&str> = STEPS[..n].iter().map(|(text, _, _)| *text).collect();
        legal(&after_with(&Setup::default(), &format!("{START} {}", moves.join(" "))))
    };
    assert_eq!(at(2), "6@6 2@6 2@5 2@4");
    assert_eq!(at(6), "5@6 3@6 3@4");
    assert_eq!(at(16), "2@6 2@5 2@4 2@3");
}

#[test]
fn the_round_is_18_to_0_under_every_option() {
    let moves: Vec<&str> = STEPS.iter().map(|(text, _, _)| *text).take_while(|text| *text != "6d").collect();
    for setup in every_setup() {
        let before = after_with(&setup, &format!("{START} {}", moves.join(" ")));
        let (position, events) = play(before, "6d");
        let blue =
            SideScore { offence: Some(Offence::Tangier), defence: Some(Defence::RoyalFez), pips: false };
        let expected = BySide([blue, SideScore::default()]);
        assert_eq!(position.diagram().scores, List::of([expected]).unwrap(), "{setup:?}");
        assert_eq!((position.total(Side::Blue), position.total(Side::Red)), (18, 0));
        assert_eq!(events.last(), Some(&Event::RoundScored { round: 1, score: expected }));
        assert!(
            matches!(events[0], Event::TrickWon { winner: Side::Blue, matching: Match::Nothing, .. }),
            "{events:?}"
        );
        // Ten cards played, two unplayed, two bonus cards.
        assert_eq!((position.deck(), position.diagram().discards.len()), (38, 14));
    }
}

/// Up to five decisions here, as the deeper figures need a release build.
#[test]
fn the_perft_figures_of_the_worked_round_in_the_documents_are_true() {
    for (row, value_order) in [
        ("| the worked round |", ValueOrder::Free),
        ("| the same, `value_order=high-first` |", ValueOrder::HighFirst),
    ] {
        let start = after_with(&Setup { value_order, ..Setup::default() }, START);
        let document = include_str!("../../../../docs/develop/perft.md");
        let figures = document.lines().find_map(|line| line.strip_prefix(row)).unwrap();
        let counted: Vec<String> = (1..=5).map(|decisions| perft(&start, decisions).to_string()).collect();
        let told: Vec<String> =
            figures.replace(',', "").split('|').map(|cell| cell.trim().to_owned()).collect();
        assert_eq!(told[..5], counted);
    }
}
