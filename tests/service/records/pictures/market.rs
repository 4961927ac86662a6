//! SVGs of every Marrakech position in the vectors.

use std::collections::BTreeSet;

use assam_referee::picture::PictureForm;
use roxmltree::{Document, Node};

use super::{for_each_position, name};

/// Returns the square with this point of the board as its middle.
fn square_at(x: i32, y: i32) -> String {
    assert_eq!((x % 40, y % 40), (20, 20));
    name(x as usize / 40, 6 - y as usize / 40)
}

fn numbers(text: &str) -> Vec<i32> {
    text.split(|c: char| !c.is_ascii_digit() && c != '-').filter_map(|number| number.parse().ok()).collect()
}

/// Returns the squares that an element on the board covers, west or south first.
fn place(node: &Node<'_, '_>, is_whole: bool) -> String {
    let number = |name| node.attribute(name).map_or(0, |value: &str| value.parse().unwrap());
    let transform = node.attribute("transform").unwrap_or_default();
    let moved = numbers(transform.split(')').next().unwrap());
    let (x, y) = match moved.as_slice() {
        [x, y] => (*x, *y),
        _ => (number("x"), number("y")),
    };
    let first = square_at(x + 20, y + 20);
    match (is_whole, transform.contains("rotate(-90 20 20)")) {
        (false, _) => first,
        (true, false) => first + &square_at(x + 60, y + 20),
        (true, true) => first + &square_at(x + 20, y - 20),
    }
}

#[test]
fn an_svg_has_every_whole_rug_every_half_and_assam_where_they_lie() {
    for_each_position(|table, moment, truth| {
        let svg = table.svg(moment, &PictureForm::default());
        let document = Document::parse(&svg).unwrap();
        let root = document.root_element();
        let board = root.children().find(|node| node.attribute("data-board") == Some("marrakech")).unwrap();
        let things = board.children().find(|node| node.attribute("pointer-events") == Some("none")).unwrap();
        let uses = |node: Node<'_, '_>| -> Vec<(String, String)> {
            let uses =
                node.children().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "use")));
            let read = |node: Node<'_, '_>| {
                let id = node.attribute("href").unwrap().strip_prefix("#assam-rug-").unwrap().to_owned();
                assert!(
                    document.descendants().any(|n| n.attribute("id") == Some(&format!("assam-rug-{id}")))
                );
                let place = place(&node, id.len() == 2);
                assert_eq!(node.attribute("data-rug"), Some(place.as_str()));
                assert_eq!(node.attribute("data-colour").map(str::to_lowercase).as_deref(), id.get(..1));
                (id, place)
            };
            uses.map(read).collect()
        };
        let (whole, halves): (Vec<_>, Vec<_>) = uses(things).into_iter().partition(|(id, _)| id.len() == 2);
        assert!(whole.iter().all(|(id, _)| id.as_bytes()[0] == id.as_bytes()[1]));
        for (id, place) in whole.iter().chain(&halves) {
            let (file, rank) = (place.as_bytes()[0] - b'a', place.as_bytes()[1] - b'1');
            assert_eq!(id.chars().next(), Some(truth.letter(file.into(), rank.into())), "{svg}");
        }
        let places = |uses: &[(String, String)]| -> BTreeSet<String> {
            uses.iter().map(|(_, place)| place.clone()).collect()
        };
        assert_eq!((whole.len(), halves.len()), (truth.whole_rugs.len(), truth.halves().len()));
        assert_eq!(places(&whole), truth.whole_rugs);
        assert_eq!(places(&halves), truth.halves());
        let himself = things.children().find(|node| node.has_attribute("data-merchant")).unwrap();
        assert_eq!(himself.attribute("data-merchant"), Some(truth.assam.as_str()));
        assert_eq!(himself.attribute("data-facing"), Some(truth.facing.to_string().as_str()));
        let [x, y, turn] = numbers(himself.attribute("transform").unwrap())[..] else { panic!("{svg}") };
        assert_eq!(square_at(x, y), truth.assam);
        assert_eq!(turn / 90, "NESW".find(truth.facing).unwrap() as i32);
    });
}

