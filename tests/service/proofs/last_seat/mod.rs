//! An operator who holds back the request for the last seat, reads its entropy, and changes the entropy of
//! another seat until the dice suit an accomplice.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use crate::clients::python_client;
use crate::harness::{
    self, Backend, Browser, Client, Service, err, installed, out, secret, sqlite, typescript,
    verified_by_javascript, with_entropy,
};
use crate::proofs::text;
use crate::proofs::tools::verifiers::verify;

mod chooser;

use chooser::Chooser;

/// A game whose seats are taken with entropy, except one.
struct Table<'a> {
    path: String,
    others: Vec<Client<'a>>,
    left: usize,
}

impl<'a> Table<'a> {
    fn new(service: &'a Service, ruleset: &str, seats: usize, left: usize) -> Self {
        let others: Vec<Client<'_>> = (1..seats).map(|_| service.player()).collect();
        let wanted = json!({"ruleset": ruleset, "seats": vec!["open"; seats]});
        let path = format!("/v1/games/{}", text(&others[0].post("/v1/games", wanted).json()["id"]));
        for (seat, player) in (1..=seats).filter(|seat| *seat != left).zip(&others) {
            take(player, &path, seat, with_entropy(player, &path, &secret()));
        }
        Self { path, others, left }
    }
}

fn take(player: &Client<'_>, path: &str, seat: usize, body: Value) -> Value {
    let taken = player.put(&format!("{path}/seats/{seat}?include=receipt"), body);
    assert_eq!(taken.status, 201, "{}", taken.text);
    taken.json()
}

/// Changes the entropy of a seat with a single UPDATE, behind the back of the service.
fn swap(backend: &Backend, path: &str, seat: usize) {
    let id = path.rsplit('/').next().unwrap();
    let stored = backend.cell(id, "seats");
    let mut seats: Value = serde_json::from_str(&stored).unwrap();
    seats[seat - 1]["entropy"] = json!(secret());
    backend.script(&format!("UPDATE games SET seats = '{seats}' WHERE id = {}", backend.id(id)));
}

