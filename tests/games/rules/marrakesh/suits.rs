//! Who wins a trick.

use assam_rules::marrakesh::{Card, Rank, Side, Suit, Trick};
use assam_rules::{Game, Turn};

use super::script::{START, after};

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
