//! A player's own games, listed by secret for any visibility, and by turn.

use serde_json::{Value, json};

use crate::harness::{Answer, Client, Service, next_millisecond, secret, sqlite};

fn ids(answer: &Answer) -> Vec<String> {
    assert_eq!(answer.status, 200, "{}", answer.text);
    let games = answer.json()["games"].as_array().unwrap().clone();
    games.iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect()
}

/// Creates a game of two with this visibility. The player has seat 1, and another player seat 2 unless it
/// stays open.
fn game(service: &Service, player: &Client<'_>, visibility: &str, is_open: bool) -> String {
    let other = service.player();
    let mut wanted = json!({
        "ruleset": "marrakech/1", "seats": ["open", "open"], "options": {"two_player": "one-colour"},
        "visibility": visibility, "take": {"seat": 1},
    });
    if visibility == "private" {
        wanted["join_code"] = json!("x");
    }
    let id = player.post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
    if !is_open {
        let join = if visibility == "private" { json!({"join_code": "x"}) } else { json!({}) };
        assert_eq!(other.put(&format!("/v1/games/{id}/seats/2"), join).status, 201);
    }
    id
}

#[test]
fn a_player_finds_all_games_of_the_secret_and_nobody_else_finds_those_that_are_not_public() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let player = service.player();
    let mut mine = Vec::new();
    for visibility in ["public", "unlisted", "private"] {
        for is_open in [false, true] {
            mine.insert(0, game(&service, &player, visibility, is_open));
            game(&service, &service.player(), visibility, is_open);
        }
    }
    assert_eq!(ids(&player.get("/v1/me/games")), mine);
    let open = |status: &str| ids(&player.get(&format!("/v1/me/games?status={status}")));
    assert_eq!((open("open").len(), open("running").len(), open("finished").len()), (3, 3, 0));
    let first = player.get("/v1/me/games?limit=4");
    let next = first.header("link").unwrap().to_owned();
    let next = next.strip_prefix('<').unwrap().split('>').next().unwrap();
    assert_eq!([ids(&first), ids(&player.get(next))].concat(), mine);
    for game in player.get("/v1/me/games").json()["games"].as_array().unwrap() {
        let is_running = game["status"] == "running";
        assert_eq!((&game["your_seat"], &game["your_turn"]), (&json!(1), &json!(is_running)));
        assert_eq!(game["seat_on_turn"], if is_running { json!(1) } else { Value::Null });
    }
    let me = player.get("/v1/me").json()["player"].as_str().unwrap().to_owned();
    let public = ids(&service.stranger().get(&format!("/v1/games?player={me}")));
    assert_eq!(public, mine[4..]);
    assert!(ids(&service.player().get("/v1/me/games")).is_empty());
    // Private games end in the same list.
    let private = &mine[1];
    assert_eq!(player.play(private, 1, "!resign").status, 201);
    assert_eq!(ids(&player.get("/v1/me/games?sort=finished")), [private.as_str()]);
    assert_eq!(open("finished"), [private.as_str()]);
}

