//! Watching and replaying games.

use serde_json::json;

use super::player::open_as;
use crate::dice::Dice;
use crate::events::play_on;
use crate::harness::{Browser, Service, sqlite};

#[test]
fn whoever_watches_sees_every_ply_through_a_killed_service_and_goes_through_them_by_keys() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let mut service = Service::start(backend);
    let wanted =
        json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "options": {"rugs_per_player": "6"}});
    let (game, secrets) = {
        let (game, players) = service.seated(wanted);
        (game, players.into_iter().map(|player| player.secret.unwrap()).collect::<Vec<_>>())
    };
    let page = browser.open_apart(&format!("{}/games/{game}", service.base()), (1000, 800));
    page.until("document.querySelector('#board svg')?.dataset.ply === '0'");
    assert_eq!(page.troubles(), Vec::<String>::new());
    let mut dice = Dice::new(3);
    let mut ply = 0;
    for is_last in [false, true] {
        {
            let seats: Vec<_> = secrets.iter().map(|secret| service.with_secret(secret)).collect();
            for _ in 0..6 {
                ply = play_on(&seats, &game, &mut dice).unwrap().1;
            }
        }
        page.until(&format!("document.querySelector('#board svg').dataset.ply === '{ply}'"));
        if !is_last {
            service = service.start_again(backend);
        }
    }
    // The service was down for a moment, and the page no longer shows that.
    page.until("document.querySelector('#lost').hidden");
    let log = service
        .stranger()
        .send("GET", &format!("/v1/games/{game}/log"), &[("Accept", "application/json")], "")
        .json();
    let words =
        page.evaluate("[...document.querySelectorAll('#words .ply code')].map((word) => word.textContent)");
    let logged: Vec<_> = log["words"].as_array().unwrap().iter().map(|word| word["word"].clone()).collect();
    assert_eq!(words.as_array().unwrap(), &logged, "each word once, in order");

    // Only requests during the outage failed.
    let troubles = page.troubles();
    assert!(troubles.iter().all(|trouble| trouble.contains("ERR_")), "{troubles:?}");
    let shows = |wanted: u64| {
        page.until(&format!("document.querySelector('#board svg').dataset.ply === '{wanted}'"));
    };
    // Scrolling keys do nothing else, and letters do nothing.
    page.evaluate("document.querySelector('#main').focus()");
    for key in ["Home", "ArrowLeft", "p"] {
        page.press(key);
    }
    assert_eq!(page.evaluate("document.querySelector('#board svg').dataset.ply"), ply.to_string());
    assert_eq!(page.evaluate("document.querySelector('#slider').value"), ply.to_string());
    page.evaluate("document.querySelector('#slider').focus()");
    page.press("ArrowLeft");
    shows(ply - 1);
    assert_eq!(page.evaluate("location.hash"), format!("#ply={}", ply - 1));
    page.press("Home");
    shows(0);
    page.press("ArrowRight");
    shows(1);
    page.press("End");
    shows(ply);
    assert_eq!(page.evaluate("location.hash"), "");
    // Both link to a ply. The one that others can cut off turns into the other.
    page.go(&format!("{}/games/{game}?ply=3&utm_source=x", service.base()));
    page.until("document.querySelector('#board svg')?.dataset.ply === '3'");
    assert_eq!(
        page.evaluate("location.pathname + location.search + location.hash"),
        format!("/games/{game}#ply=3")
    );
    page.go(&format!("{}/games/{game}#ply=2", service.base()));
    page.until("document.querySelector('#board svg')?.dataset.ply === '2'");
    page.evaluate("document.querySelector('#slider').focus()");
    // A step costs one request, for the picture after the next, as the next one is loaded.
    let asked = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/v1/')).length";
    let asked = || page.evaluate(asked).as_u64().unwrap();
    let before = asked();
    let steps = 5;
    for step in 1..=steps {
        page.press("ArrowRight");
        shows(2 + step);
    }
    assert!(asked() - before <= steps + 2, "{} requests for {steps} steps", asked() - before);
    // The words describe the draws in the picture.
    let label = page.evaluate("document.querySelector('[data-merchant]').dataset.merchant");
    let cell = format!("document.querySelector('[data-square={label}]').getAttribute('aria-label')");
    assert!(page.evaluate(&cell).as_str().unwrap().contains("Assam"));
    assert_eq!(page.troubles(), Vec::<String>::new());
}

