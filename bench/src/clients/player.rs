//! A client that plays: it knows the rules, chooses among the legal decisions, and checks every response.
//! Also a client that is stuck in a game held by another session.

use std::io::{Error, Result};
use std::net::SocketAddr;
use std::time::Duration;

use assam_referee::{Ruleset, Setup, Table};
use assam_rules::{Turn, Viewer};
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};
use serde::Deserialize;
use tokio::time::sleep;
use tokio_postgres::{Client, NoTls};

use crate::connection::{Connection, Request};
use crate::load::{Load, Step};

/// The pause before a client retries when the service is busy, as the response states.
const RETRY_AFTER: Duration = Duration::from_secs(1);

#[expect(clippy::disallowed_methods, reason = "as the service asks of its clients")]
async fn wait(long: Duration) {
    sleep(long).await;
}

/// Plays games of Marrakech for three, one after another, with a separate secret for each seat. Or for two, against a
/// built-in player.
pub struct Player {
    /// The built-in player on the second seat, if there is one.
    opponent: Option<&'static str>,
    /// The pause before it retries when the service is busy, if it does.
    comes_again: Option<Duration>,
    /// Whether it requests the receipt of each move.
    wants_receipts: bool,
    random: SmallRng,
    secrets: [String; 3],
    game: Option<Game>,
    /// A decision that was refused for the moment.
    unanswered: Option<String>,
}

struct Game {
    id: String,
    table: Box<dyn Table>,
}

#[derive(Deserialize)]
struct Created<'a> {
    id: &'a str,
}

/// The word that draws the first rug.
#[derive(Deserialize)]
struct Start<'a> {
    word: &'a str,
}

#[derive(Deserialize)]
struct Written<'a> {
    ply: u32,
    #[serde(borrow)]
    words: Vec<&'a str>,
    head: Head,
    receipt: Option<String>,
}

#[derive(Deserialize)]
struct Head {
    ply: u32,
}

impl Player {
    /// Returns a player whose choices follow from a number.
    pub fn new(number: u64) -> Self {
        let mut random = SmallRng::seed_from_u64(number);
        let mut secret = || (0..8).map(|_| format!("{:08x}", random.random::<u32>())).collect::<String>();
        let secrets = [secret(), secret(), secret()];
        Self {
            opponent: None,
            comes_again: None,
            wants_receipts: false,
            random,
            secrets,
            game: None,
            unanswered: None,
        }
    }

    /// Creates a game and takes its seats.
    ///
    /// # Errors
    /// If the service fails.
    pub async fn sit_down(&mut self, on: &mut Connection) -> Result<()> {
        let id = create(on, self.opponent, self.comes_again).await?;
        let own_seats = if self.opponent.is_some() { 1 } else { self.secrets.len() };
        for (seat, secret) in (1..=own_seats).zip(&self.secrets) {
            take_seat(on, &id, seat, secret, self.comes_again).await?;
        }
        let seats = if self.opponent.is_some() { 2 } else { 3 };
        let setup = Setup::new(Ruleset::Marrakech, seats, &[]).map_err(|error| Error::other(error.detail))?;
        let mut table = setup.table();
        if table.is_start_due() {
            let path = format!("/v1/games/{id}/moves/0");
            let response = on.send(Request { method: "GET", path: &path, ..Request::default() }).await?;
            let Start { word } = serde_json::from_slice(response.body)?;
            table.replay(word).map_err(Error::other)?;
        }
        self.game = Some(Game { id, table });
        Ok(())
    }
}

impl Player {
    /// Makes the player play against a built-in player.
    pub fn against(self, opponent: &'static str) -> Self {
        Self { opponent: Some(opponent), ..self }
    }

    /// Makes the player retry later when the service is busy.
    pub fn coming_again(self) -> Self {
        Self { comes_again: Some(RETRY_AFTER), ..self }
    }

    /// Makes the player retry almost at once when the service cannot respond.
    pub fn impatient(self) -> Self {
        Self { comes_again: Some(Duration::from_millis(2)), ..self }
    }