#[test]
fn what_waits_for_a_player_is_listed_with_the_newest_move_first() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (ann, bob) = (service.player(), service.player());
    let table = || {
        let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"],
            "options": {"two_player": "one-colour"}, "take": {"seat": 1}});
        let id = ann.post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
        assert_eq!(bob.put(&format!("/v1/games/{id}/seats/2"), json!({})).status, 201);
        id
    };
    let games: Vec<String> = (0..5).map(|_| table()).collect();
    let waiting = |player: &Client<'_>| ids(&player.get("/v1/me/games?your_turn=true"));
    assert_eq!((waiting(&ann).len(), waiting(&bob).len()), (5, 0));
    // Ann takes a turn in some of them: Assam and a rug.
    for id in [&games[3], &games[1]] {
        assert_eq!(ann.play(id, 1, "N").status, 201);
        let legal = ann.get(&format!("/v1/games/{id}/legal-moves")).json();
        assert_eq!(ann.play(id, 2, legal["moves"][0].as_str().unwrap()).status, 201);
        next_millisecond();
    }
    assert_eq!(waiting(&bob), [games[1].clone(), games[3].clone()]);
    assert_eq!(waiting(&ann), [games[4].clone(), games[2].clone(), games[0].clone()]);
    let moved = ids(&ann.get("/v1/me/games?sort=moved"));
    assert_eq!(moved[..2], [games[1].clone(), games[3].clone()]);
    assert_eq!(moved.len(), 5);
    // Page by page, it is the same list.
    let mut paged = Vec::new();
    let mut path = "/v1/me/games?sort=moved&limit=2".to_owned();
    loop {
        let page = ann.get(&path);
        paged.extend(ids(&page));
        let Some(next) = page.json()["next"].as_str().map(str::to_owned) else { break };
        path = format!("/v1/me/games?sort=moved&limit=2&cursor={next}");
    }
    assert_eq!(paged, moved);
    // Since and until refer to the last ply, not to the creation.
    let newest = ann.get("/v1/me/games?sort=moved&limit=1").json();
    let at = newest["games"][0]["last_ply_at"].as_str().unwrap();
    assert_eq!(ids(&ann.get(&format!("/v1/me/games?sort=moved&since={at}")))[0], games[1]);
    let before = ids(&ann.get(&format!("/v1/me/games?sort=moved&until={at}")));
    assert!(!before.contains(&games[1]) && before.len() == 4, "{before:?}");
    for game in bob.get("/v1/me/games").json()["games"].as_array().unwrap() {
        let is_bobs = [&games[1], &games[3]].iter().any(|id| game["id"] == id.as_str());
        assert_eq!((&game["your_seat"], &game["your_turn"]), (&json!(2), &json!(is_bobs)));
        let id = game["id"].as_str().unwrap();
        let one = service.stranger().get(&format!("/v1/games/{id}")).json();
        for member in ["seat_on_turn", "last_ply_at", "finished_at", "status"] {
            assert_eq!(one[member], game[member], "{member}");
        }
        assert_eq!(one["last_ply_at"].is_null(), !is_bobs);
    }
    for refused in
        ["?your_turn=true&sort=created", "?sort=moved&status=open", "?sort=finished&cursor=00", "?sort=last"]
    {
        assert_eq!(ann.get(&format!("/v1/me/games{refused}")).problem(), "bad_request", "{refused}");
    }
    // A cursor belongs to its list.
    let cursor = ann.get("/v1/games?limit=1").json()["next"].as_str().unwrap().to_owned();
    assert_eq!(ann.get(&format!("/v1/games?limit=1&cursor={cursor}")).status, 200);
    assert_eq!(ann.get(&format!("/v1/games?sort=finished&cursor={cursor}")).problem(), "bad_request");
}

#[test]
fn public_lists_tell_imported_games_open_seats_and_which_ended_last() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let stranger = service.stranger();
    let imported = [3, 4].map(|seats| {
        let record = format!("MKN/1 marrakech/1 seats={seats}\n\n!abort\n= -\n");
        let answer = stranger.post_text("/v1/imports", &record);
        assert_eq!(answer.status, 201, "{}", answer.text);
        answer.json()["id"].as_str().unwrap().to_owned()
    });
    let open = |seats: Value| {
        stranger.post("/v1/games", json!({"ruleset": "marrakech/1", "seats": seats})).json()["id"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let one = open(json!(["open", "random"]));
    let two = open(json!(["open", "random", "open"]));
    let (first, players) = service.game(2, json!({"two_player": "one-colour"}));
    let (second, others) = service.game(2, json!({"two_player": "one-colour"}));
    // The newer one ends first.
    assert_eq!(others[0].play(&second, 1, "!resign").status, 201);
    next_millisecond();
    assert_eq!(players[0].play(&first, 1, "!resign").status, 201);
    let list = |query: &str| ids(&stranger.get(&format!("/v1/games?{query}")));
    assert_eq!(list("imported=true"), [imported[1].clone(), imported[0].clone()]);
    assert_eq!(list("imported=false"), [second.clone(), first.clone(), two.clone(), one.clone()]);
    assert_eq!(list("sort=finished&imported=false"), [first.clone(), second.clone()]);
    let all = [first, second, imported[1].clone(), imported[0].clone()];
    assert_eq!(list("sort=finished"), all);
    assert_eq!(list("sort=finished&status=running"), Vec::<String>::new());
    assert_eq!(list("open_seats=1"), [one.as_str()]);
    assert_eq!(list("open_seats=2"), [two.as_str()]);
    assert_eq!(list("open_seats=1,2,3"), [two.as_str(), one.as_str()]);
    assert_eq!(list("open_seats=3&open_seats=2&open_seats=1,4"), [two, one]);
    // Since and until refer to the time in the order.
    let page = stranger.get("/v1/games?sort=finished&limit=2").json();
    let ended = page["games"][0]["finished_at"].as_str().unwrap();
    assert_eq!(list(&format!("sort=finished&since={ended}"))[0], all[0]);
    assert!(!list(&format!("sort=finished&until={ended}")).contains(&all[0]));
    assert!(list("until=9999-12-31T23:59:59Z").len() == 6);
    // Links work for any notation of the previous cursor.
    let cursor = page["next"].as_str().unwrap();
    let next = stranger.get(&format!("/v1/games?sort=finished&limit=1&%63ursor={cursor}"));
    let link = next.header("link").unwrap().to_owned();
    let link = link.strip_prefix('<').unwrap().split('>').next().unwrap();
    assert_eq!([ids(&next), ids(&stranger.get(link))].concat(), all[2..]);
}

#[test]
fn a_page_is_the_last_where_all_further_games_have_another_secret_by_now() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (old, new) = (service.player(), service.player());
    let games: Vec<String> = (0..5).map(|_| game(&service, &old, "unlisted", true)).collect();
    for id in &games[..3] {
        let path = format!("/v1/games/{id}/seats/1/secret");
        assert_eq!(old.put(&path, json!({"secret": new.secret})).status, 204);
    }
    let page = old.get("/v1/me/games?limit=2");
    assert_eq!((ids(&page), &page.json()["next"]), (vec![games[4].clone(), games[3].clone()], &Value::Null));
    assert!(old.get("/v1/me/games?limit=1").json()["next"].is_string());
}

