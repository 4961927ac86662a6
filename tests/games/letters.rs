//! The letters of squares, rugs, cards and similar values: written values read back, and no other text is
//! accepted.

use std::collections::BTreeSet;
use std::fmt::{Debug, Display};
use std::str::FromStr;

use assam_rules::marrakech::{Colour, Die, Direction, Rug, Square};
use assam_rules::marrakesh::{Card, Digit, Rank, Side, Suit};
use assam_rules::{LettersError, Seat};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Returns every text of so many ASCII characters, and some other texts.
fn texts(letters: u32) -> impl Iterator<Item = String> {
    let ascii = (0..128_u32.pow(letters)).map(move |n| {
        (0..letters).map(|place| char::from((n >> (7 * place) & 127) as u8)).collect::<String>()
    });
    ascii.chain(
        ["", "é", "a١", "١", "ａ1", "♠", "6♠", "abc", "a1 ", " a1", "d6e", "d6e6d6"].map(str::to_owned),
    )
}

/// Checks that the values of a type have the given texts, that `FromStr` and serde read each as its value,
/// and that they refuse every other text tried.
fn have_letters<T>(values: impl IntoIterator<Item = T>, written: &str, tried: impl Iterator<Item = String>)
where
    T: Copy + PartialEq + Debug + Display + FromStr<Err = LettersError> + Serialize + DeserializeOwned,
{
    let values: Vec<T> = values.into_iter().collect();
    let texts: Vec<String> = values.iter().map(T::to_string).collect();
    assert_eq!(texts.join(" "), written);
    for (value, text) in values.iter().zip(&texts) {
        assert_eq!(text.parse::<T>(), Ok(*value));
        let json = serde_json::to_string(value).unwrap();
        assert_eq!(json, format!("\"{text}\""));
        assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *value);
        assert_eq!(format!("[{value:>6}]"), format!("[{text:>6}]"), "a width is kept");
    }
    let known: BTreeSet<&str> = texts.iter().map(String::as_str).collect();
    assert_eq!(known.len(), values.len(), "no two are written alike");
    for text in tried.filter(|text| !known.contains(text.as_str())) {
        let refused = text.parse::<T>().expect_err(&text);
        assert_eq!(refused.to_string(), format!("this is not {}", refused.expected));
        let json = serde_json::to_string(&text).unwrap();
        let error = serde_json::from_str::<T>(&json).expect_err(&text).to_string();
        assert!(error.starts_with(&refused.to_string()), "{error}");
    }
}

#[test]
fn small_things_have_one_letter_and_no_other_text_is_read_as_one() {
    have_letters(Seat::all(4), "1 2 3 4", texts(1));
    have_letters(Colour::ALL, "r y b g", texts(1));
    have_letters(Direction::ALL, "N E S W", texts(1));
    have_letters([Die::One, Die::Two, Die::Three, Die::Four], "1 2 3 4", texts(1));
    have_letters(Side::BOTH, "b r", texts(1));
    have_letters(Suit::ALL, "s h d c", texts(1));
    have_letters(Rank::ALL, "6 5 4 3 2 A Q", texts(1));
    have_letters(Digit::all(), "1 2 3 4 5 6", texts(1));
}

#[test]
fn every_square_and_every_card_has_two_letters_and_no_other_text_is_read_as_one() {
    have_letters(
        Square::all(),
        "a1 b1 c1 d1 e1 f1 g1 a2 b2 c2 d2 e2 f2 g2 a3 b3 c3 d3 e3 f3 g3 a4 b4 c4 d4 e4 f4 g4 \
         a5 b5 c5 d5 e5 f5 g5 a6 b6 c6 d6 e6 f6 g6 a7 b7 c7 d7 e7 f7 g7",
        texts(2),
    );
    have_letters(
        Card::all(),
        "6s 5s 4s 3s 2s As Qs 6h 5h 4h 3h 2h Ah Qh 6d 5d 4d 3d 2d Ad Qd 6c 5c 4c 3c 2c Ac Qc",
        texts(2),
    );
}

#[test]
fn every_rug_is_written_as_its_two_squares_and_read_in_either_order() {
    let mut rugs = Vec::new();
    let mut written = Vec::new();
    for low in Square::all() {
        for direction in [Direction::East, Direction::North] {
            let Some(high) = low.step(direction) else { continue };
            rugs.push(Rug::new(low, high).unwrap());
            written.push(format!("{low}{high}"));
            assert_eq!(format!("{high}{low}").parse::<Rug>().as_ref(), Ok(rugs.last().unwrap()));
        }
    }
    assert_eq!(rugs.len(), 84);
    let pairs = Square::all().flat_map(|a| Square::all().map(move |b| (a, b)));
    let apart = pairs.filter(|&(a, b)| Rug::new(a, b).is_none()).map(|(a, b)| format!("{a}{b}"));
    have_letters(
        rugs,
        &written.join(" "),
        apart.chain(texts(2)).chain(["a1a0", "g1h1", "d6E6"].map(str::to_owned)),
    );
}

#[test]
fn a_text_that_is_refused_says_what_was_expected() {
    let refused = [
        "h1".parse::<Square>().map(drop),
        "d6f6".parse::<Rug>().map(drop),
        "x".parse::<Colour>().map(drop),
        "1s".parse::<Card>().map(drop),
    ];
    let told = refused.map(|refused| refused.unwrap_err().to_string());
    assert_eq!(
        told,
        [
            "this is not a square, a1 to g7",
            "this is not a rug, two squares that share a side, such as d6e6",
            "this is not a colour, r, y, b or g",
            "this is not a card, number and suit, such as 6s, Ah or Qc",
        ]
    );
}
