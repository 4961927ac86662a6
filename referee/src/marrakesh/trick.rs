//! A finished trick of Marrakesh as clients see it.

use assam_rules::marrakesh as rules;
use serde::Serialize;

use super::names::number;

/// A finished trick.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct Trick {
    /// The seat that led.
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 2, example = 1))]
    pub leader: u8,
    /// The card led.
    #[cfg_attr(feature = "utoipa", schema(pattern = "^[A2-6Q][shdc]$", example = "6s"))]
    pub lead: String,
    /// The card that the other seat replied with.
    #[cfg_attr(feature = "utoipa", schema(pattern = "^[A2-6Q][shdc]$", example = "2c"))]
    pub reply: String,
    /// The seat that won the trick.
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 2, example = 2))]
    pub winner: u8,
}

impl Trick {
    pub(super) fn of(trick: &rules::Trick) -> Self {
        Self {
            leader: number(trick.leader),
            lead: trick.lead.to_string(),
            reply: trick.reply.to_string(),
            winner: number(trick.winner()),
        }
    }
}
