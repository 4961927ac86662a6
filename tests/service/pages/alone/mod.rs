//! The page that checks a proof by itself, from a file without a network and from the service.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::harness::{Browser, Page, Service, sqlite, with_entropy};

mod board;
mod refused;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// Returns a proof, a receipt, or other evidence of one of two games.
fn kept(name: &str) -> String {
    fs::read_to_string(root().join("tests/service/proofs/earlier").join(name)).unwrap()
}

fn read(name: &str) -> Value {
    serde_json::from_str(&kept(name)).unwrap()
}

/// Opens the page as a file.
fn from_file(browser: &Browser) -> Page<'_> {
    let page =
        browser.open_apart(&format!("file://{}", root().join("pages/verify.html").display()), (800, 900));
    page.until("document.querySelector('#language option')");
    page
}

/// Gives the page files in place of earlier ones, and returns its next verdict.
fn give(page: &Page<'_>, files: &[(&str, String)]) -> String {
    let files = serde_json::to_string(files).unwrap();
    page.evaluate(&format!(
        "(() => {{
            for (let button; (button = document.querySelector('#pieces button')); ) button.click();
            document.querySelector('#verdict').replaceChildren();
            const list = new DataTransfer();
            for (const [name, text] of {files}) list.items.add(new File([text], name));
            document.querySelector('#file').files = list.files;
            document.querySelector('#file').dispatchEvent(new Event('change'));
        }})()"
    ));
    page.until("document.querySelector('#verdict h2')");
    shown(page, "#verdict")
}

fn shown(page: &Page<'_>, selector: &str) -> String {
    let text = page.evaluate(&format!("document.querySelector('{selector}').innerText"));
    text.as_str().unwrap().to_owned()
}

fn speak(page: &Page<'_>, language: &str) {
    page.evaluate(&format!(
        "(() => {{
            const select = document.querySelector('#language');
            select.value = '{language}';
            select.dispatchEvent(new Event('change'));
        }})()"
    ));
    page.until(&format!("document.documentElement.lang === '{language}'"));
}

#[test]
fn the_file_is_small_names_nothing_outside_and_is_made_of_what_is_committed() {
    let page = fs::read_to_string(root().join("pages/verify.html")).unwrap();
    assert!(page.len() <= 62_000, "{} bytes", page.len());
    for outside in ["http://", "https://", "import(", " src=", "innerHTML", "style=", "eval("] {
        let found = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!found.contains(outside), "{outside}");
    }
    let folder = root().join("pages/verify");
    let mut own: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    own.sort();
    own.extend(["pages/style.css", "clients/javascript/verify.js"].map(|path| root().join(path)));
    let sources: Vec<u8> = own.iter().flat_map(|path| fs::read(path).unwrap()).collect();
    let made_of = hex::encode(Sha256::digest(sources));
    assert!(page.contains(&format!("is {made_of} -->")), "run scripts/verify-page");
    for language in ["en", "de"] {
        let text =
            |path: &str| -> Value { serde_json::from_slice(&fs::read(root().join(path)).unwrap()).unwrap() };
        let (own, others) =
            (text(&format!("pages/verify/{language}.json")), text(&format!("pages/text/{language}.json")));
        for named in ["insight.dice", "insight.save-proof"] {
            assert!(
                own["get"].as_str().unwrap().contains(others[named].as_str().unwrap()),
                "{language}: {named}"
            );
        }
    }
}

#[test]
fn a_proof_is_checked_from_a_file_in_plain_words_of_two_languages_and_promises_no_more_than_was_checked() {
    let Some(browser) = Browser::start() else { return };
    let page = from_file(&browser);
    for game in ["marrakech", "marrakesh"] {
        let [proof, first, last, log] = [".json", "-seat1.json", "-seat2.json", "-inclusion.json"]
            .map(|end| kept(&format!("{game}{end}")));
        let given = |files: &[&String]| -> Vec<(&str, String)> {
            files.iter().map(|text| ("a.json", (*text).clone())).collect()
        };
        for (language, verdicts, when, chose, signature, moves) in [
            (
                "en",
                ["but not enough", "fit the lock that you kept"],
                "When the box was locked",
                "That no one chose",
                "signed with the key assam-f72742e46527",
                "The moves:",
            ),
            (
                "de",
                ["aber nicht genug", "passen zu deinem Schloss"],
                "Wann die Kiste",
                "Dass niemand die",
                "mit dem Schl\u{fc}ssel assam-f72742e46527",
                "Die Z\u{fc}ge:",
            ),
        ] {
            speak(&page, language);
            let told = give(&page, &given(&[&proof]));
            assert!(told.starts_with('\u{2713}') && told.contains(verdicts[0]), "{told}");
            let open = shown(&page, "#open");
            for sentence in [when, chose, moves] {
                assert!(open.contains(sentence), "{sentence}: {open}");
            }
            assert!(!shown(&page, "#shown").contains(signature));
            let told = give(&page, &given(&[&proof, &last]));
            assert!(told.contains(verdicts[1]) && !shown(&page, "#open").contains(when), "{told}");
            // A receipt that pins nothing does not prove that the seats were not chosen.
            assert!(shown(&page, "#open").contains(chose));
            assert!(!shown(&page, "#shown").contains(signature));
            give(&page, &given(&[&first, &last, &kept("keys.json"), &log, &proof]));
            let (proved, open) = (shown(&page, "#shown"), shown(&page, "#open"));
            assert_eq!(proved.matches(signature).count(), 2, "{proved}");
            assert!(open.contains(moves) && !open.contains(when), "{open}");
        }
    }
    speak(&page, "en");
    give(&page, &[("running.json", kept("marrakesh-running.json"))]);
    assert!(shown(&page, "#open").contains("Cards that are face down"));
    assert_eq!(page.evaluate("document.querySelectorAll('#rolls li').length"), 1, "dice alone");
    assert_eq!(page.evaluate("performance.getEntriesByType('resource').length"), 0, "nothing was asked for");
    assert_eq!(page.troubles(), [""; 0]);
}