#[test]
fn every_square_of_an_svg_says_what_lies_on_it_and_takes_the_pointer() {
    for_each_position(|table, moment, truth| {
        let svg = table.svg(moment, &PictureForm::default());
        let document = Document::parse(&svg).unwrap();
        let squares: Vec<_> =
            document.descendants().filter(|node| node.has_attribute("data-square")).collect();
        let ranks = document.descendants().filter_map(|node| node.attribute("data-rank"));
        assert_eq!(ranks.collect::<String>(), "7654321");
        let names = (0..7).rev().flat_map(|rank| (0..7).map(move |file| (file, rank)));
        assert_eq!(squares.len(), 49);
        for (node, (file, rank)) in squares.iter().zip(names) {
            let square = name(file, rank);
            assert_eq!(node.attribute("data-square"), Some(square.as_str()));
            let colour = match truth.letter(file, rank) {
                '.' => "empty",
                'r' => "red rug of seat ",
                'y' => "yellow rug of seat ",
                'b' => "blue rug of seat ",
                _ => "green rug of seat ",
            };
            let label = node.attribute("aria-label").unwrap();
            assert!(label.starts_with(&format!("{square}, {colour}")), "{label}");
            assert!(node.ancestors().all(|node| !node.has_attribute("pointer-events")));
        }
        let things = document.descendants().filter(|node| {
            ["data-rug", "data-merchant", "data-trail", "data-die", "data-paid"]
                .iter()
                .any(|name| node.has_attribute(*name))
        });
        for node in things {
            assert!(node.ancestors().any(|node| node.attribute("pointer-events") == Some("none")), "{svg}");
        }
    });
}

#[test]
fn an_svg_has_the_die_of_the_last_word_the_way_of_assam_and_the_field_that_was_paid_for() {
    let (mut before, mut around, mut paid) = (String::new(), 0, 0);
    for_each_position(|table, moment, truth| {
        let svg = table.svg(moment, &PictureForm::default());
        let document = Document::parse(&svg).unwrap();
        let value = |name: &str| document.descendants().find_map(|node| node.attribute(name));
        let word = moment.word.clone().unwrap_or_default();
        let dice: Vec<char> = word.split('+').skip(1).filter_map(|part| part.chars().next()).collect();
        let dice: Vec<u32> = dice.iter().filter_map(|die| die.to_digit(10)).collect();
        assert_eq!(value("data-die").map(|die| die.parse().unwrap()), dice.last().copied(), "{word}");
        let trail: Vec<&str> = value("data-trail").unwrap_or_default().split_whitespace().collect();
        assert_eq!(trail.len(), dice.last().map_or(0, |die| *die as usize + 1));
        if moment.ply == 0 {
            before = "d4".to_owned();
        }
        if let [die] = dice[..] {
            assert_eq!((trail[0], trail[die as usize]), (before.as_str(), truth.assam.as_str()), "{word}");
        }
        let apart = |one: &str, other: &str| -> u8 {
            one.bytes().zip(other.bytes()).map(|(one, other)| one.abs_diff(other)).sum()
        };
        for step in trail.windows(2) {
            around += usize::from(step[0] == step[1]);
            assert!(apart(step[0], step[1]) <= 1, "{word}");
        }
        let field = value("data-paid").unwrap_or_default().split_whitespace().count();
        if let ([_], [event]) = (&dice[..], &moment.events[..]) {
            assert_eq!(serde_json::to_value(event).unwrap()["due"], field, "{word}");
            paid += 1;
        } else if moment.events.is_empty() {
            assert_eq!(field, 0);
        }
        before.clone_from(&truth.assam);
    });
    assert!(around > 20 && paid > 500, "{around} {paid}");
}
