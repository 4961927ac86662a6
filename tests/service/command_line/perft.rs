//! `assam perft`: the figures of docs/develop/perft.md from the command line, and the share of each first
//! decision.

use crate::harness::{assam, err, out};

/// Returns the rows of a count, and those of the first decisions.
fn counted(arguments: &[&str]) -> (Vec<u64>, Vec<(String, u64)>) {
    let told = assam(&[&["perft"], arguments].concat(), "");
    assert_eq!(told.status.code(), Some(0), "{told:?}");
    let told = out(&told);
    let (counts, divided) = told.split_once("\n\n").unwrap_or((&told, ""));
    let row = |line: &str| {
        let (name, count) = line.trim().split_once(' ').unwrap();
        (name.to_owned(), count.trim().parse().unwrap())
    };
    (counts.lines().map(|line| row(line).1).collect(), divided.lines().map(row).collect())
}

#[test]
fn perft_counts_from_the_start_under_any_setup() {
    assert_eq!(counted(&["4", "--seats", "3"]).0, [12, 111, 1332, 10917]);
    assert_eq!(counted(&["4"]).0, [24, 444, 5328, 87336]);
    assert_eq!(counted(&["3", "--seats", "4", "--option", "orientation=end"]).0, [37, 444, 3639]);
}

#[test]
fn perft_divided_by_first_decisions_adds_up() {
    let position =
        "marrakech/1 seats=3 cover=any position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-";
    for arguments in [&["3", "--divide", "--seats", "3"][..], &["3", "--divide", "--position", position]] {
        let (counts, divided) = counted(arguments);
        assert_eq!(
            divided.iter().map(|(decision, _)| decision.as_str()).collect::<Vec<_>>(),
            ["N", "E", "W"]
        );
        assert_eq!(divided.iter().map(|(_, lines)| lines).sum::<u64>(), counts[2]);
    }
}

#[test]
fn perft_is_divided_by_what_is_drawn_first_where_something_is() {
    let (counts, divided) = counted(&["3", "--divide"]);
    assert_eq!(divided.iter().map(|(drawn, _)| drawn.as_str()).collect::<Vec<_>>(), ["+r", "+y"]);
    assert_eq!(divided.iter().map(|(_, lines)| lines).sum::<u64>(), counts[2]);
}

#[test]
fn perft_refuses_what_is_no_position() {
    for (line, told) in [
        ("MKN/1 marrakech/1 seats=3\n\n*\n", "this is a record, not a position line"),
        ("marrakech/1 seats=3 position=8/7", "notation.position.board"),
        ("marrakech/1 seats=3", "a position line ends with its position"),
    ] {
        let refused = assam(&["perft", "2", "--position", line], "");
        assert_eq!(refused.status.code(), Some(1), "{line}");
        assert!(err(&refused).starts_with("assam: ") && err(&refused).contains(told), "{}", err(&refused));
    }
}

#[test]
fn where_nothing_is_counted_standard_error_says_why_and_how_to_count_something() {
    let none = assam(&["perft", "2", "--ruleset", "marrakesh/1"], "");
    assert_eq!(
        (none.status.code(), out(&none).split_whitespace().collect::<Vec<_>>().join(" ")),
        (Some(0), "1 0 2 0".into())
    );
    assert!(err(&none).contains("such as a deal, has too many outcomes to list"), "{}", err(&none));
    // The advised game has something to count.
    let game = out(&assam(&["random", "--ruleset", "marrakesh/1"], ""));
    let positions = out(&assam(&["convert", "-", "--to", "positions"], &game));
    assert!(
        counted(&["2", "--position", positions.lines().next().unwrap()]).0.iter().all(|lines| *lines > 0)
    );
    assert!(
        err(&none).contains("assam random --ruleset marrakesh/1 | assam convert - --to positions"),
        "{}",
        err(&none)
    );
    let over = assam(&["perft", "1", "--position", positions.lines().last().unwrap()], "");
    assert!(err(&over).contains("the game is over in this position"), "{}", err(&over));
    // The counts come without warnings.
    assert_eq!(err(&assam(&["perft", "2"], "")), "");
}
