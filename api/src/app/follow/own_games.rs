//! Following a player's own games: which wait for the holder of a secret, and how running ones end.
//!
//! Each running game is followed like any other, so that changes in any process reach this follower too.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use assam_record::game::{GameId, Head, Status};
use assam_record::log::Damaged;
use assam_record::secret::Secret;
use assam_store::{ListQuery, ListScope, ListedGame};
use futures_util::future::{BoxFuture, FutureExt as _, join_all};
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use tokio::time::Instant;

use super::followed::{FollowedGame, NewestGame};
use super::own_games_hub::OwnListener;
use crate::app::{App, CachedGame, Caller, ReadError, StoreError};

/// The maximum number of games followed for one follower, the newest ones.
const MOST: usize = 1000;
/// The maximum number of games sent at once.
const PAGE: usize = 50;
/// The interval of searches for games that other processes started, with notifications. A message may be
/// lost.
const LISTENING: Duration = Duration::from_secs(30);
/// The same without notifications, or after a failure.
const DEAF: Duration = Duration::from_secs(2);

/// A player who follows their games.
pub struct OwnFollower {
    caller: Caller,
    listener: OwnListener,
    /// The running games, each with the head at which its turn was last sent.
    told: HashMap<GameId, Option<Head>>,
    /// The same games, each until it changes.
    waiting: FuturesUnordered<BoxFuture<'static, (GameId, FollowedGame)>>,
    /// The games that have changed, or may have.
    changed: Vec<(GameId, FollowedGame)>,
    /// The rest of the list of games to read, or none if it was read.
    unread: Option<ListQuery>,
    /// Whether the list has a game that is not running, because one of several servers has yet to commit its
    /// start.
    is_ahead: bool,
    /// When to read the list again.
    look: Instant,
}

/// A message about a player's own games.
pub enum OwnNotice {
    /// The game waits for the player.
    Turn(Arc<CachedGame>),
    /// The game is over.
    Over(Arc<CachedGame>),
    /// The game is gone: removed, or taken down.
    Gone(GameId, ReadError),
    /// The secret no longer holds its seat.
    SeatLost(GameId),
}

impl App {
    /// Follows the games in which a secret holds a seat.
    pub fn follow_own(&self, secret: &Secret) -> OwnFollower {
        OwnFollower {
            // Listening begins before reading, so no game is missed in between.
            listener: self.game_writer.own().listen(secret.hash()),
            unread: Some(running(secret)),
            caller: Caller::new(Some(secret.clone())),
            told: HashMap::new(),
            waiting: FuturesUnordered::new(),
            changed: Vec::new(),
            is_ahead: false,
            look: Instant::now(),
        }
    }

    /// Returns the next messages, and whether these are all so far.
    ///
    /// # Errors
    /// If the store fails. Unread games are read again later.
    pub async fn own_news(
        self: &Arc<Self>,
        follower: &mut OwnFollower,
    ) -> Result<(Vec<OwnNotice>, bool), StoreError> {
        let mut found = Vec::new();
        if let Some(list) = follower.unread.take() {
            // Soon, if it fails.
            follower.look = Instant::now() + DEAF;
            found = self.own_page(list, follower).await?;
        }
        found.extend(follower.listener.take());
        let mut new = HashSet::new();
        found.retain(|id| !follower.told.contains_key(id) && new.insert(*id));
        let room = MOST.saturating_sub(follower.told.len());
        let new = found.into_iter().take(room).map(|id| async move {
            // Following begins before reading, as for all followers.
            let followed = self.game_writer.follow(id);
            (id, followed, self.game_writer.load(id).await)
        });
        for (id, followed, read) in join_all(new).await {
            match read {
                // Lists leave it out, too.
                Err(StoreError::Unreadable { .. }) => {}
                Err(error) => {
                    follower.look = Instant::now() + DEAF;
                    return Err(error);
                }
                Ok(_) => follower.changed.push((id, followed)),
            }
        }
        while follower.changed.len() < PAGE
            && let Some(Some(changed)) = follower.waiting.next().now_or_never()
        {
            follower.changed.push(changed);
        }
        let is_all = follower.unread.is_none() && follower.changed.len() < PAGE;
        Ok((follower.notices(), is_all))
    }

