//! Request ids and metrics for operators.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;
use serde_json::{Value, json};

use crate::harness::{Service, secret, sqlite};

const METRICS: [&str; 2] = ["--metrics-listen", "127.0.0.1:0"];

/// A page of metrics, checked against the format: the samples by name and labels, and the types of families.
struct Page {
    text: String,
    samples: BTreeMap<String, f64>,
    types: BTreeMap<String, String>,
}

impl Page {
    fn new(service: &Service) -> Self {
        let text = service.metrics();
        let sample =
            Regex::new(r#"^([a-z_]+)(\{[a-z_]+="[^"\\]*"(?:,[a-z_]+="[^"\\]*")*\})? (\S+)$"#).unwrap();
        let (mut samples, mut types) = (BTreeMap::new(), BTreeMap::<String, String>::new());
        let lines: Vec<&str> = text.lines().collect();
        let (last, lines) = lines.split_last().unwrap();
        assert_eq!(*last, "# EOF");
        let mut family = String::new();
        for line in lines {
            if let Some(described) = line.strip_prefix("# HELP ") {
                family = described.split(' ').next().unwrap().to_owned();
            } else if let Some(typed) = line.strip_prefix("# TYPE ") {
                let (name, kind) = typed.split_once(' ').unwrap();
                assert_eq!(name, family, "each family has its help");
                assert!(types.insert(name.to_owned(), kind.to_owned()).is_none(), "{name} comes twice");
            } else {
                let parts = sample.captures(line).unwrap_or_else(|| panic!("no sample: {line}"));
                let ending =
                    parts[1].strip_prefix(&family).unwrap_or_else(|| panic!("{line} is not of {family}"));
                let endings: &[&str] = match types[&family].as_str() {
                    "counter" => &["_total"],
                    "gauge" => &[""],
                    "histogram" => &["_sum", "_count", "_bucket"],
                    other => panic!("{other}"),
                };
                assert!(endings.contains(&ending), "{line}");
                let labels = parts.get(2).map_or("", |labels| labels.as_str());
                let value = parts[3].parse().unwrap();
                assert!(
                    samples.insert(format!("{}{labels}", &parts[1]), value).is_none(),
                    "{line} comes twice"
                );
            }
        }
        Self { text, samples, types }
    }

    fn value(&self, sample: &str) -> f64 {
        self.samples.get(sample).copied().unwrap_or_default()
    }

    /// Returns the names that samples can be requested by.
    fn names(&self) -> BTreeSet<&str> {
        self.samples.keys().map(|sample| sample.split('{').next().unwrap()).collect()
    }
}

#[test]
fn every_response_has_the_id_that_its_request_named_or_one_of_its_own() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.game(2, json!({}));
    let mut seen = BTreeSet::new();
    for (path, methods) in service.routes(&id) {
        for method in methods.iter().map(String::as_str).chain(["OPTIONS", "HEAD", "TRACE"]) {
            let named = [("X-Request-Id", "A.z_9-")];
            let answer = players[0].send(method, &path, &named, "");
            assert_eq!(answer.header("x-request-id"), Some("A.z_9-"), "{method} {path}");
            let answer = service.stranger().send(method, &path, &[], "");
            let own = answer.header("x-request-id").unwrap().to_owned();
            assert!(seen.insert(own), "{method} {path}: an id twice");
        }
    }
    for bad in ["", "a b", "x/y", "\"", &"x".repeat(65)] {
        let answer = service.stranger().send("GET", "/nowhere", &[("X-Request-Id", bad)], "");
        let own = answer.header("x-request-id").unwrap();
        assert!(own != bad && seen.insert(own.to_owned()), "{bad:?} {own:?}");
    }
}

