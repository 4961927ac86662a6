//! The page that checks records.

use crate::harness::{Browser, Page, Service, sqlite};

const GOOD: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6\n*\n";
const BAD: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6\nE+1 d6e6\n*\n";

/// Enters a text and checks it until the page shows the expected result.
fn check(page: &Page<'_>, record: &str, shows: &str) {
    let record = serde_json::to_string(record).unwrap();
    page.evaluate(&format!(
        "document.getElementById('record').value = {record}; document.getElementById('form').requestSubmit()"
    ));
    page.until(&format!("document.getElementById('main').innerText.includes({shows:?})"));
}

/// Returns the text of an element.
fn text_of(page: &Page<'_>, selector: &str) -> String {
    let shown = page.evaluate(&format!("document.querySelector({selector:?}).textContent"));
    shown.as_str().unwrap().to_owned()
}

#[test]
fn a_record_with_a_fault_is_shown_with_a_caret_the_reason_and_the_board_before_it() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let page = browser.open(&format!("{}/check", service.base()));
    page.until("document.getElementById('example').textContent !== ''");
    check(&page, BAD, "The record has a fault");
    let excerpt = text_of(&page, ".excerpt");
    assert_eq!(excerpt, "  | \n3 | N+3 d6e6\n4 | E+1 d6e6\n  |     ^^^^\n".replacen("  | ", "2 | ", 1));
    let verdict = text_of(&page, "#verdict");
    for says in ["Line 4, column 5", "would cover both halves", "marrakech.rug.covers-whole-rug", "f7g7"] {
        assert!(verdict.contains(says), "{says}: {verdict}");
    }
    page.until("document.querySelector('.drawn svg')?.dataset.ply === '3'");
    for (key, ply) in [("ArrowLeft", "2"), ("Home", "0"), ("ArrowRight", "1"), ("End", "3")] {
        page.evaluate("document.querySelector('.boards input').focus()");
        page.press(key);
        page.until(&format!("document.querySelector('.drawn svg').dataset.ply === '{ply}'"));
    }
    assert_eq!(text_of(&page, ".words .now"), "E+1");
    page.evaluate("document.querySelector('.boards button').click()");
    page.until("document.querySelector('.boards output').textContent === 'After step 2: d6e6'");
    assert_eq!(page.evaluate("document.querySelectorAll('[style], svg style').length"), 0);
}

#[test]
fn a_file_of_many_records_is_listed_with_its_faults_first_and_each_can_be_opened() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let page = browser.open(&format!("{}/check", service.base()));
    page.until("document.getElementById('example').textContent !== ''");
    check(&page, &format!("{GOOD}\n{BAD}\n{GOOD}"), "3 records, 1 with a fault");
    let rows =
        page.evaluate("Array.from(document.querySelectorAll('.records li'), (row) => row.textContent)");
    assert_eq!(
        rows,
        serde_json::json!([
            "Record 2: fault on line 9",
            "Record 1, line 1: valid, 2 steps",
            "Record 3, line 12: valid, 2 steps",
        ])
    );
    page.evaluate("document.querySelector('.records button').click()");
    page.until("document.getElementById('verdict').textContent.includes('Line 9, column 5')");
    assert!(text_of(&page, ".excerpt").contains("9 | E+1 d6e6\n"));
    page.evaluate("document.querySelectorAll('.records button')[2].click()");
    page.until("document.getElementById('verdict').textContent.includes('The record is valid')");
}

#[test]
fn whatever_is_no_record_is_answered_in_words() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let page = browser.open(&format!("{}/check", service.base()));
    page.until("document.getElementById('example').textContent !== ''");
    check(&page, "nonsense", "The record breaks before its first board.");
    assert_eq!(page.evaluate("document.querySelector('.drawn')"), serde_json::Value::Null);
    let line = "marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-";
    check(&page, line, "The record is valid");
    page.until("document.querySelector('.drawn svg') !== null");
    let markup = "MKN/1 marrakech/1 seats=3\nname: <img src=x onerror=alert(1)>\n\nN+3 <b>\n";
    check(&page, markup, "The record has a fault");
    assert_eq!(page.evaluate("document.querySelectorAll('#verdict img').length"), 0);
}

#[test]
fn only_the_verdict_on_what_was_checked_last_is_shown_and_only_positions_that_are_looked_at_are_drawn() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let page = browser.open(&format!("{}/check", service.base()));
    page.until("!document.getElementById('example').disabled");
    // The first verdict comes after the second one.
    page.evaluate(
        "(() => {
            const send = fetch;
            let isFirst = true;
            window.fetch = async (path, { signal, ...asking }) => {
                const isLate = isFirst;
                isFirst = false;
                const response = await send(path, asking);
                if (isLate) await new Promise((done) => (window.late = done));
                return response;
            };
        })()",
    );
    let bad = serde_json::to_string(BAD).unwrap();
    let first = format!(
        "document.getElementById('record').value = {bad}; document.getElementById('form').requestSubmit()"
    );
    page.evaluate(&first);
    page.until("window.late");
    check(&page, GOOD, "The record is valid");
    page.evaluate("late()");
    page.until("document.querySelector('.drawn svg')");
    assert!(text_of(&page, "#verdict").contains("The record is valid"));
    assert_eq!(page.evaluate("document.querySelector('#main').ariaBusy"), serde_json::Value::Null);

    let record = include_str!("../../../docs/rules/pictures/marrakech-end.mkn");
    check(&page, record, "The board shows the position after step 90.");
    page.until("document.querySelector('.drawn svg')?.dataset.ply === '90'");
    let drawn =
        "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/picture')).length";
    let before = page.evaluate(drawn).as_u64().unwrap();
    page.evaluate(
        "(() => {
            const slider = document.querySelector('.boards input');
            for (let ply = 89; ply >= 20; ply -= 1) {
                slider.value = `${ply}`;
                slider.dispatchEvent(new Event('input'));
            }
        })()",
    );
    page.until("document.querySelector('.drawn svg').dataset.ply === '20'");
    let more = page.evaluate(drawn).as_u64().unwrap() - before;
    assert!(more <= 3, "{more} positions were drawn on the way to one");
}

