//! Records as tables: a row for each game, or a row for each ply. The columns follow from the descriptions of
//! all games, so every table has the same columns, no matter which games it contains.

use std::collections::HashMap;
use std::sync::LazyLock;

use assam_api::app::seat_tag;
use assam_record::chance::import_id;
use assam_referee::{
    AnyRecord, Column, ColumnKind, Datum, Depth, GameAccount, GameInfo, MoveAccount, MoveKind, Ruleset,
    SeatAccount,
};
use assam_rules::{Seat, Turn};
use serde::{Serialize, Serializer};

use crate::records::parallel_records::ChunkRecord;

pub mod csv;
#[cfg(feature = "parquet")]
pub mod parquet;

/// Tags of a record as a JSON object: names and values, in the order of the record.
pub struct TagObject<'a>(pub &'a [(String, String)]);

impl Serialize for TagObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// The place of a record: its source, and where it begins there.
pub type RecordOf<'a> = (&'a str, ChunkRecord<'a>);

/// Returns the account of a good record with an unmasked position. Returns `None` without a judge, and if the judge plays
/// another game.
pub fn account_of(record: &AnyRecord, judge: Option<Depth>) -> Option<GameAccount> {
    let setup = record.setup.as_ref()?;
    let is_known = record.table.as_ref().is_some_and(|table| !table.is_masked());
    record.account(judge.filter(|_| is_known)?.nodes(setup.ruleset()).ok()?)
}

/// A kind of table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sheet {
    Games,
    Plies(PlyDetail),
}

/// The detail of a row of a ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlyDetail {
    /// Everything except the position, whose column is empty.
    Figures,
    /// Everything.
    Position,
    /// Everything, the board as numbers, and the legal moves.
    Board,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SheetColumn {
    pub name: String,
    /// The kind of its values.
    pub kind: ColumnKind,
}

pub struct Layout {
    /// The columns, in order.
    pub columns: Vec<SheetColumn>,
    places: HashMap<String, usize>,
    /// For each rule set, the places of the columns that its plies have in addition to the common ones.
    of_plies: Vec<Vec<usize>>,
    /// For each rule set, the places of the columns of its board.
    of_boards: Vec<Vec<usize>>,
}

static GAMES: LazyLock<Layout> = LazyLock::new(games);
static PLIES: LazyLock<Layout> = LazyLock::new(plies);
static PLIES_WITH_BOARD: LazyLock<Layout> = LazyLock::new(|| plies().with_boards());

impl Sheet {
    /// Returns the columns.
    pub fn layout(self) -> &'static Layout {
        match self {
            Self::Games => &GAMES,
            Self::Plies(PlyDetail::Figures | PlyDetail::Position) => &PLIES,
            Self::Plies(PlyDetail::Board) => &PLIES_WITH_BOARD,
        }
    }

    /// Passes on the rows of a good record. The columns of luck and errors have values if there is an account.
    pub fn each_row(
        self,
        of: RecordOf<'_>,
        record: &AnyRecord,
        account: Option<&GameAccount>,
        mut each: impl FnMut(&[Datum]),
    ) {
        let layout = self.layout();
        let mut row = vec![Datum::Nothing; layout.columns.len()];
        match self {
            Self::Games => {
                layout.fill_game(of, record, &mut row);
                for seat in account.iter().flat_map(|account| &account.seats) {
                    layout.fill_account(seat, &mut row);
                }
                each(&row);
            }
            Self::Plies(detail) => layout.each_ply(detail, of, record, account, &mut row, each),
        }
    }
}

/// Returns the descriptions of all games, in the order of the rule sets.
fn infos() -> impl Iterator<Item = &'static GameInfo> {
    Ruleset::ALL.iter().map(|ruleset| ruleset.info())
}

/// Returns the largest number of seats of any game.
fn most_seats() -> u8 {
    infos().map(|info| *info.seats.end()).max().unwrap_or_default()
}

