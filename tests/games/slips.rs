//! A single mistyped die or letter.

use assam_referee::{judge, verdict};

/// Returns why a record is refused.
fn why(record: &str) -> String {
    let [all, brief] =
        [judge(record.as_bytes()).verdict.err(), verdict(record.as_bytes()).error].map(Option::unwrap);
    assert_eq!(all, brief);
    all.why.unwrap_or_default()
}

#[test]
fn a_die_that_makes_all_that_follows_legal_is_asked_for() {
    for (record, question) in [
        ("MKN/1 marrakech/1 seats=3\n\nN+3 d5e5 *\n", "did the die of ply 1 show 2? Then the rest is legal"),
        (
            "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6\nW+2 f6f5\n*\n",
            "was `W+2` at ply 3 meant to be `E+2`? Then the rest is legal",
        ),
        ("MKN/1 marrakech/1 seats=3\n\nN+3 d6d7\nE+2 f6f5\nS+1 f4f5\n*\n", "was `d6d7` at ply 2 meant to be"),
    ] {
        let told = why(record);
        assert!(told.contains(question), "{record}: {told}");
    }
}

#[test]
fn where_nothing_or_too_much_would_do_nothing_is_asked() {
    for record in [
        "MKN/1 marrakech/1 seats=3\n\nN+3 a1a2 *\n",
        // Two dice would do, or a rug elsewhere.
        "MKN/1 marrakech/1 seats=3\n\nN+3 d6d7 *\n",
        "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6\nE+1 d6e6\n*\n",
        // The end marker is different.
        "MKN/1 marrakech/1 seats=3\n\nN+3 d5e5 = 1 2 3\n",
        "MKN/1 marrakech/1 seats=3\n\nN+3 d5e5",
        "MKN/1 marrakech/1 seats=3\n\nS+3 *\n",
    ] {
        let told = why(record);
        assert!(!told.contains("Then the rest is legal"), "{record}: {told}");
    }
}
