//! The ranking of a game.

use arrayvec::ArrayVec;

use crate::{Seat, Seats};

/// The seats in groups, best first. Seats that share a place form one group, in order of play.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ranking(pub ArrayVec<Seats, { Seat::MAX as usize }>);

impl Ranking {
    /// Ranks `seats` by a key, greatest first. Seats with equal keys share a place.
    pub fn by_key<K: Ord>(seats: impl Iterator<Item = Seat>, key: impl Fn(Seat) -> K) -> Self {
        let mut order: Seats = seats.collect();
        order.sort_unstable_by(|a, b| key(*b).cmp(&key(*a)).then(a.cmp(b)));
        let mut groups = ArrayVec::<Seats, _>::new();
        for seat in order {
            match groups.last_mut() {
                Some(group) if key(group[0]) == key(seat) => group.push(seat),
                _ => groups.push(Seats::from_iter([seat])),
            }
        }
        Self(groups)
    }

    /// Returns the seats that share the first place.
    pub fn winners(&self) -> &[Seat] {
        self.0.first().map_or(&[], |group| group)
    }
}
