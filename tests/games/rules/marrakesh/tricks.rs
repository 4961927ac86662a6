//! The winner of a trick, and the one oval marked after it.

use assam_rules::marrakesh::{Card, Event, Oval, Rank, Side, Suit, Trick};
use assam_rules::{Game, Turn};

use super::script::{START, Scene, after, boards, play};

#[test]
fn the_leader_wins_exactly_with_s_h_s_d_h_d_h_c_d_c_and_c_s() {
    use Suit::{Clubs as C, Diamonds as D, Hearts as H, Spades as S};
    let leader_wins = [(S, H), (S, D), (H, D), (H, C), (D, C), (C, S)];
    for lead in Suit::ALL {
        for reply in Suit::ALL {
            assert_eq!(lead.beats(reply), leader_wins.contains(&(lead, reply)), "{lead:?} {reply:?}");
        }
    }
}

#[test]
fn numbers_never_decide_who_wins() {
    for leader in Side::BOTH {
        for lead in Card::all() {
            for reply in Card::all() {
                let trick = Trick { leader, lead, reply };
                let same_suits = Trick {
                    leader,
                    lead: Card::new(lead.suit(), Rank::Two),
                    reply: Card::new(reply.suit(), Rank::Five),
                };
                assert_eq!(trick.winner(), same_suits.winner(), "{trick:?}");
                let won_by_lead = trick.winner() == leader;
                assert_eq!(trick.winning_card(), if won_by_lead { lead } else { reply });
            }
        }
    }
}

#[test]
fn the_winner_uses_the_numbers_and_leads_to_the_next_trick() {
    let red_wins = after(&format!("{START} 6s 2c"));
    assert_eq!(red_wins.turn(), Turn::Player(Side::Red.seat()));
    let red_leads = after(&format!("{START} 6s 2c 6@6 2@5"));
    assert_eq!(red_leads.turn(), Turn::Player(Side::Red.seat()));
    let blue_wins = after(&format!("{START} 6s 4h"));
    assert_eq!(blue_wins.turn(), Turn::Player(Side::Blue.seat()));
}

#[test]
fn there_is_no_duty_to_follow_suit_or_anything_else() {
    let reply_due = after(&format!("{START} 6s"));
    assert_eq!(super::script::legal(&reply_due), "Qs 4h 6d 3d 3c 2c");
}

#[test]
fn all_pieces_borne_off_in_a_trick_with_its_bonus_card_go_to_one_oval() {
    let moves = "6s 2c 6@6 2@5 3d 5d 5@6 3@4 +5c 5@4 5@2 5@1";
    let (position, events) = play(after(&format!("{START} {moves}")), "5@1");
    assert_eq!(events, [Event::OvalMarked { side: Side::Blue, oval: 1, mark: Oval::Pieces(4) }]);
    assert_eq!(boards(&position), "200000 4.. 001121 1..");
}

#[test]
fn situation_1_a_winner_who_bears_nothing_off_marks_her_own_next_oval_with_a_null_chip() {
    // Blue has one piece off in her first oval.
    let scene = Scene::new("11246", "1..", "112456", "...").tricks(Side::Blue, "6s6d");
    let (position, _) = play(scene.hands("2s3h4h5h6h", "3d4d5c6c2h").position(), "2s 3d");
    let (position, events) = play(position, "3@6 2@4");
    assert_eq!(events, [Event::OvalMarked { side: Side::Blue, oval: 2, mark: Oval::Chip }]);
    assert_eq!(boards(&position), "221000 10. 210111 ...");
    assert_eq!(position.turn(), Turn::Player(Side::Blue.seat()));
}

#[test]
fn situation_2_a_winner_with_all_six_pieces_off_marks_the_opponents_next_oval_with_a_null_chip() {
    let scene = Scene::new("", "6XX", "12456", "1..").tricks(Side::Red, "6s6d 5d6h");
    let (position, events) = play(scene.hands("2s3h4h5h", "3d4d5c6c").position(), "2s 3d");
    assert_eq!(events.len(), 2, "{events:?}");
    assert_eq!(boards(&position), "000000 6XX 110111 10.");
    // She leads again and marks the last one, which ends the round.
    let (position, events) = play(position, "3h 4d");
    assert!(matches!(
        events[..],
        [_, Event::OvalMarked { oval: 3, mark: Oval::Chip, .. }, Event::RoundScored { .. }]
    ));
    assert_eq!(position.turn(), Turn::Chance);
}

#[test]
fn situation_3_a_winner_with_three_full_ovals_marks_the_opponents_next_oval_with_a_null_chip() {
    let scene = Scene::new("1166", "101", "112456", "...").tricks(Side::Blue, "6s6d 5s6d 4s5d");
    let (position, _) = play(scene.hands("2s3h4h", "5h3d2d").position(), "2s 5h 5@6");
    let (position, events) = play(position, "2@6");
    assert_eq!(events, [Event::OvalMarked { side: Side::Red, oval: 1, mark: Oval::Chip }]);
    assert_eq!(boards(&position), "300100 101 210111 0..");
}

#[test]
fn when_all_six_pieces_are_off_the_empty_ovals_are_closed_and_there_are_fewer_tricks() {
    // Blue bears off the last two pieces into her second oval: gammon, one oval fewer.
    let scene = Scene::new("11", "4..", "112456", "...").tricks(Side::Blue, "6s6d");
    let (position, _) = play(scene.hands("2s3h4h5h6h", "3d4d5c6c2h").position(), "2s 3d 3@1 2@1");
    assert_eq!(boards(&position), "000000 42X 210111 ...");
    // Three tricks remain, for either winner.
    let (position, _) = play(position, "3h 4d 4h 5c");
    assert_eq!(position.diagram().scores.len(), 0);
    let (position, _) = play(position, "5h 6c");
    assert_eq!(position.diagram().scores.len(), 1);
}

#[test]
fn a_backgammon_in_the_third_oval_closes_nothing() {
    let scene = Scene::new("111111", "00.", "12456", "1..").tricks(Side::Blue, "6s6d 5s6d 4d4h");
    let before = scene.hands("3c3h4h", "3c4d5c").position();
    let (position, _) = play(before, "3c 3c 3@1 3@1 3@1 3@1 3@1 3@1");
    assert_eq!(boards(&position), "000000 006 110111 1..");
    // Two tricks remain: six in all.
    let (position, _) = play(position, "3h 4d 4h 5c");
    assert_eq!(position.diagram().scores.len(), 1);
}
