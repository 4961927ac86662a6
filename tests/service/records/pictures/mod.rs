//! Pictures of every position in the vectors, in the terminal and as SVG, match the position.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use assam_referee::picture::terminal::WIDTH;
use assam_referee::picture::{Moment, PictureForm};
use assam_referee::{Setup, Table};
use roxmltree::{Document, Node};
use serde_json::Value;

use crate::harness::{Service, assam, out, sqlite, vectors};

mod last_word;
mod market;
mod marrakesh;
mod options;

/// Passes on each position of vectors: the table, how it came about, and the position in the vector.
fn replay(vectors: impl Iterator<Item = Value>, mut each: impl FnMut(&dyn Table, &Moment, &str)) -> u32 {
    let mut count = 0;
    for vector in vectors {
        let record = vector["record"].as_str().unwrap();
        let mut table = Setup::read(record.lines().next().unwrap()).unwrap().table();
        for ply in vector["plies"].as_array().unwrap() {
            let word = ply["word"].as_str().filter(|word| !word.is_empty()).map(str::to_owned);
            if let Some(word) = &word {
                table.replay(word).unwrap();
            }
            let events = table.events();
            let moment = Moment { ply: table.ply(), word, events };
            each(&*table, &moment, ply["position"].as_str().unwrap());
            count += 1;
        }
    }
    count
}

/// Passes on each position of Marrakech.
fn for_each_position(mut each: impl FnMut(&dyn Table, &Moment, &Truth)) {
    let count = replay(vectors(), |table, moment, position| {
        each(table, moment, &Truth::read(position));
    });
    assert!(count > 5700, "{count}");
}

/// Passes on each position of either game.
fn for_each_of_either_game(mut each: impl FnMut(&dyn Table, &Moment)) {
    for_each_position(|table, moment, _| each(table, moment));
    marrakesh::for_each_position(|table, moment, _| each(table, moment));
}

/// A position read from the text of a vector, independently of the program.
struct Truth {
    /// The letter of every square, `.` if bare, rank 1 first.
    squares: Vec<Vec<char>>,
    whole_rugs: BTreeSet<String>,
    assam: String,
    facing: char,
    on_turn: Option<u32>,
    dirhams: Vec<String>,
    out: usize,
    is_over: bool,
}

impl Truth {
    fn read(position: &str) -> Self {
        let fields: Vec<&str> = position.split(';').collect();
        let row = |row: &str| {
            let bare = |c: char| vec!['.'; c.to_digit(10).unwrap() as usize];
            row.chars().flat_map(|c| if c.is_ascii_digit() { bare(c) } else { vec![c] }).collect()
        };
        let list = |field: &str| -> Vec<String> {
            field.split(',').filter(|item| *item != "-").map(str::to_owned).collect()
        };
        Self {
            squares: fields[0].split('/').rev().map(row).collect(),
            whole_rugs: list(fields[1]).into_iter().collect(),
            assam: fields[2][..2].to_owned(),
            facing: fields[2].chars().last().unwrap(),
            on_turn: fields[3].parse().ok(),
            dirhams: list(fields[5]),
            out: list(fields[8]).len(),
            is_over: fields[4] == "over",
        }
    }

    fn letter(&self, file: usize, rank: usize) -> char {
        self.squares[rank][file]
    }

    /// Returns every square that shows half a rug whose other half is covered.
    fn halves(&self) -> BTreeSet<String> {
        let squares = (0..7).flat_map(|rank| (0..7).map(move |file| (file, rank)));
        squares
            .filter(|&(file, rank)| self.letter(file, rank) != '.')
            .map(|(file, rank)| name(file, rank))
            .filter(|square| !self.whole_rugs.iter().any(|rug| rug.contains(square.as_str())))
            .collect()
    }
}

