//! Servers that fall silent, or are not what they claim to be.

use std::fs;

use serde_json::json;

use super::impostor::{Impostor, Then, response};
use super::{OVER, text};
use crate::harness::{assam, err, out};

const PORTAL: &str = "<!DOCTYPE html><title>Welcome to the hotel</title><p>Please log in.\n";
const LOG_KEY: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";

/// Returns a line of an export with this record.
fn game_line(record: &str) -> String {
    format!("{}\n", json!({"id": "0f8fad5bd9cb469fa165708f67d64b2a", "record": record}))
}

/// Returns every command that sends requests to a service.
fn commands<'a>(url: &'a str, game: &'a str, key: &'a str, state: &'a str) -> Vec<Vec<&'a str>> {
    vec![
        vec!["export", "--url", url],
        vec!["export", "--url", url, "--form", "ndjson"],
        vec!["import", game, "--url", url],
        vec!["audit", "--url", url],
        vec!["audit", "--url", url, "--key", LOG_KEY],
        vec![
            "witness",
            "--key-file",
            key,
            "--name",
            "example.org/w",
            "--url",
            url,
            "--log-key",
            LOG_KEY,
            "--state",
            state,
        ],
    ]
}

#[test]
fn no_command_takes_the_first_200_for_what_it_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let [game, key, state] = ["game.mkn", "w.key", "w.state"].map(|name| text(&folder.path().join(name)));
    fs::write(&game, OVER).unwrap();
    for answer in [
        response("text/html; charset=utf-8", PORTAL),
        response("text/html", ""),
        "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/login\r\nContent-Length: 0\r\n\r\n".to_owned(),
        format!("HTTP/1.1 200 OK\r\n\r\n{PORTAL}"),
        "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n".to_owned(),
    ] {
        let portal = Impostor::answering(answer.clone(), Then::Close);
        for command in commands(&portal.base, &game, &key, &state) {
            let told = assam(&command, "");
            assert_eq!(
                (told.status.code(), out(&told).as_str()),
                (Some(2), ""),
                "{command:?}: {}",
                err(&told)
            );
            assert_eq!(err(&told).trim_end().lines().count(), 1, "{command:?}: {}", err(&told));
            assert!(!fs::exists(&state).unwrap(), "{command:?}");
        }
    }
    // Another body with the right media type.
    for media_type in ["text/plain", "application/x-ndjson", "application/json"] {
        for body in [PORTAL, "{\"status\":\"ok\"}", "[]", "{\"status\":\"ok\"}\n", "MKN/1 hello\n"] {
            let portal = Impostor::answering(response(media_type, body), Then::Close);
            for command in commands(&portal.base, &game, &key, &state) {
                let told = assam(&command, "");
                assert_ne!(told.status.code(), Some(0), "{command:?} {media_type} {body}");
                assert!(!fs::exists(&state).unwrap(), "{command:?}");
            }
        }
    }
}

#[test]
fn no_command_waits_without_end_for_a_service_that_falls_silent() {
    let folder = tempfile::tempdir().unwrap();
    let [game, key, state] = ["game.mkn", "w.key", "w.state"].map(|name| text(&folder.path().join(name)));
    fs::write(&game, OVER).unwrap();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 900\r\n\r\nMKN/1 ";
    for (answer, is_for) in [("", ""), ("HTTP/1.1 200 OK\r\nContent", ""), (head, "export")] {
        let silent = Impostor::answering(answer, Then::FallSilent);
        for mut command in commands(&silent.base, &game, &key, &state) {
            if command.contains(&"ndjson") || !command[0].contains(is_for) {
                continue;
            }
            command.extend(["--idle-timeout", "1"]);
            let told = assam(&command, "");
            assert_eq!(told.status.code(), Some(2), "{command:?}: {}", err(&told));
            assert!(err(&told).contains("silent for 1 s (--idle-timeout)"), "{command:?}: {}", err(&told));
        }
    }
}

