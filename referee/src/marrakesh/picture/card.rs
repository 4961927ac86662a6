//! Cards of Marrakesh as SVG.

use assam_rules::marrakesh::{Rank, Side, Suit};

use super::super::names::number;
use super::pieces::{Face, face_name};
use crate::picture::Canvas;

/// The width and height of a card in units.
pub(super) const SIZE: (i32, i32) = (40, 54);
/// The colour of its face.
pub(super) const FACE: &str = "#fffdf6";

/// The place of a card, and its scale.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) x: i32,
    pub(super) y: i32,
    /// The scale in percent.
    pub(super) percent: i32,
}

impl Place {
    /// Returns a length in the units around it.
    pub(super) const fn of(self, units: i32) -> i32 {
        units * self.percent / 100
    }

    /// Returns its SVG attribute.
    pub(super) fn transform(self) -> String {
        let Self { x, y, percent } = self;
        match percent {
            100 => format!("transform=\"translate({x} {y})\""),
            percent => format!("transform=\"translate({x} {y}) scale(.{percent:02})\""),
        }
    }
}

/// Defines a blank card, the back of a card, and the four suits, each around a centre.
pub(super) fn define(canvas: &mut Canvas) {
    let (width, height) = SIZE;
    canvas.group("defs", format_args!(""), |canvas| {
        let edge = format!("width=\"{width}\" height=\"{height}\" rx=\"5\"");
        canvas.shape(format_args!("rect id=\"assam-card-face\" {edge} fill=\"{FACE}\" stroke=\"#8d8067\""));
        canvas.group("g", format_args!("id=\"assam-card-back\""), |canvas| {
            canvas.shape(format_args!("rect {edge} fill=\"#7d2f92\" stroke=\"#4b1a59\""));
            canvas.shape(format_args!(
                "path fill=\"none\" stroke=\"#e9cdf2\" stroke-width=\"1.2\" d=\"M5 5h30v44h-30zM20 12l9 15-9 15-9-15zm0 8l4 7-4 7-4-7z\""
            ));
        });
        for suit in Suit::ALL {
            let (letter, colour, path) = shape(suit);
            canvas.shape(format_args!("path id=\"assam-suit-{letter}\" fill=\"{colour}\" d=\"{path}\""));
        }
    });
}

/// The role of a card on the table.
#[derive(Clone, Copy)]
pub(super) enum Part {
    /// It is in the hand of a player.
    Hand(Side),
    /// This player led it.
    Lead(Side),
    /// This player replied with it.
    Reply(Side),
    /// This player played it in a finished trick.
    Finished(Side),
    /// It is the bonus card.
    Bonus,
    /// It represents the deck.
    Deck,
    /// It is on top of the discards.
    Discards,
}

impl Part {
    /// Returns its SVG attributes.
    fn attributes(self) -> String {
        let of = |place: &str, side: Side| format!("data-place=\"{place}\" data-seat=\"{}\"", number(side));
        match self {
            Self::Hand(side) => of("hand", side),
            Self::Lead(side) => of("lead", side),
            Self::Reply(side) => of("reply", side),
            Self::Finished(side) => of("finished", side),
            Self::Bonus => "data-place=\"bonus\"".to_owned(),
            Self::Deck => "data-place=\"deck\"".to_owned(),
            Self::Discards => "data-place=\"discards\"".to_owned(),
        }
    }
}

/// Draws a card, or the back of one.
pub(super) fn draw(canvas: &mut Canvas, face: Face, part: Part, place: Place) {
    let attributes = format!(
        "data-card=\"{}\" {} aria-label=\"{}\" {}",
        face_name(face),
        part.attributes(),
        label(face),
        place.transform()
    );
    canvas.group("g", format_args!("{attributes}"), |canvas| {
        let Face::Up(card) = face else {
            return canvas.shape(format_args!("use href=\"#assam-card-back\""));
        };
        let (letter, colour, _) = shape(card.suit());
        canvas.shape(format_args!("use href=\"#assam-card-face\""));
        let rank = format_args!("x=\"5\" y=\"21\" font-size=\"20\" font-weight=\"700\" fill=\"{colour}\"");
        canvas.text("text", rank, &card.rank().to_string());
        canvas.shape(format_args!("use href=\"#assam-suit-{letter}\" x=\"23\" y=\"36\""));
    });
}

/// Returns the card in words.
fn label(face: Face) -> String {
    let Face::Up(card) = face else { return "hidden card".to_owned() };
    let rank = match card.rank() {
        Rank::Six => "6",
        Rank::Five => "5",
        Rank::Four => "4",
        Rank::Three => "3",
        Rank::Two => "2",
        Rank::Ace => "ace",
        Rank::Queen => "queen",
    };
    let suit = match card.suit() {
        Suit::Spades => "spades",
        Suit::Hearts => "hearts",
        Suit::Diamonds => "diamonds",
        Suit::Clubs => "clubs",
    };
    format!("{rank} of {suit}")
}

/// Returns the letter of a suit in notation, its colour, and its shape around a centre.
const fn shape(suit: Suit) -> (char, &'static str, &'static str) {
    match suit {
        Suit::Spades => (
            's',
            "#26211a",
            "M0-12C13-2 12 7 6.5 7 3.5 7 1.5 5.5 1 4L4 12H-4L-1 4C-1.5 5.5-3.5 7-6.5 7-12 7-13-2 0-12z",
        ),
        Suit::Hearts => {
            ('h', "#bd2c2c", "M0 12C-14 1-12-10-6-10-3-10-1-8 0-5 1-8 3-10 6-10 12-10 14 1 0 12z")
        }
        Suit::Diamonds => ('d', "#1d63a8", "M0-12L9 0 0 12-9 0z"),
        Suit::Clubs => (
            'c',
            "#2b7136",
            "M0-12a5 5 0 0 1 4.5 7.5A5 5 0 1 1 1 3.5L4 12H-4L-1 3.5A5 5 0 1 1-4.5-4.5 5 5 0 0 1 0-12z",
        ),
    }
}
