//! The public log: awaited, cosigned, or written by the test itself to avoid waiting for the service.

use assam_api::app::{App, Limits};
use assam_proofs::public_log::EntryOpening;
use assam_proofs::signed::{CosigningKey, Keyring, Note};
use assam_store::{Database, NewEntry, StoreError, WaitingEntry};

use serde_json::json;

use super::{Service, comes};

/// The witness key known to services of the tests.
pub(super) const WITNESS: &str =
    "PRIVATE+KEY+witness.example/tests+caf4d529+BLwPi8+6el3HIY3brLHxcmfv1P8bpIRuNOnPUmXaubRp";

/// Writes pending entries into the log.
pub(crate) async fn log_what_waits(store: &Database) {
    loop {
        let waiting = store.log.waiting_entries(None, 1000).await.unwrap();
        if waiting.is_empty() {
            return;
        }
        let mut entries = Vec::new();
        for WaitingEntry { game, milestone, .. } in waiting {
            let stored = store.reads.load(game).await.unwrap().unwrap();
            let entry = EntryOpening::new(&stored, milestone).unwrap().unwrap().entry();
            entries.push(NewEntry { game, milestone, entry });
        }
        match store.log.extend_log(&entries).await {
            Ok(_) | Err(StoreError::Conflict) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

/// Gives pending entries their positions in the feed.
pub(crate) async fn place_what_waits(store: &Database) {
    // Another process may be doing it.
    while store.feed.place_feed(1000).await.is_ok_and(|placed| placed != Some(0)) {}
}

/// Counts all ends in the log for ratings and tallies.
pub(crate) async fn count_what_waits(store: Database) {
    let app = App::new(store.clone(), Limits { queue: 1, kept_bytes: 0 }, Keyring::empty()).unwrap();
    // Another process may be doing it.
    while !store.standings.ends(store.standings.counted_entries().await.unwrap(), 1).await.unwrap().is_empty()
    {
        app.count_ends().await.unwrap();
    }
}

impl Service {
    /// Waits until the feed has so many entries.
    pub(crate) fn wait_for_feed(&self, entries: u64) {
        let head = format!(r#""type":"caught-up","position":{entries},"#);
        let is_there = || self.stranger().get("/v1/events?follow=false").text.contains(&head);
        assert!(comes(20, is_there), "nothing comes into the feed");
    }

    /// Returns the cosigned checkpoint of the public log.
    pub(crate) fn cosigned(&self) -> String {
        let checkpoint = self.stranger().get("/log/checkpoint").text;
        let witness: CosigningKey = WITNESS.parse().unwrap();
        let line = witness.cosign(Note::read(&checkpoint).unwrap().text, assam_record::clock::now());
        checkpoint + &line
    }

    /// Waits for the first entry in the public log.
    pub(crate) fn wait_for_log(&self) {
        let is_there = || self.stranger().get("/log/tile/0/000.p/1").status == 200;
        assert!(comes(20, is_there), "nothing comes into the log");
    }

    /// Lets built-in players play a match, and waits until it counts for their ratings.
    pub(crate) fn wait_until_counted(&self) {
        let wanted = json!({"ruleset": "marrakesh/1", "seats": ["solitaire-ai", "random"]});
        assert_eq!(self.player().post("/v1/games", wanted).status, 201);
        self.wait_for_rating_of("random");
    }

    /// Waits until a player is rated.
    pub(crate) fn wait_for_rating_of(&self, player: &str) {
        let is_rated =
            || self.stranger().get(&format!("/v1/players/{player}")).json()["ratings"] != json!([]);
        assert!(comes(20, is_rated), "no game counts");
    }

    /// Waits for the log entry of a started game.
    pub(super) fn wait_for_log_of(&self, game: &str) {
        let known = self.stranger().get(&format!("/v1/games/{game}"));
        if known.status == 200 && known.json()["started_at"].is_string() && known.json()["imported"] == false
        {
            self.wait_for_log();
        }
    }
}
