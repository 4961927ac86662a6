//! Files as people and programs leave them. The command line, both HTTP endpoints and the page give the same
//! verdict on the same bytes.

use std::fs;
use std::io::Write as _;
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};

use crate::clients::{python_client, typescript};
use crate::harness::{Browser, Client, Page, Service, assam, err, installed, out, python, sqlite, start};

const GOOD: &str = "MKN/1 marrakech/1 seats=3\nseat1: Zoë\n\nN+3 d6e6\n*\n";

/// Returns bytes and their descriptions.
fn awkward() -> Vec<(&'static str, Vec<u8>)> {
    let text = |text: &str| text.as_bytes().to_vec();
    let utf16 = |mark: &[u8], of: fn(u16) -> [u8; 2]| {
        [mark.to_vec(), GOOD.encode_utf16().flat_map(of).collect()].concat()
    };
    let bad = GOOD.replace("d6e6", "d6d7");
    vec![
        ("good", text(GOOD)),
        ("refused", text(&bad)),
        ("empty", Vec::new()),
        ("blank", text(" \t\r\n\n \n")),
        ("blank lines before it", text(&format!("\n\r\n  \n{GOOD}"))),
        ("no line end at its end", text(GOOD.trim_end())),
        ("CRLF", text(&GOOD.replace('\n', "\r\n"))),
        ("CR", text(&GOOD.replace('\n', "\r"))),
        ("CR, many", text(&GOOD.replace('\n', "\r").repeat(3))),
        ("mixed line ends", text(&GOOD.replacen('\n', "\r\n", 2))),
        ("a byte order mark", text(&format!("\u{feff}{GOOD}"))),
        ("a byte order mark in the middle", text(&format!("{GOOD}{GOOD}\u{feff}{GOOD}{GOOD}"))),
        ("UTF-16, little end first", utf16(b"\xff\xfe", u16::to_le_bytes)),
        ("UTF-16, big end first", utf16(b"\xfe\xff", u16::to_be_bytes)),
        ("UTF-16 without a mark", utf16(b"", u16::to_le_bytes)),
        ("UTF-16 between others", [text(GOOD), utf16(b"\xff\xfe", u16::to_le_bytes), text(GOOD)].concat()),
        ("Latin-1", GOOD.chars().map(|c| c as u8).collect()),
        ("half a character", b"MKN/1 marrakech/1 seats=3\nseat1: Zo\xc3".to_vec()),
        ("a NUL", text(&GOOD.replace("+3", "+3\0"))),
        ("Ctrl-Z", text(&format!("{GOOD}\x1a"))),
        ("Ctrl-Z between two", text(&format!("{GOOD}\x1a{GOOD}"))),
        ("a no-break space", text(&GOOD.replace("+3 ", "+3\u{a0}"))),
        ("a zero width space", text(&GOOD.replace("d6e6", "\u{200b}d6e6"))),
        ("a Cyrillic letter", text(&GOOD.replace("d6e6", "d6\u{435}6"))),
        ("fullwidth", text("ＭＫＮ/1 marrakech/1 seats=3\n\n*\n")),
        ("a fence", text(&format!("```\n{GOOD}```\n"))),
        ("quoted", text(&format!("> {}\n", GOOD.trim_end().replace('\n', "\n> ")))),
        (
            "a quoted one between others",
            text(&format!("{GOOD}> {}\n{GOOD}", GOOD.trim_end().replace('\n', "\n> "))),
        ),
        ("a signature", text(&format!("{GOOD}-- \nZoë\n"))),
        ("a Cyrillic setup line", text("\u{41c}KN/1 marrakech/1 seats=3\n\n*\n")),
        ("small letters", text(&GOOD.replace("MKN", "mkn"))),
        ("a mark of a list", text(&format!("* {GOOD}"))),
        ("a tag of HTML", text(&format!("</pre>{GOOD}"))),
        ("setup lines that look like one", {
            let starts =
                ["\u{41c}KN/1", "mkn/1", "\u{ff2d}\u{ff2b}\u{ff2e}/1", "M\u{200b}KN/1", "MKN\u{2215}1"];
            let before = ["* MKN/1", "> MKN/1", "</pre>MKN/1", "Game 2: MKN/1", "marrakech/1 seats=3\u{a0}"];
            let wrong = starts.iter().chain(&before).map(|start| GOOD.replace("MKN/1", start) + GOOD);
            text(&(GOOD.to_owned() + &wrong.collect::<String>()))
        }),
        ("joined by a blank", text(&format!("{} {GOOD}", GOOD.trim_end()))),
        ("joined with a tag of HTML between", text(&format!("{}</pre>{GOOD}{GOOD}", GOOD.trim_end()))),
        ("joined with another letter", text(&format!("{}\u{41c}{}{GOOD}", GOOD.trim_end(), &GOOD[1..]))),
        ("joined without a line end", text(&format!("{}{GOOD}", GOOD.trim_end()))),
        ("a very long line", text(&GOOD.replace("N+3", &"N+3 ".repeat(2000)))),
        ("too long", text(&format!("{GOOD}{}", "x".repeat(70_000)))),
        ("a letter about it", text(&format!("Dear Zoë,\n\nhere it is:\n\n{GOOD}"))),
        ("JSON", text("{\"record\": \"MKN/1 marrakech/1 seats=3\"}\n")),
    ]
}

