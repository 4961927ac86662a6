//! Lists of games with their standings.

use assam_record::game::{GameId, Info, Status};
use assam_record::hex::digits;
use assam_record::log::{Damaged, last_word};
use assam_store::{ListQuery, ListedGame, SortBy, StoreError};
use jiff::Timestamp;

use super::summary::{GameStanding, Summary};
use crate::app::{App, Caller};

/// A page of a list.
pub struct SummaryPage {
    /// The games, in the order of the list.
    pub games: Vec<Summary>,
    /// The place where the list continues, or none at its end.
    pub next: Option<ListPlace>,
}

/// A place in a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListPlace {
    /// The order of the list.
    pub order: ListOrder,
    /// The time of a game in that order.
    pub at: Timestamp,
    /// The game.
    pub id: GameId,
}

/// The order of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListOrder {
    /// By creation.
    Created,
    /// By end.
    Finished,
    /// By last word, for running games.
    Moved,
}

/// The number of a player's running games that are ordered by their last words.
const RUNNING: u32 = 1000;

/// The running games of a player.
pub struct RunningGames(Vec<Summary>);

impl RunningGames {
    /// Returns the query for all running games, from a query for some.
    pub fn query(of: &ListQuery) -> ListQuery {
        ListQuery {
            statuses: vec![Status::Running],
            limit: RUNNING,
            // These filter by a time that the store does not know in this order.
            since: None,
            until: None,
            after: None,
            ..of.clone()
        }
    }

    /// Returns the page of a query, newest words first, after a place in this order. With `turn_of`, only
    /// games that wait for that caller.
    pub fn page(&self, query: &ListQuery, turn_of: Option<&Caller>, after: Option<ListPlace>) -> SummaryPage {
        let place = |game: &Summary| {
            (
                game.standing.last_ply_at.or(game.info.started_at).unwrap_or(game.info.created_at),
                game.info.id.0,
            )
        };
        let is_wanted = |game: &&Summary| {
            let (at, id) = place(game);
            turn_of.is_none_or(|caller| game.is_turn_of(caller))
                && query.since.is_none_or(|since| at >= since)
                && query.until.is_none_or(|until| at < until)
                && after.is_none_or(|after| (at, id) < (after.at, after.id.0))
        };
        let mut games: Vec<&Summary> = self.0.iter().filter(is_wanted).collect();
        games.sort_unstable_by_key(|game| std::cmp::Reverse(place(game)));
        let goes_on = games.len() > query.limit as usize;
        games.truncate(query.limit as usize);
        let next = games.last().filter(|_| goes_on).map(|game| {
            let (at, id) = place(game);
            ListPlace { order: ListOrder::Moved, at, id: assam_record::hex::Hex(id) }
        });
        SummaryPage { games: games.into_iter().cloned().collect(), next }
    }
}

impl App {
    /// Returns games, newest first.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn list(&self, query: &ListQuery) -> Result<SummaryPage, StoreError> {
        let page = self.reads.list(query).await?;
        let order = match query.order {
            SortBy::Created => ListOrder::Created,
            SortBy::Finished => ListOrder::Finished,
        };
        Ok(SummaryPage {
            games: page.games.into_iter().map(|game| self.summary(game)).collect(),
            next: page.next.map(|(at, id)| ListPlace { order, at, id }),
        })
    }

    /// Returns the running games of a query, at most the newest 1,000.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn running_games(&self, query: &ListQuery) -> Result<RunningGames, StoreError> {
        Ok(RunningGames(self.list(query).await?.games))
    }

    /// Computes the standing of a listed game, by replaying it unless it was replayed lately.
    fn summary(&self, ListedGame { info, log }: ListedGame) -> Summary {
        let standing = match log {
            None => GameStanding::at_rest(&info),
            Some(log) => self.standing(&info, &log).unwrap_or_else(|damaged| {
                tracing::warn!("{damaged}");
                GameStanding::default()
            }),
        };
        Summary { info, standing }
    }

    fn standing(&self, info: &Info, log: &str) -> Result<GameStanding, Damaged> {
        let kept = self.game_writer.kept(info.id).filter(|kept| kept.info.head == info.head);
        let (turn, last_ply_at) = match kept {
            Some(kept) => {
                let ledger = kept.ledger()?;
                (ledger.table().turn(), ledger.last_ply_at())
            }
            None => last_word(info, log)?,
        };
        Ok(GameStanding { seat: turn.seat(), last_ply_at })
    }
}

impl Summary {
    /// Returns whether the game waits for a seat that the caller holds.
    pub fn is_turn_of(&self, caller: &Caller) -> bool {
        self.standing.seat.is_some() && self.standing.seat == caller.seat_in(&self.info)
    }
}

impl ListPlace {
    /// Returns the place as an opaque text for clients.
    pub fn cursor(self) -> String {
        let order = match self.order {
            ListOrder::Created => "",
            ListOrder::Finished => "finished:",
            ListOrder::Moved => "moved:",
        };
        digits(format!("{order}{}:{}", self.at.as_millisecond(), self.id))
    }

    /// Reads a text that [`ListPlace::cursor`] wrote for a list of this order.
    pub fn read(cursor: &str, order: ListOrder) -> Option<Self> {
        let text = assam_record::hex::text_of(cursor)?;
        let place = match order {
            ListOrder::Created => Some(text.as_str()),
            ListOrder::Finished => text.strip_prefix("finished:"),
            ListOrder::Moved => text.strip_prefix("moved:"),
        };
        let (ms, id) = place?.split_once(':')?;
        let at = Timestamp::from_millisecond(ms.parse().ok()?).ok()?;
        Some(Self { order, at, id: id.parse().ok()? })
    }
}
