//! Whole games, played in pages.

use serde_json::{Value, json};

use super::player::{Hand, Player};
use crate::dice::Dice;
use crate::harness::{Browser, Page, Service, sqlite};

const DESK: (u32, u32) = (1280, 900);
const PHONE: (u32, u32) = (360, 740);

/// Returns the id of the game on a page.
fn game(player: &Player<'_>) -> String {
    player.page.until("location.pathname.startsWith('/games/') && document.querySelector('#board')");
    player.page.evaluate("location.pathname.split('/')[2]").as_str().unwrap().to_owned()
}

/// Plays on in any page with an offer, until each page shows that the game is over.
fn play_to_the_end(players: &[&Player<'_>], dice: &mut Dice) {
    let is_over = |player: &Player<'_>| {
        player.page.evaluate("document.querySelector('#main').dataset.status") == "finished"
    };
    loop {
        for player in players {
            if player.is_on_turn() {
                player.choose(dice);
            }
        }
        if players.iter().all(|player| is_over(player)) {
            return;
        }
    }
}

/// Returns whether an error is the status of a private game's page, which a browser without a secret gets as
/// missing.
fn is_private_page(trouble: &str) -> bool {
    trouble.contains("/games/") && !trouble.contains("/v1/") && trouble.contains("404")
}

fn assert_untroubled(player: &Player<'_>) {
    let troubles: Vec<_> = player.page.troubles().into_iter().filter(|it| !is_private_page(it)).collect();
    assert_eq!(troubles, Vec::<String>::new());
}

#[test]
fn a_game_of_marrakech_is_created_in_three_clicks_joined_by_its_link_and_played_to_its_end_by_mouse_and_keys()
{
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let ann = Player::at(browser.open_apart(service.base(), DESK), Hand::Mouse);
    for choice in ["[name=who][value=link]", "[name=length][value=short]", "#go"] {
        ann.use_element(choice);
    }
    let id = game(&ann);
    ann.hurry();
    ann.page.until("document.querySelector('#invitation')");
    let link = ann.page.evaluate("document.querySelector('#invitation').value");
    // The page's address invites as well. Without the code it shows a problem, and then the invitation.
    assert_eq!(ann.page.evaluate("location.href"), link);
    let lost = browser.open_apart(&format!("{}/games/{id}", service.base()), DESK);
    lost.until("document.querySelector('#problem')?.textContent.includes('ask for the whole link')");
    lost.evaluate(&format!("void (location.href = {link})"));
    lost.until("document.querySelector('#status').textContent.includes('to a game of Marrakech')");
    let ben = Player::at(browser.open_apart(link.as_str().unwrap(), DESK), Hand::Keyboard);
    ben.hurry();
    // The game is private, so the page shows nothing without the code. The link describes its purpose.
    ben.page.until("document.querySelector('#status').textContent.includes('to a game of Marrakech')");
    assert_eq!(service.stranger().get(&format!("/v1/games/{id}")).status, 404);
    ben.use_element("#join button");
    ben.page.until("document.querySelector('#board svg')");
    // The other requests that fail ask for the commitment, the game, and its seats.
    let troubles = ben.page.troubles();
    let failed = troubles.iter().filter(|trouble| !is_private_page(trouble));
    assert!(
        failed.clone().all(|trouble| trouble.contains(&format!("/v1/games/{id}"))
            && (trouble.contains("/seats/1") && trouble.contains("409") || trouble.contains("404"))),
        "{troubles:?}"
    );
    assert_eq!(
        failed.filter(|trouble| trouble.contains("Network.responseReceived")).count(),
        3,
        "{troubles:?}"
    );
    ann.page.until("location.hash === '' && document.title === 'Your turn – Marrakech'");
    play_to_the_end(&[&ann, &ben], &mut Dice::new(1));
    assert!(ann.chosen() > 20 && ben.chosen() > 20, "{} and {}", ann.chosen(), ben.chosen());
    for player in [&ann, &ben] {
        player.page.until("/has won|share/.test(document.querySelector('#status').textContent)");
        assert_untroubled(player);
    }
    // Both gave entropy and kept their receipts.
    let secret = ann.page.evaluate("localStorage['assam.secret']");
    let shown = service.with_secret(secret.as_str().unwrap()).get(&format!("/v1/games/{id}")).json();
    assert!(shown["seats"].as_array().unwrap().iter().all(|seat| seat["entropy"].is_string()), "{shown}");
    let receipt = ann.page.evaluate(&format!("JSON.parse(localStorage['assam.receipt.{id}'])"));
    assert_eq!(receipt["receipt"]["commitment"], shown["commitment"]);
    assert_eq!(receipt["entropy"], shown["seats"][0]["entropy"]);

    // The first player to ask creates the rematch and sits there. The other player's page links to it, with a
    // reserved seat.
    ann.use_element("#mine button.go");
    ann.page.until(&format!("!location.pathname.endsWith('{id}') && document.querySelector('#seats .name')"));
    let next = game(&ann);
    ben.page.until(&format!("document.querySelector('#mine a[href$=\"{next}\"]')"));
    ben.use_element("#mine a.button");
    ben.use_element("#join button");
    for player in [&ann, &ben] {
        player.page.until("document.querySelector('#board svg')");
        assert_untroubled(player);
    }
}