/// Plays a game to its end and returns its proof.
fn end(path: &str, players: &[&Client<'_>]) -> Value {
    let id = path.rsplit('/').next().unwrap();
    for _ in 1..players.len() {
        let turn = players[0].get(path).json();
        let on_turn = turn["seat_on_turn"].clone();
        let player = players.iter().find(|player| player.get(path).json()["your_seat"] == on_turn).unwrap();
        let ply = turn["head"]["ply"].as_u64().unwrap() + 1;
        assert_eq!(player.play(id, ply, "!resign").status, 201);
    }
    players[0].get(&format!("{path}/proof")).json()
}

/// Runs an attack between a player's read of the receipt of the seats and the request for a seat. Returns
/// whether the request is refused.
fn is_refused(backend: &Backend, table: &Table<'_>, honest: &Client<'_>, how: impl FnOnce()) {
    let Table { path, left, .. } = table;
    let seen = with_entropy(honest, path, &secret());
    how();
    // A process that has not seen the game, as the other one would write back its cached state.
    let other = Service::start(backend);
    let mine = other.with_secret(honest.secret.as_deref().unwrap());
    let refused = mine.put(&format!("{path}/seats/{left}"), seen.clone());
    assert_eq!((refused.problem().as_str(), refused.status), ("seats_changed", 409), "{}", refused.text);
    let game = mine.get(path).json();
    assert_eq!(refused.json()["expected"], game["seats_digest"]);
    assert_eq!(text(&refused.json()["receipt"]), mine.get(&format!("{path}/receipt")).text);
    assert_eq!((&game["status"], &game["seats"][left - 1]["kind"]), (&json!("open"), &json!("open")));
}

#[test]
fn seats_that_change_while_a_request_with_entropy_is_held_back_are_refused() {
    let backend = sqlite();
    let service = Service::start(&backend);
    for (ruleset, seats) in [("marrakech/1", 2), ("marrakech/1", 4), ("marrakesh/1", 2)] {
        for left in [1, seats] {
            let table = Table::new(&service, ruleset, seats, left);
            let swapped = if left == 1 { seats } else { 1 };
            is_refused(&backend, &table, &service.player(), || swap(&backend, &table.path, swapped));
        }
    }
    // The accomplice leaves the seat, and takes it again.
    let table = Table::new(&service, "marrakech/1", 2, 2);
    is_refused(&backend, &table, &service.player(), || {
        let accomplice = &table.others[0];
        assert_eq!(accomplice.send("DELETE", &format!("{}/seats/1", table.path), &[], "").status, 204);
        take(accomplice, &table.path, 1, with_entropy(accomplice, &table.path, &secret()));
    });
    // .. or replaces its secret and then leaves.
    let table = Table::new(&service, "marrakech/1", 2, 2);
    is_refused(&backend, &table, &service.player(), || {
        let new = service.player();
        let body = json!({"secret": new.secret.as_deref().unwrap()});
        assert_eq!(table.others[0].put(&format!("{}/seats/1/secret", table.path), body).status, 204);
        assert_eq!(new.send("DELETE", &format!("{}/seats/1", table.path), &[], "").status, 204);
        take(&new, &table.path, 1, with_entropy(&new, &table.path, &secret()));
    });
    // .. or is renamed, so that the next seat has another revision, which affects the chance.
    let table = Table::new(&service, "marrakech/1", 2, 2);
    is_refused(&backend, &table, &service.player(), || {
        let name = json!({"name": "Zoë"}).to_string();
        let headers = [("Content-Type", "application/json")];
        let renamed = table.others[0].send("PATCH", &format!("{}/seats/1", table.path), &headers, name);
        assert_eq!(renamed.status, 200, "{}", renamed.text);
    });
    // A rematch, whose seats are reserved for its players.
    let table = Table::new(&service, "marrakech/1", 2, 2);
    let honest = service.player();
    take(&honest, &table.path, 2, with_entropy(&honest, &table.path, &secret()));
    end(&table.path, &[&table.others[0], &honest]);
    let again = table.others[0].post(&format!("{}/rematch", table.path), json!(null)).json();
    let path = format!("/v1/games/{}", text(&again["id"]));
    let seats = table.others[0].get(&path).json()["seats"].clone();
    let me = honest.get("/v1/me").json()["player"].clone();
    let left = 1 + seats.as_array().unwrap().iter().position(|seat| seat["reserved_for"] == me).unwrap();
    take(&table.others[0], &path, 3 - left, with_entropy(&table.others[0], &path, &secret()));
    let rematch = Table { path, others: Vec::new(), left };
    is_refused(&backend, &rematch, &honest, || swap(&backend, &rematch.path, 3 - left));
}

#[test]
fn an_operator_who_sends_on_another_digest_is_noticed_and_convicted_by_what_was_kept() {
    let backend = sqlite();
    for (ruleset, seats) in [("marrakech/1", 2), ("marrakech/1", 4), ("marrakesh/1", 2)] {
        let service = Service::start(&backend);
        let key = text(&service.stranger().get("/v1/keys").json()["keys"][0]["key"]).to_owned();
        let table = Table::new(&service, ruleset, seats, seats);
        let honest = service.player();
        let (stated, mut body) = (
            honest.get(&format!("{}/receipt", table.path)).text,
            with_entropy(&honest, &table.path, &secret()),
        );
        let sent = body["seats_digest"].clone();
        swap(&backend, &table.path, 1);
        let other = Service::start(&backend);
        let mine = other.with_secret(honest.secret.as_deref().unwrap());
        body["seats_digest"] = mine.get(&table.path).json()["seats_digest"].clone();
        let taken = take(&mine, &table.path, seats, body);
        assert_ne!(taken["pin"]["seats_digest"], sent);
        let players: Vec<Client<'_>> =
            table.others.iter().map(|player| other.with_secret(player.secret.as_deref().unwrap())).collect();
        let everyone: Vec<&Client<'_>> = players.iter().chain([&mine]).collect();
        let proof = end(&table.path, &everyone).to_string();
        // The statements about the seats and about the next player contradict each other.
        let mut kept = taken.clone();
        kept["seats_receipt"] = json!(stated);
        let told = held(&proof, &kept, &["--key", &key]).unwrap_err();
        let both = format!("Both of these are signed by {key}, and they contradict each other: seats.");
        assert!(told.contains(&both), "{told}");
        // A response that claims that the service used what was sent is refused by its receipt, and by the
        // proof.
        kept["pin"]["seats_digest"] = sent.clone();
        kept["seats_receipt"] = Value::Null;
        for without in [false, true] {
            if without {
                kept.as_object_mut().unwrap().remove("receipt");
            }
            let told = held(&proof, &kept, &[]).unwrap_err();
            assert!(told.contains(&format!("seat {seats}: seats_digest: the service stated")), "{told}");
        }
    }
}

/// Checks a proof against a receipt.
fn held(proof: &str, receipt: &Value, arguments: &[&str]) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("receipt.json");
    fs::write(&file, receipt.to_string()).unwrap();
    verify(proof, &[&["--receipt", file.to_str().unwrap()][..], arguments].concat())
}

