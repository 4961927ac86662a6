//! Raw answers, in which only values that follow from the seed are replaced by names common to both twins.

use std::collections::HashMap;
use std::io::Read;

use assam_proofs::public_log::Tile;
use assam_record::chain::sealed_part;
use assam_record::chance;
use assam_record::game::{Head, StoredGame};
use assam_record::log::Chain;
use assam_rules::{Game as _, Viewer};
use assam_store::Database;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::asking::Request;
use super::grown::{heads, start};
use super::known::{Sealed, position, sealed_parts, told};
use crate::harness::{Answer, Backend, Client, Service, count_what_waits, log_what_waits, place_what_waits};
use crate::public_log::tree;

/// One of two databases with its service process, and what it has sent so far.
pub(super) struct Side {
    pub(super) store: Database,
    pub(super) service: Service,
    /// The names of values that follow from the seeds: the whole list of allowed differences between twins.
    names: HashMap<String, String>,
    /// The hash of the last one.
    head: String,
    /// The root of the public log, as in checkpoints.
    root: String,
    /// Secrets that the viewer must not learn at this moment.
    hidden: Vec<String>,
    /// The parts that are sealed for the viewer.
    sealed: Vec<Sealed>,
    /// The response for each entity tag of a path, for any client.
    tags: HashMap<(String, String), Vec<u8>>,
    /// The viewer's answers of this moment, and of earlier ones.
    now: HashMap<Look, Answer>,
    before: HashMap<Look, Answer>,
    // The service is dropped before its database.
    _backend: Backend,
}

/// A path and its `Accept` header.
type Look = (String, Option<String>);

impl Side {
    pub(super) async fn new(backend: Backend) -> Self {
        let store = backend.open().await;
        Self {
            store,
            service: Service::start(&backend),
            names: HashMap::new(),
            head: String::new(),
            root: String::new(),
            hidden: Vec::new(),
            sealed: Vec::new(),
            tags: HashMap::new(),
            now: HashMap::new(),
            before: HashMap::new(),
            _backend: backend,
        }
    }

    /// Begins another match.
    pub(super) fn forget(&mut self) {
        self.tags.clear();
        self.now.clear();
        self.before.clear();
    }

    /// Sets the current game and viewer.
    pub(super) fn look_at(&mut self, game: &StoredGame, viewer: Viewer) {
        self.before.extend(self.now.drain());
        let seed = game.seed.unwrap();
        let mut keys = Chain::new(game).committed.unwrap().keys;
        for (hash, name) in [
            (game.commitment.unwrap(), "commitment"),
            (keys.anchor(), "anchor"),
            (Sha256::digest(seed).into(), "seed_hash"),
            (start(game), "start"),
        ] {
            self.names.insert(hex::encode(hash), name.to_owned());
        }
        heads(game).iter().for_each(|head| self.name_head(head));
        let salt = |moment| hex::encode(chance::entry_salt(&seed, &start(game), moment));
        self.names.insert(salt("start"), "salt of start".to_owned());
        // The end is not in the log, and nothing may open it in advance.
        self.hidden = vec![hex::encode(seed), salt("end")];
        let last = game.info.head.unwrap().ply;
        keys.look_back(last + 1);
        for ply in 0..=last {
            self.names.insert(hex::encode(keys.of(ply)), format!("key {ply}"));
        }
        // The last key determines all others. Any other one that leaked would differ between the twins.
        self.hidden.extend([last + 1, game.info.setup.most_plies()].map(|ply| hex::encode(keys.of(ply))));
        self.sealed = sealed_parts(game, viewer);
        for part in &self.sealed {
            let name = format!("{}.{}", part.ply, part.number);
            self.names.insert(hex::encode(part.hash), format!("part {name}"));
            if part.is_told {
                self.names.insert(hex::encode(part.salt), format!("salt {name}"));
            } else {
                self.hidden.push(hex::encode(part.salt));
            }
        }
        self.sealed.retain(|part| !part.is_told);
        let unseen = self.sealed.iter().map(|part| part.token.clone()).filter(|token| token.contains(':'));
        self.hidden.extend(unseen.chain(hidden_hands(game, viewer)));
    }

