//! Cards as counts by face, compared with a list of them.

use assam_rules::marrakesh::{Card, Cards, Rank, Suit};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Returns the whole pack, sorted, with duplicates adjacent.
fn pack() -> Vec<Card> {
    let mut pack = Vec::new();
    for suit in Suit::ALL {
        for rank in Rank::ALL {
            let copies = if rank == Rank::Queen { 1 } else { 2 };
            pack.extend(vec![Card::new(suit, rank); copies]);
        }
    }
    pack
}

/// Returns some cards of the pack.
fn some(rng: &mut ChaCha8Rng) -> Vec<Card> {
    let share = rng.next_u64() % 9;
    pack().into_iter().filter(|_| rng.next_u64() % 8 < share).collect()
}

fn counted(list: &[Card]) -> Cards {
    let mut cards = Cards::new();
    for &card in list {
        cards.insert(card).unwrap();
    }
    cards
}

#[test]
fn a_pack_has_52_cards_sorted_s_h_d_c_and_in_a_suit_6_5_4_3_2_a_q() {
    assert_eq!(pack().len(), usize::from(Cards::PACK));
    assert!(pack().is_sorted());
    assert_eq!(Cards::new().rest().iter().collect::<Vec<_>>(), pack());
    assert_eq!(counted(&pack()).rest(), Cards::new());
    let numbers = Rank::ALL.map(|rank| rank.number().map_or(0, |number| number.get()));
    assert_eq!(numbers, [6, 5, 4, 3, 2, 1, 0]);
}

#[test]
fn counts_by_face_say_what_a_sorted_list_says() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..2000 {
        let (list, other) = (some(&mut rng), some(&mut rng));
        let cards = counted(&list);
        assert_eq!(usize::from(cards.len()), list.len());
        assert_eq!(cards.is_empty(), list.is_empty());
        assert_eq!(cards.iter().collect::<Vec<_>>(), list);
        let mut faces = list.clone();
        faces.dedup();
        assert_eq!(cards.faces().collect::<Vec<_>>(), faces);
        for place in 0..=list.len() {
            assert_eq!(cards.nth(place as u64), list.get(place).copied());
        }
        for card in Card::all() {
            assert_eq!(usize::from(cards.count(card)), list.iter().filter(|&&here| here == card).count());
            let mut fewer = cards;
            assert_eq!(fewer.remove(card), list.contains(&card));
            assert_eq!(usize::from(cards.len() - fewer.len()), usize::from(list.contains(&card)));
            let mut more = cards;
            assert_eq!(more.insert(card).is_ok(), cards.count(card) < card.copies());
        }
        let rest = cards.rest();
        assert_eq!(usize::from(rest.len()), 52 - list.len());
        assert_eq!(cards.union(rest), Some(counted(&pack())));
        let both: Vec<Card> = list.iter().chain(&other).copied().collect();
        let fit = Card::all()
            .all(|card| both.iter().filter(|&&here| here == card).count() <= usize::from(card.copies()));
        let union = cards.union(counted(&other));
        assert_eq!(union.is_some(), fit);
        assert!(union.is_none_or(|union| usize::from(union.len()) == both.len()));
    }
}

#[test]
fn two_hands_that_share_no_card_too_many_fit_together() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut fits = [0; 2];
    for _ in 0..2000 {
        let mut hands = [Vec::new(), Vec::new()];
        for hand in &mut hands {
            let mut pack = pack();
            for _ in 0..6 {
                hand.push(pack.swap_remove(rng.next_u64() as usize % pack.len()));
            }
        }
        let together = hands.concat();
        let fit = Card::all()
            .all(|card| together.iter().filter(|&&here| here == card).count() <= usize::from(card.copies()));
        assert_eq!(counted(&hands[0]).union(counted(&hands[1])).is_some(), fit);
        fits[usize::from(fit)] += 1;
    }
    assert!(fits.iter().all(|&times| times > 100), "{fits:?}");
}