/// Checks a proof against a response with each verifier, and returns why each refuses.
fn refused_by_each(proof: &str, receipt: &Value) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let save = |name: &str, text: String| {
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let files = [save("receipt.json", receipt.to_string()), save("proof.json", proof.to_owned())];
    let value: Value = serde_json::from_str(proof).unwrap();
    let python = harness::python("examples/python/verify.py", &["--receipt", &files[0], &files[1]]);
    let javascript = verified_by_javascript(&value, &json!({"receipt": receipt}));
    let refusal = |run: Output| {
        assert_eq!(run.status.code(), Some(1), "{}", out(&run));
        err(&run)
    };
    let independent = [python, javascript].into_iter().flatten().map(refusal);
    [held(proof, receipt, &[]).unwrap_err()].into_iter().chain(independent).collect()
}

/// An attack on a request for the last seat that is held back.
#[derive(Clone, Copy, PartialEq)]
enum Attack {
    /// Changes the entropy of seat 1, and sends on the digest that the service then expects.
    Swap,
    /// The same, with a response claiming that the service had the digest that was sent.
    SwapAndLie,
    /// The same, claiming that seat 1 is unchanged.
    LieAboutSeats,
    /// The same, without the start.
    LieAboutStart,
    /// The same, for another game without kept evidence.
    LieAboutGame,
    /// Sends it on with another secret, so that another player has the seat.
    OtherPlayer,
}

const ATTACKS: [(Attack, &str, &str); 6] = [
    (Attack::Swap, "as the seat is taken: ", "seats_digest: expected "),
    (Attack::SwapAndLie, "as the seat is taken: ", "seats_digest: expected "),
    (Attack::LieAboutSeats, "as the game is verified: ", "receipt: "),
    (Attack::LieAboutStart, "as the seat is taken: ", "head: expected "),
    (Attack::LieAboutGame, "as the seat is taken: ", "game: expected "),
    (Attack::OtherPlayer, "as the seat is taken: ", "player: expected "),
];