    /// Writes everything pending into the public log, and names its hashes by their places.
    pub(super) async fn settle(&mut self) {
        log_what_waits(&self.store).await;
        place_what_waits(&self.store).await;
        count_what_waits(self.store.clone()).await;
        let size = self.store.log.log_head().await.unwrap().size;
        let mut entries = Vec::new();
        for tile in (0..size).step_by(256).map(|first| Tile::with(0, first, size).unwrap()) {
            entries.extend(self.store.log.log_nodes(tile).await.unwrap());
        }
        for (position, entry) in entries.iter().enumerate() {
            self.names.insert(hex::encode(entry), format!("entry {position}"));
        }
        let root = self.name_nodes(&entries, 0);
        self.root = STANDARD.encode(root);
    }

    fn name_nodes(&mut self, entries: &[[u8; 32]], first: usize) -> [u8; 32] {
        if entries.len() > 1 {
            let split = 1 << (entries.len() - 1).ilog2();
            self.name_nodes(&entries[..split], first);
            self.name_nodes(&entries[split..], first + split);
        }
        let hash = tree::root(entries);
        self.names.insert(hex::encode(hash), format!("node {first} of {}", entries.len()));
        hash
    }

    /// Names another head of the game.
    pub(super) fn name_head(&mut self, head: &Head) {
        self.head = hex::encode(head.hash);
        self.names.insert(self.head.clone(), format!("head {}", head.ply));
    }

    /// Returns a page as the viewer got it at this moment.
    pub(super) fn page(&self, path: &str) -> &str {
        &self.now[&(path.to_owned(), None)].text
    }

    /// Sends a request, and returns status, headers and body, with names for everything that follows from the
    /// seed.
    pub(super) fn ask(&mut self, secret: Option<&str>, request: &Request) -> String {
        let answer = self.send(secret, request);
        let told = self.told(request, &answer);
        if request.method == "GET" && request.headers.iter().all(|(name, _)| *name == "Accept") {
            self.now.insert(look(request), answer);
        } else if request.route.starts_with("GET ") {
            self.check_form(request, &answer);
        }
        told
    }

