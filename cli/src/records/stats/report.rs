//! The statistics, as tables for people and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::group::{Group, GroupName, Groups, SeatResult};
use super::tally::{ColumnTally, SheetTally};

/// The largest number of different values of a column that are listed for people.
const LISTED: usize = 16;

/// The statistics of a group, as JSON.
#[derive(Serialize)]
struct GroupView<'a> {
    ruleset: &'a str,
    seats: u8,
    games: u64,
    results: Vec<SeatResult>,
    of_games: BTreeMap<&'a str, ColumnView>,
    of_plies: BTreeMap<&'a str, ColumnView>,
}

/// The values of a column, as JSON.
#[derive(Serialize)]
struct ColumnView {
    count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deviation: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<i64>,
    /// The frequency of each value, unless there are too many.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    values: BTreeMap<String, u64>,
}

impl ColumnView {
    fn new(tally: &ColumnTally) -> Self {
        Self {
            count: tally.count,
            mean: tally.mean(),
            deviation: tally.deviation(),
            min: tally.range.map(|(min, _)| min),
            max: tally.range.map(|(_, max)| max),
            values: tally.values().map(|(value, count)| (value.to_string(), count)).collect(),
        }
    }
}

/// Returns everything as JSON, one line for each group.
pub fn json(groups: &Groups) -> String {
    let columns = |tally: &SheetTally| {
        tally.columns().map(|(column, tally)| (column.name.as_str(), ColumnView::new(tally))).collect()
    };
    let view = |(&(ruleset, seats), group): (&GroupName, &Group)| GroupView {
        ruleset,
        seats,
        games: group.count,
        results: group.seats(),
        of_games: columns(&group.games),
        of_plies: columns(&group.plies),
    };
    // It has string keys only, so this cannot fail.
    groups.iter().map(|group| serde_json::to_string(&view(group)).unwrap_or_default() + "\n").collect()
}

/// Returns everything as tables for people.
pub fn text(groups: &Groups) -> String {
    let mut out = String::new();
    for (&name, group) in groups {
        if !out.is_empty() {
            out.push('\n');
        }
        // Writing to memory cannot fail.
        let _ = write_group(&mut out, name, group);
    }
    out
}

fn write_group(out: &mut String, (ruleset, seats): GroupName, group: &Group) -> std::fmt::Result {
    let s = if group.count == 1 { "" } else { "s" };
    writeln!(out, "{ruleset}, {seats} seats: {} game{s}\n", group.count)?;
    writeln!(out, "{:24}{:>10}{:>10}{:>10}{:>10}", "seat", "finished", "first", "alone", "points")?;
    for SeatResult { seat, games, first_rate, alone_rate, .. } in group.seats() {
        let points = group.games.column(&format!("score_{seat}")).and_then(ColumnTally::mean);
        let (first, alone) = (percent(first_rate), percent(alone_rate));
        writeln!(out, "{seat:<24}{games:>10}{first:>10}{alone:>10}{:>10.2}", points.unwrap_or_default())?;
    }
    for (title, tally) in [("of games", &group.games), ("of plies", &group.plies)] {
        let numbers: Vec<_> = tally.columns().filter(|(_, tally)| tally.range.is_some()).collect();
        writeln!(
            out,
            "\n{title:24}{:>10}{:>10}{:>10}{:>10}{:>10}",
            "count", "mean", "deviation", "min", "max"
        )?;
        for (column, tally) in numbers {
            let (min, max) = tally.range.unwrap_or_default();
            let (mean, deviation) = (tally.mean().unwrap_or_default(), tally.deviation().unwrap_or_default());
            writeln!(
                out,
                "{:24}{:>10}{mean:>10.3}{deviation:>10.3}{min:>10}{max:>10}",
                column.name, tally.count
            )?;
        }
    }
    writeln!(out, "\nfrequencies")?;
    for (column, tally) in group.games.columns().chain(group.plies.columns()) {
        let count = tally.values().count();
        let is_place = column.name.starts_with("place_");
        if !(2..=LISTED).contains(&count) || is_place {
            continue;
        }
        let shares = tally
            .values()
            .map(|(value, count)| format!("{value}: {}", percent(count as f64 / tally.count as f64)));
        writeln!(out, "{:24}{}", column.name, shares.collect::<Vec<_>>().join("  "))?;
    }
    Ok(())
}

/// Returns a share in per cent.
pub fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}
