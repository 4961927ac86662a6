//! Hidden information, when it is opened, and play with unknown cards.

use assam_referee::{Setup, ends_list};
use assam_rules::marrakesh::{Hand, Lead, Phase, Position, Rule, Side};
use assam_rules::{Audience, Game, Seat, Viewer};
use serde_json::{Value, json};

use super::script::{START, after, cards, legal, mv, play, refused};

const BLUE: Viewer = Viewer::Seat(Seat::FIRST);

fn red() -> Viewer {
    Viewer::Seat(Side::Red.seat())
}

#[test]
fn a_hand_is_seen_by_its_owner_and_by_others_only_its_size() {
    let position = after(START);
    let known = Hand::Known(cards("6s5dQhAs3c2s"));
    assert_eq!(position.masked(BLUE, false).diagram().hands[Side::Blue], known);
    assert_eq!(position.masked(BLUE, false).diagram().hands[Side::Red], Hand::Unknown(6));
    assert_eq!(position.masked(red(), false).diagram().hands[Side::Blue], Hand::Unknown(6));
    assert_eq!(position.masked(Viewer::Spectator, false).diagram().hands.0, [Hand::Unknown(6); 2]);
    assert_eq!(position.masked(Viewer::Arbiter, false).diagram().hands[Side::Blue], known);
}

#[test]
fn the_lead_is_hidden_from_all_but_the_leader_until_the_receiver_has_played() {
    let position = after(&format!("{START} 6s"));
    let lead = |viewer| {
        let phase = position.masked(viewer, false).diagram().phase;
        if let Phase::Reply { lead, .. } = phase { lead } else { panic!("{phase:?}") }
    };
    assert_eq!(lead(BLUE), Lead::Known(super::script::card("6s")));
    assert_eq!(lead(Viewer::Arbiter), lead(BLUE));
    assert_eq!((lead(red()), lead(Viewer::Spectator)), (Lead::Unknown, Lead::Unknown));
    let replied = play(position, "2c").0;
    assert_eq!(replied.masked(red(), false).diagram().phase, replied.masked(BLUE, false).diagram().phase);
}

#[test]
fn when_the_match_is_over_everything_is_open() {
    for leave in ["!resign1", "!timeout2", "!abort"] {
        let position = after(&format!("{START} 6s {leave}"));
        for viewer in [BLUE, red(), Viewer::Spectator] {
            assert_eq!(position.masked(viewer, false), position, "{leave}");
        }
    }
}

#[test]
fn hands_are_for_their_owner_until_the_match_is_over_and_leads_until_the_next_decision() {
    let deal = after("112446/455566");
    assert_eq!(deal.audience(&mv("b:6s5dQhAs3c2s")), Audience::UntilOver(Side::Blue.seat()));
    assert_eq!(deal.audience(&mv("r:6s5dQhAs3c2s")), Audience::UntilOver(Side::Red.seat()));
    let lead = after(START);
    assert_eq!(lead.audience(&mv("6s")), Audience::UntilNextDecision(Side::Blue.seat()));
    let reply = after(&format!("{START} 6s"));
    assert_eq!(reply.audience(&mv("2c")), Audience::Everyone);
    assert_eq!(lead.audience(&mv("!resign1")), Audience::Everyone);
    assert_eq!(Position::new(&Default::default()).audience(&mv("112446/455566")), Audience::Everyone);
}

#[test]
fn a_mask_puts_unknown_in_place_of_a_hand_and_of_a_lead_for_who_may_not_see_them() {
    let deal = after("112446/455566");
    let hand = mv("b:6s5dQhAs3c2s");
    let lead = after(START);
    for (position, open, masked) in [(&deal, hand, mv("b:??")), (&lead, mv("6s"), mv("??"))] {
        assert_eq!(position.mask(open, BLUE), open);
        assert_eq!(position.mask(open, Viewer::Arbiter), open);
        assert_eq!(position.mask(open, red()), masked);
        assert_eq!(position.mask(open, Viewer::Spectator), masked);
    }
    let reply = after(&format!("{START} 6s"));
    assert_eq!(reply.mask(mv("2c"), Viewer::Spectator), mv("2c"));
}