#[test]
fn an_export_replaces_a_file_only_once_all_of_it_has_come_and_it_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = text(&folder.path().join("games"));
    let chunked = |media_type: &str, body: &str, end: &str| {
        let length = body.len();
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nTransfer-Encoding: chunked\r\n\r\n{length:x}\r\n{body}\r\n{end}"
        )
    };
    let (mkn, ndjson) = ("text/plain", "application/x-ndjson");
    let line = &game_line(OVER);
    let running = "MKN/1 marrakech/1 seats=3\n\n*\n";
    let whole = response(mkn, OVER);
    let of_lines = |lines: &str| ("ndjson", response(ndjson, lines));
    let without = |name: &str| line.replace(name, "else");
    let cut = |text: &str| text[..text.len() - 5].to_owned();
    for (form, answer) in [
        ("mkn", response("text/html", PORTAL)),
        ("mkn", response(mkn, PORTAL)),
        ("mkn", response(mkn, &format!("{PORTAL}{OVER}"))),
        ("mkn", response(ndjson, line)),
        ("mkn", response(mkn, "")),
        ("mkn", response(mkn, "\n")),
        ("ndjson", response(ndjson, "")),
        ("mkn", response(mkn, "MKN/")),
        ("mkn", response(mkn, "MKN/1 this is no game\n")),
        ("mkn", response(mkn, &format!("MKN/1 marrakech/1 seats=3\n{PORTAL}"))),
        ("mkn", response(mkn, &format!("{OVER}\n{PORTAL}"))),
        ("mkn", response(mkn, &format!("{OVER}\n{}", OVER.replace("30", "31")))),
        ("mkn", response(mkn, &format!("{running}junk\n"))),
        ("mkn", cut(&whole)),
        ("mkn", chunked(mkn, OVER, "")),
        ("mkn", chunked(mkn, OVER, "ff\r\nMKN/1")),
        ("mkn", format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{OVER}")),
        ("ndjson", response(ndjson, &format!("{line}{PORTAL}"))),
        of_lines("{}\n"),
        of_lines("{\"record\":\"x\"}\n"),
        of_lines("\n"),
        of_lines(&without("\"id\"")),
        of_lines(&without("\"record\"")),
        of_lines(&line.replace('f', "x")),
        of_lines(&game_line("MKN/1 hello")),
        of_lines(&game_line(&format!("{OVER}\n{OVER}"))),
        of_lines(&game_line(&OVER.replace("30", "31"))),
        ("ndjson --proofs", response(ndjson, line)),
        ("ndjson --proofs", response(ndjson, "{\"proof\":{},\"log\":[]}\n")),
        ("ndjson", response(ndjson, &format!("{line}[1]\n"))),
        ("ndjson", response(ndjson, &format!("{line}{}", cut(line)))),
        ("ndjson", chunked(ndjson, line, "")),
        ("ndjson", response(mkn, OVER)),
    ] {
        fs::write(&file, "precious").unwrap();
        let server = Impostor::answering(answer.clone(), Then::Close);
        let form: Vec<&str> = form.split(' ').collect();
        let told =
            assam(&[&["export", "--url", &server.base, "-o", &file, "--form"], &form[..]].concat(), "");
        assert_eq!(told.status.code(), Some(2), "{answer}: {}", err(&told));
        assert_eq!(err(&told).trim_end().lines().count(), 1, "{answer}: {}", err(&told));
        assert_eq!(fs::read_to_string(&file).unwrap(), "precious", "{answer}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing else is left behind");
    }
    for (form, answer, body) in [
        ("mkn", whole, OVER),
        ("mkn", chunked(mkn, OVER, "0\r\n\r\n"), OVER),
        ("mkn", response(mkn, running), running),
        ("ndjson", response(ndjson, line), line),
        ("ndjson", response(ndjson, &game_line(running)), &game_line(running)),
    ] {
        let server = Impostor::answering(answer, Then::Close);
        let told = assam(&["export", "--url", &server.base, "--form", form, "-o", &file], "");
        assert_eq!((told.status.code(), err(&told).as_str()), (Some(0), "1 game\n"));
        assert_eq!(fs::read_to_string(&file).unwrap(), body);
    }
}

#[test]
fn an_import_believes_no_line_that_a_service_does_not_send() {
    let ndjson = "application/x-ndjson";
    let summary = "{\"kind\":\"summary\"}\n";
    let new = "{\"kind\":\"record\",\"outcome\":\"new\",\"game\":\"0f8fad5bd9cb469fa165708f67d64b2a\"}\n";
    for lines in [
        "{}\n".to_owned(),
        "{\"outcome\":\"fine\"}\n".to_owned(),
        "{\"outcome\":\"new\"}\n".to_owned(),
        "{\"outcome\":\"known\",\"game\":\"\\u001b[31mx\"}\n".to_owned(),
        format!("{new}{new}"),
        String::new(),
    ] {
        let server = Impostor::answering(response(ndjson, &format!("{lines}{summary}")), Then::Close);
        let told = assam(&["import", "-", "--url", &server.base], OVER);
        assert_eq!((told.status.code(), out(&told).as_str()), (Some(2), ""), "{lines}: {}", err(&told));
        assert_eq!(err(&told).trim_end().lines().count(), 1, "{lines}: {}", err(&told));
    }
    // Remote text cannot control the terminal.
    let problem = "{\"code\":\"x\",\"detail\":\"\\u001b[31m\\u202ewhy\\nassam: all is well\"}";
    let refusal = format!("HTTP/1.1 400 Bad Request\r\nContent-Length: {}\r\n\r\n{problem}", problem.len());
    let server = Impostor::answering(refusal, Then::Close);
    let told = err(&assam(&["export", "--url", &server.base], ""));
    assert_eq!(told, "assam: \\u{1b}[31m\\u{202e}why\\nassam: all is well\n");
}

#[test]
fn a_url_that_names_no_server_is_refused_and_no_other_one_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let [game, key, state] = ["game.mkn", "w.key", "w.state"].map(|name| text(&folder.path().join(name)));
    fs::write(&game, OVER).unwrap();
    for url in [
        "http://127.0.0.1:99999",
        "http://127.0.0.1:65536",
        "https://localhost:70000/below",
        "http://[::1]:99999",
        "http://127.0.0.1:80x",
        "http://127.0.0.1:-1",
        "http://[::1",
        "http://",
        "https://",
        "http://:80",
        "http:///v1",
        "http://127.0.0.1:9?",
        "http://127.0.0.1:9#x",
        "http://a b",
        "ftp://127.0.0.1",
        "127.0.0.1:9",
        "",
    ] {
        for command in commands(url, &game, &key, &state) {
            let told = assam(&command, "");
            assert_eq!((told.status.code(), out(&told).as_str()), (Some(2), ""), "{url} {command:?}");
            let said = err(&told);
            assert!(said.contains("--url must be") && said.lines().count() == 1, "{url} {command:?}: {said}");
        }
    }
}
