//! Single uses of a number: moves and bear-offs.

use assam_rules::marrakesh::{FullOvals, Phase, Position, Rule, Setup, Side, ValueOrder};
use assam_rules::{Game, Turn};

use super::script::{Scene, action, after, after_with, boards, legal, play, refused, refused_with};

/// Returns moves in which Blue leads `lead` from `blue`, Red answers with 2d or another card, and Blue uses
/// the numbers.
fn blue_wins(blue: &str, red: &str, lead: &str, reply: &str) -> String {
    format!("{blue}/{red} b:{lead}QhQc3c5c4c r:{reply}QdQs3c5c4c {lead} {reply}")
}

#[test]
fn a_piece_moves_down_by_the_number_or_is_borne_off_exactly() {
    // 6 and 2 from 112446.
    let moves = blue_wins("112446", "455566", "6s", "2d");
    assert_eq!(legal(&after(&moves)), "6@6 2@6 2@4 2@2");
    assert_eq!(boards(&after(&format!("{moves} 2@6"))), "210300 ... 000132 ...");
    assert_eq!(boards(&after(&format!("{moves} 2@2 6@6"))), "200200 2.. 000132 ...");
    assert_eq!(boards(&after(&format!("{moves} 6@6 2@4"))), "220100 1.. 000132 ...");
}

#[test]
fn only_numbers_that_are_left_and_points_with_pieces_can_be_used() {
    let moves = blue_wins("112446", "455566", "6s", "2d");
    assert_eq!(refused(&format!("{moves} 5@6")), Rule::NumberNotLeft);
    assert_eq!(refused(&format!("{moves} 6@6 6@4")), Rule::NumberNotLeft);
    assert_eq!(refused(&format!("{moves} 2@5")), Rule::NoPiece);
    assert_eq!(refused(&format!("{moves} 6s")), Rule::UseDue);
    assert_eq!(refused(&format!("{moves} ??")), Rule::UseDue);
}

#[test]
fn bearing_off_from_below_is_only_from_the_highest_point_and_where_no_piece_stands_on_the_number_or_above() {
    let moves = blue_wins("112446", "455566", "5s", "6d");
    // A piece is on 6, so there is no bearing off from 4 with a 5.
    assert_eq!(refused(&format!("{moves} 5@4")), Rule::HigherPiece);
    // After it is borne off with the 6, the 5 takes one off the 4-point, and none from below it.
    assert_eq!(refused(&format!("{moves} 6@6 5@2")), Rule::HigherPiece);
    assert_eq!(legal(&after(&format!("{moves} 6@6"))), "5@4");
    assert_eq!(boards(&after(&format!("{moves} 6@6 5@4"))), "210100 2.. 000132 ...");
    // A piece on the number itself blocks those below it.
    let moves = blue_wins("112445", "455566", "5s", "2d");
    assert_eq!(refused(&format!("{moves} 5@4")), Rule::HigherPiece);
    assert_eq!(legal(&after(&moves)), "5@5 2@5 2@4 2@2");
}

#[test]
fn bearing_off_is_not_compulsory_and_who_bears_nothing_off_gets_a_null_chip() {
    // 2 could bear a piece off the 2-point. 6 to 4 is as good, and so on.
    let moves = blue_wins("112446", "455566", "2s", "4d");
    assert_eq!(boards(&after(&format!("{moves} 2@6 4@4"))), "210200 1.. 000132 ...");
    assert_eq!(boards(&after(&format!("{moves} 4@6 2@4"))), "230100 0.. 000132 ...");
}

#[test]
fn the_winner_chooses_which_number_is_used_first() {
    let moves = blue_wins("112446", "455566", "3s", "5d");
    assert_eq!(legal(&after(&moves)), "5@6 3@6 3@4");
    // 6 to 3, and with nothing on 5 or 6 the 5 takes one off the 4-point.
    assert_eq!(boards(&after(&format!("{moves} 3@6 5@4"))), "211100 1.. 000132 ...");
}

#[test]
fn with_value_order_high_first_the_larger_number_comes_first() {
    let setup = Setup { value_order: ValueOrder::HighFirst, ..Setup::default() };
    let moves = blue_wins("112446", "455566", "3s", "5d");
    assert_eq!(legal(&after_with(&setup, &moves)), "5@6");
    assert_eq!(refused_with(&setup, &format!("{moves} 3@6")), Rule::HighFirst);
    assert_eq!(legal(&after_with(&setup, &format!("{moves} 5@6"))), "3@4");
}

