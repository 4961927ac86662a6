//! Following one's own games: which of them wait for the holder of a secret now, and how those end that ran.
//!
//! Each game that runs is followed like any other, so that whatever tells a follower of one game, here or in another process, tells this one too.

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

/// How many games are followed for one follower, the newest ones.
const MOST: usize = 1000;
/// How many games are told at once, at most.
const PAGE: usize = 50;
/// After how long to look for games that another process started, where that is told: a message may be lost.
const LISTENING: Duration = Duration::from_secs(30);
/// The same where it is not told, or could not be read.
const DEAF: Duration = Duration::from_secs(2);

/// Somebody who follows their own games.
pub struct OwnFollower {
    caller: Caller,
    listener: OwnListener,
    /// The games that run, each with the head at which it was told last that it waits.
    told: HashMap<GameId, Option<Head>>,
    /// The same games, each until something changes in it.
    waiting: FuturesUnordered<BoxFuture<'static, (GameId, FollowedGame)>>,
    /// Those in which something has changed, or may have.
    changed: Vec<(GameId, FollowedGame)>,
    /// From where on the list of the games is to be read; none where it was.
    unread: Option<ListQuery>,
    /// Whether one of them stands in it that does not run: one of several servers has yet to commit its start.
    is_ahead: bool,
    /// When to read it again.
    look: Instant,
}

/// Something that somebody is told of their own games.
pub enum OwnNotice {
    /// The game waits for them.
    Turn(Arc<CachedGame>),
    /// The game is over.
    Over(Arc<CachedGame>),
    /// The game is gone: removed, or taken down.
    Gone(GameId, ReadError),
    /// The secret holds its seat no longer.
    SeatLost(GameId),
}

impl App {
    /// Follows the games in which a secret holds a seat.
    pub fn follow_own(&self, secret: &Secret) -> OwnFollower {
        OwnFollower {
            // Before anything is read: no game is missed between the two.
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

    /// Returns what a follower is told next, and whether that is everything so far.
    ///
    /// # Errors
    /// Of the store. What could not be read is looked for again.
    pub async fn own_news(
        self: &Arc<Self>,
        follower: &mut OwnFollower,
    ) -> Result<(Vec<OwnNotice>, bool), StoreError> {
        let mut found = Vec::new();
        if let Some(list) = follower.unread.take() {
            // If it fails, soon.
            follower.look = Instant::now() + DEAF;
            found = self.own_page(list, follower).await?;
        }
        found.extend(follower.listener.take());
        let mut new = HashSet::new();
        found.retain(|id| !follower.told.contains_key(id) && new.insert(*id));
        let room = MOST.saturating_sub(follower.told.len());
        let new = found.into_iter().take(room).map(|id| async move {
            // Followed before it is read, as everybody does.
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

    /// Reads a page of the running games of a follower.
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
    /// Waits until there may be something to tell.
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

    /// Returns how many games run that are followed.
    pub fn running(&self) -> usize {
        self.told.len()
    }

    /// Looks at the games in which something may have changed.
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

    /// Returns what is told of a game that stands so, and whether it is followed from then on.
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

/// Returns the query for the running games of the holder of a secret.
fn running(secret: &Secret) -> ListQuery {
    ListQuery {
        scope: ListScope::AllOf { player: secret.player(), secret: secret.hash() },
        statuses: vec![Status::Running],
        limit: PAGE as u32,
        ..ListQuery::default()
    }
}
