//! Browsers of players and spectators hold nothing that is hidden from them.

use regex::Regex;
use serde_json::{Value, json};

use crate::dice::Dice;
use crate::events::play_on;
use crate::harness::{Browser, Client, Page, Service, sqlite};

/// Hidden contents of the page: the document with all attributes, and storage.
const HELD: &str = "[document.documentElement.outerHTML, ...[localStorage, sessionStorage].flatMap(Object.entries).flat()].join(' ')";

/// How often each of the two pages is checked, at random moments.
const LOOKS: usize = 50;

/// Returns whether a text has a hand.
fn has_hand(text: &str, hand: &[String]) -> bool {
    // As the notation writes it in a word or a position, or as a state lists it. Hashes may have the same
    // digits by chance, as clubs and diamonds are hexadecimal. So may the cards that everyone has seen, which
    // a position lists in order: there are more of them than in a hand.
    let in_word = hand.concat();
    let listed = serde_json::to_string(hand).unwrap();
    let others = Regex::new("[0-9a-f]{32,}|(?:[2-6AQ?][shdc?]){7,}").unwrap();
    others.split(text).any(|part| part.contains(&in_word) || part.contains(&listed))
}

/// Returns whether a text names a card in the notation or in English.
fn names(text: &str, card: &str) -> bool {
    let rank = match &card[..1] {
        "A" => "ace",
        "Q" => "queen",
        number => number,
    };
    let suits = [("s", "spades"), ("h", "hearts"), ("d", "diamonds"), ("c", "clubs")];
    let (_, suit) = suits.into_iter().find(|(letter, _)| *letter == &card[1..]).unwrap();
    let written = format!(r"(^|[^0-9A-Za-z.])({card}|{rank} of {suit})([^0-9A-Za-z]|$)");
    Regex::new(&written).unwrap().is_match(text)
}

/// Returns the cards of a hand that are unknown from the words in `seen`.
fn unseen(hand: &[String], seen: &str) -> Vec<String> {
    hand.iter().filter(|card| !seen.contains(card.as_str())).cloned().collect()
}

/// Returns the cards of a seat, as shown to its holder.
fn hand_of(owner: &Client<'_>, game: &str) -> (Vec<String>, u64) {
    let state = owner.get(&format!("/v1/games/{game}")).json();
    let hand = state["state"]["seats"][0]["hand"].as_array().unwrap_or_else(|| panic!("{state}"));
    let hand = hand.iter().map(|card| card.as_str().unwrap().to_owned()).collect();
    (hand, state["head"]["ply"].as_u64().unwrap())
}

/// Returns whether a player once held the same cards, alone or among others, and so knows them.
fn held_the_same(reader: &Client<'_>, game: &str, hand: &[String]) -> bool {
    let shown = reader.get(&format!("/v1/games/{game}/states")).json();
    let Some(seat) = reader.get(&format!("/v1/games/{game}")).json()["your_seat"].as_u64() else {
        return false;
    };
    let states = shown["states"].as_array().unwrap();
    let held = |one: &Value| {
        one["state"]["seats"][seat as usize - 1]["hand"].as_array().cloned().unwrap_or_default()
    };
    let hand = hand.concat();
    states
        .iter()
        .map(held)
        .any(|cards| cards.iter().filter_map(Value::as_str).collect::<String>().contains(&hand))
}

