//! Creation of games.

use std::sync::Arc;

use assam_notation::{Error, SetupError};
use assam_record::beacon::{BeaconName, GameBeacon, KnownBeacons, NoBeacon};
use assam_record::chance;
use assam_record::clock::now;
use assam_record::entropy::{self, NoEntropy};
use assam_record::game::{Bytes32, GameId, Holder, Info, SeatKind, Status, StoredGame, Visibility};
use assam_record::game_clock::ClockRule;
use assam_record::hex::Hex;
use assam_record::log::{NotExtended, Start, start};
use assam_record::secret::{Secret, join_code_hash};
use assam_referee::{Ruleset, Setup};
use assam_store::StoreError;
use sha2::{Digest, Sha256};

use super::seats::{Taking, taken};
use crate::app::App;

/// A game to create.
pub struct NewGame<'a> {
    /// The name and version of the rule set.
    pub ruleset: &'a str,
    /// The kind of each seat, in order of play: open, or a built-in player.
    pub seats: &'a [SeatKind],
    /// Options that differ from their defaults.
    pub options: Vec<(&'a str, String)>,
    /// A position line to begin from instead of the start. It includes the options.
    pub position: Option<&'a str>,
    /// Controls who may see the game.
    pub visibility: Visibility,
    /// The code that admits players to the seats of a private game.
    pub join_code: Option<&'a str>,
    /// Whether the result counts for ratings.
    pub rated: bool,
    /// How many hours, 1 to 8760, a seat may be on turn without moving before another seat may claim it out.
    pub patience_hours: Option<u32>,
    /// The time of each seat.
    pub clock: Option<ClockRule>,
    /// The outside beacon that adds to the chance.
    pub beacon: Option<BeaconName>,
    /// The secret of the owner.
    pub owner: Option<&'a Secret>,
    /// The seat that the owner takes at once, from 1, and how.
    pub own_seat: Option<(u8, Taking)>,
    /// The key that makes the request safe to repeat.
    pub repeatable: Option<Repeatable<'a>>,
}

/// The key that makes a request safe to repeat.
pub struct Repeatable<'a> {
    /// The client's key, which the id of the game derives from.
    pub key: &'a str,
    /// The request, which must be identical when repeated.
    pub request: &'a [u8],
}

