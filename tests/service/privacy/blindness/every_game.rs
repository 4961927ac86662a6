//! The law of blindness for every listed game with hidden information: twins with different hidden draws give
//! their viewer the same answers. Twins are found by trial, without knowing the game. The other modules know
//! Marrakesh, and check more.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use assam_notation::OptionKind;
use assam_record::chance::{ChanceSource, Committed, Draw};
use assam_record::game::{Holder, Info, SeatKind, Status, StoredGame};
use assam_record::hex::Hex;
use assam_record::log::{Chain, MaskedReplay};
use assam_referee::{Ruleset, Setup, tokens};
use assam_rules::{Seat, Viewer};
use regex::Regex;
use sha2::{Digest, Sha256};

use super::answers::unsigned;
use super::grown::{Match, bytes, extension, hex, player, seeded};
use super::now;
use crate::dice::Dice;
use crate::harness::{
    Answer, Backend, Client, Service, Writes as _, blank_game, create, log_what_waits, sqlite,
};

/// The number of moments to compare for each game.
const MOMENTS: u32 = 40;

/// Draws from a seed, and records the draws.
struct Recorded {
    seed: Committed,
    draws: RefCell<HashMap<Draw, u64>>,
}

/// Predetermined draws, with any value for the others.
struct Given(HashMap<Draw, u64>);

impl ChanceSource for Recorded {
    fn draw(&self, draw: Draw, range: u64) -> u64 {
        let drawn = self.seed.draw(draw, range);
        self.draws.borrow_mut().insert(draw, drawn);
        drawn
    }
}

impl ChanceSource for Given {
    fn draw(&self, draw: Draw, range: u64) -> u64 {
        // Two throws of six dice are never equal.
        let k = u64::from(draw.k);
        self.0.get(&draw).copied().unwrap_or(u64::from(draw.ply) + k * (k / 6 + 1)) % range
    }
}

/// Returns the words of a game as a viewer may read them, and unmasked.
fn words(game: &StoredGame, viewer: Viewer) -> (Vec<String>, Vec<String>) {
    let mut words = (Vec::new(), Vec::new());
    let ply = game.info.head.unwrap().ply;
    let each = |written: &assam_record::log::ReplayedWord<'_>| {
        words.0.push(written.told.to_string());
        words.1.push(written.word.text().to_owned());
    };
    MaskedReplay::word_by_word(viewer, game, ply, each).unwrap();
    words
}

/// Returns a game of people with random options, before its start.
fn new_game(ruleset: Ruleset, secrets: &[String], dice: &mut Dice) -> StoredGame {
    let seats = secrets.len() as u8;
    let setup = |options: &[(&str, String)]| {
        let options: Vec<(&str, &str)> =
            options.iter().map(|(name, value)| (*name, value.as_str())).collect();
        Setup::new(ruleset, seats, &options)
    };
    let mut options: Vec<(&str, String)> = Vec::new();
    for option in ruleset.info().options {
        let value = match option.kind {
            OptionKind::Choice(values) => dice.pick(values).0.to_owned(),
            OptionKind::Number { min, max } => {
                (u64::from(min) + dice.below(u64::from(max - min) + 1)).to_string()
            }
        };
        options.push((option.name, value));
        if setup(&options).is_err() {
            options.pop();
        }
    }
    let holder = |secret: &String| Holder {
        player: Some(player(secret)),
        secret: Some(Hex(Sha256::digest(secret).into())),
        ..Holder::new(SeatKind::Human)
    };
    let blank = blank_game(hex(dice)[..32].parse().unwrap(), setup(&options).unwrap(), now());
    let info = Info {
        revision: 2,
        seats: secrets.iter().map(holder).collect(),
        status: Status::Running,
        started_at: Some(now()),
        ..blank.info
    };
    let game = StoredGame { info, ..blank };
    seeded(game, bytes(dice))
}