    /// Reads a page of a follower's running games.
    async fn own_page(
        self: &Arc<Self>,
        list: ListQuery,
        follower: &mut OwnFollower,
    ) -> Result<Vec<GameId>, StoreError> {
        let (app, wanted) = (Arc::clone(self), list.clone());
        let was_ahead = follower.is_ahead && list.after.is_some();
        let page = self.run_low_priority(async move { app.reads.list(&wanted).await }).await??;
        let runs = |game: &ListedGame| game.info.status == Status::Running;
        follower.is_ahead = was_ahead || !page.games.iter().all(runs);
        match page.next.filter(|_| follower.told.len() < MOST) {
            after @ Some(_) => follower.unread = Some(ListQuery { after, ..list }),
            None if self.game_writer.outbox().is_listening() && !follower.is_ahead => {
                follower.look = Instant::now() + LISTENING
            }
            None => {}
        }
        Ok(page.games.into_iter().map(|game| game.info.id).collect())
    }
}

impl OwnFollower {
    /// Waits until there may be something to send.
    pub async fn changed(&mut self) {
        tokio::select! {
            Some(changed) = self.waiting.next() => self.changed.push(changed),
            () = self.listener.noted() => {}
            () = tokio::time::sleep_until(self.look) => {
                self.unread = self.caller.secret().map(running);
            }
        }
    }

    /// Returns the caller.
    pub const fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Returns the number of running games that are followed.
    pub fn running(&self) -> usize {
        self.told.len()
    }

    /// Checks the games that may have changed.
    fn notices(&mut self) -> Vec<OwnNotice> {
        let mut notices = Vec::new();
        for (id, mut followed) in mem::take(&mut self.changed) {
            let Some(standing) = followed.newest() else { continue };
            let (notice, goes_on) = self.notice(id, standing).unwrap_or_else(|damaged| {
                tracing::warn!("{damaged}");
                (None, true)
            });
            notices.extend(notice);
            if goes_on {
                self.told.entry(id).or_default();
                let change = async move {
                    followed.changed().await;
                    (id, followed)
                };
                self.waiting.push(change.boxed());
            } else {
                self.told.remove(&id);
            }
        }
        notices
    }

    /// Returns the message about a game in this state, and whether to continue following it.
    fn notice(&mut self, id: GameId, standing: NewestGame) -> Result<(Option<OwnNotice>, bool), Damaged> {
        let is_known = self.told.contains_key(&id);
        let gone = |why| Ok((is_known.then_some(OwnNotice::Gone(id, why)), false));
        let game = match standing {
            NewestGame::Stands(game) => game,
            NewestGame::Gone(why @ StoreError::TakenDown(_)) => return gone(why.into()),
            NewestGame::Gone(_) => return gone(ReadError::NotFound),
        };
        let Some(seat) = self.caller.seat(&game) else {
            return Ok((is_known.then_some(OwnNotice::SeatLost(id)), false));
        };
        match game.info.status {
            Status::Finished | Status::Aborted => return Ok((Some(OwnNotice::Over(game)), false)),
            Status::Open => return Ok((None, false)),
            Status::Running => {}
        }
        let head = game.info.head;
        if game.ledger()?.table().turn().seat() != Some(seat) || self.told.get(&id) == Some(&head) {
            return Ok((None, true));
        }
        self.told.insert(id, head);
        Ok((Some(OwnNotice::Turn(game)), true))
    }
}

/// Returns the query for the running games of a secret's holder.
fn running(secret: &Secret) -> ListQuery {
    ListQuery {
        scope: ListScope::AllOf { player: secret.player(), secret: secret.hash() },
        statuses: vec![Status::Running],
        limit: PAGE as u32,
        ..ListQuery::default()
    }
}
