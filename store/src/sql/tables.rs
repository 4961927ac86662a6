//! The tables of a whole database, for copies from one to another.

use super::row::{COLUMNS, RULESET};
use crate::contract::listing::PlayerTable;

const KEYS: &str = "signing_keys";

/// Deletes the keys of a service without games. The keys of a copy replace them.
pub(crate) const WITHOUT_KEYS: &str = "DELETE FROM signing_keys";

pub(crate) struct CopiedTable {
    name: &'static str,
    columns: String,
}

/// Returns every table, except the migration history of each database.
pub(crate) fn tables() -> [CopiedTable; 18] {
    let of_players =
        |table: PlayerTable| CopiedTable { name: table.name(), columns: PlayerTable::COLUMNS.to_owned() };
    let [public, own] = PlayerTable::ALL.map(of_players);
    let games = CopiedTable { name: "games", columns: format!("{RULESET}, {}", COLUMNS.join(", ")) };
    let table = |name, columns: &str| CopiedTable { name, columns: columns.to_owned() };
    // Keys first: they replace the existing ones, which can only be deleted while there are no games.
    [
        table(KEYS, "key, since"),
        games,
        table("records", "record, game_id"),
        table("spent_ids", "id"),
        table("log_entries", "game_id, part, entry, position"),
        table("log_nodes", "level, position, bytes"),
        table("log_head", "size, root"),
        table("log_cosignatures", "witness, size, note"),
        table("feed_entries", "position, mark, game_id, revision, kind, ruleset, at"),
        table("feed_waiting", "game_id, revision, kind, ruleset, at"),
        table("feed_head", "position, mark"),
        table("counted_ends", "entries"),
        table("heartbeat", "at"),
        table("ratings", "competitor, ruleset, rating, uncertainty, at_least, games"),
        table(
            "tallies",
            "competitor, period, ruleset, seats, games, firsts, score_sum, best_score, best_game",
        ),
        table(
            "dice",
            "competitor, ruleset, games, ones, twos, threes, fours, fives, sixes, luck, luck_squares, luck_points",
        ),
        public,
        own,
    ]
}

impl CopiedTable {
    /// Returns the statement that reads all rows.
    pub(crate) fn select(&self) -> String {
        format!("SELECT {} FROM {}", self.columns, self.name)
    }

    /// Returns the statement that writes a row.
    pub(crate) fn insert(&self) -> String {
        let marks: Vec<String> = (1..=self.columns.split(", ").count()).map(|n| format!("${n}")).collect();
        format!("INSERT INTO {} ({}) VALUES ({})", self.name, self.columns, marks.join(", "))
    }

    /// Returns the statement with which SQLite copies all rows of an attached database.
    pub(crate) fn insert_from(&self, database: &str) -> String {
        let Self { name, columns } = self;
        format!("INSERT INTO main.{name} ({columns}) SELECT {columns} FROM {database}.{name}")
    }

    /// Returns the statement with which PostgreSQL receives rows.
    pub(crate) fn copy_in(&self) -> String {
        format!("COPY {} ({}) FROM STDIN BINARY", self.name, self.columns)
    }
}
