//! Messages between processes on one database. Messages may get lost, so nothing may rely on them.

use std::future::pending;

use assam_record::game::GameId;
use assam_rules::Seats;
use async_trait::async_trait;

use super::StoreError;

/// A message from another process on the same database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PeerMessage {
    /// From now on, all messages arrive, as long as the connection lasts.
    Listening,
    /// Another process exists. A new process asks who else is there.
    Process {
        /// Whether it is new.
        is_new: bool,
    },
    /// These games have changed.
    Changed(Vec<ChangedGame>),
    /// The feed for lobbies has new entries.
    Fed,
    /// These seats are connected, and show it.
    Present(Vec<PresentIn>),
}

/// Connected seats of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PresentIn {
    /// The game.
    pub id: GameId,
    /// The seats.
    pub seats: Seats,
}

/// A game that has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChangedGame {
    /// The game.
    pub id: GameId,
    /// Whether its seats have changed too: it may have started, or have other holders.
    pub is_seated: bool,
}

/// A database through which processes announce their changes. By default, they cannot.
#[async_trait]
pub trait PeerBus: Send + Sync {
    /// Returns whether messages can reach other processes.
    fn reaches_peers(&self) -> bool {
        false
    }

    /// Returns how many changes by other processes were noticed, if the database shows that. As long as the
    /// number is the same, there were none.
    fn changes_by_others(&self) -> Option<u64> {
        None
    }

    /// Announces to other processes that games have changed.
    ///
    /// # Errors
    /// If that fails or takes too long.
    async fn announce_changes(&self, _games: &[ChangedGame]) -> Result<(), StoreError> {
        Ok(())
    }

    /// Announces to other processes that the feed for lobbies has new entries.
    ///
    /// # Errors
    /// If that fails or takes too long.
    async fn announce_feed(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Announces this process to other processes, and asks which others exist.
    ///
    /// # Errors
    /// If that fails or takes too long.
    async fn announce_process(&self, _is_new: bool) -> Result<(), StoreError> {
        Ok(())
    }

    /// Announces to other processes which seats are connected here.
    ///
    /// # Errors
    /// If that fails or takes too long.
    async fn announce_presence(&self, _here: &[PresentIn]) -> Result<(), StoreError> {
        Ok(())
    }

    /// Receives messages of other processes until that fails, and returns the reason.
    async fn listen(&self, _heard: &(dyn Fn(PeerMessage) + Send + Sync)) -> StoreError {
        pending().await
    }
}
