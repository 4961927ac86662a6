//! Whole games over HTTP on every store, and everything that follows from a log recomputed.

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::dice::Dice;
use crate::harness::{Backend, Client, Service, backends, sit, sqlite};

/// Returns tables of Marrakech and Marrakesh that together have every form of the games, every option, and
/// built-in players on every seat.
fn tables() -> Vec<(&'static str, Vec<&'static str>, Value)> {
    let open = |(seats, options)| ("marrakech/1", vec!["open"; seats], options);
    let mut tables: Vec<_> = setups().into_iter().map(open).collect();
    tables.extend([
        ("marrakech/1", vec!["open", "random"], json!({})),
        ("marrakech/1", vec!["random", "open", "random"], json!({"orientation": "end", "start_dirhams": 8})),
        ("marrakech/1", vec!["random", "random", "random", "open"], json!({"start_dirhams": 6})),
        ("marrakech/1", vec!["random", "random"], json!({})),
        ("marrakech/1", vec!["random"; 4], json!({"orientation": "end"})),
        ("marrakesh/1", vec!["open", "open"], json!({})),
        ("marrakesh/1", vec!["open", "open"], json!({"rounds": 6, "value_order": "high-first"})),
        ("marrakesh/1", vec!["open", "solitaire-ai"], json!({})),
        ("marrakesh/1", vec!["solitaire-ai", "open"], json!({"full_ovals": "null-only", "sn_bonus": 1})),
        ("marrakesh/1", vec!["random", "open"], json!({"rounds": 6})),
        ("marrakesh/1", vec!["solitaire-ai", "random"], json!({})),
        ("marrakesh/1", vec!["solitaire-ai", "solitaire-ai"], json!({"rounds": 6})),
    ]);
    tables
}

/// Returns setups of Marrakech that together have every form and every option of it.
fn setups() -> Vec<(usize, Value)> {
    vec![
        (2, json!({})),
        (2, json!({"two_player": "one-colour"})),
        (3, json!({})),
        (4, json!({})),
        (
            2,
            json!({"orientation": "end", "region": "owner", "track": "nw-se", "start_facing": "S", "tie_break": "none"}),
        ),
        (2, json!({"last_standing": "no", "start_dirhams": 5, "orientation": "end", "rugs_per_player": 30})),
        (
            2,
            json!({"two_player": "one-colour", "insolvency": "eliminate-at-zero", "start_dirhams": 12, "cover": "any"}),
        ),
        (
            3,
            json!({"insolvency": "pay-what-you-can", "start_dirhams": 3, "orientation": "end", "start_facing": "W"}),
        ),
        (
            4,
            json!({"last_standing": "no", "start_dirhams": 4, "bankrupt_rugs": "open", "tie_break": "rugs", "rugs_per_player": 9}),
        ),
        (
            4,
            json!({"orientation": "end", "start_dirhams": 2, "track": "nw-se", "cover": "any", "start_facing": "E"}),
        ),
    ]
}

