//! Import of a finished record from elsewhere.

use std::sync::Arc;

use assam_notation::{Error, MAX_RECORD, tag_line};
use assam_record::clock::now;
use assam_record::game::{Bytes32, Head, Holder, Info, SeatKind, Status, StoredGame, Visibility};
use assam_record::log::Entry;
use assam_record::{chain, chance};
use assam_referee::{AnyRecord, Setup, record_in, tokens};
use assam_rules::Seat;
use assam_store::StoreError;

use super::seat_names::{WrongName, check_name};
use super::tags::{names_of_others, seat_tag, tags_of};
use crate::app::{App, CachedGame};

/// Why a record was not imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The record is invalid.
    #[error(transparent)]
    Refused(#[from] Error),
    /// The game is not over.
    #[error("the record ends with `*`, so the game is not over")]
    NotFinished,
    /// Part of it is unknown.
    #[error("part of the record is hidden. Import it when the game is over and nothing is hidden")]
    Masked,
    /// A seat has a misleading name.
    #[error("the tag `{}` {wrong}", seat_tag(*seat))]
    WrongName {
        /// The seat.
        seat: Seat,
        /// The reason.
        wrong: WrongName,
    },
    /// In canonical form, it is longer than a record may be.
    #[error("a record has at most {MAX_RECORD} bytes, including its last line end")]
    TooLong,
    /// It was judged valid but has no game. No record can cause this.
    #[error("a record was judged valid without its game")]
    NoGame,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A record that can be imported.
pub struct Import(StoredGame);

/// An imported record.
pub struct Imported {
    /// The game.
    pub game: Arc<CachedGame>,
    /// Whether it is new.
    pub is_new: bool,
    /// The names of tags that were not kept, because the game already existed without them or with other
    /// values.
    pub ignored_tags: Vec<String>,
}

impl App {
    /// Imports a finished record. Its id derives from its canonical text, so importing it again changes
    /// nothing. The record of a public game of this service is that game.
    ///
    /// # Errors
    /// If the record is not imported.
    pub async fn import(&self, record: Vec<u8>, owner: Option<Bytes32>) -> Result<Imported, ImportError> {
        let import =
            self.run_background(async move { Import::read(record_in(&record).bytes, owner) }).await??;
        self.add_import(&import).await
    }

    /// Stores a record that was read.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn add_import(&self, import: &Import) -> Result<Imported, ImportError> {
        let imported = self.try_to_add(import).await?;
        let counts = self.counts();
        let counted = if imported.is_new { &counts.imported } else { &counts.known };
        counted.add(1);
        Ok(imported)
    }

    async fn try_to_add(&self, Import(game): &Import) -> Result<Imported, ImportError> {
        let known = match self.reads.with_record(game.info.id).await? {
            // The game that an exported record came from.
            Some(of) => self.game_writer.load(of).await?,
            None => None,
        };
        if let Some(known) = known {
            return known_game(known, game);
        }
        // It may have waited for its turn, but exports rely on times that are new when written.
        let (now, mut game) = (now(), game.clone());
        (game.info.created_at, game.info.finished_at) = (now, Some(now));
        if self.game_writer.add(&game).await? {
            return Ok(Imported { game: Arc::new(game.into()), is_new: true, ignored_tags: Vec::new() });
        }
        known_game(self.game_writer.load(game.info.id).await?.ok_or(StoreError::NotFound)?, &game)
    }
}

/// Returns an existing game, unless the operator took it down.
fn known_game(game: Arc<CachedGame>, import: &StoredGame) -> Result<Imported, ImportError> {
    match &game.info.removed {
        None => {
            let ignored_tags = names_of_others(&import.tags, &tags_of(&game));
            Ok(Imported { game, is_new: false, ignored_tags })
        }
        Some(reason) => Err(StoreError::TakenDown(reason.clone()).into()),
    }
}

impl Import {
    /// Reads a finished record for an importer with a secret of this hash, or without one.
    ///
    /// # Errors
    /// If it cannot be imported.
    pub fn read(record: &[u8], owner: Option<Bytes32>) -> Result<Self, ImportError> {
        imported(&AnyRecord::read(record), owner).map(Self)
    }
}

fn imported(record: &AnyRecord, owner: Option<Bytes32>) -> Result<StoredGame, ImportError> {
    record.verdict.clone()?;
    let (Some(setup), Some(table)) = (&record.setup, &record.table) else {
        return Err(ImportError::NoGame);
    };
    let status = match table.turn() {
        assam_rules::Turn::Over => Status::Finished,
        assam_rules::Turn::Aborted => Status::Aborted,
        assam_rules::Turn::Player(_) | assam_rules::Turn::Chance => return Err(ImportError::NotFinished),
    };
    if table.is_masked() {
        return Err(ImportError::Masked);
    }
    let canonical = record.canonical();
    let tags: String = record.tags.iter().map(|(name, value)| tag_line(name, value)).collect();
    // An export is the canonical text and the tags. A record without a last line end can be a byte shorter
    // than that.
    if canonical.len() + tags.len() > MAX_RECORD {
        return Err(ImportError::TooLong);
    }
    let now = now();
    let entries = record.words.iter().rev().map(|word| Entry { word, after_ms: 0 }.text());
    Ok(StoredGame {
        owner,
        heir: None,
        join_code: None,
        request: None,
        seed: None,
        commitment: None,
        beacon: None,
        tags,
        log: entries.collect::<Vec<_>>().join(" "),
        info: Info {
            id: chance::import_id(&canonical),
            created_at: now,
            visibility: Visibility::Public,
            imported: true,
            rated: false,
            clock: None,
            rematch_of: None,
            rematch: None,
            patience_hours: None,
            revision: 0,
            seats: Seat::all(setup.seats()).map(|seat| holder(record, seat)).collect::<Result<_, _>>()?,
            status,
            started_at: None,
            finished_at: Some(now),
            head: Some(Head { ply: table.ply(), hash: head(setup, &record.words) }),
            removed: None,
            setup: setup.clone(),
        },
    })
}

/// Returns the head after the words of an imported record. Nothing is sealed, because every token is public.
fn head(setup: &Setup, words: &[String]) -> Bytes32 {
    words.iter().fold(chance::import_start(setup.line()), |head, word| {
        chain::extend(&head, tokens(word).map(|(_, token)| chain::open_part(token)))
    })
}

/// Returns the holder that a tag names for a seat. Values too long for a name stay tags only.
fn holder(record: &AnyRecord, seat: Seat) -> Result<Holder, ImportError> {
    let tag = seat_tag(seat);
    let named = record.tags.iter().find(|(name, _)| *name == tag).map(|(_, value)| value);
    let name = match check_name(named.map(String::as_str)) {
        Ok(()) => named.cloned(),
        Err(WrongName::Form) => None,
        Err(wrong) => return Err(ImportError::WrongName { seat, wrong }),
    };
    Ok(Holder { name, ..Holder::new(SeatKind::Human) })
}
