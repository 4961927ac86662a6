//! Ratings, results and leaders: the records of players in public games, with each game counted once.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::{Value, json};

use crate::harness::{Backend, Client, Service, assam, backends, err, out, postgres, soon};

/// Creates a game of these players that the last of them loses by resigning at once. Returns its id.
fn lost_by_the_last(players: &[&Client<'_>], more: Value) -> String {
    let mut wanted = json!({"ruleset": "marrakech/1", "seats": vec!["open"; players.len()]});
    wanted.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let created = players[0].post("/v1/games", wanted);
    assert_eq!(created.status, 201, "{}", created.text);
    let id = created.json()["id"].as_str().unwrap().to_owned();
    let join = more.get("join_code").map_or(json!({}), |code| json!({"join_code": code}));
    for (seat, player) in (1..).zip(players) {
        let taken = player.put(&format!("/v1/games/{id}/seats/{seat}"), join.clone());
        assert_eq!(taken.status, 201, "{}", taken.text);
    }
    let ply = |player: &Client<'_>| {
        player.get(&format!("/v1/games/{id}")).json()["head"]["ply"].as_u64().unwrap() + 1
    };
    // All but the first leave, the last one first.
    for player in players[1..].iter().rev() {
        assert_eq!(player.play(&id, ply(player), "!resign").status, 201);
    }
    assert_eq!(players[0].get(&format!("/v1/games/{id}")).json()["status"], "finished");
    id
}

fn id_of(player: &Client<'_>) -> String {
    player.get("/v1/me").json()["player"].as_str().unwrap().to_owned()
}

/// Returns a player's record once so many of their games count.
fn counted(service: &Service, player: &str, games: u64) -> Value {
    let said = soon(60, || {
        let said = service.stranger().get(&format!("/v1/players/{player}"));
        assert_eq!(said.status, 200, "{}", said.text);
        let said = said.json();
        let sum: u64 =
            said["results"].as_array().unwrap().iter().map(|one| one["games"].as_u64().unwrap()).sum();
        assert!(sum <= games, "{games} games: {said}");
        (sum == games).then_some(said)
    });
    said.unwrap_or_else(|| panic!("{games} games of {player} are not counted"))
}

/// Runs `assam ratings`, which computes everything from the logs.
fn recomputed(backend: &Backend) -> String {
    let run = assam(&["ratings", "--database", &backend.url()], "");
    assert!(run.status.success(), "{}{}", out(&run), err(&run));
    out(&run)
}

#[test]
fn results_and_ratings_follow_from_public_games_alone_that_were_played_to_their_end() {
    for backend in backends() {
        let service = Service::start(&backend);
        let [ann, ben, col] = [(); 3].map(|()| service.player());
        let nobody = service.stranger().get(&format!("/v1/players/{}", id_of(&ann))).json();
        assert_eq!((&nobody["ratings"], &nobody["results"]), (&json!([]), &json!([])));

        let first = lost_by_the_last(&[&ann, &ben], json!({}));
        // None of these counts for ratings, and only the first two of them count at all.
        let second = lost_by_the_last(&[&ann, &ben], json!({"rated": false}));
        let position =
            "marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-";
        lost_by_the_last(&[&ann, &ben, &col], json!({"position": position}));
        lost_by_the_last(&[&ann, &ben], json!({"visibility": "unlisted"}));
        lost_by_the_last(&[&ann, &ben], json!({"visibility": "private", "join_code": "sesame"}));
        let aborted = service.seated(json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}));
        assert_eq!(aborted.1[0].play(&aborted.0, 1, "!abort").status, 201);
        let three = lost_by_the_last(&[&ben, &col, &ann], json!({}));

        let of_ann = counted(&service, &id_of(&ann), 4);
        let of_ben = counted(&service, &id_of(&ben), 4);
        assert_eq!(of_ann["player"], id_of(&ann));
        let [rating] = &of_ann["ratings"].as_array().unwrap()[..] else { panic!("{of_ann}") };
        assert_eq!((&rating["ruleset"], &rating["games"]), (&json!("marrakech/1"), &json!(2)));
        let of_two = &of_ann["results"][0];
        assert_eq!(
            (&of_two["seats"], &of_two["games"], &of_two["firsts"]),
            (&json!(2), &json!(2), &json!(2))
        );
        // Both had the same score, and either may count first.
        assert!([&first, &second].iter().any(|best| of_two["best_game"] == **best));
        let scores = service.stranger().get(&format!("/v1/games/{first}/score")).json();
        assert_eq!(of_two["best_score"], scores["scores"][0]);
        let of_three = &of_ann["results"][1];
        assert_eq!((&of_three["seats"], &of_three["firsts"]), (&json!(3), &json!(1)));
        assert_ne!(of_three["best_game"], three);
        assert_eq!(of_ben["results"][1]["firsts"], json!(1));
        let of_col = counted(&service, &id_of(&col), 2);
        assert_eq!(of_col["results"][0]["seats"], json!(3));
        // The method's ratings for two new players. The loser of the one game came third in the other.
        let rating = |said: &Value| said["ratings"][0]["rating"].as_f64().unwrap();
        assert!(rating(&of_ben) > 25.0 - 2.7 && rating(&of_ann) > 20.0 && rating(&of_col) < 26.0);
        for said in [&of_ann, &of_ben, &of_col] {
            let one = &said["ratings"][0];
            let least = one["rating"].as_f64().unwrap() - 3.0 * one["uncertainty"].as_f64().unwrap();
            assert!((one["at_least"].as_f64().unwrap() - least).abs() < 1e-6, "{said}");
        }
        assert!(recomputed(&backend).contains("the same"));
    }
}