#[test]
fn out_of_an_unknown_hand_any_card_can_be_played_that_is_not_known_to_be_elsewhere() {
    let masked = "112446/455566 b:?? r:2c3dQs3c3c4h";
    let position = after(masked);
    // 28 faces without the queen and the second 3 that Red holds, plus the unknown lead.
    assert_eq!(position.legal_actions().len(), 28 - 2 + 1);
    assert!(legal(&position).ends_with(" ??"));
    assert_eq!(refused(&format!("{masked} Qs")), Rule::CardNotInDeck);
    assert_eq!(refused(&format!("{masked} 3c")), Rule::CardNotInDeck);
    let led = after(&format!("{masked} 6s"));
    assert_eq!(led.diagram().hands[Side::Blue], Hand::Unknown(5));
    assert_eq!((led.deck(), position.deck()), (40, 40));
    // A known card counts: with the one led there are two 2c.
    let again = "112446/455566 b:?? r:?? 2c 2c 2@6 2@6 2@4 2@4 2@2 2@2 +6s";
    assert_eq!(refused(&format!("{again} 2c")), Rule::UseDue);
    let known = after("112446/455566 b:?? r:?? 2c 2c 2@6 2@6 2@5 2@5 2@5 2@4");
    assert_eq!(known.outcomes().len(), 27, "every face but 2c");
}

#[test]
fn after_an_unknown_lead_nothing_but_leaving_follows() {
    let led = "112446/455566 b:?? r:2c3dQs3c6d4h ??";
    assert_eq!(refused(&format!("{led} 2c")), Rule::UnknownLead);
    assert_eq!(refused(&format!("{led} ??")), Rule::UnknownLead);
    assert!(after(led).legal_actions().is_empty());
    for leave in ["!resign1", "!resign2", "!abort"] {
        after(&format!("{led} {leave}"));
    }
    assert_eq!(refused("112446/455566 b:?? r:?? 6s ??"), Rule::UnknownReply);
}

#[test]
fn a_list_ends_at_every_lead_and_reply_and_where_a_use_could_end_the_turn() {
    assert!(ends_list(&after(START)));
    assert!(ends_list(&after(&format!("{START} 6s"))));
    // 6 and 2, no bonus card: Red leads next, whatever Blue uses.
    assert!(!ends_list(&after(&format!("{START} 6s 2c"))));
    assert!(!ends_list(&after(&format!("{START} 6s 2c 6@6"))));
    // 5 and 3 and a bonus card, which is drawn after the second use.
    let second = format!("{START} 6s 2c 6@6 2@5 3d 5d");
    assert!(!ends_list(&after(&second)));
    assert!(ends_list(&after(&format!("{second} 5@6"))));
}

#[test]
fn the_deck_and_the_discards_are_told_only_by_their_size_and_the_top_card() {
    let mut table = Setup::read("MKN/1 marrakesh/1 seats=2").unwrap().table();
    let mut told = Vec::new();
    let words = "+112446/455566+b:6s2sAsQh5d3c+r:Qs4h6d3d3c2c 6s 2c 6@6 2@5 3d 5d 5@6 3@4+5c";
    for word in words.split(' ') {
        table.replay(word).unwrap();
        let state = serde_json::to_value(table.state()).unwrap();
        let names: Vec<&String> = state.as_object().unwrap().keys().collect();
        let fields = [
            "deck",
            "discards",
            "game",
            "phase",
            "position",
            "round",
            "seat",
            "seats",
            "top_discard",
            "trick",
            "tricks",
        ];
        assert_eq!(names, fields, "no list of the deck or of the discards");
        told.push(["deck", "discards", "top_discard"].map(|name| state[name].clone()));
    }
    let (bonus, before) = told.split_last().unwrap();
    assert_eq!(*bonus, [json!(39), json!(1), json!("5c")]);
    assert!(before.iter().all(|told| *told == [json!(40), json!(0), Value::Null]), "{before:?}");
}