#[test]
fn a_new_game_offers_every_player_of_the_service_at_each_seat_and_its_page_shows_who_plays() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let ruleset = service.stranger().get("/v1/rulesets/marrakech/1").json();
    let mut players = ruleset["players"].as_array().unwrap().clone();
    // Merchants come first, and the others after them.
    players.sort_by_key(|player| player["level"].is_null());
    let kinds: Vec<Value> = players.iter().map(|player| player["kind"].clone()).collect();
    let ann = Player::at(browser.open_apart(service.base(), DESK), Hand::Keyboard);
    ann.use_element("[name=players][value='3']");
    ann.page.until("document.querySelectorAll('#opponents details').length === 2");
    let values = |selector: &str| {
        ann.page
            .evaluate(&format!("[...document.querySelectorAll({selector:?})].map(({{ value }}) => value)"))
    };
    assert_eq!(values("[name=seat-3]"), json!(kinds));
    assert_eq!(values("#opponents :checked"), json!(["merchant-4/1", "merchant-5/1"]));
    ann.use_element("#opponents details:last-child summary");
    ann.use_element("[name=seat-3][value='merchant-8/1']");
    let shown = "document.querySelector('#opponents details:last-child summary').textContent";
    assert!(ann.page.evaluate(shown).as_str().unwrap().contains("Ibn Battuta"));
    // People may sit at any seat of a game with people.
    ann.use_element("[name=who][value=all]");
    ann.page.until("document.querySelector('[name=seat-2][value=open]')?.checked");
    ann.use_element("[name=who][value=program]");
    ann.page.until("document.querySelector('[name=seat-2][value=open]') === null");
    assert_eq!(values("#opponents :checked"), json!(["merchant-4/1", "merchant-5/1"]));
    ann.use_element("#go");
    game(&ann);
    ann.page.until("document.querySelectorAll('#seats .portrait').length === 2");
    let names = "[...document.querySelectorAll('#seats .name')].map(({ textContent }) => textContent)";
    assert_eq!(ann.page.evaluate(names), json!(["Seat 1", "Karim", "Salma"]));
    let table = ann.page.evaluate("document.getElementById('seats').textContent");
    assert!(table.as_str().unwrap().contains("Level 4"), "{table}");
    assert_untroubled(&ann);
}

/// Asserts that a page lists each word of a finished game once, and unmasked.
fn assert_whole(page: &Page<'_>, service: &Service, id: &str) {
    let log = service.stranger().get(&format!("/v1/games/{id}/log")).text;
    let words =
        page.evaluate("[...document.querySelectorAll('#words .ply code')].map((word) => word.textContent)");
    let logged: Vec<&str> = log.split("\n\n").nth(1).unwrap().split_whitespace().collect();
    let end = logged.iter().position(|word| *word == "=").unwrap();
    assert_eq!(words, json!(logged[..end]), "the list has each word once");
}

/// Asserts that only requests during the outage failed.
fn assert_untroubled_but_for_a_moment(page: &Page<'_>) {
    let troubles = page.troubles();
    assert!(troubles.iter().all(|trouble| trouble.contains("ERR_")), "{troubles:?}");
}