    /// Sends a request, and checks the rules for every answer.
    pub(super) fn send(&mut self, secret: Option<&str>, request: &Request) -> Answer {
        let headers: Vec<(&str, String)> =
            request.headers.iter().map(|(name, value)| (*name, self.filled(request, value))).collect();
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let client: Client<'_> = match secret {
            Some(secret) => self.service.with_secret(secret),
            None => self.service.stranger(),
        };
        let mut answer = client.send(&request.method, &request.path, &headers, &request.body);
        // An analysis that takes longer is sent when it is asked for again.
        while answer.status == 202 {
            answer = client.send(&request.method, &request.path, &headers, &request.body);
        }
        if answer.header("content-encoding") == Some("gzip") {
            let mut decoded = Vec::new();
            GzDecoder::new(answer.bytes.as_slice()).read_to_end(&mut decoded).unwrap();
            answer.text = String::from_utf8(decoded.clone()).unwrap();
            answer.bytes = decoded;
        }
        if let Some(tag) = answer.header("etag").filter(|_| !answer.bytes.is_empty()) {
            let hash = hex::encode(&Sha256::digest(&answer.bytes)[..8]);
            assert!(
                tag.trim_end_matches('"').trim_end_matches("-gzip").ends_with(&format!(".{hash}")),
                "the hash of the body ends its tag: {request:?} {tag}"
            );
            let key = (request.path.clone(), tag.to_owned());
            let stood = self.tags.entry(key).or_insert_with(|| answer.bytes.clone());
            assert!(*stood == answer.bytes, "one entity tag stands for two bodies: {request:?} {tag}");
        }
        answer
    }

    fn filled(&self, request: &Request, value: &str) -> String {
        let tag_of = |answers: &HashMap<Look, Answer>| {
            let answer = answers.get(&look(request));
            answer.and_then(|answer| answer.header("etag")).unwrap_or("\"none\"").to_owned()
        };
        match value {
            "KNOWN" => tag_of(&self.now),
            "OLDER" => tag_of(&self.before),
            "HEAD" => format!("\"{}\"", self.head),
            value => value.to_owned(),
        }
    }

    /// Requests a page again after the match, with the entity tag of the viewer's earlier answer.
    pub(super) fn check_end(&mut self, secret: Option<&str>, request: &Request) {
        let fresh = self.send(secret, request);
        let mut conditional = request.clone();
        conditional.headers.push(("If-None-Match", "KNOWN".to_owned()));
        let again = self.send(secret, &conditional);
        let is_known = self.now.get(&look(request)).is_some_and(|known| known.bytes == fresh.bytes);
        assert!(again.status != 304 || is_known, "304 in place of what was opened: {request:?}");
        assert!(again.status == 304 || again.bytes == fresh.bytes, "{request:?}");
    }

    /// Checks that another form of the same page is equal.
    fn check_form(&self, request: &Request, answer: &Answer) {
        let Some(plain) = self.now.get(&look(request)) else {
            panic!("the plain form comes first: {request:?}")
        };
        // A compressed form has a separate tag.
        let tag = |answer: &Answer| answer.header("etag").map(|tag| tag.replace("-gzip\"", "\""));
        assert_eq!(tag(answer), tag(plain), "{request:?}");
        let condition = request.headers.iter().find(|(name, _)| *name == "If-None-Match");
        let known = match condition.map(|(_, value)| value.as_str()) {
            Some("OLDER") => self.before.get(&look(request)),
            Some(_) => Some(plain),
            None => None,
        };
        let is_known = known.is_some_and(|known| tag(known).is_some() && known.bytes == plain.bytes);
        if plain.status == 200 && plain.header("etag").is_some() && is_known {
            assert_eq!((answer.status, answer.bytes.len()), (304, 0), "{request:?}");
            return;
        }
        assert_eq!(answer.status, plain.status, "304 only where the body is the same: {request:?}");
        let is_head = request.method == "HEAD";
        assert!(if is_head { answer.bytes.is_empty() } else { answer.bytes == plain.bytes }, "{request:?}");
    }

    /// Checks the rules for every answer to this viewer during the match. Returns the whole answer in a form
    /// common to both twins.
    fn told(&self, request: &Request, answer: &Answer) -> String {
        let mut all = format!("{}\n", answer.status);
        for (name, value) in answer.all_headers() {
            let is_compressed = answer.header("content-encoding").is_some();
            match name.as_str() {
                // Its second half is the hash of the body, which is compared itself.
                "etag" => all += &format!("etag: {}\n", value.split('.').next().unwrap()),
                "content-length" if is_compressed || request.path.starts_with("/readyz") => {}
                _ => all += &format!("{name}: {value}\n"),
            }
        }
        match answer.text.split_once("\"since\":") {
            // When the service published its first key.
            Some((keys, _)) if request.path == "/v1/keys" => all += &format!("\n{keys}"),
            _ if request.path.starts_with("/log/tile/") && answer.status == 200 => {
                // In lines of one hash each, or of an entry after its length.
                let width = if request.path.contains("entries") { 34 } else { 32 };
                for bytes in answer.bytes.chunks(width) {
                    all += &format!("\n{}", hex::encode(&bytes[bytes.len() - 32..]));
                }
            }
            // The lag of witnesses up to a second ago.
            _ if request.path.starts_with("/readyz") => {
                all += &format!("\n{}", answer.text.split(",\"witnesses\"").next().unwrap_or_default());
            }
            // The opening of the entry, and its proof, as shown in JSON.
            _ if answer.text.starts_with("c2sp.org/tlog-proof@v1\n") => {
                let (head, checkpoint) = answer.text.split_once("\n\n").unwrap();
                for line in head.lines() {
                    let bytes = STANDARD.decode(line.strip_prefix("extra ").unwrap_or(line));
                    let bytes = bytes.ok().filter(|bytes| bytes.len() >= 32);
                    all += &match bytes.as_deref().and_then(<[u8]>::split_first_chunk::<32>) {
                        Some((hash, receipt)) => {
                            format!("\n{}\n{}", hex::encode(hash), String::from_utf8_lossy(receipt))
                        }
                        None => format!("\n{line}"),
                    };
                }
                all += &format!("\n{checkpoint}");
            }
            // When each service changed the seats, which is unrelated to anything hidden.
            _ if request.route == "GET /v1/events" => {
                let mut parts = answer.text.split("\"happened\":\"seats\",\"at\":\"");
                all += &format!("\n{}", parts.next().unwrap());
                parts.for_each(|part| all += part.split_once('"').unwrap().1);
            }
            _ => all += &format!("\n{}", answer.text),
        }
        self.try_salts(request, answer);
        for hidden in &self.hidden {
            assert!(!all.contains(hidden.as_str()), "{hidden:?} is hidden, but not from {request:?}: {all}");
        }
        if request.path.contains("/v1/games/") && matches!(answer.status, 200 | 201 | 304) {
            let rules = (answer.header("cache-control"), answer.header("vary"));
            let wanted = match request.path.contains("/events") {
                true => (Some("no-store"), None),
                false => (Some("private, no-cache"), Some("Accept, Accept-Encoding, Authorization")),
            };
            assert_eq!(rules, wanted, "{request:?}");
        }
        named(&unsigned(&all.replace(&self.root, "<root>")), &self.names)
    }

    /// Checks that no salt sent to the viewer opens a part sealed for them.
    fn try_salts(&self, request: &Request, answer: &Answer) {
        if answer.status != 200 || answer.text.is_empty() {
            return;
        }
        let is_export = request.path.starts_with("/v1/export?") && request.path.contains("proofs=true");
        let proofs: Vec<Value> = match is_export {
            true => answer.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
            false if request.path.ends_with("/proof") => vec![json!({"proof": answer.json()})],
            false => return,
        };
        let words = proofs.iter().flat_map(|line| line["proof"]["words"].as_array().unwrap());
        let parts = words.flat_map(|word| word["parts"].as_array().unwrap());
        for salt in parts.filter_map(|part| part["salt"].as_str()) {
            let salt: [u8; 32] = hex::decode(salt).unwrap().try_into().unwrap();
            for part in &self.sealed {
                let is_open = sealed_part(&salt, &part.token) == part.hash;
                assert!(!is_open, "a salt of {request:?} opens part {}.{}", part.ply, part.number);
            }
        }
    }
}

