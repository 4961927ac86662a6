//! The closed list of rule sets. Here, and only here, a rule set's name becomes its rules.

use assam_notation::Notation;
use assam_rules::{marrakech, marrakesh};

use crate::referee::{Referee, RefereeOf};

/// A rule set and its version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ruleset {
    /// `marrakech/1`.
    Marrakech,
    /// `marrakesh/1`.
    Marrakesh,
}

impl Ruleset {
    /// Every rule set.
    pub const ALL: &'static [Self] = &[Self::Marrakech, Self::Marrakesh];

    /// The rule set with this name and version.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|ruleset| ruleset.name() == name)
    }

    /// Name and version: `marrakech/1`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Marrakech => marrakech::Position::RULESET,
            Self::Marrakesh => marrakesh::Position::RULESET,
        }
    }

    /// Who knows its rules and its notation.
    pub fn referee(self) -> &'static dyn Referee {
        match self {
            Self::Marrakech => &RefereeOf::<marrakech::Position>::NEW,
            Self::Marrakesh => &RefereeOf::<marrakesh::Position>::NEW,
        }
    }
}