/// Returns a random running game, its decisions, and its draws.
fn played(game: StoredGame, dice: &mut Dice) -> (StoredGame, Vec<String>, HashMap<Draw, u64>) {
    let seed = Chain::new(&game).committed.unwrap();
    let source = Recorded { seed, draws: RefCell::default() };
    let mut played = Match::start(game, &source);
    let mut decisions = Vec::new();
    for _ in 0..dice.below(40) {
        let game = played.end();
        let ledger = assam_record::log::Ledger::replay(game).unwrap();
        let legal = ledger.table().legal_moves(Viewer::Arbiter).unwrap();
        let decision = legal[dice.below(legal.len() as u64) as usize].clone();
        // The end of the game opens everything.
        if extension(game, &source, std::slice::from_ref(&decision), 9).unwrap().status != Status::Running {
            break;
        }
        played.play(&source, &decision, 9);
        decisions.push(decision);
    }
    (played.end().clone(), decisions, source.draws.into_inner())
}

/// Returns the same game to this viewer, with another hidden draw, or `None` if trials find none.
fn twin_of(
    first: &StoredGame,
    start: &StoredGame,
    decisions: &[String],
    draws: &HashMap<Draw, u64>,
    viewer: Viewer,
    dice: &mut Dice,
) -> Option<StoredGame> {
    let (told, known) = words(first, viewer);
    let first_ply = start.info.setup.table().next_ply();
    // The last word with a hidden draw, as little follows from it yet.
    let drawn_in = |word: usize| {
        let mut drawn: Vec<Draw> =
            draws.keys().copied().filter(|draw| draw.ply == first_ply + word as u32).collect();
        drawn.sort_unstable_by_key(|draw| format!("{draw:?}"));
        drawn
    };
    let hidden = (0..told.len()).rev().filter(|&word| told[word] != known[word]);
    let drawn = hidden.map(drawn_in).find(|drawn| !drawn.is_empty())?;
    (0..60).find_map(|_| {
        let mut changed = draws.clone();
        for _ in 0..=dice.below(3) {
            changed.insert(drawn[dice.below(drawn.len() as u64) as usize], dice.below(1 << 32));
        }
        let source = Given(changed);
        let mut twin = Match::start(start.clone(), &source);
        for decision in decisions {
            let is_running = |extension: assam_record::log::Extension| extension.status == Status::Running;
            if !extension(twin.end(), &source, std::slice::from_ref(decision), 9).is_ok_and(is_running) {
                return None;
            }
            twin.play(&source, decision, 9);
        }
        let (told_of_twin, known_of_twin) = words(twin.end(), viewer);
        (told_of_twin == told && known_of_twin != known).then(|| twin.end().clone())
    })
}

/// Returns what no answer to a viewer may have: the seed, keys of later plies, and the salt of each part
/// sealed for them.
fn secrets(game: &StoredGame, viewer: Viewer) -> Vec<String> {
    let seed = game.seed.unwrap();
    let committed = Chain::new(game).committed.unwrap();
    let mut secrets = vec![hex::encode(seed)];
    let ply = game.info.head.unwrap().ply;
    let last = game.info.setup.most_plies();
    secrets.extend([ply + 1, ply + 2, ply + 3, last].map(|ply| hex::encode(committed.keys.of(ply))));
    let keys = secrets.len();
    let each = |written: &assam_record::log::ReplayedWord<'_>| {
        let told: Vec<(u32, &str)> = tokens(&written.told).collect();
        let sealed = written.word.tokens().filter(|token| token.is_sealed);
        for token in sealed.filter(|token| !told.contains(&(token.part, token.text))) {
            secrets.push(hex::encode(committed.salt(written.ply, token.part)));
        }
    };
    MaskedReplay::word_by_word(viewer, game, game.info.head.unwrap().ply, each).unwrap();
    assert!(secrets.len() > keys, "something is sealed to {viewer:?}");
    secrets
}

