//! The tags of imported games, shown with the game and searched by lists.

use serde_json::{Value, json};

use crate::harness::{Client, Service, next_millisecond, sqlite};

/// Returns a finished record with tags and unique scores.
fn record(tags: &str, nth: usize) -> String {
    let moves = ["N+1", "N+2", "N+3", "N+4"][nth % 4];
    format!("MKN/1 marrakech/1 seats=3\n{tags}\n{moves} !abort\n= -\n")
}

fn import(client: &Client<'_>, tags: &str, nth: usize) -> String {
    let imported = client.post_text("/v1/imports", &record(tags, nth));
    assert_eq!(imported.status, 201, "{}", imported.text);
    next_millisecond();
    imported.json()["id"].as_str().unwrap().to_owned()
}

fn ids(client: &Client<'_>, query: &str) -> Vec<String> {
    let page = client.get(&format!("/v1/games?{query}"));
    assert_eq!(page.status, 200, "{query}: {}", page.text);
    let page = page.json();
    page["games"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn lists_find_imported_games_by_event_round_table_and_date_page_by_page() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let importer = service.player();
    let client = service.stranger();
    let one = import(&importer, "event: Fès Open\nround: 1\ntable: 2\ndate: 2026-11-20\nseat1: Lea\n", 0);
    let two = import(&importer, "event: Fès Open\nround: 1\ntable: 3\n", 1);
    let three = import(&importer, "event: Fès Open\nround: 2\n", 2);
    let other = import(&importer, "event: Tangier\nround: 1\ndate: 2026-11-20\n", 3);
    let event = "event=F%C3%A8s%20Open";
    assert_eq!(ids(&client, event), [&*three, &*two, &*one]);
    assert_eq!(ids(&client, &format!("{event}&round=1")), [&*two, &*one]);
    assert_eq!(ids(&client, &format!("{event}&round=1&table=2")), [&*one]);
    assert_eq!(ids(&client, "date=2026-11-20&sort=finished"), [&*other, &*one]);
    assert_eq!(ids(&client, "event=Fes"), [""; 0]);
    assert_eq!(ids(&client, &format!("{event}&status=finished")), [""; 0], "all are aborted");
    assert_eq!(ids(&client, &format!("{event}&imported=false")), [""; 0]);
    let first = client.get(&format!("/v1/games?{event}&limit=2")).json();
    let next = first["next"].as_str().unwrap();
    assert_eq!(ids(&client, &format!("{event}&limit=2&cursor={next}")), [&*one]);
    for wrong in ["round=1", "event=x&table=1", "event=x&date=2026", "event=x&player=0123456789abcdef0123"] {
        let refused = client.get(&format!("/v1/games?{wrong}"));
        assert_eq!(refused.problem(), "bad_request", "{wrong}");
        assert!(refused.json()["errors"][0]["parameter"].is_string(), "{}", refused.text);
    }
    let game = client.get(&format!("/v1/games/{one}")).json();
    assert_eq!(
        game["tags"],
        json!({"date": "2026-11-20", "event": "Fès Open", "round": "1", "table": "2"}),
        "names of seats are no tags"
    );
    assert_eq!(game["seats"][0]["name"], "Lea");
    // Erasing a name changes nothing else, and games taken down are in no list.
    assert_eq!(importer.patch(&format!("/v1/games/{one}/seats/1"), json!({"name": null})).status, 200);
    assert_eq!(ids(&client, event), [&*three, &*two, &*one]);
    assert!(backend.take_down(&one, "spam").status.success());
    assert_eq!(ids(&client, &format!("{event}&round=1")), [&*two]);
    assert_eq!(ids(&client, "date=2026-11-20"), [&*other]);
    let (played, _) = service.game(2, json!({}));
    assert_eq!(client.get(&format!("/v1/games/{played}")).json()["tags"], json!({}));
    assert_eq!(client.get("/v1/games?imported=false").json()["games"][0].get("tags"), None::<&Value>);
}