#[test]
fn whoever_watches_a_fast_game_is_never_far_behind() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let (game, players) = service
        .seated(json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "clock": {"initial": 600}}));
    let page = browser.open_apart(&format!("{}/games/{game}", service.base()), (1000, 800));
    page.until("document.querySelector('#board svg')?.dataset.ply === '0'");
    page.evaluate("localStorage['assam.pace'] = '0.5'");
    page.evaluate(
        "(() => {
            window.shown = [];
            const look = () => shown.push(document.querySelector('#board svg').dataset.ply);
            new MutationObserver(look).observe(document.querySelector('#board'), { childList: true });
        })()",
    );
    let mut dice = Dice::new(8);
    let ply = (0..60).filter_map(|_| play_on(&players, &game, &mut dice)).last().unwrap().1;
    page.until(&format!("document.querySelector('#board svg').dataset.ply === '{ply}'"));
    let shown = page.evaluate("shown");
    let shown = shown.as_array().unwrap();
    assert!(shown.len() < 25, "{} of 60 plies were shown, each for its time: {shown:?}", shown.len());
    // All of them are listed.
    assert_eq!(page.evaluate("document.querySelectorAll('#words .ply:not([data-ply=\"0\"])').length"), ply);
    assert_eq!(page.troubles(), Vec::<String>::new());
}

#[test]
fn a_picture_and_the_legal_moves_that_could_not_be_loaded_are_asked_for_again() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let (game, players) = service.game(2, json!({}));
    let page = open_as(&browser, &service, &players[1], &format!("/games/{game}"), &[]);
    page.until("document.querySelector('#board svg')?.dataset.ply === '0'");
    page.evaluate(
        "(() => {
            const send = fetch;
            window.broken = ['.svg', '/legal-moves'];
            window.fetch = (path, asking) => {
                if (!broken.some((part) => path.includes(part))) return send(path, asking);
                const headers = { 'Retry-After': '0.001' };
                return Promise.resolve(Response.json({ code: 'busy', status: 503 }, { status: 503, headers }));
            };
        })()",
    );
    let mut dice = Dice::new(9);
    let ply = loop {
        let (_, ply) = play_on(&players, &game, &mut dice).unwrap();
        if players[0].get(&format!("/v1/games/{game}")).json()["seat_on_turn"] == 2 {
            break ply;
        }
    };
    let is_drawn = format!("document.querySelector('#board svg').dataset.ply === '{ply}'");
    page.until("document.querySelector('#problem')?.textContent.includes('The service is busy')");
    assert_eq!(page.evaluate(&is_drawn), false);
    page.evaluate("broken.shift()");
    page.until(&is_drawn);
    page.until("document.querySelector('#problem')");
    assert_eq!(page.evaluate("document.querySelector('#board .choice')"), serde_json::Value::Null);
    page.evaluate("broken.shift()");
    page.until("document.querySelector('#board .choice') && !document.querySelector('#problem')");
}

#[test]
fn a_card_that_is_opened_is_told_in_its_place_and_the_list_stays_as_it_is() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let (game, players) = service.seated(json!({"ruleset": "marrakesh/1", "seats": ["open", "open"]}));
    let page = browser.open_apart(&format!("{}/games/{game}", service.base()), (1000, 800));
    page.until("document.querySelector('#board svg')?.dataset.ply === '0'");
    page.evaluate("localStorage['assam.pace'] = '20'");
    let mut dice = Dice::new(10);
    play_on(&players, &game, &mut dice);
    page.until("document.querySelector('#words [data-ply=\"1\"] code')?.textContent === '??'");
    page.evaluate("(window.lead = document.querySelector('#words [data-ply=\"1\"]')).focus()");
    play_on(&players, &game, &mut dice);
    page.until("lead.querySelector('code').textContent !== '??' && lead.textContent.includes(' of ')");
    assert_eq!(page.evaluate("lead.isConnected && document.activeElement === lead"), true);
}

