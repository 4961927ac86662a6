//! `assam bot`: plays a built-in player or a program in the games of a service.
//!
//! It keeps no state, so it can be stopped and started at any time.

use std::io::BufRead;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use assam_players::Player;
use assam_referee::AnyRecord;
use clap::{Args, ValueHint};
use serde_json::Value;

use super::contestant::{Asking, AskingArgs, Contestant, PlayerName, Seated};
use super::position;
use super::seating::{Seating, take_a_seat};
use crate::process::output::{Failure, print, say_failed};
use crate::remote::args::RemoteArgs;
use crate::remote::player::{Pauses, PlayerClient, RequestFailure};

/// The rule that a seat breaks whose time is up.
const OUT_OF_TIME: &str = "table.clock.out-of-time";
/// A connection that held this long counts as good.
const HELD: Duration = Duration::from_secs(1);

#[derive(Args)]
pub struct BotArgs {
    /// The service, `http://host:port` or `https://host`
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    url: String,
    #[command(flatten)]
    remote: RemoteArgs,
    /// A file with the secret that holds the seats: 64 lower-case hex digits
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    secret_file: PathBuf,
    #[command(flatten)]
    who: DecidingArgs,
    #[command(flatten)]
    asking: AskingArgs,
    #[command(flatten)]
    seating: Seating,
}

/// The player that decides.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct DecidingArgs {
    /// Play as this built-in player, such as merchant-5
    #[arg(long, value_name = "PLAYER", value_parser = level)]
    level: Option<Player>,
    /// Play as a program that speaks the engine protocol. The command is split at spaces
    #[arg(long, value_name = "COMMAND", value_hint = ValueHint::CommandString)]
    engine: Option<String>,
}

fn level(name: &str) -> Result<Player, String> {
    Player::newest(name).ok_or_else(|| format!("unknown player {name:?}"))
}

/// A running bot.
struct Bot {
    client: PlayerClient,
    player: Contestant,
    asking: Asking,
    /// The game that it plays, or `None` for all games of its secret.
    only: Option<String>,
    /// The game of the last decision, with the player at its seat.
    seated: Option<(String, Seated)>,
}

/// The next step of the bot, after a message or the end of a stream.
enum Next {
    Continue,
    /// Connect again after this time.
    Reconnect(Duration),
    Done,
}

/// Plays until its game is over, or without an end if it plays all games.
///
/// # Errors
/// If the service refuses, or the player fails.
pub fn run(args: &BotArgs) -> Result<(), Failure> {
    let player = match (&args.who.level, &args.who.engine) {
        (Some(level), _) => PlayerName::from(*level),
        (None, engine) => PlayerName::program("engine", engine.as_deref().unwrap_or_default()),
    };
    let player = Contestant::new(player);
    let asking = args.asking.asking();
    // A player that cannot play takes no seat.
    if let Some(game) = args.seating.new_game() {
        player.check(game)?;
    }
    player.prepare(asking)?;
    let mut client = PlayerClient::new(&args.url, args.remote, &args.secret_file)?;
    let only = take_a_seat(&mut client, &args.seating)?;
    Bot { client, player, asking, only, seated: None }.play()
}

impl Bot {
    fn play(&mut self) -> Result<(), Failure> {
        let mut pauses = Pauses::default();
        loop {
            let begun = Instant::now();
            // It sends every waiting turn again after each connection, so nothing is lost in between.
            let least = match self.client.stream("/v1/me/events")? {
                Ok(stream) => match self.follow(stream)? {
                    Next::Done => return Ok(()),
                    Next::Reconnect(after) => after,
                    Next::Continue => Duration::ZERO,
                },
                Err(least) => least,
            };
            if begun.elapsed() >= HELD {
                pauses = Pauses::default();
            }
            pauses.pause(least);
        }
    }

    /// Follows a stream until it breaks or ends.
    fn follow(&mut self, stream: impl BufRead) -> Result<Next, Failure> {
        for line in stream.lines() {
            let Some(message) = line.ok().and_then(|line| serde_json::from_str(&line).ok()) else { break };
            match self.hear(&message)? {
                Next::Continue => {}
                next @ (Next::Reconnect(_) | Next::Done) => return Ok(next),
            }
        }
        Ok(Next::Continue)
    }