/// Lets a client take the last seat.
fn attacked<T>(backend: &Backend, attack: Attack, act: impl FnOnce(&str, &str) -> T) -> T {
    let (looked_at, sat_down_at) = (Service::start(backend), Service::start(backend));
    let table = Table::new(&looked_at, "marrakech/1", 2, 2);
    let change = |path: &str, sent: &Value| {
        let mut body = sent.clone();
        if attack == Attack::OtherPlayer {
            return body;
        }
        swap(backend, path, 1);
        body["seats_digest"] = sat_down_at.stranger().get(path).json()["seats_digest"].clone();
        body
    };
    let shown = looked_at.stranger().get(&table.path).json()["seats"][0].clone();
    let tell = |sent: &Value, told: &mut Value| {
        told["pin"]["seats_digest"] = sent["seats_digest"].clone();
        if attack != Attack::SwapAndLie {
            told["seats"][0] = shown.clone();
        }
        match attack {
            Attack::LieAboutStart => told["head"] = Value::Null,
            Attack::LieAboutGame => told["id"] = json!("ab".repeat(16)),
            Attack::Swap | Attack::SwapAndLie | Attack::LieAboutSeats | Attack::OtherPlayer => {}
        }
    };
    let is_honest = matches!(attack, Attack::Swap | Attack::OtherPlayer);
    let other = secret();
    let secret = (attack == Attack::OtherPlayer).then_some(other.as_str());
    let chooser = Chooser {
        looked_at: &looked_at,
        sat_down_at: &sat_down_at,
        change: &change,
        secret,
        tell: (!is_honest).then_some(&tell),
    };
    chooser.between(|address| act(address, table.path.rsplit('/').next().unwrap()))
}

#[test]
fn each_client_notices_what_was_changed_on_the_way() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/service/proofs/last_seat");
    let backend = sqlite();
    for (attack, when, what) in ATTACKS {
        if let Some(mut python) = python_client::client(&beside.join("last_seat.py")) {
            let run =
                attacked(&backend, attack, |address, game| python.args([address, game]).output().unwrap());
            assert!(out(&run).starts_with(when), "{}{}", out(&run), err(&run));
            assert!(out(&run).contains(what), "{}", out(&run));
        }
        if let Some(package) = installed() {
            let script = package.join("last_seat.mjs");
            fs::copy(beside.join("last_seat.mjs"), &script).unwrap();
            let run = attacked(&backend, attack, |address, game| typescript(&script, &[address, game]));
            assert!(out(&run).starts_with(when), "{}{}", out(&run), err(&run));
            assert!(out(&run).contains(what), "{}", out(&run));
        }
    }
}

#[test]
fn the_pages_notice_what_was_changed_on_the_way() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    for (attack, when, what) in ATTACKS {
        let told = attacked(backend, attack, |address, game| {
            let page = browser.open_apart(&format!("{address}/rules"), (1000, 800));
            page.evaluate(&format!(
                "(async () => {{
                    const [{{ ask }}, {{ takeSeat }}, {{ receiptOf }}, {{ checkProof }}] =
                        await Promise.all(['api', 'join', 'kept', 'proof'].map((name) => import(`/pages/${{name}}.js`)));
                    const path = '/v1/games/{game}';
                    try {{
                        await takeSeat('{game}', 2, (await ask(path)).commitment, {{ name: '' }});
                    }} catch (error) {{
                        return `as the seat is taken: ${{error.message}}, ${{receiptOf('{game}')}}`;
                    }}
                    await ask(`${{path}}/moves/1`, {{ method: 'PUT', body: {{ move: '!resign' }} }});
                    const {{ receipt, entropy }} = receiptOf('{game}');
                    const {{ ok, steps }} = await checkProof(await ask(`${{path}}/proof`), entropy, receipt);
                    return `as the game is verified: ${{ok}}: ${{steps.at(-1).detail}}`;
                }})()"
            ))
        });
        let told = told.as_str().unwrap();
        assert!(told.starts_with(when), "{what} {told}");
        assert!(
            told.contains(": false: receipt: ") || when.contains("taken") && told.ends_with(", null"),
            "{told}"
        );
    }
}