#[test]
fn a_list_that_breaks_off_is_shown_as_far_as_it_came_and_faults_have_titles_in_the_language_of_the_reader() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let page = browser.open_apart(&format!("{}/check", service.base()), (1000, 800));
    page.until("!document.getElementById('example').disabled");
    page.evaluate("localStorage['assam.language'] = 'de'");
    page.go(&format!("{}/check", service.base()));
    page.until("!document.getElementById('example').disabled");
    check(&page, BAD, "Das verstößt gegen die Regeln.");
    // Input stays when the language changes.
    let choose = |language: &str| {
        let change = "select.dispatchEvent(new Event('change')); true";
        page.evaluate(&format!(
            "(() => {{ const select = document.querySelector('#language'); select.value = '{language}'; {change} }})()"
        ));
    };
    choose("en");
    page.until("document.querySelector('#verdict')?.textContent.includes('This is against the rules.')");
    choose("de");
    page.until("document.querySelector('#verdict')?.textContent.includes('Das verstößt gegen die Regeln.')");
    let reason = "document.querySelector('#verdict pre.excerpt + p').textContent";
    assert_eq!(
        page.evaluate(reason),
        "Ein Teppich bedeckt nicht beide Hälften eines geschützten Teppichs auf einmal (siehe die Option cover)."
    );
    page.evaluate(
        "(() => {
            const send = fetch;
            window.fetch = async (path, asking) => {
                const text = await (await send(path, asking)).text();
                return new Response(text.slice(0, text.indexOf('\\n') + 9));
            };
        })()",
    );
    check(&page, &format!("{GOOD}\n{BAD}\n{GOOD}"), "Die Datei ließ sich nicht bis zum Ende lesen.");
    assert_eq!(page.evaluate("document.querySelectorAll('.records li').length"), 1);
}

#[test]
fn what_was_found_valid_is_published_by_a_button_and_its_tags_lead_to_all_games_that_have_them() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let page = browser.open(&format!("{}/check", service.base()));
    page.until("document.getElementById('example').textContent !== ''");
    check(&page, GOOD, "The record is valid");
    assert_eq!(page.evaluate("document.querySelectorAll('.publish').length"), 0, "its game is not over");
    let over = "MKN/1 marrakech/1 seats=3\nevent: F\u{e8}s Open\nround: 3\nseat1: Lea\n\n!resign1 !resign2\n= 0 0 30\n";
    check(&page, over, "Publish");
    page.evaluate("document.querySelector('.publish button').click()");
    page.until("document.querySelector('.publish a') !== null");
    let link = page.evaluate("document.querySelector('.publish a').href");
    let link = link.as_str().unwrap().to_owned();
    let id = link.rsplit('/').next().unwrap();
    let secret = page.evaluate("localStorage.getItem('assam.secret')");
    let importer = service.with_secret(secret.as_str().unwrap());
    let renamed = importer.patch(&format!("/v1/games/{id}/seats/1"), serde_json::json!({"name": null}));
    assert_eq!(renamed.status, 200, "it was imported with the secret of the browser");
    check(&page, &format!("{over}\n{BAD}\n{GOOD}"), "3 records, 1 with a fault");
    page.evaluate("document.querySelector('#list .publish button').click()");
    page.until("document.querySelectorAll('#list .publish a').length === 1");
    page.go(&link);
    page.until("document.querySelectorAll('#tags dd').length === 2");
    let tags = page.evaluate("document.getElementById('tags').innerText");
    for told in ["Event", "F\u{e8}s Open", "Round", "3"] {
        assert!(tags.as_str().unwrap().contains(told), "{tags}");
    }
    let other = over.replace("round: 3", "round: 4").replace("!resign2", "!abort").replace("0 0 30", "-");
    assert_eq!(importer.post_text("/v1/imports", &other).status, 201);
    for (tag, games) in [("Event", 2), ("Round", 1)] {
        page.go(&link);
        page.until("document.querySelectorAll('#tags a').length === 2");
        page.evaluate(&format!("[...document.querySelectorAll('#tags div')].find((tag) => tag.innerText.includes('{tag}')).querySelector('a').click()"));
        page.until(&format!("document.querySelectorAll('#found li').length === {games}"));
        page.until("document.getElementById('tags').innerText.includes('F\u{e8}s Open')");
    }
    page.go(&format!("{}/?date=2026&fbclid=1", service.base()));
    page.until("document.getElementById('no-found').offsetHeight > 0");
    assert_eq!(page.troubles(), [""; 0]);
}