/// The verdict on each record: its first line, whether it is valid, and where and why it is not.
type Verdicts = Vec<(u64, bool, Value, Value, Value, Value)>;

fn of_row(row: &Value) -> (u64, bool, Value, Value, Value, Value) {
    let error = &row["error"];
    let line = row["line"].as_u64().unwrap();
    let [rule, detail] = ["rule", "detail"].map(|name| error[name].clone());
    (line, row["valid"] == true, rule, error["line"].clone(), error["column"].clone(), detail)
}

fn rows(lines: &str) -> Verdicts {
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["kind"] == "record").map(|row| of_row(&row)).collect()
}

fn command_line(bytes: &[u8]) -> Verdicts {
    let mut child = start(&["validate", "--json", "-"]);
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    rows(&String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap())
}

fn in_bulk(client: &Client<'_>, bytes: &[u8]) -> Verdicts {
    let answer = client.send("POST", "/v1/validate/bulk", &[("Content-Type", "text/plain")], bytes);
    assert_eq!(answer.status, 200, "{}", answer.text);
    rows(&answer.text)
}

/// Gives the page a file, and returns its result: the error of one record, or the list of many.
fn on_the_page(page: &Page<'_>, name: &str, bytes: &[u8]) -> Value {
    let bytes = BASE64.encode(bytes);
    page.evaluate(&format!(
        "(() => {{
            for (const id of ['verdict', 'list']) document.getElementById(id).replaceChildren();
            const bytes = Uint8Array.from(atob('{bytes}'), (c) => c.charCodeAt(0));
            const files = new DataTransfer();
            files.items.add(new File([bytes], {name:?}));
            const input = document.getElementById('file');
            input.files = files.files;
            input.dispatchEvent(new Event('change'));
        }})()"
    ));
    page.until(
        "document.querySelector('#verdict h2, #list h2') && !document.getElementById('main').ariaBusy",
    );
    page.evaluate(
        "(() => {
            const list = [...document.querySelectorAll('#list .records li')].map((row) => row.textContent);
            if (list.length > 0) return { list: list.sort() };
            const verdict = document.getElementById('verdict');
            return { valid: verdict.querySelector('h2').className === 'good', place: verdict.querySelector('p').textContent, text: verdict.textContent };
        })()",
    )
}

#[test]
fn the_same_bytes_have_the_same_verdict_on_the_command_line_over_http_in_bulk_and_on_the_page() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let client = service.stranger();
    let browser = Browser::start();
    let page = browser.as_ref().map(|browser| browser.open(&format!("{}/check", service.base())));
    if let Some(page) = &page {
        page.until("!document.getElementById('example').disabled");
    }
    for (name, bytes) in awkward() {
        let verdicts = command_line(&bytes);
        assert_eq!(in_bulk(&client, &bytes), verdicts, "{name}");
        if let [(_, valid, rule, line, column, detail)] = &verdicts[..] {
            let answer = client.send("POST", "/v1/validate", &[("Content-Type", "text/plain")], &bytes);
            assert_eq!(answer.status, 200, "{name}: {}", answer.text);
            let told = answer.json();
            let error = &told["error"];
            assert_eq!(told["valid"], *valid, "{name}");
            let said = ["rule", "line", "column", "detail"].map(|name| &error[name]);
            assert_eq!(said, [rule, line, column, detail], "{name}");
        }
        let Some(page) = &page else { continue };
        let shown = on_the_page(page, name, &bytes);
        if let [(_, valid, _, line, column, detail)] = &verdicts[..] {
            assert_eq!(shown["valid"], *valid, "{name}: {shown}");
            if !valid {
                assert_eq!(shown["place"], format!("Line {line}, column {column}"), "{name}");
                let detail = detail.as_str().unwrap().replace('`', "");
                assert!(shown["text"].as_str().unwrap().contains(&detail), "{name}: {detail}: {shown}");
            }
        } else {
            let mut list: Vec<String> = (1..)
                .zip(&verdicts)
                .map(|(number, (line, valid, _, at, ..))| match valid {
                    true => format!("Record {number}, line {line}: valid, 2 steps"),
                    false => format!("Record {number}: fault on line {at}"),
                })
                .collect();
            list.sort();
            assert_eq!(shown["list"], json!(list), "{name}");
        }
    }
}

