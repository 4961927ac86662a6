//! The setup of a round, and the deck of three rounds.

use assam_players::random_action;
use assam_rules::marrakesh::{Cards, Chance, Phase, Position, Rule, Setup, Side};
use assam_rules::{Game, Move, Turn};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::script::{START, after, boards, chance, refused};

#[test]
fn each_die_puts_one_piece_on_the_point_of_its_number() {
    assert_eq!(boards(&after("112446/455566")), "210201 ... 000132 ...");
}

#[test]
fn if_the_two_boards_are_identical_both_players_throw_again() {
    assert_eq!(refused("112446/112446"), Rule::EqualDice);
    assert_eq!(refused("112446/644211"), Rule::EqualDice);
}

#[test]
fn more_pieces_on_the_1_point_lead_if_equal_on_the_2_point_and_so_on() {
    for (dice, leader) in [
        ("112446/455566", Side::Blue),
        ("455566/112446", Side::Red),
        ("123456/122345", Side::Red),
        ("123356/123456", Side::Blue),
        ("123444/123445", Side::Blue),
        ("555556/555555", Side::Red),
        ("666666/566666", Side::Red),
    ] {
        let position = after(&format!("{dice} b:6s5dQhAs3c2s r:2c3dQs3c6d4h"));
        assert_eq!(position.turn(), Turn::Player(leader.seat()), "{dice}");
    }
}

#[test]
fn dice_then_blues_hand_then_reds_are_due_and_nothing_else() {
    assert_eq!(refused("b:6s5dQhAs3c2s"), Rule::DiceDue);
    assert_eq!(refused("+6s"), Rule::DiceDue);
    assert_eq!(refused("6s"), Rule::ChanceDue);
    assert_eq!(refused("!resign1"), Rule::ChanceDue);
    assert_eq!(refused("112446/455566 r:6s5dQhAs3c2s"), Rule::BlueHandDue);
    assert_eq!(refused("112446/455566 112446/455566"), Rule::BlueHandDue);
    assert_eq!(refused("112446/455566 b:6s5dQhAs3c2s b:2c3dQs3c6d4h"), Rule::RedHandDue);
    assert_eq!(refused("112446/455566 b:6s5dQhAs3c2s +2c"), Rule::RedHandDue);
    assert_eq!(refused(&format!("{START} 112446/455566")), Rule::NoChanceDue);
    assert_eq!(refused(&format!("{START} 6s b:2c3dQs3c6d4h")), Rule::NoChanceDue);
}

#[test]
fn a_card_must_be_in_the_hand_and_a_card_must_be_played() {
    assert_eq!(refused(&format!("{START} 6d")), Rule::CardNotInHand);
    assert_eq!(refused(&format!("{START} 6s 6s")), Rule::CardNotInHand);
    assert_eq!(refused(&format!("{START} 6@6")), Rule::CardDue);
    assert_eq!(refused(&format!("{START} 6s 6@6")), Rule::CardDue);
    assert_eq!(refused(&format!("{START} ??")), Rule::UnknownCard);
    assert_eq!(refused(&format!("{START} 6s ??")), Rule::UnknownReply);
}

#[test]
fn a_face_is_dealt_or_drawn_twice_at_most_and_a_queen_once() {
    assert_eq!(refused("112446/455566 b:6s6sQhAs3c2s r:6s3dQs3c6d4h"), Rule::CardNotInDeck);
    assert_eq!(refused("112446/455566 b:6s6sQhAs3c2s r:Qh3dQs3c6d4h"), Rule::CardNotInDeck);
    let bonus = "112446/455566 b:4s5dQhAs3c2s r:4c3dQs3c6d4h 4s 4c 4@6 4@5 4@5 4@5";
    assert_eq!(refused(&format!("{bonus} +Qh")), Rule::CardNotInDeck);
    assert_eq!(refused(&format!("{bonus} +3c")), Rule::CardNotInDeck);
    after(&format!("{bonus} +4c"));
    assert_eq!(Cards::new().rest().len(), Cards::PACK);
    let mut queens = Cards::new();
    queens.insert(super::script::card("Qs")).unwrap();
    assert!(queens.insert(super::script::card("Qs")).is_err());
}