    fn hear(&mut self, message: &Value) -> Result<Next, Failure> {
        let game = message["game"]["id"].as_str().or(message["game_id"].as_str()).unwrap_or_default();
        let is_ours = self.only.as_deref().is_none_or(|only| only == game);
        match message["type"].as_str().unwrap_or_default() {
            "turn" if is_ours => self.decide(game, message)?,
            "over" if is_ours => {
                report(game, &message["result"])?;
                if self.only.is_some() {
                    return Ok(Next::Done);
                }
            }
            "gone" if is_ours => {
                let why = format!("{game}: {}", message["detail"].as_str().unwrap_or("the game is gone"));
                if self.only.is_some() {
                    return Err(why.into());
                }
                say_failed(&why);
            }
            // The stream reports only games that end while it is open.
            "caught-up" => return self.is_over(),
            "closing" => {
                return Ok(Next::Reconnect(Duration::from_millis(message["retry"].as_u64().unwrap_or(0))));
            }
            _ => {}
        }
        Ok(Next::Continue)
    }

    /// Ends if the only game of the bot is over.
    fn is_over(&mut self) -> Result<Next, Failure> {
        let Some(only) = &self.only else { return Ok(Next::Continue) };
        let game = self.client.get(&format!("/v1/games/{only}"))?;
        match game["status"].as_str() {
            Some("finished" | "aborted") => {
                report(only, &game["result"])?;
                Ok(Next::Done)
            }
            Some(_) | None => Ok(Next::Continue),
        }
    }

    /// Decides a turn, unless the game has moved on.
    fn decide(&mut self, game: &str, turn: &Value) -> Result<(), Failure> {
        let Some(log) = current(self.client.get_text(&format!("/v1/games/{game}/log")))? else {
            return Ok(());
        };
        let record = AnyRecord::read(log);
        let (Some(setup), Some(table)) = (&record.setup, &record.table) else {
            return Err(format!("{game}: the service sent an unreadable log").into());
        };
        let ply = turn["ply"].as_u64().unwrap_or_default();
        if table.turn().is_end() || u64::from(table.next_ply()) != ply {
            return Ok(());
        }
        if let Err(why) = self.player.check(setup.ruleset().info()) {
            if self.only.is_some() {
                return Err(why.into());
            }
            say_failed(&format!("{game}: {why}"));
            return Ok(());
        }
        if self.seated.as_ref().is_none_or(|(of, _)| of != game) {
            // One program plays all games.
            if let Some((_, seated)) = self.seated.take() {
                self.player.stand_up(seated);
            }
            let seated = self.player.sit(setup, self.asking, rand::random(), 0)?;
            self.seated = Some((game.to_owned(), seated));
        }
        let Some((_, seated)) = &mut self.seated else { return Ok(()) };
        // The service has masked the words already.
        let position = || Ok(position::text(setup, record.words.iter().map(String::as_str)));
        let decision = seated.decide(setup, &**table, position);
        let decision = decision.map_err(|failure| format!("{game}, ply {ply}: {failure}"))?;
        let body = serde_json::json!({"move": decision.text()});
        current(self.client.send("PUT", &format!("/v1/games/{game}/moves/{ply}"), &body, &[]))?;
        Ok(())
    }
}

/// Returns the answer to a request about a turn, or `None` if the game has moved on or is gone.
fn current<T>(answer: Result<T, RequestFailure>) -> Result<Option<T>, RequestFailure> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(RequestFailure::Refused(refused))
            if matches!(refused.status, 403 | 404 | 409 | 410 | 412) || refused.rule == OUT_OF_TIME =>
        {
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

/// Prints the end of a game.
fn report(game: &str, result: &Value) -> Result<(), Failure> {
    let scores = result["scores"].as_array().into_iter().flatten().map(|score| format!(" {score}"));
    let is_aborted = result["ranking"].is_null();
    let end = if is_aborted { " aborted".to_owned() } else { scores.collect() };
    print(&format!("{game}{end}\n"))
}
