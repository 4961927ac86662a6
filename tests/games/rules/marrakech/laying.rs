//! The places where a rug may lie.

use assam_rules::Game;
use assam_rules::marrakech::Position;

use super::{ONE_COLOUR, after, legal, refused, rugs_left, turn};

const COVERS: &str = "marrakech.rug.covers-whole-rug";

#[test]
fn a_rug_lies_beside_assam_with_one_half_and_never_under_him() {
    // From Assam on d5: the twelve places round him.
    let expected =
        ["b5c5", "c4c5", "c4d4", "c5c6", "c6d6", "d3d4", "d4e4", "d6d7", "d6e6", "e4e5", "e5e6", "e5f5"];
    assert_eq!(legal(&after("seats=3", "N+1")), expected);
    for under in ["d5d6", "d4d5", "c5d5", "d5e5"] {
        assert_eq!(refused("seats=3", &format!("N+1 {under}")), "marrakech.rug.under-assam");
    }
}

#[test]
fn a_square_that_touches_his_by_a_corner_only_is_not_beside_him() {
    for away in ["e6e7", "e6f6", "c4b4", "c4c3", "f5g5", "a1b1", "d7e7"] {
        assert_eq!(refused("seats=3", &format!("N+1 {away}")), "marrakech.rug.not-beside-assam");
    }
}

#[test]
fn in_a_bare_corner_there_are_four_places_and_a_protected_rug_takes_one() {
    assert_eq!(legal(&after("seats=3", "N+3 c6c7 E+3")), ["e7f7", "f6f7", "f6g6", "g5g6"]);
    assert_eq!(legal(&after("seats=3", "E+3 g5g6 N+3")), ["e7f7", "f6f7", "f6g6"]);
}

#[test]
fn a_rug_may_lie_on_bare_squares_and_on_one_half_of_a_rug() {
    assert_eq!(rugs_left(&after("seats=3", "N+1 d6d7 E+1 f5g5 N+1 d7e7")), [14, 14, 14]);
}

#[test]
fn the_whole_rug_of_an_opponent_may_not_be_covered_in_one_go() {
    for settings in ["seats=3", "seats=3 cover=any", "seats=4"] {
        assert_eq!(refused(settings, "N+1 d6d7 E+1 f5g5 N+1 d6d7"), COVERS);
    }
    assert_eq!(refused("seats=2", "+r N+1 d6e6+b E+1 d6e6"), COVERS);
}

#[test]
fn ones_own_whole_rug_may_be_covered_unless_no_rug_may() {
    let words = "N+1 d6d7 E+1 f5g5 N+1 d6d7";
    assert_eq!(turn(&after(ONE_COLOUR, words)), "2 orient");
    assert_eq!(refused(&format!("{ONE_COLOUR} cover=any"), words), COVERS);
}

#[test]
fn either_of_ones_two_colours_is_ones_own() {
    let words = "+r N+1 d6d7+b E+1 f5g5+y N+1 d6d7";
    assert_eq!(turn(&after("seats=2", &format!("{words}+b"))), "2 orient");
    assert_eq!(refused("seats=2 cover=any", words), COVERS);
}

#[test]
fn the_halves_of_two_different_rugs_of_one_colour_may_be_covered() {
    // Red lies on d6d7 and on e7f7, and blue covers d7 and e7.
    let words = "N+1 d6d7 E+1 f5g5 N+1 e7f7 W+1 d7e7";
    for cover in ["opponents", "any"] {
        assert_eq!(turn(&after(&format!("{ONE_COLOUR} cover={cover}"), words)), "1 orient");
    }
}

#[test]
fn a_rug_that_is_half_covered_may_be_finished_off() {
    // Yellow covers one half of red's d6d7. Blue covers the other, and a half of yellow with it.
    let words = "N+1 d6d7 E+1 f5g5 N+1 d7e7 W+2 b5b6 N+1";
    let position = after("seats=3 cover=any", words);
    assert!(legal(&position).contains(&"d6d7".to_string()), "{:?}", legal(&position));
    assert_eq!(turn(&after("seats=3 cover=any", &format!("{words} d6d7"))), "3 orient");
}

#[test]
fn a_rug_laid_over_two_halves_is_whole_itself() {
    let words = "N+1 d6d7 E+1 f5g5 N+1 e7f7 W+1 d7e7";
    let whole: Vec<String> =
        after(ONE_COLOUR, words).board().whole_rugs().map(|rug| rug.to_string()).collect();
    assert_eq!(whole, ["f5g5", "d7e7"]);
}

#[test]
fn the_rugs_of_a_player_who_is_out_keep_their_protection_or_lose_it() {
    let words = "N+1 d6d7 !resign1 E+1 f5g5 N+1 d6d7";
    assert_eq!(refused("seats=3", words), COVERS);
    assert_eq!(refused("seats=3 bankrupt_rugs=inert", words), COVERS);
    for cover in ["opponents", "any"] {
        let settings = format!("seats=3 bankrupt_rugs=open cover={cover}");
        assert_eq!(turn(&after(&settings, words)), "2 orient");
    }
}

#[test]
fn while_their_owner_is_in_open_rugs_are_protected_as_ever() {
    assert_eq!(refused("seats=3 bankrupt_rugs=open", "N+1 d6d7 E+1 f5g5 N+1 d6d7"), COVERS);
}

#[test]
fn a_rug_that_is_laid_leaves_its_players_pile() {
    assert_eq!(rugs_left(&after("seats=3", "N+1")), [15, 15, 15]);
    assert_eq!(rugs_left(&after("seats=3", "N+1 d6d7")), [14, 15, 15]);
}

#[test]
fn the_colour_turned_up_is_drawn_from_what_is_left_in_the_pile() {
    let settings = "seats=2 rugs_per_player=4";
    let weights = |words: &str| -> Vec<u32> {
        let position: Position = after(settings, words);
        let mut next = position.clone();
        next.play(assam_rules::Move::Action(position.legal_actions()[0])).unwrap();
        next.outcomes().iter().map(|(_, weight)| *weight).collect()
    };
    assert_eq!(weights("+r N+1"), [2, 2], "blue and green of seat 2");
    assert_eq!(weights("+r N+1 d6d7+b E+1"), [1, 2], "red and yellow of seat 1");
    assert_eq!(weights("+r N+1 d6d7+b E+1 f5g5+r S+1 e3e2+b S+1"), [2], "yellow alone is left");
    let red_again = "+r N+1 d6d7+b E+1 f5g5+r S+1 e3e2+b S+1 d3d2+r";
    assert_eq!(refused(settings, red_again), "marrakech.pile.colour-not-in-pile");
    assert_eq!(refused(settings, "+b"), "marrakech.pile.colour-not-in-pile");
}