fn games() -> Layout {
    use ColumnKind::{Flag, Number, Text};
    let mut layout = Layout::new(&[
        ("game", Number),
        ("source", Text),
        ("line", Number),
        ("id", Text),
        ("ruleset", Text),
        ("seats", Number),
        ("setup", Text),
        ("status", Text),
        ("plies", Number),
        ("masked", Flag),
        ("date", Text),
        ("tags", Text),
        ("winner", Number),
    ]);
    for (name, kind) in [("name", Text), ("score", Number), ("place", Number)] {
        layout.add_for_seats(name, kind, most_seats());
    }
    for name in ["luck", "errors", "hidden", "corrections", "luck_points", "errors_points", "blunders"] {
        layout.add_for_seats(name, Number, most_seats());
    }
    for info in infos() {
        for option in info.options {
            layout.add(format!("option_{}", option.name), Text);
        }
        for part in info.score_parts {
            layout.add_for_seats(part, Number, *info.seats.end());
        }
    }
    layout
}

fn plies() -> Layout {
    use ColumnKind::{Number, Text};
    let mut layout = Layout::new(&[
        ("game", Number),
        ("source", Text),
        ("id", Text),
        ("ruleset", Text),
        ("seats", Number),
        ("ply", Number),
        ("seat", Number),
        ("word", Text),
        ("kind", Text),
        ("decision", Text),
        ("drawn", Text),
        ("position", Text),
    ]);
    layout.add_for_seats("score_after", Number, most_seats());
    layout.add_for_seats("luck", Number, most_seats());
    layout.add("error".to_owned(), Number);
    layout.add("best".to_owned(), Text);
    for info in infos() {
        let places = info.ply_columns.iter().map(|&Column { name, kind }| layout.add(name.to_owned(), kind));
        let places = places.collect();
        layout.of_plies.push(places);
    }
    layout
}

impl Layout {
    fn new(columns: &[(&str, ColumnKind)]) -> Self {
        let mut layout =
            Self { columns: Vec::new(), places: HashMap::new(), of_plies: Vec::new(), of_boards: Vec::new() };
        for &(name, kind) in columns {
            layout.add(name.to_owned(), kind);
        }
        layout
    }

    /// Adds the columns of boards.
    fn with_boards(mut self) -> Self {
        for info in infos() {
            let places =
                info.board_columns.iter().map(|&Column { name, kind }| self.add(name.to_owned(), kind));
            let places = places.collect();
            self.of_boards.push(places);
        }
        self
    }

    /// Adds a column unless there is one of this name, and returns its place.
    fn add(&mut self, name: String, kind: ColumnKind) -> usize {
        let place = *self.places.entry(name.clone()).or_insert(self.columns.len());
        if place == self.columns.len() {
            self.columns.push(SheetColumn { name, kind });
        }
        place
    }

    fn add_for_seats(&mut self, name: &str, kind: ColumnKind, seats: u8) {
        for seat in 1..=seats {
            self.add(format!("{name}_{seat}"), kind);
        }
    }

