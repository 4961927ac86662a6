//! Colour contrasts of pictures, as defined by the Web Content Accessibility Guidelines (WCAG).

use super::layout::STAR;
use super::style::CLASSES;

/// The least contrast of a sign and of text.
pub(crate) const SIGN: f64 = 3.0;
const TEXT: f64 = 4.5;

/// Returns the colours that a class gives a property on light and dark pages.
pub(crate) fn colours(class: &str, property: &str) -> [&'static str; 2] {
    let (_, light, dark) =
        CLASSES.into_iter().find(|(name, ..)| *name == class).expect("there is such a class");
    [light, dark].map(|rules: &'static str| {
        let mut rules = rules.split(';').filter_map(|rule| rule.split_once(':'));
        rules.find(|(name, _)| *name == property).expect("the class has this property").1
    })
}

/// Returns the contrast of two colours, 1 to 21.
pub(crate) fn contrast(one: &str, other: &str) -> f64 {
    let [one, other] = [one, other].map(luminance);
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Asserts a least contrast of two colours.
pub(crate) fn assert_apart(least: f64, one: &str, other: &str) {
    let contrast = contrast(one, other);
    assert!(contrast >= least, "{one} on {other} has {contrast:.2} to 1");
}

fn luminance(colour: &str) -> f64 {
    let digits = colour.trim_start_matches('#');
    let digits =
        if digits.len() == 3 { digits.chars().flat_map(|c| [c; 2]).collect() } else { digits.to_owned() };
    let channel = |at: usize| {
        let value =
            u8::from_str_radix(&digits[at..at + 2], 16).expect("a colour is written in hexadecimal digits");
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
}

/// Asserts the least contrast of two classes on pages of either kind.
fn assert_classes_apart(least: f64, one: (&str, &str), other: (&str, &str)) {
    for (one, other) in colours(one.0, one.1).into_iter().zip(colours(other.0, other.1)) {
        assert_apart(least, one, other);
    }
}

#[test]
fn contrasts_are_those_of_the_guidelines() {
    assert!((contrast("#000", "#ffffff") - 21.0).abs() < 1e-9);
    assert!((contrast("#777777", "#fff") - 4.48).abs() < 0.005);
}

#[test]
fn text_is_readable_on_the_panel_and_on_a_row_that_is_marked() {
    for text in ["ink", "faint"] {
        for ground in ["card", "turn"] {
            assert_classes_apart(TEXT, (text, "fill"), (ground, "fill"));
        }
    }
}

#[test]
fn turn_arounds_and_the_signs_of_the_seats_stand_out_from_the_panel() {
    assert_classes_apart(SIGN, ("loop", "stroke"), ("card", "fill"));
    assert_classes_apart(SIGN, ("ink", "fill"), ("turn", "fill"));
    for card in colours("card", "fill") {
        let seen = contrast(STAR.0, card).max(contrast(STAR.1, card));
        assert!(seen >= SIGN, "{seen}");
    }
}

#[test]
fn points_ovals_and_the_marks_on_them_stand_out_from_what_they_lie_on() {
    let (ground, tile) = (("ground", "fill"), ("tile", "fill"));
    assert_classes_apart(SIGN, ("edge", "stroke"), ground);
    assert_classes_apart(SIGN, ("chip", "fill"), tile);
    for mark in ["last", "legal-card"] {
        for under in [ground, tile, ("card", "fill")] {
            assert_classes_apart(SIGN, (mark, "stroke"), under);
        }
    }
}
