//! A client that follows a game on a stream and resumes if the stream breaks.

use std::io::Result;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::clients::client::{World, head, listed, pause};
use crate::clients::http::{Connection, Request};
use crate::history::{Line, Said, Told};

/// How long a follower waits for a line before it checks whether the game is over.
const GLANCE: Duration = Duration::from_millis(200);
/// How long it waits for the head of a stream.
const BEGINS: Duration = Duration::from_secs(2);
/// The pause before it reconnects.
const AGAIN: Duration = Duration::from_millis(30);
/// How long after the last word it waits for missing messages.
const LINGERS: Duration = Duration::from_secs(8);
/// How long it waits if it has received nothing at all, for example while the service is down.
const INSISTS: Duration = Duration::from_secs(60);

/// Follows a game.
pub struct Follower<'a> {
    world: &'a World,
    game: &'a str,
    client: u32,
    process: usize,
    place: Option<String>,
    ply: u32,
    is_over: bool,
    lines: Vec<Line>,
}

impl<'a> Follower<'a> {
    /// Returns a follower that begins with a process.
    pub fn new(world: &'a World, game: &'a str, process: usize) -> Self {
        let client = world.client();
        Self { world, game, client, process, place: None, ply: 0, is_over: false, lines: Vec::new() }
    }

    /// Follows until it has received everything written when `is_done` was set, up to the ply that `last`
    /// returns. Returns the messages.
    pub fn follow(mut self, is_done: &AtomicBool, last: impl Fn() -> u32) -> Vec<Line> {
        self.note(self.world.now(), Said::Nothing, (0, None), (None, Vec::new()));
        let mut since: Option<Instant> = None;
        let mut is_enough = |follower: &Self| {
            let is_done = is_done.load(Ordering::Acquire);
            let lingers = is_done.then(|| since.get_or_insert_with(Instant::now).elapsed());
            follower.is_over
                || lingers.is_some_and(|lingers| {
                    let longest = if follower.place.is_some() { LINGERS } else { INSISTS };
                    lingers > longest || follower.place.is_some() && follower.ply >= last()
                })
        };
        while !is_enough(&self) {
            // After any end, it resumes from its position.
            let _ = self.connect(&mut is_enough);
            self.process = (self.process + 1) % self.world.addresses.len();
            pause(AGAIN);
        }
        self.lines
    }

    fn connect(&mut self, is_enough: &mut impl FnMut(&Self) -> bool) -> Result<()> {
        let start = self.world.now();
        let since = self.place.as_ref().map(|place| format!("?since={place}")).unwrap_or_default();
        let headers = vec![("Accept", "application/x-ndjson".to_owned())];
        let path = format!("/v1/games/{}/events{since}", self.game);
        let request = Request { method: "GET", path, headers, ..Request::default() };
        let address = self.world.addresses[self.process % self.world.addresses.len()];
        let (status, mut lines) = Connection::open(address, BEGINS)?.follow(&request, GLANCE)?;
        if status == 204 {
            self.is_over = true;
        }
        while status == 200 && !is_enough(self) {
            if let Some(line) = lines.next_line()? {
                self.take(start, &serde_json::from_str(&line)?);
            }
        }
        Ok(())
    }

    fn take(&mut self, start: u64, json: &Value) {
        let said = match json["type"].as_str().unwrap_or_default() {
            "snapshot" => Said::Snapshot,
            "word" => Said::Word,
            "caught-up" => Said::CaughtUp,
            "reset" => Said::Reset,
            "over" => Said::Over,
            _ => return,
        };
        let (shown, (drawn, words)) = match said {
            Said::Snapshot => (&json["game"]["head"], listed(&json["words"])),
            Said::Word => (&json["head"], (None, vec![json["word"].as_str().unwrap_or_default().to_owned()])),
            Said::CaughtUp | Said::Reset | Said::Over | Said::Nothing => (&json["head"], (None, Vec::new())),
        };
        let (ply, hash) = head(shown);
        if let (Said::Snapshot | Said::Word, Some(hash)) = (said, &hash) {
            (self.place, self.ply) = (Some(format!("{ply}.{hash}")), ply);
        }
        self.is_over |= said == Said::Over;
        self.note(start, said, (ply, hash), (drawn, words));
    }

    fn note(
        &mut self,
        start: u64,
        said: Said,
        (ply, hash): (u32, Option<String>),
        (drawn, words): (Option<String>, Vec<String>),
    ) {
        let (game, client, end) = (self.game.to_owned(), self.client, self.world.now());
        self.lines.push(Line::Told(Told { game, client, start, end, said, ply, hash, words, drawn }));
    }
}
