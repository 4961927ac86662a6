//! Statistics of games with one rule set and number of seats.

use std::collections::BTreeMap;

use assam_referee::{AnyRecord, Datum, Depth};
use serde::Serialize;

use super::tally::{ColumnTally, CountedValue, SheetTally};
use crate::records::sheet::{PlyDetail, RecordOf, Sheet, account_of};

/// The rule set and the number of seats of a group.
pub type GroupName = (&'static str, u8);

/// Games that are counted together.
#[derive(Clone)]
pub struct Group {
    /// The number of games.
    pub count: u64,
    /// The values in the rows of the games.
    pub games: SheetTally,
    /// The values in the rows of their plies.
    pub plies: SheetTally,
    /// For each seat, the number of games that it won alone.
    won_alone: Vec<u64>,
}

/// Games, group by group.
pub type Groups = BTreeMap<GroupName, Group>;

#[derive(Serialize)]
pub struct SeatResult {
    pub seat: u8,
    /// Finished games in which it has a place.
    pub games: u64,
    /// Games in which no other seat did better.
    pub first: u64,
    /// Games that it won alone.
    pub alone: u64,
    /// The share of games in which no other seat did better.
    pub first_rate: f64,
    /// The share of games that it won alone.
    pub alone_rate: f64,
}

impl Group {
    fn new(seats: u8) -> Self {
        let [games, plies] = [Sheet::Games, Sheet::Plies(PlyDetail::Figures)].map(SheetTally::new);
        Self { count: 0, games, plies, won_alone: vec![0; seats.into()] }
    }

    /// Adds a good record to its group.
    pub fn add(groups: &mut Groups, of: RecordOf<'_>, record: &AnyRecord, judge: Option<Depth>) {
        let Some(setup) = &record.setup else { return };
        let name = (setup.ruleset().name(), setup.seats());
        let group = groups.entry(name).or_insert_with(|| Self::new(setup.seats()));
        group.count += 1;
        let winner = Sheet::Games.layout().place("winner").unwrap_or_default();
        let account = account_of(record, judge);
        Sheet::Games.each_row(of, record, account.as_ref(), |row| {
            group.games.add(row);
            if let Datum::Number(seat @ 1..) = row[winner] {
                group.won_alone[seat as usize - 1] += 1;
            }
        });
        let plies = Sheet::Plies(PlyDetail::Figures);
        plies.each_row(of, record, account.as_ref(), |row| group.plies.add(row));
    }

    /// Adds the games of groups to others.
    pub fn merge(groups: &mut Groups, others: Groups) {
        for (name, more) in others {
            let group = groups.entry(name).or_insert_with(|| Self::new(name.1));
            group.count += more.count;
            group.games.merge(more.games);
            group.plies.merge(more.plies);
            group.won_alone.iter_mut().zip(more.won_alone).for_each(|(won, more)| *won += more);
        }
    }

    pub fn seats(&self) -> Vec<SeatResult> {
        let result = |(seat, &alone): (u8, &u64)| {
            let places = self.games.column(&format!("place_{seat}"));
            let games = places.map_or(0, |places| places.count);
            let first = places.and_then(first_places).unwrap_or_default();
            let rate = |count: u64| if games == 0 { 0.0 } else { count as f64 / games as f64 };
            SeatResult { seat, games, first, alone, first_rate: rate(first), alone_rate: rate(alone) }
        };
        (1..).zip(&self.won_alone).map(result).collect()
    }
}

fn first_places(places: &ColumnTally) -> Option<u64> {
    places.values().find(|(value, _)| **value == CountedValue::Number(1)).map(|(_, count)| count)
}