/// Returns the parts of a seat's hand in a page whose viewer reads the log like `reader`.
fn leaks(
    page: &Page<'_>,
    reader: &Client<'_>,
    game: &str,
    hand: &[String],
    seat: usize,
) -> Vec<&'static str> {
    let held = page.evaluate(HELD);
    let held = held.as_str().unwrap();
    let shown = page.evaluate(&format!(
        "document.querySelectorAll('[data-place=hand][data-seat=\"{seat}\"]:not([data-card=\"??\"])').length"
    ));
    let seen = reader.get(&format!("/v1/games/{game}/log")).text;
    // Each card exists twice: sometimes the reader was dealt the same ones in a row, saw them played in that
    // order, or was left with them.
    let is_told = has_hand(&seen, hand) || held_the_same(reader, game, hand);
    let mut found = Vec::new();
    if has_hand(held, hand) && !is_told {
        found.push("the page or its storage");
    }
    if unseen(hand, &seen).iter().any(|card| names(held, card)) {
        found.push("a card by its name");
    }
    if has_hand(&page.received(), hand) && !is_told {
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
    let backend = &sqlite();
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
    let spectating = service.stranger();
    let mut looked = 0;
    while looked < LOOKS {
        let (hand, ply) = hand_of(&players[0], &game);
        if hand.len() > 2 && dice.below(3) != 0 {
            for (page, reader) in [(&opponent, &players[1]), (&spectator, &spectating)] {
                page.until(&format!("document.querySelector('#board svg')?.dataset.ply === '{ply}'"));
                assert_eq!(leaks(page, reader, &game, &hand, 1), Vec::<&str>::new(), "ply {ply}");
            }
            looked += 1;
        }
        play_on(&players, &game, &mut dice);
    }
}

/// Plays on until a seat has several cards, and at least one of them appears nowhere in a spectator's log.
fn play_until_much_is_hidden(players: &[Client<'_>], reader: &Client<'_>, game: &str) -> Vec<String> {
    let mut dice = Dice::new(6);
    loop {
        let (hand, _) = hand_of(&players[0], game);
        let seen = reader.get(&format!("/v1/games/{game}/log")).text;
        if hand.len() > 2 && !unseen(&hand, &seen).is_empty() {
            return hand;
        }
        play_on(players, game, &mut dice);
    }
}

#[test]
fn a_page_whose_own_code_shows_a_hidden_card_is_found_out() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let (game, players) = service.seated(json!({"ruleset": "marrakesh/1", "seats": ["open", "open"]}));
    let address = format!("{}/games/{game}", service.base());
    let spectating = service.stranger();
    let hand = play_until_much_is_hidden(&players, &spectating, &game);
    let seen = spectating.get(&format!("/v1/games/{game}/log")).text;
    let card = unseen(&hand, &seen).remove(0);
    let owner = players[0].secret.as_ref().unwrap();
    let read = format!(
        "const leak = await fetch(`/v1${{location.pathname}}`, {{ headers: {{ Authorization: 'Bearer {owner}' }} }});
         const {{ hand }} = (await leak.json()).state.seats[0];"
    );
    let add = |name: &str, code: &str| {
        (name.to_owned(), format!("{}\n{read}\n{code}", spectating.get(&format!("/pages/{name}")).text))
    };
    let known = spectating.get("/pages/known.js").text;
    let early = "const drawn = await picture;";
    let asked = "?board_only=true`";
    assert!(known.contains(early) && known.contains(asked));
    let signed = format!("{asked}, {{ headers: {{ Authorization: 'Bearer {owner}' }} }}");
    let drawn = known.replace(early, "const drawn = null;").replace(asked, &signed);
    let sent = "what the service sent";
    let planted: [((String, String), &[&str]); 6] = [
        (add("speech.js", ""), &[sent]),
        (add("speech.js", "document.body.dataset.note = hand.join('');"), &["the page or its storage", sent]),
        (
            add("speech.js", "localStorage.note = JSON.stringify(hand);"),
            &["the page or its storage", "a card by its name", sent],
        ),
        (
            add("speech.js", &format!("document.body.append(hand.find((card) => card === '{card}'));")),
            &["a card by its name", sent],
        ),
        (("known.js".to_owned(), drawn), &["a card by its name", "the board"]),
        // Unchanged, nothing leaks.
        (("speech.js".to_owned(), spectating.get("/pages/speech.js").text), &[]),
    ];
    for ((module, altered), expected) in planted {
        let page = browser.open_apart(&format!("{}/rules", service.base()), (1000, 800));
        page.replace(&format!("{}/pages/{module}", service.base()), &altered);
        page.go(&address);
        page.until("document.querySelector('#board svg')");
        page.until("document.querySelectorAll('#words .ply').length > 0");
        assert_eq!(leaks(&page, &spectating, &game, &hand, 1), expected, "{module}");
    }
}
