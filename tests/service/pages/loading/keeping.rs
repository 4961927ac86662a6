//! Browser storage: the secret, also with several pages at once, and browsers that store nothing.

use serde_json::{Value, json};

use crate::harness::{Browser, Page, Service, sqlite};
use crate::pages::player::{Hand, Player};

const DESK: (u32, u32) = (1280, 900);

/// Opens a page in a browser with a secret.
fn at_home<'a>(browser: &'a Browser, service: &Service, secret: &str, address: &str) -> Player<'a> {
    let page = browser.open_apart(&format!("{}/rules", service.base()), DESK);
    page.evaluate(&format!("localStorage['assam.secret'] = '{secret}'"));
    page.go(address);
    page.until("document.querySelector('#language option')");
    Player::at(page, Hand::Mouse)
}

fn kept(page: &Page<'_>) -> Value {
    page.evaluate("localStorage['assam.secret'] ?? null")
}

#[test]
fn a_secret_is_replaced_by_another_one_only_after_a_question() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let (old, new) = ("0a".repeat(32), "0b".repeat(32));
    let ann = at_home(&browser, &service, &old, &format!("{}/", service.base()));
    ann.page.evaluate("document.querySelector('#secret').parentElement.open = true");
    ann.use_element("#secret input");
    ann.page.write(&new);
    ann.use_element("#secret [data-act=enter]");
    ann.use_element("dialog button:not(.go)");
    ann.page.until("document.querySelector('dialog') === null");
    assert_eq!(kept(&ann.page), old);
    ann.use_element("#secret [data-act=enter]");
    ann.page.until("document.querySelector('dialog').textContent.includes('replaces')");
    assert_eq!(kept(&ann.page), old);
    ann.use_element("dialog .go");
    ann.page.until(&format!("localStorage['assam.secret'] === '{new}'"));
    // Without a secret, or with the same one, nothing is lost.
    ann.page.until("document.querySelector('#secret') && !document.querySelector('dialog')");
    ann.page.evaluate("localStorage.removeItem('assam.secret')");
    ann.page.until("document.querySelector('#language option')");
    ann.page.evaluate("document.querySelector('#secret').parentElement.open = true");
    ann.use_element("#secret input");
    ann.page.write(&old);
    ann.use_element("#secret [data-act=enter]");
    ann.page.until(&format!("localStorage['assam.secret'] === '{old}'"));
}

#[test]
fn two_pages_that_need_a_secret_at_once_get_the_same_one_and_the_seats_that_it_holds() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let [one, other] = [(); 2].map(|()| browser.open(&format!("{}/rules", service.base())));
    // Another page has the lock, so pages that need a secret wait.
    one.evaluate(
        "navigator.locks.request('assam.secret', () => new Promise((done) => (window.free = done))) && true",
    );
    one.until("window.free");
    for page in [&one, &other] {
        page.evaluate("window.made = import('/pages/kept.js').then((it) => it.needSecret()); true");
    }
    let waiting = "(async () => {
        let waiting = 0;
        for (let looks = 0; waiting < 2 && looks < 1000; looks += 1) {
            waiting = (await navigator.locks.query()).pending.length;
        }
        return waiting;
    })()";
    assert_eq!(one.evaluate(waiting), 2);
    assert_eq!(kept(&one), Value::Null);
    one.evaluate("window.free()");
    let made = [&one, &other].map(|page| page.evaluate("window.made"));
    assert_eq!((&made[0], &made[0]), (&made[1], &kept(&other)));

    // Another page learns of the secret that takes a seat, and shows the seat as its own.
    one.evaluate("localStorage.removeItem('assam.secret')");
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open", "open"]});
    let game = service.player().post("/v1/games", wanted).json();
    let address = format!("{}/games/{}", service.base(), game["id"].as_str().unwrap());
    for page in [&one, &other] {
        page.go(&address);
        page.until("document.querySelector('#join button')");
    }
    let one = Player::at(one, Hand::Mouse);
    one.use_element("#join button");
    for page in [&one.page, &other] {
        page.until("document.querySelector('#mine [name=other-name]')");
    }
}

#[test]
fn where_a_browser_keeps_nothing_the_pages_say_so_and_a_game_is_played_all_the_same() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let page = browser.open_apart(&format!("{}/rules", service.base()), DESK);
    page.prepare(
        "for (const name of ['localStorage', 'sessionStorage']) {
            Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError'); } });
        }",
    );
    page.go(&format!("{}/check", service.base()));
    page.until("document.querySelector('#unkept') && !document.querySelector('#example').disabled");
    page.go(&format!("{}/", service.base()));
    // The opponents move what is below them when they appear.
    page.until("document.querySelector('#unkept') && !document.querySelector('#go').disabled");
    let ann = Player::at(page, Hand::Mouse);
    ann.use_element("#paste button");
    ann.page.until("document.querySelector('#problem')");
    ann.use_element("#go");
    ann.page.until("location.pathname.startsWith('/games/') && document.querySelector('#unkept')");
    ann.use_element("#join button");
    ann.page.until("document.querySelector('#board .choice')");
    assert_eq!(ann.page.troubles(), Vec::<String>::new());
}

#[test]
fn a_private_game_is_joined_by_a_link_whose_code_has_any_characters_and_shown_to_whoever_has_a_seat() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let owner = service.player();
    let code = "a&b=c %2F/ü#";
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open", "open"], "visibility": "private", "join_code": code});
    let created = owner.post("/v1/games", wanted);
    assert_eq!(created.status, 201, "{}", created.text);
    let id = created.json()["id"].as_str().unwrap().to_owned();
    let address = format!("{}/games/{id}", service.base());
    let ann = at_home(&browser, &service, owner.secret.as_ref().unwrap(), &format!("{}/", service.base()));
    let known = json!({"joinCode": code}).to_string();
    ann.page.evaluate(&format!("localStorage['assam.created.{id}'] = {}", json!(known)));
    ann.page.go(&address);
    ann.page.until("document.querySelector('#invitation')");
    let link = ann.page.evaluate("document.querySelector('#invitation').value");
    let link = link.as_str().unwrap();

    let ben = Player::at(browser.open_apart(link, DESK), Hand::Mouse);
    ben.use_element("#join button");
    ben.page.until("document.querySelector('#mine [name=other-name]')");
    assert_eq!(ben.page.evaluate("location.hash"), "");
    // A link without the code would lead nowhere, and Ben has no other.
    assert_eq!(ben.page.evaluate("document.querySelector('#invitation')"), Value::Null);

    // He opens the link again in another browser.
    let secret = kept(&ben.page);
    let again = at_home(&browser, &service, secret.as_str().unwrap(), link);
    again.page.until("document.querySelector('#mine [name=other-name]')");
    assert_eq!(again.page.evaluate("location.hash"), "");
}