#[test]
fn the_python_and_typescript_clients_judge_the_bytes_of_files_as_the_service_does() {
    let commands = [
        python_client::client(&python_client::source("tests/verdicts.py")),
        installed().map(|package| {
            let mut node = Command::new("node");
            node.arg(typescript::beside(&package, "verdicts.mjs"));
            node
        }),
    ];
    let backend = sqlite();
    let service = Service::start(&backend);
    let folder = tempfile::tempdir().unwrap();
    // To a client, an empty file has no records. Parts of a long one begin anywhere.
    let mut files: Vec<_> = awkward().into_iter().filter(|(_, bytes)| !bytes.is_empty()).collect();
    let joined: Vec<u8> = files.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
    files.push(("all of them, again and again", joined.repeat(8)));
    files.push(("many joined without a line end", GOOD.trim_end().repeat(9000).into_bytes()));
    for (name, bytes) in &files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    for mut command in commands.into_iter().flatten() {
        let run = command.arg(service.base()).arg(folder.path()).output().unwrap();
        assert!(run.status.success(), "{command:?}: {}", err(&run));
        let told = out(&run);
        for (name, bytes) in &files {
            let of_file = format!("\"file\":\"{name}\"");
            let told: Vec<&str> = told
                .lines()
                .filter(|line| line.replace("\"file\": \"", "\"file\":\"").contains(&of_file))
                .collect();
            let expected = in_bulk(&service.stranger(), bytes);
            assert!(rows(&told.join("\n")) == expected, "{command:?}: {name}");
        }
    }
}

#[test]
fn no_good_record_is_lost_or_refused_for_what_stands_beside_it() {
    let good = |name: &str| {
        let (_, bytes) = awkward().into_iter().find(|(found, _)| *found == name).unwrap();
        command_line(&bytes).iter().map(|(_, valid, ..)| *valid).collect::<Vec<bool>>()
    };
    assert_eq!(good("a byte order mark in the middle"), [true, true, false, true]);
    assert_eq!(good("UTF-16 between others"), [true, false, true]);
    assert_eq!(good("a quoted one between others"), [true, false, true]);
    assert_eq!(good("joined without a line end"), [true, true]);
    assert_eq!(good("joined by a blank"), [true, true]);
    assert_eq!(good("joined with a tag of HTML between"), [true, false, true]);
    assert_eq!(good("joined with another letter"), [true, false, true]);
    let (_, joined) = awkward().into_iter().find(|(name, _)| name.starts_with("joined with a tag")).unwrap();
    let (line, _, _, at, column, _) = command_line(&joined).swap_remove(1);
    assert_eq!((line, at, column), (5, json!(5), json!(2)));
    let alternately: Vec<bool> = (0..21).map(|number| number % 2 == 0).collect();
    assert_eq!(good("setup lines that look like one"), alternately);
    assert_eq!(good("Ctrl-Z between two"), [false, true]);
    assert_eq!(good("CR, many"), [false, false, false]);
}

#[test]
fn a_character_in_a_move_that_cannot_be_seen_or_is_another_is_named_where_it_stands() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let me = service.player();
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "random"], "take": {"seat": 1}});
    let id = me.post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/games/{id}/moves/1");
    for (word, column, named) in [
        ("N\u{a0}", 2, "U+00A0 NO-BREAK SPACE"),
        ("\u{39d}", 1, "U+039D GREEK CAPITAL LETTER NU (it looks like `N`)"),
        ("\u{feff}N", 1, "U+FEFF ZERO WIDTH NO-BREAK SPACE"),
        ("d6\u{435}6", 3, "U+0435 CYRILLIC SMALL LETTER IE"),
        ("\u{ff2e}", 1, "U+FF2E FULLWIDTH LATIN CAPITAL LETTER N"),
        ("\u{201c}N\u{201d}", 1, "U+201C LEFT DOUBLE QUOTATION MARK"),
        ("N\u{200b}", 2, "U+200B ZERO WIDTH SPACE"),
        ("!resign\u{661}", 8, "U+0661 ARABIC-INDIC DIGIT ONE"),
        ("N\r", 2, "U+000D CARRIAGE RETURN"),
    ] {
        let sent = [
            me.put(&path, json!({"move": word})),
            me.put(&path, json!({"moves": [word]})),
            me.send("PUT", &path, &[("Content-Type", "text/plain")], word),
        ];
        for answer in &sent[..if word.contains('\r') { 2 } else { 3 }] {
            assert_eq!(answer.status, 400, "{word:?}: {}", answer.text);
            let problem = answer.json();
            assert_eq!(
                (&problem["column"], &problem["word"]),
                (&json!(column), &json!(1)),
                "{word:?}: {problem}"
            );
            assert!(problem["detail"].as_str().unwrap().contains(named), "{word:?}: {problem}");
            assert!(problem["expected"].is_string(), "{word:?}: {problem}");
        }
    }
    let quoted = "{\u{201c}move\u{201d}: \u{201c}N\u{201d}}";
    let answer = me.send("PUT", &path, &[("Content-Type", "application/json")], quoted);
    assert!(answer.text.contains("U+201C LEFT DOUBLE QUOTATION MARK"), "{}", answer.text);
}

