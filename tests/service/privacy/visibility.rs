//! Visibility of private and unlisted games, names, and secrets.

use serde_json::{Value, json};

use crate::harness::{Answer, Backend, Client, Service, backends, secret, sit};

const UNKNOWN: &str = "00000000000000000000000000000000";
const CODE: &str = "open-sesame-7c1e";

/// A game of two after a turn, with an owner who does not play.
struct Scene<'a> {
    id: String,
    owner: Client<'a>,
    players: Vec<Client<'a>>,
}

impl<'a> Scene<'a> {
    fn new(service: &'a Service, visibility: &str) -> Self {
        let owner = service.player();
        let mut wanted =
            json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "visibility": visibility});
        let mut seat = json!({"name": "Aisha al-Tajira"});
        if visibility == "private" {
            (wanted["join_code"], seat["join_code"]) = (json!(CODE), json!(CODE));
        }
        wanted["options"] = json!({"two_player": "one-colour"});
        let id = owner.post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
        let players = vec![service.player(), service.player()];
        sit(&id, &players, |_| seat.clone());
        assert_eq!(players[0].play(&id, 1, "N").status, 201);
        Self { id, owner, players }
    }

    fn path(&self) -> String {
        format!("/v1/games/{}", self.id)
    }
}

/// Returns every readable path of a game, with some invalid forms.
fn of_game(service: &Service, id: &str) -> Vec<String> {
    let mut paths: Vec<String> = service.readable(id).into_iter().filter(|path| path.contains(id)).collect();
    assert!(paths.len() >= 6, "{paths:?}");
    for more in [
        "moves/0",
        "moves/99",
        "moves/x",
        "states/0",
        "states/99",
        "states/0.svg",
        "states/99.svg",
        "states/x.svg",
        "score?ply=99",
        "score?ply=x",
        "score?x=1",
    ] {
        paths.push(format!("/v1/games/{id}/{more}"));
    }
    paths
}

#[test]
fn to_a_stranger_a_private_game_is_byte_for_byte_as_no_game_on_every_route() {
    for backend in backends() {
        let service = Service::start(&backend);
        let scene = Scene::new(&service, "private");
        let with_case = Client::clone(&scene.players[0]).secret.unwrap().to_uppercase();
        let outside = [
            service.stranger(),
            service.player(),
            service.with_secret(&with_case),
            service.with_secret("no secret"),
        ];
        let analysis = format!("{}/analysis", scene.path());
        for path in of_game(&service, &scene.id).into_iter().chain([analysis]) {
            for (stranger, status) in outside.iter().zip([404, 404, 401, 401]) {
                for accept in ["*/*", "application/json", "image/png"] {
                    for method in ["GET", "HEAD"] {
                        let headers = [("Accept", accept), ("If-None-Match", "*")];
                        let hidden = stranger.send(method, &path, &headers, "");
                        let unknown = stranger.send(method, &path.replace(&scene.id, UNKNOWN), &headers, "");
                        assert_eq!(
                            (hidden.status, hidden.all_headers()),
                            (status, unknown.all_headers()),
                            "{path}"
                        );
                        assert_eq!(hidden.text.replace(&scene.id, UNKNOWN), unknown.text, "{path}");
                    }
                }
            }
        }
        for stranger in &outside[..2] {
            let rename = stranger.patch(&format!("{}/seats/1", scene.path()), json!({"name": "x"}));
            assert_eq!(rename.problem(), "game_not_found");
            assert!(!stranger.get("/v1/games").text.contains(&scene.id), "and it is in no list");
        }
    }
}

#[test]
fn those_who_play_and_the_owner_see_a_private_game_as_others_see_a_public_one() {
    for backend in backends() {
        let service = Service::start(&backend);
        let private = Scene::new(&service, "private");
        let public = Scene::new(&service, "public");
        let paths = of_game(&service, &private.id);
        for path in paths {
            let expected = service.stranger().get(&path.replace(&private.id, &public.id));
            for insider in private.players.iter().chain([&private.owner]) {
                let seen = insider.get(&path);
                assert_eq!(
                    (seen.status, seen.header("content-type")),
                    (expected.status, expected.header("content-type")),
                    "{path}"
                );
            }
        }
        let seat = |client: &Client<'_>| client.get(&private.path()).json()["your_seat"].clone();
        assert_eq!(
            [seat(&private.players[0]), seat(&private.players[1]), seat(&private.owner)],
            [json!(1), json!(2), json!(null)]
        );
        for insider in private.players.iter().chain([&private.owner]) {
            assert!(!insider.get("/v1/games").text.contains(&private.id), "listed for nobody");
        }
    }
}

