//! The engine protocol, as `assam engine` speaks it.

use std::io::Write as _;
use std::process::Stdio;
use std::{env, fs, thread};

use assam_referee::{AnyRecord, Ruleset};
use assam_rules::{Turn, Viewer};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};

use super::program;
use crate::documents::{blocks, document, root};
use crate::harness::{assam, out};

const PAGE: &str = "docs/reference/engine-protocol.md";
const START: &str = "MKN/1 marrakech/1 seats=3";

/// Sends bytes to an engine, and returns its lines.
fn answers_to_bytes(input: &[u8]) -> Vec<String> {
    let mut engine = program(&["engine"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut to = engine.stdin.take().unwrap();
    let input = input.to_vec();
    // Sent from another thread, because an engine that is not read stops reading.
    let sender = thread::spawn(move || {
        // After `quit`, nothing reads the rest.
        let _ = to.write_all(&input);
    });
    let ended = engine.wait_with_output().unwrap();
    sender.join().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    out(&ended).lines().map(str::to_owned).collect()
}

/// Sends lines to an engine, and returns its lines.
fn answers(lines: &[&str]) -> Vec<String> {
    answers_to_bytes((lines.join("\n") + "\n").as_bytes())
}

#[test]
fn the_session_of_the_document_is_that_of_the_program() {
    let page = document(PAGE);
    let (_, session) = blocks(&page).into_iter().find(|(_, text)| text.starts_with("> assam\n")).unwrap();
    let sent: Vec<&str> = session.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    // Every answer comes before the next line is read.
    let mut spoken = String::new();
    for count in 1..=sent.len() {
        let before = answers(&sent[..count - 1]).len();
        spoken.push_str(&format!("> {}\n", sent[count - 1]));
        for answer in &answers(&sent[..count])[before..] {
            spoken.push_str(&format!("< {answer}\n"));
        }
    }
    if env::var_os("ASSAM_RECORD").is_some() {
        fs::write(root().join(PAGE), page.replace(&session, &spoken)).unwrap();
        return;
    }
    assert_eq!(session, spoken, "run it with ASSAM_RECORD=1");
}

#[test]
fn a_wrong_position_is_an_error_that_names_the_place_and_changes_nothing() {
    let good = format!("position {START} words N+3 d6e6");
    let legal = answers(&[&good, "setoption name Level value random", "go"]);
    assert!(legal[0].starts_with("bestmove "), "{legal:?}");
    for (line, told) in [
        ("position", "error bad_position line 1, column 1: "),
        ("position MKN/1 marrakech/1 seats=9", "error bad_position "),
        ("position MKN/1 marakech/1 seats=3", "did you mean marrakech/1?"),
        ("newgame marrakech/1 seats=3", "error bad_position line 1, column 1: "),
        ("position MKN/1 marrakech/1 seats=3 words N+3 d6", "error bad_position word 2, \"d6\": "),
        ("position MKN/1 marrakech/1 seats=3 words N+3 a1a2", "[marrakech.rug."),
        ("position MKN/1 marrakech/1 seats=3 words N", "[notation.word.lacks-chance]"),
        ("position MKN/1 marrakech/1 seats=3 words N+3 d6e6 S+1", "[marrakech.orient.about-turn]"),
        (
            "position marrakech/1 seats=3 position=7/7;-;d4N;1;orient;30,30,30;r15b15y15;-;-",
            "error bad_position ",
        ),
        ("go nodes 0", "error bad_argument nodes takes a number from 1 to 10000000"),
        ("go depth 3", "error bad_argument go takes nodes and legal, found \"depth\""),
        ("go legal N E", "error bad_argument W is legal here, but not listed"),
        ("go legal N E W S", "error bad_argument \"S\" is not legal here: N E W"),
        (
            "setoption name Level value merchnt-5",
            "error bad_argument unknown player \"merchnt-5\", did you mean",
        ),
        ("setoption name Seed value -1", "error bad_argument Seed is a number from 0 to "),
        ("setoption name Hash value 16", "error bad_argument \"Hash\" is not an option"),
        ("setoption Level random", "error bad_argument write setoption name NAME value VALUE"),
        ("uci", "error unknown_command \"uci\" is not one of assam, "),
        ("isready now", "error bad_argument isready takes no argument, found \"now\""),
    ] {
        let told_by = answers(&[&good, "setoption name Level value random", line, "go"]);
        assert_eq!(told_by.len(), 2, "{line}: {told_by:?}");
        assert!(told_by[0].starts_with("error ") && told_by[0].contains(told), "{line}: {}", told_by[0]);
        assert_eq!(told_by[1], legal[0], "{line}");
    }
}

#[test]
fn no_decision_is_invented_where_none_is_due() {
    let over = "MKN/1 marrakech/1 seats=3 words !resign1 !resign2";
    for (position, told) in [
        ("", "error missing_context send a position first"),
        (&*format!("position {over}"), "error no_decision the game is over"),
        (
            "newgame MKN/1 marrakech/1 seats=2",
            "error no_decision chance is due: send the word with the draws",
        ),
        (
            "newgame MKN/1 marrakesh/1 seats=2",
            "error no_decision chance is due: send the word with the draws",
        ),
        (
            "position MKN/1 marrakesh/1 seats=2 words +122345/133456+b:????????????+r:????????????",
            "error no_decision the cards of seat 1 are hidden",
        ),
    ] {
        assert_eq!(answers(&[position, "go"]), [told], "{position}");
        assert_eq!(answers(&[position, "go nodes 1"]), [told], "{position}");
    }
}

#[test]
fn a_seat_that_sees_only_its_own_hand_gets_a_decision_among_its_cards() {
    let words = "+122345/133456+b:4s3h2hAh2cQc+r:????????????";
    let position = format!("position MKN/1 marrakesh/1 seats=2 rounds=6 words {words}");
    for go in ["go", "go nodes 1", "go legal 2c 2h 3h 4s Ah Qc"] {
        let told = answers(&[&position, go]);
        let decision = told.last().unwrap().strip_prefix("bestmove ").unwrap_or_else(|| panic!("{told:?}"));
        assert!(words.contains(decision), "{told:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_decisions() {
    let of = |seed: u64| {
        let mut lines =
            vec!["setoption name Level value random".to_owned(), format!("setoption name Seed value {seed}")];
        lines.push(format!("newgame {START}"));
        lines.extend(std::iter::repeat_n("go".to_owned(), 40));
        lines.push(format!("newgame {START}"));
        lines.extend(std::iter::repeat_n("go".to_owned(), 40));
        answers(&lines.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let seven = of(7);
    assert_eq!(seven, of(7));
    assert_ne!(seven, of(8));
    assert_eq!(seven[..40], seven[40..], "a new game begins the draws again");
}

#[test]
fn an_analysis_gives_every_seat_a_share_of_ten_thousand() {
    let told = answers(&["position MKN/1 marrakech/1 seats=2 words +r", "go nodes 200"]);
    let info = told[0].strip_prefix("info multipv 1 nodes ").unwrap();
    let words: Vec<&str> = info.split(' ').collect();
    let [_, "equity", first, second, "pv", decision] = words[..] else { panic!("{told:?}") };
    let sum: i64 = [first, second].iter().map(|share| share.parse::<i64>().unwrap()).sum();
    assert!((9_998..=10_002).contains(&sum), "{told:?}");
    assert_eq!(told.last().unwrap(), &format!("bestmove {decision}"));
}

/// Returns lines that are good, or almost.
fn lines() -> Vec<String> {
    let mut lines: Vec<String> = [
        "assam",
        "isready",
        "stop",
        "go",
        "go nodes 3",
        "go legal N E W",
        "setoption name Level value hand",
        "setoption name Seed value 5",
        "setoption name Level value solitaire-ai",
        "position",
        "newgame",
        "\u{1F0A1}",
    ]
    .map(str::to_owned)
    .into();
    for ruleset in Ruleset::ALL {
        let games = out(&assam(&["random", "4", "--ruleset", ruleset.name(), "--form", "canonical"], ""));
        for game in games.split("\n\n").collect::<Vec<_>>().chunks(2) {
            let record = AnyRecord::read(game.join("\n\n"));
            let setup = record.setup.as_ref().unwrap();
            for count in (0..record.words.len()).step_by(7) {
                lines.push(format!("position {} words {}", setup.line(), record.words[..count].join(" ")));
            }
            lines.extend(
                record.steps().map(|step| format!("position {}", step.unwrap().table.position_line())),
            );
            lines.push(format!("newgame {}", setup.line()));
        }
    }
    lines
}

#[test]
fn no_line_makes_an_engine_panic() {
    let mut rng = StdRng::seed_from_u64(11);
    let good = lines();
    let mut input: Vec<u8> = Vec::new();
    let mut sent = 0;
    for _ in 0..6_000 {
        let mut line = good.choose(&mut rng).unwrap().clone().into_bytes();
        for _ in 0..rng.random_range(0..3) {
            let at = rng.random_range(0..=line.len());
            let other = good.choose(&mut rng).unwrap().as_bytes();
            match rng.random_range(0..5) {
                0 => line.truncate(at),
                1 => line.insert(at, rng.random()),
                2 if at < line.len() => line[at] = rng.random(),
                3 => line.extend_from_slice(&other[..other.len().min(at)]),
                _ => line.rotate_left(at),
            }
        }
        line.retain(|byte| *byte != b'\n');
        if line.starts_with(b"quit") {
            continue;
        }
        input.extend(line);
        input.push(b'\n');
        // Every answer after this one belongs to later lines.
        input.extend(b"isready\n");
        sent += 1;
    }
    input.extend(std::iter::repeat_n(b'x', 600_000));
    input.extend(b"\nisready\nquit\nassam\n");
    let told = answers_to_bytes(&input);
    let begins = ["error ", "bestmove ", "info ", "readyok", "id ", "option ", "assamok"];
    let strange = told.iter().find(|line| !begins.iter().any(|begin| line.starts_with(begin)));
    assert_eq!(strange, None);
    assert!(told.iter().filter(|line| *line == "readyok").count() > sent, "each line was answered");
    assert_eq!(told[told.len() - 2], "error bad_argument a line has at most 262144 bytes");
    assert!(told.iter().any(|line| line.starts_with("bestmove")));
}

#[test]
fn a_decision_is_legal_in_every_position_of_a_game() {
    let games = out(&assam(&["random", "--ruleset", "marrakesh/1", "--option", "rounds=6"], ""));
    let record = AnyRecord::read(games);
    let setup = record.setup.as_ref().unwrap().line();
    let mut table = record.setup.as_ref().unwrap().table();
    let (mut lines, mut legal) = (Vec::new(), Vec::new());
    for (count, word) in (1..).zip(&record.words) {
        table.replay(word).unwrap();
        if let Turn::Player(seat) = table.turn() {
            legal.push(table.legal_moves(Viewer::Seat(seat)).unwrap());
            lines.push(format!("position {setup} words {}", record.words[..count].join(" ")));
            lines.push("go".to_owned());
        }
    }
    let told = answers(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(told.len(), legal.len());
    for (told, legal) in told.iter().zip(legal) {
        assert!(legal.iter().any(|legal| *told == format!("bestmove {legal}")), "{told}: {legal:?}");
    }
}
