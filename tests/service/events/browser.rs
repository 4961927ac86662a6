//! A stream as browsers read it natively.

use serde_json::{Value, json};

use crate::dice::Dice;
use crate::harness::{Browser, Service, sqlite};

use super::play_on;

/// Keeps every message, and the state of the connection.
const FOLLOW: &str = "
    seen = []; breaks = 0;
    stream = new EventSource(`/v1/games/${game}/events`);
    stream.onmessage = ({ lastEventId, data }) => seen.push({ id: lastEventId, ...JSON.parse(data) });
    stream.onerror = () => { breaks += 1; };
    true";

#[test]
fn an_event_source_of_a_browser_follows_a_game_through_a_killed_service_to_its_end_and_stops() {
    let Some(browser) = Browser::start() else { return };
    let backend = sqlite();
    let mut service = Service::start(&backend);
    let wanted = json!({"ruleset": "marrakesh/1", "seats": ["open", "open"]});
    let (game, secrets) = {
        let (game, players) = service.seated(wanted);
        (game, players.into_iter().map(|player| player.secret.unwrap()).collect::<Vec<_>>())
    };
    let page = browser.open(&format!("{}/docs/", service.base()));
    page.evaluate(&format!("game = '{game}'; {FOLLOW}"));
    page.until("seen.some(({ type }) => type === 'caught-up')");
    let mut dice = Dice::new(5);
    for _ in 0..2 {
        let seats: Vec<_> = secrets.iter().map(|secret| service.with_secret(secret)).collect();
        let mut ply = 0;
        (0..12).for_each(|_| ply = play_on(&seats, &game, &mut dice).unwrap().1);
        page.until(&format!("seen.some(({{ type, head }}) => type === 'word' && head.ply === {ply})"));
        drop(seats);
        service = service.start_again(&backend);
    }
    let player = service.with_secret(&secrets[0]);
    let ply = player.get(&format!("/v1/games/{game}")).json()["head"]["ply"].as_u64().unwrap() + 1;
    assert_eq!(player.play(&game, ply, "!resign").status, 201);

    // After `over` it reconnects, as after each end of a stream. The answer is 204, so it stops.
    page.until("stream.readyState === EventSource.CLOSED");
    let seen = page.evaluate("seen");
    let seen = seen.as_array().unwrap();
    let is = |wanted: &'static str| move |message: &&Value| message["type"] == wanted;
    assert_eq!(seen.last().unwrap()["type"], "over");
    assert_eq!(seen.iter().filter(is("over")).count(), 1);
    assert_eq!(seen.iter().filter(is("snapshot")).count(), 1, "it resumed, and began only once");
    assert_eq!(seen.iter().filter(is("reset")).count(), 0);
    assert!(page.evaluate("breaks").as_u64().unwrap() >= 3);
    let plies: Vec<u64> =
        seen.iter().filter(is("word")).map(|word| word["head"]["ply"].as_u64().unwrap()).collect();
    assert_eq!(plies, (1..=ply).collect::<Vec<_>>(), "each word once, in order");
    let last = seen.iter().rfind(is("word")).unwrap();
    assert_eq!(last["id"], format!("{}.{}", ply, last["head"]["hash"].as_str().unwrap()));
}
