//! Fields that the position lines of all games share.

use alloc::string::String;

use assam_rules::Seat;

use crate::{Cursor, TokenError};

/// Writes a list with commas between its items, or `-` if it is empty.
pub(crate) fn write_list(items: impl Iterator<Item = String>, out: &mut String) {
    let mut is_empty = true;
    for item in items {
        if !is_empty {
            out.push(',');
        }
        out.push_str(&item);
        is_empty = false;
    }
    if is_empty {
        out.push('-');
    }
}

/// Returns the error of a malformed field.
pub(crate) fn wrong(cursor: &Cursor<'_>, rule: &'static str, expected: &'static str) -> TokenError {
    TokenError { rule, detail: "the position is not written like this", expected, offset: cursor.offset() }
}

/// Takes the next byte if it is a letter with a meaning, and returns the meaning.
pub(crate) fn take<T>(cursor: &mut Cursor<'_>, meaning: impl Fn(char) -> Option<T>) -> Option<T> {
    let meant = cursor.peek().and_then(|byte| meaning(byte.into()))?;
    cursor.bump();
    Some(meant)
}

/// Reads the end of a field.
pub(crate) fn end_field(cursor: &mut Cursor<'_>) -> Result<(), TokenError> {
    if cursor.eat(b';') {
        Ok(())
    } else {
        Err(wrong(cursor, "notation.position.field", "`;` and the next field"))
    }
}

/// Reads the seat that must decide, or `None` for `-`.
pub(crate) fn read_seat_on_turn(cursor: &mut Cursor<'_>) -> Result<Option<Seat>, TokenError> {
    if cursor.eat(b'-') {
        return Ok(None);
    }
    let seat = take(cursor, Seat::from_letter);
    seat.map(Some)
        .ok_or_else(|| wrong(cursor, "notation.position.seat", "the seat on turn, or - when it is over"))
}

/// Reads a number below 10,000 without leading zeros.
pub(crate) fn read_number(cursor: &mut Cursor<'_>) -> Option<u16> {
    let first = cursor.peek().filter(u8::is_ascii_digit)?;
    let mut number = 0_u16;
    let start = cursor.offset();
    while let Some(digit) = cursor.peek().filter(u8::is_ascii_digit) {
        number = number.checked_mul(10)?.checked_add(u16::from(digit - b'0'))?;
        cursor.bump();
    }
    let digits = cursor.offset() - start;
    (digits <= 4 && (first != b'0' || digits == 1)).then_some(number)
}