#[test]
fn each_roll_is_shown_with_its_board_by_buttons_and_keys() {
    let Some(browser) = Browser::start() else { return };
    let page = from_file(&browser);
    speak(&page, "en");
    give(&page, &[("", kept("marrakech.json"))]);
    assert_eq!(
        shown(&page, "#roll"),
        "Roll 1 of 9\n\u{2713} Before the first move: the next rug is yellow. The box has the same."
    );
    page.evaluate("document.querySelector('#rolls [aria-label=\"Next roll\"]').click()");
    assert_eq!(shown(&page, "#roll"), "Roll 2 of 9\n\u{2713} Step 1: the die shows 4. The box has the same.");
    // From d4 four squares to the east, following the turn-around.
    let points = page.evaluate("document.querySelector('.trail').getAttribute('points')");
    assert_eq!(points, "3.5,3.5 4.5,3.5 5.5,3.5 6.5,3.5 6.5,4.5");
    page.evaluate("document.querySelector('#rolls input').focus()");
    page.press("End");
    page.until("document.querySelector('#roll').innerText.startsWith('Roll 9 of 9')");
    page.press("ArrowLeft");
    page.until("document.querySelector('#roll').innerText.startsWith('Roll 8 of 9')");
    assert!(page.evaluate("document.querySelectorAll('.half:not(.bare)').length").as_u64() > Some(3));
    give(&page, &[("", kept("marrakesh.json"))]);
    let all = shown(&page, "#rolls ol");
    for told in [
        "Blue throws 1 4 5 5 5 6, Red throws 1 2 5 5 5 6",
        "Blue is dealt 5\u{2660} 2\u{2660} 6\u{2665}",
        "Red is dealt 4\u{2660}",
    ] {
        let text = page.evaluate("document.querySelector('#rolls ol').textContent");
        assert!(text.as_str().unwrap().contains(told), "{told}: {text} {all}");
    }
}

#[test]
fn pasted_texts_dropped_files_and_digits_that_were_written_down_count_like_files() {
    let Some(browser) = Browser::start() else { return };
    let page = from_file(&browser);
    speak(&page, "en");
    let proof = read("marrakech.json");
    let paste = |text: &str| {
        let text = serde_json::to_string(text).unwrap();
        page.evaluate(&format!(
            "document.querySelector('#pasted').value = {text}; document.querySelector('#paste').click()"
        ));
    };
    let enter = |id: &str, digits: &str| {
        page.evaluate(&format!(
            "document.querySelector('#{id}').value = '{digits}'; document.querySelector('#{id}').dispatchEvent(new Event('change'))"
        ));
    };
    paste(&format!("\u{feff}{}\r\n", proof));
    page.until("document.querySelector('#verdict').innerText.includes('but not enough')");
    paste(&format!("  {}\n", kept("marrakech-ply4.note").replace('\n', "\r\n")));
    page.until(
        "document.querySelector('#shown').innerText.includes('up to step 4 is the one in your receipt')",
    );
    assert!(
        shown(&page, "#verdict").contains("but not enough"),
        "a step does not tell when the box was locked"
    );
    let [commitment, entropy] =
        [&proof["commitment"], &proof["seats"][0]["entropy"]].map(|digits| digits.as_str().unwrap());
    paste(commitment);
    page.until(
        "document.querySelector('#shown').innerText.includes('The lock is the one that you wrote down')",
    );
    enter("entropy", entropy);
    page.until("document.querySelector('#shown').innerText.includes('The random number that you sent')");
    enter("entropy", &"1".repeat(64));
    page.until("document.querySelector('#verdict').innerText.includes('No seat has the random number')");
    enter("entropy", "12");
    page.until("document.querySelector('#verdict').innerText.includes('is 64 digits')");
    enter("entropy", "");
    enter("commitment", &"1".repeat(64));
    page.until("document.querySelector('#verdict').innerText.includes('not the one that you wrote down')");
    enter("commitment", "");
    paste(&"1".repeat(64));
    page.until(
        "document.querySelector('#verdict').innerText.includes('Those 64 digits are not in the proof')",
    );
    let dropped = serde_json::to_string(&kept("marrakesh.json")).unwrap();
    page.evaluate("for (let button; (button = document.querySelector('#pieces button')); ) button.click()");
    page.evaluate(&format!(
        "(() => {{
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([{dropped}], 'dropped.json'));
            document.body.dispatchEvent(new DragEvent('drop', {{ dataTransfer, bubbles: true, cancelable: true }}));
        }})()"
    ));
    page.until("document.querySelector('#rolls').innerText.includes('Blue throws')");
}