#[test]
fn a_game_whose_end_is_in_the_log_before_its_server_has_it_counts_later_and_nothing_before_it() {
    let Some(backend) = postgres() else { return };
    let service = Service::start(&backend);
    let players = [service.player(), service.player()];
    let games = [(); 2].map(|()| lost_by_the_last(&[&players[0], &players[1]], json!({})));
    let winner = id_of(&players[0]);
    counted(&service, &winner, 2);
    drop(players);
    drop(service);
    // Like a server of a distributed PostgreSQL that has prepared the end but not committed it.
    let first = backend.id(&games[0]);
    backend.script(&format!(
        "CREATE TABLE whole AS SELECT id, status, finished_at FROM games WHERE id = {first}; \
         SET session_replication_role = replica; UPDATE games SET status = 1, finished_at = NULL WHERE id = {first}"
    ));
    let run = assam(&["ratings", "--again", "--database", &backend.url()], "");
    assert!(!run.status.success() && err(&run).contains("is not over yet"), "{}{}", out(&run), err(&run));
    let service = Service::start(&backend);
    counted(&service, &winner, 0);
    backend.script(
        "SET session_replication_role = replica; \
         UPDATE games SET status = whole.status, finished_at = whole.finished_at FROM whole WHERE games.id = whole.id",
    );
    counted(&service, &winner, 2);
    assert!(recomputed(&backend).contains("the same"));
}

#[test]
fn leaders_come_in_order_page_by_page_and_by_period() {
    for backend in backends() {
        let service = Service::start(&backend);
        let players: Vec<_> = (0..5).map(|_| service.player()).collect();
        for loser in 1..5 {
            lost_by_the_last(&[&players[0], &players[loser]], json!({}));
            lost_by_the_last(&[&players[loser - 1], &players[loser]], json!({}));
        }
        let ids: Vec<String> = players.iter().map(id_of).collect();
        let games: Vec<u64> = [5, 3, 3, 3, 2].into();
        for (id, games) in ids.iter().zip(&games) {
            counted(&service, id, *games);
        }
        let stranger = service.stranger();
        let today = stranger.get(&format!("/v1/games?player={}&sort=finished", ids[0])).json();
        let day = today["games"][0]["finished_at"].as_str().unwrap()[..10].to_owned();
        for sort in
            ["rating", "best_score&seats=2", "firsts&seats=2", &format!("firsts&seats=2&period={day}")]
        {
            let path = format!("/v1/scores?ruleset=marrakech/1&sort={sort}");
            let whole = stranger.get(&path).json();
            assert_eq!(whole["next"], Value::Null);
            let whole = whole["leaders"].as_array().unwrap().clone();
            let names: BTreeSet<&str> = whole.iter().map(|one| one["player"].as_str().unwrap()).collect();
            assert_eq!(names, ids.iter().map(String::as_str).collect(), "{sort}");
            let value = |one: &Value| match sort.split('&').next().unwrap() {
                "rating" => one["rating"]["at_least"].as_f64().unwrap(),
                named => one["results"][named].as_f64().unwrap(),
            };
            assert!(whole.is_sorted_by(|one, next| value(one) >= value(next)), "{sort}: {whole:?}");
            let (mut paged, mut cursor) = (Vec::new(), String::new());
            loop {
                let page = stranger.get(&format!("{path}&limit=2{cursor}")).json();
                paged.extend(page["leaders"].as_array().unwrap().clone());
                let Some(next) = page["next"].as_str() else { break };
                cursor = format!("&cursor={next}");
            }
            assert_eq!(paged, whole, "{sort}");
        }
        let empty = stranger.get("/v1/scores?ruleset=marrakech/1&sort=firsts&seats=2&period=1999").json();
        assert_eq!(empty["leaders"], json!([]));
        let of_day = stranger.get(&format!("/v1/players/{}?period={day}", ids[0])).json();
        assert_eq!((&of_day["period"], &of_day["results"][0]["games"]), (&json!(day), &json!(5)));
        for (path, code) in [
            ("/v1/scores?sort=best_score", "bad_request"),
            ("/v1/scores?ruleset=chess/1", "unknown_ruleset"),
            ("/v1/scores?ruleset=marrakech/1&seats=2", "bad_request"),
            ("/v1/scores?ruleset=marrakech/1&sort=firsts", "bad_request"),
            ("/v1/scores?ruleset=marrakech/1&sort=firsts&seats=2&period=2026-13", "bad_request"),
            ("/v1/scores?ruleset=marrakech/1&cursor=00", "bad_request"),
            ("/v1/players/nobody", "bad_request"),
            ("/v1/players/random?period=x", "bad_request"),
        ] {
            assert_eq!(stranger.get(path).problem(), code, "{path}");
        }
        let refused = stranger.get("/v1/players/random?period=26").json();
        assert!(refused["detail"].as_str().unwrap().contains("`period`"), "{refused}");
        let refused = stranger.get("/v1/players/random?period=2026-02-30").json();
        assert!(refused["detail"].as_str().unwrap().contains("a period is a year"), "{refused}");
    }
}

