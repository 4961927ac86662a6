//! How often the numbers are used, and when a bonus card is drawn.

use assam_rules::marrakesh::{
    Cards, Digit, Event, List, Match, Phase, Position, RoundScore, Rule, Setup, Side, SnBonus, Trick, Values,
};
use assam_rules::{Game, Turn};

use super::script::{START, Scene, after, after_with, boards, card, chance, legal, play, refused};

fn trick(lead: &str, reply: &str) -> Trick {
    Trick { leader: Side::Blue, lead: card(lead), reply: card(reply) }
}

/// `6x1 2x1`, larger numbers first.
fn written(values: Values) -> String {
    let text = |number: Digit| format!("{}x{}", number.get(), values.count(number));
    values.numbers().rev().map(text).collect::<Vec<_>>().join(" ")
}

#[test]
fn two_different_cards_give_each_number_once_a_common_number_4_times_and_identical_cards_6_times() {
    for (lead, reply, matching, expected) in [
        ("6s", "2c", Match::Nothing, "6x1 2x1"),
        ("3d", "5d", Match::Suit, "5x1 3x1"),
        ("4h", "4c", Match::Number, "4x4"),
        ("3c", "3c", Match::Both, "3x6"),
        ("As", "Ah", Match::Number, "1x4"),
        ("Ad", "Ad", Match::Both, "1x6"),
    ] {
        assert_eq!(trick(lead, reply).matching(), matching, "{lead} {reply}");
        assert_eq!(written(trick(lead, reply).values()), expected, "{lead} {reply}");
    }
}

#[test]
fn a_queen_has_number_0_and_moves_nothing_whatever_the_multiplier() {
    for (lead, reply, matching, expected) in [
        ("Qs", "4s", Match::Suit, "4x1"),
        ("Qs", "4h", Match::Nothing, "4x1"),
        ("Qs", "Qh", Match::Number, ""),
    ] {
        assert_eq!(trick(lead, reply).matching(), matching, "{lead} {reply}");
        assert_eq!(written(trick(lead, reply).values()), expected, "{lead} {reply}");
    }
}

#[test]
fn a_bonus_card_is_used_once_4_times_or_6_times_by_how_it_matches_the_winners_card() {
    use Match::{Both, Nothing, Number, Suit};
    for (lead, reply, bonus, expected) in [
        // In a trick of one suit: the winner's card is the reply.
        ("3d", "5d", "6c", (Nothing, 1)),
        ("3d", "5d", "3c", (Nothing, 1)),
        ("3d", "5d", "6d", (Suit, 4)),
        ("3d", "5d", "5c", (Number, 4)),
        ("3d", "5d", "5d", (Both, 6)),
        // In a trick of one number.
        ("4h", "4c", "6s", (Nothing, 1)),
        ("4h", "4c", "Qh", (Suit, 4)),
        ("4h", "4c", "4s", (Number, 4)),
        ("4h", "4c", "4h", (Both, 6)),
        ("Qh", "Qs", "2d", (Nothing, 1)),
        ("Qh", "Qs", "2s", (Suit, 4)),
        ("Qh", "Qs", "Qc", (Number, 4)),
        // There is no third identical card.
        ("3c", "3c", "6s", (Nothing, 4)),
        ("3c", "3c", "6c", (Suit, 4)),
        ("3c", "3c", "3s", (Number, 4)),
    ] {
        let matched = trick(lead, reply).bonus(card(bonus), SnBonus::Four);
        assert_eq!(matched, expected, "{lead} {reply} {bonus}");
    }
}

#[test]
fn the_variant_sn_bonus_1_uses_a_bonus_card_that_matches_nothing_once_after_identical_cards() {
    for (bonus, times) in [("6s", 1), ("6c", 4), ("3s", 4)] {
        assert_eq!(trick("3c", "3c").bonus(card(bonus), SnBonus::One).1, times, "{bonus}");
    }
    assert_eq!(trick("4h", "4c").bonus(card("6s"), SnBonus::One).1, 1);
    let moves = "123456/666666 b:3c6s6h6d5s5h r:3c4s4h4d2s2h 3c 3c 3@6 3@6 3@6 3@6 3@6 3@6 +6s";
    let left = |sn_bonus| {
        let phase = after_with(&Setup { sn_bonus, ..Setup::default() }, moves).diagram().phase;
        if let Phase::Use { values, .. } = phase { written(values) } else { panic!("{phase:?}") }
    };
    assert_eq!((left(SnBonus::Four), left(SnBonus::One)), ("6x4".to_owned(), "6x1".to_owned()));
}