#[test]
fn anybody_may_watch_a_game_of_two_pages_and_all_three_have_each_word_after_the_service_was_killed() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let ann = Player::at(browser.open_apart(service.base(), DESK), Hand::Mouse);
    for choice in ["[name=who][value=all]", "[name=length][value=short]", "#go"] {
        ann.use_element(choice);
    }
    let id = game(&ann);
    let address = format!("{}/games/{id}", service.base());
    let ben = Player::at(browser.open_apart(&address, PHONE), Hand::Finger);
    ben.use_element("#join button");
    let watcher = Player::at(browser.open_apart(&address, DESK), Hand::Mouse);
    for player in [&ann, &ben, &watcher] {
        player.page.until("document.querySelector('#board svg')");
        player.hurry();
    }
    let mut dice = Dice::new(5);
    while ann.chosen() + ben.chosen() < 12 {
        for player in [&ann, &ben] {
            if player.is_on_turn() {
                player.choose(&mut dice);
            }
        }
    }
    let service = service.start_again(backend);
    play_to_the_end(&[&ann, &ben], &mut dice);
    for player in [&ann, &ben, &watcher] {
        player.page.until("/has won|share/.test(document.querySelector('#status').textContent)");
        assert_whole(&player.page, &service, &id);
        assert_untroubled_but_for_a_moment(&player.page);
    }
    assert_eq!(watcher.chosen(), 0);
}

#[test]
fn a_match_of_marrakesh_is_played_against_the_program_on_a_phone() {
    play_a_match(PHONE, Hand::Finger);
}

#[test]
fn a_match_of_marrakesh_is_played_against_the_program_by_keys_alone() {
    play_a_match(DESK, Hand::Keyboard);
}

#[test]
fn the_number_that_is_used_next_is_chosen_without_scrolling_and_the_board_stays_in_its_place() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let ann = Player::at(browser.open_apart(service.base(), (1280, 800)), Hand::Mouse);
    for choice in ["[name=game][value=marrakesh]", "#go"] {
        ann.use_element(choice);
    }
    game(&ann);
    ann.hurry();
    let mut dice = Dice::new(3);
    let place = "document.querySelector('#board').getBoundingClientRect().top + scrollY";
    ann.page.until("document.querySelector('#board .choice')");
    let first = ann.page.evaluate(place);
    while ann.page.evaluate("document.querySelector('#choices [data-number]') !== null") != true {
        if ann.is_on_turn() {
            assert_eq!(ann.page.evaluate(place), first, "the board has moved");
            ann.choose(&mut dice);
        }
    }
    let long = "document.querySelector('#result').textContent = 'A round is over. '.repeat(100)";
    ann.page.evaluate(long);
    assert_eq!(ann.page.evaluate(place), first, "what a round led to has moved the board");
    let end =
        ann.page.evaluate("document.querySelector('#choices').getBoundingClientRect().bottom + scrollY");
    assert!(end.as_f64().unwrap() <= 800.0, "{end}");
}

/// Records which plies the page first gets by request, when each ply is first shown, and the text at that
/// time.
const NOTING: &str = "(() => {
    const noted = window.noted = { sent: [], shown: [], due: {} };
    const send = window.fetch;
    window.fetch = (address, how) => {
        if (how?.method === 'PUT') noted.sent.push(Number(String(address).split('/').pop()));
        return send(address, how);
    };
    const note = () => {
        const ply = Number(document.querySelector('#board > svg')?.dataset.ply ?? -1);
        if (ply > (noted.shown.at(-1)?.[0] ?? -1)) noted.shown.push([ply, performance.now()]);
        noted.due[ply] = document.querySelector('#status').textContent;
    };
    for (const part of ['#board', '#status']) {
        new MutationObserver(note).observe(document.querySelector(part), { childList: true, subtree: true, attributes: true });
    }
    note();
})()";

#[test]
fn whatever_the_reader_did_not_do_is_shown_for_its_time_also_where_it_was_forced_on_the_reader() {
    const MOMENT: f64 = 900.0 / 4.0;
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let ann = Player::at(browser.open_apart(service.base(), DESK), Hand::Mouse);
    for choice in ["[name=game][value=marrakesh]", "#go"] {
        ann.use_element(choice);
    }
    let id = game(&ann);
    ann.page.until("document.querySelector('#board .choice')");
    ann.page.evaluate("(() => { pace.value = '4'; pace.dispatchEvent(new Event('change')); })()");
    ann.page.evaluate(NOTING);
    let mut dice = Dice::new(4);
    let mut forced = 0;
    while forced < 3 {
        while !ann.is_on_turn() {}
        ann.choose(&mut dice);
        ann.page.until("document.querySelector('#board .choice')");
        let noted = ann.page.evaluate("window.noted");
        let sent = noted["sent"].as_array().unwrap();
        let shown: Vec<(u64, f64)> = serde_json::from_value(noted["shown"].clone()).unwrap();
        forced = 0;
        let mut was_forced = false;
        for pair in shown.windows(2) {
            let [(before, since), (ply, at)] = pair else { unreachable!() };
            if sent.contains(&json!(ply)) {
                was_forced = false;
                continue;
            }
            let state = service.stranger().get(&format!("/v1/games/{id}/states/{before}")).json();
            let is_forced = state["state"]["seat"] == 1;
            let due = &noted["due"][before.to_string()];
            assert_eq!(due == "Only one move is possible. It is played for you.", is_forced, "{due}");
            let moments = if is_forced && !was_forced { 3.0 } else { 1.0 };
            assert!(at - since >= MOMENT * moments * 0.9, "ply {before} is shown for {} ms", at - since);
            was_forced = is_forced;
            forced += usize::from(is_forced);
        }
    }
    assert_untroubled(&ann);
}

