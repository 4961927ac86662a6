//! Ratings, tallies and dice in PostgreSQL.

use std::sync::Arc;

use assam_record::game::GameId;
use assam_record::standings::{Competitor, DiceKey, DiceTally, Period, Rating, Reckoning};
use assam_referee::Ruleset;
use async_trait::async_trait;
use tokio_postgres::IsolationLevel;

use super::PostgresStore;
use super::connection::session::{found, found_by, rows, session};
use super::error::PostgresFault;
use super::write::batch::Batch;
use crate::StoreError;
use crate::contract::standings::{
    self, ADD_TO_DICE, ADD_TO_TALLY, Leader, LeadersBy, REPLACE_RATING, Standings, dice_row, rating_row,
    tally_row,
};
use crate::sql::row::SqlRow;
use crate::sql::statement::Statement;

#[async_trait]
impl Standings for PostgresStore {
    async fn counted_entries(&self) -> Result<u64, StoreError> {
        let found = self.found_by_itself(&standings::counted_entries()).await?;
        found.first().map_or(Ok(0), SqlRow::counted)
    }

    async fn ends(&self, from: u64, limit: u32) -> Result<Vec<(u64, GameId)>, StoreError> {
        self.found_by_itself(&standings::ends(from, limit)).await?.iter().map(SqlRow::end).collect()
    }

    async fn ratings(
        &self,
        of: &[(Ruleset, Competitor)],
    ) -> Result<Vec<((Ruleset, Competitor), Rating)>, StoreError> {
        let wanted = of.iter().map(|(ruleset, competitor)| {
            vec![("competitor", (*competitor).into()), ("ruleset", (*ruleset).into())]
        });
        let Some(select) = Batch::on(RATINGS, wanted) else { return Ok(Vec::new()) };
        let attempt = || async { found_by(&self.own_session().await?, &select).await };
        Ok(self.circuit_breaker.retried(attempt).await?.iter().filter_map(SqlRow::rating).collect())
    }

    async fn count_outcomes(&self, was: u64, now: u64, counted: &Reckoning) -> Result<(), StoreError> {
        let mut session = self.circuit_breaker.in_time(self.own_session()).await?;
        let attempt = async {
            let transaction = session.transaction().await?;
            let note = standings::count_up_to(was, now);
            let noted = format!("{} RETURNING entries", note.sql);
            if rows(&transaction, &noted, &note.params).await?.is_empty() {
                return Err(PostgresFault::Store(StoreError::Conflict));
            }
            for batch in standings(counted) {
                rows(&transaction, &batch.sql, &batch.params).await?;
            }
            Ok(transaction.commit().await?)
        };
        Ok(self.circuit_breaker.in_time(attempt).await?)
    }

    async fn forget_standings(&self) -> Result<(), StoreError> {
        let mut session = self.circuit_breaker.in_time(self.own_session()).await?;
        let attempt = async {
            let transaction = session.transaction().await?;
            for delete in standings::FORGET {
                transaction.batch_execute(delete).await?;
            }
            Ok(transaction.commit().await?)
        };
        Ok(self.circuit_breaker.in_time(attempt).await?)
    }

    async fn standings_of(&self, competitor: Competitor, period: Period) -> Result<Reckoning, StoreError> {
        let (ratings, tallies) =
            (standings::ratings_of(competitor), standings::tallies_of(competitor, period));
        self.reckoning(ratings, tallies, None).await
    }

    async fn dice_of(&self, competitor: Option<Competitor>) -> Result<Vec<(DiceKey, DiceTally)>, StoreError> {
        Ok(self.found(standings::dice_of(competitor)).await?.iter().filter_map(SqlRow::dice).collect())
    }

    async fn leaders(
        &self,
        ruleset: Ruleset,
        by: LeadersBy,
        after: Option<(i64, Competitor)>,
        limit: u32,
    ) -> Result<Vec<Leader>, StoreError> {
        let found = self.found(standings::leaders(ruleset, by, after, limit)).await?;
        Ok(found.iter().filter_map(|row| row.leader(by)).collect())
    }

    async fn all_standings(&self) -> Result<Reckoning, StoreError> {
        let all = |select| Statement::new(select, []);
        let (ratings, tallies) = (all(standings::ALL_RATINGS), all(standings::ALL_TALLIES));
        self.reckoning(ratings, tallies, Some(all(standings::ALL_DICE))).await
    }
}

impl PostgresStore {
    /// Returns the results of the statements, as of one moment.
    async fn reckoning(
        &self,
        ratings: Statement,
        tallies: Statement,
        dice: Option<Statement>,
    ) -> Result<Reckoning, StoreError> {
        let (circuit_breaker, lists) = (Arc::clone(&self.circuit_breaker), self.lists.clone());
        crate::detached(async move {
            let attempt = || async {
                let mut session = session(&lists).await?;
                let moment = session
                    .build_transaction()
                    .isolation_level(IsolationLevel::RepeatableRead)
                    .read_only(true);
                let moment = moment.start().await?;
                let ratings = found(&moment, &ratings).await?;
                let tallies = found(&moment, &tallies).await?;
                let dice = match &dice {
                    Some(dice) => found(&moment, dice).await?,
                    None => Vec::new(),
                };
                Ok(standings::reckoning(&ratings, &tallies, &dice))
            };
            circuit_breaker.retried(attempt).await
        })
        .await
    }
}

const RATINGS: &str = "SELECT r.competitor, r.ruleset, r.rating, r.uncertainty, r.games FROM ratings AS r \
    JOIN jsonb_populate_recordset(NULL::ratings, $rows) AS n ON r.competitor = n.competitor AND r.ruleset = n.ruleset";
const KEEP_RATINGS: &str =
    "INSERT INTO ratings SELECT n.* FROM jsonb_populate_recordset(NULL::ratings, $rows) AS n";
const ADD_TALLIES: &str =
    "INSERT INTO tallies AS kept SELECT n.* FROM jsonb_populate_recordset(NULL::tallies, $rows) AS n";
const ADD_DICE: &str =
    "INSERT INTO dice AS kept SELECT n.* FROM jsonb_populate_recordset(NULL::dice, $rows) AS n";

/// Writes ratings, tallies and dice.
fn standings(counted: &Reckoning) -> impl Iterator<Item = Batch> {
    let keep = Batch::on(&format!("{KEEP_RATINGS} {REPLACE_RATING}"), counted.ratings.iter().map(rating_row));
    let add = Batch::on(&format!("{ADD_TALLIES} {ADD_TO_TALLY}"), counted.tallies.iter().map(tally_row));
    let throw = Batch::on(&format!("{ADD_DICE} {ADD_TO_DICE}"), counted.dice.iter().map(dice_row));
    keep.into_iter().chain(add).chain(throw)
}
