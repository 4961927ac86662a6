//! Random reads of the games of a fixture.

use std::io::{Error, Result};
use std::rc::Rc;

use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};
use serde::Deserialize;

use crate::connection::{Connection, Request};
use crate::load::{Load, Step};

/// Games of each kind.
const GAMES: usize = 32;
/// Different pages.
const PAGES: usize = 1000;

/// Games that are read.
pub struct Fixture {
    /// Finished games of Marrakech, with their last plies.
    finished: Vec<(String, u32)>,
    /// Running games of Marrakech, with their last plies.
    running: Vec<(String, u32)>,
    /// Running matches of Marrakesh, with the secret of a seat.
    hidden: Vec<(String, String)>,
}

/// A request of a load: path, and the secret of the caller.
pub type Wanted = (String, Option<String>);

#[derive(Deserialize)]
struct Created {
    id: String,
}

#[derive(Deserialize)]
struct Legal {
    ply: u32,
    seat: Option<u8>,
    moves: Option<Vec<String>>,
}

impl Fixture {
    /// Plays the games.
    ///
    /// # Errors
    /// If the service fails.
    pub async fn play(on: &mut Connection) -> Result<Self> {
        let mut random = SmallRng::seed_from_u64(7);
        let (mut finished, mut running, mut hidden) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..GAMES {
            finished.push(play(on, &mut random, "marrakech/1", 3, u32::MAX).await?.0);
            running.push(play(on, &mut random, "marrakech/1", 3, 45).await?.0);
            let ((id, _), secrets) = play(on, &mut random, "marrakesh/1", 2, 60).await?;
            hidden.push((id, secrets[0].clone()));
        }
        Ok(Self { finished, running, hidden })
    }

    pub fn loads(&self) -> Vec<(&'static str, Rc<Vec<Wanted>>)> {
        let of = |games: &[(String, u32)], rest: &str| {
            Rc::new(games.iter().map(|(id, _)| (format!("/v1/games/{id}{rest}"), None)).collect())
        };
        let past = |rest: &str| {
            let of = |(id, last): &(String, u32)| {
                (0..*last).map(|ply| (format!("/v1/games/{id}/states/{ply}{rest}"), None)).collect::<Vec<_>>()
            };
            Rc::new(self.running.iter().flat_map(of).collect())
        };
        let as_seat = |rest: &str| {
            let games = self.hidden.iter();
            Rc::new(
                games.map(|(id, secret)| (format!("/v1/games/{id}{rest}"), Some(secret.clone()))).collect(),
            )
        };
        // Requests for the same page at the same time share it.
        let page = |nth| (format!("/v1/games?until=2100-01-01T00:00:00.{nth:03}Z"), None);
        vec![
            ("GET the past states of running games", past("")),
            ("GET the past pictures of running games", past(".svg")),
            ("GET the logs of finished games", of(&self.finished, "/log")),
            ("GET running games", of(&self.running, "")),
            ("GET the scores of running games", of(&self.running, "/score")),
            ("GET the legal moves of running games", of(&self.running, "/legal-moves")),
            ("GET running matches for a seat with hidden cards", as_seat("")),
            ("GET the logs of running matches for a seat with hidden cards", as_seat("/log")),
            ("GET a page of 20 games", Rc::new(vec![("/v1/games".to_owned(), None)])),
            ("GET pages of 20 games, each another", Rc::new((0..PAGES).map(page).collect())),
        ]
    }
}

/// Plays a game up to a ply or to its end. Returns its id, its last ply, and the secrets of its seats.
///
/// # Errors
/// If the service fails.
pub async fn play(
    on: &mut Connection,
    random: &mut SmallRng,
    ruleset: &str,
    seats: usize,
    plies: u32,
) -> Result<((String, u32), Vec<String>)> {
    play_watched(on, random, ruleset, seats, plies, &mut |_, _| Ok(())).await
}

/// A moment at which a move is watched.
#[derive(Clone, Copy)]
pub enum Moment {
    /// Before it is sent.
    Before,
    /// After its response.
    After,
}