#[test]
fn a_rug_with_one_second_square_only_says_how_it_is_laid() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let ann = Player::at(browser.open_apart(service.base(), DESK), Hand::Mouse);
    ann.use_element("#go");
    let id = game(&ann);
    ann.use_element("#choices [data-move]");
    ann.page.until("document.querySelector('#choices .preview-text')");
    let secret = ann.page.evaluate("localStorage['assam.secret']");
    let legal =
        service.with_secret(secret.as_str().unwrap()).get(&format!("/v1/games/{id}/legal-moves")).json();
    let rugs: Vec<&str> =
        legal["moves"].as_array().unwrap().iter().map(|rug| rug.as_str().unwrap()).collect();
    let seconds = |first: &str| -> Vec<String> {
        rugs.iter().filter(|rug| rug.contains(first)).map(|rug| rug.replace(first, "")).collect()
    };
    let (first, second) = rugs
        .iter()
        .flat_map(|rug| [&rug[..2], &rug[2..]])
        .find_map(|first| Some((first, <[String; 1]>::try_from(seconds(first)).ok()?)))
        .expect("straight away from Assam, a square has one neighbour that is beside him");
    ann.use_element(&format!("#board [data-square={first}]"));
    let said = ann.page.evaluate("document.querySelector('#choices .preview-text').textContent");
    assert!(said.as_str().unwrap().ends_with(&format!(" Choose {} to lay it.", second[0])), "{said}");
}

/// Plays a match, with the service killed in the middle.
fn play_a_match(size: (u32, u32), hand: Hand) {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let ann = Player::at(browser.open_apart(service.base(), size), hand);
    for choice in ["[name=game][value=marrakesh]", "[name=length][value=short]", "#go"] {
        ann.use_element(choice);
    }
    let id = game(&ann);
    ann.hurry();
    ann.page.until("document.querySelector('#board svg')");
    let is_narrow = "document.documentElement.scrollWidth <= innerWidth";
    assert_eq!(ann.page.evaluate(is_narrow), Value::Bool(true), "the page is wider than the screen");
    let mut dice = Dice::new(2);
    while ann.chosen() < 5 {
        if ann.is_on_turn() {
            ann.choose(&mut dice);
        }
    }
    assert_untroubled(&ann);

    // The service is killed in the middle, and the page recovers by itself. Only requests during the outage
    // failed.
    let service = service.start_again(backend);
    play_to_the_end(&[&ann], &mut dice);
    assert!(ann.chosen() > 12, "{}", ann.chosen());
    assert_untroubled_but_for_a_moment(&ann.page);
    assert_whole(&ann.page, &service, &id);
}

#[test]
fn a_seat_is_renamed_and_resigned_and_there_is_a_next_game() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let ann = Player::at(browser.open_apart(service.base(), DESK), Hand::Mouse);
    ann.use_element("#go");
    game(&ann);
    ann.page.until("document.querySelector('#board svg')");
    ann.use_element("#mine input");
    ann.page.write("Ann <b>");
    ann.use_element("#mine .row button");
    ann.page.until("document.querySelector('#seats .name').textContent === 'Ann <b>'");
    ann.use_element("#mine [data-act=resign]");
    ann.use_element("dialog .go");
    ann.page.until("document.querySelector('#main').dataset.status === 'finished'");
    // The winner comes first, with their score.
    ann.page.until(
        "/^Ann <b> resigns. .* has won, \\d+ : \\d+.$/.test(document.querySelector('#status').textContent)",
    );
    ann.page
        .until("[...document.querySelectorAll('#mine button')].some(({ className }) => className === 'go')");
    // The dice are checked in the page.
    ann.page.evaluate("document.querySelector('#proof').parentElement.open = true");
    ann.use_element("#proof button");
    ann.page.until("document.querySelector('#proof .steps')");
    let steps = ann.page.evaluate("document.querySelector('#proof .steps').textContent");
    assert!(!steps.as_str().unwrap().contains('✗'), "{steps}");
    assert_untroubled(&ann);
}