fn look(request: &Request) -> Look {
    let accept = request.headers.iter().find(|(name, _)| *name == "Accept");
    (request.path.clone(), accept.map(|(_, value)| value.clone()))
}

/// Returns the hidden hands as in a position line and in JSON. If there are few cards, the viewer may see the
/// same ones elsewhere.
fn hidden_hands(game: &StoredGame, viewer: Viewer) -> Vec<String> {
    let position = position(game);
    let seen = told(game, viewer).join(" ");
    let hands = position.diagram().hands.0.into_iter().zip(position.masked(viewer, false).diagram().hands.0);
    let hidden = hands
        .filter(|(hand, masked)| hand != masked && hand.len() > 3)
        .map(|(hand, _)| hand.known().iter().map(|card| card.to_string()).collect::<Vec<String>>());
    let forms = hidden.flat_map(|cards| [cards.concat(), serde_json::to_string(&cards).unwrap()]);
    forms.filter(|form| !seen.contains(form.as_str())).collect()
}

/// Returns a text without its signatures, which depend on the text and the service's key.
pub(super) fn unsigned(text: &str) -> String {
    let (begin, mut parts) = ("PeterNeumann ", text.split("PeterNeumann "));
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric() && !"+/=".contains(c)).unwrap_or(part.len());
        assert!(end > 90, "{part}");
        all += begin;
        all += &part[end..];
    }
    all
}

/// Replaces the hashes in a text by their names.
fn named(text: &str, names: &HashMap<String, String>) -> String {
    let is_hex = |byte: char| matches!(byte, '0'..='9' | 'a'..='f');
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_hex) {
        out.push_str(&rest[..start]);
        let end = rest[start..].find(|byte| !is_hex(byte)).map_or(rest.len(), |length| start + length);
        let digits = &rest[start..end];
        match names.get(digits) {
            Some(name) => out.push_str(&format!("<{name}>")),
            None => out.push_str(digits),
        }
        rest = &rest[end..];
    }
    out + rest
}