/// Lets built-in players play games on a service until stopped or failing. Returns the number of games.
fn built_in(service: &Service, most: usize, stop: &AtomicBool) -> usize {
    let owner = service.player();
    let wanted = |n: usize| match n % 3 {
        0 => json!({"ruleset": "marrakesh/1", "seats": ["solitaire-ai", "random"], "options": {"rounds": 6}}),
        1 => json!({"ruleset": "marrakesh/1", "seats": ["random", "solitaire-ai"], "options": {"rounds": 6}}),
        _ => json!({"ruleset": "marrakech/1", "seats": ["random", "random", "random"]}),
    };
    (0..most)
        .take_while(|n| !stop.load(Ordering::Relaxed) && owner.post("/v1/games", wanted(*n)).status == 201)
        .count()
}

/// Returns the number of games of built-in players, 2,000 with `ASSAM_RATED_GAMES=2000`.
fn rated_games() -> usize {
    std::env::var("ASSAM_RATED_GAMES").map_or(90, |games| games.parse().unwrap())
}

#[test]
fn every_game_counts_once_however_many_processes_count_and_die() {
    let each = rated_games() / 3;
    for backend in backends() {
        let stop = AtomicBool::new(false);
        let one = Service::start(&backend);
        let mut made = built_in(&one, each, &stop);
        // Two processes count, and one of them is killed while it does.
        let other = Service::start(&backend);
        made += thread::scope(|scope| {
            let playing =
                [scope.spawn(|| built_in(&one, each, &stop)), scope.spawn(|| built_in(&other, each, &stop))];
            playing.into_iter().map(|playing| playing.join().unwrap()).sum::<usize>()
        });
        drop(other);
        drop(one);
        let last = Service::start(&backend);
        // Seats are counted, not games: `random` holds three of them in each third game.
        let random = (0..each).map(|n| if n % 3 == 2 { 3 } else { 1 }).sum::<u64>() * 3;
        let said = counted(&last, "random", random);
        assert_eq!(made, each * 3);
        let rated: Vec<&Value> =
            said["ratings"].as_array().unwrap().iter().map(|one| &one["ruleset"]).collect();
        assert_eq!(rated, ["marrakesh/1"], "nobody is rated who plays against themselves");
        assert!(recomputed(&backend).contains("the same"));
        drop(last);

        // Damaged ratings can be rebuilt.
        backend.script("UPDATE ratings SET games = games + 1; UPDATE dice SET ones = ones + 1");
        let run = assam(&["ratings", "--database", &backend.url()], "");
        assert!(!run.status.success() && out(&run).contains("- random in marrakesh/1"), "{run:?}");
        let run = assam(&["ratings", "--again", "--database", &backend.url()], "");
        assert!(run.status.success(), "{run:?}");
        assert!(recomputed(&backend).contains("the same"));
    }
}