#[test]
fn the_bonus_card_is_drawn_after_all_trick_values_have_been_used_and_only_after_a_match() {
    let before = "112446/455566 b:6s5dQhAs3c2s r:2c3dQs3c6d4h 6s 2c 6@6 2@5 3d 5d";
    assert_eq!(refused(&format!("{before} +5c")), Rule::NoChanceDue);
    assert_eq!(refused(&format!("{before} 5@6 +5c")), Rule::NoChanceDue);
    let due = after(&format!("{before} 5@6 3@4"));
    assert_eq!(due.turn(), Turn::Chance);
    assert_eq!(refused(&format!("{before} 5@6 3@4 5@4")), Rule::ChanceDue);
    assert_eq!(refused(&format!("{before} 5@6 3@4 112446/455566")), Rule::BonusDue);
    let (_, events) = play(due, "+5c");
    assert_eq!(events, [Event::BonusDrawn { card: card("5c"), matching: Match::Number, times: 4 }]);
    // Without a match there is no bonus card, so the oval is marked with the last use.
    let (_, events) = play(after(&format!("{START} 6s 2c 6@6")), "2@5");
    assert!(matches!(events[..], [Event::OvalMarked { side: Side::Red, oval: 1, .. }]), "{events:?}");
}

#[test]
fn two_queens_move_nothing_and_the_bonus_card_is_drawn_at_once() {
    let queens = "112446/455566 b:QhAsAh3c2s5d r:Qs3d2c3c6d4h Qh Qs";
    let (position, events) = play(after(queens), "+2d");
    assert_eq!(events, [Event::BonusDrawn { card: card("2d"), matching: Match::Nothing, times: 1 }]);
    assert_eq!(legal(&position), "2@6 2@5 2@4");
    // A queen as bonus card moves nothing either, so a null chip is marked.
    let (position, events) = play(after(queens), "+Qc");
    assert_eq!(events.len(), 2, "{events:?}");
    assert_eq!(boards(&position), "210201 ... 000132 0..");
}

#[test]
fn no_bonus_card_is_drawn_when_all_six_pieces_are_off() {
    // 3 six times, from the points 1 to 3.
    let moves = "111111/111112 b:3c6s6h6d5s5h r:3c4s4h4d2s2h 3c 3c 3@2 3@1 3@1 3@1 3@1";
    let (position, events) = play(after(moves), "3@1");
    assert!(matches!(events[..], [Event::OvalMarked { side: Side::Red, oval: 1, .. }]), "{events:?}");
    assert_eq!(boards(&position), "600000 ... 000000 6XX");
    assert_eq!(position.turn(), Turn::Player(Side::Red.seat()));
}

#[test]
fn at_most_one_bonus_card_is_drawn_in_a_trick() {
    let before = "112446/455566 b:6s5dQhAs3c2s r:2c3dQs3c6d4h 6s 2c 6@6 2@5 3d 5d 5@6 3@4 +4d 4@4";
    // 4d matches the suit of 5d, so there are four uses before the trick is over.
    let position = after(&format!("{before} 4@2 4@1 4@1"));
    assert!(matches!(position.diagram().phase, Phase::Lead { leader: Side::Blue }));
}

/// Returns round 3 with Blue's ovals full, after four tricks, with all but this many of the other cards
/// discarded.
fn nearly_empty(deck: usize) -> Position {
    let mut scene = Scene::new("123456", "000", "123456", "0..")
        .tricks(Side::Blue, "6s6d 5s5d 4s4d 3s3d")
        .hands("2sAs", "2dAd");
    let mut here = Cards::new();
    for text in ["6s", "6d", "5s", "5d", "4s", "4d", "3s", "3d", "2s", "As", "2d", "Ad"] {
        here.insert(card(text)).unwrap();
    }
    for card in here.rest().iter().skip(deck) {
        scene.diagram.discards.known.insert(card).unwrap();
        scene.diagram.discards.top = Some(card);
    }
    scene.diagram.round = 3;
    scene.diagram.scores = List::of([RoundScore::default(); 2]).unwrap();
    scene.position()
}

#[test]
fn no_bonus_card_is_drawn_from_an_empty_deck() {
    let moves = "2s 2d 2@6 2@5 2@4 2@3";
    let (position, _) = play(nearly_empty(1), moves);
    assert_eq!((position.deck(), position.turn()), (1, Turn::Chance));
    let last = position.draw_chance(&mut |range| {
        assert_eq!(range, 1);
        0
    });
    assert_eq!(last.as_slice(), [chance("+6s")]);
    let (position, events) = play(nearly_empty(0), moves);
    assert_eq!((position.deck(), position.turn()), (0, Turn::Player(Side::Blue.seat())));
    assert!(matches!(events[..], [Event::OvalMarked { side: Side::Red, oval: 2, .. }]), "{events:?}");
}
