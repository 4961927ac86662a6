//! The rated players.

use std::fmt;
use std::str::FromStr;

use assam_players::Player;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::game::{Holder, PlayerId};

/// A rated player: a person by their public id, or a built-in player by its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Competitor {
    /// A person.
    Player(PlayerId),
    /// A built-in player.
    BuiltIn(Player),
}

impl Competitor {
    /// Returns the holder of a seat, or `None` for an open seat.
    pub fn new(holder: &Holder) -> Option<Self> {
        holder.kind.player().map(Self::BuiltIn).or(holder.player.map(Self::Player))
    }
}

impl fmt::Display for Competitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Player(id) => id.fmt(f),
            Self::BuiltIn(player) => f.write_str(player.name()),
        }
    }
}

/// The error of a text that does not name a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a player is the 20 hex digits of a public id, or the name of a built-in player")]
pub struct NotACompetitor;

impl FromStr for Competitor {
    type Err = NotACompetitor;

    fn from_str(text: &str) -> Result<Self, NotACompetitor> {
        match Player::newest(text) {
            Some(player) => Ok(Self::BuiltIn(player)),
            None => text.parse().map(Self::Player).map_err(|_| NotACompetitor),
        }
    }
}

impl Serialize for Competitor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Competitor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl PartialSchema for Competitor {
    fn schema() -> RefOr<Schema> {
        let pattern = Some("^([0-9a-f]{20}|[a-z0-9-]{1,20}(/[1-9][0-9]{0,3})?)$");
        ObjectBuilder::new().schema_type(Type::String).pattern(pattern).into()
    }
}

impl ToSchema for Competitor {}