    /// Makes the player request the receipt of each move.
    pub fn with_receipts(self) -> Self {
        Self { wants_receipts: true, ..self }
    }

    /// Returns the id of the game, and the secret of the seat that begins.
    pub fn first_turn(&self) -> (String, String) {
        let id = self.game.as_ref().map_or_else(String::new, |game| game.id.clone());
        (id, self.secrets[0].clone())
    }
}

/// Creates a game, and returns its id.
async fn create(
    on: &mut Connection,
    opponent: Option<&str>,
    comes_again: Option<Duration>,
) -> Result<String> {
    let seats = opponent.map_or(r#""open","open","open""#.to_owned(), |kind| format!(r#""open","{kind}""#));
    let wanted = format!(r#"{{"ruleset":"marrakech/1","seats":[{seats}]}}"#);
    let path = "/v1/games";
    let body = Some(("application/json", wanted.as_str()));
    loop {
        let response = on.send(Request { method: "POST", path, body, ..Request::default() }).await?;
        match (response.status, comes_again) {
            (201, _) => return Ok(serde_json::from_slice::<Created<'_>>(response.body)?.id.to_owned()),
            (503, Some(pause)) => wait(pause).await,
            _ => return Err(response.unexpected(path)),
        }
    }
}

async fn take_seat(
    on: &mut Connection,
    id: &str,
    seat: usize,
    secret: &str,
    comes_again: Option<Duration>,
) -> Result<()> {
    let path = format!("/v1/games/{id}/seats/{seat}");
    let body = Some(("application/json", "{}"));
    let secret = Some(secret);
    loop {
        let response = on.send(Request { method: "PUT", path: &path, secret, body, gzip: false }).await?;
        match (response.status, comes_again) {
            (201, _) => return Ok(()),
            (503, Some(pause)) => wait(pause).await,
            _ => return Err(response.unexpected(&path)),
        }
    }
}

/// Creates games, one after another.
pub struct Creator;

impl Load for Creator {
    async fn step(&mut self, on: &mut Connection) -> Result<Step> {
        create(on, None, None).await.map(|_| Step::Counted)
    }
}

/// Has a record analysed, again and again.
#[derive(Clone)]
pub struct Analyst(String);

impl Analyst {
    /// Returns a client with the record of a game of two.
    ///
    /// # Errors
    /// If the service does not play one.
    pub async fn with_game(on: &mut Connection) -> Result<Self> {
        let body = r#"{"ruleset":"marrakech/1","seats":["merchant-4","merchant-4"]}"#;
        let body = Some(("application/json", body));
        let wanted = Request { method: "POST", path: "/v1/games", secret: None, body, gzip: false };
        let answer = on.send(wanted).await?;
        let id = serde_json::from_slice::<Created<'_>>(answer.body).map_err(Error::other)?.id.to_owned();
        let log = on.send(Request::get(&format!("/v1/games/{id}/log"), None)).await?;
        Ok(Self(String::from_utf8(log.body.to_vec()).map_err(Error::other)?))
    }
}

impl Load for Analyst {
    async fn step(&mut self, on: &mut Connection) -> Result<Step> {
        let path = "/v1/analysis";
        let body = Some(("text/plain", self.0.as_str()));
        let response = on.send(Request { method: "POST", path, secret: None, body, gzip: false }).await?;
        if response.status == 200 { Ok(Step::Counted) } else { Err(response.unexpected(path)) }
    }
}

/// Takes the seats of games that were created for it, one after another, and of new games after that.
pub struct Sitter {
    player: Player,
    games: Vec<String>,
    /// How many seats of the last game are taken.
    taken: usize,
}

impl Sitter {
    /// Returns a sitter whose secrets follow from a number, with this many new games.
    ///
    /// # Errors
    /// If the service does not create one.
    pub async fn with_games(number: u64, count: usize, address: SocketAddr) -> Result<Self> {
        let mut on = Connection::open(address).await?;
        let mut games = Vec::with_capacity(count);
        for _ in 0..count {
            games.push(create(&mut on, None, None).await?);
        }
        Ok(Self { player: Player::new(number), games, taken: 0 })
    }
}

impl Load for Sitter {
    async fn step(&mut self, on: &mut Connection) -> Result<Step> {
        let Some(id) = self.games.last() else {
            self.games.push(create(on, None, None).await?);
            return Ok(Step::Beside);
        };
        take_seat(on, id, self.taken + 1, &self.player.secrets[self.taken], None).await?;
        self.taken = (self.taken + 1) % self.player.secrets.len();
        if self.taken == 0 {
            self.games.pop();
        }
        Ok(Step::Counted)
    }
}

impl Load for Player {
    async fn step(&mut self, on: &mut Connection) -> Result<Step> {
        let Some(Game { id, table }) = &mut self.game else {
            self.sit_down(on).await?;
            return Ok(Step::Beside);
        };
        let Turn::Player(seat) = table.turn() else {
            self.game = None;
            return Ok(Step::Nothing);
        };
        // A decision without a response may have been written, so only the same one can be sent again.
        let decision = match self.unanswered.take() {
            Some(decision) => decision,
            None => {
                let legal = table.legal_moves(Viewer::Arbiter).unwrap_or_default();
                legal[self.random.random_range(0..legal.len())].clone()
            }
        };
        let ply = table.next_ply();
        let query = if self.wants_receipts { "?include=receipt" } else { "" };
        let path = format!("/v1/games/{id}/moves/{ply}{query}");
        let secret = Some(self.secrets[seat.index()].as_str());
        let body = Some(("text/plain", decision.as_str()));
        let request = Request { method: "PUT", path: &path, secret, body, ..Request::default() };
        let response = on.send(request).await?;
        if let (503, Some(pause)) = (response.status, self.comes_again) {
            wait(pause).await;
            self.unanswered = Some(decision);
            return Ok(Step::Beside);
        }
        // A retry may find that the decision was written.
        let is_new = response.status == 201 || response.status == 200 && self.comes_again.is_some();
        let is_written = is_new && {
            let Written { ply: first, words, head, receipt } = serde_json::from_slice(response.body)?;
            let is_mine = |word: &&str| word.split('+').next() == Some(decision.as_str());
            first == ply
                && head.ply + 1 == ply + words.len() as u32
                && words.first().is_some_and(is_mine)
                && (words.len() == 1 || self.opponent.is_some())
                && receipt.is_some() == self.wants_receipts
                && words.iter().all(|word| table.replay(word).is_ok())
        };
        if is_written { Ok(Step::Counted) } else { Err(response.unexpected(&path)) }
    }
}

/// A game that a session of PostgreSQL holds until this is dropped.
pub struct Held {
    path: String,
    secret: String,
    _session: Client,
}

impl Held {
    /// Creates a game, and holds it.
    ///
    /// # Errors
    /// If the service or the database fails.
    pub async fn game(url: &str, on: &mut Connection) -> Result<Self> {
        let mut player = Player::new(u64::MAX);
        player.sit_down(on).await?;
        let (id, secret) = player.first_turn();
        let (session, connection) = tokio_postgres::connect(url, NoTls).await.map_err(Error::other)?;
        tokio::spawn(connection);
        let hold = format!("BEGIN; SELECT FROM games WHERE id = '{id}' FOR UPDATE");
        session.batch_execute(&hold).await.map_err(Error::other)?;
        Ok(Self { path: format!("/v1/games/{id}/moves/1"), secret, _session: session })
    }

    /// Returns a client that wants to move in it.
    pub fn client(&self) -> Stuck {
        Stuck { path: self.path.clone(), secret: self.secret.clone() }
    }
}

/// Sends a move again and again in a game that another transaction holds.
#[derive(Clone)]
pub struct Stuck {
    path: String,
    secret: String,
}

impl Load for Stuck {
    async fn step(&mut self, on: &mut Connection) -> Result<Step> {
        let body = Some(("text/plain", "N"));
        let secret = Some(self.secret.as_str());
        let response =
            on.send(Request { method: "PUT", path: &self.path, secret, body, gzip: false }).await?;
        if response.status == 503 { Ok(Step::Counted) } else { Err(response.unexpected(&self.path)) }
    }
}