#[test]
fn words_that_come_at_once_are_each_shown_for_their_time() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let (game, players) = service.game(2, json!({}));
    // Also for a player.
    let page = open_as(&browser, &service, &players[1], &format!("/games/{game}"), &[("assam.pace", "4")]);
    page.until("document.querySelector('#board svg')?.dataset.ply === '0'");
    page.evaluate(
        "(() => {
            window.shown = [];
            const look = () => shown.push(performance.now());
            new MutationObserver(look).observe(document.querySelector('#board'), { childList: true });
        })()",
    );
    let mut dice = Dice::new(11);
    let ply = (0..10).filter_map(|_| play_on(&players, &game, &mut dice)).last().unwrap().1;
    page.until(&format!("document.querySelector('#board svg').dataset.ply === '{ply}'"));
    let shown = page.evaluate("[shown.length, shown.at(-1) - shown[0]]");
    // A moment is 900 ms at the usual pace. The first and the last word may be the only ones shown.
    let least = 900.0 / 4.0 * (ply as f64 - 3.0);
    assert_eq!(shown[0], ply);
    assert!(shown[1].as_f64().unwrap() >= least, "{shown}, at least {least}");
}

#[test]
fn a_word_that_comes_soon_after_another_one_is_shown_when_that_was_seen() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let (game, players) = service.game(2, json!({}));
    let page = open_as(&browser, &service, &service.stranger(), &format!("/games/{game}"), &[]);
    page.until("document.querySelector('#board svg')?.dataset.ply === '0'");
    let mut dice = Dice::new(11);
    let mut play = || play_on(&players, &game, &mut dice).unwrap().1;
    let shown = |ply| {
        page.until(&format!("document.querySelector('#board svg').dataset.ply === '{ply}'"));
        page.evaluate("performance.now()").as_f64().unwrap()
    };
    // Assam walks with the first word, which takes time anyway, and nothing moves with the second one.
    shown(play());
    let second = shown(play());
    let third = shown(play());
    // A moment is 900 ms, and the second word may have been shown for part of it.
    assert!(third - second > 600.0, "{second}, {third}");
}

/// Imports a whole match of Marrakesh, and returns its id.
fn imported(service: &Service) -> String {
    let record = include_str!("commentary/marrakesh.mkn");
    let made = service.stranger().send("POST", "/v1/imports", &[("Content-Type", "text/plain")], record);
    made.json()["id"].as_str().unwrap().to_owned()
}

#[test]
fn keys_go_through_a_game_from_its_buttons_and_its_list_and_a_past_step_says_that_it_is_one() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let id = imported(&service);
    let page = browser.open_apart(&format!("{}/games/{id}", service.base()), (1000, 800));
    let shows = |wanted: u64| {
        page.until(&format!("document.querySelector('#board svg')?.dataset.ply === '{wanted}'"));
    };
    let text = |selector: &str| page.evaluate(&format!("document.querySelector('{selector}').textContent"));
    shows(141);
    // The game is over.
    assert_eq!(text("#last"), "End");
    assert_eq!(text("#status"), "Seat 1 has won, 28 : 24.");
    page.evaluate("document.querySelector('#back').focus()");
    page.press("Enter");
    shows(140);
    page.press("ArrowLeft");
    shows(139);
    page.press("Home");
    shows(0);
    page.press("ArrowRight");
    shows(1);
    assert_eq!(text("#status"), "Step 1 of 141: Seat 2 to reply.");
    assert!(!text("#seats").as_str().unwrap().contains("to move"));
    // A number used several times is named once.
    page.evaluate("document.querySelector('#words [data-ply=\"7\"]').focus()");
    page.press("Enter");
    shows(7);
    page.press("ArrowRight");
    shows(8);
    assert_eq!(page.evaluate("document.activeElement.dataset.ply"), "8");
    assert_eq!(text("#status"), "Step 8 of 141: Seat 1 to use 5 (4 times).");
    page.press("End");
    shows(141);
    assert_eq!(page.evaluate("location.hash"), "");
    // Elements with their own use for these keys keep them.
    page.evaluate("document.querySelector('#pace').focus()");
    page.press("ArrowLeft");
    page.evaluate("document.querySelector('#board [tabindex=\"0\"]').focus()");
    page.press("ArrowLeft");
    page.evaluate("document.querySelector('#secret').parentElement.open = true");
    page.evaluate("document.querySelector('#secret input').focus()");
    page.press("Home");
    shows(141);
    assert_eq!(page.evaluate("location.hash"), "");
    assert_eq!(page.troubles(), Vec::<String>::new());
}