#[test]
fn the_join_code_of_a_private_game_opens_its_seats_and_nothing_else_does() {
    for backend in backends() {
        let service = Service::start(&backend);
        let owner = service.player();
        let wanted = |code: &str| json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "visibility": "private", "join_code": code});
        for code in ["x", "0", " blanks ", "ünï-🧞", &"c".repeat(64)] {
            let id = owner.post("/v1/games", wanted(code)).json()["id"].as_str().unwrap().to_owned();
            let seat = format!("/v1/games/{id}/seats/1");
            let player = service.player();
            let join = |code: Value| player.put(&seat, json!({"join_code": code}));
            for wrong in
                [json!(""), json!(null), json!(format!("{code} ")), json!(format!("x{code}")), json!(1)]
            {
                assert_eq!(join(wrong).problem(), "game_not_found");
            }
            assert_eq!(player.put(&seat, json!({})).problem(), "game_not_found");
            assert_eq!(
                player.get(&format!("/v1/games/{id}")).problem(),
                "game_not_found",
                "a code is no view"
            );
            assert_eq!(join(json!(code)).status, 201, "{code}");
            assert_eq!(player.get(&format!("/v1/games/{id}")).status, 200);
            // The owner needs no code, and takes a seat like any player.
            assert_eq!(owner.put(&format!("/v1/games/{id}/seats/2"), json!({})).status, 201);
            // With the code, a client learns that the seats are taken, and without it nothing.
            let late = service.player();
            assert_eq!(late.put(&seat, json!({"join_code": code})).problem(), "seat_taken");
            assert_eq!(late.put(&seat, json!({"join_code": "no"})).problem(), "game_not_found");
        }
        for wrong in [String::new(), "c".repeat(65)] {
            assert_eq!(owner.post("/v1/games", wanted(&wrong)).problem(), "bad_request");
        }
        // The code of one game is invalid for another.
        let [one, other] =
            [CODE, "other"].map(|code| owner.post("/v1/games", wanted(code)).json()["id"].clone());
        let path = |id: &Value| format!("/v1/games/{}/seats/1", id.as_str().unwrap());
        let player = service.player();
        assert_eq!(player.put(&path(&other), json!({"join_code": CODE})).problem(), "game_not_found");
        assert_eq!(player.put(&path(&one), json!({"join_code": CODE})).status, 201);
    }
}

#[test]
fn an_unlisted_game_is_seen_by_whoever_knows_its_id_and_in_no_list() {
    for backend in backends() {
        let service = Service::start(&backend);
        let scene = Scene::new(&service, "unlisted");
        let stranger = service.stranger();
        for path in service.readable(&scene.id).iter().filter(|path| !path.starts_with("/v1/me")) {
            assert_eq!(stranger.get(path).status, 200, "{path}");
        }
        let player = stranger.get(&scene.path()).json()["seats"][0]["player"].as_str().unwrap().to_owned();
        for query in ["", "?status=running", "?ruleset=marrakech/1", &format!("?player={player}")] {
            for reader in [&stranger, &scene.owner, &scene.players[0]] {
                assert_eq!(reader.get(&format!("/v1/games{query}")).json()["games"], json!([]), "{query}");
            }
        }
    }
}