/// Plays at random up to the first decision of this round.
fn at_round(round: u8, seed: u64) -> Position {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut draw = |range| rng.next_u64() % range;
    let mut position = Position::new(&Setup::default());
    loop {
        if position.turn() == Turn::Chance {
            for chance in position.draw_chance(&mut draw) {
                position.play(Move::Chance(chance)).unwrap();
            }
        } else if position.diagram().round == round {
            return position;
        } else {
            let action = random_action(&position, &mut draw).unwrap();
            position.play(Move::Action(action)).unwrap();
        }
    }
}

#[test]
fn rounds_1_4_7_and_10_are_dealt_from_all_52_cards_the_others_from_what_is_left() {
    for seed in 0..20 {
        for round in 1..=12 {
            let position = at_round(round, seed);
            let discards = position.diagram().discards;
            assert_eq!(position.deck() + discards.len(), 52 - 12, "round {round}");
            let before_in_block = (round - 1) % 3;
            assert!(discards.len() >= 12 * before_in_block, "round {round}");
            assert_eq!(discards.is_empty(), before_in_block == 0, "round {round}");
            assert_eq!(discards.top.is_none(), before_in_block == 0, "round {round}");
        }
    }
}

#[test]
fn a_deal_alternates_blue_first_one_draw_a_card_from_the_sorted_rest() {
    let position = after("112446/455566");
    // Always the first card that is left: s h d c, and in a suit 6 5 4 3 2 A Q.
    let mut ranges = Vec::new();
    let drawn = position.draw_chance(&mut |range| {
        ranges.push(range);
        0
    });
    assert_eq!(ranges, (41..=52).rev().collect::<Vec<u64>>());
    let hand = "6s5s4s3s2sAs";
    assert_eq!(drawn.as_slice(), [chance(&format!("b:{hand}")), chance(&format!("r:{hand}"))]);
    let last = position.draw_chance(&mut |range| range - 1);
    assert_eq!(last.as_slice(), [chance("b:QcAc2c3c4c5c"), chance("r:Ac2c3c4c5c6c")]);
}

#[test]
fn dice_are_drawn_blues_six_then_reds_six_and_on_equal_boards_the_draws_run_on() {
    let faces = [1, 1, 2, 4, 4, 6, 6, 4, 4, 2, 1, 1, 6, 6, 5, 5, 5, 4, 1, 2, 3, 4, 5, 6];
    let mut draws = faces.into_iter();
    let drawn = Position::new(&Setup::default()).draw_chance(&mut |range| {
        assert_eq!(range, 6);
        draws.next().unwrap() - 1
    });
    assert_eq!(draws.next(), None);
    let Chance::Dice { blue, red } = drawn[0] else { panic!("{drawn:?}") };
    assert_eq!((blue.points().counts(), red.points().counts()), ([0, 0, 0, 1, 3, 2], [1; 6]));
}

#[test]
fn the_last_reply_lies_on_top_of_the_discards_of_a_round_and_a_bonus_card_on_top_of_it() {
    for seed in 0..20 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut draw = |range| rng.next_u64() % range;
        let mut position = at_round(1, seed);
        let mut last_reply = None;
        while position.diagram().round == 1 {
            match position.turn() {
                Turn::Chance => {
                    let drawn = position.draw_chance(&mut draw);
                    for &chance in &drawn {
                        position.play(Move::Chance(chance)).unwrap();
                    }
                    if let [Chance::Bonus(card)] = drawn[..]
                        && position.diagram().round == 1
                    {
                        assert_eq!(position.diagram().discards.top, Some(card));
                    }
                }
                Turn::Player(_) | Turn::Over | Turn::Aborted => {
                    let action = random_action(&position, &mut draw).unwrap();
                    let is_reply = matches!(position.diagram().phase, Phase::Reply { .. });
                    if let (true, assam_rules::marrakesh::Action::Play(card)) = (is_reply, action) {
                        last_reply = Some(card);
                    }
                    position.play(Move::Action(action)).unwrap();
                }
            }
        }
        assert_eq!(position.diagram().discards.top, last_reply);
    }
}