/// Plays a game to its end with random legal moves.
pub(crate) fn play_to_the_end(id: &str, players: &[Client<'_>], options: &Value) {
    let mut dice = Dice::new(players.len() as u64);
    loop {
        let legal = players[0].get(&format!("/v1/games/{id}/legal-moves")).json();
        let Some(seat) = legal["seat"].as_u64() else { return };
        let player = &players[seat as usize - 1];
        // Only the player sees which cards may be played.
        let own = legal["moves"].is_null().then(|| player.get(&format!("/v1/games/{id}/legal-moves")).json());
        let moves = own.as_ref().unwrap_or(&legal)["moves"].as_array().unwrap();
        assert!(!moves.is_empty());
        let ply = legal["ply"].as_u64().unwrap();
        let chosen = moves[dice.below(moves.len() as u64) as usize].as_str().unwrap();
        let written = player.play(id, ply, chosen);
        assert_eq!(written.status, 201, "{options} {chosen}: {}", written.text);
        let words = written.json()["words"].clone();
        assert!(words[0].as_str().unwrap().starts_with(chosen));
        if dice.below(10) == 0 {
            let again = player.play(id, ply, chosen);
            assert_eq!((again.status, again.json()["words"].clone()), (200, words));
        }
    }
}

fn finished_games(backend: &Backend, service: &Service) -> Vec<String> {
    tables()
        .into_iter()
        .map(|(ruleset, seats, options)| {
            let (id, players) = service.table(ruleset, &seats, options.clone());
            play_to_the_end(&id, &players, &options);
            let game = players[0].get(&format!("/v1/games/{id}")).json();
            assert_eq!(game["status"], "finished", "{} {options}", backend.name());
            id
        })
        .collect()
}

#[test]
fn whole_games_of_every_form_are_played_over_http_and_their_logs_validate_and_import_unchanged() {
    for backend in backends() {
        let service = Service::start(&backend);
        let stranger = service.stranger();
        // Here a record belongs to its original game.
        let other = sqlite();
        let elsewhere = Service::start(&other);
        let importer = elsewhere.stranger();
        for id in finished_games(&backend, &service) {
            let log = stranger.get(&format!("/v1/games/{id}/log"));
            // Unknown tags are reported.
            let renamed = log.text.replacen('\n', "\nevent: Open\nsite: Fez\n", 1);
            for (record, ignored) in [(&renamed, Some("event, site")), (&log.text, None)] {
                let known = stranger.post_text("/v1/imports", record);
                assert_eq!(
                    (known.json()["id"].as_str(), known.header("ignored-tags")),
                    (Some(id.as_str()), ignored)
                );
            }
            let verdict = stranger.post_text("/v1/validate", &log.text).json();
            assert_eq!(verdict["valid"], true, "{verdict}");

            let imported = importer.post_text("/v1/imports", &log.text);
            assert_eq!(imported.status, 201, "{}", imported.text);
            let copy = imported.json()["id"].as_str().unwrap().to_owned();
            assert_eq!(importer.post_text("/v1/imports", &log.text).status, 200);
            let copied = importer.get(&format!("/v1/games/{copy}/log"));
            assert_eq!(copied.text, log.text, "tags and all");
            let canonical = stranger.post_text("/v1/validate", &copied.text).json()["canonical"].clone();
            assert_eq!(canonical, verdict["canonical"]);

            let (game, copy) = (
                stranger.get(&format!("/v1/games/{id}")).json(),
                importer.get(&format!("/v1/games/{copy}")).json(),
            );
            assert_eq!(game["state"], copy["state"]);
            assert_eq!(game["result"], copy["result"]);
            assert_eq!(game["options"], copy["options"]);
            assert_eq!((copy["imported"].clone(), copy["commitment"].clone()), (json!(true), json!(null)));
        }
    }
}

#[test]
fn every_state_score_and_move_of_a_game_agrees_with_its_record_replayed_from_outside() {
    for backend in backends() {
        let service = Service::start(&backend);
        let stranger = service.stranger();
        for (ruleset, seats, options) in [
            ("marrakech/1", ["open"; 3].as_slice(), json!({"start_dirhams": 6, "orientation": "end"})),
            ("marrakesh/1", &["open", "solitaire-ai"], json!({"rounds": 6})),
        ] {
            let (id, players) = service.table(ruleset, seats, options.clone());
            play_to_the_end(&id, &players, &options);
            let log: Value = serde_json::from_str(
                &stranger
                    .send("GET", &format!("/v1/games/{id}/log"), &[("Accept", "application/json")], "")
                    .text,
            )
            .unwrap();
            let mut text = format!("{}\n\n", log["setup"].as_str().unwrap());
            for word in log["words"].as_array().unwrap() {
                let ply = &word["ply"];
                text += &format!("{} ", word["word"].as_str().unwrap());
                let state = stranger.get(&format!("/v1/games/{id}/states/{ply}")).json();
                let score = stranger.get(&format!("/v1/games/{id}/score?ply={ply}")).json();
                let written = stranger.get(&format!("/v1/games/{id}/moves/{ply}")).json();
                // The record cut off here, judged by the same program without its store.
                let verdict = stranger.post_text("/v1/validate", &format!("{text}*")).json();
                assert_eq!(verdict["ply"], *ply);
                assert_eq!(verdict["state"], state["state"]);
                for part in ["scores", "ranking", "seats", "over"] {
                    assert_eq!(verdict["score"][part], score[part], "ply {ply}");
                }
                assert_eq!((&written["word"], &written["at"]), (&word["word"], &word["at"]));
                assert_eq!(written["events"], state["events"]);
                assert!(written["head"] == state["head"] && state["head"] == score["head"]);
            }
        }
    }
}

/// The published evidence of a finished game.
struct Evidence {
    setup: String,
    id: String,
    commitment: String,
    seats: Vec<Value>,
    entropies: Vec<String>,
    keys: Vec<Vec<u8>>,
    words: Vec<(u64, String)>,
    heads: Vec<String>,
}

/// Returns HMAC-SHA-256 of a text.
fn hmac(key: &[u8], text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

impl Evidence {
    fn start(&self) -> Vec<u8> {
        let mut lines =
            format!("assam/1\n{}\ngame {}\ncommitment {}\n", self.setup, self.id, self.commitment);
        for (seat, entropy) in self.seats.iter().zip(&self.entropies) {
            let player = seat["player"].as_str().unwrap();
            let since = seat["revision"].as_u64().map_or("-".to_owned(), |since| since.to_string());
            lines += &format!("seat {} human {player} {entropy} {since}\n", seat["seat"]);
        }
        Sha256::digest(lines).to_vec()
    }

    /// Returns one draw, computed as in docs/reference/proof-format.md.
    fn draw(&self, ply: u64, k: u64, range: u64) -> u64 {
        let start = hex::encode(self.start());
        let key = &self.keys[self.words.iter().position(|(at, _)| *at == ply).unwrap()];
        for counter in 0.. {
            let mac = hmac(key, &format!("chance\n{start}\n{ply} {k} {counter}"));
            let x = u64::from_be_bytes(mac[..8].try_into().unwrap());
            let top = (1_u128 << 64) / u128::from(range) * u128::from(range);
            if u128::from(x) < top {
                return x % range;
            }
        }
        unreachable!()
    }

    /// Checks that the keys lead to the anchor, which the commitment binds with the seed.
    fn check_keys(&self, anchor: &str, seed: &[u8]) {
        let mut reached = hex::decode(anchor).unwrap();
        let committed = Sha256::digest([&[4], reached.as_slice(), &Sha256::digest(seed)].concat());
        assert_eq!(hex::encode(committed), self.commitment, "committed before the game started");
        let mut last = 0;
        for ((ply, _), key) in self.words.iter().zip(&self.keys) {
            let plies = ply + 1 - last;
            let back = (0..plies).fold(key.clone(), |key, _| Sha256::digest(key).to_vec());
            assert_eq!(back, reached, "ply {ply}");
            (last, reached) = (ply + 1, key.clone());
        }
    }

    /// Recomputes every outcome of chance from the keys and the earlier words, using only the rules of the
    /// pile and the die. The colours laid must be the colours turned up.
    fn check_chance(&self) {
        let rugs: u64 = self
            .setup
            .split_once("rugs_per_player=")
            .map_or(24, |(_, rest)| rest.split(' ').next().unwrap().parse().unwrap());
        let mut piles = [[rugs / 2; 2]; 2];
        let letters = [['r', 'y'], ['b', 'g']];
        for (ply, word) in &self.words {
            for (k, token) in (0..).zip(word.split('+').skip(1)) {
                if token.chars().all(|c| c.is_ascii_digit()) {
                    let face = ["1", "2", "2", "3", "3", "4"][self.draw(*ply, k, 6) as usize];
                    assert_eq!(token, face, "ply {ply}, draw {k}");
                } else {
                    let colour = token.chars().next().unwrap();
                    let seat = letters.iter().position(|own| own.contains(&colour)).unwrap();
                    let drawn = self.draw(*ply, k, piles[seat].iter().sum());
                    let which = usize::from(drawn >= piles[seat][0]);
                    assert_eq!(colour, letters[seat][which], "ply {ply}, draw {k}");
                    piles[seat][which] -= 1;
                }
            }
        }
    }

    fn check_heads(&self) {
        let mut head = self.start();
        for ((_, word), published) in self.words.iter().zip(&self.heads) {
            let mut leaf = vec![2];
            for token in word.split('+').filter(|token| !token.is_empty()) {
                leaf.extend(Sha256::digest([&[0], token.as_bytes()].concat()));
            }
            head = Sha256::digest([&[3], head.as_slice(), &Sha256::digest(leaf)].concat()).to_vec();
            assert_eq!(hex::encode(&head), *published);
        }
    }
}

#[test]
fn the_chance_and_the_heads_of_whole_games_follow_from_seed_seats_and_log_by_sha_256_and_hmac_alone() {
    for backend in backends() {
        let service = Service::start(&backend);
        for (seats, options) in [
            (2, json!({})),
            (
                2,
                json!({"last_standing": "no", "start_dirhams": 5, "orientation": "end", "rugs_per_player": 20}),
            ),
            (3, json!({"start_dirhams": 8})),
            (4, json!({"orientation": "end", "last_standing": "no", "start_dirhams": 4})),
        ] {
            let players: Vec<Client<'_>> = (0..seats).map(|_| service.player()).collect();
            let wanted = json!({"ruleset": "marrakech/1", "seats": vec!["open"; seats], "options": options});
            let created = players[0].post("/v1/games", wanted).json();
            let id = created["id"].as_str().unwrap().to_owned();
            let mut entropies = Vec::new();
            sit(&id, &players, |number| {
                // Every other seat adds entropy.
                let entropy = (number % 2 == 0).then(crate::harness::secret);
                let body = entropy.as_ref().map_or(json!({}), |entropy| json!({"entropy": entropy}));
                entropies.push(entropy.unwrap_or_else(|| "-".to_owned()));
                body
            });
            play_to_the_end(&id, &players, &options);
            let game = players[0].get(&format!("/v1/games/{id}")).json();
            let log = players[0]
                .send("GET", &format!("/v1/games/{id}/log"), &[("Accept", "application/json")], "")
                .json();
            let words: Vec<(u64, String)> = log["words"]
                .as_array()
                .unwrap()
                .iter()
                .map(|word| (word["ply"].as_u64().unwrap(), word["word"].as_str().unwrap().to_owned()))
                .collect();
            let heads = words
                .iter()
                .map(|(ply, _)| {
                    let written = players[0].get(&format!("/v1/games/{id}/moves/{ply}")).json();
                    written["head"]["hash"].as_str().unwrap().to_owned()
                })
                .collect();
            let seed = hex::decode(game["seed"].as_str().unwrap()).unwrap();
            let told =
                game["seats"].as_array().unwrap().iter().map(|seat| seat["entropy"].as_str().unwrap_or("-"));
            assert!(told.eq(entropies.iter().map(String::as_str)));
            assert_eq!(created["seed"], Value::Null);
            let commitment = created["commitment"].as_str().unwrap().to_owned();
            let proof = players[0].get(&format!("/v1/games/{id}/proof")).json();
            let keys = proof["words"].as_array().unwrap().iter();
            let keys = keys.map(|word| hex::decode(word["key"].as_str().unwrap()).unwrap()).collect();
            let evidence = Evidence {
                setup: game["setup"].as_str().unwrap().to_owned(),
                seats: game["seats"].as_array().unwrap().clone(),
                id,
                commitment,
                entropies,
                keys,
                words,
                heads,
            };
            evidence.check_keys(proof["anchor"].as_str().unwrap(), &seed);
            evidence.check_chance();
            evidence.check_heads();
            assert_eq!(evidence.heads.last().unwrap(), game["head"]["hash"].as_str().unwrap());
        }
    }
}

#[test]
fn the_log_and_the_score_of_a_game_that_another_process_ends_are_whole_at_once() {
    for backend in backends() {
        let services = [Service::start(&backend), Service::start(&backend)];
        let (id, players) = services[0].game(2, json!({}));
        // The other process caches what it shows.
        let shown_there = |part: &str| {
            let path = format!("/v1/games/{id}/{part}");
            services[1].stranger().send("GET", &path, &[("Accept", "application/json")], "").json()
        };
        let mut head = players[0].get(&format!("/v1/games/{id}")).json()["head"].clone();
        for (ply, decision) in [(1, "N"), (2, "!resign")] {
            for part in ["log", "score"] {
                assert_eq!(shown_there(part)["head"], head, "{part} before {decision}");
            }
            let seat = usize::from(decision == "!resign");
            let written = players[seat].play(&id, ply, decision);
            assert_eq!(written.status, 201, "{}", written.text);
            head = written.json()["head"].clone();
        }
        for part in ["log", "score"] {
            assert_eq!(shown_there(part)["head"], head, "{part} at the end");
        }
        assert_ne!(shown_there("log")["marker"], "*");
    }
}