#[test]
fn a_secret_that_leaked_is_replaced_and_can_do_nothing_more() {
    let backend = sqlite();
    let service = Service::start(&backend);
    for visibility in ["public", "private"] {
        let old = service.player();
        let id = game(&service, &old, visibility, true);
        let path = format!("/v1/games/{id}");
        let before = old.get(&path).json();
        let new = service.with_secret(&secret());
        let wanted = json!({"secret": new.secret});
        let replaced = old.put(&format!("{path}/seats/1/secret"), wanted.clone());
        assert_eq!((replaced.status, replaced.text.as_str()), (204, ""));
        // Repeated with the new one, it changes nothing.
        assert_eq!(new.put(&format!("{path}/seats/1/secret"), wanted.clone()).status, 204);
        let again = old.put(&format!("{path}/seats/1/secret"), wanted);
        let unseen = if visibility == "private" { "game_not_found" } else { "not_your_seat" };
        assert_eq!(again.problem(), unseen);
        // To others, the player is the same.
        assert_eq!(new.get(&path).json()["seats"], before["seats"]);
        assert_eq!(new.get(&path).json()["your_seat"], 1);
        assert!(ids(&old.get("/v1/me/games")).is_empty(), "{visibility}");
        assert_eq!(ids(&new.get("/v1/me/games")), [id.as_str()]);
        let other = service.player();
        let join = if visibility == "private" { json!({"join_code": "x"}) } else { json!({}) };
        assert_eq!(other.put(&format!("{path}/seats/2"), join).status, 201);
        assert_eq!(ids(&new.get("/v1/me/games?your_turn=true")), [id.as_str()]);
        let refused = old.play(&id, 1, "N");
        assert_eq!(refused.problem(), unseen);
        // The old secret owned the game, and the new one does now.
        assert_eq!(old.play(&id, 1, "!abort").problem(), unseen);
        let proof = service.stranger().get(&format!("{path}/proof"));
        assert_eq!(proof.status, if visibility == "private" { 404 } else { 200 });
        assert_eq!(new.play(&id, 1, "!abort").status, 201);
        assert_eq!(ids(&new.get("/v1/me/games?sort=finished")), [id.as_str()]);
        // Replaced twice, and back to the first one.
        let third = service.with_secret(&secret());
        let path = format!("{path}/seats/1/secret");
        assert_eq!(new.put(&path, json!({"secret": third.secret})).status, 204);
        assert!(ids(&new.get("/v1/me/games")).is_empty());
        assert_eq!(third.put(&path, json!({"secret": old.secret})).status, 204);
        assert_eq!(ids(&old.get("/v1/me/games")), [id.as_str()]);
        assert!(ids(&third.get("/v1/me/games")).is_empty());
        assert_eq!(third.put(&path, json!({"secret": other.secret})).problem(), unseen);
        assert_eq!(old.put(&path, json!({"secret": other.secret})).problem(), "seat_taken");
    }
    // Refused games do not appear.
    let player = service.player();
    let id = game(&service, &player, "public", true);
    let path = format!("/v1/games/{id}/seats/1/secret");
    let nearly = secret()[1..].to_owned();
    let refused = player.put(&path, json!({"secret": nearly}));
    assert_eq!(refused.problem(), "bad_request");
    assert!(!refused.text.contains(&nearly), "{}", refused.text);
}
