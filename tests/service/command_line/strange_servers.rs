//! Servers that fall silent, or are not what they claim to be.

use std::fs;

use super::impostor::{Impostor, Then, response};
use super::{OVER, text};
use crate::harness::{assam, err, out};

const PORTAL: &str = "<!DOCTYPE html><title>Welcome to the hotel</title><p>Please log in.\n";
const LOG_KEY: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";

/// Everything that asks a service.
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
    // Of the right media type, and something else all the same.
    for media_type in ["text/plain", "application/x-ndjson", "application/json"] {
        for body in [PORTAL, "{\"status\":\"ok\"}", "[]"] {
            let portal = Impostor::answering(response(media_type, body), Then::Close);
            for command in commands(&portal.base, &game, &key, &state) {
                // An object a line is all that an export knows of games in this form.
                if command.contains(&"ndjson") && body.starts_with('{') && media_type.ends_with("ndjson") {
                    continue;
                }
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
    let line = "{\"id\":\"x\"}\n";
    let whole = response(mkn, OVER);
    let cut = |text: &str| text[..text.len() - 5].to_owned();
    for (form, answer) in [
        ("mkn", response("text/html", PORTAL)),
        ("mkn", response(mkn, PORTAL)),
        ("mkn", response(mkn, &format!("{PORTAL}{OVER}"))),
        ("mkn", response(ndjson, line)),
        ("mkn", cut(&whole)),
        ("mkn", chunked(mkn, OVER, "")),
        ("mkn", chunked(mkn, OVER, "ff\r\nMKN/1")),
        ("mkn", format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{OVER}")),
        ("ndjson", response(ndjson, &format!("{line}{PORTAL}"))),
        ("ndjson", response(ndjson, &format!("{line}[1]\n"))),
        ("ndjson", response(ndjson, &format!("{line}{}", cut(line)))),
        ("ndjson", chunked(ndjson, line, "")),
        ("ndjson", response(mkn, OVER)),
    ] {
        fs::write(&file, "precious").unwrap();
        let server = Impostor::answering(answer.clone(), Then::Close);
        let told = assam(&["export", "--url", &server.base, "--form", form, "-o", &file], "");
        assert_eq!(told.status.code(), Some(2), "{answer}: {}", err(&told));
        assert_eq!(err(&told).trim_end().lines().count(), 1, "{answer}: {}", err(&told));
        assert_eq!(fs::read_to_string(&file).unwrap(), "precious", "{answer}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing else is left behind");
    }
    for (form, answer, body) in [
        ("mkn", whole, OVER),
        ("mkn", chunked(mkn, OVER, "0\r\n\r\n"), OVER),
        ("ndjson", response(ndjson, line), line),
    ] {
        let server = Impostor::answering(answer, Then::Close);
        let told = assam(&["export", "--url", &server.base, "--form", form, "-o", &file], "");
        assert_eq!((told.status.code(), err(&told).as_str()), (Some(0), "1 game\n"));
        assert_eq!(fs::read_to_string(&file).unwrap(), body);
    }
}
