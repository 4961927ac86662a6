//! A follower's knowledge of a game: its messages, folded into the log that they describe. The tests compare
//! it with the log, for streams that begin and break anywhere.

mod cursors;
mod killed;
mod processes;
mod resumed;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::harness::{Client, Stream, Told};

/// A follower's knowledge of a game.
#[derive(Clone, Default, Debug)]
pub(super) struct Fold {
    /// Each ply with a word: word and time.
    pub(super) words: BTreeMap<u64, (Value, Value)>,
    /// The last reported ply, and its head.
    pub(super) head: Value,
    /// The position to resume from, empty at the beginning.
    pub(super) id: String,
    pub(super) seats: Value,
    /// Every message about a ply, unchanged.
    pub(super) told: Vec<Value>,
    /// How often each ply was opened.
    pub(super) opened: BTreeMap<(u64, String), u32>,
    pub(super) is_caught_up: bool,
    pub(super) over: Option<Value>,
    /// How often it had to begin again.
    pub(super) resets: u32,
    is_lost: bool,
}

impl Fold {
    /// Takes a message, which must fit the earlier ones.
    pub(super) fn take(&mut self, told: &Told) {
        assert!(self.over.is_none(), "nothing comes after the end: {told:?}");
        let message = &told.json;
        match told.kind() {
            "snapshot" => {
                assert!(self.head.is_null() || self.is_lost, "a snapshot comes first, or after a reset");
                self.words.clear();
                for word in message["words"].as_array().unwrap() {
                    let ply = word["ply"].as_u64().unwrap();
                    self.words.insert(ply, (word["word"].clone(), word["at"].clone()));
                }
                self.head = message["game"]["head"].clone();
                (self.is_lost, self.is_caught_up) = (false, false);
            }
            "word" => {
                let ply = message["ply"].as_u64().unwrap();
                let next = self.head["ply"].as_u64().map_or(0, |last| last + 1);
                assert_eq!(ply, next, "nothing is lost, and nothing comes twice: {message}");
                if !message["word"].is_null() {
                    self.words.insert(ply, (message["word"].clone(), message["at"].clone()));
                }
                for opened in message["opened"].as_array().unwrap() {
                    let (ply, word) = (opened["ply"].as_u64().unwrap(), opened["word"].clone());
                    let known = self.words.get_mut(&ply).unwrap();
                    assert_ne!(known.0, word, "an opening opens something: {message}");
                    *self.opened.entry((ply, word.to_string())).or_default() += 1;
                    known.0 = word;
                }
                self.head = message["head"].clone();
                self.told.push(message.clone());
            }
            "seats" => self.seats = message["seats"].clone(),
            "caught-up" => {
                assert_eq!(message["head"], self.head);
                self.is_caught_up = true;
            }
            "heartbeat" => assert_eq!(message["head"], self.head),
            "reset" => {
                self.is_lost = true;
                self.resets += 1;
            }
            "over" => {
                assert_eq!(message["head"], self.head);
                self.over = Some(message.clone());
            }
            "closing" | "presence" | "" => {}
            other => panic!("{other}: {message}"),
        }
        if let Some(id) = &told.id {
            self.id.clone_from(id);
        }
        assert!(self.opened.values().all(|&times| times == 1), "{:?}", self.opened);
    }

    /// Reads until the fold is complete up to a ply.
    pub(super) fn read_up_to(&mut self, stream: &mut Stream, ply: u64) {
        while self.head["ply"].as_u64().is_none_or(|last| last < ply) {
            let told = stream.next().expect("the stream goes on");
            assert_ne!(told.kind(), "heartbeat", "ply {ply} is written, and not told");
            self.take(&told);
        }
    }

    /// Reads to the end of a stream.
    pub(super) fn read(&mut self, stream: Stream) {
        for told in stream.rest() {
            self.take(&told);
        }
    }

    /// Checks that its messages give the log, as its client may read it.
    pub(super) fn check(&self, client: &Client<'_>, game: &str) {
        let json = [("Accept", "application/json")];
        let log = client.send("GET", &format!("/v1/games/{game}/log"), &json, "").json();
        assert_eq!(self.as_log(), json!({"words": log["words"], "head": log["head"]}));
    }

    fn as_log(&self) -> Value {
        let word = |(ply, (word, at)): (&u64, &(Value, Value))| json!({"ply": ply, "word": word, "at": at});
        json!({"words": self.words.iter().map(word).collect::<Vec<_>>(), "head": self.head})
    }
}