#[test]
fn a_name_is_set_changed_and_erased_by_its_seat_and_stands_in_no_state_and_no_move() {
    for backend in backends() {
        let service = Service::start(&backend);
        let scene = Scene::new(&service, "public");
        let seat = format!("{}/seats/1", scene.path());
        let [first, second] = [&scene.players[0], &scene.players[1]];
        let shown = || service.stranger().get(&scene.path()).json()["seats"][0]["name"].clone();
        let tag = || service.stranger().get(&format!("{}/log", scene.path())).text.contains("seat1: ");
        let frozen: Vec<String> = of_game(&service, &scene.id)
            .into_iter()
            .filter(|path| {
                ["/states", "/moves/", "/score", "/legal-moves"].iter().any(|part| path.contains(part))
            })
            .collect();
        let seen = || frozen.iter().map(|path| first.get(path).text).collect::<Vec<_>>();
        let (before, head) = (seen(), first.get(&scene.path()).json()["head"].clone());
        assert_eq!((shown(), tag()), (json!("Aisha al-Tajira"), true));
        for name in ["A", "Ελένη", "名前 🐪", "<script>alert(1)</script>", "a: b", "= 1 2", &"ß".repeat(64)]
        {
            let renamed = first.patch(&seat, json!({"name": name}));
            assert_eq!((renamed.status, &renamed.json()["seats"][0]["name"]), (200, &json!(name)));
            assert_eq!((shown(), tag()), (json!(name), true));
            let log = service.stranger().get(&format!("{}/log", scene.path())).text;
            assert!(log.contains(&format!("seat1: {name}\n")));
            let verdict = service.stranger().post_text("/v1/validate", &log).json();
            assert_eq!(verdict["valid"], true, "{verdict}");
        }
        for wrong in [
            String::new(),
            " x".to_owned(),
            "x\u{a0}".to_owned(),
            "a\nseat2: b".to_owned(),
            "\u{85}".to_owned(),
            "n".repeat(65),
        ] {
            assert_eq!(first.patch(&seat, json!({"name": wrong})).problem(), "bad_request", "{wrong:?}");
        }
        assert_eq!(second.patch(&seat, json!({"name": "Mine"})).problem(), "not_your_seat");
        assert_eq!(scene.owner.patch(&seat, json!({"name": "Mine"})).problem(), "not_your_seat");
        assert_eq!(service.stranger().patch(&seat, json!({"name": "Mine"})).problem(), "unauthenticated");
        // Taking the seat again does not rename it, and neither does an empty change.
        assert_eq!(first.put(&seat, json!({"name": "Other"})).status, 200);
        assert_eq!(
            (first.patch(&seat, json!({})).problem().as_str(), shown()),
            ("bad_json", json!("ß".repeat(64)))
        );
        assert_eq!(first.patch(&seat, json!({"name": null})).status, 200);
        assert_eq!((shown(), tag()), (json!(null), false));
        assert_eq!((seen(), &first.get(&scene.path()).json()["head"]), (before.clone(), &head));
        assert!(before.iter().all(|text| !text.contains("Aisha")), "{before:?}");
    }
}

/// Returns the seed of a game from its store.
fn seed(backend: &Backend, id: &str) -> [u8; 32] {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        backend.open().await.reads.load(id.parse().unwrap()).await.unwrap().unwrap().seed.unwrap()
    })
}

#[test]
fn secrets_join_codes_and_seeds_are_in_no_answer_and_in_no_line_of_the_log() {
    for backend in backends() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let mut answers: Vec<Answer> = Vec::new();
        let mut hidden: Vec<String> = vec![CODE.to_owned()];
        {
            let service = Service::start_logging(&backend, "trace", &log);
            for visibility in ["private", "public"] {
                let scene = Scene::new(&service, visibility);
                let everyone: Vec<&Client<'_>> = scene.players.iter().chain([&scene.owner]).collect();
                for path in of_game(&service, &scene.id) {
                    answers.extend(everyone.iter().map(|client| client.get(&path)));
                }
                let entropy = json!({"join_code": CODE, "entropy": secret(), "commitment": secret()});
                for (n, client) in (1..).zip(&everyone) {
                    let seat = format!("{}/seats/{n}", scene.path());
                    answers.push(client.put(&seat, entropy.clone()));
                    answers.push(client.put(&seat, json!({"join_code": [CODE]})));
                    answers.push(client.put(&seat, json!({"join_code": CODE, "code": CODE})));
                    answers.push(client.patch(&seat, json!({"name": "x"})));
                    answers.push(client.play(&scene.id, 2, "N"));
                    answers.push(client.play(&scene.id, 1, "N"));
                    let key = [("Idempotency-Key", "0123456789abcdef0123456789abcdef")];
                    let body = format!(
                        r#"{{"ruleset":"x/1","seats":[],"visibility":"private","join_code":"{CODE}"}}"#
                    );
                    answers.push(client.send("POST", "/v1/games", &key, body));
                }
                answers.push(scene.players[0].play(&scene.id, 2, "!resign"));
                let ended = scene.players[0].get(&scene.path()).json();
                hidden.extend(everyone.iter().map(|client| client.secret.clone().unwrap()));
                let seed = seed(&backend, &scene.id);
                assert_eq!(ended["seed"], hex::encode(seed), "a game that is over shows its seed");
                hidden.extend([
                    hex::encode(seed),
                    format!("{seed:?}"),
                    String::from_utf8_lossy(&seed).into_owned(),
                ]);
            }
        }
        let log = String::from_utf8_lossy(&std::fs::read(&log).unwrap()).into_owned();
        assert!(log.lines().filter(|line| line.contains("TRACE")).count() > 100, "the log was on");
        assert!(answers.len() > 50);
        for secret in &hidden {
            assert!(!log.contains(secret.as_str()), "{}: {secret} is in the log", backend.name());
            for answer in &answers {
                assert!(!answer.text.contains(secret.as_str()), "{secret} is in {answer:?}");
                assert!(
                    !answer.all_headers().iter().any(|(_, value)| value.contains(secret.as_str())),
                    "{answer:?}"
                );
            }
        }
    }
}
