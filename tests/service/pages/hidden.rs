//! Whoever plays or watches holds nothing that is hidden from them.

use serde_json::{Value, json};

use crate::dice::Dice;
use crate::events::play_on;
use crate::harness::{Browser, Page, Service, backends};

/// What hides in the page: the document with all attributes, and what is kept.
const HELD: &str =
    "document.documentElement.outerHTML + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)";

/// How often each of the two pages is looked at, at moments that are drawn.
const LOOKS: usize = 50;

/// Whether a text has a hand.
fn has_hand(text: &str, hand: &[String]) -> bool {
    // As notation writes it in a word or a position, or as a state lists it.
    let in_word = hand.concat();
    let listed = serde_json::to_string(hand).unwrap();
    text.contains(&in_word) || text.contains(&listed)
}

fn leaks(page: &Page<'_>, hand: &[String], seat: usize) -> Vec<&'static str> {
    let held = page.evaluate(HELD);
    let shown = page.evaluate(&format!(
        "document.querySelectorAll('[data-place=hand][data-seat=\"{seat}\"]:not([data-card=\"??\"])').length"
    ));
    let mut found = Vec::new();
    if has_hand(held.as_str().unwrap(), hand) {
        found.push("the page or its storage");
    }
    if has_hand(&page.received(), hand) {
        found.push("what the service sent");
    }
    if shown != 0 {
        found.push("the board");
    }
    found
}

#[test]
fn the_page_of_an_opponent_and_that_of_a_spectator_hold_no_card_of_a_hidden_hand() {
    let Some(browser) = Browser::start() else { return };
    let backend = &backends()[0];
    let service = Service::start(backend);
    let (game, players) = service.seated(json!({"ruleset": "marrakesh/1", "seats": ["open", "open"]}));
    let address = format!("{}/games/{game}", service.base());
    let opponent = browser.open_apart(&format!("{}/rules", service.base()), (1000, 800));
    opponent.evaluate(&format!("localStorage['assam.secret'] = '{}'", players[1].secret.as_ref().unwrap()));
    opponent.go(&address);
    let spectator = browser.open_apart(&address, (1000, 800));
    let mut dice = Dice::new(4);
    for page in [&opponent, &spectator] {
        page.evaluate("localStorage['assam.pace'] = '20'");
    }
    let mut looked = 0;
    while looked < LOOKS {
        let state = players[0].get(&format!("/v1/games/{game}")).json();
        let hand: Vec<String> = state["state"]["seats"][0]["hand"]
            .as_array()
            .unwrap_or_else(|| panic!("{state}"))
            .iter()
            .map(|card| card.as_str().unwrap().to_owned())
            .collect();
        let ply = state["head"]["ply"].as_u64().unwrap();
        if hand.len() > 2 && dice.below(3) != 0 {
            for page in [&opponent, &spectator] {
                page.until(&format!("document.querySelector('#board svg')?.dataset.ply === '{ply}'"));
                assert_eq!(leaks(page, &hand, 1), Vec::<&str>::new(), "ply {ply}");
            }
            looked += 1;
        }
        play_on(&players, &game, &mut dice);
    }

    // A leak is found where there is one: the owner of the hand has it everywhere but in what is kept.
    let hand = loop {
        let state = players[0].get(&format!("/v1/games/{game}")).json();
        let hand = state["state"]["seats"][0]["hand"].as_array().unwrap().clone();
        if hand.len() > 2 {
            break hand.iter().map(|card: &Value| card.as_str().unwrap().to_owned()).collect::<Vec<_>>();
        }
        play_on(&players, &game, &mut dice);
    };
    opponent.evaluate(&format!("localStorage['assam.secret'] = '{}'", players[0].secret.as_ref().unwrap()));
    opponent.go(&format!("{}/check", service.base()));
    opponent.go(&address);
    opponent.until("document.querySelector('#board svg')");
    let found = leaks(&opponent, &hand, 1);
    assert!(found.contains(&"what the service sent") && found.contains(&"the board"), "{found:?}");
    spectator.evaluate(&format!("localStorage.planted = '{}'", hand.concat()));
    assert_eq!(leaks(&spectator, &hand, 1), ["the page or its storage"]);
}
