//! Cards of Marrakesh as SVG.

use assam_rules::marrakesh::{Card, Suit};

use super::pieces::{Face, face_name};
use crate::picture::Canvas;

/// The width and height of a card in units.
pub(super) const SIZE: (i32, i32) = (40, 54);

/// The place of a card, and its scale.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) x: i32,
    pub(super) y: i32,
    /// The scale in percent.
    pub(super) percent: i32,
}

impl Place {
    /// Returns the SVG attribute for it.
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
        canvas.shape(format_args!("rect id=\"assam-face\" {edge} fill=\"#fffdf6\" stroke=\"#8d8067\""));
        canvas.group("g", format_args!("id=\"assam-back\""), |canvas| {
            canvas.shape(format_args!("rect {edge} fill=\"#7d2f92\" stroke=\"#4b1a59\""));
            canvas.shape(format_args!(
                "path fill=\"none\" stroke=\"#e9cdf2\" stroke-width=\"1.2\" d=\"M5 5h30v44h-30zM20 12l9 15-9 15-9-15zm0 8l4 7-4 7-4-7z\""
            ));
        });
        for suit in Suit::ALL {
            let (letter, colour, path) = shape(suit);
            canvas.shape(format_args!("path id=\"assam-{letter}\" fill=\"{colour}\" d=\"{path}\""));
        }
    });
}

/// Draws a card, or the back of one.
pub(super) fn draw(canvas: &mut Canvas, face: Face, place: Place) {
    let name = face_name(face);
    let Face::Up(card) = face else {
        canvas.shape(format_args!("use href=\"#assam-back\" data-card=\"{name}\" {}", place.transform()));
        return;
    };
    canvas.group("g", format_args!("data-card=\"{name}\" {}", place.transform()), |canvas| {
        let (letter, colour, _) = shape(card.suit());
        canvas.shape(format_args!("use href=\"#assam-face\""));
        let rank = format_args!("x=\"5\" y=\"21\" font-size=\"20\" font-weight=\"700\" fill=\"{colour}\"");
        canvas.text("text", rank, &rank_name(card));
        canvas.shape(format_args!("use href=\"#assam-{letter}\" x=\"23\" y=\"36\""));
    });
}

/// Returns the number of a card as notation writes it.
fn rank_name(card: Card) -> String {
    face_name(Face::Up(card)).chars().take(1).collect()
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
