//! The page that checks records.

use crate::harness::{Browser, Page, Service, backends};

const GOOD: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6\n*\n";
const BAD: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6\nE+1 d6e6\n*\n";

/// Puts a text into the field and has it checked, until the page shows what is expected.
fn check(page: &Page<'_>, record: &str, shows: &str) {
    let record = serde_json::to_string(record).unwrap();
    page.evaluate(&format!(
        "document.getElementById('record').value = {record}; document.getElementById('form').requestSubmit()"
    ));
    page.until(&format!("document.getElementById('main').innerText.includes({shows:?})"));
}

/// What an element shows.
fn text_of(page: &Page<'_>, selector: &str) -> String {
    let shown = page.evaluate(&format!("document.querySelector({selector:?}).textContent"));
    shown.as_str().unwrap().to_owned()
}

#[test]
fn a_record_with_a_fault_is_shown_with_a_caret_the_reason_and_the_board_before_it() {
    let Some(browser) = Browser::start() else { return };
    let backend = &backends()[0];
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
    page.until("document.querySelector('.boards output').textContent === 'After ply 2: d6e6'");
    assert_eq!(page.evaluate("document.querySelectorAll('[style], svg style').length"), 0);
}

#[test]
fn a_file_of_many_records_is_listed_with_its_faults_first_and_each_can_be_opened() {
    let Some(browser) = Browser::start() else { return };
    let backend = &backends()[0];
    let service = Service::start(backend);
    let page = browser.open(&format!("{}/check", service.base()));
    page.until("document.getElementById('example').textContent !== ''");
    check(&page, &format!("{GOOD}\n{BAD}\n{GOOD}"), "3 records, 1 of them with a fault");
    let rows =
        page.evaluate("Array.from(document.querySelectorAll('.records li'), (row) => row.textContent)");
    assert_eq!(
        rows,
        serde_json::json!([
            "Record 2: a fault on line 9",
            "Record 1, line 1: valid, 2 plies",
            "Record 3, line 12: valid, 2 plies",
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
    let backend = &backends()[0];
    let service = Service::start(backend);
    let page = browser.open(&format!("{}/check", service.base()));
    page.until("document.getElementById('example').textContent !== ''");
    check(&page, "nonsense", "The first line cannot be read");
    assert_eq!(page.evaluate("document.querySelector('.drawn')"), serde_json::Value::Null);
    let line = "marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-";
    check(&page, line, "The record is valid");
    page.until("document.querySelector('.drawn svg') !== null");
    let markup = "MKN/1 marrakech/1 seats=3\nname: <img src=x onerror=alert(1)>\n\nN+3 <b>\n";
    check(&page, markup, "The record has a fault");
    assert_eq!(page.evaluate("document.querySelectorAll('#verdict img').length"), 0);
}
