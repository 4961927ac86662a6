//! Events off the board for seated players.

use serde_json::{Value, json};

use super::player::{Hand, Player};
use crate::harness::{Browser, Service, sqlite};

const DESK: (u32, u32) = (1280, 900);

#[test]
fn a_name_that_is_being_written_stays_when_somebody_else_sits_down() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open", "open"]});
    let game = service.player().post("/v1/games", wanted).json();
    let id = game["id"].as_str().unwrap();
    let ann = Player::at(browser.open_apart(&format!("{}/games/{id}", service.base()), DESK), Hand::Mouse);
    ann.use_element("#join input");
    ann.page.write("Zo");
    let seat = json!({"commitment": game["commitment"]});
    assert_eq!(service.player().put(&format!("/v1/games/{id}/seats/3"), seat).status, 201);
    ann.page.until("document.querySelectorAll('#join button').length === 2");
    ann.page.write("e");
    assert_eq!(ann.page.evaluate("document.querySelector('#join input').value"), "Zoe");
}

#[test]
fn enter_renames_a_seat_and_its_points_on_the_board_have_the_new_name() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let ann = Player::at(browser.open_apart(service.base(), DESK), Hand::Mouse);
    for choice in ["[name=game][value=marrakesh]", "#go"] {
        ann.use_element(choice);
    }
    ann.page.until("document.querySelector('#board .choice')");
    ann.use_element("#mine input");
    ann.page.write("Ann");
    ann.page.press("Enter");
    ann.page.until("document.querySelector('#seats .name').textContent === 'Ann'");
    let label =
        "document.querySelector('#board [data-point=\"6\"][data-seat=\"1\"]').getAttribute('aria-label')";
    let label = ann.page.evaluate(label);
    assert!(label.as_str().unwrap().starts_with("Ann, point 6"), "{label}");
    assert_eq!(ann.page.troubles(), Vec::<String>::new());
}

#[test]
fn names_of_players_are_readable_on_a_phone_in_both_languages() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let player = service.player();
    let name = "W".repeat(64);
    let wanted = json!({
        "ruleset": "marrakech/1",
        "seats": ["open", "random", "random", "random"],
        "take": {"seat": 1, "name": name},
        "clock": {"initial": 600},
    });
    let game = player.post("/v1/games", wanted).json();
    let address = format!("{}/games/{}", service.base(), game["id"].as_str().unwrap());
    let page = browser.open_apart(&address, (360, 740));
    for language in ["de", "en"] {
        page.evaluate(&format!("localStorage['assam.language'] = '{language}'"));
        page.go(&address);
        page.until(
            "document.querySelectorAll('#seats .name').length === 4 && document.querySelector('#board svg')",
        );
        let lines =
            "[...document.querySelectorAll('#seats .name')].map((name) => name.getClientRects().length)";
        let lines: Vec<u64> = serde_json::from_value(page.evaluate(lines)).unwrap();
        assert!(lines[0] <= 6 && lines[1..] == [1, 1, 1], "lines of names: {lines:?}");
        let wide = "[document.documentElement, ...document.querySelectorAll('#seats, #seats th, #seats td')]
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ tagName, id }) => tagName + id)";
        assert_eq!(page.evaluate(wide), json!([]), "wider than their place in {language}");
    }
}

#[test]
fn a_seat_is_left_also_where_the_response_is_lost_and_somebody_else_has_taken_it() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
    let game = service.player().post("/v1/games", wanted).json();
    let address = format!("{}/games/{}", service.base(), game["id"].as_str().unwrap());
    let ann = Player::at(browser.open_apart(&address, DESK), Hand::Mouse);
    ann.use_element("#join button");
    ann.page.until("document.querySelector('#mine [name=other-name]')");
    ann.page.evaluate(
        "(() => {
            const send = fetch;
            window.answers = [];
            window.fetch = async (path, asking) => {
                const response = await send(path, asking);
                if (asking.method !== 'DELETE' || answers.push(response.status) > 1) return response;
                // Another player is quick.
                const headers = { Authorization: `Bearer ${'0c'.repeat(32)}`, 'Content-Type': 'application/json' };
                await send(path, { method: 'PUT', headers, body: '{}' });
                throw new TypeError('the connection was cut');
            };
        })()",
    );
    let button = "[...document.querySelectorAll('#mine button')].find(({ textContent }) => textContent.includes('Leave'))";
    ann.page.evaluate(&format!("{button}.click()"));
    // The receipt is forgotten after that.
    ann.page.until("document.querySelector('#join') && !Object.keys(localStorage).some((key) => key.includes('receipt'))");
    assert_eq!(ann.page.evaluate("answers"), json!([204, 403]));
    assert_eq!(ann.page.evaluate("document.querySelector('#problem')"), Value::Null);
}

#[test]
fn a_game_can_be_aborted_until_the_first_move_and_no_longer() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let ann = Player::at(browser.open_apart(service.base(), DESK), Hand::Mouse);
    ann.use_element("#go");
    ann.page.until("document.querySelector('#board .choice')");
    let hidden = "document.querySelector('#mine [data-act=abort]').hidden";
    assert_eq!(ann.page.evaluate(hidden), false);
    ann.use_element("#choices button");
    ann.page.until("Number(document.querySelector('#board svg').dataset.ply) > 0");
    ann.page.until(hidden);
}
