//! Importing many records: each is read, added to the games, and told of.

use std::time::Duration;

use assam_record::game::{Bytes32, GameId};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;
use utoipa::ToSchema;

use super::{Cut, NoRecord, RowError};
use crate::app::{App, Import, ImportError, Imported, StoreError};
use crate::problem::Problem;

/// How long to wait where too much waits to be written.
const PAUSE: Duration = Duration::from_millis(20);

/// What became of a record.
#[derive(Serialize, ToSchema)]
pub struct ImportRow {
    /// The number of the record, from 1.
    #[schema(maximum = 9_007_199_254_740_991_u64, minimum = 1, example = 1)]
    pub number: u64,
    /// The line on which it begins, from 1.
    #[schema(maximum = 9_007_199_254_740_991_u64, minimum = 1, example = 1)]
    pub line: u64,
    /// What became of it.
    pub outcome: ImportOutcome,
    /// The id of the game; null if the record was refused.
    pub game: Option<GameId>,
    /// The names of the tags of the record that the game, which was there before, has not, or with another value. They are
    /// not kept.
    #[schema(max_items = 65_536, pattern = "^[a-z0-9-]+$", max_length = 4096, example = json!(["event"]))]
    pub ignored_tags: Vec<String>,
    /// Why the record was refused; null if it was not.
    pub error: Option<RowError<'static>>,
}

/// What became of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportOutcome {
    /// It is a new game now.
    New,
    /// It was there before.
    Known,
    /// It was refused.
    Refused,
}

/// How many records there were.
#[derive(Clone, Copy, Default, Serialize, ToSchema)]
pub struct ImportSummary {
    /// The records.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub records: u64,
    /// Those that are new games now.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub new: u64,
    /// Those that were there before.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub known: u64,
    /// Those that were refused.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub refused: u64,
}

/// A record to import, as it was read.
pub struct ReadRecord {
    line: u64,
    /// The line that its first line counts as in messages.
    first: u64,
    column: u64,
    import: Result<Import, NotImported>,
}

/// Why a record is not imported.
enum NotImported {
    Missing(NoRecord),
    Refused(ImportError),
}

impl ImportSummary {
    /// Counts what became of a record.
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
    /// Reads a record, which somebody imports who has a secret with this hash, or none.
    pub fn new(cut: &Cut<'_>, owner: Option<Bytes32>) -> Self {
        let import = match &cut.record {
            Ok(record) => Import::read(record, owner).map_err(NotImported::Refused),
            Err(missing) => Err(NotImported::Missing(missing.clone())),
        };
        Self { line: cut.line, first: cut.first, column: cut.column, import }
    }

    /// Adds it to the games, once there is room for it, and tells what became of it; it is the nth of its source.
    ///
    /// # Errors
    /// Where the store fails.
    #[expect(clippy::disallowed_methods, reason = "others make room while time passes")]
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
    /// Tells why a record is not imported that begins on this line, and whose first line counts as `first` in messages.
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
