//! `assam convert` to tables: a row for each game, a row for each ply.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::{Value, json};

use crate::documents::document;
use crate::harness::{assam, err, out, records};

const ODD: &str =
    "MKN/1 marrakech/1 seats=3\nseat2: Aïsha \"the quick\", of Fès\ndate: 2026-11-20\nnote:\n\nN+3 d6e6\n*\n";
const BAD: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 d6d7\n*\n";
const ABORTED: &str = "MKN/1 marrakech/1 seats=2 two_player=one-colour\n\nN+3 d6e6 !abort = -\n";
const OVER: &str = "MKN/1 marrakech/1 seats=3\n\n!resign1 !resign2 = 0 0 30\n";

/// Returns records of both games: the vectors, and some random games under every option.
pub(crate) fn many_records() -> String {
    let mut text = records();
    for ruleset in ["marrakech/1", "marrakesh/1"] {
        text += &out(&assam(&["random", "12", "--vary", "--seed", "5", "--ruleset", ruleset], ""));
    }
    text
}

/// Returns the rows of a table, each as columns and values, without empty ones.
fn rows(form: &str, input: &str) -> Vec<BTreeMap<String, String>> {
    let converted = assam(&["convert", "-", "--to", form], input);
    let mut reader = csv::Reader::from_reader(&converted.stdout[..]);
    let header = reader.headers().unwrap().clone();
    let row = |record: csv::StringRecord| {
        let cells = header.iter().zip(&record).filter(|(_, cell)| !cell.is_empty());
        // An apostrophe protects text that a spreadsheet would take for a formula.
        cells
            .map(|(name, cell)| (name.to_owned(), cell.strip_prefix('\'').unwrap_or(cell).to_owned()))
            .collect()
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

fn json_lines(input: &str, arguments: &[&str]) -> Vec<Value> {
    let converted = assam(&[&["convert", "-", "--to", "json"], arguments].concat(), input);
    out(&converted).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the values in the columns of all seats as JSON.
fn of_seats(row: &BTreeMap<String, String>, name: &str) -> Value {
    let cells = (1..=4).map_while(|seat| row.get(&format!("{name}_{seat}")));
    cells.map(|cell| cell.parse::<i64>().unwrap()).collect()
}

#[test]
fn no_cell_of_a_csv_is_a_formula_and_parquet_and_json_have_the_text_as_it_is() {
    let names = ["=HYPERLINK(\"http://a.example\")", "+1", "-1", "@SUM(A1)", "'=1", "＝1", "O'Neil", "Aisha"];
    for name in names {
        let record = format!("MKN/1 marrakech/1 seats=3\nseat2: {name}\nevent: {name}\n\nN+3 d6e6\n*\n");
        let converted = assam(&["convert", "-", "--to", "games.csv"], &record);
        let mut reader = csv::Reader::from_reader(&converted.stdout[..]);
        let place = reader.headers().unwrap().iter().position(|column| column == "name_2").unwrap();
        let row = reader.records().next().unwrap().unwrap();
        let is_text = name.starts_with(['O', 'A']);
        assert_eq!(row[place], if is_text { name.to_owned() } else { format!("'{name}") });
        assert_eq!(rows("games.csv", &record)[0]["name_2"], name);
        assert_eq!(json_lines(&record, &[])[0]["tags"]["seat2"], name);
    }
    for form in ["games.csv", "plies.csv"] {
        let converted = assam(&["convert", "-", "--to", form], &many_records());
        for row in csv::Reader::from_reader(&converted.stdout[..]).records() {
            let row = row.unwrap();
            let is_number = |cell: &str| cell.parse::<i64>().is_ok();
            let formula = row.iter().find(|cell| cell.starts_with(['=', '+', '-', '@']) && !is_number(cell));
            assert_eq!(formula, None, "{form}");
        }
    }
}

#[test]
fn a_row_of_a_game_says_what_its_record_and_its_last_state_say() {
    let input = many_records();
    let (rows, lines) = (rows("games.csv", &input), json_lines(&input, &[]));
    assert_eq!(rows.len(), lines.len());
    for (number, (row, line)) in (1..).zip(rows.iter().zip(&lines)) {
        let last = line["states"].as_array().unwrap().last().unwrap();
        let score = &last["score"];
        assert_eq!(
            (&row["game"], &row["setup"]),
            (&format!("{number}"), &line["setup"].as_str().unwrap().to_owned())
        );
        assert_eq!((&row["plies"], row["source"].as_str()), (&last["ply"].to_string(), "<stdin>"));
        assert_eq!(of_seats(row, "score"), score["scores"]);
        let status = match line["marker"].as_str().unwrap() {
            "*" => "running",
            "= -" => "aborted",
            _ => "finished",
        };
        assert_eq!(row["status"], status);
        // A seat's place is one more than the number of seats that are better.
        let mut places = BTreeMap::new();
        for group in score["ranking"].as_array().filter(|_| status == "finished").unwrap_or(&vec![]) {
            let better = places.len();
            places.extend(group.as_array().unwrap().iter().map(|seat| (seat.as_i64().unwrap(), better + 1)));
        }
        assert_eq!(of_seats(row, "place"), json!(places.values().collect::<Vec<_>>()));
        // Parts of the score, summed over the rounds.
        let mut parts: BTreeMap<String, i64> = BTreeMap::new();
        for seat in score["seats"].as_array().unwrap() {
            for part in seat["parts"].as_array().unwrap() {
                let name = format!("{}_{}", part["name"].as_str().unwrap(), seat["seat"]);
                *parts.entry(name).or_default() += part["points"].as_i64().unwrap();
            }
        }
        for (name, points) in parts {
            assert_eq!(row[&name], points.to_string(), "{name}");
        }
        for setting in row["setup"].split(' ').skip(2).filter(|setting| !setting.starts_with("position=")) {
            let (name, value) = setting.split_once('=').unwrap();
            let column = if name == "seats" { "seats".to_owned() } else { format!("option_{name}") };
            assert_eq!(row[&column], value);
        }
    }
    let rulesets: BTreeSet<&String> = rows.iter().map(|row| &row["ruleset"]).collect();
    assert_eq!(rulesets.len(), 2);
}

#[test]
fn a_row_of_a_ply_says_what_its_word_and_its_state_say() {
    let input = many_records();
    let mut rows = rows("plies.csv", &input).into_iter();
    let (mut payments, mut rounds, mut dice, mut further_rolls) = (0, 0, 0, 0);
    for (number, line) in (1..).zip(json_lines(&input, &[])) {
        for state in line["states"].as_array().unwrap().iter().filter(|state| !state["word"].is_null()) {
            let row = rows.next().unwrap();
            assert_eq!((&row["game"], &row["ply"]), (&format!("{number}"), &state["ply"].to_string()));
            let word = state["word"].as_str().unwrap();
            let (decision, drawn) = word.split_once('+').unwrap_or((word, ""));
            let cell = |name: &str| row.get(name).map_or("", String::as_str);
            assert_eq!((cell("word"), cell("decision"), cell("drawn")), (word, decision, drawn));
            assert_eq!(of_seats(&row, "score_after"), state["score"]["scores"]);
            assert_eq!(
                (row["position"].as_str(), row["source"].as_str()),
                (state["position"].as_str().unwrap(), "<stdin>")
            );
            let kind = match decision {
                "" => "start",
                leave if leave.starts_with('!') => leave[1..].trim_end_matches(char::is_numeric),
                "N" | "E" | "S" | "W" => "orient",
                usage if usage.contains('@') => "use",
                rug if rug.len() == 4 => "lay",
                _ => {
                    if state["state"]["trick"]["reply"].is_null() && cell("trick_winner").is_empty() {
                        "lead"
                    } else {
                        "reply"
                    }
                }
            };
            assert_eq!(cell("kind"), kind, "{word}");
            let rolls: Vec<&str> =
                drawn.split('+').filter(|token| matches!(*token, "1" | "2" | "3" | "4")).collect();
            assert_eq!(cell("die"), rolls.first().copied().unwrap_or_default());
            dice += rolls.len();
            let further: Value =
                serde_json::from_str(row.get("further_rolls").map_or("[]", String::as_str)).unwrap();
            for (roll, die) in further.as_array().unwrap().iter().zip(&rolls[rolls.len().min(1)..]) {
                assert_eq!(roll["die"].to_string(), *die);
                further_rolls += 1;
            }
            let events = state["events"].as_array().unwrap();
            let mut paid = further.as_array().unwrap().iter().filter(|roll| roll.get("payer").is_some());
            for (nth, event) in events.iter().enumerate() {
                if nth > 0 && event["event"] == "payment" {
                    let roll = paid.next().unwrap();
                    for name in ["payer", "payee", "due", "paid"] {
                        assert_eq!(roll[name], event[name]);
                    }
                    assert_eq!(roll["payer_out"], event["eliminated"]);
                    continue;
                }
                let told: Vec<(&str, &Value)> = match event["event"].as_str().unwrap() {
                    "payment" => {
                        payments += 1;
                        ["payer", "payee", "due", "paid"].map(|name| (name, &event[name])).to_vec()
                    }
                    "trick_won" => vec![
                        ("lead", &event["trick"]["lead"]),
                        ("trick_winner", &event["trick"]["winner"]),
                        ("trick_matching", &event["matching"]),
                    ],
                    "bonus_drawn" => vec![
                        ("bonus", &event["card"]),
                        ("bonus_times", &event["times"]),
                        ("bonus_matching", &event["matching"]),
                    ],
                    "oval_marked" => vec![
                        ("oval_seat", &event["seat"]),
                        ("oval", &event["oval"]),
                        ("oval_mark", &event["mark"]),
                    ],
                    "round_scored" => {
                        rounds += 1;
                        vec![
                            ("round_scored", &event["round"]),
                            ("round_points_1", &event["scores"][0]),
                            ("round_points_2", &event["scores"][1]),
                        ]
                    }
                    other => panic!("{other}"),
                };
                for (name, value) in told {
                    let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    assert_eq!(cell(name), value, "{name} at {word}");
                }
            }
            assert_eq!(cell("payer").is_empty(), !events.iter().any(|event| event["event"] == "payment"));
        }
    }
    assert!(rows.next().is_none());
    assert!(
        payments > 200 && rounds > 100 && dice > 1000 && further_rolls > 0,
        "{payments} {rounds} {dice} {further_rolls}"
    );
}

#[test]
fn games_that_go_on_or_were_aborted_say_so_and_refused_ones_keep_their_number() {
    let input = [ODD, BAD, ABORTED, OVER].join("\n");
    let rows = rows("games.csv", &input);
    let cells = |name: &str| -> Vec<&str> {
        rows.iter().map(|row| row.get(name).map_or("", String::as_str)).collect()
    };
    assert_eq!(cells("game"), ["1", "3", "4"]);
    assert_eq!(cells("line"), ["1", "14", "18"]);
    assert_eq!(cells("status"), ["running", "aborted", "finished"]);
    assert_eq!((cells("winner"), cells("place_3")), (vec!["", "", "3"], vec!["", "", "1"]));
    assert_eq!((cells("dirhams_1"), cells("dirhams_3")), (vec!["30", "30", ""], vec!["30", "", "30"]));
    // Commas, quotes and non-ASCII letters read back unchanged.
    assert_eq!((cells("name_2")[0], cells("date")[0]), ("Aïsha \"the quick\", of Fès", "2026-11-20"));
    let tags: Value = serde_json::from_str(cells("tags")[0]).unwrap();
    assert_eq!(tags, json!({"seat2": "Aïsha \"the quick\", of Fès", "date": "2026-11-20", "note": ""}));
    let converted = assam(&["convert", "-", "--to", "plies.csv"], &input);
    assert_eq!(converted.status.code(), Some(1));
    assert!(err(&converted).contains("--> <stdin>:"), "{}", err(&converted));
    assert!(
        out(&converted).lines().count() == 8
            && out(&converted).split('\n').all(|line| line.is_empty() || line.ends_with('\r'))
    );
}

#[test]
fn json_without_states_has_everything_else() {
    let input = many_records();
    let (with, without) = (json_lines(&input, &[]), json_lines(&input, &["--no-states"]));
    assert_eq!(with.len(), without.len());
    for (mut with, without) in with.into_iter().zip(without) {
        assert!(with.as_object_mut().unwrap().remove("states").is_some());
        assert_eq!(with, without);
    }
    let wrong = assam(&["convert", "-", "--to", "file", "--no-states"], "");
    assert_eq!(
        (wrong.status.code(), err(&wrong).as_str()),
        (Some(2), "assam: --no-states requires `--to json`\n")
    );
}

#[test]
fn a_hyphen_as_the_output_is_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_assam"));
    fs::write(folder.path().join("game.mkn"), ODD).unwrap();
    let run = command
        .args(["convert", "game.mkn", "--to", "file", "-o", "-"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!((run.status.code(), out(&run).as_str()), (Some(0), ODD));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no file named `-`");
}

#[test]
fn plies_are_joined_with_their_games_by_an_id_that_no_other_record_has() {
    let input = many_records();
    let ids: Vec<String> = rows("games.csv", &input).iter().map(|row| row["id"].clone()).collect();
    for row in rows("plies.csv", &input) {
        assert_eq!(row["id"], ids[row["game"].parse::<usize>().unwrap() - 1]);
    }
}

#[test]
fn a_board_in_numbers_tells_colours_rugs_and_legal_moves_as_the_state_and_the_legal_moves_do() {
    let input = many_records();
    let converted = assam(&["convert", "-", "--to", "plies.csv", "--board"], &input);
    let mut reader = csv::Reader::from_reader(&converted.stdout[..]);
    let header: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let mut table = reader.records();
    let (mut boards, mut rugs) = (0, 0);
    for line in json_lines(&input, &[]) {
        for state in line["states"].as_array().unwrap().iter().filter(|state| !state["word"].is_null()) {
            let record = table.next().unwrap().unwrap();
            let row: BTreeMap<&str, &str> = header.iter().map(String::as_str).zip(&record).collect();
            if state["state"]["game"] != "marrakech" {
                assert_eq!((row["square_a1"], row["legal_mask"]), ("", ""));
                continue;
            }
            let number = |square: &str| row[format!("square_{square}").as_str()].parse::<usize>().unwrap();
            for (rank, letters) in (1..=7).rev().zip(state["state"]["board"].as_array().unwrap()) {
                for (file, letter) in ('a'..='g').zip(letters.as_str().unwrap().chars()) {
                    let of = number(&format!("{file}{rank}"));
                    let colour = if of == 0 { '.' } else { ['r', 'y', 'b', 'g'][(of - 1) % 4] };
                    assert_eq!(colour, letter, "{file}{rank} {}", state["position"]);
                }
            }
            for rug in state["state"]["whole_rugs"].as_array().unwrap() {
                let (low, high) = rug.as_str().unwrap().split_at(2);
                assert_eq!(number(low), number(high), "{rug}");
                rugs += 1;
            }
            let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
            for name in header.iter().filter(|name| name.starts_with("square_")) {
                *numbers.entry(row[name.as_str()].parse().unwrap()).or_default() += 1;
            }
            let whole = numbers.iter().filter(|(number, squares)| **number > 0 && **squares == 2).count();
            assert_eq!(whole, state["state"]["whole_rugs"].as_array().unwrap().len());
            let setup =
                assam_referee::Setup::read_position_line(state["position"].as_str().unwrap()).unwrap();
            let legal = setup.table().legal_moves(assam_rules::Viewer::Arbiter).unwrap();
            let mut every: Vec<String> = ["N", "E", "S", "W"].map(str::to_owned).to_vec();
            for rank in 1..=7 {
                for file in 'a'..='g' {
                    if rank < 7 {
                        every.push(format!("{file}{rank}{file}{}", rank + 1));
                    }
                    if file < 'g' {
                        every.push(format!("{file}{rank}{}{rank}", (file as u8 + 1) as char));
                    }
                }
            }
            let marked = every.iter().zip(row["legal_mask"].chars()).filter(|(_, digit)| *digit == '1');
            let marked: BTreeSet<&String> = marked.map(|(one, _)| one).collect();
            assert_eq!((every.len(), row["legal_mask"].len()), (88, 88));
            assert_eq!(marked, legal.iter().collect::<BTreeSet<_>>(), "{}", state["position"]);
            boards += 1;
        }
    }
    assert!(boards > 500 && rugs > 500, "{boards} {rugs}");
    let wrong = assam(&["convert", "-", "--to", "games.csv", "--board"], &input);
    assert_eq!(
        (wrong.status.code(), err(&wrong).as_str()),
        (Some(2), "assam: --board requires `--to plies.csv` or `plies.parquet`\n")
    );
}

/// Returns the columns that a section of docs/reference/data-formats.md describes, in order. `score_1` ..
/// `score_4` count as four.
pub(crate) fn documented(section: &str) -> Vec<(String, String)> {
    let page = document("docs/reference/data-formats.md");
    let text =
        page.split(&format!("## {section}\n")).nth(1).unwrap_or_else(|| panic!("no section {section}"));
    let mut columns = Vec::new();
    for line in text.split("\n## ").next().unwrap().lines().filter(|line| line.starts_with("| `")) {
        let mut cells = line.split('|').map(str::trim).skip(1);
        let (names, kind) = (cells.next().unwrap(), cells.next().unwrap().to_owned());
        let names: Vec<&str> = names.split('`').skip(1).step_by(2).collect();
        let range = match names[..] {
            [first, last] if line.contains(" .. ") => (1..)
                .map(|seat| format!("{}{seat}", first.trim_end_matches('1')))
                .take_while(|name| name != last)
                .chain([last.to_owned()])
                .collect(),
            _ => names.into_iter().map(str::to_owned).collect::<Vec<_>>(),
        };
        columns.extend(range.into_iter().map(|name| (name, kind.clone())));
    }
    columns
}

#[test]
fn the_page_on_data_describes_every_column_in_order() {
    for (section, form, more) in [
        ("Columns of games", "games.csv", None),
        ("Columns of plies", "plies.csv", None),
        ("Columns of boards", "plies.csv", Some("--board")),
    ] {
        let arguments: Vec<&str> = ["convert", "-", "--to", form].into_iter().chain(more).collect();
        let converted = out(&assam(&arguments, ODD));
        let header: Vec<&str> = converted.lines().next().unwrap().split(',').collect();
        let before = more.map_or_else(Vec::new, |_| documented("Columns of plies"));
        let documented: Vec<String> =
            before.into_iter().chain(documented(section)).map(|(name, _)| name).collect();
        assert_eq!(documented, header, "{section}");
    }
}
