//! The public log of games. It is built in the background from the database, so moves never wait for it.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use assam_proofs::public_log::{
    Checkpoint, EntryOpening, Inclusion, LoggedEntry, Milestone, Missing, Tile, Tree, TreeHead,
};
use assam_proofs::signed::{NoKey, Note};
use assam_record::clock::now;
use assam_record::game::{Bytes32, GameId, StoredGame};
use assam_record::log::Damaged;
use assam_store::{NewEntry, StoreError, WaitingEntry, hashes};
use futures_util::future::join_all;

use super::repeat;
use crate::app::App;

/// How long a start or an end may wait for the next pass.
const PAUSE: Duration = Duration::from_secs(1);
/// The maximum number of entries written at once.
const BATCH: u32 = 256;

/// Why a part of the log is unavailable.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The log has no such tile, or not that many hashes.
    #[error("the log has {0} entries, so it has no such tile")]
    NoSuchTile(u64),
    /// Imported games are not in the log.
    #[error("the game was imported, and only games played here are in the log")]
    Imported,
    /// The event of the game waits for the log, or has not happened.
    #[error("this is not in the log yet. A start or an end enters it about a second after it was written")]
    Waits,
    /// The key of the service is unavailable.
    #[error(transparent)]
    NoKey(#[from] NoKey),
    /// The stored game is damaged.
    #[error(transparent)]
    Damaged(#[from] Damaged),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl App {
    /// Writes starts and ends into the log repeatedly. Never returns.
    pub async fn keep_public_log(self: Arc<Self>) {
        let mut damaged = HashSet::new();
        repeat("the public log of games cannot be extended yet", async || {
            self.extend_public_log(&mut damaged).await.map(|()| PAUSE)
        })
        .await;
    }

    /// Writes everything that waits into the log, except damaged games, which are added to `damaged`.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn extend_public_log(
        self: &Arc<Self>,
        damaged: &mut HashSet<GameId>,
    ) -> Result<(), StoreError> {
        let mut after = None;
        loop {
            let waiting = self.log.waiting_entries(after, BATCH).await?;
            let Some(last) = waiting.last() else { return Ok(()) };
            after = Some((last.game, last.milestone));
            let (known, unknown): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|one| one.entry.is_some());
            let mut entries: Vec<NewEntry> = known.into_iter().filter_map(WaitingEntry::known).collect();
            let unknown: Vec<_> = unknown.into_iter().filter(|one| !damaged.contains(&one.game)).collect();
            if !unknown.is_empty() {
                let app = Arc::clone(self);
                let (found, broken) =
                    self.run_background(async move { app.entries(unknown).await }).await??;
                entries.extend(found);
                damaged.extend(broken);
            }
            let app = Arc::clone(self);
            match self.run_service_write(async move { app.log.extend_log(&entries).await }).await? {
                // Another process has written them, or will.
                Ok(None) | Err(StoreError::Conflict) => return Ok(()),
                Ok(Some(_)) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns the entries for events that were written without one, and the damaged games.
    async fn entries(&self, waiting: Vec<WaitingEntry>) -> Result<(Vec<NewEntry>, Vec<GameId>), StoreError> {
        let games = join_all(waiting.iter().map(|one| self.reads.load(one.game))).await;
        let (mut entries, mut damaged) = (Vec::with_capacity(waiting.len()), Vec::new());
        for (WaitingEntry { game: id, milestone, .. }, game) in waiting.into_iter().zip(games) {
            let opening = match game {
                Ok(Some(game)) => EntryOpening::new(&game, milestone).map_err(|error| error.to_string()),
                Ok(None) => Ok(None),
                Err(StoreError::Unreadable { column, .. }) => Err(column.to_string()),
                Err(error) => return Err(error),
            };
            match opening {
                Ok(Some(opening)) => entries.push(NewEntry { game: id, milestone, entry: opening.entry() }),
                Ok(None) => {}
                Err(why) => {
                    tracing::error!("game {id} is damaged and does not enter the public log: {why}");
                    damaged.push(id);
                }
            }
        }
        Ok((entries, damaged))
    }

    /// Returns the signed checkpoint of the log, with its cosignatures so far.
    ///
    /// # Errors
    /// [`LogError::NoKey`] if the key is unavailable, [`LogError::Store`].
    pub async fn checkpoint(&self) -> Result<String, LogError> {
        self.checkpoint_of(self.log.log_head().await?).await
    }

    async fn checkpoint_of(&self, head: TreeHead) -> Result<String, LogError> {
        let (text, mut note) = self.signed_checkpoint(head)?;
        for (witness, other) in self.cosignatures().await? {
            let other = Note::read(&other).ok().filter(|other| other.text == text);
            note.extend(other.and_then(|other| witness.line_of(&other)));
        }
        Ok(note)
    }

    pub(super) fn signed_checkpoint(&self, head: TreeHead) -> Result<(String, String), NoKey> {
        let origin = self.keyring.history().first().ok_or(NoKey)?.key.name().to_owned();
        let text = Checkpoint { origin, head }.to_string();
        let note = self.keyring.sign(&text, now())?;
        Ok((text, note))
    }

    /// Returns the hashes of a tile, or the entries of one on level 0.
    ///
    /// # Errors
    /// [`LogError::NoSuchTile`], [`LogError::Store`].
    pub async fn log_tile(&self, tile: Tile) -> Result<Vec<Bytes32>, LogError> {
        let nodes = self.log.log_nodes(tile).await?;
        if nodes.len() == usize::from(tile.width) {
            return Ok(nodes);
        }
        Err(LogError::NoSuchTile(self.log.log_head().await?.size))
    }

    /// Returns the events of a game with their positions in the log, or without if they wait.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn log_positions(&self, game: GameId) -> Result<Vec<(Milestone, Option<u64>)>, StoreError> {
        self.log.log_positions(game).await
    }

    /// Returns the places in the log of a game that the caller may see, or of only its start or end.
    ///
    /// # Errors
    /// [`LogError::Imported`], or as [`App::checkpoint`].
    pub async fn inclusion(&self, game: &StoredGame, only: Option<Milestone>) -> Result<Inclusion, LogError> {
        if game.info.imported {
            return Err(LogError::Imported);
        }
        let mut positions = self.log.log_positions(game.info.id).await?;
        positions.retain(|(moment, _)| only.is_none_or(|only| only == *moment));
        // A cosigned checkpoint convinces others, and may be a little older.
        let is_in = |(head, _): &(TreeHead, String)| {
            positions.iter().all(|(_, position)| position.is_some_and(|position| position < head.size))
        };
        let (head, checkpoint) = match self.witnessed_checkpoint().await?.filter(is_in) {
            Some(witnessed) => witnessed,
            None => {
                let head = self.log.log_head().await?;
                (head, self.checkpoint_of(head).await?)
            }
        };
        let (mut tree, mut entries) = (Tree::of_size(head.size), Vec::new());
        for (moment, position) in positions {
            // The game may have ended since it was read.
            let Some(opening) = EntryOpening::new(game, moment)? else { continue };
            let place = match position {
                Some(position) => {
                    let path = self.ask_tree(&mut tree, |tree| tree.inclusion(position)).await?;
                    Some((position, path))
                }
                None => None,
            };
            entries.push(LoggedEntry::new(moment, &opening, place));
        }
        Ok(Inclusion { checkpoint, entries })
    }

    /// Asks a tree, and loads the tiles that it lacks.
    pub(super) async fn ask_tree<T>(
        &self,
        tree: &mut Tree,
        ask: impl Fn(&Tree) -> Result<T, Missing>,
    ) -> Result<T, StoreError> {
        loop {
            match ask(tree) {
                Ok(answer) => return Ok(answer),
                Err(Missing(tile)) => {
                    let nodes = self.log.log_nodes(tile).await?;
                    if nodes.len() < usize::from(tile.width) {
                        return Err(StoreError::Backend("a part of the public log is missing".to_owned()));
                    }
                    tree.put(tile, hashes(tile, nodes));
                }
            }
        }
    }
}
