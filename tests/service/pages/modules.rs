//! The modules that draw codes and charts, and that verify proofs.

use serde_json::{Value, json};

use crate::harness::{Browser, Page, Service, sqlite, with_entropy};

/// Imports a module of the pages as `it`, and returns the value of an expression about it.
fn with_module(page: &Page<'_>, module: &str, expression: &str) -> Value {
    page.evaluate(&format!("import('/pages/{module}').then(async (it) => {expression})"))
}

#[test]
fn qr_codes_are_those_that_another_program_draws_in_every_version() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let page = browser.open(&format!("{}/rules", service.base()));
    let codes: Value = serde_json::from_str(include_str!("codes.json")).unwrap();
    let mut sizes = Vec::new();
    for code in codes.as_array().unwrap() {
        let rows = with_module(&page, "qr.js", &format!("it.qr({})", code["text"]));
        let rows: Vec<Vec<bool>> = serde_json::from_value(rows).unwrap();
        let hex = |row: &Vec<bool>| {
            let number = row.iter().fold(0_u64, |bits, dark| bits * 2 + u64::from(*dark));
            format!("{number:0width$x}", width = row.len().div_ceil(4))
        };
        assert_eq!(json!(rows.iter().map(hex).collect::<Vec<_>>()), code["rows"], "{}", code["text"]);
        sizes.push(rows.len());
    }
    sizes.sort_unstable();
    sizes.dedup();
    assert_eq!(sizes, (21..=57).step_by(4).collect::<Vec<_>>());
    let refused =
        with_module(&page, "qr.js", "{ try { it.qr('x'.repeat(214)) } catch (e) { return e.name } }");
    assert_eq!(refused, "RangeError");
}

#[test]
fn a_picture_that_stands_by_itself_has_its_signs_in_the_language_of_the_page() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let page = browser.open_apart(&format!("{}/rules", service.base()), (1000, 800));
    page.evaluate("localStorage['assam.language'] = 'de'");
    page.go(&format!("{}/rules?de", service.base()));
    let picture = "it.translated(await (await fetch('/pages/rules/marrakesh-trick.svg')).text())";
    let picture = with_module(&page, "picture.js", picture);
    let picture = picture.as_str().unwrap();
    assert!(
        picture.contains("<style>") && picture.contains("Anspiel") && !picture.contains(">lead<"),
        "{picture}"
    );
}

#[test]
fn a_picture_that_comes_late_does_not_replace_the_one_that_is_wanted_since() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let page = browser.open_apart(&format!("{}/rules", service.base()), (1000, 800));
    // The first answer is held until the second one is shown.
    let shown = "{
        const send = fetch;
        let release;
        const held = new Promise((done) => (release = done));
        window.fetch = async (path, asking) => {
            const answer = await send(path, asking);
            if (String(path).includes('trick')) await held;
            return answer;
        };
        const image = new Image();
        const show = (name) => it.showTranslated(image, (image.dataset.source = `/pages/rules/marrakesh-${name}.svg`));
        const late = show('trick');
        await show('deal');
        const wanted = image.src;
        release();
        await late;
        return wanted.startsWith('blob:') && image.src === wanted;
    }";
    assert_eq!(with_module(&page, "picture.js", shown), true);
}

#[test]
fn a_chart_says_in_words_what_it_draws() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let record = include_str!("../../../docs/rules/pictures/marrakech-end.mkn");
    let imported = service.stranger().post_text("/v1/imports", record).json();
    let id = imported["id"].as_str().unwrap();
    let page = browser.open(&format!("{}/rules", service.base()));
    let drawn = format!(
        "{{
            const {{ states }} = await (await fetch('/v1/games/{id}/states')).json();
            const series = it.scoresOf(states, ['Aisha', 'Omar', 'Lea']);
            const chart = it.chart(series, {{ title: 'Scores.', x: 'ply', at: 9 }});
            const all = (name) => Array.from(chart.querySelectorAll(name));
            return {{
                label: chart.getAttribute('aria-label'),
                role: chart.getAttribute('role'),
                names: all('.chart-name').map((name) => name.textContent),
                lines: all('polyline').map((line) => line.getAttribute('points').split(' ').length),
                styles: all('[style]').length,
                dirhams: it.dirhamsOf(states, ['Aisha', 'Omar', 'Lea']).map(({{ points }}) => points.at(-1).y),
            }};
        }}"
    );
    let drawn = with_module(&page, "chart.js", &drawn);
    let label = drawn["label"].as_str().unwrap();
    assert!(label.starts_with("Scores. Aisha: 30 at first, 33 at last"), "{label}");
    assert!(
        label.contains("Omar: 30 at first, 71 at last") && label.contains("Lea: 30 at first, 30 at last")
    );
    assert_eq!((&drawn["role"], &drawn["styles"]), (&json!("img"), &json!(0)));
    assert_eq!(drawn["lines"], json!([91, 91, 91]));
    let names: Vec<&str> = drawn["names"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let ends = ["Aisha: 33", "Omar: 71", "Lea: 30"];
    assert!(names.iter().zip(ends).all(|(name, end)| name.ends_with(end)), "{names:?}");
    let dirhams: Vec<u64> = serde_json::from_value(drawn["dirhams"].clone()).unwrap();
    assert_eq!(dirhams.iter().sum::<u64>(), 90);
}

#[test]
fn a_browser_finds_that_the_dice_follow_from_the_seed_and_that_its_entropy_is_in_them() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let player = service.player();
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "random"]});
    let game = player.post("/v1/games", wanted).json();
    let (id, entropy) = (game["id"].as_str().unwrap(), "5e".repeat(32));
    let seat = with_entropy(&player, &format!("/v1/games/{id}"), &entropy);
    let receipt = player.put(&format!("/v1/games/{id}/seats/1"), seat).json();
    let page = browser.open(&format!("{}/rules", service.base()));
    let check = |entropy: &str, change: &str| {
        let told = format!(
            "{{
                const proof = await (await fetch('/v1/games/{id}/proof')).json();
                {change};
                return it.checkProof(proof, '{entropy}', {receipt});
            }}"
        );
        with_module(&page, "proof.js", &told)
    };
    let names = |verdict: &Value| -> Vec<String> {
        let steps = verdict["steps"].as_array().unwrap();
        steps.iter().map(|step| step["name"].as_str().unwrap().to_owned()).collect()
    };
    let running = check(&entropy, "");
    assert_eq!(running["ok"], true, "{running}");
    assert!(names(&running).contains(&"Every roll and draw so far follows from its key".to_owned()));
    assert_eq!(player.play(id, 1, "!resign").status, 201);
    let over = check(&entropy, "");
    assert_eq!(
        names(&over),
        [
            "The record has no gaps",
            "The dice were fixed before the first move",
            "The seed matches the commitment",
            "Every roll and draw follows from the seed",
            "Your random number is included",
            "The game matches your receipt",
        ]
    );
    assert_eq!(over["ok"], true, "{over}");
    let foreign = check(&"5f".repeat(32), "");
    assert_eq!(
        (&foreign["ok"], names(&foreign)[4].as_str()),
        (&json!(false), "Your random number is missing")
    );
    let forged = check(&entropy, "proof.seed = '0'.repeat(64)");
    assert_eq!((&forged["ok"], names(&forged)[0].as_str()), (&json!(false), "Something does not match"));
    let without = "Object.defineProperty(globalThis.crypto, 'subtle', { value: undefined })";
    let blind = check(&entropy, without);
    assert_eq!(names(&blind), ["This browser cannot check it here"]);
}
