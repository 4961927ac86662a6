//! Ratings, tallies and dice. Finished games are counted in the background, once each, in the order of their ends
//! in the public log. No end is ever inserted before one in it.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use assam_record::game::StoredGame;
use assam_record::standings::{Competitor, DiceKey, DiceTally, GameOutcome, Period, Reckoning};
use assam_referee::Ruleset;
use assam_store::{Leader, LeadersBy};
use futures_util::future::try_join_all;

use super::repeat;
use crate::app::{App, StoreError};

/// How long an end may wait for the next pass.
const PAUSE: Duration = Duration::from_secs(1);
/// The maximum number of games counted at once.
const BATCH: u32 = 256;
/// With several database servers, one may have yet to commit what is already in the log. Later games are then
/// counted after it.
const HALF_COMMITTED: &str = "a game whose end is in the public log is not over yet";

impl App {
    /// Counts finished games repeatedly. Never returns.
    pub async fn keep_standings(self: Arc<Self>) {
        repeat("finished games cannot be counted yet", async || {
            let app = Arc::clone(&self);
            self.run_background(async move {
                while app.count_ends().await? {}
                Ok::<_, StoreError>(PAUSE)
            })
            .await?
        })
        .await;
    }

    /// Counts the next finished games, and returns whether there may be more.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn count_ends(&self) -> Result<bool, StoreError> {
        let was = self.standings.counted_entries().await?;
        let Some((outcomes, now)) = self.outcomes(was..u64::MAX).await? else { return Ok(false) };
        let mut rated: Vec<(Ruleset, Competitor)> = outcomes
            .iter()
            .filter(|outcome| outcome.is_rated)
            .flat_map(|outcome| outcome.seats.iter().map(|seat| (outcome.ruleset, seat.competitor)))
            .collect();
        rated.sort_unstable();
        rated.dedup();
        let ratings = self.standings.ratings(&rated).await?.into_iter().collect();
        let mut reckoning = Reckoning { ratings, ..Reckoning::default() };
        outcomes.iter().for_each(|outcome| reckoning.count(outcome));
        let standings = Arc::clone(&self.standings);
        match self
            .run_service_write(async move { standings.count_outcomes(was, now, &reckoning).await })
            .await?
        {
            // Another process counted them, and continues.
            Err(StoreError::Conflict) => Ok(false),
            counted => counted.map(|()| true),
        }
    }

    /// Returns the countable outcomes of games whose ends are at these positions of the public log, and the
    /// position after them. Returns none if there are no ends.
    async fn outcomes(&self, positions: Range<u64>) -> Result<Option<(Vec<GameOutcome>, u64)>, StoreError> {
        let mut ends = self.standings.ends(positions.start, BATCH).await?;
        ends.retain(|(position, _)| positions.contains(position));
        let games = try_join_all(ends.iter().map(|(_, game)| async {
            match self.reads.load(*game).await {
                // Unreadable games do not count.
                Err(StoreError::Unreadable { .. }) => Ok(None),
                game => game,
            }
        }));
        let mut games = games.await?;
        let is_whole = |game: &Option<StoredGame>| game.as_ref().is_none_or(|game| game.info.is_over());
        if let Some(half) = games.iter().position(|game| !is_whole(game)) {
            if half == 0 {
                return Err(StoreError::Unavailable(HALF_COMMITTED.into()));
            }
            games.truncate(half);
        }
        let Some((last, _)) = games.len().checked_sub(1).map(|last| ends[last]) else { return Ok(None) };
        Ok(Some((games.iter().flatten().filter_map(outcome).collect(), last + 1)))
    }

    /// Recounts all counted games without changing the stored standings, and returns both, the stored ones
    /// first.
    ///
    /// # Errors
    /// If the store fails. [`StoreError::Busy`] if a service keeps counting games.
    pub async fn recount(&self) -> Result<(Reckoning, Reckoning), StoreError> {
        const TRIES: usize = 10;
        for _ in 0..TRIES {
            let entries = self.standings.counted_entries().await?;
            let kept = self.standings.all_standings().await?;
            if self.standings.counted_entries().await? == entries {
                return Ok((kept, self.reckoning_of(entries).await?));
            }
        }
        Err(StoreError::Busy)
    }

    /// Counts the games that end among the first entries.
    async fn reckoning_of(&self, entries: u64) -> Result<Reckoning, StoreError> {
        let (mut reckoning, mut from) = (Reckoning::default(), 0);
        while let Some((outcomes, behind)) = self.outcomes(from..entries).await? {
            outcomes.iter().for_each(|outcome| reckoning.count(outcome));
            from = behind;
        }
        Ok(reckoning)
    }

    /// Deletes the standings, so that all games are counted again.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn forget_standings(&self) -> Result<(), StoreError> {
        self.standings.forget_standings().await
    }

    /// Returns the ratings of a competitor, and their tallies in a period.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn standings_of(
        &self,
        competitor: Competitor,
        period: Period,
    ) -> Result<Reckoning, StoreError> {
        self.standings.standings_of(competitor, period).await
    }

    /// Returns the dice of a competitor in each rule set, or those of all competitors.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn dice_of(
        &self,
        competitor: Option<Competitor>,
    ) -> Result<Vec<(DiceKey, DiceTally)>, StoreError> {
        self.standings.dice_of(competitor).await
    }

    /// Returns up to `limit` leaders of a rule set, after this value and competitor.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn leaders(
        &self,
        ruleset: Ruleset,
        by: LeadersBy,
        after: Option<(i64, Competitor)>,
        limit: u32,
    ) -> Result<Vec<Leader>, StoreError> {
        self.standings.leaders(ruleset, by, after, limit).await
    }
}

/// Returns the outcome of a game, if it counts. Games with damaged logs do not.
fn outcome(game: &StoredGame) -> Option<GameOutcome> {
    GameOutcome::new(game).unwrap_or_else(|damaged| {
        tracing::warn!("a game does not count for ratings: {damaged}");
        None
    })
}
