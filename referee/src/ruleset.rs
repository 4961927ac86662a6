//! The closed list of games. Only this module maps the name of a rule set to its rules.

use assam_rules::{marrakech, marrakesh};

use crate::Shown;

/// A rule set and its version.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ruleset {
    /// `marrakech/1`.
    Marrakech,
    /// `marrakesh/1`.
    Marrakesh,
}

/// An operation on the game of any rule set.
pub trait Visitor {
    /// The result of the operation.
    type Output;

    /// Performs the operation on the game `G`.
    fn visit<G: Shown>(self, ruleset: Ruleset) -> Self::Output;
}

impl Ruleset {
    /// Every rule set. Stores keep a rule set as its index in this list, so new ones go at the end.
    pub const ALL: &'static [Self] = &[Self::Marrakech, Self::Marrakesh];

    /// Performs an operation on the game of this rule set.
    pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
        match self {
            Self::Marrakech => visitor.visit::<marrakech::Position>(self),
            Self::Marrakesh => visitor.visit::<marrakesh::Position>(self),
        }
    }
}