fn name(file: usize, rank: usize) -> String {
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

#[test]
fn in_the_terminal_either_game_has_80_columns_at_most_and_tells_the_last_word_and_what_followed() {
    for_each_of_either_game(|table, moment| {
        let screen = table.screen(moment, WIDTH);
        let plain = anstream::adapter::strip_str(&screen).to_string();
        assert!(!plain.contains('\u{1b}') && screen.contains('\u{1b}'));
        assert!(plain.lines().all(|line| line.chars().count() <= 80 && line.trim_end() == line), "{plain}");
        let narrow = anstream::adapter::strip_str(&table.screen(moment, 40)).to_string();
        assert!(narrow.lines().all(|line| line.chars().count() <= 40 && line.trim_end() == line), "{narrow}");
        let begin = format!("Ply {}", moment.ply);
        let (row, line) = plain.lines().enumerate().find(|(_, line)| line.contains(&begin)).unwrap();
        let column = line[..line.find(&begin).unwrap()].chars().count();
        let told = plain.lines().skip(row).flat_map(|line| line.chars().skip(column));
        let word = moment.word.as_ref().map_or(String::new(), |word| format!(": {word}"));
        let events: String = moment.events.iter().map(ToString::to_string).collect();
        let without_blanks = |text: &str| text.replace(' ', "");
        let told = without_blanks(&told.collect::<String>());
        assert_eq!(told, without_blanks(&format!("{begin}{word}{events}")), "{plain}");
    });
}

#[test]
fn in_the_terminal_every_square_shows_its_letter_and_whole_rugs_are_joined_and_nothing_else_is() {
    for_each_position(|table, moment, truth| {
        let screen = table.screen(moment, WIDTH);
        let plain = anstream::adapter::strip_str(&screen).to_string();
        let lines: Vec<Vec<char>> = plain.lines().map(|line| line.chars().collect()).collect();
        for rank in 0..7 {
            let row = &lines[13 - 2 * rank];
            let above = &lines[12 - 2 * rank];
            assert_eq!(row[0], char::from(b'1' + rank as u8), "{plain}");
            for file in 0..7 {
                let letter = if truth.letter(file, rank) == '.' { ' ' } else { truth.letter(file, rank) };
                let at = 2 + 4 * file;
                let is_assam = truth.assam == name(file, rank);
                let middle = match (is_assam, truth.facing) {
                    (false, _) => letter,
                    (true, 'N') => '▲',
                    (true, 'E') => '▶',
                    (true, 'S') => '▼',
                    (true, _) => '◀',
                };
                assert_eq!(row[at + 1..at + 4], [letter, middle, letter], "{plain}");
                let east = truth.whole_rugs.contains(&(name(file, rank) + &name(file + 1, rank)));
                assert_eq!(row[at + 4], if east { letter } else { '│' }, "{plain}");
                let north = truth.whole_rugs.contains(&(name(file, rank) + &name(file, rank + 1)));
                let border = if north { letter } else { '─' };
                assert_eq!(above[at + 1..at + 4], [border; 3], "{plain}");
            }
        }
    });
}

#[test]
fn in_the_terminal_every_letter_of_a_rug_stands_on_a_colour_of_its_own() {
    let mut grounds: BTreeMap<char, BTreeSet<String>> = BTreeMap::new();
    for_each_position(|table, moment, truth| {
        let screen = table.screen(moment, WIDTH);
        let board = screen.lines().take(15).flat_map(|line| line.split("\u{1b}[0m"));
        let mut letters = 0;
        for styled in board {
            let (style, text) = styled.rsplit_once('m').unwrap_or(("", styled));
            let letter = text.chars().next().filter(|letter| "rybg".contains(*letter));
            if let Some(letter) = letter.filter(|letter| text.chars().all(|c| c == *letter)) {
                let ground = style.rsplit("\u{1b}[").next().unwrap();
                assert!(ground.starts_with('4'), "{screen}");
                grounds.entry(letter).or_default().insert(ground.to_owned());
                letters += text.len();
            }
        }
        let squares = truth.squares.iter().flatten().filter(|letter| **letter != '.').count();
        assert!(letters + 1 >= 3 * squares, "{screen}");
    });
    let distinct: BTreeSet<&String> = grounds.values().flatten().collect();
    assert_eq!(
        (grounds.len(), grounds.values().map(BTreeSet::len).sum::<usize>(), distinct.len()),
        (4, 4, 4)
    );
}

#[test]
fn in_the_terminal_the_panel_says_whose_turn_it_is_what_everyone_has_and_what_followed() {
    for_each_position(|table, moment, truth| {
        let screen = table.screen(moment, WIDTH);
        let plain = anstream::adapter::strip_str(&screen).to_string();
        let panel: Vec<String> = plain.lines().map(|line| line.chars().skip(33).collect()).collect();
        let seats: Vec<&String> =
            panel.iter().skip_while(|line| !line.contains("dirhams to lay")).skip(1).collect();
        for (number, dirhams) in (1..).zip(&truth.dirhams) {
            let row = seats[number as usize - 1];
            assert_eq!(row.starts_with('>'), truth.on_turn == Some(number), "{plain}");
            let cells: Vec<&str> = row.split_whitespace().rev().collect();
            assert_eq!(cells[3], dirhams, "{plain}");
            assert_eq!(row.starts_with('x'), cells[0] == "out", "{plain}");
        }
        assert_eq!(panel.iter().filter(|line| line.starts_with("x ")).count(), truth.out);
        if let Some(number) = truth.on_turn {
            assert!(panel[0].starts_with(&format!("Seat {number} must ")), "{plain}");
        }
        let word = moment.word.as_ref().map_or(String::new(), |word| format!(": {word}"));
        assert!(panel.contains(&format!("Ply {}{word}", moment.ply)), "{plain}");
        assert_eq!(plain.matches(" pays ").count(), moment.events.len(), "{plain}");
    });
}

#[test]
fn an_svg_of_either_game_is_well_formed_and_small_and_needs_nothing_from_outside_and_runs_nothing() {
    for_each_of_either_game(|table, moment| {
        let svg = table.svg(moment, &PictureForm::default());
        assert!(svg.len() < 21_000, "{}", svg.len());
        let document = Document::parse(&svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
        let root = document.root_element();
        assert_eq!(root.tag_name().namespace(), Some("http://www.w3.org/2000/svg"));
        assert_eq!((root.attribute("role"), root.has_attribute("viewBox")), (Some("img"), true));
        let children: Vec<&str> =
            root.children().filter(Node::is_element).map(|n| n.tag_name().name()).collect();
        assert_eq!(children[..2], ["title", "desc"]);
        for node in document.descendants().filter(Node::is_element) {
            assert!(!["script", "image", "foreignObject", "a", "animate"].contains(&node.tag_name().name()));
            for attribute in node.attributes() {
                assert!(!attribute.name().starts_with("on"), "{}", attribute.name());
                assert!(attribute.name() != "href" || attribute.value().starts_with("#assam-"));
            }
        }
        assert!(!svg.contains("url(") && !svg.contains("@import"));
        let is_wide = |c: &char| c.is_ascii_digit() || c.is_ascii_uppercase() || *c == '+';
        let panel = root.children().find(|node| node.attribute("class") == Some("panel")).unwrap();
        for text in panel.children().filter(|node| node.attribute("font-size") == Some("12")) {
            let text = text.text().unwrap();
            // The panel is 292 units wide. The widest characters take 8 of them, most 6.
            let wide = text.chars().filter(is_wide).count();
            assert!(8 * wide + 6 * (text.chars().count() - wide) <= 300, "{text}");
        }
    });
}

#[test]
fn an_svg_marks_the_winners_and_the_seat_on_turn_and_fades_who_is_out() {
    let mut ends = 0;
    let mut games = vectors();
    for_each_position(|table, moment, truth| {
        let svg = table.svg(moment, &PictureForm::default());
        let document = Document::parse(&svg).unwrap();
        let marked = |name: &str, value: &str| {
            document.descendants().filter(|node| node.attribute(name) == Some(value)).count()
        };
        assert_eq!(marked("opacity", ".45"), truth.out);
        let winners = if truth.is_over {
            ends += 1;
            games.next().unwrap()["final"]["ranking"][0].as_array().unwrap().len()
        } else {
            0
        };
        assert_eq!(marked("class", "winner"), winners);
        let turn = usize::from(truth.on_turn.is_some());
        assert_eq!(marked("class", "turn"), winners + turn);
        let bars = document.descendants().filter(|node| node.attribute("class") == Some("ink"));
        assert_eq!(bars.filter(|node| node.attribute("width") == Some("4")).count(), turn);
        assert_eq!(marked("class", "hand"), usize::from(svg.contains(" in hand</title>")));
    });
    assert_eq!((ends, games.next()), (vectors().count(), None::<Value>));
}

#[test]
fn the_service_draws_each_state_as_the_program_does_and_lets_browsers_do_nothing_but_look() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let stranger = service.stranger();
    for vector in [vectors().next(), vectors().last()] {
        let record = vector.as_ref().unwrap()["record"].as_str().unwrap();
        let id = stranger.post_text("/v1/imports", record).json()["id"].as_str().unwrap().to_owned();
        let path = format!("/v1/games/{id}/states");
        let last = stranger.get(&format!("/v1/games/{id}")).json()["head"]["ply"].as_u64().unwrap();
        for ply in (0..=last).step_by(9).chain([last]) {
            let picture = stranger.get(&format!("{path}/{ply}.svg"));
            assert_eq!(picture.header("content-type"), Some("image/svg+xml"), "{}", picture.text);
            let drawn = assam(&["convert", "-", "--to", "svg", "--ply", &ply.to_string()], record);
            assert_eq!(picture.text, out(&drawn), "{} ply {ply}", backend.name());
            let policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
            assert_eq!(picture.header("content-security-policy"), Some(policy));
            assert_eq!(picture.header("x-content-type-options"), Some("nosniff"));
        }
        let beyond = stranger.get(&format!("{path}/{}.svg", last + 1));
        assert_eq!(beyond.problem(), "ply_not_found");
        for wrong in ["x", "-1", "01x", "1.svg"] {
            assert_eq!(stranger.get(&format!("{path}/{wrong}.svg")).problem(), "bad_request", "{wrong}");
        }
    }
}

#[test]
fn the_pictures_in_the_documents_are_those_that_the_program_draws() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let record = out(&assam(&["random", "--seats", "3", "--seed", "5"], ""));
    let drawn = assam(&["convert", "-", "--to", "svg", "--ply", "57"], &record);
    let shown = out(&assam(&["show", "-", "--ply", "57"], &record));
    let page = fs::read_to_string(root.join("docs/guides/record-and-check-games.md")).unwrap();
    assert!(page.contains("random --seats 3 --seed 5") && page.contains("--to svg --ply 57"));
    assert!(
        page.contains(&format!("```text\n{shown}```\n")),
        "show it again in docs/guides/record-and-check-games.md:\n{shown}"
    );
    assert!(
        out(&drawn) == fs::read_to_string(root.join("docs/images/position.svg")).unwrap(),
        "draw docs/images/position.svg again, as docs/guides/record-and-check-games.md says"
    );
    let seed = ["random", "--ruleset", "marrakesh/1", "--option", "rounds=6", "--seed", "3"];
    let shown = out(&assam(&["show", "-", "--ply", "42"], &out(&assam(&seed, ""))));
    let rules = fs::read_to_string(root.join("docs/rules/marrakesh.md")).unwrap();
    assert!(rules.contains(&format!("{} | assam show - --ply 42\n", seed.join(" "))));
    assert!(
        rules.contains(&format!("```text\n{shown}```\n")),
        "show it again in docs/rules/marrakesh.md:\n{shown}"
    );
}