    /// Returns the place of a column.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    fn set(&self, row: &mut [Datum], name: &str, datum: impl Into<Datum>) {
        if let Some(place) = self.place(name) {
            row[place] = datum.into();
        }
    }

    fn fill_account(&self, account: &SeatAccount, row: &mut [Datum]) {
        let SeatAccount { seat, luck, errors, hidden, corrections, blunders, .. } = account;
        for (name, datum) in [
            ("luck", luck.win.into()),
            ("errors", errors.win.into()),
            ("hidden", hidden.win.into()),
            ("corrections", corrections.win.into()),
            ("luck_points", luck.points.into()),
            ("errors_points", errors.points.into()),
            ("blunders", Datum::from(*blunders)),
        ] {
            self.set(row, &format!("{name}_{seat}"), datum);
        }
    }

    fn fill_game(&self, (source, given): RecordOf<'_>, record: &AnyRecord, row: &mut [Datum]) {
        let (Some(setup), Some(table)) = (&record.setup, &record.table) else { return };
        let tag = |wanted: &str| {
            let found = record.tags.iter().find(|(name, _)| name == wanted);
            found.map(|(_, value)| value.clone())
        };
        let score = table.score();
        let status = match table.turn() {
            Turn::Over => "finished",
            Turn::Aborted => "aborted",
            Turn::Player(_) | Turn::Chance => "running",
        };
        let winner = Some(score.winners()).filter(|seats| seats.len() == 1).map(|seats| seats[0]);
        for (name, datum) in [
            ("game", number(given.of_all)),
            ("source", source.to_owned().into()),
            ("line", number(given.piece.line)),
            ("id", import_id(&record.canonical()).to_string().into()),
            ("ruleset", setup.ruleset().name().into()),
            ("seats", setup.seats().into()),
            ("setup", setup.line().to_owned().into()),
            ("status", status.into()),
            ("plies", table.ply().into()),
            ("masked", table.is_masked().into()),
            ("date", tag("date").into()),
            ("tags", serde_json::to_string(&TagObject(&record.tags)).ok().into()),
            ("winner", winner.into()),
        ] {
            self.set(row, name, datum);
        }
        for seat in Seat::all(setup.seats()) {
            self.set(row, &format!("name_{}", seat.number()), tag(&seat_tag(seat)));
        }
        for seat in &score.seats {
            self.set(row, &format!("score_{}", seat.seat), seat.total);
            for part in &seat.parts {
                if let Some(place) = self.place(&format!("{}_{}", part.name, seat.seat)) {
                    let before = if let Datum::Number(points) = row[place] { points } else { 0 };
                    row[place] = (before + i64::from(part.points)).into();
                }
            }
        }
        let mut place = 1;
        for group in score.ranking.iter().flatten().filter(|_| score.over) {
            for seat in group {
                self.set(row, &format!("place_{seat}"), number(place));
            }
            place += group.len() as u64;
        }
        for option in setup.options() {
            self.set(row, &format!("option_{}", option.name), option.value);
        }
    }

    /// Adds the luck or the error of a move to the row of its ply.
    fn fill_move(&self, judged: &MoveAccount, row: &mut [Datum]) {
        let change = |seat: usize| i64::from(judged.after[seat].win - judged.before[seat].win);
        match (judged.kind, judged.seat) {
            (MoveKind::Chance, _) => {
                for seat in 0..judged.after.len() {
                    let Some(place) = self.place(&format!("luck_{}", seat + 1)) else { continue };
                    let before = if let Datum::Number(luck) = row[place] { luck } else { 0 };
                    row[place] = (before + change(seat)).into();
                }
            }
            (_, Some(seat)) => {
                self.set(row, "error", change(usize::from(seat) - 1));
                self.set(row, "best", judged.lines.first().map(|best| best.decision.clone()));
            }
            (_, None) => {}
        }
    }

    fn each_ply(
        &self,
        detail: PlyDetail,
        (source, given): RecordOf<'_>,
        record: &AnyRecord,
        account: Option<&GameAccount>,
        row: &mut [Datum],
        mut each: impl FnMut(&[Datum]),
    ) {
        let Some(setup) = &record.setup else { return };
        let ruleset = Ruleset::ALL.iter().position(|ruleset| *ruleset == setup.ruleset());
        let own = ruleset.map_or(&[][..], |ruleset| &self.of_plies[ruleset]);
        let board = ruleset.and_then(|ruleset| self.of_boards.get(ruleset)).map_or(&[][..], Vec::as_slice);
        let first_score = self.place("score_after_1").unwrap_or_default();
        let id = import_id(&record.canonical()).to_string();
        record.each_ply(|ply| {
            row.fill(Datum::Nothing);
            let (decision, drawn) = ply.word.split_once('+').unwrap_or((ply.word, ""));
            let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            let every: [Datum; 12] = [
                number(given.of_all),
                source.to_owned().into(),
                id.clone().into(),
                setup.ruleset().name().into(),
                setup.seats().into(),
                ply.ply.into(),
                ply.seat.into(),
                ply.word.to_owned().into(),
                ply.kind.into(),
                text(decision).into(),
                text(drawn).into(),
                (detail != PlyDetail::Figures).then(|| ply.position.line()).into(),
            ];
            row[..every.len()].clone_from_slice(&every);
            for (place, &score) in (first_score..).zip(ply.scores) {
                row[place] = score.into();
            }
            let moves = account.iter().flat_map(|account| &account.moves);
            for judged in moves.filter(|judged| judged.ply == ply.ply) {
                self.fill_move(judged, row);
            }
            for (&place, datum) in own.iter().zip(ply.data) {
                row[place].clone_from(datum);
            }
            if !board.is_empty() {
                for (&place, datum) in board.iter().zip(ply.position.board()) {
                    row[place] = datum;
                }
            }
            each(row);
        });
    }
}

fn number(number: u64) -> Datum {
    Datum::Number(number as i64)
}
