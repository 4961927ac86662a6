//! Many tabs of one browser, which has six connections to a host.

use serde_json::{Value, json};

use crate::dice::Dice;
use crate::events::play_on;
use crate::harness::{Browser, Client, Page, Service, comes, secret, sqlite};

const METRICS: [&str; 2] = ["--metrics-listen", "127.0.0.1:0"];

/// A tab in which one player plays against another.
struct Tab<'a> {
    page: Option<Page<'a>>,
    game: String,
    players: [Client<'a>; 2],
}

impl Tab<'_> {
    fn page(&self) -> &Page<'_> {
        self.page.as_ref().unwrap()
    }

    /// Plays elsewhere until the tab's seat turns Assam next, and waits until the tab shows the opponent's
    /// move and offers its own.
    fn answer(&self, dice: &mut Dice) {
        let mut last = 0;
        loop {
            let game = self.players[1].get(&format!("/v1/games/{}", self.game)).json();
            if last > 0 && game["seat_on_turn"] == 1 && game["state"]["phase"] == "orient" {
                break;
            }
            last = play_on(&self.players, &self.game, dice).unwrap().1;
        }
        self.page().until(&format!("document.querySelector('#board svg')?.dataset.ply === '{last}'"));
        self.page().until("document.querySelector('#board .choice')");
    }
}

/// Opens so many tabs of games, each with the browser's secret on the first seat.
fn tabs<'a>(browser: &'a Browser, service: &'a Service, count: usize) -> Vec<Tab<'a>> {
    let own = secret();
    let first = browser.open(&format!("{}/rules", service.base()));
    first.evaluate(&format!("localStorage['assam.secret'] = '{own}'; localStorage['assam.pace'] = '20'"));
    first.close();
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
    (0..count)
        .map(|_| {
            let players = [service.with_secret(&own), service.player()];
            let game = players[0].post("/v1/games", wanted.clone()).json()["id"].as_str().unwrap().to_owned();
            for (seat, player) in players.iter().enumerate() {
                let taken = player.put(&format!("/v1/games/{game}/seats/{}", seat + 1), json!({}));
                assert_eq!(taken.status, 201, "{}", taken.text);
            }
            let page = browser.open(&format!("{}/rules", service.base()));
            // As if each were in a separate window.
            page.command("Emulation.setFocusEmulationEnabled", json!({"enabled": true}));
            page.go(&format!("{}/games/{game}", service.base()));
            page.until("document.querySelector('#board .choice')");
            Tab { page: Some(page), game, players }
        })
        .collect()
}

/// Chooses the first square that a tab offers, and waits until the move is written.
fn play_in(tab: &Tab<'_>) {
    let before = tab.players[1].get(&format!("/v1/games/{}", tab.game)).json()["head"]["ply"].clone();
    tab.page().evaluate("document.querySelector('#board .choice').dispatchEvent(new MouseEvent('click', { bubbles: true })); true");
    let is_written =
        || tab.players[1].get(&format!("/v1/games/{}", tab.game)).json()["head"]["ply"] != before;
    assert!(comes(60, is_written), "no move was made in the tab of {}", tab.game);
}

#[test]
fn twelve_tabs_of_twelve_games_are_played_over_two_lasting_connections_though_some_are_closed_crash_or_freeze()
 {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start_with(backend, &METRICS);
    let mut dice = Dice::new(12);
    let mut tabs = tabs(&browser, &service, 12);
    let lobby = browser.open(&format!("{}/", service.base()));
    lobby.until("document.querySelector('#own .game-card')");
    let is_few = || service.metric("assam_streams") <= 2.0;
    assert!(comes(30, is_few), "{} streams", service.metric("assam_streams"));
    for tab in &tabs {
        play_in(tab);
        tab.answer(&mut dice);
    }
    assert!(service.metric("assam_streams") <= 2.0);
    // The first tab took whatever they share.
    tabs[0].page.take().unwrap().close();
    for tab in &tabs[1..] {
        tab.answer(&mut dice);
    }
    tabs[1].page.take().unwrap().crash();
    for tab in &tabs[2..] {
        tab.answer(&mut dice);
    }
    tabs[2].page().command("Page.setWebLifecycleState", json!({"state": "frozen"}));
    for tab in &tabs[3..] {
        tab.answer(&mut dice);
        play_in(tab);
    }
    // It catches up.
    play_on(&tabs[2].players, &tabs[2].game, &mut dice).unwrap();
    tabs[2].page().command("Page.setWebLifecycleState", json!({"state": "active"}));
    tabs[2].answer(&mut dice);
    assert!(comes(30, is_few), "{} streams", service.metric("assam_streams"));
    for tab in &tabs[2..] {
        assert_eq!(tab.page().evaluate("document.querySelector('#lost').hidden"), true);
    }
}

#[test]
fn a_tab_that_is_hidden_for_a_minute_lets_go_and_catches_up_when_it_is_shown() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start_with(backend, &METRICS);
    let tabs = tabs(&browser, &service, 1);
    let [tab] = &tabs[..] else { unreachable!() };
    let show = |is_hidden: bool| {
        tab.page().evaluate(&format!(
            "Object.defineProperty(document, 'hidden', {{ value: {is_hidden}, configurable: true }});
            document.dispatchEvent(new Event('visibilitychange'))"
        ))
    };
    // A minute passes at once.
    tab.page().evaluate(
        "(() => {
            const wait = setTimeout;
            window.minutes = 0;
            window.setTimeout = (act, time) => (time === 60_000 ? ((minutes += 1), wait(act, 0)) : wait(act, time));
        })()",
    );
    show(true);
    assert!(comes(30, || service.metric("assam_streams") == 0.0));
    assert_eq!(tab.page().evaluate("minutes"), 1);
    let mut dice = Dice::new(3);
    let ply = (0..4).filter_map(|_| play_on(&tab.players, &tab.game, &mut dice)).last().unwrap().1;
    show(false);
    tab.page().until(&format!("document.querySelector('#board svg').dataset.ply === '{ply}'"));
    assert_eq!(service.metric("assam_streams"), 1.0);
    assert_eq!(tab.page().troubles(), Vec::<String>::new());
}

#[test]
fn without_a_worker_for_all_tabs_only_the_tab_that_is_shown_follows() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start_with(backend, &METRICS);
    let (game, players) = service.game(2, json!({}));
    let page = browser.open(&format!("{}/rules", service.base()));
    page.prepare("delete window.SharedWorker");
    page.go(&format!("{}/games/{game}", service.base()));
    page.until("document.querySelector('#board svg')?.dataset.ply === '0'");
    assert!(comes(30, || service.metric("assam_streams") == 1.0));
    let show = |is_hidden: bool| {
        page.evaluate(&format!(
            "Object.defineProperty(document, 'hidden', {{ value: {is_hidden}, configurable: true }});
            document.dispatchEvent(new Event('visibilitychange'))"
        ))
    };
    show(true);
    assert!(comes(30, || service.metric("assam_streams") == 0.0));
    let mut dice = Dice::new(4);
    let ply = play_on(&players, &game, &mut dice).unwrap().1;
    show(false);
    page.until(&format!("document.querySelector('#board svg').dataset.ply === '{ply}'"));
    assert_eq!(page.evaluate("typeof SharedWorker"), Value::from("undefined"));
}
