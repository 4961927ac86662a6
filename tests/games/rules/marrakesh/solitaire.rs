//! The artificial player bears off the most pieces, from the highest points. Its matches, and those of random
//! players, match another implementation of the same rules.

#[allow(dead_code, reason = "its main function prints what is tested here")]
#[path = "../../../../players/examples/statistics.rs"]
mod example;

use assam_players::{Playable as _, Player, random_action};
use assam_rules::marrakesh::{Action, Setup, Side};
use assam_rules::{Game, Move, Turn};
use example::{figures, solitaire_wins};

use super::script::{START, Scene, action, after, legal, name, play};

/// Returns its uses, up to the end of the trick or the bonus card.
fn line(moves: &str) -> String {
    let mut position = after(moves);
    let mut line = Vec::new();
    while let Some(action @ Action::Use { number, point }) =
        position.decision_of(Player::SolitaireAi, &mut |_| 0)
    {
        line.push(format!("{}@{}", number.get(), point.get()));
        position.play(Move::Action(action)).unwrap();
    }
    line.join(" ")
}

fn blue_wins(blue: &str, red: &str, lead: &str, reply: &str) -> String {
    format!("{blue}/{red} b:{lead}QhQc3c5c4c r:{reply}QdQs3c5c4c {lead} {reply}")
}

#[test]
fn it_bears_off_the_maximum_number_of_pieces() {
    // 2 and 4 from 112446: two off, and not 4 to 2 or 6 to 4, with the 4 from the higher point first.
    assert_eq!(line(&blue_wins("112446", "455566", "2s", "4d")), "4@4 2@2");
    // 3 and 5: only using the 3 first lets the 5 bear something off.
    assert_eq!(line(&blue_wins("112446", "455566", "3s", "5d")), "3@6 5@4");
}

#[test]
fn of_lines_with_as_many_pieces_off_it_moves_from_the_highest_points_and_then_uses_the_larger_number_first() {
    // Nothing can be borne off.
    assert_eq!(line(&blue_wins("166666", "266666", "2s", "3d")), "3@6 2@6");
    // One piece can, in either order from 6 by way of 4 or of 2, so the higher point decides.
    assert_eq!(line(&blue_wins("166666", "266666", "2s", "4d")), "2@6 4@4");
    // One piece comes off in any case: from 6 with the 6, then from the highest point left.
    assert_eq!(line(&blue_wins("155566", "266666", "6s", "2d")), "6@6 2@6");
}

#[test]
fn one_number_four_times_takes_off_all_that_it_can() {
    assert_eq!(line(&blue_wins("112466", "233333", "4s", "4d")), "4@6 4@6 4@4 4@2");
}

#[test]
fn with_three_full_ovals_it_moves_from_the_highest_points() {
    let scene = Scene::new("1135", "101", "112456", "...").tricks(Side::Blue, "6s6d 5s6d 4s5d");
    let (position, _) = play(scene.hands("4s3h4h", "2h3d2d").position(), "4s 2h");
    assert_eq!(position.decision_of(Player::SolitaireAi, &mut |_| 0), Some(action("4@5")));
}

#[test]
fn it_plays_each_physical_card_equally_likely_by_an_index_into_its_sorted_hand() {
    let position = after("112446/455566 b:2c3c3cQh6s6s r:2c3dQs4c6d4h");
    let played: Vec<String> = (0..6)
        .map(|k| {
            let action = position.decision_of(Player::SolitaireAi, &mut |range| {
                assert_eq!(range, 6);
                k
            });
            let Some(Action::Play(card)) = action else { panic!("{action:?}") };
            name(card)
        })
        .collect();
    assert_eq!(played.join(" "), "6s 6s Qh 3c 3c 2c");
    // The list of legal decisions has each face once.
    assert_eq!(legal(&position), "6s Qh 3c 2c");
    let reply = play(position, "6s").0;
    assert_eq!(
        reply.decision_of(Player::SolitaireAi, &mut |range| range - 1),
        Some(Action::Play(super::script::card("2c")))
    );
}

#[test]
fn it_decides_nothing_where_no_seat_is_to_move_or_its_cards_are_not_known() {
    let mut never = |_| -> u64 { panic!("nothing is drawn") };
    for moves in ["112446/455566", "112446/455566 b:?? r:6s6h6d6c5s5h", &format!("{START} !resign1")] {
        assert_eq!(after(moves).decision_of(Player::SolitaireAi, &mut never), None, "{moves}");
    }
    // A reply does not depend on the lead, which is face down.
    let replied = after("112446/455566 b:?? r:6s6h6d6c5s5h ??").decision_of(Player::SolitaireAi, &mut |_| 0);
    assert_eq!(replied, Some(Action::Play(super::script::card("6s"))));
    assert_eq!(after("112446/455566").turn(), Turn::Chance);
    assert!(Setup::default() == *after(START).setup());
}

#[test]
fn the_random_player_chooses_each_legal_decision_by_its_place_in_the_list() {
    let position = after("112446/455566 b:2c3c3cQh6s6s r:2c3dQs4c6d4h");
    let legal = position.legal_actions();
    for place in 0..legal.len() {
        let chosen = random_action(&position, &mut |range| {
            assert_eq!(range, legal.len() as u64);
            place as u64
        });
        assert_eq!(chosen, Some(legal[place]));
    }
    assert_eq!(random_action(&after("112446/455566"), &mut |_| 0), None);
}

#[test]
fn random_and_solitaire_matches_are_within_four_standard_errors_of_another_implementations() {
    for (player, known) in [(Player::Random, 18), (Player::SolitaireAi, 14)] {
        let figures = figures(player, 400);
        assert_eq!(figures.iter().filter(|figure| figure.reference.is_some()).count(), known);
        for figure in figures {
            assert!(figure.errors_apart <= 4.0, "{player:?}: {figure:?}");
        }
    }
}

#[test]
fn the_solitaire_player_beats_the_random_one_as_often_as_elsewhere() {
    let wins = solitaire_wins(200);
    assert!(wins.errors_apart <= 4.0, "{wins:?}");
}
