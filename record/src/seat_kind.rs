//! The kind of a seat's holder: none yet, a person outside the service, or a built-in player.

use assam_players::Player;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Open, or the kind of player that holds a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeatKind {
    /// No player yet.
    Open,
    /// A player outside the service.
    Human,
    /// A player that the service plays.
    BuiltIn(Player),
}

impl SeatKind {
    /// Returns every kind.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Open, Self::Human].into_iter().chain(Player::ALL.iter().copied().map(Self::BuiltIn))
    }

    /// Returns the name, as in the interface and in the text that `start` hashes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Human => "human",
            Self::BuiltIn(player) => player.name(),
        }
    }

    /// Returns the kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|kind| kind.name() == name)
    }

    /// Returns the player that the service plays on such a seat.
    pub const fn player(self) -> Option<Player> {
        match self {
            Self::Open | Self::Human => None,
            Self::BuiltIn(player) => Some(player),
        }
    }
}

impl Serialize for SeatKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for SeatKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let unknown = || {
            let known: Vec<String> = Self::all().map(|kind| format!("`{}`", kind.name())).collect();
            D::Error::custom(format!("unknown variant `{name}`, expected one of {}", known.join(", ")))
        };
        Self::named(&name).ok_or_else(unknown)
    }
}

impl PartialSchema for SeatKind {
    fn schema() -> RefOr<Schema> {
        let names = Self::all().map(Self::name);
        let kinds = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names));
        kinds
            .description(Some("`open`, `human` for a player outside the service, or a built-in player."))
            .build()
            .into()
    }
}

impl ToSchema for SeatKind {}
