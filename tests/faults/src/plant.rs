//! Planted faults that the judges must find.

use std::collections::BTreeMap;
use std::io::{Error, Result};
use std::path::Path;

use crate::field::database::Database;
use crate::history::{self, Answer, Asked};
use crate::judge::Wrong;

/// A planted fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Plant {
    /// Moves are answered before they are on disk.
    EarlyAnswer,
    /// An acknowledged word is deleted in the database.
    LostAppend,
    /// A word is there twice in the database.
    DoubledAppend,
    /// Some reads get earlier answers.
    StaleRead,
}

impl Plant {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::EarlyAnswer, Self::LostAppend, Self::DoubledAppend, Self::StaleRead];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::EarlyAnswer => "early-answer",
            Self::LostAppend => "lost-append",
            Self::DoubledAppend => "doubled-append",
            Self::StaleRead => "stale-read",
        }
    }

    /// Returns the violation that the judge must find.
    pub fn is(self) -> Wrong {
        match self {
            Self::EarlyAnswer | Self::LostAppend => Wrong::Lost,
            Self::DoubledAppend => Wrong::Doubled,
            Self::StaleRead => Wrong::Stale,
        }
    }

    /// Changes the database after all clients are done, if this plant does.
    ///
    /// # Errors
    /// If there is no game to change.
    pub fn tamper(self, database: &Database, history: &Path) -> Result<()> {
        let is_lost = match self {
            Self::LostAppend => true,
            Self::DoubledAppend => false,
            Self::EarlyAnswer | Self::StaleRead => return Ok(()),
        };
        let mut is_changed = false;
        history::games(history, |game| {
            let mut heads = BTreeMap::new();
            for attempt in &game.attempts {
                if let (Asked::Append { .. }, Answer::Done { ply, hash: Some(hash), .. }) =
                    (&attempt.asked, &attempt.answer)
                {
                    heads.insert(*ply, hash.as_str());
                }
            }
            let mut newest = heads.iter().rev();
            if let (false, Some((last, _)), Some((before, head))) = (is_changed, newest.next(), newest.next())
                && *before == last - 1
            {
                is_changed = database.change_last_word(&game.game, is_lost.then_some(head))?;
            }
            Ok(())
        })?;
        if is_changed { Ok(()) } else { Err(Error::other("no game runs whose last word could be changed")) }
    }
}
