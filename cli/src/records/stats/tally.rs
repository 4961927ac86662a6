//! Counts of the values in the columns of tables.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use assam_referee::{ColumnKind, Datum};
use serde::Serialize;

use crate::records::sheet::{Sheet, SheetColumn};

/// The largest number of different values of a column that are counted separately.
const MANY: usize = 1024;

/// The values in a column.
#[derive(Clone, Default)]
pub struct ColumnTally {
    /// The number of rows with a value. For dice, the number of dice.
    pub count: u64,
    sum: i128,
    sum_of_squares: i128,
    /// The smallest and the largest number.
    pub range: Option<(i64, i64)>,
    /// The frequency of each value, unless there are too many.
    values: Option<Frequencies>,
}

/// The frequency of each value in a column.
type Frequencies = BTreeMap<CountedValue, u64>;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(untagged)]
pub enum CountedValue {
    Number(i64),
    Flag(bool),
    Text(Cow<'static, str>),
}

impl ColumnTally {
    fn new() -> Self {
        Self { values: Some(Frequencies::new()), ..Self::default() }
    }

    fn add(&mut self, kind: ColumnKind, datum: &Datum) {
        match (kind, datum) {
            (_, Datum::Nothing) => {}
            (ColumnKind::Dice, Datum::Text(dice)) => {
                dice.chars().filter_map(|die| die.to_digit(10)).for_each(|die| self.add_number(die.into()));
            }
            (_, &Datum::Number(number)) => self.add_number(number),
            (_, &Datum::Flag(flag)) => {
                self.count += 1;
                self.sum += i128::from(flag);
                self.sum_of_squares += i128::from(flag);
                self.add_value(CountedValue::Flag(flag), 1);
            }
            (_, Datum::Text(text)) => {
                self.count += 1;
                self.add_value(CountedValue::Text(text.clone()), 1);
            }
        }
    }

    fn add_number(&mut self, number: i64) {
        self.count += 1;
        self.sum += i128::from(number);
        self.sum_of_squares += i128::from(number).pow(2);
        let (least, most) = self.range.unwrap_or((number, number));
        self.range = Some((least.min(number), most.max(number)));
        self.add_value(CountedValue::Number(number), 1);
    }

    fn add_value(&mut self, value: CountedValue, count: u64) {
        let Some(values) = &mut self.values else { return };
        *values.entry(value).or_default() += count;
        if values.len() > MANY {
            self.values = None;
        }
    }

    fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.sum_of_squares += other.sum_of_squares;
        self.range = match (self.range, other.range) {
            (Some(one), Some(two)) => Some((one.0.min(two.0), one.1.max(two.1))),
            (one, two) => one.or(two),
        };
        match other.values {
            Some(values) => values.into_iter().for_each(|(value, count)| self.add_value(value, count)),
            None => self.values = None,
        }
    }

    /// Returns the mean of the numbers, or the share of true flags. None without either.
    pub fn mean(&self) -> Option<f64> {
        let is_text = self.range.is_none() && self.sum_of_squares == 0 && !self.is_flag();
        (self.count > 0 && !is_text).then(|| self.sum as f64 / self.count as f64)
    }

    /// Returns the population standard deviation of the numbers.
    pub fn deviation(&self) -> Option<f64> {
        let (_, mean) = self.range.zip(self.mean())?;
        Some((self.sum_of_squares as f64 / self.count as f64 - mean * mean).max(0.0).sqrt())
    }

    /// Returns the frequency of each value, in order. Empty if there are too many values.
    pub fn values(&self) -> impl Iterator<Item = (&CountedValue, u64)> {
        self.values.iter().flatten().map(|(value, &count)| (value, count))
    }

    fn is_flag(&self) -> bool {
        self.values().any(|(value, _)| matches!(value, CountedValue::Flag(_)))
    }
}

/// The values in the columns of a sheet.
#[derive(Clone)]
pub struct SheetTally {
    pub sheet: Sheet,
    columns: Vec<Option<ColumnTally>>,
}

/// Columns that identify a row, or that are running totals, and so are not counted.
const OF_A_ROW: [&str; 14] = [
    "game",
    "source",
    "line",
    "id",
    "setup",
    "date",
    "tags",
    "ply",
    "word",
    "decision",
    "drawn",
    "further_rolls",
    "best",
    "position",
];

impl SheetTally {
    /// Begins without rows.
    pub fn new(sheet: Sheet) -> Self {
        let is_counted = |column: &SheetColumn| {
            let name = column.name.as_str();
            !(OF_A_ROW.contains(&name)
                || ["ruleset", "seats"].contains(&name)
                || name.starts_with("name_")
                || matches!(sheet, Sheet::Plies(_)) && name.starts_with("score_"))
        };
        let tally = |column| is_counted(column).then(ColumnTally::new);
        Self { sheet, columns: sheet.layout().columns.iter().map(tally).collect() }
    }

    pub fn add(&mut self, row: &[Datum]) {
        let columns = self.sheet.layout().columns.iter().zip(row);
        for (tally, (column, datum)) in self.columns.iter_mut().zip(columns) {
            if let Some(tally) = tally {
                tally.add(column.kind, datum);
            }
        }
    }

    /// Adds the rows of another.
    pub fn merge(&mut self, other: Self) {
        for (tally, more) in self.columns.iter_mut().zip(other.columns) {
            if let (Some(tally), Some(more)) = (tally, more) {
                tally.merge(more);
            }
        }
    }

    /// Returns the columns that have values.
    pub fn columns(&self) -> impl Iterator<Item = (&'static SheetColumn, &ColumnTally)> {
        let columns = self.sheet.layout().columns.iter().zip(&self.columns);
        columns.filter_map(|(column, tally)| Some((column, tally.as_ref().filter(|tally| tally.count > 0)?)))
    }

    /// Returns the values in a column, if it has any.
    pub fn column(&self, name: &str) -> Option<&ColumnTally> {
        self.columns().find(|(column, _)| column.name == name).map(|(_, tally)| tally)
    }
}

impl fmt::Display for CountedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Flag(flag) => flag.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}
