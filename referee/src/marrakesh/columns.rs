//! The columns of Marrakesh in a table of plies.

use assam_rules::marrakesh::{Chance, Event, Points, SideScore};

use super::names::{Matching, number, oval_name};
use crate::{Column, Datum};

pub(super) const COLUMNS: &[Column] = &[
    Column::dice("dice_1"),
    Column::dice("dice_2"),
    Column::text("lead"),
    Column::text("reply"),
    Column::number("trick_winner"),
    Column::text("trick_matching"),
    Column::text("bonus"),
    Column::text("bonus_matching"),
    Column::number("bonus_times"),
    Column::number("oval_seat"),
    Column::number("oval"),
    Column::text("oval_mark"),
    Column::number("round_scored"),
    Column::number("round_points_1"),
    Column::number("round_points_2"),
];

/// Fills in a row. A word has at most one trick, one bonus card, one oval and one round.
pub(super) fn fill(drawn: &[Chance], events: &[Event], row: &mut [Datum]) {
    let [
        dice_1,
        dice_2,
        lead,
        reply,
        trick_winner,
        trick_matching,
        bonus,
        bonus_matching,
        bonus_times,
        oval_seat,
        oval_number,
        oval_mark,
        round_scored,
        points_1,
        points_2,
    ] = row
    else {
        return;
    };
    for chance in drawn {
        match *chance {
            Chance::Dice { blue, red } => {
                (*dice_1, *dice_2) = (dice(blue.points()).into(), dice(red.points()).into());
            }
            Chance::Deal(..) | Chance::Bonus(_) => {}
        }
    }
    for event in events {
        match *event {
            Event::TrickWon { trick, winner, matching } => {
                (*lead, *reply) = (trick.lead.to_string().into(), trick.reply.to_string().into());
                *trick_winner = number(winner).into();
                *trick_matching = Matching::of(matching).name().into();
            }
            Event::BonusDrawn { card, matching, times } => {
                *bonus = card.to_string().into();
                *bonus_matching = Matching::of(matching).name().into();
                *bonus_times = times.into();
            }
            Event::OvalMarked { side, oval, mark } => {
                (*oval_seat, *oval_number) = (number(side).into(), oval.into());
                *oval_mark = oval_name(mark).into();
            }
            Event::RoundScored { round, score } => {
                *round_scored = round.into();
                let [blue, red] = score.0.map(SideScore::points);
                (*points_1, *points_2) = (blue.into(), red.into());
            }
        }
    }
}

/// Returns the dice that place these pieces, the lowest first.
fn dice(points: Points) -> String {
    ('1'..).zip(points.counts()).flat_map(|(digit, count)| std::iter::repeat_n(digit, count.into())).collect()
}