/// Why a game was not created.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// Parts of the request conflict, or a number is out of range.
    #[error("{0}")]
    Invalid(&'static str),
    /// The seat that the owner wants is not open.
    #[error("the seat in `take` must be an open one of `seats`")]
    NoOpenSeat,
    /// The chain of the beacon is unknown.
    #[error("{}", NoBeacon::UnknownChain)]
    UnknownBeacon {
        /// The known chains.
        known: Vec<BeaconName>,
    },
    /// There is no such rule set.
    #[error("{}", Ruleset::unknown(.0))]
    UnknownRuleset(String),
    /// The game does not have this player.
    #[error("{ruleset} has no player {:?}", kind.name())]
    NoSuchPlayer {
        /// The game.
        ruleset: Ruleset,
        /// The seat, from 1.
        seat: usize,
        /// The wanted kind.
        kind: SeatKind,
    },
    /// The rule set refuses a setting.
    #[error("{}", .0.detail)]
    Setting(SetupError),
    /// The position line is refused.
    #[error(transparent)]
    Position(Error),
    /// The position hides something.
    #[error("a game cannot begin in a position that hides something: everyone sees its setup line")]
    HiddenPosition,
    /// The game is over in the position.
    #[error("a game cannot begin in a position in which it is over")]
    OverPosition,
    /// The key was used before with a different request.
    #[error("this Idempotency-Key was used before with a different request")]
    OtherRequest,
    /// The game created with the key is gone.
    #[error("the game created with this Idempotency-Key was removed. Send another key")]
    Gone,
    /// The operating system provided no random bytes.
    #[error(transparent)]
    NoEntropy(#[from] NoEntropy),
    /// The game could not start.
    #[error(transparent)]
    NotStarted(#[from] NotExtended),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl App {
    /// Creates a game. It waits for its seats to be taken, or starts at once if none is open. Returns the
    /// game, and whether it is new: a key that was used before returns the game created then.
    ///
    /// # Errors
    /// If the request is invalid, or something fails.
    pub async fn create(self: &Arc<Self>, wanted: &NewGame<'_>) -> Result<(StoredGame, bool), CreateError> {
        let mut game = new_game(wanted, &self.beacons)?;
        if game.info.seats.iter().all(|holder| holder.kind != SeatKind::Open) && game.beacon.is_none() {
            // A whole game is played once for a key.
            if wanted.repeatable.is_some()
                && let Some(stored) = self.reads.load(game.info.id).await?
            {
                return repeated(stored, &game);
            }
            let full = game.clone();
            let begin = async move |_| Ok::<_, CreateError>(start(&full, full.info.created_at)?);
            let Start { at, extension } = self.think(&game.info, true, begin).await?;
            game.info.started_at = Some(at);
            game.info.head = Some(extension.head);
            game.info.status = extension.status;
            game.info.finished_at = extension.finished_at;
            game.info.clock = extension.clock.map(|clock| *clock);
            game.log = extension.entries;
        }
        if self.game_writer.add(&game).await? {
            return Ok((game, true));
        }
        repeated(self.reads.load(game.info.id).await?.ok_or(CreateError::Gone)?, &game)
    }
}

/// Returns the game that was created with the same key, if the request was the same.
fn repeated(stored: StoredGame, game: &StoredGame) -> Result<(StoredGame, bool), CreateError> {
    // A replaced secret is no longer valid here either.
    let is_same =
        stored.request.is_some() && stored.request == game.request && stored.owner_now() == game.owner;
    if is_same { Ok((stored, false)) } else { Err(CreateError::OtherRequest) }
}

fn new_game(wanted: &NewGame<'_>, beacons: &KnownBeacons) -> Result<StoredGame, CreateError> {
    check_access(wanted)?;
    check_beacon(wanted, beacons)?;
    if wanted.patience_hours.is_some_and(|hours| !(1..=8760).contains(&hours)) {
        return Err(CreateError::Invalid("patience_hours must be a whole number from 1 to 8760"));
    }
    if wanted.clock.is_some_and(|clock| !clock.is_valid()) {
        return Err(CreateError::Invalid(
            "a clock has 1 to 604800 seconds, and gains 0 to 86400 with each ply",
        ));
    }
    let ruleset = Ruleset::named(wanted.ruleset)
        .ok_or_else(|| CreateError::UnknownRuleset(wanted.ruleset.to_owned()))?;
    check_players(ruleset, wanted.seats)?;
    let (owner, created_at) = (wanted.owner.map(Secret::hash), now());
    let id = match &wanted.repeatable {
        None => entropy::game_id(created_at)?,
        Some(Repeatable { key, .. }) => keyed_id(key),
    };
    let (seed, setup) = (entropy::seed()?, setup(ruleset, wanted)?);
    let mut game = StoredGame {
        owner,
        heir: None,
        join_code: wanted.join_code.map(|code| join_code_hash(id, code)),
        request: wanted.repeatable.as_ref().map(|repeatable| request_hash(owner, repeatable.request)),
        seed: Some(seed),
        commitment: Some(chance::commitment(&seed, &setup)),
        beacon: wanted.beacon.map(GameBeacon::new),
        tags: String::new(),
        log: String::new(),
        info: Info {
            id,
            created_at,
            setup,
            visibility: wanted.visibility,
            imported: false,
            rated: wanted.rated,
            patience_hours: wanted.patience_hours,
            clock: wanted.clock.map(|clock| clock.wound(wanted.seats.len())),
            rematch_of: None,
            rematch: None,
            revision: 0,
            seats: wanted.seats.iter().copied().map(Holder::new).collect(),
            status: Status::Open,
            started_at: None,
            finished_at: None,
            head: None,
            removed: None,
        },
    };
    if let (Some((number, taking)), Some(secret)) = (&wanted.own_seat, wanted.owner) {
        let seat = game.info.seats.get_mut(usize::from(*number).wrapping_sub(1));
        let open = seat.filter(|holder| holder.kind == SeatKind::Open).ok_or(CreateError::NoOpenSeat)?;
        *open = taken(secret, taking.clone());
    }
    if game.info.seats.iter().any(|holder| holder.kind == SeatKind::Open) {
        return Ok(game);
    }
    if let Some(beacon) = &mut game.beacon {
        *beacon = beacons.fixed(beacon, game.info.created_at).map_err(|_| unknown_beacon(beacons))?;
    }
    Ok(game)
}

/// Checks that private games have a join code, and no others do.
fn check_access(wanted: &NewGame<'_>) -> Result<(), CreateError> {
    match (wanted.visibility, wanted.join_code) {
        (Visibility::Private, Some(code)) if (1..=64).contains(&code.chars().count()) => Ok(()),
        (Visibility::Private, _) => {
            Err(CreateError::Invalid("a private game needs a join_code of 1 to 64 characters"))
        }
        (Visibility::Public | Visibility::Unlisted, None) => Ok(()),
        (Visibility::Public | Visibility::Unlisted, Some(_)) => {
            Err(CreateError::Invalid("only a private game can have a join_code"))
        }
    }
}

/// Checks that a game with a beacon has an open seat, so that someone can wait for it, and that the chain is
/// known.
fn check_beacon(wanted: &NewGame<'_>, beacons: &KnownBeacons) -> Result<(), CreateError> {
    let Some(name) = wanted.beacon else { return Ok(()) };
    if !wanted.seats.contains(&SeatKind::Open) {
        return Err(CreateError::Invalid("a game with a beacon needs an open seat"));
    }
    beacons.get(name).map(|_| ()).map_err(|_| unknown_beacon(beacons))
}

fn unknown_beacon(beacons: &KnownBeacons) -> CreateError {
    CreateError::UnknownBeacon { known: beacons.names().collect() }
}

/// Checks that the rule set has the wanted players.
fn check_players(ruleset: Ruleset, seats: &[SeatKind]) -> Result<(), CreateError> {
    let known = ruleset.info().players;
    let is_unknown = |kind: &SeatKind| kind.player().is_some_and(|player| !known.contains(&player));
    match (1..).zip(seats).find(|(_, kind)| is_unknown(kind)) {
        None => Ok(()),
        Some((seat, &kind)) => Err(CreateError::NoSuchPlayer { ruleset, seat, kind }),
    }
}

fn setup(ruleset: Ruleset, wanted: &NewGame<'_>) -> Result<Setup, CreateError> {
    if let Some(line) = wanted.position {
        return position_setup(ruleset, wanted, line);
    }
    let options: Vec<(&str, &str)> =
        wanted.options.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let seats = u8::try_from(wanted.seats.len()).unwrap_or(u8::MAX);
    Setup::new(ruleset, seats, &options).map_err(CreateError::Setting)
}

/// Reads the setup of a game that begins in a position.
fn position_setup(ruleset: Ruleset, wanted: &NewGame<'_>, line: &str) -> Result<Setup, CreateError> {
    if line.starts_with("MKN/") {
        return Err(CreateError::Invalid("position must be a position line, not a record"));
    }
    let line = line.strip_suffix('\n').unwrap_or(line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    let setup = Setup::read_position_line(line).map_err(CreateError::Position)?;
    if !wanted.options.is_empty() {
        let both = "leave options empty when you send position, because the line includes them";
        return Err(CreateError::Invalid(both));
    }
    let table = setup.table();
    if table.hides_something() {
        return Err(CreateError::HiddenPosition);
    }
    if setup.ruleset() != ruleset || usize::from(setup.seats()) != wanted.seats.len() {
        return Err(CreateError::Invalid("ruleset and seats must match the position line"));
    }
    if table.turn().is_end() { Err(CreateError::OverPosition) } else { Ok(setup) }
}

/// Derives the id of a game from the key of its request.
fn keyed_id(key: &str) -> GameId {
    Hex::digest(&format!("assam/game\n{key}"))
}

fn request_hash(owner: Option<Bytes32>, request: &[u8]) -> Bytes32 {
    Sha256::new().chain_update(owner.unwrap_or_default()).chain_update(request).finalize().into()
}
