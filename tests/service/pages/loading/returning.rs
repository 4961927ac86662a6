//! Pages whose network comes back, and browsers with broken storage.

use serde_json::{Value, json};

use crate::dice::Dice;
use crate::events::play_on;
use crate::harness::{Browser, Service, secret, sqlite};
use crate::pages::player::{Hand, Player};

#[test]
fn a_page_that_lost_the_service_is_up_to_date_as_soon_as_the_network_is_back_or_the_reader_comes_or_asks() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let mut service = Service::start(backend);
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
    let (game, secrets) = {
        let (game, players) = service.seated(wanted);
        (game, players.into_iter().map(|player| player.secret.unwrap()).collect::<Vec<_>>())
    };
    let page = browser.open_apart(&format!("{}/rules", service.base()), (1000, 800));
    // The page's pauses never end, so nothing happens by itself.
    page.prepare(
        "(() => {
            delete window.SharedWorker;
            localStorage['assam.pace'] = '20';
            const [wait, send] = [setTimeout, fetch];
            window.setTimeout = (act, time) => wait(act, time > 300 ? 1e9 : time);
            window.fetch = (...asked) => send(...asked).catch((error) => { window.failed += 1; throw error; });
        })()",
    );
    page.go(&format!("{}/games/{game}", service.base()));
    page.until("document.querySelector('#board svg')?.dataset.ply === '0'");
    let mut dice = Dice::new(31);
    for comes_back in [
        "dispatchEvent(new Event('online'))",
        "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
        "document.dispatchEvent(new Event('visibilitychange'))",
        "document.querySelector('#lost button').click()",
    ] {
        let lost = "!document.querySelector('#lost').hidden";
        page.until(&format!("!({lost})"));
        let address = service.base().strip_prefix("http://").unwrap().to_owned();
        page.evaluate("window.failed = 0");
        drop(service);
        page.until(&format!("{lost} && failed > 0"));
        service = Service::start_at(&address, backend);
        let seats: Vec<_> = secrets.iter().map(|secret| service.with_secret(secret)).collect();
        let ply = play_on(&seats, &game, &mut dice).unwrap().1;
        assert_eq!(page.evaluate(lost), true, "nothing has told the page yet");
        page.evaluate(comes_back);
        page.until(&format!("document.querySelector('#board svg').dataset.ply === '{ply}'"));
        drop(seats);
    }
}

#[test]
fn whatever_is_broken_in_what_a_browser_keeps_is_thrown_away() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let (game, players) = service.game(2, json!({}));
    let own = players[0].secret.clone().unwrap();
    let page = browser.open_apart(&format!("{}/rules", service.base()), (1000, 800));
    let no_json = ["", "{", "null", "5", "[]", "\"text\"", "\u{0}\u{fffd}"];
    let receipt =
        |receipt: Value| json!({"receipt": receipt, "entropy": secret(), "by": &own[..16]}).to_string();
    let receipts = [
        json!({}).to_string(),
        json!({"receipt": null, "entropy": 5, "by": "a"}).to_string(),
        receipt(json!({})),
        receipt(json!({"id": game, "seats": {}})),
        receipt(json!(7)),
    ];
    let created = [json!({"joinCode": 5}).to_string(), json!({"joinCode": null}).to_string()];
    let strings = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>();
    for (key, values) in [
        ("assam.secret".to_owned(), strings(&["", "secret", "é", &own[1..], &own.to_uppercase(), "{"])),
        ("assam.pace".to_owned(), strings(&["", "0", "-1", "1e999", "NaN", "[]"])),
        ("assam.language".to_owned(), strings(&["", "xx", "__proto__", "constructor"])),
        ("assam.name".to_owned(), vec!["x".repeat(70)]),
        (format!("assam.created.{game}"), [&strings(&no_json)[..], &created].concat()),
        (format!("assam.receipt.{game}"), [&strings(&no_json)[..], &receipts].concat()),
    ] {
        for value in values {
            page.evaluate(&format!("localStorage.clear(); localStorage['assam.secret'] = '{own}'"));
            page.evaluate(&format!("localStorage[{}] = {}", json!(key), json!(value)));
            page.go(&format!("{}/games/{game}", service.base()));
            page.until("document.querySelector('#board svg')");
            page.until("document.querySelector('#mine')");
            page.evaluate("document.querySelector('#proof').parentElement.open = true");
            page.evaluate("document.querySelector('#proof button').click()");
            page.until("document.querySelector('#proof strong')");
            let fair = page.evaluate("document.querySelector('#proof strong').textContent");
            assert!(!fair.as_str().unwrap().contains("not"), "{key} = {value:?}: {fair}");
            page.go(&format!("{}/", service.base()));
            page.until("document.querySelector('#go:not([disabled])')");
            assert_ne!(page.evaluate(&format!("localStorage[{}] ?? null", json!(key))), value, "{key}");
            assert_eq!(page.troubles(), Vec::<String>::new(), "{key} = {value:?}");
        }
    }
}

#[test]
fn a_game_is_created_and_played_in_a_browser_whose_disk_is_full() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let page = browser.open_apart(&format!("{}/rules", service.base()), (1280, 900));
    page.prepare(
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };",
    );
    page.go(&format!("{}/", service.base()));
    page.until("document.querySelector('#unkept')");
    let ann = Player::at(page, Hand::Mouse);
    ann.use_element("#go");
    ann.page.until("location.pathname.startsWith('/games/') && document.querySelector('#unkept')");
    ann.use_element("#join button");
    ann.page.until("document.querySelector('#board .choice')");
    ann.page.go(&format!("{}/check", service.base()));
    ann.use_element("#example");
    ann.page.until("document.querySelector('#verdict h2')");
    let choose = "(() => { const select = document.querySelector('#language'); select.value = 'de'; select.dispatchEvent(new Event('change')); })()";
    ann.page.evaluate(choose);
    ann.page.until("document.querySelector('#language option')");
    assert_eq!(ann.page.troubles(), Vec::<String>::new());
}
