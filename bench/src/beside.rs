//! Clients who make trouble, beside those who are measured.

use std::io::{Error, Result};

use tokio_postgres::{Client, NoTls};

use crate::connection::{Connection, Request};
use crate::load::{Load, Step};
use crate::player::Player;

/// A game that a session of PostgreSQL holds while this lives.
pub struct Held {
    path: String,
    secret: String,
    _session: Client,
}

impl Held {
    /// Creates a game, and holds it.
    ///
    /// # Errors
    /// Where the service or the database fails.
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

    /// A client who wants to move there.
    pub fn client(&self) -> Stuck {
        Stuck { path: self.path.clone(), secret: self.secret.clone() }
    }
}

/// Sends a move of a game that somebody else holds, again and again.
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