#[test]
fn the_receipts_of_the_last_seat_show_that_nobody_could_choose_the_chance() {
    let shown = "the seats are the ones that the player of seat 3 saw before sending entropy, and no player came later, so no one could choose the chance";
    let backend = sqlite();
    let service = Service::start(&backend);
    let table = Table::new(&service, "marrakech/1", 3, 3);
    let honest = service.player();
    let stated = honest.get(&format!("{}/receipt", table.path)).text;
    let mut kept = take(&honest, &table.path, 3, with_entropy(&honest, &table.path, &secret()));
    let proof = end(&table.path, &[&table.others[0], &table.others[1], &honest]);
    let told = held(&proof.to_string(), &kept, &[]).unwrap();
    let missing = "not verified: that no other seat was changed after the entropy of seat 3 was known, because the receipt has no seats_receipt";
    assert!(told.contains(missing) && !told.contains("no player came later"), "{told}");
    kept["seats_receipt"] = json!(stated);
    let told = held(&proof.to_string(), &kept, &[]).unwrap();
    assert!(told.contains(&format!("verified: {shown}.")) && !told.contains(missing), "{told}");
    // An unreadable response is not skipped for the receipt in it.
    for (name, value) in [("head", json!(3)), ("your_seat", Value::Null), ("seats", json!({}))] {
        let mut kept = kept.clone();
        kept[name] = value;
        let told = held(&proof.to_string(), &kept, &[]).unwrap_err();
        assert!(told.contains("not the response to taking a seat"), "{name}: {told}");
    }
    // It binds the start, so a later player or other seats contradict it.
    for change in [json!({"revision": 9}), json!({"entropy": secret()}), json!({"player": "00".repeat(10)})] {
        let mut other = proof.clone();
        for (name, value) in change.as_object().unwrap() {
            other["seats"][0][name] = value.clone();
        }
        let told = held(&other.to_string(), &kept, &[]).unwrap_err();
        assert!(told.contains("start: "), "{told}");
    }
    // The evidence must be about this game, and as sent.
    for (is, other) in
        [(text(&kept["pin"]["seats_digest"]), "d1".repeat(32)), (text(&kept["id"]), "00".repeat(16))]
    {
        let mut kept = kept.clone();
        kept["seats_receipt"] = json!(stated.replace(is, &other));
        let told = held(&proof.to_string(), &kept, &[]).unwrap_err();
        assert!(told.contains("contradict") || told.contains("game"), "{told}");
    }
}

#[test]
fn once_no_seat_is_open_a_receipt_binds_every_seat() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (path, [other, last], round) = service.waiting_for_beacon();
    let kept = last.get(&path).json();
    let note = last.get(&format!("{path}/seats/2/receipt")).text;
    // The round is known by now. The other seat is taken as if it had been left, until the dice suit.
    let id = path.rsplit('/').next().unwrap();
    let mut seats: Value = serde_json::from_str(&backend.cell(id, "seats")).unwrap();
    (seats[0]["entropy"], seats[0]["revision"]) = (json!(secret()), json!(9));
    backend.script(&format!("UPDATE games SET seats = '{seats}' WHERE id = {}", backend.id(id)));
    let later = Service::start(&backend);
    let [other, last] = [&other, &last].map(|player| later.with_secret(player.secret.as_ref().unwrap()));
    assert_eq!(later.stranger().put(&format!("{path}/beacon"), round).status, 200);
    let proof = end(&path, &[&other, &last]).to_string();
    assert!(verify(&proof, &[]).is_ok());
    for told in refused_by_each(&proof, &kept) {
        assert!(told.contains("seat 1: "), "{told}");
    }
    let value = serde_json::from_str(&proof).unwrap();
    if let Some(run) = verified_by_javascript(&value, &json!({"receipt": note})) {
        assert!(err(&run).contains("seats that came after the last one"), "{}", err(&run));
    }
    let told = held(&proof, &json!({"receipt": note}), &[]).unwrap_err();
    assert!(told.contains("seat 2: it was the last, but seat 1 came later in the proof"), "{told}");

    let table = Table::new(&service, "marrakech/1", 2, 2);
    let honest = service.player();
    let kept = take(&honest, &table.path, 2, with_entropy(&honest, &table.path, &secret()));
    let note = honest.get(&format!("{}/seats/1/receipt", table.path)).text;
    let proof = end(&table.path, &[&table.others[0], &honest]).to_string();
    assert!(held(&proof, &kept, &[]).is_ok());
    let mut unstarted = kept.clone();
    unstarted["head"] = Value::Null;
    for told in refused_by_each(&proof, &unstarted) {
        assert!(told.contains("head"), "{told}");
    }
    // A later receipt of the seat does not replace one that has entropy.
    let mut earlier = kept.clone();
    (earlier["seats"][1]["revision"], earlier["pin"]) = (json!(1), Value::Null);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("later.note");
    fs::write(&file, honest.get(&format!("{}/seats/2/receipt", table.path)).text).unwrap();
    let told = held(&proof, &earlier, &["--receipt", file.to_str().unwrap()]).unwrap_err();
    assert!(told.contains("seat 2: revision: the service stated 1, but the proof has 2"), "{told}");
    let mut foreign = kept.clone();
    foreign["receipt"] = json!(note);
    let told = held(&proof, &foreign, &[]).unwrap_err();
    assert!(told.contains("of seat 2 at revision 2, but the signed receipt in it is of seat 1"), "{told}");
}

