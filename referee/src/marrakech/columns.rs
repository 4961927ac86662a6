//! The columns of Marrakech in a table of plies.

use assam_rules::marrakech::{Chance, Payment, Position};
use serde::Serialize;

use crate::{Column, Datum};

pub(super) const COLUMNS: &[Column] = &[
    Column::number("die"),
    Column::text("turned_up"),
    Column::text("assam"),
    Column::number("payer"),
    Column::number("payee"),
    Column::number("due"),
    Column::number("paid"),
    Column::flag("payer_out"),
    Column::text("further_rolls"),
];

/// A roll after the first of a word, and its payment.
#[derive(Serialize)]
struct FurtherRoll {
    die: u8,
    #[serde(flatten)]
    owed: Option<Owed>,
}

#[derive(Serialize)]
struct Owed {
    payer: u8,
    payee: u8,
    due: u16,
    paid: u16,
    payer_out: bool,
}

/// Fills in a row. If a payment puts out a seat before it lays a rug, the next seat may roll in the same
/// word. So each roll but the last has a payment.
pub(super) fn fill(position: &Position, drawn: &[Chance], payments: &[Payment], row: &mut [Datum]) {
    let [die, turned_up, assam, payer, payee, due, paid, payer_out, further_rolls] = row else { return };
    for chance in drawn {
        if let Chance::Colour(colour) = *chance {
            *turned_up = colour.to_string().into();
        }
    }
    *assam = position.assam().0.to_string().into();
    if let Some(payment) = payments.first() {
        *payer = payment.payer.number().into();
        *payee = payment.payee.number().into();
        *due = payment.due.into();
        *paid = payment.paid.into();
        *payer_out = payment.eliminated.into();
    }
    let mut rolls = drawn.iter().filter_map(|chance| match chance {
        Chance::Die(rolled) => Some(rolled.steps()),
        Chance::Colour(_) => None,
    });
    *die = rolls.next().into();
    let owed = payments.iter().skip(1).map(Some).chain(std::iter::repeat(None));
    let further: Vec<FurtherRoll> =
        rolls.zip(owed).map(|(die, payment)| FurtherRoll { die, owed: payment.map(Owed::of) }).collect();
    if !further.is_empty() {
        // It has only string keys, and nothing that fails.
        *further_rolls = serde_json::to_string(&further).ok().into();
    }
}

impl Owed {
    fn of(payment: &Payment) -> Self {
        Self {
            payer: payment.payer.number(),
            payee: payment.payee.number(),
            due: payment.due,
            paid: payment.paid,
            payer_out: payment.eliminated,
        }
    }
}
