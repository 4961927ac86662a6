//! Bulk import: reads each record, adds it to the games and returns its outcome.

use std::time::Duration;

use assam_record::game::{Bytes32, GameId};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;
use utoipa::ToSchema;

use super::{Cut, NoRecord, RowError};
use crate::app::{App, Import, ImportError, Imported, StoreError};
use crate::problem::Problem;

/// How long to wait if the write queue is full.
const PAUSE: Duration = Duration::from_millis(20);

/// The outcome for a record.
#[derive(Serialize, ToSchema)]
pub struct ImportRow {
    /// The number of the record, from 1.
    #[schema(maximum = 9_007_199_254_740_991_u64, minimum = 1, example = 1)]
    pub number: u64,
    /// The line on which it begins, from 1.
    #[schema(maximum = 9_007_199_254_740_991_u64, minimum = 1, example = 1)]
    pub line: u64,
    /// The outcome.
    pub outcome: ImportOutcome,
    /// The id of the game. Null if refused.
    pub game: Option<GameId>,
    /// The names of tags not kept, because the existing game lacks them or has different values.
    #[schema(max_items = 65_536, pattern = "^[a-z0-9-]+$", max_length = 4096, example = json!(["event"]))]
    pub ignored_tags: Vec<String>,
    /// Why the record was refused, or null.
    pub error: Option<RowError<'static>>,
}

/// The outcome for a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportOutcome {
    /// It is a new game.
    New,
    /// The game already existed.
    Known,
    /// It was refused.
    Refused,
}

/// Counts of records.
#[derive(Clone, Copy, Default, Serialize, ToSchema)]
pub struct ImportSummary {
    /// All records.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub records: u64,
    /// Records that became new games.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub new: u64,
    /// Records whose games already existed.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub known: u64,
    /// Refused records.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub refused: u64,
}

/// A read record to import.
pub struct ReadRecord {
    line: u64,
    /// The line number for its first line in messages.
    first: u64,
    column: u64,
    import: Result<Import, NotImported>,
}

/// Why a record was not imported.
enum NotImported {
    Missing(NoRecord),
    Refused(ImportError),
}

impl ImportSummary {
    /// Counts an outcome.
    pub fn count(&mut self, outcome: ImportOutcome) {
        self.records += 1;
        *match outcome {
            ImportOutcome::New => &mut self.new,
            ImportOutcome::Known => &mut self.known,
            ImportOutcome::Refused => &mut self.refused,
        } += 1;
    }
}

impl ReadRecord {
    /// Reads a record for an importer with a secret of this hash, or without one.
    pub fn new(cut: &Cut<'_>, owner: Option<Bytes32>) -> Self {
        let import = match &cut.record {
            Ok(record) => Import::read(record, owner).map_err(NotImported::Refused),
            Err(missing) => Err(NotImported::Missing(missing.clone())),
        };
        Self { line: cut.line, first: cut.first, column: cut.column, import }
    }

    /// Adds the record to the games, once the queue has room, and returns the outcome for the nth record of
    /// its source.
    ///
    /// # Errors
    /// If the store fails.
    #[expect(clippy::disallowed_methods, reason = "the queue empties while time passes")]
    pub async fn added(self, app: &App, number: u64) -> Result<ImportRow, StoreError> {
        let Self { line, first, column, import } = self;
        let imported = match import {
            Err(error) => Err(error),
            Ok(import) => loop {
                match app.add_import(&import).await {
                    Err(ImportError::Store(StoreError::Busy)) => sleep(PAUSE).await,
                    outcome => break outcome.map_err(NotImported::Refused),
                }
            },
        };
        Ok(match imported {
            Ok(Imported { game, is_new, ignored_tags }) => {
                let outcome = if is_new { ImportOutcome::New } else { ImportOutcome::Known };
                ImportRow { number, line, outcome, game: Some(game.info.id), ignored_tags, error: None }
            }
            Err(not_imported) => {
                let (outcome, error) =
                    (ImportOutcome::Refused, Some(not_imported.told(line, first, column)?));
                ImportRow { number, line, outcome, game: None, ignored_tags: Vec::new(), error }
            }
        })
    }
}

impl NotImported {
    /// Returns why a record was not imported. It begins on `line`, and its first line counts as `first` in
    /// messages.
    fn told(self, line: u64, first: u64, column: u64) -> Result<RowError<'static>, StoreError> {
        match self {
            Self::Missing(why) => Ok(RowError::missing(&why, line)),
            Self::Refused(ImportError::Store(error)) if !matches!(error, StoreError::TakenDown(_)) => {
                Err(error)
            }
            Self::Refused(ImportError::Refused(error)) => {
                Ok(RowError::new(&error, first, column).into_owned())
            }
            Self::Refused(error) => {
                let Problem { code, detail, .. } = error.into();
                Ok(RowError::plain(code.as_str(), detail, line))
            }
        }
    }
}