#[test]
fn a_name_that_shows_nothing_or_steers_is_refused_wherever_a_name_comes_in() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let me = service.player();
    let create = |name: &str| {
        let take = json!({"seat": 1, "name": name});
        me.post("/v1/games", json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "take": take}))
    };
    assert_eq!(create("🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} ᠴᠠᠭᠠ\u{180e}ᠠ").status, 201);
    let id = create("عائشة 🧶").json()["id"].as_str().unwrap().to_owned();
    for (name, why) in [
        ("a\u{202e}b", "U+202E RIGHT-TO-LEFT OVERRIDE"),
        ("a\u{2067}b", "U+2067 RIGHT-TO-LEFT ISOLATE"),
        ("a\u{200b}b", "U+200B ZERO WIDTH SPACE"),
        ("a\u{e0041}b", "U+E0041"),
        ("a\u{e000}b", "U+E000"),
        ("a\u{fe0f}b", "U+FE0F VARIATION SELECTOR-16"),
        ("a\u{34f}b", "U+034F COMBINING GRAPHEME JOINER"),
        ("a\u{fffc}", "U+FFFC OBJECT REPLACEMENT CHARACTER"),
        ("a\u{301}\u{301}\u{301}\u{301}\u{301}", "U+0301 COMBINING ACUTE ACCENT"),
        ("\u{fffc}", "must show something"),
        ("\u{3164}", "must show something"),
        ("\u{2800}", "must show something"),
        ("\u{301}", "must show something"),
    ] {
        let seat = format!("/v1/games/{id}/seats");
        let other = service.player();
        let sent = [
            create(name),
            other.put(&format!("{seat}/2"), json!({"name": name})),
            me.patch(&format!("{seat}/1"), json!({"name": name})),
            me.post_text(
                "/v1/imports",
                &format!("MKN/1 marrakech/1 seats=3\nseat2: {name}\n\n!abort\n= -\n"),
            ),
        ];
        for (number, answer) in (1..).zip(sent) {
            assert_eq!(answer.status, 400, "{number} {name:?}: {}", answer.text);
            assert!(
                answer.json()["detail"].as_str().unwrap().contains(why),
                "{number} {name:?}: {}",
                answer.text
            );
        }
    }
    assert_eq!(service.stranger().get(&format!("/v1/games/{id}")).json()["seats"][0]["name"], "عائشة 🧶");
}

#[test]
fn a_png_says_which_characters_of_a_name_no_font_has() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.png");
    // It is an unassigned character.
    let record = "MKN/1 marrakech/1 seats=3\nseat1: A\u{378}B\n\nN+3 d6e6\n*\n";
    let arguments = ["convert", "-", "--to", "png", "-o", file.to_str().unwrap()];
    let converted = assam(&arguments, record);
    let told = err(&converted);
    if told.contains("a PNG needs a font") {
        return;
    }
    assert!(converted.status.success() && file.exists(), "{converted:?}");
    assert!(
        told.contains("the picture lacks \u{2068}\u{378}\u{2069} (U+0378), which no font of this system has"),
        "{told}"
    );
    assert_eq!(err(&assam(&arguments, &record.replace('\u{378}', ""))), "");
}

#[test]
fn programs_that_translate_pages_leave_words_of_the_notation_as_they_are() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let client = service.stranger();
    for path in ["/grammar", "/grammar/marrakesh", "/docs/"] {
        let page = client.send("GET", path, &[("Accept", "text/html")], "").text;
        assert!(page.contains("<code translate=\"no\""), "{path}");
        assert!(!page.contains("<code>") && !page.contains("<code class"), "{path}");
    }
}

#[test]
fn a_reader_in_python_agrees_with_all_vectors() {
    let Some(run) = python("examples/python/mkn.py", &["--vectors", "notation/vectors"]) else { return };
    let told = out(&run);
    assert!(run.status.success(), "{told}{}", err(&run));
    let last = told.lines().last().unwrap();
    let verdicts = last.strip_suffix(" verdicts, 0 disagreements").unwrap_or_else(|| panic!("{told}"));
    assert!(verdicts.parse::<u32>().unwrap() > 9000, "{told}");
}
