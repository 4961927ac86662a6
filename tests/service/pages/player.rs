//! A player on a page, acting only on what it shows.

use std::cell::Cell;

use serde_json::Value;

use crate::dice::Dice;
use crate::harness::{Browser, Client, Page, Service};

/// The input method of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hand {
    Mouse,
    Finger,
    Keyboard,
}

/// A player at the page of a game.
pub(super) struct Player<'a> {
    pub(super) page: Page<'a>,
    hand: Hand,
    /// The number of choices so far.
    chosen: Cell<usize>,
}

/// The current offer: the middles of the selectable cells, the focus, and what distinguishes this offer from
/// others.
const OFFERED: &str = "(() => {
    const middle = (element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    };
    const svg = document.querySelector('#board > svg');
    const cells = [...document.querySelectorAll('#board .choice')];
    const focus = document.activeElement?.closest('#board [role=gridcell]');
    const picked = cells.find((cell) => cell.ariaSelected === 'true');
    const fresh = cells.filter((cell) => cell !== picked);
    return {
        mark: `${svg?.dataset.ply} ${picked?.dataset.square ?? ''}`,
        cells: fresh.map(middle),
        focus: focus ? middle(focus) : null,
        place: focus ? fresh.indexOf(focus) : -1,
    };
})()";

impl<'a> Player<'a> {
    /// Sits down at a page.
    pub(super) fn at(page: Page<'a>, hand: Hand) -> Self {
        Self { page, hand, chosen: Cell::new(0) }
    }

    /// Chooses the fastest pace once the page of a game is loaded.
    pub(super) fn hurry(&self) {
        self.page.until("document.querySelector('#pace option')");
        let choose = "pace.value = '20'; pace.dispatchEvent(new Event('change')); true";
        self.page
            .evaluate(&format!("(() => {{ const pace = document.querySelector('#pace'); {choose} }})()"));
    }

    /// Returns the number of choices so far.
    pub(super) fn chosen(&self) -> usize {
        self.chosen.get()
    }

    /// Returns whether something is offered.
    pub(super) fn is_on_turn(&self) -> bool {
        self.page.evaluate("document.querySelector('#board .choice') !== null") == true
    }

    /// Makes a choice, and waits until the page changes. If the page moved during the choice, it chooses
    /// again.
    pub(super) fn choose(&self, dice: &mut Dice) {
        loop {
            if self.hand != Hand::Keyboard {
                self.page.evaluate(
                    "document.querySelector('#board .choice')?.scrollIntoView({ block: 'center' })",
                );
            }
            let offered = self.page.evaluate(OFFERED);
            let (mark, cells) = (&offered["mark"], offered["cells"].as_array().unwrap());
            if cells.is_empty() {
                return;
            }
            let wanted = dice.below(cells.len() as u64) as usize;
            match self.hand {
                Hand::Mouse => self.page.click(place(&cells[wanted])),
                Hand::Finger => self.page.tap(place(&cells[wanted])),
                Hand::Keyboard => {
                    self.walk_to(wanted);
                    self.page.press("Enter");
                }
            }
            let is_elsewhere = match self.hand {
                // The keys scroll.
                Hand::Keyboard => "false".to_owned(),
                Hand::Mouse | Hand::Finger => {
                    let before = &offered["cells"];
                    format!("now.cells.length > 0 && JSON.stringify(now.cells) !== JSON.stringify({before})")
                }
            };
            self.page.until(&format!(
                "(() => {{ const now = {OFFERED}; return now.mark !== {mark} || {is_elsewhere}; }})()"
            ));
            if self.page.evaluate(&format!("{OFFERED}.mark !== {mark}")) == true {
                self.chosen.set(self.chosen.get() + 1);
                return;
            }
        }
    }

    /// Uses a button, a field or a link with the player's input method.
    pub(super) fn use_element(&self, selector: &str) {
        // Before its texts are loaded, a page does nothing.
        let is_there = format!(
            "document.querySelector({selector:?})?.getClientRects().length > 0 && !document.querySelector({selector:?}).disabled"
        );
        self.page.until(&format!("document.querySelector('#language option') && {is_there}"));
        let element = format!("document.querySelector({selector:?})");
        match self.hand {
            Hand::Keyboard => {
                let is_option = self.page.evaluate(&format!("{element}.focus(), {element}.type === 'radio'"));
                self.page.press(if is_option == true { " " } else { "Enter" });
            }
            Hand::Mouse | Hand::Finger => {
                let middle = format!(
                    "(() => {{ const found = {element}; found.scrollIntoView({{ block: 'center' }});
                        const {{ x, y, width, height }} = found.getBoundingClientRect();
                        return [x + width / 2, y + height / 2]; }})()"
                );
                let middle = place(&self.page.evaluate(&middle));
                if self.hand == Hand::Mouse { self.page.click(middle) } else { self.page.tap(middle) }
            }
        }
    }

    /// Moves the focus to an offered cell by keyboard alone.
    fn walk_to(&self, wanted: usize) {
        let mut last = None;
        for _ in 0..200 {
            let offered = self.page.evaluate(OFFERED);
            let Some(focus) = offered["focus"].as_array() else {
                self.page.press("Tab");
                continue;
            };
            if offered["place"] == wanted {
                return;
            }
            let here = place(&Value::from(focus.clone()));
            let there = place(&offered["cells"][wanted]);
            let (right, down) = (there.0 - here.0, there.1 - here.1);
            // Where a key leads nowhere, there is a way around.
            let is_stuck = last.replace(here) == Some(here);
            let key = match ((right.abs() > down.abs()) != is_stuck, right > 0.0, down > 0.0) {
                (true, true, _) => "ArrowRight",
                (true, false, _) => "ArrowLeft",
                (false, _, true) => "ArrowDown",
                (false, _, false) => "ArrowUp",
            };
            self.page.press(key);
        }
        panic!("the keys do not lead to what is offered: {}", self.page.evaluate(OFFERED));
    }
}

/// Opens a page of the service as a client, with their secret and other browser storage.
pub(super) fn open_as<'a>(
    browser: &'a Browser,
    service: &Service,
    client: &Client<'_>,
    path: &str,
    kept: &[(&str, &str)],
) -> Page<'a> {
    // Storage belongs to an origin, so another page of it is opened first.
    let page = browser.open_apart(&format!("{}/rules", service.base()), (1000, 800));
    let secret = client.secret.as_ref().map(|secret| ("assam.secret", secret.as_str()));
    for (name, value) in secret.iter().chain(kept) {
        page.evaluate(&format!("localStorage['{name}'] = '{value}'"));
    }
    page.go(&format!("{}{path}", service.base()));
    page
}

fn place(point: &Value) -> (f64, f64) {
    (point[0].as_f64().unwrap(), point[1].as_f64().unwrap())
}