/// As [`play`], and calls `watch` with the ply before and after each move.
///
/// # Errors
/// If the service fails, and the errors of `watch`.
pub async fn play_watched(
    on: &mut Connection,
    random: &mut SmallRng,
    ruleset: &str,
    seats: usize,
    plies: u32,
    watch: &mut (dyn FnMut(u32, Moment) -> Result<()> + Send),
) -> Result<((String, u32), Vec<String>)> {
    let secrets: Vec<String> =
        (0..seats).map(|_| (0..8).map(|_| format!("{:08x}", random.random::<u32>())).collect()).collect();
    let open = vec!["\"open\""; seats].join(",");
    let wanted = format!(r#"{{"ruleset":"{ruleset}","seats":[{open}]}}"#);
    let id = ask::<Created>(on, "POST", "/v1/games", None, Some(("application/json", &wanted))).await?.id;
    for (seat, secret) in (1..).zip(&secrets) {
        let path = format!("/v1/games/{id}/seats/{seat}");
        let body = Some(("application/json", "{}"));
        ask::<serde::de::IgnoredAny>(on, "PUT", &path, Some(secret), body).await?;
    }
    let mut on_turn = 0;
    loop {
        let path = format!("/v1/games/{id}/legal-moves");
        let legal = ask::<Legal>(on, "GET", &path, Some(&secrets[on_turn]), None).await?;
        let Some(seat) = legal.seat.filter(|_| legal.ply <= plies) else {
            return Ok(((id, legal.ply - 1), secrets));
        };
        on_turn = usize::from(seat) - 1;
        // With a hidden hand, only the seat to move gets the legal moves.
        let Some(moves) = legal.moves else { continue };
        let decision = &moves[random.random_range(0..moves.len())];
        let path = format!("/v1/games/{id}/moves/{}", legal.ply);
        let body = Some(("text/plain", decision.as_str()));
        watch(legal.ply, Moment::Before)?;
        ask::<serde::de::IgnoredAny>(on, "PUT", &path, Some(&secrets[on_turn]), body).await?;
        watch(legal.ply, Moment::After)?;
    }
}

async fn ask<T: for<'a> Deserialize<'a>>(
    on: &mut Connection,
    method: &str,
    path: &str,
    secret: Option<&str>,
    body: Option<(&str, &str)>,
) -> Result<T> {
    let response = on.send(Request { method, path, secret, body, gzip: false }).await?;
    if !matches!(response.status, 200 | 201) {
        return Err(response.unexpected(path));
    }
    serde_json::from_slice(response.body).map_err(Error::other)
}

/// A client that reads paths at random.
pub struct Reader {
    wanted: Rc<Vec<Wanted>>,
    gzip: bool,
    /// Whether it continues if the service cannot respond at the moment.
    is_patient: bool,
    random: SmallRng,
}

impl Reader {
    /// Returns a client whose choices follow from a number.
    pub fn of(wanted: &Rc<Vec<Wanted>>, gzip: bool, number: usize) -> Self {
        let random = SmallRng::seed_from_u64(number as u64);
        Self { wanted: Rc::clone(wanted), gzip, is_patient: false, random }
    }

    /// Makes the client continue if the service cannot respond at the moment.
    pub fn patient(self) -> Self {
        Self { is_patient: true, ..self }
    }

    pub fn of_path(path: &str) -> Self {
        Self::of(&Rc::new(vec![(path.to_owned(), None)]), false, 0)
    }
}

impl Load for Reader {
    async fn step(&mut self, on: &mut Connection) -> Result<Step> {
        let (path, secret) = &self.wanted[self.random.random_range(0..self.wanted.len())];
        let request = Request { gzip: self.gzip, ..Request::get(path, secret.as_deref()) };
        let response = on.send(request).await?;
        match response.status {
            200 => Ok(Step::Counted),
            503 if self.is_patient => Ok(Step::Beside),
            _ => Err(response.unexpected(path)),
        }
    }
}