#[test]
fn entropy_that_is_added_to_a_seat_keeps_the_service_to_the_others() {
    let seen = "the seats are the ones that the player of seat 1 saw before sending entropy.";
    let backend = sqlite();
    let service = Service::start(&backend);
    let (owner, other) = (service.player(), service.player());
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "take": {"seat": 1}});
    let path = format!("/v1/games/{}", text(&owner.post("/v1/games", wanted).json()["id"]));
    let stated = owner.get(&format!("{path}/receipt")).text;
    let before = owner.get(&format!("{path}/seats/1/receipt")).text;
    let body = with_entropy(&owner, &path, &secret());
    let added = owner.put(&format!("{path}/seats/1?include=receipt"), body);
    let mut kept = added.json();
    assert_eq!((added.status, &kept["pin"]["held"]), (200, &json!(0)));
    kept["seats_receipt"] = json!(stated);
    take(&other, &path, 2, with_entropy(&other, &path, &secret()));
    let proof = end(&path, &[&owner, &other]).to_string();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("before.note");
    fs::write(&file, before).unwrap();
    // The receipt of the seat before the entropy is kept, too.
    for others in [&[][..], &["--receipt", file.to_str().unwrap()]] {
        let told = held(&proof, &kept, others).unwrap();
        assert!(told.contains(seen), "{told}");
    }
    // A seat that was left and taken by another player was a different one then.
    let table = Table::new(&service, "marrakech/1", 3, 2);
    let stated = other.get(&format!("{}/receipt", table.path)).text;
    let mut kept = take(&other, &table.path, 2, with_entropy(&other, &table.path, &secret()));
    kept["seats_receipt"] = json!(stated);
    let told = held(&end(&table.path, &[&table.others[0], &other, &table.others[1]]).to_string(), &kept, &[]);
    assert!(told.unwrap().contains("no one could choose the chance"));
}

#[test]
fn without_the_digest_nobody_takes_a_seat_with_entropy() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (owner, other) = (service.player(), service.player());
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open", "open"]});
    let path = format!("/v1/games/{}", text(&owner.post("/v1/games", wanted).json()["id"]));
    let mut body = with_entropy(&owner, &path, &secret());
    let digest = body.as_object_mut().unwrap().remove("seats_digest").unwrap();
    assert_eq!(owner.put(&format!("{path}/seats/1"), body).problem(), "seats_changed");
    // Without entropy nothing is checked, unless a digest is sent.
    take(&owner, &path, 1, json!({}));
    assert_eq!(
        other.put(&format!("{path}/seats/2"), json!({"seats_digest": digest})).problem(),
        "seats_changed"
    );
    let taken = take(&other, &path, 2, json!({}));
    assert_eq!((&taken["pin"], taken["seats_digest"].is_string()), (&Value::Null, true));
    let taken = take(&service.player(), &path, 3, json!({}));
    assert_eq!((&taken["status"], &taken["seats_digest"]), (&json!("running"), &Value::Null));
}
