//! The generated pages of the reference. `ASSAM_RECORD=1` writes them, and every other run compares them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::documents::root;
use crate::harness::{Service, assam, out, sqlite};

/// Compares a page with the committed one, or writes it.
fn is_committed(page: &str, lead: &str, content: &str) {
    let (title, lead) = lead.split_once('\n').unwrap();
    let made = "<!-- Made by `ASSAM_RECORD=1 scripts/test documents::reference`. Do not edit. -->";
    let page_text = format!("# {title}\n\n{made}\n\n{}\n\n{}\n", lead.trim(), content.trim());
    let path = root().join("docs/reference").join(page);
    if std::env::var_os("ASSAM_RECORD").is_some() {
        fs::write(path, page_text).unwrap();
        return;
    }
    let committed = fs::read_to_string(path).unwrap_or_default();
    assert!(
        committed == page_text,
        "{page} is out of date: run `ASSAM_RECORD=1 scripts/test documents::reference`"
    );
}

/// Formats a table cell: one line, without cell separators.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// Puts each sentence on a line.
fn sentences(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let ends = [". ", "? "];
    let mut lines = text;
    for end in ends {
        lines = lines.replace(end, &format!("{}\n", end.trim()));
    }
    // Abbreviations end no sentence.
    lines.replace("e.g.\n", "e.g. ").replace("..\n", ".. ")
}

#[test]
fn the_reference_of_endpoints_is_the_openapi_document() {
    let openapi: Value = serde_json::from_str(&out(&assam(&["openapi"], ""))).unwrap();
    let resolved = |value: &Value| -> Value {
        value["$ref"].as_str().map_or_else(
            || value.clone(),
            |reference| openapi.pointer(reference.trim_start_matches('#')).unwrap().clone(),
        )
    };
    let quoted =
        |names: Vec<String>| names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let mut content = String::new();
    let mut operations = 0;
    for tag in openapi["tags"].as_array().unwrap() {
        let name = tag["name"].as_str().unwrap();
        let heading = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
        writeln!(
            content,
            "## {heading}\n\n{}.\n",
            sentences(tag["description"].as_str().unwrap()).trim_end_matches('.')
        )
        .unwrap();
        content.push_str(
            "| Operation | Effect | Query parameters | Members of the body |\n| --- | --- | --- | --- |\n",
        );
        for (path, item) in openapi["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                if operation["tags"][0] != name {
                    continue;
                }
                let parameters = operation["parameters"].as_array().into_iter().flatten().map(resolved);
                let query: Vec<String> = parameters
                    .filter(|parameter| parameter["in"] == "query")
                    .map(|parameter| parameter["name"].as_str().unwrap().to_owned())
                    .collect();
                let body = resolved(&operation["requestBody"]["content"]["application/json"]["schema"]);
                let members = body["properties"].as_object();
                let members = members.map(|members| members.keys().cloned().collect()).unwrap_or_default();
                writeln!(
                    content,
                    "| `{} {path}` | {} | {} | {} |",
                    method.to_uppercase(),
                    cell(operation["summary"].as_str().unwrap()),
                    quoted(query),
                    quoted(members)
                )
                .unwrap();
                operations += 1;
            }
        }
        content.push('\n');
    }
    assert!(operations > 40, "{operations}");
    is_committed(
        "endpoints.md",
        "Endpoints
Every operation of the HTTP interface, by subject.
A running service documents each one at `/docs`, with schemas, examples and problems.
[HTTP](http.md) describes what applies to all of them.",
        &content,
    );
}

#[test]
fn the_reference_of_problems_is_what_the_service_lists() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let listed = service.stranger().get("/v1/problems").json();
    let mut content = String::new();
    for problem in listed["problems"].as_array().unwrap() {
        let text = |name: &str| problem[name].as_str().unwrap();
        writeln!(content, "## {}\n", text("code")).unwrap();
        writeln!(content, "Status {}: {}.", problem["status"], text("title")).unwrap();
        writeln!(content, "{}\n\n{}\n", sentences(text("meaning")), sentences(text("remedy"))).unwrap();
    }
    is_committed(
        "problems.md",
        "Problem codes
Every problem that the service returns has a `code` from this list.
Match on the code, and show `detail` to people.
Each entry gives the status, the meaning, and what to do.
A running service lists them at `/v1/problems`.",
        &content,
    );
}

