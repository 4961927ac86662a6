//! The first line, which has everything that a replay depends on.

use assam_notation::{ErrorKind, Notation, OptionKind};
use assam_rules::marrakech::Position;

use super::{error, read};

/// Returns the first line, read and written again.
fn canonical(settings: &str) -> String {
    let record = read(format!("MKN/1 marrakech/1 {settings}\n\n*\n"));
    if let Err(error) = record.verdict {
        assert_eq!(error.rule, "notation.word.lacks-start", "{settings}");
    }
    record.opening.unwrap().line().replacen("MKN/1 marrakech/1 ", "", 1)
}

fn refused(settings: &str) -> (ErrorKind, &'static str, u32) {
    let error = error(format!("MKN/1 marrakech/1 {settings}\n\n*\n"));
    assert_eq!(error.place.line, 1, "{settings}");
    (error.kind, error.rule, error.place.column)
}

#[test]
fn settings_are_read_in_any_order_and_written_in_alphabetical_order() {
    let shuffled = "two_player=one-colour track=nw-se seats=2 cover=any start_dirhams=0 bankrupt_rugs=open";
    let ordered = "seats=2 bankrupt_rugs=open cover=any start_dirhams=0 track=nw-se two_player=one-colour";
    assert_eq!(canonical(shuffled), ordered);
    assert_eq!(canonical(ordered), ordered);
}

#[test]
fn a_default_may_be_stated_and_is_not_written() {
    for option in Position::OPTIONS {
        if !["rugs_per_player", "two_player"].contains(&option.name) {
            assert_eq!(canonical(&format!("seats=3 {}={}", option.name, option.default)), "seats=3");
        }
    }
    assert_eq!(canonical("seats=2 two_player=two-colours"), "seats=2");
}

#[test]
fn the_default_of_rugs_per_player_is_that_of_the_table() {
    assert_eq!(canonical("seats=2 rugs_per_player=24"), "seats=2");
    assert_eq!(
        canonical("seats=2 rugs_per_player=15 two_player=one-colour"),
        "seats=2 two_player=one-colour"
    );
    assert_eq!(canonical("seats=3 rugs_per_player=15"), "seats=3");
    assert_eq!(canonical("seats=4 rugs_per_player=12"), "seats=4");
    assert_eq!(canonical("seats=4 rugs_per_player=15"), "seats=4 rugs_per_player=15");
    assert_eq!(canonical("seats=3 rugs_per_player=12"), "seats=3 rugs_per_player=12");
}

#[test]
fn every_value_that_an_option_names_is_read_and_written_and_no_other() {
    for option in Position::OPTIONS {
        let values: Vec<String> = match option.kind {
            OptionKind::Choice(values) => values.iter().map(|(value, _)| value.to_string()).collect(),
            OptionKind::Number { min, max } => {
                for outside in [i32::from(min) - 1, i32::from(max) + 1] {
                    let (code, _, column) = refused(&format!("seats=3 {}={outside}", option.name));
                    // -1 is not a number here, and 0 - 1 is not a value at all.
                    assert_eq!((code, column), (ErrorKind::UnknownOption, 27), "{outside}");
                }
                vec![min.to_string(), max.to_string()]
            }
        };
        let seats = if option.name == "two_player" { 2 } else { 3 };
        for value in values {
            let settings = format!("seats={seats} {}={value}", option.name);
            let written = canonical(&settings);
            assert!(written == settings || value == option.default, "{settings}: {written}");
        }
        assert_eq!(
            refused(&format!("seats={seats} {}=nonsense", option.name)),
            (ErrorKind::UnknownOption, "notation.setup.option-value", 27)
        );
    }
}

#[test]
fn options_stand_in_alphabetical_order() {
    assert!(Position::OPTIONS.is_sorted_by_key(|option| option.name));
    let setup = read("MKN/1 marrakech/1 seats=2\n\n*\n").opening.unwrap().setup().to_owned();
    let named: Vec<&str> = Position::OPTIONS.iter().map(|option| option.name).collect();
    assert_eq!(Position::options(&setup).iter().map(|option| option.name).collect::<Vec<_>>(), named);
}

#[test]
fn a_setting_twice_is_refused_even_where_both_say_the_same() {
    let twice = (ErrorKind::NotationSyntax, "notation.setup.duplicate");
    for (settings, column) in [
        ("seats=3 seats=3", 27),
        ("seats=3 cover=any cover=any", 37),
        ("cover=any seats=3 cover=opponents", 37),
    ] {
        assert_eq!(refused(settings), (twice.0, twice.1, column), "{settings}");
    }
}

#[test]
fn an_unknown_option_is_refused_by_name() {
    let settings = "seats=3 cover=any colour=any";
    assert_eq!(refused(settings), (ErrorKind::UnknownOption, "notation.setup.unknown-option", 37));
    let detail = error(format!("MKN/1 marrakech/1 {settings}\n\n*\n")).detail;
    assert!(detail.contains("\"colour\"") && detail.contains("bankrupt_rugs"), "{detail}");
}

#[test]
fn what_does_not_go_together_is_refused_at_the_setting() {
    let value = "notation.setup.option-value";
    assert_eq!(refused("seats=3 two_player=one-colour"), (ErrorKind::UnknownOption, value, 27));
    assert_eq!(refused("seats=4 two_player=two-colours"), (ErrorKind::UnknownOption, value, 27));
    assert_eq!(refused("seats=2 cover=any rugs_per_player=7"), (ErrorKind::UnknownOption, value, 37));
    assert_eq!(canonical("seats=2 rugs_per_player=7 two_player=one-colour").split(' ').count(), 3);
    assert_eq!(refused("cover=any seats=1"), (ErrorKind::UnknownOption, value, 29));
    assert_eq!(refused("seats=9"), (ErrorKind::UnknownOption, value, 19));
}

#[test]
fn a_number_has_one_spelling() {
    for number in ["030", "+30", "30.0", "3e1", "1000", "99999999999"] {
        let (code, _, _) = refused(&format!("seats=3 start_dirhams={number}"));
        assert!(matches!(code, ErrorKind::UnknownOption | ErrorKind::NotationSyntax), "{number}");
    }
}

#[test]
fn the_first_line_is_strict_in_its_spaces_and_letters() {
    for line in [
        " MKN/1 marrakech/1 seats=3",
        "MKN/ marrakech/1 seats=3",
        "MKN/x marrakech/1 seats=3",
        "mkn/1 marrakech/1 seats=3",
        "MKN/1  marrakech/1 seats=3",
        "MKN/1\tmarrakech/1 seats=3",
        "MKN/1 marrakech/1 seats=3 ",
        "MKN/1 marrakech seats=3",
        "MKN/1 marrakech/x seats=3",
        "MKN/1 marrakech/1 seats =3",
        "MKN/1 marrakech/1 seats=",
        "MKN/1 marrakech/1 =3",
        "MKN/1 marrakech/1 seats=03",
        "MKN/1 marrakech/1 seats=0",
        "MKN/1 marrakech/1 seats=3 cover",
        "",
        "MKN",
    ] {
        assert_eq!(error(format!("{line}\n\n*\n")).kind, ErrorKind::NotationSyntax, "{line:?}");
    }
    for line in ["MKN/01 marrakech/1 seats=3", "MKN/10 marrakech/1 seats=3"] {
        assert_eq!(error(format!("{line}\n\n*\n")).kind, ErrorKind::UnsupportedNotation, "{line:?}");
    }
}
