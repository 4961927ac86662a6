//! Notifies players who follow their own games here of running games in which their secrets hold a seat.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use assam_record::game::{Bytes32, GameId, Info, Status};
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;

/// The maximum number of games of one notification. Players find others in their lists.
const ROOM: usize = 1000;

/// The players who follow their games, by the hashes of their secrets.
#[derive(Default)]
pub(in crate::app) struct OwnHub {
    inboxes: Mutex<HashMap<Bytes32, Vec<Arc<OwnInbox>>>>,
    /// The number of secrets. Without followers, a change costs only a look at this.
    count: AtomicUsize,
}

/// The games that a follower was notified about and has not looked at yet.
#[derive(Default)]
struct OwnInbox {
    games: Mutex<HashSet<GameId>>,
    noted: Notify,
}

/// A follower, until this is dropped.
pub(super) struct OwnListener {
    hub: Arc<OwnHub>,
    secret: Bytes32,
    inbox: Arc<OwnInbox>,
}

impl OwnHub {
    fn inboxes(&self) -> MutexGuard<'_, HashMap<Bytes32, Vec<Arc<OwnInbox>>>> {
        self.inboxes.lock()
    }

    /// Returns whether there are no followers.
    pub(in crate::app) fn is_empty(&self) -> bool {
        self.count.load(Ordering::SeqCst) == 0
    }

    /// Listens for the games of a secret's holder.
    pub(super) fn listen(self: &Arc<Self>, secret: Bytes32) -> OwnListener {
        let (hub, inbox) = (Arc::clone(self), Arc::<OwnInbox>::default());
        let mut inboxes = self.inboxes();
        inboxes.entry(secret).or_default().push(Arc::clone(&inbox));
        self.count.store(inboxes.len(), Ordering::SeqCst);
        drop(inboxes);
        OwnListener { hub, secret, inbox }
    }

    /// Notifies the seat holders of a running game that its seats have changed.
    pub(in crate::app) fn seated(&self, game: &Info) {
        if self.is_empty() || game.status != Status::Running {
            return;
        }
        let inboxes = self.inboxes();
        let secrets = game.seats.iter().filter_map(|holder| holder.secret);
        for inbox in secrets.filter_map(|secret| inboxes.get(&secret.0)).flatten() {
            let mut games = inbox.games.lock();
            if games.len() < ROOM {
                games.insert(game.id);
            }
            drop(games);
            inbox.noted.notify_one();
        }
    }
}

impl OwnListener {
    /// Waits until there are games.
    pub(in crate::app) async fn noted(&self) {
        self.inbox.noted.notified().await;
    }

    /// Takes the games.
    pub(in crate::app) fn take(&self) -> HashSet<GameId> {
        mem::take(&mut *self.inbox.games.lock())
    }
}

impl Drop for OwnListener {
    fn drop(&mut self) {
        let mut inboxes = self.hub.inboxes();
        if let Some(own) = inboxes.get_mut(&self.secret) {
            own.retain(|inbox| !Arc::ptr_eq(inbox, &self.inbox));
            if own.is_empty() {
                inboxes.remove(&self.secret);
            }
        }
        self.hub.count.store(inboxes.len(), Ordering::SeqCst);
    }
}