/// Returns an answer without what follows from the seed: hashes and salts, the only long runs of hex digits
/// that differ. Checks that the removed runs have none of these secrets.
fn blanked(answer: &Answer, secrets: &[String]) -> String {
    let text = format!("{} {:?}\n{}", answer.status, answer.all_headers(), answer.text);
    for secret in secrets {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    let mut blanked = String::new();
    let mut run = String::new();
    let root = Regex::new("[A-Za-z0-9+/]{43}=").unwrap();
    for character in root.replace_all(&unsigned(&text), "#").chars().chain(['\n']) {
        if character.is_ascii_hexdigit() {
            run.push(character);
            continue;
        }
        blanked.push_str(if run.len() < 16 { &run } else { "#" });
        run.clear();
        blanked.push(character);
    }
    blanked
}

#[test]
fn twins_of_every_game_that_hides_something_give_their_viewer_the_same_answers() {
    let sides: [(Backend, Service); 2] = std::array::from_fn(|_| {
        let backend = sqlite();
        let service = Service::start(&backend);
        (backend, service)
    });
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let _inside = runtime.enter();
    let stores = [0, 1].map(|side| runtime.block_on(sides[side].0.open()));
    for &ruleset in Ruleset::ALL.iter().filter(|ruleset| ruleset.info().has_secrets) {
        let mut moments = 0;
        for number in 0..1000 {
            let dice = &mut Dice::new(number);
            let secrets: Vec<String> =
                ruleset.info().seats.clone().take(1).flat_map(|seats| 0..seats).map(|_| hex(dice)).collect();
            let viewers: Vec<Option<usize>> = (0..secrets.len()).map(Some).chain([None]).collect();
            let holder = dice.pick(&viewers);
            let viewer =
                holder.map_or(Viewer::Spectator, |seat| Viewer::Seat(Seat::new(seat as u8 + 1).unwrap()));
            let start = new_game(ruleset, &secrets, dice);
            let (first, decisions, draws) = played(start.clone(), dice);
            let other = seeded(start, [number as u8; 32]);
            let Some(twin) = twin_of(&first, &other, &decisions, &draws, viewer, dice) else { continue };
            for (store, game) in stores.iter().zip([&first, &twin]) {
                runtime.block_on(store.alone(create(game))).unwrap();
                runtime.block_on(log_what_waits(store));
            }
            let clients: [Client<'_>; 2] = std::array::from_fn(|side| match holder {
                Some(seat) => sides[side].1.with_secret(&secrets[seat]),
                None => sides[side].1.stranger(),
            });
            same_answers(
                &clients,
                [&first, &twin],
                viewer,
                &format!("{ruleset}, game {number}, for {viewer:?}"),
            );
            moments += 1;
            if moments == MOMENTS {
                break;
            }
        }
        assert_eq!(moments, MOMENTS, "{ruleset}: too few twins were found");
    }
}

/// Sends both sides every read and some refused moves.
fn same_answers(clients: &[Client<'_>; 2], games: [&StoredGame; 2], viewer: Viewer, what: &str) {
    let game = games[0];
    let (id, ply) = (game.info.id.to_string(), game.info.head.unwrap().ply);
    let mut requests: Vec<(&str, String, String)> = Vec::new();
    for (path, methods) in clients[0].service().routes(&id) {
        // The document is long, and the lists have other games.
        let is_of_game = path.contains(&id) && methods.iter().any(|method| method == "GET");
        if is_of_game {
            for ending in ["/1", "/1.svg"] {
                if let Some(stem) = path.strip_suffix(ending) {
                    let last = format!("{stem}{}", ending.replace('1', &ply.to_string()));
                    requests.push(("GET", last, String::new()));
                }
            }
            requests.push(("GET", path, String::new()));
        }
    }
    let looks = requests.len();
    let next = format!("/v1/games/{id}/moves/{}", ply + 1);
    let table = assam_record::log::Ledger::replay(game).unwrap();
    // Legal moves of the seat on turn are excluded, as they would be written.
    for text in ["zz", "!timeout1", "!abort", "!resign9"] {
        requests.push(("PUT", next.clone(), text.to_owned()));
    }
    for text in table.table().legal_moves(Viewer::Arbiter).unwrap() {
        requests.push(("PUT", format!("/v1/games/{id}/moves/{}", ply + 2), text.clone()));
        requests.push(("PUT", format!("/v1/games/{id}/moves/{ply}"), text));
    }
    let secrets = games.map(|game| secrets(game, viewer));
    let mut shown = BTreeSet::new();
    for (method, path, body) in requests {
        let media: &[(&str, &str)] = if body.is_empty() { &[] } else { &[("Content-Type", "text/plain")] };
        let answers = clients.each_ref().map(|client| client.send(method, &path, media, &body));
        let [one, other] = [0, 1].map(|side| blanked(&answers[side], &secrets[side]));
        assert_eq!(one, other, "{what}: {method} {path} {body}");
        if method == "GET" && answers[0].status == 200 {
            shown.insert(path);
        }
    }
    // After the first ply, reads of a ply are sent twice.
    assert!(looks >= 10 && shown.len() >= 8, "{what}: {shown:?}");
}
