//! Ratings, tallies and dice in SQLite.

use assam_record::game::GameId;
use assam_record::standings::{Competitor, DiceKey, DiceTally, Period, Rating, Reckoning};
use assam_referee::Ruleset;
use async_trait::async_trait;

use super::SqliteStore;
use super::error::SqliteFault;
use super::session::{execute, query};
use super::write::insert;
use crate::contract::standings::{
    self, ADD_TO_DICE, ADD_TO_TALLY, Leader, LeadersBy, REPLACE_RATING, Standings, dice_row, rating_row,
    tally_row,
};
use crate::sql::statement::Statement;
use crate::{Reads as _, StoreError};

#[async_trait]
impl Standings for SqliteStore {
    async fn counted_entries(&self) -> Result<u64, StoreError> {
        let rows = self.read(|connection| query(connection, &standings::counted_entries()))?;
        rows.first().map_or(Ok(0), |row| row.counted())
    }

    async fn ends(&self, from: u64, limit: u32) -> Result<Vec<(u64, GameId)>, StoreError> {
        let rows = self.read(|connection| query(connection, &standings::ends(from, limit)))?;
        rows.iter().map(|row| row.end()).collect()
    }

    async fn ratings(
        &self,
        of: &[(Ruleset, Competitor)],
    ) -> Result<Vec<((Ruleset, Competitor), Rating)>, StoreError> {
        let mut found = Vec::with_capacity(of.len());
        for (ruleset, competitor) in of {
            let select = standings::rating(*ruleset, *competitor);
            let rows = self.read(|connection| query(connection, &select))?;
            found.extend(rows.first().and_then(|row| row.rating()));
        }
        Ok(found)
    }

    async fn count_outcomes(&self, was: u64, now: u64, counted: &Reckoning) -> Result<(), StoreError> {
        let outcome = self.write_with(|connection| {
            let transaction = connection.transaction()?;
            if execute(&transaction, &standings::count_up_to(was, now))? == 0 {
                return Err(SqliteFault::Store(StoreError::Conflict));
            }
            for rating in &counted.ratings {
                insert(&transaction, "ratings", REPLACE_RATING, &rating_row(rating))?;
            }
            for tally in &counted.tallies {
                insert(&transaction, "tallies AS kept", ADD_TO_TALLY, &tally_row(tally))?;
            }
            for dice in &counted.dice {
                insert(&transaction, "dice AS kept", ADD_TO_DICE, &dice_row(dice))?;
            }
            transaction.commit()?;
            Ok(())
        });
        self.health().note(&outcome);
        Ok(outcome?)
    }

    async fn forget_standings(&self) -> Result<(), StoreError> {
        self.write_with(|connection| {
            let transaction = connection.transaction()?;
            for delete in standings::FORGET {
                execute(&transaction, &Statement::new(delete, []))?;
            }
            Ok(transaction.commit()?)
        })?;
        Ok(())
    }

    async fn standings_of(&self, competitor: Competitor, period: Period) -> Result<Reckoning, StoreError> {
        let (ratings, tallies) =
            (standings::ratings_of(competitor), standings::tallies_of(competitor, period));
        self.reckoning(&ratings, &tallies, None)
    }

    async fn dice_of(&self, competitor: Option<Competitor>) -> Result<Vec<(DiceKey, DiceTally)>, StoreError> {
        let rows = self.read(|connection| query(connection, &standings::dice_of(competitor)))?;
        Ok(rows.iter().filter_map(|row| row.dice()).collect())
    }

    async fn leaders(
        &self,
        ruleset: Ruleset,
        by: LeadersBy,
        after: Option<(i64, Competitor)>,
        limit: u32,
    ) -> Result<Vec<Leader>, StoreError> {
        let select = standings::leaders(ruleset, by, after, limit);
        let rows = self.read(|connection| query(connection, &select))?;
        Ok(rows.iter().filter_map(|row| row.leader(by)).collect())
    }

    async fn all_standings(&self) -> Result<Reckoning, StoreError> {
        let all = |select| Statement::new(select, []);
        let (ratings, tallies) = (all(standings::ALL_RATINGS), all(standings::ALL_TALLIES));
        self.reckoning(&ratings, &tallies, Some(&all(standings::ALL_DICE)))
    }
}

impl SqliteStore {
    /// Returns the results of the statements, as of one moment.
    fn reckoning(
        &self,
        ratings: &Statement,
        tallies: &Statement,
        dice: Option<&Statement>,
    ) -> Result<Reckoning, StoreError> {
        Ok(self.read(|connection| {
            let moment = connection.unchecked_transaction()?;
            let (ratings, tallies) = (query(&moment, ratings)?, query(&moment, tallies)?);
            let dice = dice.map(|dice| query(&moment, dice)).transpose()?;
            Ok(standings::reckoning(&ratings, &tallies, &dice.unwrap_or_default()))
        })?)
    }
}
