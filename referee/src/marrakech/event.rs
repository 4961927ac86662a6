//! Consequences of moves of Marrakech, as clients see them.

use std::fmt;

use assam_rules::marrakech as rules;
use serde::Serialize;

/// A consequence of a move of Marrakech.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "utoipa", schema(as = MarrakechEvent))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A payment in Marrakech.
    Payment(Payment),
}

/// A payment that a roll caused.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct Payment {
    /// The seat that moved Assam to the rug of another seat.
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 4))]
    pub payer: u8,
    /// The owner of that rug.
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 4))]
    pub payee: u8,
    /// The dirhams owed: one per square of the connected field of rugs.
    #[cfg_attr(feature = "utoipa", schema(maximum = 65_535))]
    pub due: u16,
    /// The dirhams paid: less than owed if the payer had less.
    #[cfg_attr(feature = "utoipa", schema(maximum = 65_535))]
    pub paid: u16,
    /// Whether the payment put the payer out.
    pub eliminated: bool,
}

impl Event {
    pub(super) fn of(payment: &rules::Payment) -> Self {
        Self::Payment(Payment {
            payer: payment.payer.number(),
            payee: payment.payee.number(),
            due: payment.due,
            paid: payment.paid,
            eliminated: payment.eliminated,
        })
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Payment(payment) => payment.fmt(f),
        }
    }
}

impl fmt::Display for Payment {
    /// Writes a sentence, such as `Seat 3 pays 2 of 5 dirhams to seat 1 and is out`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { payer, payee, due, paid, eliminated } = self;
        write!(f, "Seat {payer} pays {paid}")?;
        if paid < due {
            write!(f, " of {due}")?;
        }
        write!(f, " dirham{} to seat {payee}", if *due == 1 { "" } else { "s" })?;
        if *eliminated { f.write_str(" and is out") } else { Ok(()) }
    }
}