#[test]
fn the_reference_of_limits_is_what_the_service_lists() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let limits = service.stranger().get("/v1/limits").json();
    let rate = |rate: &Value| {
        let number = |name: &str| rate[name].as_u64().unwrap();
        let every = if number("seconds") == 1 { "second" } else { "minute" };
        format!("{} a {every}, {} at once", number("requests"), number("burst"))
    };
    let mut content = "## Rates\n\n| Bucket | Counts | Each secret | Each address | Each game |\n| --- | --- | --- | --- | --- |\n".to_owned();
    for limit in limits["rates"].as_array().unwrap() {
        writeln!(
            content,
            "| `{}` | {} | {} | {} | {} |",
            limit["bucket"].as_str().unwrap(),
            cell(limit["counts"].as_str().unwrap()),
            rate(&limit["secret"]),
            rate(&limit["address"]),
            if limit["game"].is_null() { String::new() } else { rate(&limit["game"]) }
        )
        .unwrap();
    }
    content.push_str("\n## Sizes and numbers\n\n| Limit | Value |\n| --- | ---: |\n");
    for (name, unit) in [
        ("record_bytes", "Maximum bytes in a record"),
        ("body_bytes", "Maximum bytes in a body with a few members"),
        ("bulk_bytes", "Maximum bytes in a body with many records, uncompressed"),
        ("bulk_at_once", "Maximum bulk requests from one address at the same time"),
        (
            "connections",
            "Maximum connections from one address, and also maximum streams and waiting requests",
        ),
    ] {
        writeln!(content, "| {unit} (`{name}`) | {} |", limits[name]).unwrap();
    }
    is_committed(
        "limits.md",
        "Limits
These are the defaults.
A service returns the limits that apply to you at `/v1/limits`, and operators change them with `--rate` ([configuration](configuration.md)).
Requests above a rate get 429 [`too_many_requests`](problems.md#too_many_requests) with `Retry-After`, and have no effect.
A body that is too large gets 413 [`too_large`](problems.md#too_large).
A connection above its limit is closed, and a stream above it gets 429 `too_many_requests`.
Health checks are never limited.
The limit for an address covers all secrets that it uses.
For IPv6, an address means its /64 network.
Requests from a [trusted proxy](../operate/install.md#put-a-proxy-in-front) without `X-Forwarded-For` are not limited.
By default, this includes requests from the same machine as the service.",
        &content,
    );
}

#[test]
fn the_reference_of_metrics_is_what_the_service_serves() {
    let backend = sqlite();
    let flags = ["--metrics-listen", "127.0.0.1:0", "--witness-url", "http://127.0.0.1:9"];
    let service = Service::start_with(&backend, &flags);
    assert_eq!(service.stranger().get("/livez").status, 200);
    let page = service.metrics();
    let labels = |name: &str| {
        let prefixes = ["", "_total", "_count"].map(|ending| format!("{name}{ending}{{"));
        let sample = page.lines().find_map(|line| prefixes.iter().find_map(|it| line.strip_prefix(it)));
        let pairs = sample.and_then(|rest| rest.split_once('}')).map_or("", |(pairs, _)| pairs);
        let names = pairs.split("\",").filter_map(|pair| pair.split_once('=')).map(|(name, _)| name);
        names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    };
    let mut content = "| Metric | Type | Labels | Meaning |\n| --- | --- | --- | --- |\n".to_owned();
    let mut help = BTreeSet::new();
    for line in page.lines() {
        if let Some(described) = line.strip_prefix("# HELP ") {
            help = BTreeSet::from([described.to_owned()]);
        } else if let Some(typed) = line.strip_prefix("# TYPE ") {
            let (name, kind) = typed.split_once(' ').unwrap();
            let (_, meaning) = help.first().unwrap().split_once(' ').unwrap();
            let total = if kind == "counter" { "_total" } else { "" };
            writeln!(content, "| `{name}{total}` | {kind} | {} | {} |", labels(name), cell(meaning)).unwrap();
        }
    }
    is_committed(
        "metrics.md",
        "Metrics
`assam serve --metrics-listen ADDRESS` serves these metrics at `/metrics`, in OpenMetrics format, for Prometheus.
Each process counts separately, from the time it started.
Routes appear as templates, and labels have few values: no metric names a game, a player or a secret.
[Monitor](../operate/monitor.md) describes what to watch.",
        &content,
    );
}

/// A flag or an argument in the long help of a command.
#[derive(Default)]
struct Flag {
    name: String,
    variable: String,
    default: String,
    text: String,
    values: Vec<String>,
}

/// The contents of a command's long help under its headings.
struct Help {
    about: String,
    usage: String,
    flags: Vec<Flag>,
    commands: Vec<String>,
    examples: String,
}

fn help(command: &[&str]) -> Help {
    let text = out(&assam(&[&["help"], command].concat(), ""));
    let (about, rest) = text.split_once("\nUsage: ").unwrap();
    let (usage, rest) = rest.split_once('\n').unwrap();
    let (rest, examples) = rest.split_once("\nExamples:\n").unwrap_or((rest, ""));
    let (mut flags, mut commands, mut section) = (Vec::<Flag>::new(), Vec::new(), "");
    for line in rest.lines() {
        let indent = line.len() - line.trim_start().len();
        if indent == 0 && line.ends_with(':') {
            section = line;
        } else if section == "Commands:" && indent == 2 {
            commands.extend(line.split_whitespace().next().map(str::to_owned));
        } else if !section.is_empty() {
            let bare = line.trim();
            let setting = |name: &str| bare.strip_prefix(name)?.strip_suffix(']').map(str::to_owned);
            if matches!(indent, 2 | 6) && !bare.is_empty() {
                flags.push(Flag { name: bare.to_owned(), ..Flag::default() });
            } else if let Some(flag) = flags.last_mut() {
                if let Some(variable) = setting("[env: ") {
                    // After it comes the current value.
                    variable.split('=').next().unwrap().clone_into(&mut flag.variable);
                } else if let Some(default) = setting("[default: ") {
                    flag.default = default;
                } else if let Some(values) = setting("[possible values: ") {
                    flag.values = values.split(", ").map(str::to_owned).collect();
                } else if let Some((value, _)) = bare.strip_prefix("- ").and_then(|it| it.split_once(':')) {
                    flag.values.push(value.to_owned());
                } else if flag.values.is_empty() && bare != "Possible values:" {
                    flag.text.push_str(if bare.is_empty() { "\n\n" } else { bare });
                    flag.text.push(' ');
                }
            }
        }
    }
    flags.retain(|flag| !flag.name.starts_with("-h, ") && !flag.name.starts_with("-V, "));
    commands.retain(|name| name != "help");
    let examples = examples.lines().map(|line| {
        let about = line.strip_prefix("  ").unwrap_or(line);
        about.strip_prefix("  ").map_or_else(
            || {
                if about.is_empty() { String::new() } else { format!("# {}", about.trim_end_matches(':')) }
            },
            str::to_owned,
        )
    });
    Help {
        about: about.trim().to_owned(),
        usage: usage.to_owned(),
        flags,
        commands,
        examples: examples.collect::<Vec<_>>().join("\n"),
    }
}

impl Flag {
    /// Formats its text, or only its first paragraph, and its values as Markdown.
    fn meaning(&self, is_short: bool) -> String {
        let text = if is_short { self.text.split("\n\n").next().unwrap() } else { &self.text };
        let values: Vec<String> = self.values.iter().map(|value| format!("`{value}`")).collect();
        let values = if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
        spoken(text) + &values
    }
}

/// Formats a text as Markdown: paragraphs become sentences, and placeholders are not tags.
fn spoken(text: &str) -> String {
    let paragraphs: Vec<String> = text.split("\n\n").map(cell).filter(|text| !text.is_empty()).collect();
    paragraphs
        .iter()
        .map(|text| text.trim_end_matches('.'))
        .collect::<Vec<_>>()
        .join(". ")
        .replace('<', "\\<")
}

#[test]
fn the_reference_of_the_configuration_is_the_help_of_serve() {
    let help = help(&["serve"]);
    let mut content = "| Flag | Variable | Default | Meaning |\n| --- | --- | --- | --- |\n".to_owned();
    for flag in &help.flags {
        let code = |text: &str| if text.is_empty() { String::new() } else { format!("`{text}`") };
        let name = flag.name.split(' ').find(|word| word.starts_with("--")).unwrap();
        let (variable, default) = (code(&flag.variable), code(&flag.default));
        writeln!(content, "| `{name}` | {variable} | {default} | {} |", flag.meaning(false)).unwrap();
    }
    assert!(help.flags.len() > 20);
    is_committed(
        "configuration.md",
        "Configuration
Configure `assam serve` with these flags or environment variables.
A flag overrides its variable, and an empty variable counts as unset.
The variable of a switch accepts `1` and `0`, `true` and `false`, or `yes` and `no`.
Some flags may be repeated.
For these, the table states how to separate several values in the variable.",
        &content,
    );
}

#[test]
fn the_reference_of_the_command_line_is_the_help_of_every_command() {
    fn describe(content: &mut String, command: &[&str]) {
        let help = help(command);
        let level = "#".repeat(command.len() + 1);
        writeln!(content, "{level} assam {}\n", command.join(" ")).unwrap();
        let mut paragraphs = help.about.split("\n\n");
        writeln!(content, "{}.\n", cell(paragraphs.next().unwrap()).trim_end_matches('.')).unwrap();
        for paragraph in paragraphs {
            writeln!(content, "{}\n", sentences(paragraph)).unwrap();
        }
        writeln!(content, "```text\n{}\n```\n", help.usage).unwrap();
        if command == ["serve"] {
            content.push_str("[Configuration](configuration.md) lists the options.\n\n");
        } else if !help.flags.is_empty() {
            content.push_str("| Option | Default | Meaning |\n| --- | --- | --- |\n");
            for flag in &help.flags {
                let default =
                    if flag.default.is_empty() { String::new() } else { format!("`{}`", flag.default) };
                writeln!(content, "| `{}` | {default} | {} |", cell(&flag.name), flag.meaning(true)).unwrap();
            }
            content.push('\n');
        }
        if !help.examples.is_empty() {
            writeln!(content, "```sh\n{}\n```\n", help.examples.trim()).unwrap();
        }
        for name in &help.commands {
            describe(content, &[command, &[name]].concat());
        }
    }
    let listed = out(&assam(&["--help"], ""));
    let listed = listed.split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let names = listed.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let mut content = String::new();
    for name in names.filter(|name| *name != "help") {
        describe(&mut content, &[name]);
    }
    is_committed(
        "command-line.md",
        "Command line
Every command of `assam`, with its options and examples.
Without a command, `assam` runs `assam serve`.
`assam COMMAND --help` prints the full text of each option.
The exit status is 0 for success, 1 for a failure or refusal, and 2 if the command line is wrong or input or output fails.
It is 130 after Ctrl-C or SIGTERM, for commands that use a database, `audit` and `show --follow`.
Commands with `--url https://` trust the certificates of the system or of `SSL_CERT_FILE`, and use the proxies in `HTTPS_PROXY` and `NO_PROXY`.",
        &content,
    );
}

/// The levels in words.
const LEVELS: &str = "## Levels

A merchant weighs each decision by what a [network](../develop/training.md) expects the seats to win.
Levels differ in how far they look and in how much they misjudge each decision (a standard deviation, in parts of the win).

| Game | Levels | Looks to the end of | Misjudges by |
| --- | --- | --- | --- |
| Marrakech | 1 to 6 | its turn | 10, 7.7, 5.8, 4.3, 3.1 and 1.7% |
| Marrakech | 7 | its turn | nothing |
| Marrakech | 8 | the next seat's turn, and with two seats its own next turn after a rug | nothing |
| Marrakesh | 6 | the trick, and does not weigh the cards left in hand | 1.1% |
| Marrakesh | 7 | the trick | 0.9% |
| Marrakesh | 8 | the next trick | nothing |

";

#[test]
fn the_reference_of_players_is_what_the_program_lists_and_the_matches_measured() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let listed = service.stranger().get("/v1/rulesets").json();
    let results = root().join("bench/results/players");
    let mut content = String::new();
    for ruleset in listed["rulesets"].as_array().unwrap() {
        let name = ruleset["id"].as_str().unwrap();
        writeln!(content, "## Players of {name}\n\n| Player | Name | Character |\n| --- | --- | --- |")
            .unwrap();
        for player in ruleset["players"].as_array().unwrap() {
            let text = |name: &str| player[name].as_str().unwrap();
            let (kind, title, meaning) = (text("kind"), text("title"), text("meaning"));
            writeln!(content, "| `{kind}` | {title} | {meaning} |").unwrap();
        }
        content.push('\n');
    }
    content.push_str(LEVELS);
    content.push_str("## Ladder\n\nEach player against the one below it.\n");
    content.push_str("A player's `ms a decision` is the mean on the machine that measured.\n");
    let ladders = [
        ("marrakech-2", "Marrakech, two seats"),
        ("marrakech-3", "Marrakech, three seats"),
        ("marrakech-4", "Marrakech, four seats"),
        ("marrakesh-2", "Marrakesh"),
    ];
    for (file, heading) in ladders {
        let path = results.join(format!("{file}.json"));
        let table = out(&assam(&["ladder", "--from", path.to_str().unwrap()], ""));
        write!(content, "\n### {heading}\n\n{table}").unwrap();
    }
    content.push_str("\n## Other matches\n\n");
    content.push_str("| Game | Player | Against | Games | Share of wins | 95 % interval |\n");
    content.push_str("| --- | --- | --- | ---: | ---: | ---: |\n");
    for line in fs::read_to_string(results.join("matches.jsonl")).unwrap().lines() {
        let played: Value = serde_json::from_str(line).unwrap();
        let [player, other] = [0, 1].map(|place| &played["players"][place]);
        let setup = played["setup"].as_str().unwrap().trim_start_matches("MKN/1 ");
        let share = &player["adjusted_share"];
        let [mean, low, high] = [&share["mean"], &share["interval"][0], &share["interval"][1]]
            .map(|share| 100.0 * share.as_f64().unwrap());
        writeln!(
            content,
            "| `{setup}` | `{}` | `{}` | {} | {mean:.1}% | {low:.1} to {high:.1} |",
            player["name"].as_str().unwrap(),
            other["name"].as_str().unwrap(),
            played["games"]
        )
        .unwrap();
    }
    content.push_str("\n## Weights\n\nThe files in `players/weights`, which every program contains.\n\n| File | Bytes | SHA-256 |\n| --- | ---: | --- |\n");
    let mut files: Vec<_> =
        fs::read_dir(root().join("players/weights")).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    for path in files {
        let (name, bytes) = (path.file_name().unwrap().to_str().unwrap(), fs::read(&path).unwrap());
        assert!(bytes.len() <= 64 << 10, "{name}");
        writeln!(content, "| `{name}` | {} | `{}` |", bytes.len(), hex::encode(Sha256::digest(&bytes)))
            .unwrap();
    }
    is_committed(
        "players.md",
        "Players
These programs can take any seat of a game.
[Play against a merchant](../start/first-games.md#play-against-a-merchant) shows how, and [training](../develop/training.md) how the merchants learned.
A name without a version means the newest version, and the record keeps the version that played.
Both players of a match play each deal from every seat, with the same dice.
Shares are luck-adjusted, so they can exceed 100%, and ties count in part.
Equal players get 50% with two seats, 33.3% with three and 25% with four.
`scripts/ladder` measures everything on this page again.",
        &content,
    );
}