#[test]
fn metrics_are_counted_as_requests_are_made_under_the_templates_of_their_routes() {
    let backend = sqlite();
    let service = Service::start_with(&backend, &METRICS);
    let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
    let before = Page::new(&service);
    assert_eq!(players[0].play(&id, 1, "N").status, 201);
    assert_eq!(players[0].play(&id, 1, "N").status, 200);
    assert_eq!(players[0].play(&id, 1, "E").problem(), "ply_taken");
    for _ in 0..3 {
        assert_eq!(service.stranger().get(&format!("/v1/games/{id}/states/1")).status, 200);
    }
    assert_eq!(service.stranger().send("HEAD", &format!("/v1/games/{id}"), &[], "").status, 200);
    assert_eq!(service.stranger().get("/nowhere/at/all").status, 404);
    assert_eq!(service.stranger().send("BREW", "/livez", &[], "").status, 405);
    let over = "MKN/1 marrakech/1 seats=3\n\n!resign1 !resign3 = 0 30 0\n";
    for _ in 0..2 {
        assert!(service.stranger().post_text("/v1/imports/bulk", over).status == 200);
        assert!(service.stranger().post_text("/v1/validate/bulk", over).status == 200);
        assert!(service.stranger().post_text("/v1/validate", over).status == 200);
        assert!(service.stranger().post_text("/v1/validate/picture", over).status == 200);
    }
    let after = Page::new(&service);
    let requests = |method: &str, route: &str, status: u16| {
        format!(r#"assam_http_requests_total{{method="{method}",route="{route}",status="{status}"}}"#)
    };
    let moves = "/v1/games/{id}/moves/{ply}";
    for (sample, more) in [
        (requests("PUT", moves, 201), 1.0),
        (requests("PUT", moves, 200), 1.0),
        (requests("PUT", moves, 409), 1.0),
        (requests("GET", "/v1/games/{id}/states/{ply}", 200), 3.0),
        (requests("HEAD", "/v1/games/{id}", 200), 1.0),
        (requests("GET", "other", 404), 1.0),
        (requests("other", "/livez", 405), 1.0),
        (format!(r#"assam_http_request_duration_seconds_count{{method="PUT",route="{moves}"}}"#), 3.0),
        (
            format!(
                r#"assam_http_request_duration_seconds_bucket{{le="+Inf",method="PUT",route="{moves}"}}"#
            ),
            3.0,
        ),
        (r#"assam_http_problems_total{code="ply_taken"}"#.to_owned(), 1.0),
        ("assam_words_written_total".to_owned(), 1.0),
        ("assam_games_written_total".to_owned(), 1.0),
        ("assam_batch_size_sum".to_owned(), 2.0),
        (r#"assam_cache_hits_total{cache="responses"}"#.to_owned(), 2.0),
        ("assam_records_imported_total".to_owned(), 1.0),
        ("assam_records_known_total".to_owned(), 1.0),
        ("assam_records_validated_total".to_owned(), 6.0),
    ] {
        assert_eq!(after.value(&sample) - before.value(&sample), more, "{sample}\n{}", after.text);
    }
    for (sample, least) in [
        ("assam_http_connections", 1.0),
        (r#"assam_cache_entries{cache="games"}"#, 1.0),
        (r#"assam_cache_bytes{cache="responses"}"#, 512.0),
        ("assam_database_up", 1.0),
        ("assam_database_writable", 1.0),
        ("process_resident_memory_bytes", 1e6),
        ("process_open_fds", 5.0),
        ("process_start_time_seconds", 1.7e9),
    ] {
        assert!(after.value(sample) >= least, "{sample} {}", after.value(sample));
    }
    let sums: f64 =
        after.samples.iter().filter(|(name, _)| name.contains("_seconds_sum")).map(|(_, sum)| sum).sum();
    assert!(sums > 0.0 && sums < 60.0, "{sums} seconds");
}

#[test]
fn what_clients_did_too_much_of_and_what_was_planned_again_is_counted() {
    let backend = sqlite();
    let service = Service::start_counting(&backend, &[&METRICS[..], &["--rate", "reads=1/h"]].concat());
    let refused = (0..9).filter(|_| service.stranger().get("/v1/problems").status == 429).count();
    let page = Page::new(&service);
    assert_eq!(page.value(r#"assam_limited_total{limit="reads"}"#), refused as f64);
    assert_eq!(page.value(r#"assam_http_problems_total{code="too_many_requests"}"#), refused as f64);
    assert_eq!(
        page.value(r#"assam_http_requests_total{method="GET",route="/v1/problems",status="429"}"#),
        refused as f64
    );

    let [one, other] = [(); 2].map(|()| Service::start_with(&backend, &METRICS));
    let (id, players) = one.game(2, json!({"two_player": "one-colour"}));
    let secret = players[0].secret.clone().unwrap();
    // The other process has cached the game from before the first move.
    assert_eq!(other.stranger().get(&format!("/v1/games/{id}")).status, 200);
    assert_eq!(players[0].play(&id, 1, "N").status, 201);
    assert_eq!(other.with_secret(&secret).play(&id, 1, "E").problem(), "ply_taken");
    assert_eq!(Page::new(&other).value("assam_conflicts_total"), 1.0, "on {}", backend.name());
    assert_eq!(Page::new(&one).value("assam_conflicts_total"), 0.0);
}

#[test]
fn metrics_name_no_game_nobody_and_no_secret_and_clients_do_not_find_them() {
    let random = Regex::new("[0-9a-f]{12}").unwrap();
    let backend = sqlite();
    let service = Service::start_with(&backend, &METRICS);
    let code = "open-sesame";
    let (id, players) = service.seated(json!({"ruleset": "marrakesh/1", "seats": ["open", "open"]}));
    let private = json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "visibility": "private", "join_code": code});
    let private = players[0].post("/v1/games", private).json()["id"].as_str().unwrap().to_owned();
    let (unknown, request) = (secret(), "my-very-own-request");
    for (path, _) in service.routes(&id) {
        let headers = [("X-Request-Id", request), ("User-Agent", "Bond/007")];
        players[1].send("GET", &format!("{path}?join_code={code}"), &headers, "");
        service.with_secret(&unknown).send("POST", &path, &headers, "{}");
    }
    service.stranger().get(&format!("/{unknown}"));
    service.stranger().send(&"X".repeat(30), "/livez", &[], "");
    let page = Page::new(&service);
    let secrets = players.iter().map(|player| player.secret.clone().unwrap());
    let told = [id, unknown, request.to_owned(), code.to_owned(), "Bond".to_owned(), "XXX".to_owned()];
    for word in secrets.chain(told).chain([private]) {
        assert!(!page.text.contains(&word), "{word} in {}", page.text);
    }
    // Nor anything long and random, except numbers, such as a sum of seconds.
    for sample in page.samples.keys() {
        assert!(!random.is_match(sample), "{sample}");
    }
    assert_eq!(service.stranger().get("/metrics").status, 404);
    assert!(page.types.len() > 30, "{:?}", page.types);
}

#[test]
fn everything_that_the_dashboard_and_the_alerts_ask_for_is_a_metric() {
    let backend = sqlite();
    // There is no witness.
    let service =
        Service::start_with(&backend, &[&METRICS[..], &["--witness-url", "http://127.0.0.1:9"]].concat());
    let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
    assert_eq!(players[0].play(&id, 1, "N").status, 201);
    let page = Page::new(&service);
    let names = page.names();
    let dashboard: Value =
        serde_json::from_str(include_str!("../../../deploy/grafana-dashboard.json")).unwrap();
    let rules = include_str!("../../../deploy/alerts.yml");
    let targets =
        dashboard["panels"].as_array().unwrap().iter().filter_map(|panel| panel["targets"].as_array());
    let mut asked: Vec<String> =
        targets.flatten().map(|target| target["expr"].as_str().unwrap().to_owned()).collect();
    assert!(asked.len() > 20, "{}", asked.len());
    asked.extend(rules.lines().filter_map(|line| line.trim().strip_prefix("expr: ")).map(str::to_owned));
    let name = Regex::new(r"\b(?:assam|process)_[a-z_]+\b").unwrap();
    let mut found = BTreeSet::new();
    for query in &asked {
        for metric in name.find_iter(query).map(|found| found.as_str()) {
            assert!(names.contains(metric), "{metric} in {query}");
            found.insert(metric.to_owned());
        }
    }
    assert!(found.len() > 20, "{found:?}");
}
