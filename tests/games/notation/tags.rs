//! Tags: annotations that never change a game.

use assam_notation::check_tag;

use super::{read, rule_at};

fn with_tags(tags: &str) -> String {
    format!("MKN/1 marrakech/1 seats=3\n{tags}\nN+3 d6e6\n*\n")
}

#[test]
fn tags_keep_their_order_and_unknown_ones_are_kept() {
    let text = with_tags("zulu: last\nseat2: B\nx-2: \u{5c71}: \"\\\nevent:\nseat1: A\n");
    let record = read(&text);
    let names: Vec<&str> = record.tags.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["zulu", "seat2", "x-2", "event", "seat1"]);
    assert_eq!(record.tags[2].1, "\u{5c71}: \"\\");
    assert_eq!(record.file_form(), text);
}

#[test]
fn tags_are_no_part_of_the_identity() {
    assert_eq!(read(with_tags("seat1: A\n")).canonical(), read(with_tags("")).canonical());
}

#[test]
fn a_tag_is_refused_where_it_could_not_be_written_back() {
    for (tag, rule, column) in [
        ("Seat1: A", "notation.tag.name", 1),
        ("seat 1: A", "notation.tag.name", 1),
        (": A", "notation.tag.name", 1),
        ("seat_1: A", "notation.tag.name", 1),
        ("seat1", "notation.tag.name", 1),
        (" seat1: A", "notation.tag.name", 1),
        ("seat1:A", "notation.tag.space", 1),
        ("seat1:\tA", "notation.tag.space", 7),
        ("seat1:  A", "notation.tag.value", 8),
        ("seat1: A ", "notation.tag.value", 9),
        ("seat1: A\u{7f}", "notation.tag.value", 9),
        ("seat1: A\u{85}B", "notation.tag.value", 9),
        ("seat1: A\u{a0}", "notation.tag.value", 9),
    ] {
        assert_eq!(rule_at(with_tags(&format!("{tag}\n"))), (rule, 2, column), "{tag:?}");
    }
    assert_eq!(rule_at(with_tags("a: 1\nb: 2\na: 3\n")), ("notation.tag.duplicate", 4, 1));
}

#[test]
fn check_tag_says_what_a_reader_would() {
    for (name, value) in [("seat1", "A"), ("event", ""), ("x-2", "\u{5c71} \u{7530}: *")] {
        assert!(check_tag(name, value), "{name}: {value}");
        assert_eq!(read(with_tags(&format!("{name}: {value}\n"))).verdict, Ok(()));
    }
    for (name, value) in [("", "A"), ("Seat1", "A"), ("seat1", " A"), ("seat1", "A\nb: c"), ("seat1", "A\r")]
    {
        assert!(!check_tag(name, value), "{name}: {value}");
    }
    assert!(check_tag("a", &"x".repeat(4093)));
    assert!(!check_tag("a", &"x".repeat(4094)));
}
