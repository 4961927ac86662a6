//! The end of a match: the last round, tie-breaks, and leaving.

use assam_rules::marrakesh::{
    BySide, Defence, Diagram, Hand, List, Offence, Phase, Position, RoundScore, Rounds, Rule, Setup, Side,
    SideScore, Stop,
};
use assam_rules::{Game, Seat, Turn};

use super::script::{START, after, boards, card, ovals, play, points, refused};

const SHORT: Setup = Setup {
    full_ovals: assam_rules::marrakesh::FullOvals::Move,
    rounds: Rounds::Six,
    sn_bonus: assam_rules::marrakesh::SnBonus::Four,
    value_order: assam_rules::marrakesh::ValueOrder::Free,
};

fn side(offence: Option<Offence>, defence: Option<Defence>, pips: bool) -> SideScore {
    SideScore { offence, defence, pips }
}

/// Returns scores of Blue and Red in a round: pips, games, gammons.
fn blue(offence: Offence) -> RoundScore {
    BySide([side(Some(offence), None, false), SideScore::default()])
}

fn red(offence: Offence) -> RoundScore {
    BySide([SideScore::default(), side(Some(offence), None, false)])
}

fn nothing() -> RoundScore {
    BySide::default()
}

/// Returns a finished short match, after five such rounds and one without scores.
fn over(rounds: [RoundScore; 5]) -> Position {
    let start = after(START);
    let discards = {
        let mut discards = start.diagram().discards;
        for face in assam_rules::marrakesh::Card::all().take(18) {
            for _ in 0..face.copies() {
                discards.known.insert(face).unwrap();
            }
        }
        discards.known.insert(card("6c")).unwrap();
        discards.known.insert(card("6c")).unwrap();
        discards.known.insert(card("5c")).unwrap();
        discards.top = Some(card("5c"));
        discards
    };
    let diagram = Diagram {
        round: 6,
        phase: Phase::Over,
        points: BySide([points("66"), points("66")]),
        ovals: BySide([ovals("121"), ovals("121")]),
        hands: BySide([Hand::EMPTY; 2]),
        discards,
        scores: List::of(rounds.into_iter().chain([nothing()])).unwrap(),
        ..*start.diagram()
    };
    Position::from_diagram(&SHORT, &diagram).unwrap()
}

/// Returns the seats in groups, best first.
fn ranking(position: &Position) -> Vec<Vec<u8>> {
    let ranking = position.ranking().unwrap();
    ranking.0.iter().map(|group| group.iter().map(|seat| seat.number()).collect()).collect()
}

#[test]
fn the_higher_total_wins() {
    use Offence::{Gammon, Tangier};
    let position = over([blue(Gammon), nothing(), red(Tangier), nothing(), nothing()]);
    assert_eq!((position.turn(), position.scores().as_slice()), (Turn::Over, [6, 9].as_slice()));
    assert_eq!(ranking(&position), [[2], [1]]);
}

#[test]
fn equal_totals_are_decided_by_more_rounds_with_a_score() {
    use Offence::{Game, Gammon};
    let position = over([blue(Gammon), red(Game), red(Game), nothing(), nothing()]);
    assert_eq!(position.scores().as_slice(), [6, 6]);
    assert_eq!((position.rounds_scored(Side::Blue), position.rounds_scored(Side::Red)), (1, 2));
    assert_eq!(ranking(&position), [[2], [1]]);
}

#[test]
fn equal_rounds_are_decided_by_the_higher_best_round() {
    use Offence::{Game, Gammon, Tangier};
    let position = over([blue(Tangier), blue(Game), red(Gammon), red(Gammon), nothing()]);
    assert_eq!(position.scores().as_slice(), [12, 12]);
    assert_eq!((position.best_round(Side::Blue), position.best_round(Side::Red)), (9, 6));
    assert_eq!(ranking(&position), [[1], [2]]);
}

#[test]
fn what_is_equal_in_all_of_this_is_a_draw() {
    use Offence::Game;
    let position = over([blue(Game), red(Game), nothing(), nothing(), nothing()]);
    assert_eq!(ranking(&position), [[1, 2]]);
    assert!(position.legal_actions().is_empty());
    assert_eq!(position.clone().play(super::script::mv("6s")), Err(Rule::Over));
    assert_eq!(position.clone().play(super::script::mv("+6s")), Err(Rule::Over));
    assert_eq!(position.clone().play(super::script::mv("!abort")), Err(Rule::Over));
}

#[test]
fn who_resigns_loses_whatever_the_totals_and_the_unfinished_round_is_not_scored() {
    for (leave, winner) in [("!resign1", 2), ("!resign2", 1), ("!timeout1", 2), ("!timeout2", 1)] {
        for moves in ["", " 6s", " 6s 2c", " 6s 2c 6@6"] {
            let before = after(&format!("{START}{moves}"));
            let position = play(before.clone(), leave).0;
            assert_eq!((position.turn(), position.scores().as_slice()), (Turn::Over, [0, 0].as_slice()));
            let loser = 3 - winner;
            assert_eq!(ranking(&position), [[winner], [loser]], "{moves} {leave}");
            let seat = Seat::new(loser).unwrap();
            assert_eq!(position.diagram().stop, Side::of(seat).map(Stop::Left));
            assert_eq!(boards(&position), boards(&before));
        }
    }
    assert_eq!(refused(&format!("{START} !resign3")), Rule::NoSuchSeat);
    assert_eq!(refused(&format!("{START} !resign1 !resign2")), Rule::Over);
    assert_eq!(refused(&format!("{START} !resign1 6s")), Rule::Over);
}

#[test]
fn an_aborted_match_has_no_ranking() {
    let position = after(&format!("{START} 6s !abort"));
    assert_eq!((position.turn(), position.ranking()), (Turn::Aborted, None));
    assert!(position.legal_actions().is_empty());
    assert_eq!(refused(&format!("{START} 6s !abort 2c")), Rule::Over);
}