#[test]
fn a_browser_without_signatures_or_without_hashes_says_what_it_did_not_check() {
    let Some(browser) = Browser::start() else { return };
    let page = from_file(&browser);
    page.prepare(
        "{
            const { subtle } = crypto;
            const importKey = subtle.importKey.bind(subtle);
            subtle.importKey = async (...asked) => {
                if (asked[2] === 'Ed25519') throw new DOMException('', 'NotSupportedError');
                return importKey(...asked);
            };
        }",
    );
    page.command("Page.reload", json!({}));
    page.until("document.querySelector('#language option')");
    speak(&page, "en");
    give(
        &page,
        &[("a", kept("marrakech.json")), ("b", kept("marrakech-seat2.json")), ("c", kept("keys.json"))],
    );
    assert!(shown(&page, "#open").contains("Not checked: signature."));
    assert!(!shown(&page, "#shown").contains("signed"));
    let page = from_file(&browser);
    page.evaluate("Object.defineProperty(crypto, 'subtle', { value: undefined })");
    speak(&page, "en");
    let told = give(&page, &[("a", kept("marrakech.json"))]);
    assert!(
        told.starts_with("? Cannot tell") && told.contains("new browser, from a file or over https"),
        "{told}"
    );
}

#[test]
fn the_page_of_a_finished_game_leads_there_with_its_proof_and_the_receipt_of_this_browser() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let sent = service.stranger().get("/verify.html");
    assert_eq!(sent.text, fs::read_to_string(root().join("pages/verify.html")).unwrap());
    let policy = sent.header("content-security-policy").unwrap();
    assert!(
        policy.starts_with("default-src 'none'; script-src 'sha256-")
            && policy.ends_with("frame-ancestors 'none'"),
        "{policy}"
    );
    assert!(
        !policy.contains("unsafe") && !policy.contains("connect-src") && !policy.contains("'self'"),
        "{policy}"
    );
    let player = service.player();
    let game =
        player.post("/v1/games", json!({"ruleset": "marrakech/1", "seats": ["open", "random"]})).json();
    let id = game["id"].as_str().unwrap();
    let entropy = "5e".repeat(32);
    let body = with_entropy(&player, &format!("/v1/games/{id}"), &entropy);
    let stated = player.get(&format!("/v1/games/{id}/receipt")).text;
    let mut receipt = player.put(&format!("/v1/games/{id}/seats/1?include=receipt"), body).json();
    receipt["seats_receipt"] = json!(stated);
    assert_eq!(player.play(id, 1, "N").status, 201);
    assert_eq!(player.play(id, 2, "!resign").status, 201);
    let page = browser.open_apart(&format!("{}/rules", service.base()), (900, 900));
    let secret = player.secret.clone().unwrap();
    let kept = json!({"receipt": receipt, "entropy": entropy, "by": secret[..16]}).to_string();
    page.evaluate(&format!(
        "localStorage['assam.secret'] = '{secret}'; localStorage['assam.receipt.{id}'] = {};",
        serde_json::to_string(&kept).unwrap()
    ));
    page.go(&format!("{}/games/{id}", service.base()));
    page.until("document.querySelector('#proof a') && !document.querySelector('#fair').hidden");
    page.evaluate("document.querySelector('#proof').parentElement.open = true; document.querySelector('#fair a').click()");
    page.until("location.pathname === '/verify.html' && document.querySelector('#verdict h2')");
    assert!(shown(&page, "#verdict").contains("the rolls fit the lock that you kept"));
    let proved = shown(&page, "#shown");
    for sentence in
        ["on your receipt for seat 1", "The random number that you sent", "no one could choose the rolls"]
    {
        assert!(proved.contains(sentence), "{sentence}: {proved}");
    }
    assert!(!shown(&page, "#open").contains("no one chose"));
    // It is handed over once, and the page cannot request anything.
    page.command("Page.reload", json!({}));
    page.until("document.querySelector('#language option') && !document.querySelector('#verdict h2')");
    let live = page.evaluate(
        "document.querySelector('#verdict').ariaLive + document.querySelector('#verdict').checkVisibility()",
    );
    assert_eq!(live, "politetrue", "it is there before its verdict is");
    assert_eq!(page.troubles(), [""; 0]);
    assert_eq!(page.evaluate("fetch('/v1/keys').then(() => 'sent', () => 'refused')"), "refused");
}