#[test]
fn when_the_last_piece_is_off_all_remaining_uses_lapse() {
    // Two pieces are left for a number that is used four times.
    let scene = Scene::new("12", "4..", "112456", "...").tricks(Side::Blue, "6s6d");
    let (position, _) = play(scene.hands("3s3h4h5h6h", "3d4d5c6c2h").position(), "3s 3d 3@2 3@1");
    assert_eq!(boards(&position), "000000 42X 210111 ...");
    assert_eq!(position.turn(), Turn::Player(Side::Blue.seat()));
}

/// Returns a position in which Blue leads to the fourth trick, with full ovals and four pieces on `blue`.
fn full(setup: Setup, blue: &str, hand: &str, reply_hand: &str) -> Position {
    Scene::new(blue, "101", "112456", "...")
        .setup(setup)
        .tricks(Side::Blue, "6s6d 5s6d 4s5d")
        .hands(hand, reply_hand)
        .position()
}

#[test]
fn with_three_full_ovals_the_winner_moves_but_bears_nothing_off() {
    let position = full(Setup::default(), "2456", "2s3h4h", "5h3d2d");
    let (position, _) = play(position, "2s 5h");
    // Not the 2 from 6, as the 5 can be used only there.
    assert_eq!(legal(&position), "5@6 2@5 2@4");
    assert_eq!(position.check_action(action("5@5")), Err(Rule::OvalsFull));
    assert_eq!(position.check_action(action("2@2")), Err(Rule::OvalsFull));
    let (position, _) = play(position, "5@6 2@4");
    assert_eq!(boards(&position), "120010 101 210111 0..");
}

#[test]
fn with_three_full_ovals_uses_that_cannot_be_made_lapse() {
    let position = full(Setup::default(), "1122", "2s3h4h", "5h3d2d");
    let (position, _) = play(position, "2s 5h");
    assert_eq!(boards(&position), "220000 101 210111 0..");
    assert_eq!(position.turn(), Turn::Player(Side::Blue.seat()));
}

#[test]
fn with_three_full_ovals_as_many_uses_as_possible_must_be_made() {
    let position = full(Setup::default(), "1115", "3s3h4h", "2h3d2d");
    let (position, _) = play(position, "3s 2h");
    // 5 - 3 = 2 leaves no room for 2, and 5 - 2 = 3 none for 3. So either may be used, but only one.
    assert_eq!(legal(&position), "3@5 2@5");
    let (alone, _) = play(position, "2@5");
    assert_eq!(boards(&alone), "301000 101 210111 0..");

    let position = full(Setup::default(), "1146", "3s3h4h", "2h3d2d");
    let (position, _) = play(position, "3s 2h");
    // After either number, the other can still be used.
    assert_eq!(legal(&position), "3@6 3@4 2@6 2@4");

    let position = full(Setup::default(), "1135", "4s3h4h", "2h3d2d");
    let (position, _) = play(position, "4s 2h");
    // The 4 fits only on 5, the 2 on 5 and on 3. The 2 from 5 would leave nothing for the 4.
    assert_eq!(legal(&position), "4@5 2@3");
    assert_eq!(position.check_action(action("2@5")), Err(Rule::BothNumbers));
}

#[test]
fn with_three_full_ovals_and_high_first_there_is_no_looking_ahead() {
    let setup = Setup { value_order: ValueOrder::HighFirst, ..Setup::default() };
    let (position, _) = play(full(setup, "1135", "4s3h4h", "2h3d2d"), "4s 2h");
    assert_eq!(legal(&position), "4@5");
    // The larger number has no use, so the smaller one comes at once.
    let (position, _) = play(full(setup, "1133", "4s3h4h", "2h3d2d"), "4s 2h");
    assert_eq!(legal(&position), "2@3");
}

#[test]
fn with_three_full_ovals_the_bonus_card_is_drawn_too_and_with_null_only_neither_is_used() {
    let (position, _) = play(full(Setup::default(), "1166", "3s3h4h", "3d2d5h"), "3s 3d");
    assert_eq!(legal(&position), "3@6");
    let (position, _) = play(position, "3@6 3@6");
    assert!(matches!(position.diagram().phase, Phase::Bonus { .. }), "{:?}", position.diagram().phase);
    assert_eq!(boards(&play(position, "+2c 2@3").0), "301000 101 210111 0..");

    let setup = Setup { full_ovals: FullOvals::NullOnly, ..Setup::default() };
    let (position, events) = play(full(setup, "1166", "3s3h4h", "3d2d5h"), "3s 3d");
    assert_eq!(events.len(), 2, "{events:?}");
    assert_eq!(boards(&position), "200002 101 210111 0..");
}
