//! The service below the path of a proxy.

use serde_json::json;

use crate::dice::Dice;
use crate::harness::{BelowPath, Browser, Page, Service, comes, sqlite};
use crate::pages::player::{Hand, Player};

/// Every address that a page names, with its response.
const NAMED: &str = "Promise.all(
    [...document.querySelectorAll('[href], [src]')]
        .map((part) => part.href?.baseVal ?? part.href ?? part.src)
        .filter((address) => address.startsWith('http'))
        .map(async (address) => [address, (await fetch(address)).status]))";

/// Checks that the addresses on a page are below the path.
fn check_named(page: &Page<'_>, base: &str, least: usize) {
    let named = page.evaluate(NAMED);
    let named: Vec<(String, u64)> = serde_json::from_value(named).unwrap();
    assert!(named.len() >= least, "{named:?}");
    for (address, status) in named {
        assert!(address.starts_with(&format!("{base}/")) && status == 200, "{address}: {status}");
    }
}

#[test]
fn a_game_is_played_below_a_path_where_every_page_and_all_that_it_names_is_found() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let below = BelowPath::of(service.base());
    let base = below.base();
    let page = browser.open_apart(&format!("{base}/rules"), (1280, 900));
    page.evaluate("localStorage['assam.pace'] = '20'");
    page.go(&format!("{base}/"));
    let ann = Player::at(page, Hand::Mouse);
    ann.use_element("[name=length][value=short]");
    ann.use_element("#go");
    ann.page.until(&format!("location.href.startsWith('{base}/games/')"));
    let id = ann.page.evaluate("location.pathname.split('/').pop()");
    let path = format!("/v1/games/{}", id.as_str().unwrap());
    let mut dice = Dice::new(5);
    let is_over = || service.stranger().get(&path).json()["status"] == "finished";
    while ann.chosen() < 6 {
        ann.page.until("document.querySelector('#board .choice')");
        ann.choose(&mut dice);
    }
    // The page has received the last word.
    ann.page.until("document.querySelector('#board .choice')");
    ann.use_element("[data-act=resign]");
    ann.use_element("dialog .go");
    assert!(comes(60, is_over));
    ann.page.until("document.querySelector('#mine .go')");
    check_named(&ann.page, &base, 30);
    // The rematch is another page.
    ann.use_element("#mine .go");
    ann.page.until(&format!("location.href.startsWith('{base}/games/') && !location.href.endsWith({id})"));
    ann.page.until("document.querySelector('#board .choice, #mine [data-act=remove]')");
    ann.page.go(&format!("{base}/"));
    ann.page.until("document.querySelector('#over .game-card img')?.complete");
    check_named(&ann.page, &base, 20);
    ann.page
        .evaluate("document.querySelector('#pasted').value = 'MKN/1 marrakech/1 seats=3\\n\\nN+3 c6c7\\n'");
    ann.use_element("#paste button");
    ann.page.until(&format!("location.href === '{base}/check' && document.querySelector('.drawn svg')"));
    for (path, least) in [
        ("/check", 10),
        ("/dice", 10),
        ("/rules", 20),
        ("/grammar", 3),
        ("/grammar/marrakesh", 3),
        ("/docs", 8),
    ] {
        ann.page.go(&format!("{base}{path}"));
        check_named(&ann.page, &base, least);
    }
    // Trial requests of the documentation go below the path, too.
    ann.page.until("document.querySelectorAll('.opblock').length > 20");
    ann.page.evaluate(
        "[...document.querySelectorAll('.opblock-summary')]
            .find((operation) => operation.textContent.replace(/\\u200b/g, '').includes('/v1/limits'))
            .querySelector('button').click()",
    );
    ann.page.until("document.querySelector('.opblock.is-open .execute')");
    ann.page.evaluate("document.querySelector('.opblock.is-open .execute').click()");
    ann.page.until(
        "document.querySelector('.live-responses-table tbody .response-col_status')?.textContent.includes('200')",
    );
    let nowhere: [&str; 0] = [];
    assert_eq!(json!(below.outside()), json!(nowhere));
    assert_eq!(ann.page.troubles(), Vec::<String>::new());
}