#[test]
fn the_result_of_a_round_stays_while_the_next_one_is_played() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let id = imported(&service);
    let page = browser.open_apart(&format!("{}/games/{id}", service.base()), (1000, 800));
    let states = service.stranger().get(&format!("/v1/games/{id}/states")).json();
    let total = |ply: usize| {
        let score = |seat: usize| states["states"][ply]["state"]["seats"][seat]["score"].clone();
        format!("In total {} : {}.", score(0), score(1))
    };
    let fifth =
        "Round 5 is over: Seat 1 5 (two null chips and lower sum of points), Seat 2 1 (one null chip).";
    let sixth =
        "Round 6 is over: Seat 1 1 (one null chip), Seat 2 2 (one null chip and lower sum of points).";
    for (ply, told) in [(0, ""), (5, ""), (116, fifth), (117, fifth), (140, fifth), (141, sixth)] {
        page.evaluate(&format!("location.hash = 'ply={ply}'"));
        page.until(&format!("document.querySelector('#board svg')?.dataset.ply === '{ply}'"));
        let told = if told.is_empty() { String::new() } else { format!("{told} {}", total(ply)) };
        assert_eq!(page.evaluate("document.querySelector('#result').textContent"), told);
    }
}

#[test]
fn the_score_of_a_round_says_what_it_is_for_and_the_board_is_written_in_the_language_of_the_page() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let reader = service.stranger();
    let id = imported(&service);
    // Events name the parts of the score.
    let score = reader.get(&format!("/v1/games/{id}/score")).json();
    let states = reader.get(&format!("/v1/games/{id}/states")).json();
    let events =
        states["states"].as_array().unwrap().iter().flat_map(|one| one["events"].as_array().unwrap());
    let rounds: Vec<_> = events.filter(|event| event["event"] == "round_scored").collect();
    assert_eq!(rounds.len(), 6);
    for side in 0..2 {
        let told = rounds.iter().flat_map(|round| round["categories"][side].as_array().unwrap());
        let parts = score["seats"][side]["parts"].as_array().unwrap().iter().map(|part| &part["name"]);
        assert!(told.eq(parts), "{rounds:?} {score}");
    }
    let page =
        open_as(&browser, &service, &reader, &format!("/games/{id}#ply=116"), &[("assam.language", "de")]);
    page.until("document.querySelector('#board svg')?.textContent.includes('Runde 6 von 6')");
    let said = "Platz 1 5 (zwei Nullchips und kleinere Summe der Felder), Platz 2 1 (ein Nullchip)";
    page.until(&format!("document.querySelector('#speech').textContent.includes('{said}')"));
    page.evaluate("document.getElementById('scores').parentElement.open = true");
    page.until("document.querySelectorAll('table.rounds tbody tr').length === 6");
    let row = |which: &str| {
        page.evaluate(&format!(
            "[...document.querySelector('table.rounds {which}').cells].map((cell) => cell.textContent).join()"
        ))
    };
    assert_eq!(
        row("tbody tr:nth-child(5)"),
        "5,5 (zwei Nullchips und kleinere Summe der Felder),1 (ein Nullchip)"
    );
    let total = |side: usize| score["seats"][side]["total"].as_i64().unwrap();
    assert_eq!(row("tfoot tr"), format!("Summe,{},{}", total(0), total(1)));
    let signs = page.evaluate(
        "[...document.querySelectorAll('#board text[data-sign]')].map((sign) => sign.textContent).join()",
    );
    let signs = signs.as_str().unwrap();
    assert!(!["round", "deck", "sign."].iter().any(|english| signs.contains(english)), "{signs}");
}
